-- Precondition: 0012_periods.
-- I10 (docs/ledger.md, Proof): parcels make legal moves only, each from where the one before ended, and stand where their last one says.

-- The moves of requirements §4; server/src/domain/express/state.ts says the same.
create function legal_moves() returns table (from_code smallint, to_code smallint) language sql immutable as $$
  select f::smallint, unnest(t)::smallint from (values (0, '{10,20,500}'::int[]), (10, '{20,500}'), (20, '{90,100}'), (90, '{10,20,500}'),
    (100, '{200,210,220,300,400,410,500}'), (200, '{210,220,300,400,410}'), (210, '{200,220,300,400,410}'), (220, '{200,210,300,400,410}'),
    (300, '{400,410}'), (400, '{200,210,220,300,410}'), (410, '{420}'), (500, '{200,210,220,300,400,410}')) moves (f, t)
$$;

create index express_moves_at on express_moves using brin (at) with (pages_per_range = 32, autosummarize = on);

-- Not whole: of the moves of the last two days. What a carrier says may rewrite history: its moves are judged by the fold over its messages.
create function move_proof(whole boolean) returns table (invariant text, subject text, detail text) language plpgsql stable as $$
begin
  return query
  with looked as materialized (
    select m.* from express_moves m where whole or m.at > now() - interval '2 days'
  ), joined as (
    select m.*, (select p.to_code from express_moves p where p.express_id = m.express_id and p.id < m.id order by p.id desc limit 1) as before from looked m
  )
  select 'I10', 'parcel ' || m.express_id, format('went from %s to %s by %s', m.from_code, m.to_code, m.cause) from looked m
    where m.from_code is not null and m.cause <> 'carrier' and not exists (select 1 from legal_moves() l where l.from_code = m.from_code and l.to_code = m.to_code)
  union all select 'I10', 'parcel ' || j.express_id, format('moves from %s but was in %s', j.from_code, j.before) from joined j where j.before is distinct from j.from_code
  union all select 'I10', 'parcel ' || e.id, format('stands in %s, its last move says %s', e.state_code, l.to_code)
    from (select distinct express_id from looked) k join expresses e on e.id = k.express_id
      cross join lateral (select p.to_code from express_moves p where p.express_id = e.id order by p.id desc limit 1) l where l.to_code <> e.state_code;
end $$;

-- As before, and of the parcels' moves.
create or replace function ledger_prove(whole boolean, moment timestamptz) returns jsonb language plpgsql security definer set search_path = public, pg_temp set jit = off as $$
declare
  scope text := current_setting('waystation.scope', true);
  others jsonb := '[]';
  result jsonb;
begin
  perform set_config('waystation.scope', 'all', true);
  -- One proof at a time, so that checkpoints only go forward.
  perform pg_advisory_xact_lock(hashtextextended('ledger_prove', 0));
  others := others || (select coalesce(jsonb_agg(jsonb_build_object('invariant', p.invariant, 'subject', p.subject, 'detail', p.detail)), '[]')
    from (select * from period_proof(whole) union all select * from move_proof(whole) limit 500) p);
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
