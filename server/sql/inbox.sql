-- Notices for inboxes (docs/decisions/0051): written by triggers in the transaction of what happened, delivered by a task.

alter table inbox_notices enable row level security;
alter table inbox_notices force row level security;
drop policy if exists inbox_notices_write on inbox_notices;
create policy inbox_notices_write on inbox_notices for insert with check (true);
drop policy if exists inbox_notices_scope on inbox_notices;
create policy inbox_notices_scope on inbox_notices using ((select scope_all()));

-- Queries filter entries by account. The policy hides an entry about a station that the account no
-- longer sees.
alter table inbox_entries enable row level security;
alter table inbox_entries force row level security;
drop policy if exists inbox_entries_scope on inbox_entries;
create policy inbox_entries_scope on inbox_entries
  using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]))
  with check ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

create or replace function inbox_notice_of_parcel() returns trigger language plpgsql as $$
begin
  insert into inbox_notices (kind, station_id, account_id, subject_id, at) values (
    case new.state_code when 10 then 'on_hold' when 90 then 'refused' when 400 then 'exception' else 'returning' end, new.station_id, new.user_id, new.id,
    case when tg_op = 'INSERT' then new.created_at when new.state_code in (400, 410) then coalesce(new.last_event_at, new.updated_at) else new.updated_at end);
  return null;
end $$;
create or replace trigger inbox_insert after insert on expresses for each row when (new.state_code = 10) execute function inbox_notice_of_parcel();
create or replace trigger inbox_update after update of state_code on expresses for each row when (old.state_code <> new.state_code and new.state_code in (10, 90, 400, 410))
  execute function inbox_notice_of_parcel();

create or replace function inbox_notice_of_exception() returns trigger language plpgsql as $$
begin
  insert into inbox_notices (kind, station_id, account_id, subject_id, at) values (new.exception, new.station_id, new.user_id, new.id, new.updated_at);
  return null;
end $$;
-- Refused, stopped and returning parcels change their state, and inbox_update above writes their
-- notice.
create or replace trigger inbox_exception after update of exception, exception_at, handled_at on expresses for each row when (new.exception in ('unreachable', 'unmoved', 'missed', 'left_behind') and new.handled_at is null
  and (old.exception is distinct from new.exception or old.exception_at <> new.exception_at or old.handled_at is not null)) execute function inbox_notice_of_exception();

-- server/src/domain/express/cancel-notices.ts writes the notices of failed cancellations and
-- interceptions.
drop trigger if exists inbox_cancel on expresses;
drop function if exists inbox_notice_of_cancel();

create or replace function inbox_notice_of_request() returns trigger language plpgsql as $$
begin
  if new.status = 'pending' then
    insert into inbox_notices (kind, station_id, account_id, subject_id, at) values ('request', new.station_id, new.account_id, new.id, new.created_at);
  elsif new.decided_by is distinct from new.account_id then
    insert into inbox_notices (kind, station_id, account_id, subject_id, at) values ('decided', new.station_id, new.account_id, new.id, new.updated_at);
  end if;
  return null;
end $$;
create or replace trigger inbox_insert after insert on statements for each row when (new.status = 'pending') execute function inbox_notice_of_request();
create or replace trigger inbox_update after update on statements for each row when (old.status = 'pending' and new.status <> 'pending')
  execute function inbox_notice_of_request();

create or replace function inbox_notice_of_job() returns trigger language plpgsql as $$
begin
  insert into inbox_notices (kind, station_id, account_id, subject_id, at) values ('job', new.station_id, new.account_id, new.id, coalesce(new.finished_at, now()));
  return null;
end $$;
-- A finished count writes no notice: the screen that requested it shows it.
create or replace trigger inbox_update after update on user_jobs for each row
  when (old.status <> new.status and new.status in ('done', 'failed') and new.action <> 'count') execute function inbox_notice_of_job();

create or replace function inbox_notice_of_import() returns trigger language plpgsql as $$
begin
  insert into inbox_notices (kind, station_id, account_id, subject_id, at) values ('import', new.station_id, coalesce(new.confirmed_by, new.user_id), new.id, new.updated_at);
  return null;
end $$;
-- Writes a notice when ordering ends or cannot go on, or when the file cannot be read. A pause by a
-- person has no reason and writes none.
create or replace trigger inbox_update after update on imports for each row when (old.status <> new.status
  and (new.status = 'failed' or (old.status = 'ordering' and (new.status = 'done' or (new.status = 'paused' and new.reason is not null)))))
  execute function inbox_notice_of_import();

revoke all on inbox_notices, inbox_entries from {{app_role}};
grant select, insert, update, delete on inbox_notices, inbox_entries to {{app_role}};
