-- Counts and sums of parcels as signed steps (docs/decisions/0005): a parcel counts in its state with its amount due, its weight (the billed one, else the declared)
-- and its packages. `waybill` 1: it has, or had, one.

create or replace function express_count_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, tree_id)
      select station_id, user_id, state_code, (delivery_id is not null)::int, count(*), sum(post_amount), sum(coalesce(cal_weight, weight)), sum(package_count), tree_id
      from new_rows group by 1, 2, 3, 4, 9;
  else
    insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, tree_id)
      select s.station_id, s.user_id, s.state_code, s.waybill, sum(s.n), sum(s.n * s.post_amount), sum(s.n * s.weight), sum(s.n * s.package_count), s.tree_id
      from new_rows r join old_rows o using (id) cross join lateral (values
        (r.station_id, r.user_id, r.state_code, (r.delivery_id is not null)::int, 1, r.post_amount, coalesce(r.cal_weight, r.weight)::bigint, r.package_count, r.tree_id),
        (o.station_id, o.user_id, o.state_code, (o.delivery_id is not null)::int, -1, o.post_amount, coalesce(o.cal_weight, o.weight)::bigint, o.package_count, o.tree_id)
      ) s (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, tree_id)
      where (r.state_code, r.delivery_id is null, r.post_amount, coalesce(r.cal_weight, r.weight), r.package_count)
        is distinct from (o.state_code, o.delivery_id is null, o.post_amount, coalesce(o.cal_weight, o.weight), o.package_count)
      group by 1, 2, 3, 4, 9
      having (sum(s.n), sum(s.n * s.post_amount), sum(s.n * s.weight), sum(s.n * s.package_count)) <> (0, 0, 0, 0);
  end if;
  return null;
end $$;

create or replace trigger express_counts_insert after insert on expresses referencing new table as new_rows for each statement execute function express_count_step();
create or replace trigger express_counts_update after update on expresses referencing old table as old_rows new table as new_rows for each statement execute function express_count_step();
