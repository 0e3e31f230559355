-- What the product keeps beside the rows: counts by state, arrivals by day.
insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, fresh, tree_id)
select station_id, user_id, state_code, (delivery_id is not null)::integer, count(*), sum(post_amount), sum(coalesce(cal_weight, weight)), sum(package_count), false, tree_id
from expresses where id >= (select min(id) from scale.parcel) group by 1, 2, 3, 4, 10;
insert into express_days (day, station_id, user_id, what, n, fresh, tree_id)
select business_day(created_at), station_id, user_id, 'ordered', count(*), false, tree_id from expresses where delivery_id is not null and id >= (select min(id) from scale.parcel) group by 1, 2, 3, 7
union all select business_day(m.at), p.station_id, p.user_id, a.what, count(distinct m.express_id), false, p.tree_id
from express_moves m join scale.parcel p on p.id = m.express_id, express_arrivals(m.from_code, m.to_code) a (what) group by 1, 2, 3, 4, 7;
