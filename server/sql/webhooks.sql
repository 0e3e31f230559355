-- Events for webhooks (docs/decisions/0152). Triggers write them in the transaction of the change,
-- and workers send them (server/src/domain/webhooks).

alter table webhooks enable row level security;
alter table webhooks force row level security;
drop policy if exists webhooks_scope on webhooks;
create policy webhooks_scope on webhooks using ((select scope_all()) or exists (select 1 from accounts a where a.id = account_id));

alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
drop policy if exists webhook_deliveries_scope on webhook_deliveries;
create policy webhook_deliveries_scope on webhook_deliveries using ((select scope_all()) or exists (select 1 from webhooks w where w.id = webhook_id));

alter table webhook_events enable row level security;
alter table webhook_events force row level security;
drop policy if exists webhook_events_write on webhook_events;
create policy webhook_events_write on webhook_events for insert with check (true);
drop policy if exists webhook_events_scope on webhook_events;
create policy webhook_events_scope on webhook_events using ((select scope_all()));

-- Every scope may read this table: it has kinds of events and no data of any account.
alter table webhook_kinds enable row level security;
alter table webhook_kinds force row level security;
drop policy if exists webhook_kinds_read on webhook_kinds;
create policy webhook_kinds_read on webhook_kinds for select using (true);
drop policy if exists webhook_kinds_scope on webhook_kinds;
create policy webhook_kinds_scope on webhook_kinds using ((select scope_all()));

-- Writes an event if some live webhook asks for its kind.
create or replace function webhook_event(of_kind text, of_station bigint, of_subject bigint, of_data jsonb, happened timestamptz) returns void language plpgsql as $$
begin
  if exists (select from webhook_kinds k where k.kind = of_kind) then
    insert into webhook_events (kind, station_id, subject_id, data, at) values (of_kind, of_station, of_subject, of_data, happened);
  end if;
end $$;

-- Writes one event for each change of state. The lock of the parcel's row keeps their numbers in
-- order.
create or replace function webhook_event_of_state() returns trigger language plpgsql as $$
begin
  perform webhook_event(case new.state_code when 10 then 'parcel.on_hold' when 90 then 'parcel.refused' when 100 then 'parcel.ordered' when 300 then 'parcel.signed'
      when 400 then 'parcel.exception' when 410 then 'parcel.returning' when 420 then 'parcel.returned' when 500 then 'parcel.cancelled' else 'parcel.moved' end,
    new.station_id, new.id,
    jsonb_build_object('state_code', new.state_code, 'from_code', case when tg_op = 'UPDATE' then old.state_code end), clock_timestamp());
  return null;
end $$;
create or replace trigger webhook_insert after insert on expresses for each row when (new.state_code in (10, 90, 100)) execute function webhook_event_of_state();
create or replace trigger webhook_state after update of state_code on expresses for each row when (old.state_code <> new.state_code and new.state_code not in (0, 20))
  execute function webhook_event_of_state();

create or replace function webhook_event_of_exception() returns trigger language plpgsql as $$
begin
  perform webhook_event('parcel.exception', new.station_id, new.id, jsonb_build_object('exception', new.exception), clock_timestamp());
  return null;
end $$;
-- Refused, stopped and returning parcels change their state, and webhook_state above writes their
-- event.
create or replace trigger webhook_exception after update of exception, exception_at, handled_at on expresses for each row
  when (new.exception in ('unreachable', 'unmoved', 'charge') and new.handled_at is null
    and (old.exception is distinct from new.exception or old.exception_at <> new.exception_at or old.handled_at is not null)) execute function webhook_event_of_exception();

create or replace function webhook_event_of_weight() returns trigger language plpgsql as $$
begin
  perform webhook_event(case when (old.jd_weight, old.re_weight) is distinct from (new.jd_weight, new.re_weight) then 'parcel.reweighed' else 'parcel.repriced' end,
    new.station_id, new.id, jsonb_build_object('post_amount', new.post_amount, 'from_amount', old.post_amount), clock_timestamp());
  return null;
end $$;
-- A weighing that also changes the price counts as a weighing.
create or replace trigger webhook_weight after update of fact_no, jd_weight, re_weight on expresses for each row
  when (new.state_code >= 100 and ((old.jd_weight, old.re_weight) is distinct from (new.jd_weight, new.re_weight)
    or old.fact_no <> new.fact_no and old.post_amount <> new.post_amount)) execute function webhook_event_of_weight();

create or replace function webhook_event_of_print() returns trigger language plpgsql as $$
begin
  perform webhook_event('parcel.printed', new.station_id, new.express_id, jsonb_build_object('print_count', new.print_count), clock_timestamp());
  return null;
end $$;
create or replace trigger webhook_insert after insert on prints for each row execute function webhook_event_of_print();

create or replace function webhook_event_of_statement() returns trigger language plpgsql as $$
begin
  perform webhook_event('statement.posted', new.station_id, new.id, '{}', clock_timestamp());
  return null;
end $$;
create or replace trigger webhook_insert after insert on statements for each row when (new.status = 'posted') execute function webhook_event_of_statement();
create or replace trigger webhook_update after update of status on statements for each row when (old.status = 'pending' and new.status = 'posted')
  execute function webhook_event_of_statement();

-- Writes one event for each notice of the kinds below.
create or replace function webhook_event_of_notice() returns trigger language plpgsql as $$
begin
  perform webhook_event(case new.kind when 'low_balance' then 'balance.low' when 'decided' then 'request.decided' else 'month.closed' end,
    new.station_id, coalesce(new.subject_id, new.station_id), case new.kind when 'decided' then '{}' else new.data end, clock_timestamp());
  return null;
end $$;
create or replace trigger webhook_insert after insert on inbox_notices for each row when (new.kind in ('low_balance', 'decided', 'month_closed') and new.station_id is not null)
  execute function webhook_event_of_notice();

create or replace function webhook_event_of_import() returns trigger language plpgsql as $$
begin
  perform webhook_event('import.finished', new.station_id, new.id, jsonb_build_object('status', new.status), clock_timestamp());
  return null;
end $$;
create or replace trigger webhook_update after update of status on imports for each row when (old.status <> new.status and new.status in ('done', 'failed'))
  execute function webhook_event_of_import();

-- Stores the kinds that live webhooks ask for. The lock makes concurrent changes wait, so that no
-- kind is lost.
create or replace function note_webhook_kinds() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('webhook kinds', 152));
  delete from webhook_kinds k where not exists (select from webhooks w where w.status = 'live' and k.kind = any(w.kinds));
  insert into webhook_kinds (kind) select distinct unnest(w.kinds) from webhooks w where w.status = 'live' on conflict do nothing;
  return null;
end $$;
create or replace trigger webhook_kinds_insert after insert on webhooks for each statement execute function note_webhook_kinds();
create or replace trigger webhook_kinds_update after update of kinds, status on webhooks for each statement execute function note_webhook_kinds();

-- The station of an event and every station above it.
create or replace function stations_from(lowest bigint) returns bigint[] language sql stable as $$
  with recursive above as (select s.id, s.parent_id from stations s where s.id = lowest
    union all select s.id, s.parent_id from stations s join above b on s.id = b.parent_id)
  select coalesce(array_agg(id), '{}') from above
$$;

-- Whether an account of this role and station (`place`) sees the station of an event, within the
-- stations that its webhook watches. `above` is stations_from of the event's station.
create or replace function webhook_sees(of_role text, place bigint, watched bigint, below smallint, station bigint, above bigint[]) returns boolean language sql immutable as $$
  select case of_role when 'admin' then true when 'partner' then place = any(above) when 'station' then place = station else false end
    and (watched is null or watched = station or below = 1 and watched = any(above))
$$;

revoke all on webhooks, webhook_kinds, webhook_events, webhook_deliveries from {{app_role}};
grant select, insert, update, delete on webhooks, webhook_kinds, webhook_deliveries to {{app_role}};
grant select, insert, delete on webhook_events to {{app_role}};
