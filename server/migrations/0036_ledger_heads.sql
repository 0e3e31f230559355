-- Precondition: 0035.
-- Heads of the chains, written outside the database (docs/ledger.md, Proof; docs/decisions/0020). What stands here is a copy that says how far the file goes;
-- the file itself is the witness.

create table ledger_head_lines (
  no bigint primary key,
  at timestamptz not null,
  hash bytea not null
);
-- The newest head written of each chain.
create table ledger_head_marks (
  chain text not null check (chain in ('ledger', 'sources')),
  station_id bigint not null,
  seq bigint not null,
  hash bytea not null,
  primary key (chain, station_id)
);
-- What two people have accepted after a restore: heads that were written and that the database does not reach any more.
create table ledger_gaps (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  first_account_id bigint not null,
  second_account_id bigint not null check (second_account_id <> first_account_id),
  reason text not null,
  -- [chain, station, the last head that holds, the newest one written] each.
  chains jsonb not null
);
create trigger ledger_head_lines_append_only before update or delete or truncate on ledger_head_lines execute function refuse_change();
create trigger ledger_gaps_append_only before update or delete or truncate on ledger_gaps execute function refuse_change();

-- The heads of all chains as they are now, every record of the sources and every transfer of the platform in a chain. Keeps the lock of the proof until the
-- transaction ends: one writer at a time.
create function ledger_heads_now(moment timestamptz) returns table (chain text, station_id bigint, seq bigint, hash bytea, mark_seq bigint, mark_hash bytea)
  language plpgsql security definer set search_path = public, pg_temp set jit = off as $$
#variable_conflict use_column
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  perform set_config('waystation.scope', 'all', true);
  perform ledger_link_platform();
  perform source_seal(moment);
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

-- Those of `heads` that the chains do not go through; see head_proof.
create function ledger_heads_astray(heads jsonb) returns table (chain text, station_id bigint, seq bigint, detail text) language plpgsql security definer
  set search_path = public, pg_temp set jit = off as $$
#variable_conflict use_column
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  return query select x ->> 0, (x ->> 1)::bigint, (x ->> 2)::bigint, p.detail
    from jsonb_array_elements(heads) x join head_proof(heads) p on p.subject = format('head %s of %s %s', x ->> 2, x ->> 0, x ->> 1);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Notes a line of the file, and the newest heads of all chains.
create function ledger_heads_written(line bigint, moment timestamptz, line_hash bytea, heads jsonb) returns void language plpgsql security definer set search_path = public, pg_temp set jit = off as $$
begin
  insert into ledger_head_lines values (line, moment, line_hash) on conflict (no) do nothing;
  insert into ledger_head_marks select x ->> 0, (x ->> 1)::bigint, (x ->> 2)::bigint, decode(x ->> 3, 'hex') from jsonb_array_elements(heads) x
    on conflict (chain, station_id) do update set seq = excluded.seq, hash = excluded.hash where (ledger_head_marks.seq, ledger_head_marks.hash) <> (excluded.seq, excluded.hash);
  delete from ledger_head_marks m where not exists (select 1 from jsonb_array_elements(heads) x where x ->> 0 = m.chain and (x ->> 1)::bigint = m.station_id);
end $$;

-- How far the database says heads were written.
create function ledger_heads_known() returns table (no bigint, at timestamptz, hash bytea) language sql stable security definer set search_path = public, pg_temp set jit = off as
  $$ select no, at, hash from ledger_head_lines order by no desc limit 1 $$;

-- What no head covers yet, and since when rows of before the hashes are proved (null: there were none).
create function ledger_uncovered() returns table (transfers bigint, records bigint, baseline_at timestamptz) language plpgsql stable security definer set search_path = public, pg_temp set jit = off as $$
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  return query select
    coalesce((select sum(coalesce((select max(c.seq) from ledger_chain c where c.station_id = s.id), 0) - coalesce(m.seq, 0))
      from (select id from stations union all select 0) s left join ledger_head_marks m on m.chain = 'ledger' and m.station_id = s.id), 0)::bigint,
    ((select count(*) from source_hashes h where h.block is null) + coalesce((select sum(b.records) from (select id from stations union all select 0) s
      left join ledger_head_marks m on m.chain = 'sources' and m.station_id = s.id join source_blocks b on b.station_id = s.id and b.seq > coalesce(m.seq, 0)), 0))::bigint,
    (select case h.baseline when 1 then h.at end from source_hashes h order by h.id limit 1);
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Two people accept that the database ends before heads that were written: checkpoints that do not hold go, and the marks stand where the chains are now.
create function ledger_accept_gap(first_id bigint, second_id bigint, why text, dropped jsonb, moment timestamptz) returns bigint language plpgsql security definer
  set search_path = public, pg_temp set jit = off as $$
declare
  scope text := current_setting('waystation.scope', true);
  gap bigint;
begin
  perform set_config('waystation.scope', 'all', true);
  delete from ledger_checkpoints c where c.station_id in (select p.stations[1] from checkpoint_proof() p);
  delete from ledger_head_marks m using jsonb_array_elements(dropped) x where m.chain = x ->> 0 and m.station_id = (x ->> 1)::bigint;
  insert into ledger_gaps (at, first_account_id, second_account_id, reason, chains) values (moment, first_id, second_id, why, dropped) returning id into gap;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return gap;
end $$;

-- The newest heads as the database knows them, for a proof that is given none.
create function ledger_marks() returns jsonb language sql stable security definer set search_path = public, pg_temp set jit = off as $$
  select coalesce(jsonb_agg(jsonb_build_array(chain, station_id, seq, encode(hash, 'hex'))), '[]') from ledger_head_marks
$$;

revoke execute on function ledger_heads_now(timestamptz), ledger_heads_astray(jsonb), ledger_heads_written(bigint, timestamptz, bytea, jsonb), ledger_heads_known(),
  ledger_uncovered(), ledger_accept_gap(bigint, bigint, text, jsonb, timestamptz), ledger_marks() from public;
grant execute on function ledger_heads_now(timestamptz), ledger_heads_astray(jsonb), ledger_heads_written(bigint, timestamptz, bytea, jsonb), ledger_heads_known(),
  ledger_uncovered(), ledger_accept_gap(bigint, bigint, text, jsonb, timestamptz), ledger_marks() to {{app_role}};

do $$
declare t text;
begin
  foreach t in array array['ledger_head_lines', 'ledger_head_marks', 'ledger_gaps'] loop
    execute format('alter table %I enable row level security', t);
    execute format('create policy %I on %I using ((select scope_all()))', t || '_scope', t);
  end loop;
end $$;
grant select on ledger_head_lines, ledger_head_marks, ledger_gaps to {{app_role}};
