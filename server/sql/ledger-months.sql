-- Entries of each month by account: the sums, and the entries not added up yet
-- (docs/decisions/0039).

-- Sums of the whole network; only the office sees them.
alter table ledger_month_sums enable row level security;
alter table ledger_month_sums force row level security;
drop policy if exists ledger_month_sums_scope on ledger_month_sums;
create policy ledger_month_sums_scope on ledger_month_sums using ((select scope_all()));

alter table ledger_months_rolled enable row level security;
alter table ledger_months_rolled force row level security;
drop policy if exists ledger_months_rolled_scope on ledger_months_rolled;
create policy ledger_months_rolled_scope on ledger_months_rolled using ((select scope_all()));

revoke all on ledger_month_sums, ledger_months_rolled from {{app_role}};
grant select on ledger_month_sums, ledger_months_rolled to {{app_role}};

-- Adds the entries of the next transfers up to `upto` to the sums, at most 200,000 transfer numbers
-- at a time, and returns how many numbers it advanced. The caller knows that no transfer up to
-- `upto` can still be committed (settledUpTo in domain/ledger/closing.ts). Sums and mark change in
-- one statement, so a reader counts each entry once.
create or replace function ledger_months_roll_up(upto bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  low bigint;
  high bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_months', 0));
  perform set_config('waystation.scope', 'all', true);
  low := coalesce((select r.transfer_id from ledger_months_rolled r), 0);
  high := greatest(low, least(upto, low + 200000));
  if high > low then
    with moved as (
      insert into ledger_months_rolled as r (transfer_id) values (high) on conflict (id) do update set transfer_id = excluded.transfer_id
    )
    insert into ledger_month_sums as m (period, account, n, amount)
      select e.period, e.account, count(*), sum(e.amount) from ledger_entries e where e.transfer_id > low and e.transfer_id <= high group by 1, 2 order by 1, 2
    on conflict (period, account) do update set n = m.n + excluded.n, amount = m.amount + excluded.amount;
  end if;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return high - low;
end $$;

-- I13, of all months, without reading entries: the sums of a month balance, and those of a closed
-- month equal its closing.
create or replace function ledger_month_sums_proof() returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with months as materialized (
    select period, sum(n) as n, sum(amount) as amount, jsonb_object_agg(account, amount) as balance from ledger_month_sums group by 1
  )
  select 'I13', 'sums of ' || period, null::bigint[], format('come to %s over all accounts', amount) from months where amount <> 0 or period !~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'
  union all select 'I13', 'sums of ' || p.period, null, format('%s entries, %s; the month was closed with %s entries, %s', coalesce(m.n, 0), m.balance, p.entries, p.trial_balance)
    from periods p left join months m on m.period = p.period
    where p.status = 'closed' and p.last_transfer_id <= (select r.transfer_id from ledger_months_rolled r)
      and (coalesce(m.n, 0), coalesce(m.balance, '{}')) is distinct from (p.entries, (select coalesce(jsonb_object_agg(coalesce(x ->> 'account', '?'), x -> 'amount'), '{}')
        from jsonb_array_elements(case when jsonb_typeof(p.trial_balance) = 'array' then p.trial_balance else '[]' end) x));
end $$;

-- The first month after `low` that may have entries or sums; null if there is none. A row with an
-- invalid month is found by its hash or by ledger_month_sums_proof.
create or replace function ledger_book_after(low text) returns text language sql stable set search_path = public, pg_temp as $$
  with known as (
    select period from ledger_month_sums union select period from periods union select to_char(now() at time zone 'Asia/Shanghai', 'YYYY-MM')
    union (select t.period from ledger_transfers t order by t.id limit 1)
  ), bounds as materialized (
    select min(period) as first, max(period) as last from known where period ~ '^20[0-9]{2}-(0[1-9]|1[0-2])$'
  )
  select min(to_char(m, 'YYYY-MM')) from bounds b
    cross join lateral generate_series((b.first || '-01')::timestamp, (b.last || '-01')::timestamp + interval '1 month', interval '1 month') m
    where low is null or to_char(m, 'YYYY-MM') > low
$$;

-- I13, of one month: its sums equal its entries, up to the last transfer in the sums.
create or replace function ledger_month_entries_proof(month text) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  rolled bigint := coalesce((select r.transfer_id from ledger_months_rolled r), 0);
begin
  return query
  select 'I13', format('%s in %s', account, month), null::bigint[],
      format('sums of %s entries, %s; entries come to %s, %s', coalesce(m.n, 0), coalesce(m.amount, 0), coalesce(e.n, 0), coalesce(e.amount, 0))
    from (select s.account, s.n, s.amount from ledger_month_sums s where s.period = month) m
      full join (select l.account, count(*) as n, sum(l.amount)::bigint as amount from ledger_entries l where l.period = month and l.transfer_id <= rolled group by 1) e using (account)
    where (m.n, m.amount) is distinct from (e.n, e.amount);
end $$;

revoke execute on function ledger_months_roll_up(bigint) from public;
grant execute on function ledger_months_roll_up(bigint) to {{app_role}};
