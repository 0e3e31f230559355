-- What the product keeps beside the rows: counts by state, arrivals by day.
insert into express_counts (station_id, user_id, state_code, waybill, n)
select station_id, user_id, state_code, (delivery_id is not null)::integer, count(*) from expresses where id >= (select min(id) from scale.parcel) group by 1, 2, 3, 4;
insert into express_days (day, station_id, user_id, what, n, fresh)
select business_day(created_at), station_id, user_id, 'ordered', count(*), false from expresses where delivery_id is not null and id >= (select min(id) from scale.parcel) group by 1, 2, 3
union all select business_day(m.at), p.station_id, p.user_id, a.what, count(distinct m.express_id), false
from express_moves m join scale.parcel p on p.id = m.express_id, express_arrivals(m.from_code, m.to_code) a (what) group by 1, 2, 3, 4;
