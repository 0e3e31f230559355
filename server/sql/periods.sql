-- Months (docs/ledger.md, "Month end"): the period of a movement, the lock of a closing, and the proof of closed months (I9).

alter table periods enable row level security;
alter table periods force row level security;
drop policy if exists periods_scope on periods;
create policy periods_scope on periods using ((select scope_all()))
  with check ((select scope_all()));

alter table period_balances enable row level security;
alter table period_balances force row level security;
drop policy if exists period_balances_scope on period_balances;
create policy period_balances_scope on period_balances using ((select scope_all()))
  with check ((select scope_all()));

alter table period_bill_reasons enable row level security;
alter table period_bill_reasons force row level security;
drop policy if exists period_bill_reasons_scope on period_bill_reasons;
create policy period_bill_reasons_scope on period_bill_reasons using ((select scope_all())) with check ((select scope_all()));

alter table period_reminders enable row level security;
alter table period_reminders force row level security;
drop policy if exists period_reminders_scope on period_reminders;
create policy period_reminders_scope on period_reminders using ((select scope_all())) with check ((select scope_all()));
revoke all on period_reminders from {{app_role}};
grant select, insert on period_reminders to {{app_role}};

revoke all on periods, period_bill_reasons from {{app_role}};
grant select, insert, update on periods, period_bill_reasons to {{app_role}};
revoke all on period_balances from {{app_role}};
grant select, insert, delete on period_balances to {{app_role}};

-- The month of a movement at this time: its month in Asia/Shanghai, or the next month that is not
-- closed. The caller holds the lock of ledger_lock.
create or replace function ledger_period_of(moment timestamptz) returns text language plpgsql volatile as $$
declare
  month text := to_char(moment at time zone 'Asia/Shanghai', 'YYYY-MM');
begin
  while exists (select 1 from periods p where p.period = month and p.status = 'closed') loop
    month := to_char((month || '-01')::date + interval '1 month', 'YYYY-MM');
  end loop;
  return month;
end $$;

-- A month's entries by account, of transfers above `low` and up to `high`. Planned for these
-- values: a generic plan would read the whole month to find its end.
create or replace function ledger_month_accounts(month text, low bigint, high bigint) returns table (account text, amount bigint, n bigint)
  language plpgsql stable set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  return query select e.account::text, sum(e.amount)::bigint, count(*) from ledger_entries e
    where e.period = month and e.transfer_id > low and e.transfer_id <= high group by 1;
end $$;

-- A month's statements by station, of the same transfers and planned in the same way. `opening` is
-- the sum of the months after `before`, the last closed month.
create or replace function ledger_month_stations(before text, month text, low bigint, high bigint)
  returns table (station_id bigint, opening bigint, in_amount bigint, out_amount bigint, frozen bigint)
  language plpgsql stable set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  return query select s.station_id, coalesce(sum(s.amount) filter (where s.period < month), 0)::bigint,
      coalesce(sum(s.amount) filter (where s.period = month and s.amount > 0), 0)::bigint,
      coalesce(-sum(s.amount) filter (where s.period = month and s.amount < 0), 0)::bigint, sum(s.freeze_amount)::bigint
    from statements s where s.period > before and s.period <= month and s.transfer_id > low and s.transfer_id <= high group by 1;
end $$;

-- Running postings, as virtual transactions that hold the lock of ledger_lock.
create or replace function ledger_postings_now() returns text[] language sql volatile as $$
  select coalesce(array_agg(distinct l.virtualtransaction), '{}') from pg_locks l, hashtextextended('ledger_period', 0) key
  where l.locktype = 'advisory' and l.database = (select d.oid from pg_database d where d.datname = current_database()) and l.objsubid = 1
    and l.classid::bigint = (key >> 32) & 4294967295 and l.objid::bigint = key & 4294967295 and l.mode = 'ShareLock' and l.granted
$$;

-- Waits for running postings and blocks others until the transaction ends; returns the newest
-- transfer.
create or replace function ledger_close_lock() returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  last_id bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_period', 0));
  perform set_config('waystation.scope', 'all', true);
  select coalesce(max(id), 0) into last_id from ledger_transfers;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return last_id;
end $$;

-- I9: no transfer was posted into the last two closed months after their closing.
create or replace function period_recent_proof() returns table (invariant text, subject text, stations bigint[], detail text)
  language sql stable set search_path = public, pg_temp as $$
  select distinct 'I9', 'transfer ' || e.transfer_id, null::bigint[], format('was posted in %s after it was closed', e.period)
    from (select c.* from periods c where c.status = 'closed' order by c.period desc limit 2) p
      join ledger_entries e on e.period = p.period and e.transfer_id > p.last_transfer_id
$$;

-- I9 and I12 of a closed month: it has the entries that it had at its closing, and they add up to
-- its trial balance. For the last closed month it also checks the closing balance of every station.
create or replace function period_month_proof(month text) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  closed periods;
begin
  select * into closed from periods p where p.period = month and p.status = 'closed';
  if closed.period is null then return; end if;
  return query
  with sums as materialized (
    select e.account::text as account, sum(e.amount)::bigint as amount, count(*) as n, min(e.transfer_id) filter (where e.transfer_id > closed.last_transfer_id) as late
    from ledger_entries e where e.period = month group by 1
  )
  select 'I9', 'transfer ' || late, null::bigint[], format('was posted in %s after it was closed', month) from (select min(late) as late from sums) l where late is not null
  union all select 'I9', 'period ' || month, null, format('was closed with %s entries, now has %s', closed.entries, n)
    from (select coalesce(sum(n), 0) as n from sums) s where n <> closed.entries
  union all select 'I12', 'period ' || month, null, format('was closed with %s, its entries come to %s', closed.trial_balance, now_is)
    from (select coalesce(jsonb_object_agg(account, amount), '{}') as now_is from sums) s
    where now_is is distinct from (select coalesce(jsonb_object_agg(coalesce(x ->> 'account', '?'), x -> 'amount'), '{}')
      from jsonb_array_elements(case when jsonb_typeof(closed.trial_balance) = 'array' then closed.trial_balance else '[]' end) x);
  if exists (select 1 from periods p where p.status = 'closed' and p.period > month) then return; end if;
  return query
  select 'I9', 'period ' || month, null::bigint[], format('station %s was closed with %s, %s frozen; its lines come to %s, %s', b.station_id, b.closing, b.frozen, s.closing, s.frozen)
    from period_balances b cross join lateral (select coalesce(sum(s.amount), 0)::bigint as closing, coalesce(sum(s.freeze_amount), 0)::bigint as frozen from statements s
      where s.station_id = b.station_id and s.transfer_id is not null and s.period <= month) s
    where b.period = month and (b.closing, b.frozen) is distinct from (s.closing, s.frozen);
end $$;

revoke execute on function ledger_close_lock() from public;
grant execute on function ledger_close_lock() to {{app_role}};
