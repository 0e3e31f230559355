-- The books: entries of each month by account, as sums and the entries behind them; docs/decisions/0039.

-- Of the whole network: the office's.
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

-- Adds the entries behind the sums, of transfers up to `upto`, at most 200,000 of them; answers how many numbers of transfers it went on by. The caller knows that every
-- transfer up to `upto` is committed or will never be (settledUpTo in domain/ledger/closing.ts). Sums and mark change in one statement: a reader has each entry once.
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

-- I13, of all months, without reading entries: the sums of a month balance, and those of a closed one are what it was closed with.
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

-- The first month behind `low` that may have entries or sums; null: there is none. A row whose month is none is found by its hash, or by ledger_month_sums_proof.
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

-- I13, of one month: its sums are what its entries come to, up to the transfer that the sums reach.
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
