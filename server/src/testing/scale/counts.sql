-- Inserts the sums that the product stores in addition to the rows: counts per state, and arrivals per day.
insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, fresh)
select station_id, user_id, state_code, (delivery_id is not null)::integer, count(*), sum(post_amount), sum(coalesce(cal_weight, weight)), sum(package_count), false
from expresses where id >= (select min(id) from scale.parcel) group by 1, 2, 3, 4;
insert into express_days (day, station_id, user_id, what, n, fresh)
select business_day(created_at), station_id, user_id, 'ordered', count(*), false from expresses where delivery_id is not null and id >= (select min(id) from scale.parcel) group by 1, 2, 3
union all select business_day(m.at), p.station_id, p.user_id, a.what, count(distinct m.express_id), false
from express_moves m join scale.parcel p on p.id = m.express_id, express_arrivals(m.from_code, m.to_code) a (what) group by 1, 2, 3, 4;
insert into express_count_sums (station_id, state_code, waybill, n, post_amount, weight, package_count)
select p.station_id, c.state_code, c.waybill, sum(c.n), sum(c.post_amount), sum(c.weight), sum(c.package_count)
from express_counts c cross join lateral (values (c.station_id), (0)) p (station_id) where not c.fresh group by 1, 2, 3
on conflict (station_id, state_code, waybill) do update set n = excluded.n, post_amount = excluded.post_amount, weight = excluded.weight, package_count = excluded.package_count;
insert into express_day_sums (station_id, what, day, n)
select p.station_id, d.what, d.day, sum(d.n) from express_days d cross join lateral (values (d.station_id), (0)) p (station_id) where not d.fresh group by 1, 2, 3
on conflict (station_id, day, what) do update set n = excluded.n;
select express_roll_up();
insert into express_uses (what, of_id, day, n, fresh)
select x.what, x.of_id, business_day(e.created_at), count(*), false from expresses e cross join lateral express_uses_of(e) x
where e.id >= (select min(id) from scale.parcel) group by 1, 2, 3
union all select x.what, x.of_id, x.day, sum(x.n), false from expresses e cross join lateral express_promise_uses(e) x
where e.id >= (select min(id) from scale.parcel) group by 1, 2, 3 having sum(x.n) <> 0
union all select x.what, x.of_id, x.day, sum(x.n), false from expresses e cross join lateral express_pickup_uses(e) x
where e.id >= (select min(id) from scale.parcel) group by 1, 2, 3;
insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time, fresh)
select x.station_id, x.lane, x.day, sum(x.signed), sum(x.minutes), sum(x.due), sum(x.on_time), false from expresses e cross join lateral express_station_lanes(e) x
where e.id >= (select min(id) from scale.parcel) and x.day >= first_lane_day() group by 1, 2, 3;
select express_uses_roll_up();
