-- The check of the ledger that the product runs. It compares the ledger with the stored
-- checkpoints, and with chain heads written outside the database, before it moves any checkpoint.

alter table ledger_walks enable row level security;
drop policy if exists ledger_walks_scope on ledger_walks;
create policy ledger_walks_scope on ledger_walks using ((select scope_all()));

revoke all on ledger_walks from {{app_role}};
grant select on ledger_walks to {{app_role}};

-- The text that the signature of a checkpoint covers.
create or replace function ledger_checkpoint_text(c ledger_checkpoints) returns text language sql stable as $$
  select json_build_array('checkpoint', c.station_id, c.chain_seq, encode(c.chain_hash, 'hex'), c.seq, c.money, c."freeze", ledger_micros(c.proved_at), c.source_seq,
    encode(c.source_hash, 'hex'))::text
$$;

-- The stored checkpoints with their signed texts, and the number of links of each station up to its
-- checkpoint.
create or replace function ledger_signed_checkpoints() returns table (station_id bigint, signed_text text, signature bytea, links bigint, links_new bigint, proved_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  return query select s.id, case when c.station_id is not null then ledger_checkpoint_text(c) end, c.signature, coalesce(c.chain_seq, 0), coalesce(l.seq, 0) - coalesce(c.chain_seq, 0), c.proved_at
    from (select id from stations union all select 0) s left join ledger_checkpoints c on c.station_id = s.id
      left join lateral (select seq from ledger_chain where station_id = s.id order by seq desc limit 1) l on true;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

create or replace function ledger_sign_checkpoints(signatures jsonb) returns void language sql security definer set search_path = public, pg_temp as $$
  update ledger_checkpoints c set signature = decode(x ->> 1, 'hex') from jsonb_array_elements(signatures) x where c.station_id = (x ->> 0)::bigint
$$;

-- The walk that is not finished; null if there is none. Its signature covers its number, its start
-- and its bounds.
create or replace function ledger_open_walk() returns table (id bigint, started_at timestamptz, state text, signature bytea, signed_text text, rows_done bigint, rows_total bigint)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  return query select w.id, w.started_at, w.state, w.signature,
      json_build_array('walk', w.id, ledger_micros(w.started_at), encode(source_digest(w.bounds), 'hex'))::text, w.rows_done, w.rows_total
    from ledger_walks w where w.finished_at is null order by w.id desc limit 1;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Starts a walk over all present rows, and deletes earlier walks.
create or replace function ledger_begin_walk(moment timestamptz) returns bigint language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  walk_id bigint;
begin
  perform set_config('waystation.scope', 'all', true);
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  perform source_make_blocks(moment);
  delete from ledger_walks;
  insert into ledger_walks (started_at, bounds, rows_total, updated_at)
    select moment, (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from unnest(ledger_marks_now(moment)) m)::text,
      -- A walk reads records twice: by themselves and in their blocks.
      (select sum(greatest(c.reltuples, 0) * case c.relname when 'source_hashes' then 2 else 1 end)::bigint from pg_class c
        where c.oid = any ('{ledger_transfers,expresses,source_hashes,express_messages,reconciliation_rows}'::regclass[])), moment
    returning id into walk_id;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return walk_id;
end $$;

create or replace function ledger_keep_walk(walk_id bigint, new_state text, new_signature bytea, done bigint, moment timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
  update ledger_walks set state = new_state, signature = new_signature, rows_done = done, updated_at = moment where id = walk_id and finished_at is null
$$;

create or replace function ledger_walk_bounds(walk_id bigint) returns ledger_checkpoints[] language sql stable security definer set search_path = public, pg_temp as $$
  select coalesce((select array_agg(m) from ledger_walks w cross join jsonb_populate_recordset(null::ledger_checkpoints, w.bounds::jsonb) m where w.id = walk_id), '{}')
$$;

-- Reads the next piece of a walk; see ledger_walk_piece.
create or replace function ledger_read_piece(walk_id bigint, part text, low jsonb, size integer) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  scope text := current_setting('waystation.scope', true);
begin
  perform set_config('waystation.scope', 'all', true);
  return query select * from ledger_walk_piece(part, low, size, ledger_walk_bounds(walk_id));
  perform set_config('waystation.scope', coalesce(scope, ''), true);
end $$;

-- Ends a check: reads the rows since the marks, stores the result, moves the checkpoints of the
-- stations without findings and blocks the others. `walk_id` names a full check that has read
-- everything up to its bounds; `walked` has its findings and sums. If it is null, the checkpoints
-- of the `trusted` stations are the marks. `heads` are the newest heads written outside; if it is
-- null, those that the database knows. Returns the moved checkpoints for the caller to sign.
create or replace function ledger_check(moment timestamptz, heads jsonb, trusted bigint[], walk_id bigint, walked jsonb)
  returns jsonb language plpgsql security definer set search_path = public, pg_temp as $$
declare
  scope text := current_setting('waystation.scope', true);
  marks ledger_checkpoints[];
  since timestamptz := now() - interval '2 days';
  result jsonb;
begin
  perform set_config('waystation.scope', 'all', true);
  -- Runs one check at a time, so that checkpoints only move forward.
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  perform source_make_blocks(moment);
  if walk_id is null then
    marks := (select coalesce(array_agg(c), '{}') from ledger_checkpoints c where c.station_id = any (trusted));
  else
    marks := ledger_walk_bounds(walk_id);
    since := least(since, (select w.started_at from ledger_walks w where w.id = walk_id) - interval '2 days');
  end if;
  with read as materialized (
    select * from ledger_new_proof(marks, since)
  ), totals as materialized (
    select coalesce(sum(r.detail::numeric) filter (where r.subject = 'checked'), 0) + coalesce((walked ->> 'entries')::numeric, 0) as entries,
      coalesce(sum(r.detail::numeric) filter (where r.subject = 'total'), 0) + coalesce((walked ->> 'total')::numeric, 0) as total
    from read r where r.invariant is null
  ), found as materialized (
    select r.invariant, r.subject, r.stations, r.detail from read r where r.invariant is not null
    union select x ->> 'invariant', x ->> 'subject', case when jsonb_typeof(x -> 'stations') = 'array' then array(select jsonb_array_elements_text(x -> 'stations')::bigint) end, x ->> 'detail'
      from jsonb_array_elements(walked -> 'breaks') x
    union select 'I1', 'ledger', null, format('all accounts sum to %s', t.total) from totals t where t.total <> 0
    -- I2: the sums of a walk equal the money that each station had when the walk began.
    union select 'I2', 'station ' || k.station_id, array[k.station_id], format('had money %s, frozen %s; its entries came to %s, %s', k.money, k."freeze",
        coalesce(walked -> 'sums' -> k.station_id::text ->> 0, '0'), coalesce(walked -> 'sums' -> k.station_id::text ->> 1, '0'))
      from unnest(marks) k where walk_id is not null
        and (k.money, k."freeze") is distinct from (coalesce((walked -> 'sums' -> k.station_id::text ->> 0)::numeric, 0), coalesce((walked -> 'sums' -> k.station_id::text ->> 1)::numeric, 0))
    union select p.* from ledger_mark_proof(marks) p
    union select p.* from checkpoint_proof() p
    union select p.* from head_proof(coalesce(heads, ledger_marks())) p
  ), bad as materialized (
    select unnest(f.stations) as station_id, min(f.invariant || ' ' || f.subject || ': ' || f.detail) as reason from found f group by 1
    union select x.key::bigint, x.value from jsonb_each_text(coalesce(walked -> 'bad', '{}')) x
  ), unbalanced as materialized (
    select min(f.invariant || ' ' || f.subject || ': ' || f.detail) as reason from found f where f.invariant = 'I1' and f.subject = 'ledger' having count(*) > 0
  ), kept as (
    insert into ledger_checkpoints as c
      select m.* from unnest(ledger_marks_now(moment)) m
      where not exists (select 1 from unbalanced) and not exists (select 1 from bad where bad.station_id = m.station_id)
    on conflict (station_id) do update set chain_seq = excluded.chain_seq, chain_hash = excluded.chain_hash, seq = excluded.seq, money = excluded.money,
      "freeze" = excluded."freeze", proved_at = excluded.proved_at, source_seq = excluded.source_seq, source_hash = excluded.source_hash, signature = ''
      where walk_id is not null or not c.station_id = any (trusted)
        or (c.chain_seq, c.chain_hash, c.source_seq, c.source_hash) is distinct from (excluded.chain_seq, excluded.chain_hash, excluded.source_seq, excluded.source_hash)
    returning c.station_id, ledger_checkpoint_text(c) as signed_text
  ), blocked as (
    insert into ledger_blocks (station_id, reason, blocked_at)
      select b.station_id, left(min(b.reason), 500), moment from bad b where b.station_id in (select id from stations) group by 1
      union all select null, left(u.reason, 500), moment from unbalanced u
    on conflict (coalesce(station_id, 0)) where cleared_at is null do nothing
    returning station_id
  ), listed as (
    select f.invariant, f.subject, f.detail, row_number() over (partition by f.invariant order by f.subject, f.detail) as no from found f
  ), ended as (
    update ledger_walks w set finished_at = moment, updated_at = moment, rows_done = greatest(w.rows_done, w.rows_total) where w.id = walk_id returning w.started_at
  ), proof as (
    insert into ledger_proofs (at, whole, checked_entries, breaks, started_at, trusted_links)
      select moment, (walk_id is not null)::int, t.entries,
        coalesce((select jsonb_agg(jsonb_build_object('invariant', l.invariant, 'subject', l.subject, 'detail', l.detail) order by l.invariant, l.subject, l.detail) from listed l where l.no <= 500), '[]'),
        coalesce((select e.started_at from ended e), moment), case when walk_id is null then coalesce((select sum(k.chain_seq) from unnest(marks) k), 0) else 0 end
      from totals t
    returning checked_entries, breaks, started_at, trusted_links
  )
  select jsonb_build_object('ok', p.breaks = '[]', 'checked_entries', p.checked_entries, 'breaks', p.breaks, 'trusted_links', p.trusted_links,
    'blocked', (select coalesce(jsonb_agg(coalesce(b.station_id, 0)), '[]') from blocked b),
    'moved', (select coalesce(jsonb_agg(jsonb_build_array(k.station_id, k.signed_text)), '[]') from kept k)) into strict result from proof p;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return result;
end $$;

revoke execute on function ledger_signed_checkpoints(), ledger_sign_checkpoints(jsonb), ledger_open_walk(), ledger_begin_walk(timestamptz),
  ledger_keep_walk(bigint, text, bytea, bigint, timestamptz), ledger_walk_bounds(bigint), ledger_read_piece(bigint, text, jsonb, integer),
  ledger_check(timestamptz, jsonb, bigint[], bigint, jsonb) from public;
grant execute on function ledger_signed_checkpoints(), ledger_sign_checkpoints(jsonb), ledger_open_walk(), ledger_begin_walk(timestamptz),
  ledger_keep_walk(bigint, text, bytea, bigint, timestamptz), ledger_read_piece(bigint, text, jsonb, integer),
  ledger_check(timestamptz, jsonb, bigint[], bigint, jsonb) to {{app_role}};
