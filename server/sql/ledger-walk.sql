-- The rows that a check reads (docs/ledger.md, Proof): all of them, piece by piece in the order of
-- their keys, or the rows since each station's checkpoint.

create or replace function ledger_walk_parts() returns text[] language sql immutable as
  $$ select '{transfers,parcels,records,messages,blocks,bill_lines,rows,months,books,sums}'::text[] $$;

-- Reads one piece of a walk: `size` rows of a part after the key `low` (a JSON array; null: from
-- the start). Its last row has no invariant, the subject `next` and the key of the last row read,
-- or null at the end of the part. Together the pieces cover all keys, also those without a row.
create or replace function ledger_walk_piece(part text, low jsonb, size integer, marks ledger_checkpoints[])
  returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  above bigint;
  last_key bigint;
  upto bigint;
  next_low jsonb;
  ids bigint[];
begin
  if part in ('transfers', 'parcels', 'records', 'messages', 'bill_lines') then
    above := coalesce((low ->> 0)::bigint, -9223372036854775808);
    execute format('select id from %I where id > $1 order by id offset $2 limit 1', case part when 'transfers' then 'ledger_transfers' when 'parcels' then 'expresses'
      when 'records' then 'source_hashes' when 'messages' then 'express_messages' else 'reconciliation_rows' end) into last_key using above, size - 1;
    upto := coalesce(last_key, 9223372036854775807);
    next_low := jsonb_build_array(last_key);
  end if;
  if part = 'transfers' then
    ids := array(select id from ledger_transfers where id > above and id <= upto union select transfer_id from ledger_entries where transfer_id > above and transfer_id <= upto
      union select transfer_id from statements where transfer_id > above and transfer_id <= upto union select transfer_id from ledger_chain where transfer_id > above and transfer_id <= upto);
    return query select * from ledger_transfer_proof(ids, marks, false);
  elsif part = 'parcels' then
    ids := array(select id from expresses where id > above and id <= upto union select express_id from ledger_holds where express_id > above and express_id <= upto
      union select express_id from ledger_transfers where express_id > above and express_id <= upto union select express_id from express_moves where express_id > above and express_id <= upto);
    return query select * from ledger_hold_proof(ids);
    return query select * from source_price_proof(ids);
    return query select * from express_move_proof(ids);
    return query select * from source_parcel_gaps(above, upto);
  elsif part = 'records' then
    return query select * from source_record_proof(array(select id from source_hashes where id > above and id <= upto));
  elsif part = 'messages' then
    return query select 'I11', 'message ' || m.id, array[m.station_id], 'has no record' from express_messages m
      where m.id > above and m.id <= upto and not exists (select 1 from source_hashes h where h.kind = 'message' and h.k1 = m.id and h.k1 > above and h.k1 <= upto);
  elsif part = 'bill_lines' then
    return query select 'I11', 'bill_line ' || l.id, array[0::bigint], 'has no record' from reconciliation_rows l
      where l.id > above and l.id <= upto and l.decision <> 'open' and not exists (select 1 from source_hashes h where h.kind = 'bill_line' and h.k1 = l.id and h.k1 > above and h.k1 <= upto);
  elsif part = 'blocks' then
    -- Reads as many blocks as have `size` records together, and at least one.
    with blocks as (
      select station_id, seq, sum(records) over (order by station_id, seq) - records as before from source_blocks
      where low is null or (station_id, seq) > ((low ->> 0)::bigint, (low ->> 1)::bigint) order by station_id, seq limit 1000
    )
    select coalesce(jsonb_agg(jsonb_build_array(station_id, seq) order by station_id, seq) filter (where before < size), '[]') into next_low from blocks;
    return query select * from source_block_proof(next_low);
    next_low := next_low -> -1;
  elsif part = 'rows' then
    return query select * from source_row_gaps('-infinity');
  elsif part = 'months' then
    next_low := (select jsonb_build_array(min(period)) from periods where status = 'closed' and (low is null or period > low ->> 0));
    return query select * from period_month_proof(next_low ->> 0);
  elsif part = 'books' then
    next_low := jsonb_build_array(ledger_book_after(low ->> 0));
    if next_low ->> 0 is not null then return query select * from ledger_month_entries_proof(next_low ->> 0); end if;
  elsif part = 'sums' then
    above := coalesce((low ->> 0)::bigint, 0);
    next_low := (select jsonb_build_array(max(id)) from (select id from stations where id > above order by id limit 10) s);
    return query select * from statement_line_sums_proof(above, coalesce((next_low ->> 0)::bigint, 9223372036854775807));
    if next_low ->> 0 is null then return query select * from statement_network_sums_proof(); end if;
  end if;
  return query select null, 'next', null::bigint[], case when next_low ->> 0 is not null then next_low::text end;
end $$;

-- Checks the new rows: the links, statements and blocks after each station's mark, and all rows
-- that are in no chain or block yet. `since`: moves of parcels and rows without a record are
-- checked from this time on. It reads bounded parts, none of which divides the rows of a parcel or
-- of a transfer.
create or replace function ledger_new_proof(marks ledger_checkpoints[], since timestamptz) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  size constant integer := 10000;
  ids bigint[];
  found record;
  entries bigint := 0;
  total numeric := 0;
  sums jsonb := '{}';
begin
  -- `offset 0` makes PostgreSQL use the index from each station's mark on. Otherwise the planner
  -- expects a third of all rows and reads the whole table.
  ids := array(
    with starts as materialized (
      select s.id, coalesce(k.chain_seq, 0) as chain_seq, coalesce(k.seq, 0) as seq from (select id from stations union all select 0) s left join unnest(marks) k on k.station_id = s.id
    )
    select c.transfer_id from starts s
      cross join lateral (select c.transfer_id from ledger_chain c where c.station_id = s.id and c.seq > s.chain_seq order by c.seq offset 0) c
    union select l.transfer_id from starts s
      cross join lateral (select l.transfer_id from statements l where l.station_id = s.id and l.seq > s.seq order by l.seq offset 0) l where l.transfer_id is not null
    union select t.id from ledger_transfers t where t.station_id is null and not exists (select 1 from ledger_chain c where c.transfer_id = t.id));
  for start_no in 1 .. cardinality(ids) by size loop
    for found in select * from ledger_transfer_proof(ids[start_no : start_no + size - 1], marks, true) loop
      if found.invariant is not null then
        return query select found.invariant, found.subject, found.stations, found.detail;
      elsif found.subject = 'checked' then entries := entries + found.detail::bigint;
      elsif found.subject = 'total' then total := total + found.detail::numeric;
      else
        sums := sums || jsonb_build_object(found.stations[1]::text, jsonb_build_array(
          coalesce((sums -> found.stations[1]::text ->> 0)::numeric, 0) + split_part(found.detail, ' ', 1)::numeric,
          coalesce((sums -> found.stations[1]::text ->> 1)::numeric, 0) + split_part(found.detail, ' ', 2)::numeric));
      end if;
    end loop;
    return query select * from ledger_hold_proof(array(select distinct t.express_id from unnest(ids[start_no : start_no + size - 1]) w (id)
      join ledger_transfers t on t.id = w.id where t.express_id is not null));
  end loop;
  return query select null, 'checked', null::bigint[], entries::text;
  return query select null, 'total', null::bigint[], total::text;
  return query select * from ledger_station_proof(marks, sums);

  ids := array(
    select h.id from (select id from stations union all select 0) s left join unnest(marks) k on k.station_id = s.id
      cross join lateral (select h.id from source_hashes h where h.station_id = s.id and h.block > coalesce(k.source_seq, 0) order by h.block offset 0) h
    union select h.id from source_hashes h where h.block is null);
  for start_no in 1 .. cardinality(ids) by size loop
    return query select * from source_record_proof(ids[start_no : start_no + size - 1]);
    return query select * from source_price_proof(array(select distinct h.k1 from unnest(ids[start_no : start_no + size - 1]) w (id)
      join source_hashes h on h.id = w.id where h.kind = 'version'));
  end loop;
  return query select p.* from (select jsonb_agg(jsonb_build_array(b.station_id, b.seq)) as blocks from (select id from stations union all select 0) s
      left join unnest(marks) k on k.station_id = s.id
      cross join lateral (select b.station_id, b.seq from source_blocks b where b.station_id = s.id and b.seq > coalesce(k.source_seq, 0) order by b.seq offset 0) b) n
    cross join lateral source_block_proof(n.blocks) p;
  return query select 'I11', 'payment ' || p.id, array[0::bigint], 'has no record' from reconciliation_payments p
    where not exists (select 1 from source_hashes h where h.kind = 'payment' and h.k1 = p.id);
  return query select 'I11', 'closing ' || c.id, array[0::bigint], 'has no record' from period_closings c
    where not exists (select 1 from source_hashes h where h.kind = 'closing' and h.k1 = c.id);
  return query select * from source_row_gaps(since);

  ids := array(select distinct m.express_id from express_moves m where m.at > since);
  for start_no in 1 .. cardinality(ids) by size loop
    return query select * from express_move_proof(ids[start_no : start_no + size - 1]);
  end loop;
  return query select * from period_closing_proof();
  return query select * from period_recent_proof();
  return query select * from statement_sums_proof();
  return query select * from ledger_month_sums_proof();
end $$;

-- The present heads of all stations. A walk checks up to them, and the next check of new rows
-- starts from them.
create or replace function ledger_marks_now(moment timestamptz) returns ledger_checkpoints[] language sql stable set search_path = public, pg_temp as $$
  select coalesce(array_agg(row(s.id, coalesce(c.seq, 0), coalesce(c.hash, ''), coalesce(l.seq, 0), s.money, s."freeze", moment, coalesce(b.seq, 0), coalesce(b.hash, ''), '')::ledger_checkpoints
      order by s.id), '{}')
  from (select id, money, "freeze" from stations union all select 0, 0, 0) s
    left join lateral (select seq, hash from ledger_chain where station_id = s.id order by seq desc limit 1) c on true
    left join lateral (select seq, hash from source_blocks where station_id = s.id order by seq desc limit 1) b on true
    left join lateral (select seq from statements where station_id = s.id and seq is not null order by seq desc limit 1) l on true
  where c.seq is not null or b.seq is not null
$$;

-- All findings at one moment, in one statement, for tests that undo their changes; the product uses
-- ledger_walk_piece. With `whole` it checks everything in pieces of `size` rows, otherwise the rows
-- since the stored checkpoints. In both cases it also checks the stored checkpoints and the heads
-- written outside.
create or replace function ledger_findings(whole boolean, heads jsonb, size integer) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  marks ledger_checkpoints[] := case when whole then ledger_marks_now(now()) else (select coalesce(array_agg(c), '{}') from ledger_checkpoints c) end;
  part text;
  low jsonb;
  found record;
  total numeric := 0;
  sums jsonb := '{}';
begin
  if whole then
    foreach part in array ledger_walk_parts() loop
      low := null;
      loop
        for found in select * from ledger_walk_piece(part, low, size, marks) loop
          if found.invariant is not null then return query select found.invariant, found.subject, found.stations, found.detail;
          elsif found.subject = 'next' then low := found.detail::jsonb;
          elsif found.subject = 'total' then total := total + found.detail::numeric;
          elsif found.subject = 'sum' then
            sums := sums || jsonb_build_object(found.stations[1]::text, jsonb_build_array(
              coalesce((sums -> found.stations[1]::text ->> 0)::numeric, 0) + split_part(found.detail, ' ', 1)::numeric,
              coalesce((sums -> found.stations[1]::text ->> 1)::numeric, 0) + split_part(found.detail, ' ', 2)::numeric));
          end if;
        end loop;
        exit when low is null;
      end loop;
    end loop;
    return query select p.* from ledger_station_proof('{}', sums) p;
    if total <> 0 then return query select 'I1', 'ledger', null::bigint[], format('all accounts sum to %s', total); end if;
    return query select p.* from ledger_new_proof(marks, now()) p where p.invariant is not null and p.subject not like 'station %';
  else
    for found in select * from ledger_new_proof(marks, now() - interval '2 days') loop
      if found.invariant is not null then return query select found.invariant, found.subject, found.stations, found.detail;
      elsif found.subject = 'total' and found.detail::numeric <> 0 then
        return query select 'I1', 'ledger', null::bigint[], format('all accounts sum to %s', found.detail);
      end if;
    end loop;
  end if;
  return query select p.* from checkpoint_proof() p;
  return query select p.* from head_proof(coalesce(heads, '[]')) p;
end $$;
