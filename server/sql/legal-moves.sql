-- I10 (docs/ledger.md, Proof): parcels make legal moves only, each from where the one before ended, and stand where their last one says.

-- The moves of requirements §4; server/src/domain/express/state.ts says the same.
create or replace function legal_moves() returns table (from_code smallint, to_code smallint) language sql immutable as $$
  select f::smallint, unnest(t)::smallint from (values (0, '{10,20,500}'::int[]), (10, '{20,500}'), (20, '{90,100}'), (90, '{10,20,500}'),
    (100, '{200,210,220,300,400,410,500}'), (200, '{210,220,300,400,410}'), (210, '{200,220,300,400,410}'), (220, '{200,210,300,400,410}'),
    (300, '{400,410}'), (400, '{200,210,220,300,410}'), (410, '{420}'), (500, '{200,210,220,300,400,410}')) moves (f, t)
$$;

-- Not whole: of the moves of the last two days. What a carrier says may rewrite history: its moves are judged by the fold over its messages.
create or replace function move_proof(whole boolean) returns table (invariant text, subject text, detail text) language plpgsql stable as $$
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
