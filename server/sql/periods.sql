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

revoke all on periods, period_bill_reasons from {{app_role}};
grant select, insert, update on periods, period_bill_reasons to {{app_role}};
revoke all on period_balances from {{app_role}};
grant select, insert, delete on period_balances to {{app_role}};

-- The month a movement of this moment falls into: its own in Asia/Shanghai, or the next after it that is not closed. Under the lock that ledger_lock takes.
create or replace function ledger_period_of(moment timestamptz) returns text language plpgsql volatile as $$
declare
  month text := to_char(moment at time zone 'Asia/Shanghai', 'YYYY-MM');
begin
  while exists (select 1 from periods p where p.period = month and p.status = 'closed') loop
    month := to_char((month || '-01')::date + interval '1 month', 'YYYY-MM');
  end loop;
  return month;
end $$;

-- Waits for the postings under way and keeps others out until the transaction ends; answers the newest transfer.
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

-- I9: what a closed month holds is what it held when it was closed. Not whole: whether anything came into the last two of them.
create or replace function period_proof(whole boolean) returns table (invariant text, subject text, detail text) language plpgsql stable as $$
begin
  return query select distinct 'I9', 'transfer ' || e.transfer_id, format('was posted in %s after it was closed', e.period)
    from (select c.* from periods c where c.status = 'closed' order by c.period desc limit case when whole then null else 2 end) p
      join ledger_entries e on e.period = p.period and e.transfer_id > p.last_transfer_id;
  if not whole then return; end if;
  return query select 'I9', 'period ' || p.period, format('was closed with %s entries, now has %s', p.entries, e.n)
    from periods p cross join lateral (select count(*) as n from ledger_entries e where e.period = p.period) e where p.status = 'closed' and e.n <> p.entries;
  return query select 'I9', 'period ' || p.period, format('station %s was closed with %s, %s frozen; its lines come to %s, %s', b.station_id, b.closing, b.frozen, s.closing, s.frozen)
    from (select * from periods c where c.status = 'closed' order by c.period desc limit 1) p join period_balances b on b.period = p.period
      cross join lateral (select coalesce(sum(s.amount), 0)::bigint as closing, coalesce(sum(s.freeze_amount), 0)::bigint as frozen from statements s
        where s.station_id = b.station_id and s.transfer_id is not null and s.period <= p.period) s
    where (b.closing, b.frozen) is distinct from (s.closing, s.frozen);
end $$;

revoke execute on function ledger_close_lock() from public;
grant execute on function ledger_close_lock() to {{app_role}};
