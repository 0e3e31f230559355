-- Creates the planned stations and people. Their rows are copied from a station of the same level in the example network, so that columns added later are included.
create table scale.terms as
select s.id as station_id, q.pattern, jsonb_set(jsonb_set(q.terms, '{station,id}', to_jsonb(s.id)), '{links}', coalesce((
    select jsonb_agg(l || jsonb_build_object('child_id', c.above, 'parent_id', p.above) order by n)
    from jsonb_array_elements(q.terms -> 'links') with ordinality x (l, n)
      join scale.above c on c.id = s.id and c.up = n - 1 join scale.above p on p.id = s.id and p.up = n), '[]')) as terms
from scale.station s join (select distinct p.level, p.terms as pattern, e.terms from scale.pattern p join expresses e on e.id = p.id) q on q.level = s.level;
create unique index on scale.terms (station_id, pattern);
analyze scale.terms;
