-- I10 (docs/ledger.md, Proof): each move of a parcel is legal and starts from the end of the move
-- before. The parcel is in the state of its last move.

-- The legal moves of requirements §4; server/src/domain/express/state.ts has the same list.
create or replace function legal_moves() returns table (from_code smallint, to_code smallint) language sql immutable as $$
  select f::smallint, unnest(t)::smallint from (values (0, '{10,20,500}'::int[]), (10, '{20,500}'), (20, '{90,100}'), (90, '{10,20,500}'),
    (100, '{200,210,220,300,400,410,500}'), (200, '{210,220,300,400,410}'), (210, '{200,220,300,400,410}'), (220, '{200,210,300,400,410}'),
    (300, '{400,410}'), (400, '{200,210,220,300,410}'), (410, '{420}'), (500, '{200,210,220,300,400,410}')) moves (f, t)
$$;

-- I10 of the given parcels. Moves by the carrier may rewrite history, so another proof checks them:
-- the fold over the carrier's messages.
create or replace function express_move_proof(ids bigint[]) returns table (invariant text, subject text, stations bigint[], detail text)
  language plpgsql stable set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with moves as materialized (
    select m.*, lag(m.to_code) over w as before, lead(m.id) over w is null as newest
    from unnest(ids) k (id) cross join lateral (select m.* from express_moves m where m.express_id = k.id offset 0) m window w as (partition by m.express_id order by m.id)
  )
  select 'I10', 'parcel ' || m.express_id, null::bigint[], format('went from %s to %s by %s', m.from_code, m.to_code, m.cause) from moves m
    where m.from_code is not null and m.cause <> 'carrier' and not exists (select 1 from legal_moves() l where l.from_code = m.from_code and l.to_code = m.to_code)
  union all select 'I10', 'parcel ' || m.express_id, null, format('moves from %s but was in %s', m.from_code, m.before) from moves m where m.before is distinct from m.from_code
  union all select 'I10', 'parcel ' || e.id, null, format('is in %s, its last move says %s', e.state_code, m.to_code)
    from moves m cross join lateral (select e.id, e.state_code from expresses e where e.id = m.express_id offset 0) e where m.newest and m.to_code <> e.state_code;
end $$;
