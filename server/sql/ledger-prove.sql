-- The proof of everything: it compares with the stored checkpoints, and with chain heads written outside, before it moves any checkpoint.

-- Everything that is proved. One row without an invariant counts the entries looked at.
create or replace function ledger_proof_all(whole boolean, heads jsonb) returns table (invariant text, subject text, stations bigint[], detail text)
  language sql stable set search_path = public, pg_temp set jit = off as $$
  select * from ledger_proof(whole)
  union all select * from source_proof(whole)
  union all select * from source_chain_proof(whole)
  union all select * from closing_proof(whole)
  union all select * from checkpoint_proof()
  union all select * from head_proof(coalesce(heads, '[]'))
  union all select p.invariant, p.subject, null, p.detail from period_proof(whole) p
  union all select p.invariant, p.subject, null, p.detail from move_proof(whole) p
$$;

-- Runs the proof, keeps its result, moves the checkpoints of the stations that hold, and blocks those that do not. `heads`: the newest written outside; null:
-- as the database knows them.
create or replace function ledger_prove(whole boolean, moment timestamptz, heads jsonb) returns jsonb language plpgsql security definer set search_path = public, pg_temp set jit = off as $$
declare
  scope text := current_setting('waystation.scope', true);
  result jsonb;
begin
  perform set_config('waystation.scope', 'all', true);
  -- One proof at a time, so that checkpoints only go forward.
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  perform source_make_blocks(moment);
  with found as materialized (
    select * from ledger_proof_all(whole, coalesce(heads, ledger_marks()))
  ), broken as materialized (
    select f.invariant, f.subject, f.stations, f.detail from found f where f.invariant is not null
  ), bad as materialized (
    select unnest(b.stations) as station_id, min(b.invariant || ' ' || b.subject || ': ' || b.detail) as reason from broken b group by 1
  ), unbalanced as materialized (
    select min(b.invariant || ' ' || b.subject || ': ' || b.detail) as reason from broken b where b.invariant = 'I1' and b.subject = 'ledger' having count(*) > 0
  ), kept as (
    insert into ledger_checkpoints (station_id, chain_seq, chain_hash, seq, money, "freeze", proved_at, source_seq, source_hash)
      select s.id, coalesce(c.seq, 0), coalesce(c.hash, ''), coalesce((select l.seq from statements l where l.station_id = s.id and l.seq is not null order by l.seq desc limit 1), 0),
        s.money, s."freeze", moment, coalesce(b.seq, 0), coalesce(b.hash, '')
      from (select id, money, "freeze" from stations union all select 0, 0, 0) s
        left join lateral (select seq, hash from ledger_chain where station_id = s.id order by seq desc limit 1) c on true
        left join lateral (select seq, hash from source_blocks where station_id = s.id order by seq desc limit 1) b on true
      where (c.seq is not null or b.seq is not null) and not exists (select 1 from unbalanced) and not exists (select 1 from bad where bad.station_id = s.id)
    on conflict (station_id) do update set chain_seq = excluded.chain_seq, chain_hash = excluded.chain_hash, seq = excluded.seq,
      money = excluded.money, "freeze" = excluded."freeze", proved_at = excluded.proved_at, source_seq = excluded.source_seq, source_hash = excluded.source_hash
      where (ledger_checkpoints.chain_seq, ledger_checkpoints.chain_hash, ledger_checkpoints.source_seq, ledger_checkpoints.source_hash)
        is distinct from (excluded.chain_seq, excluded.chain_hash, excluded.source_seq, excluded.source_hash)
  ), blocked as (
    insert into ledger_blocks (station_id, reason, blocked_at)
      select b.station_id, left(b.reason, 500), moment from bad b where b.station_id in (select id from stations)
      union all select null, left(u.reason, 500), moment from unbalanced u
    on conflict (coalesce(station_id, 0)) where cleared_at is null do nothing
    returning station_id
  ), listed as (
    select b.invariant, b.subject, b.detail, row_number() over (partition by b.invariant order by b.subject) as no from broken b
  ), proof as (
    insert into ledger_proofs (at, whole, checked_entries, breaks)
      select moment, ledger_prove.whole::int, (select f.detail::bigint from found f where f.invariant is null),
        coalesce((select jsonb_agg(jsonb_build_object('invariant', l.invariant, 'subject', l.subject, 'detail', l.detail) order by l.invariant, l.subject) from listed l where l.no <= 500), '[]')
    returning checked_entries, breaks
  )
  select jsonb_build_object('ok', p.breaks = '[]', 'checked_entries', p.checked_entries, 'breaks', p.breaks,
    'blocked', (select coalesce(jsonb_agg(coalesce(b.station_id, 0)), '[]') from blocked b)) into strict result from proof p;
  perform set_config('waystation.scope', coalesce(scope, ''), true);
  return result;
end $$;

revoke execute on function ledger_prove(boolean, timestamptz, jsonb) from public;
grant execute on function ledger_prove(boolean, timestamptz, jsonb) to {{app_role}};
