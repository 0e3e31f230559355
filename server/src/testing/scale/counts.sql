-- What the product keeps beside the rows: counts by state, arrivals by day.
insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, fresh, tree_id)
select station_id, user_id, state_code, (delivery_id is not null)::integer, count(*), sum(post_amount), sum(coalesce(cal_weight, weight)), sum(package_count), false, tree_id
from expresses where id >= (select min(id) from scale.parcel) group by 1, 2, 3, 4, 10;
insert into express_days (day, station_id, user_id, what, n, fresh, tree_id)
select business_day(created_at), station_id, user_id, 'ordered', count(*), false, tree_id from expresses where delivery_id is not null and id >= (select min(id) from scale.parcel) group by 1, 2, 3, 7
union all select business_day(m.at), p.station_id, p.user_id, a.what, count(distinct m.express_id), false, p.tree_id
from express_moves m join scale.parcel p on p.id = m.express_id, express_arrivals(m.from_code, m.to_code) a (what) group by 1, 2, 3, 4, 7;
insert into express_count_sums (station_id, state_code, waybill, n, post_amount, weight, package_count, tree_id)
select p.station_id, c.state_code, c.waybill, sum(c.n), sum(c.post_amount), sum(c.weight), sum(c.package_count), p.tree_id
from express_counts c cross join lateral (values (c.station_id, c.tree_id), (0, 0)) p (station_id, tree_id) where not c.fresh group by 1, 2, 3, 8
on conflict (station_id, state_code, waybill, tree_id) do update set n = excluded.n, post_amount = excluded.post_amount, weight = excluded.weight, package_count = excluded.package_count;
insert into express_day_sums (station_id, what, day, n, tree_id)
select p.station_id, d.what, d.day, sum(d.n), p.tree_id from express_days d cross join lateral (values (d.station_id, d.tree_id), (0, 0)) p (station_id, tree_id) where not d.fresh group by 1, 2, 3, 5
on conflict (station_id, day, what, tree_id) do update set n = excluded.n;
select express_roll_up();
insert into express_uses (what, of_id, day, n, fresh)
select x.what, x.of_id, business_day(e.created_at), count(*), false from expresses e cross join lateral express_uses_of(e) x
where e.id >= (select min(id) from scale.parcel) group by 1, 2, 3
union all select x.what, x.of_id, x.day, sum(x.n), false from expresses e cross join lateral express_promise_uses(e) x
where e.id >= (select min(id) from scale.parcel) group by 1, 2, 3 having sum(x.n) <> 0
union all select x.what, x.of_id, x.day, sum(x.n), false from expresses e cross join lateral express_pickup_uses(e) x
where e.id >= (select min(id) from scale.parcel) group by 1, 2, 3;
select express_uses_roll_up();
