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

-- As before, and of the closed months too.
create or replace function ledger_prove(whole boolean, moment timestamptz) returns jsonb language plpgsql security definer set search_path = public, pg_temp set jit = off as $$
declare
  scope text := current_setting('waystation.scope', true);
  others jsonb := '[]';
  result jsonb;
begin
  perform set_config('waystation.scope', 'all', true);
  -- One proof at a time, so that checkpoints only go forward.
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  if to_regprocedure('express_proof()') is not null then
    execute 'select coalesce(jsonb_agg(jsonb_build_object(''invariant'', invariant, ''subject'', subject, ''detail'', detail)), ''[]'') from (select * from express_proof() limit 500) p' into others;
  end if;
  others := others || (select coalesce(jsonb_agg(jsonb_build_object('invariant', p.invariant, 'subject', p.subject, 'detail', p.detail)), '[]')
    from (select * from period_proof(whole) limit 500) p);
  with found as materialized (
    select * from ledger_proof(whole)
  ), broken as (
    select invariant, subject, stations, detail from found where invariant is not null
  ), bad as materialized (
    select unnest(stations) as station_id, min(invariant || ' ' || subject || ': ' || detail) as reason from broken group by 1
    union all select 0, min(invariant || ' ' || subject || ': ' || detail) from broken where invariant = 'I1' and subject = 'ledger' having count(*) > 0
  ), kept as (
    insert into ledger_checkpoints
      select s.id, c.seq, c.hash, coalesce((select l.seq from statements l where l.station_id = s.id and l.seq is not null order by l.seq desc limit 1), 0), s.money, s."freeze", moment
      from (select id, money, "freeze" from stations union all select 0, 0, 0) s
        join lateral (select seq, hash from ledger_chain where station_id = s.id order by seq desc limit 1) c on true
      where s.id not in (select station_id from bad where station_id is not null) and 0 not in (select station_id from bad where station_id is not null)
    on conflict (station_id) do update set chain_seq = excluded.chain_seq, chain_hash = excluded.chain_hash, seq = excluded.seq,
      money = excluded.money, "freeze" = excluded."freeze", proved_at = excluded.proved_at
      where ledger_checkpoints.chain_seq < excluded.chain_seq or ledger_checkpoints.chain_hash <> excluded.chain_hash
  ), blocked as (
    insert into ledger_blocks (station_id, reason, blocked_at)
      select nullif(station_id, 0), left(reason, 500), moment from bad
      where station_id in (select id from stations) or (station_id = 0 and reason like 'I1 ledger:%')
    on conflict (coalesce(station_id, 0)) where cleared_at is null do nothing
    returning station_id
  ), proof as (
    insert into ledger_proofs (at, whole, checked_entries, breaks)
      select moment, whole::int, (select detail::bigint from found where invariant is null),
        others || coalesce((select jsonb_agg(jsonb_build_object('invariant', invariant, 'subject', subject, 'detail', detail)) from (select * from broken order by 1, 2 limit 500) b), '[]')
    returning checked_entries, breaks
  )
  select jsonb_build_object('ok', p.breaks = '[]', 'checked_entries', p.checked_entries, 'breaks', p.breaks,
    'blocked', (select coalesce(jsonb_agg(coalesce(b.station_id, 0)), '[]') from blocked b)) into strict result from proof p;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return result;
end $$;

revoke execute on function ledger_close_lock() from public;
grant execute on function ledger_close_lock() to {{app_role}};
