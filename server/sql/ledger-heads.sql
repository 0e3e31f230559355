-- Heads of the chains, written outside the database (docs/ledger.md, Proof; docs/decisions/0020).

alter table ledger_head_lines enable row level security;
drop policy if exists ledger_head_lines_scope on ledger_head_lines;
create policy ledger_head_lines_scope on ledger_head_lines using ((select scope_all()));

alter table ledger_head_marks enable row level security;
drop policy if exists ledger_head_marks_scope on ledger_head_marks;
create policy ledger_head_marks_scope on ledger_head_marks using ((select scope_all()));

alter table ledger_gaps enable row level security;
drop policy if exists ledger_gaps_scope on ledger_gaps;
create policy ledger_gaps_scope on ledger_gaps using ((select scope_all()));

revoke all on ledger_head_lines, ledger_head_marks, ledger_gaps from {{app_role}};
grant select on ledger_head_lines, ledger_head_marks, ledger_gaps to {{app_role}};

create or replace trigger ledger_head_lines_append_only before update or delete or truncate on ledger_head_lines execute function refuse_change();
create or replace trigger ledger_gaps_append_only before update or delete or truncate on ledger_gaps execute function refuse_change();

-- I8: the link, statement and block that a station's mark names are unchanged.
create or replace function ledger_mark_proof(marks ledger_checkpoints[]) returns table (invariant text, subject text, stations bigint[], detail text) language sql stable set search_path = public, pg_temp as $$
  select 'I8', 'checkpoint ' || c.station_id, array[c.station_id], format('proved on %s up to link %s, line %s and block %s, which are not what they were',
      to_char(c.proved_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI'), c.chain_seq, c.seq, c.source_seq)
    -- The columns make PostgreSQL search the index for them (ledger-proof.sql).
    from (select m.*, m.seq + 1 as next_seq from unnest(marks) m offset 0) c left join ledger_chain l on l.station_id = c.station_id and l.seq = c.chain_seq
      left join statements s on s.station_id = c.station_id and s.seq = c.seq left join source_blocks b on b.station_id = c.station_id and b.seq = c.source_seq
    where coalesce(l.hash, '') is distinct from c.chain_hash or coalesce(b.hash, '') is distinct from c.source_hash
      or (c.chain_seq <> 0 and l.seq is null) or (c.seq <> 0 and s.seq is null) or (c.source_seq <> 0 and b.seq is null)
      or (coalesce(s.balance, 0), coalesce(s.balance - s.available - s.fixed_freeze, 0)) is distinct from (c.money, c."freeze")
      -- The statement of the mark is the last one up to its link.
      or s.transfer_id > l.transfer_id
      or exists (select 1 from statements n where n.station_id = c.station_id and n.seq = c.next_seq and n.transfer_id <= l.transfer_id)
$$;

create or replace function checkpoint_proof() returns table (invariant text, subject text, stations bigint[], detail text) language sql stable set search_path = public, pg_temp as
  $$ select p.* from ledger_mark_proof((select coalesce(array_agg(c), '{}') from ledger_checkpoints c)) p $$;

-- I8: the chains contain the heads that were written outside the database: [["ledger" or "sources",
-- station, number, hash], …].
create or replace function head_proof(heads jsonb) returns table (invariant text, subject text, stations bigint[], detail text) language sql stable set search_path = public, pg_temp as $$
  select 'I8', format('head %s of %s %s', h.seq, h.chain, h.station_id), array[h.station_id],
      case when coalesce(l.hash, b.hash) is null then 'was written outside, and the chain does not reach it' else 'is not what was written outside' end
    from (select x ->> 0 as chain, (x ->> 1)::bigint as station_id, (x ->> 2)::bigint as seq, decode(x ->> 3, 'hex') as hash from jsonb_array_elements(heads) x) h
      left join ledger_chain l on h.chain = 'ledger' and (l.station_id, l.seq) = (h.station_id, h.seq)
      left join source_blocks b on h.chain = 'sources' and (b.station_id, b.seq) = (h.station_id, h.seq)
    where coalesce(l.hash, b.hash) is distinct from h.hash
$$;

-- The current heads of all chains. It first adds every record of the sources and every transfer of
-- the platform to its chain. It keeps the lock of the proof until the transaction ends, so there is
-- one writer at a time.
create or replace function ledger_current_heads(moment timestamptz) returns table (chain text, station_id bigint, seq bigint, hash bytea, mark_seq bigint, mark_hash bytea)
  language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  perform set_config('waystation.scope', 'all', true);
  perform ledger_link_platform();
  perform source_make_blocks(moment);
  return query
    select h.chain, h.station_id, h.seq, h.hash, m.seq, m.hash from (
      select 'ledger' as chain, s.id as station_id, c.seq, c.hash from (select id from stations union all select 0) s
        join lateral (select c.seq, c.hash from ledger_chain c where c.station_id = s.id order by c.seq desc limit 1) c on true
      union all
      select 'sources', s.id, b.seq, b.hash from (select id from stations union all select 0) s
        join lateral (select b.seq, b.hash from source_blocks b where b.station_id = s.id order by b.seq desc limit 1) b on true) h
      left join ledger_head_marks m on m.chain = h.chain and m.station_id = h.station_id
    order by 1, 2;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- The given heads that the chains do not contain; see head_proof.
create or replace function ledger_diverged_heads(heads jsonb) returns table (chain text, station_id bigint, seq bigint, detail text) language plpgsql security definer
  set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  return query select x ->> 0, (x ->> 1)::bigint, (x ->> 2)::bigint, p.detail
    from jsonb_array_elements(heads) x join head_proof(heads) p on p.subject = format('head %s of %s %s', x ->> 2, x ->> 0, x ->> 1);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Records a line of the file of heads, and the newest heads of all chains.
create or replace function ledger_record_heads(line bigint, moment timestamptz, line_hash bytea, heads jsonb) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into ledger_head_lines values (line, moment, line_hash) on conflict (no) do nothing;
  insert into ledger_head_marks select x ->> 0, (x ->> 1)::bigint, (x ->> 2)::bigint, decode(x ->> 3, 'hex') from jsonb_array_elements(heads) x
    on conflict (chain, station_id) do update set seq = excluded.seq, hash = excluded.hash where (ledger_head_marks.seq, ledger_head_marks.hash) <> (excluded.seq, excluded.hash);
  delete from ledger_head_marks m where not exists (select 1 from jsonb_array_elements(heads) x where x ->> 0 = m.chain and (x ->> 1)::bigint = m.station_id);
end $$;

-- The last line of written heads that the database knows.
create or replace function ledger_newest_head_line() returns table (no bigint, at timestamptz, hash bytea) language sql stable security definer set search_path = public, pg_temp as
  $$ select no, at, hash from ledger_head_lines order by no desc limit 1 $$;

-- Number of transfers and records that no written head covers yet. `baseline_at`: when rows older
-- than the hashes got theirs; null if there were none.
create or replace function ledger_uncovered() returns table (transfers bigint, records bigint, baseline_at timestamptz) language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  return query select
    coalesce((select sum(coalesce((select max(c.seq) from ledger_chain c where c.station_id = s.id), 0) - coalesce(m.seq, 0))
      from (select id from stations union all select 0) s left join ledger_head_marks m on m.chain = 'ledger' and m.station_id = s.id), 0)::bigint,
    ((select count(*) from source_hashes h where h.block is null) + coalesce((select sum(b.records) from (select id from stations union all select 0) s
      left join ledger_head_marks m on m.chain = 'sources' and m.station_id = s.id join source_blocks b on b.station_id = s.id and b.seq > coalesce(m.seq, 0)), 0))::bigint,
    (select max(h.at) from source_hashes h where h.baseline = 1);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- The largest number of links that a payment chain has behind its written head. A chain that does
-- not contain its written head is ignored, because it gets no new one.
create or replace function ledger_head_distance() returns bigint language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  distance bigint;
begin
  perform set_config('waystation.scope', 'all', true);
  select max(c.seq - coalesce(m.seq, 0)) into distance from (select id from stations union all select 0) s
    join lateral (select c.seq from ledger_chain c where c.station_id = s.id order by c.seq desc limit 1) c on true
    left join ledger_head_marks m on m.chain = 'ledger' and m.station_id = s.id
    where m.seq is null or exists (select from ledger_chain l where (l.station_id, l.seq, l.hash) = (m.station_id, m.seq, m.hash));
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return coalesce(distance, 0);
end $$;

-- Records that two people accept a database that ends before the written heads. It deletes the
-- written heads of the dropped chains, and those of their checkpoints that no longer hold. A
-- failing checkpoint of any other station is still reported.
create or replace function ledger_accept_gap(first_id bigint, second_id bigint, why text, dropped jsonb, moment timestamptz) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  gap bigint;
begin
  perform set_config('waystation.scope', 'all', true);
  delete from ledger_checkpoints c where c.station_id in (select p.stations[1] from checkpoint_proof() p)
    and c.station_id in (select (x ->> 1)::bigint from jsonb_array_elements(dropped) x);
  delete from ledger_head_marks m using jsonb_array_elements(dropped) x where m.chain = x ->> 0 and m.station_id = (x ->> 1)::bigint;
  insert into ledger_gaps (at, first_account_id, second_account_id, reason, chains) values (moment, first_id, second_id, why, dropped) returning id into gap;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return gap;
end $$;

-- The newest written heads that the database knows, for a proof that is given no heads.
create or replace function ledger_marks() returns jsonb language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_array(chain, station_id, seq, encode(hash, 'hex'))), '[]') from ledger_head_marks
$$;

revoke execute on function ledger_current_heads(timestamptz), ledger_diverged_heads(jsonb), ledger_record_heads(bigint, timestamptz, bytea, jsonb), ledger_newest_head_line(),
  ledger_uncovered(), ledger_accept_gap(bigint, bigint, text, jsonb, timestamptz), ledger_marks(), ledger_head_distance() from public;
grant execute on function ledger_current_heads(timestamptz), ledger_diverged_heads(jsonb), ledger_record_heads(bigint, timestamptz, bytea, jsonb), ledger_newest_head_line(),
  ledger_uncovered(), ledger_accept_gap(bigint, bigint, text, jsonb, timestamptz), ledger_marks(), ledger_head_distance() to {{app_role}};
