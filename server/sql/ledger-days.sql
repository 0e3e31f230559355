-- Money by business day, as signed steps.

-- A station sees the shares that it earns and the money that it spends. Only the office sees the
-- platform's own money.

alter table ledger_days enable row level security;
alter table ledger_days force row level security;
drop policy if exists ledger_days_scope on ledger_days;
create policy ledger_days_scope on ledger_days using ((select scope_all()) or ((select scope_account()) is null and case what
  when 'profit' then earner_id = any ((select scope_stations())::bigint[])
  when 'spent' then station_id = any ((select scope_stations())::bigint[]) else false end));

-- Sums of the whole network; only the office sees them.
alter table ledger_day_sums enable row level security;
alter table ledger_day_sums force row level security;
drop policy if exists ledger_day_sums_scope on ledger_day_sums;
create policy ledger_day_sums_scope on ledger_day_sums using ((select scope_all()));

revoke all on ledger_days, ledger_day_sums from {{app_role}};
grant select on ledger_days, ledger_day_sums to {{app_role}};

-- Rows that an entry adds. Reversed top-ups are not part of the amount that a station spends on
-- parcels.
create or replace function ledger_day_rows(e ledger_entries, t ledger_transfers) returns table (what text, earner_id bigint, n bigint, amount bigint) language sql immutable as $$
  select e.account::text, 0::bigint, 1::bigint, e.amount where e.account in ('revenue', 'carrier_cost') and e.amount <> 0
  union all select 'profit', e.station_id, 1, e.amount where e.account = 'wallet' and e.station_id <> t.station_id and e.amount <> 0
  union all select 'spent', 0, 1, -e.amount where e.account in ('wallet', 'holds') and e.station_id = t.station_id and e.amount <> 0
    and (t.kind in ('charge', 'reweigh', 'surcharge', 'refund') or (t.kind = 'reversal' and t.express_id is not null))
  union all select case sign(e.amount) when -1 then 'reweigh_up' when 1 then 'reweigh_down' else 'reweigh_even' end, 0, 1, abs(e.amount)
    where t.kind = 'reweigh' and e.account = 'wallet' and e.station_id = t.station_id
$$;

create or replace function ledger_day_step() returns trigger language plpgsql as $$
begin
  -- Most postings are holds or releases, which stay within one station and add no row.
  if not exists (select from new_entries e join ledger_transfers t on t.id = e.transfer_id where t.kind not in ('hold', 'release')) then return null; end if;
  insert into ledger_days (day, station_id, earner_id, what, n, amount)
    select business_day(t.at), coalesce(t.station_id, 0), r.earner_id, r.what, sum(r.n), sum(r.amount)
    from new_entries e join ledger_transfers t on t.id = e.transfer_id, ledger_day_rows(e::ledger_entries, t) r group by 1, 2, 3, 4;
  return null;
end $$;

create or replace trigger ledger_days_step after insert on ledger_entries referencing new table as new_entries for each statement execute function ledger_day_step();

-- Adds the steps to the sums of their keys and to those of the network. Readers see either the steps or their sums.
create or replace function ledger_roll_days() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_days', 0));
  perform set_config('waystation.scope', 'all', true);
  with steps as (delete from ledger_days where fresh returning *),
    touched as (select distinct station_id, what, day, earner_id from steps),
    sums as (delete from ledger_days d using touched t where not d.fresh
      and (d.station_id, d.what, d.day, d.earner_id) = (t.station_id, t.what, t.day, t.earner_id) returning d.*),
    together as (insert into ledger_day_sums as s (what, day, n, amount)
      select what, day, sum(n), sum(amount) from steps where what <> 'profit' group by 1, 2 order by 1, 2
      on conflict (what, day) do update set n = s.n + excluded.n, amount = s.amount + excluded.amount)
  insert into ledger_days (day, station_id, earner_id, what, n, amount, fresh)
    select day, station_id, earner_id, what, sum(n), sum(amount), false from (select * from steps union all select * from sums) s group by 1, 2, 3, 4;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

revoke execute on function ledger_roll_days() from public;
grant execute on function ledger_roll_days() to {{app_role}};

-- Creates the first sums from steps that were added up before this table existed, in one
-- transaction with the roll-up above.
do $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  if not exists (select from ledger_day_sums) then
    insert into ledger_day_sums (what, day, n, amount)
      select what, day, sum(n), sum(amount) from ledger_days where not fresh and what <> 'profit' group by 1, 2;
    analyze ledger_day_sums;
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;
