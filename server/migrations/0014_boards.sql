-- Precondition: 0011.
-- What the Workplace shows by day, kept as signed steps like express_counts: exact at any moment, short to read whatever the number of parcels.

-- n parcels of a day: `ordered` are those with a waybill by the day they were made, the others those that came into a state that day, each parcel once a day.
create table express_days (
  day date not null,
  station_id bigint not null,
  user_id bigint not null,
  what text not null check (what in ('ordered', 'draft', 'on_hold', 'failed', 'exception', 'awaiting_pickup', 'in_transit', 'signed_for')),
  n bigint not null,
  -- A step that has not been added up yet.
  fresh boolean not null default true
);
create index express_days_what on express_days (what, day, station_id, user_id) include (n);
create index express_days_fresh on express_days (day) where fresh;

alter table express_days enable row level security;
alter table express_days force row level security;
create policy express_days_scope on express_days using ((select scope_all()) or (station_id = any ((select scope_stations())::bigint[])
  and ((select scope_account()) is null or user_id = (select scope_account()))));
grant select, insert, delete on express_days to {{app_role}};

create function business_day(at timestamptz) returns date language sql immutable as $$ select (at at time zone 'Asia/Shanghai')::date $$;

-- What a move from one state to another counts as; expressArrivals in contract/src/express.ts says the same.
create function express_arrivals(from_code smallint, to_code smallint) returns setof text language sql immutable as $$
  select what from (values ('draft', '{0}'::smallint[]), ('on_hold', '{10}'), ('failed', '{90}'), ('exception', '{400}'), ('awaiting_pickup', '{100}'),
    ('in_transit', '{200,210,220,400,410}'), ('signed_for', '{300}')) arrivals (what, codes)
  where to_code = any (codes) and coalesce(from_code, -1) <> all (codes)
$$;

create function express_day_ordered() returns trigger language plpgsql as $$
begin
  insert into express_days (day, station_id, user_id, what, n)
    values (business_day(new.created_at), new.station_id, new.user_id, 'ordered', case when new.delivery_id is null then -1 else 1 end);
  return null;
end $$;
create trigger express_days_insert after insert on expresses for each row when (new.delivery_id is not null) execute function express_day_ordered();
create trigger express_days_update after update on expresses for each row when ((old.delivery_id is null) <> (new.delivery_id is null))
  execute function express_day_ordered();

-- Moves of a parcel happen one after another, under its lock.
create function express_day_moved() returns trigger language plpgsql as $$
begin
  insert into express_days (day, station_id, user_id, what, n)
    select business_day(n.at), e.station_id, e.user_id, a.what, count(*)
    from new_moves n join expresses e on e.id = n.express_id, express_arrivals(n.from_code, n.to_code) a (what)
    where not exists (select 1 from express_moves m, express_arrivals(m.from_code, m.to_code) b (what)
      where m.express_id = n.express_id and m.id < n.id and b.what = a.what and business_day(m.at) = business_day(n.at))
    group by 1, 2, 3, 4;
  return null;
end $$;
create trigger express_days_moved after insert on express_moves referencing new table as new_moves for each statement execute function express_day_moved();

-- The lists these numbers open.
create index express_moves_arrivals on express_moves (to_code, at);
create index expresses_to_print on expresses (station_id, user_id) where state_code = 100 and print_count = 0;
create index expresses_unmoved on expresses (station_id, (coalesce(last_event_at, ordered_at, created_at))) where state_code in (100, 200, 210, 220, 400, 410);

-- Money by business day, from the entries. By whose parcel or wallet it was (0: nobody's), and for shares by who earned them (else 0). Fen:
--   revenue, carrier_cost   sums of the entries on these accounts, with the ledger's sign: revenue rises above zero, cost falls below it
--   profit                  what `earner_id` earned by parcels of `station_id`; n are its billing lines
--   spent                   what the parcels of the station cost it: charges and differences, less refunds and reversals
--   reweigh_up, _down, _even  differences of re-weighs by what the station pays more, less, or neither; n are its billing lines
create table ledger_days (
  day date not null,
  station_id bigint not null,
  earner_id bigint not null,
  what text not null check (what in ('revenue', 'carrier_cost', 'profit', 'spent', 'reweigh_up', 'reweigh_down', 'reweigh_even')),
  n bigint not null,
  amount bigint not null,
  fresh boolean not null default true
);
create index ledger_days_what on ledger_days (what, day, station_id) include (earner_id, n, amount);
create index ledger_days_station on ledger_days (station_id, what, day) include (amount);
create index ledger_days_fresh on ledger_days (day) where fresh;

alter table ledger_days enable row level security;
alter table ledger_days force row level security;
-- The platform's own money is nobody's within a scope: a share is seen by who earns it, what a station spends by the station.
create policy ledger_days_scope on ledger_days using ((select scope_all()) or ((select scope_account()) is null and case what
  when 'profit' then earner_id = any ((select scope_stations())::bigint[])
  when 'spent' then station_id = any ((select scope_stations())::bigint[]) else false end));
grant select on ledger_days to {{app_role}};

create function ledger_day_rows(e ledger_entries, t ledger_transfers) returns table (what text, earner_id bigint, n bigint, amount bigint) language sql immutable as $$
  select e.account::text, 0::bigint, 1::bigint, e.amount where e.account in ('revenue', 'carrier_cost') and e.amount <> 0
  union all select 'profit', e.station_id, 1, e.amount where e.account = 'wallet' and e.station_id <> t.station_id and e.amount <> 0
  union all select 'spent', 0, 1, -e.amount where e.account in ('wallet', 'holds') and e.station_id = t.station_id and e.amount <> 0
    and t.kind in ('charge', 'reweigh', 'surcharge', 'refund', 'reversal')
  union all select case sign(e.amount) when -1 then 'reweigh_up' when 1 then 'reweigh_down' else 'reweigh_even' end, 0, 1, abs(e.amount)
    where t.kind = 'reweigh' and e.account = 'wallet' and e.station_id = t.station_id
$$;

create function ledger_day_step() returns trigger language plpgsql as $$
begin
  insert into ledger_days (day, station_id, earner_id, what, n, amount)
    select business_day(t.at), coalesce(t.station_id, 0), r.earner_id, r.what, sum(r.n), sum(r.amount)
    from new_entries e join ledger_transfers t on t.id = e.transfer_id, ledger_day_rows(e::ledger_entries, t) r group by 1, 2, 3, 4;
  return null;
end $$;
create trigger ledger_days_step after insert on ledger_entries referencing new table as new_entries for each statement execute function ledger_day_step();

-- Adds the steps up with what stands already. Readers see either the steps or their sum.
create function ledger_roll_days() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_days', 0));
  perform set_config('waystation.scope', 'all', true);
  with steps as (delete from ledger_days where fresh returning *),
    touched as (select distinct station_id, what, day, earner_id from steps),
    sums as (delete from ledger_days d using touched t where not d.fresh
      and (d.station_id, d.what, d.day, d.earner_id) = (t.station_id, t.what, t.day, t.earner_id) returning d.*)
  insert into ledger_days (day, station_id, earner_id, what, n, amount, fresh)
    select day, station_id, earner_id, what, sum(n), sum(amount), false from (select * from steps union all select * from sums) s group by 1, 2, 3, 4;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;
revoke execute on function ledger_roll_days() from public;
grant execute on function ledger_roll_days() to {{app_role}};

-- What there is already.
do $$
begin
  perform set_config('waystation.scope', 'all', true);
  insert into express_days (day, station_id, user_id, what, n, fresh)
    select business_day(created_at), station_id, user_id, 'ordered', count(*), false from expresses where delivery_id is not null group by 1, 2, 3
    union all select business_day(m.at), e.station_id, e.user_id, a.what, count(distinct e.id), false
      from express_moves m join expresses e on e.id = m.express_id, express_arrivals(m.from_code, m.to_code) a (what) group by 1, 2, 3, 4;
  insert into ledger_days (day, station_id, earner_id, what, n, amount, fresh)
    select business_day(t.at), coalesce(t.station_id, 0), r.earner_id, r.what, sum(r.n), sum(r.amount), false
    from ledger_entries e join ledger_transfers t on t.id = e.transfer_id, ledger_day_rows(e, t) r group by 1, 2, 3, 4;
  perform set_config('waystation.scope', '', true);
end $$;
