-- Hints to clients that something has changed (docs/decisions/0046). Triggers write them in the
-- transaction of the change. They do not use NOTIFY, which takes a lock that all committing writers
-- share.

alter table live_events enable row level security;
alter table live_events force row level security;
drop policy if exists live_events_read on live_events;
create policy live_events_read on live_events for select using ((select scope_all()) or account_id is not null
  or (station_id = any ((select scope_stations())::bigint[]) and ((select scope_account()) is null or user_id = (select scope_account()))));
drop policy if exists live_events_write on live_events;
create policy live_events_write on live_events for insert with check (true);
drop policy if exists live_events_remove on live_events;
create policy live_events_remove on live_events for delete using ((select scope_all()));

-- Writes one event for each of at most 20 new parcels, or one event with their number for a larger
-- statement.
create or replace function live_events_of_new_parcels() returns trigger language plpgsql as $$
begin
  insert into live_events (kind, station_id, user_id, subject_id, data)
    select 'parcel', station_id, user_id, id, jsonb_build_object('change', 'created', 'state_code', state_code, 'from_code', null) from new_rows
    where not exists (select from new_rows offset 20);
  if not found then
    insert into live_events (kind, station_id, user_id, data)
      select 'parcels', station_id, user_id, jsonb_build_object('created', count(*), 'changed', 0) from new_rows group by station_id, user_id;
  end if;
  return null;
end $$;
create or replace trigger live_events_insert after insert on expresses referencing new table as new_rows for each statement execute function live_events_of_new_parcels();

create or replace function live_event_of_parcel() returns trigger language plpgsql as $$
begin
  insert into live_events (kind, station_id, user_id, subject_id, data) values ('parcel', new.station_id, new.user_id, new.id, jsonb_build_object(
    'change', case when new.state_code <> old.state_code then 'state'
      when old.exception is distinct from new.exception or old.handled_at is distinct from new.handled_at then 'exception'
      when new.print_data is not null and new.need_retry = 0 and (old.print_data is null or old.need_retry <> 0) then 'label' else 'asked' end, 'state_code', new.state_code, 'from_code', old.state_code));
  return null;
end $$;
-- Most updates change nothing that a client shows, and do not call the function.
create or replace trigger live_events_update after update of state_code, exception, handled_at, print_data, need_retry, confirming, modifying, intercepting,
    cancel_requested_at on expresses for each row when (old.state_code <> new.state_code
  or old.exception is distinct from new.exception or old.handled_at is distinct from new.handled_at
  or (new.print_data is not null and new.need_retry = 0 and (old.print_data is null or old.need_retry <> 0))
  or old.confirming is distinct from new.confirming or old.modifying <> new.modifying or old.intercepting <> new.intercepting
  or (old.cancel_requested_at is null) <> (new.cancel_requested_at is null)) execute function live_event_of_parcel();

create or replace function live_event_of_job() returns trigger language plpgsql as $$
begin
  insert into live_events (kind, account_id, subject_id, data) values ('job', new.account_id, new.id, jsonb_build_object(
    'status', new.status, 'total', new.total, 'done', new.done, 'ok', new.ok, 'skipped', new.skipped, 'failed', new.failed));
  return null;
end $$;
create or replace trigger live_events_insert after insert on user_jobs for each row execute function live_event_of_job();
-- Writes at most twenty events about the progress of a job.
create or replace trigger live_events_update after update on user_jobs for each row when (old.status <> new.status or old.total <> new.total
  or old.done * 20 / greatest(old.total, 1) <> new.done * 20 / greatest(new.total, 1)) execute function live_event_of_job();

create or replace function live_event_of_import() returns trigger language plpgsql as $$
begin
  insert into live_events (kind, station_id, user_id, subject_id, data) values ('import', new.station_id, new.user_id, new.id, jsonb_build_object('status', new.status));
  return null;
end $$;
create or replace trigger live_events_insert after insert on imports for each row execute function live_event_of_import();
create or replace trigger live_events_update after update on imports for each row when (old.status <> new.status) execute function live_event_of_import();

-- Writes an event when access rights change, so that open streams are checked at once.
create or replace function live_event_of_access() returns trigger language plpgsql as $$
begin
  insert into live_events (kind) values ('access');
  return null;
end $$;
create or replace trigger live_events_delete after delete on sessions for each statement execute function live_event_of_access();
create or replace trigger live_events_update after update on accounts for each row when (old.role <> new.role or old.station_id is distinct from new.station_id
  or old.status <> new.status or old.must_change <> new.must_change) execute function live_event_of_access();
create or replace trigger live_events_update after update of parent_id, status on stations for each row when (old.parent_id is distinct from new.parent_id or old.status <> new.status)
  execute function live_event_of_access();

create or replace trigger live_events_change after insert or update on settings for each row when (new.name = 'second_factor_for') execute function live_event_of_access();

revoke all on live_events, live_event_log from {{app_role}};
grant select, insert, delete on live_events to {{app_role}};
grant select, insert, update on live_event_log to {{app_role}};
