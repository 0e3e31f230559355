-- ledger_post takes movements as JSON, locks their stations in id order and posts them one after
-- another in the caller's transaction. It runs as the owner with a widened scope, because a clerk's
-- order also moves money of the parent stations. No other code may write these tables.

-- Makes the draft of a movement. The caller has locked the stations and stored earlier movements of
-- the same parcel.
create or replace function ledger_draft_of(t ledger_transfers, m jsonb, held ledger_holds, station_balance ledger_station_balance) returns ledger_draft language plpgsql as $$
begin
  -- Uses branches, because PostgreSQL would prepare every part of a single expression in each
  -- transaction.
  case m ->> 'movement'
    when 'hold' then return ledger_hold(t, m, station_balance);
    when 'change_hold' then return ledger_change_hold(t, m, held, station_balance);
    when 'release' then return ledger_release(t, m, held);
    when 'charge' then return ledger_charge(t, m, held);
    when 'difference' then return ledger_difference(t, m);
    when 'carrier_fee' then return ledger_carrier_fee(t, m);
    when 'top_up' then return ledger_top_up(t, m);
    when 'refund' then return ledger_refund(t, m);
    when 'payout' then return ledger_payout(t, m, held);
    when 'adjustment' then return ledger_adjustment(t, m);
    when 'request' then return ledger_request(t, m, station_balance);
    when 'approve' then return ledger_approve(t, m, station_balance);
    when 'decline' then return ledger_decline(t, m);
    when 'reversal' then return case when m ? 'statement_id' then ledger_top_up_reversal(t, m, station_balance) else ledger_reversal(t, m) end;
    when 'carrier_paid' then return ledger_carrier_paid(t, m);
  end case;
end $$;

create or replace function ledger_transfer_of(m jsonb) returns ledger_transfers language plpgsql as $$
declare
  t ledger_transfers;
begin
  t.kind := case m ->> 'movement' when 'change_hold' then 'hold' when 'difference' then m ->> 'type' when 'request' then m ->> 'type'
    when 'approve' then null when 'decline' then null else m ->> 'movement' end;
  t.cause := m ->> 'cause';
  if coalesce(t.cause, '') = '' then raise exception 'a movement without a cause: %', m; end if;
  t.content := sha256(convert_to((m - 'at' - 'by')::text, 'UTF8'));
  t.station_id := (m ->> 'station_id')::bigint;
  t.express_id := (m ->> 'express_id')::bigint;
  t.attempt := (m ->> 'attempt')::integer;
  t.account_id := (m ->> 'by')::bigint;
  t.at := (m ->> 'at')::timestamptz;
  return t;
end $$;

create or replace function ledger_result(transfer bigint, statement bigint) returns jsonb language sql stable as
  $$ select jsonb_build_object('ok', true, 'transfer_id', transfer, 'statement_id', statement) $$;

-- Key of the earlier movements that this movement reads; they must be stored before it.
create or replace function ledger_reads(m jsonb) returns text language sql immutable as $$
  select case when m ->> 'movement' in ('difference', 'refund', 'payout', 'reversal') then 'parcel ' || coalesce(m ->> 'express_id', '')
    when m ->> 'movement' = 'carrier_fee' then 'fee ' || (m ->> 'express_id') end
$$;

create or replace function ledger_writes(m jsonb) returns text language sql immutable as
  $$ select case m ->> 'movement' when 'carrier_fee' then 'fee ' else 'parcel ' end || coalesce(m ->> 'express_id', '') $$;

-- The result of the first movement with this cause; null if there was none.
create or replace function ledger_first(t ledger_transfers, movement text) returns jsonb language plpgsql as $$
declare
  first record;
begin
  select f.content, f.id as transfer, f.station_id, null::bigint as statement into first from ledger_transfers f where f.cause = t.cause;
  if not found then
    if movement in ('hold', 'release', 'charge', 'top_up') then return null; end if;
    select q.content, null::bigint as transfer, null::bigint as station_id, q.statement_id as statement into first from ledger_no_op_causes q where q.cause = t.cause;
    if not found then return null; end if;
  end if;
  if first.content <> t.content then raise exception 'the cause % was used with other content', t.cause using errcode = 'WS002'; end if;
  return ledger_result(first.transfer, coalesce(first.statement, (select s.id from statements s where s.transfer_id = first.transfer and s.station_id = first.station_id)));
end $$;

-- The entries of one statement: its changes of the station's wallet and holds, with the balances
-- after them.
create or replace function ledger_station_entries(t ledger_transfers, line statements, entries ledger_entries[]) returns ledger_entries[] language plpgsql as $$
declare
  entry ledger_entries;
  frozen bigint := line.balance - line.available - line.fixed_freeze;
begin
  entry.transfer_id := t.id;
  entry.station_id := line.station_id;
  entry.seq := line.seq;
  entry.period := t.period;
  if line.amount <> line.freeze_amount or line.freeze_amount = 0 then
    entry.no := cardinality(entries) + 1;
    entry.account := 'wallet';
    entry.amount := line.amount - line.freeze_amount;
    entry.balance := line.balance - frozen;
    entries := entries || entry;
  end if;
  if line.freeze_amount <> 0 or t.kind in ('hold', 'release') then
    entry.no := cardinality(entries) + 1;
    entry.account := 'holds';
    entry.amount := line.freeze_amount;
    entry.balance := frozen;
    entries := entries || entry;
  end if;
  return entries;
end $$;

create or replace function ledger_platform_entries(t ledger_transfers, accounts ledger_account[], amounts bigint[], entries ledger_entries[]) returns ledger_entries[] language plpgsql as $$
declare
  entry ledger_entries;
begin
  entry.transfer_id := t.id;
  entry.period := t.period;
  for i in 1 .. cardinality(accounts) loop
    -- A parcel that costs nothing has entries with amount zero, so that it counts as charged too.
    if amounts[i] <> 0 or cardinality(entries) < 2 then
      entry.no := cardinality(entries) + 1;
      entry.account := accounts[i];
      entry.amount := amounts[i];
      entries := entries || entry;
    end if;
  end loop;
  return entries;
end $$;

-- A statement that `t` posts on a station, complete but for its hash. `station_balance` is the
-- balance after it.
create or replace function ledger_finalized_statement(line statements, t ledger_transfers, station_balance ledger_station_balance) returns statements language plpgsql as $$
begin
  line.id := coalesce(line.id, nextval('statements_id_seq'));
  line.transfer_id := t.id;
  line.seq := station_balance.seq;
  line.balance := station_balance.money;
  line.available := ledger_available(station_balance);
  line.has_amount := station_balance.has_amount;
  line.fixed_freeze := station_balance.fixed_freeze;
  line.period := t.period;
  line.posted_at := t.at;
  line.updated_at := t.at;
  return line;
end $$;

-- Stores the posted rows. `decided` has the requests that were decided now.
create or replace function ledger_store(transfers ledger_transfers[], entries ledger_entries[], lines statements[], decided statements[], links ledger_chain[], station_balances ledger_station_balance[])
  returns void language plpgsql as $$
begin
  if cardinality(transfers) = 0 then return; end if;
  insert into ledger_transfers select * from unnest(transfers);
  insert into ledger_entries select * from unnest(entries);
  insert into statements select * from unnest(lines);
  if cardinality(decided) > 0 then
    update statements s set transfer_id = l.transfer_id, seq = l.seq, status = 'posted', available = l.available, balance = l.balance, period = l.period,
        has_amount = l.has_amount, fixed_freeze = l.fixed_freeze, posted_at = l.posted_at, updated_at = l.updated_at, decided_by = l.decided_by, hash = l.hash
      from unnest(decided) l where s.id = l.id;
  end if;
  insert into ledger_chain select * from unnest(links);
  update stations s set money = f.money, "freeze" = f."freeze" from unnest(station_balances) f
    where s.id = f.station_id and (s.money <> f.money or s."freeze" <> f."freeze");
end $$;

-- All stations that a list of movements may touch.
create or replace function ledger_stations_of(ms jsonb) returns bigint[] language plpgsql stable as $$
begin
  if jsonb_array_length(ms) = 1 and ms -> 0 ->> 'movement' in ('hold', 'top_up', 'adjustment', 'request') then return array[(ms -> 0 ->> 'station_id')::bigint]; end if;
  return (
    with m as (select x, x ->> 'movement' as movement, (x ->> 'express_id')::bigint as express from jsonb_array_elements(ms) x)
    select array_agg(distinct id) from (
      select (x ->> 'station_id')::bigint as id from m
      union all select s.station_id from m, jsonb_to_recordset(coalesce(x -> 'shares', x -> 'shares_after', '[]')) as s (station_id bigint)
      union all select h.station_id from m join ledger_holds h on h.express_id = express
      union all select s.station_id from m join statements s on s.express_id = express where movement in ('difference', 'reversal')
      union all select s.station_id from m join statements s on s.id = (x ->> 'statement_id')::bigint where movement in ('approve', 'decline')
      union all select s.station_id from m join statements r on r.id = (x ->> 'statement_id')::bigint join statements s on s.express_id = r.express_id
        where movement = 'approve' and r.type = 'reversal') touched
    where id is not null);
end $$;

-- Locks the stations and returns the existing ones in id order. FOR UPDATE would make inserts of
-- rows that refer to a station wait, and deadlock; FOR NO KEY UPDATE does not. The caller reads the
-- balances with a later statement, so that they are the newest. Postings take a shared lock and the
-- closing of a month an exclusive one. A closing waits for running postings, and later postings see
-- the month closed.
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

create or replace function ledger_station_balances(ids bigint[]) returns ledger_station_balance[] language plpgsql stable as $$
begin
  return (select coalesce(array_agg((s.id, s.money, s."freeze", s.fixed_freeze, s.has_amount, s.available,
      coalesce((select l.seq from statements l where l.station_id = s.id and l.seq is not null order by l.seq desc limit 1), 0),
      coalesce(c.seq, 0), coalesce(c.hash, ''), s.credit_limit)::ledger_station_balance order by s.id), '{}')
    from stations s left join lateral (select seq, hash from ledger_chain where station_id = s.id order by seq desc limit 1) c on true where s.id = any (ids));
end $$;

create or replace function ledger_own_line(finalized ledger_finalized_transfer) returns bigint language plpgsql as $$
declare
  line statements;
begin
  foreach line in array finalized.lines loop
    if line.station_id = (finalized.transfer).station_id then return line.id; end if;
  end loop;
  return null;
end $$;

-- Gives a draft its numbers, balances and hashes. `station_balances` are those of the stations of
-- its statements, in their order, or of the transfer's own station if it has no statements. A
-- transfer of a parcel names the hash of the parcel's newest version.
create or replace function ledger_finalize(draft ledger_draft, station_balances ledger_station_balance[]) returns ledger_finalized_transfer language plpgsql as $$
declare
  t ledger_transfers := draft.transfer;
  lines statements[] := draft.lines;
  entries ledger_entries[] := '{}';
  links ledger_chain[] := '{}';
  link ledger_chain;
  line statements;
  line_text text;
  facts text := '';
  here ledger_station_balance;
begin
  t.id := nextval('ledger_transfers_id_seq');
  t.period := ledger_period_of(t.at);
  if t.express_id is not null then
    select v.hash into t.version_hash from express_versions v where v.express_id = t.express_id order by v.no desc limit 1;
  end if;
  for i in 1 .. cardinality(lines) loop
    line := lines[i];
    here := station_balances[i];
    here.money := here.money + line.amount;
    here."freeze" := here."freeze" + line.freeze_amount;
    here.seq := here.seq + 1;
    line := ledger_finalized_statement(line, t, here);
    line_text := ledger_statement_text(line);
    line.hash := ledger_statement_hash(line_text, 'posted', t.at);
    facts := facts || line_text;
    entries := ledger_station_entries(t, line, entries);
    lines[i] := line;
    station_balances[i] := here;
  end loop;
  entries := ledger_platform_entries(t, draft.accounts, draft.amounts, entries);
  t.hash := ledger_transfer_facts_hash(t, entries, facts);
  for i in 1 .. cardinality(station_balances) loop
    here := station_balances[i];
    here.chain_seq := here.chain_seq + 1;
    here.chain_hash := ledger_chain_hash(here.chain_hash, here.station_id, here.chain_seq, t.hash);
    station_balances[i] := here;
    link := row(here.station_id, here.chain_seq, t.id, here.chain_hash)::ledger_chain;
    links := links || link;
  end loop;
  return row(t, entries, lines, links, station_balances)::ledger_finalized_transfer;
end $$;

-- The hold that a movement is about; null for movements without a parcel.
create or replace function ledger_hold_for(t ledger_transfers, movement text) returns ledger_holds language plpgsql as $$
declare
  held ledger_holds;
begin
  if t.express_id is null or movement = 'hold' then return held; end if;
  select * into held from ledger_holds where express_id = t.express_id and (attempt = t.attempt or t.attempt is null) order by attempt desc limit 1;
  if not found and movement in ('change_hold', 'release', 'charge', 'payout') then raise exception 'parcel % was never held in attempt %', t.express_id, t.attempt; end if;
  return held;
end $$;

-- The stations that a draft touches. A transfer without statements joins the chain of its own
-- station.
create or replace function ledger_touched(draft ledger_draft) returns bigint[] language plpgsql as $$
declare
  line statements;
  touched bigint[] := '{}';
begin
  foreach line in array draft.lines loop touched := touched || line.station_id; end loop;
  if cardinality(touched) = 0 and (draft.transfer).station_id is not null then return array[(draft.transfer).station_id]; end if;
  return touched;
end $$;

-- Posts movements in order and returns one result each. A station whose available sum rose gets one
-- job that releases its parcels on hold. All rows are found by key, so generic plans are enough.
-- Processor time of PostgreSQL (docs/decisions/0043): a top-up takes 1.5 to 1.8 ms with generic
-- plans, 2.0 to 2.3 ms without. A plan made while a table was empty would scan the table. With
-- enable_seqscan off, the fifth thousand of holds with charges takes 3.8 ms each; with it on 5.0
-- ms, and more with every parcel until the tables are analyzed.
create or replace function ledger_post(ms jsonb) returns jsonb language plpgsql security definer
  set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  scope text := current_setting('waystation.scope', true);
  ids bigint[];
  station_balances ledger_station_balance[];
  near ledger_station_balance[];
  here ledger_station_balance;
  station bigint;
  m jsonb;
  t ledger_transfers;
  held ledger_holds;
  draft ledger_draft;
  finalized ledger_finalized_transfer;
  line statements;
  -- Rows that are posted but not stored yet, and the keys of their causes and parcels.
  transfers ledger_transfers[] := '{}';
  entries ledger_entries[] := '{}';
  lines statements[] := '{}';
  decided statements[] := '{}';
  links ledger_chain[] := '{}';
  waiting text[] := '{}';
  result jsonb;
  results jsonb[] := '{}';
begin
  perform set_config('waystation.scope', 'all', true);
  ids := ledger_lock(ledger_stations_of(ms));
  station_balances := ledger_station_balances(ids);
  for m in select value from jsonb_array_elements(ms) loop
    t := ledger_transfer_of(m);
    -- Stores 200 transfers at once: enough to make storing cheap, few enough to search the arrays
    -- quickly.
    if t.cause = any (waiting) or ledger_reads(m) = any (waiting) or cardinality(transfers) >= 200 then
      perform ledger_store(transfers, entries, lines, decided, links, station_balances);
      transfers := '{}'; entries := '{}'; lines := '{}'; decided := '{}'; links := '{}'; waiting := '{}';
    end if;
    result := ledger_first(t, m ->> 'movement');
    if result is null then
      held := ledger_hold_for(t, m ->> 'movement');
      t.station_id := coalesce(held.station_id, t.station_id);
      if t.station_id is null and m ? 'statement_id' then
        select s.station_id into t.station_id from statements s where s.id = (m ->> 'statement_id')::bigint;
      end if;
      if t.station_id is not null and t.station_id <> all (ids) then raise exception 'station % does not exist', t.station_id; end if;
      draft := ledger_draft_of(t, m, held, station_balances[array_position(ids, t.station_id)]);
      if draft.missing_amount is not null then
        result := jsonb_build_object('ok', false, 'missing_amount', draft.missing_amount);
      elsif draft.no_op then
        result := ledger_result(null, draft.statement_id);
      else
        near := '{}';
        foreach station in array ledger_touched(draft) loop
          if station <> all (ids) then raise exception 'station % does not exist', station; end if;
          near := near || station_balances[array_position(ids, station)];
        end loop;
        finalized := ledger_finalize(draft, near);
        transfers := transfers || finalized.transfer;
        entries := entries || finalized.entries;
        foreach line in array finalized.lines loop
          if line.status = 'pending' then decided := decided || line; else lines := lines || line; end if;
        end loop;
        links := links || finalized.links;
        foreach here in array finalized.station_balances loop station_balances[array_position(ids, here.station_id)] := here; end loop;
        waiting := waiting || t.cause;
        waiting := waiting || ledger_writes(m);
        result := ledger_result((finalized.transfer).id, ledger_own_line(finalized));
      end if;
    end if;
    results := results || result;
  end loop;
  perform ledger_store(transfers, entries, lines, decided, links, station_balances);
  foreach here in array station_balances loop
    if ledger_available(here) > here.had then
      perform graphile_worker.add_job('release_on_hold', json_build_object('station_id', here.station_id),
        queue_name => 'release_on_hold:' || here.station_id, job_key => 'release_on_hold:' || here.station_id);
    end if;
  end loop;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return to_jsonb(results);
end $$;

-- Like ledger_post, for a caller that does not read the results: a refused movement fails the
-- transaction.
create or replace function ledger_post_unrefused(ms jsonb) returns void language plpgsql as $$
begin
  if jsonb_path_exists(ledger_post(ms), '$[*] ? (@.ok == false)') then raise exception 'a movement was refused' using errcode = 'WS003'; end if;
end $$;

-- Locks stations in id order, for callers that will post several movements one by one.
create or replace function ledger_lock_stations(ids bigint[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  perform ledger_lock(ids);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Error code of the block that forbids postings on a station; null if there is none.
create or replace function ledger_block_reason(station bigint) returns text language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  code text;
begin
  perform set_config('waystation.scope', 'all', true);
  select case when b.station_id is null then 'ledger_stopped' else 'station_blocked' end into code from ledger_blocks b
    where b.cleared_at is null and (b.station_id is null or b.station_id = station) order by b.station_id nulls first limit 1;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return code;
end $$;

-- Links the transfers that touch no station and no parcel into the platform's chain (station 0), in
-- id order. A nightly task calls it.
create or replace function ledger_link_platform() returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  linked bigint := 0;
  tail ledger_chain;
  t ledger_transfers;
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_chain', 0));
  perform set_config('waystation.scope', 'all', true);
  select * into tail from ledger_chain where station_id = 0 order by seq desc limit 1;
  if not found then tail := row(0, 0, null, '')::ledger_chain; end if;
  for t in select * from ledger_transfers f where f.station_id is null and not exists (select 1 from ledger_chain c where c.transfer_id = f.id) order by f.id loop
    tail := row(0, tail.seq + 1, t.id, ledger_chain_hash(tail.hash, 0, tail.seq + 1, t.hash))::ledger_chain;
    insert into ledger_chain values (tail.*);
    linked := linked + 1;
  end loop;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return linked;
end $$;

-- Lifts the block of a station after a person has checked it, and returns whether there was one.
-- Only the database's owner can lift the block of all stations (0).
create or replace function ledger_clear_block(station bigint, account bigint, why text, moment timestamptz) returns boolean language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  cleared boolean;
begin
  if station = 0 and not pg_has_role(session_user, current_user, 'member') then
    raise insufficient_privilege using message = 'only the owner of the database clears the block of all stations';
  end if;
  perform set_config('waystation.scope', 'all', true);
  update ledger_blocks set cleared_at = moment, cleared_by = account, note = why where coalesce(station_id, 0) = station and cleared_at is null;
  cleared := found;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return cleared;
end $$;

revoke execute on function ledger_post(jsonb), ledger_post_unrefused(jsonb), ledger_lock_stations(bigint[]), ledger_block_reason(bigint), ledger_link_platform(), ledger_clear_block(bigint, bigint, text, timestamptz) from public;
grant execute on function ledger_post(jsonb), ledger_post_unrefused(jsonb), ledger_lock_stations(bigint[]), ledger_block_reason(bigint), ledger_link_platform(), ledger_clear_block(bigint, bigint, text, timestamptz) to {{app_role}};
