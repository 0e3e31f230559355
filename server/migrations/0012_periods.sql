-- Precondition: 0011.
-- Months of the books (docs/ledger.md, "Month end"): what is posted falls into the month of its moment, or into the next one that is open.

create table periods (
  -- YYYY-MM, Asia/Shanghai.
  period text primary key check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  status text not null check (status in ('open', 'closed')),
  -- Of the closing: entries and their sum per account, and the last transfer there was.
  entries bigint not null default 0,
  trial_balance jsonb not null default '[]',
  last_transfer_id bigint not null default 0,
  closed_at timestamptz, closed_by bigint references accounts (id),
  reopened_at timestamptz, reopened_by bigint references accounts (id), reopen_reason text not null default '',
  check (status = 'open' or (closed_at is not null and closed_by is not null))
);

-- What each station had, took in and paid out in a closed month. opening + in_amount - out_amount = closing; frozen at its end.
create table period_balances (
  period text not null references periods (period),
  station_id bigint not null references stations (id),
  opening bigint not null,
  in_amount bigint not null,
  out_amount bigint not null,
  closing bigint not null,
  frozen bigint not null,
  primary key (period, station_id),
  check (opening + in_amount - out_amount = closing)
);

do $$
declare t text;
begin
  foreach t in array array['periods', 'period_balances'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I using ((select scope_all())) with check ((select scope_all()))', t || '_scope', t);
  end loop;
end $$;
grant select, insert, update on periods to {{app_role}};
grant select, insert, delete on period_balances to {{app_role}};

-- Entries are added month after month: a few pages of summary find those of one.
create index ledger_entries_period on ledger_entries using brin (period) with (pages_per_range = 32, autosummarize = on);

-- The month a movement of this moment falls into: its own in Asia/Shanghai, or the next after it that is not closed. Under the lock that ledger_lock takes.
create function ledger_period_of(moment timestamptz) returns text language plpgsql volatile as $$
declare
  month text := to_char(moment at time zone 'Asia/Shanghai', 'YYYY-MM');
begin
  while exists (select 1 from periods p where p.period = month and p.status = 'closed') loop
    month := to_char((month || '-01')::date + interval '1 month', 'YYYY-MM');
  end loop;
  return month;
end $$;

-- As before, and whoever posts shares a lock that the closing of a month takes alone: it waits for postings under way, and those after it see the month closed.
create or replace function ledger_lock(wanted bigint[]) returns bigint[] language plpgsql as $$
declare
  ids bigint[];
  blocked bigint;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('ledger_period', 0));
  select array_agg(id) into ids from (select id from stations where id = any (wanted) order by id for no key update) locked;
  select coalesce(b.station_id, 0) into blocked from ledger_blocks b
    where b.cleared_at is null and (b.station_id is null or b.station_id = any (ids)) order by b.station_id nulls first limit 1;
  if blocked = 0 then perform ledger_fail('ledger_stopped'); end if;
  if blocked > 0 then perform ledger_fail('station_blocked', jsonb_build_object('station_id', blocked)); end if;
  return coalesce(ids, '{}');
end $$;

-- As before, but for the period.
create or replace function ledger_seal(draft ledger_draft, funds ledger_funds[]) returns ledger_sealed_transfer language plpgsql as $$
declare
  t ledger_transfers := draft.transfer;
  lines statements[] := draft.lines;
  entries ledger_entries[] := '{}';
  links ledger_chain[] := '{}';
  link ledger_chain;
  line statements;
  here ledger_funds;
begin
  t.id := nextval('ledger_transfers_id_seq');
  t.period := ledger_period_of(t.at);
  for i in 1 .. cardinality(lines) loop
    line := lines[i];
    here := funds[i];
    here.money := here.money + line.amount;
    here."freeze" := here."freeze" + line.freeze_amount;
    here.seq := here.seq + 1;
    line := ledger_sealed(line, t, here);
    entries := ledger_station_entries(t, line, entries);
    lines[i] := line;
    funds[i] := here;
  end loop;
  entries := ledger_platform_entries(t, draft.accounts, draft.amounts, entries);
  t.hash := ledger_transfer_hash(t, entries, lines);
  for i in 1 .. cardinality(funds) loop
    here := funds[i];
    here.chain_seq := here.chain_seq + 1;
    here.chain_hash := ledger_chain_hash(here.chain_hash, here.station_id, here.chain_seq, t.hash);
    funds[i] := here;
    link := row(here.station_id, here.chain_seq, t.id, here.chain_hash)::ledger_chain;
    links := links || link;
  end loop;
  return row(t, entries, lines, links, funds)::ledger_sealed_transfer;
end $$;

-- Waits for the postings under way and keeps others out until the transaction ends; answers the newest transfer.
create function ledger_close_lock() returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
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
create function period_proof(whole boolean) returns table (invariant text, subject text, detail text) language plpgsql stable as $$
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
