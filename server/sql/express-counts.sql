-- Counts and sums of parcels as signed steps (docs/decisions/0005). A parcel adds its amount due,
-- its weight (the billed one, else the declared) and its packages to the counts of its state.
-- `waybill` is 1 if the parcel has, or had, a waybill number.

create or replace function express_count_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count) values
      (new.station_id, new.user_id, new.state_code, (new.delivery_id is not null)::int, 1, new.post_amount, coalesce(new.cal_weight, new.weight), new.package_count);
  else
    insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count) values
      (old.station_id, old.user_id, old.state_code, (old.delivery_id is not null)::int, -1, -old.post_amount, -coalesce(old.cal_weight, old.weight), -old.package_count),
      (new.station_id, new.user_id, new.state_code, (new.delivery_id is not null)::int, 1, new.post_amount, coalesce(new.cal_weight, new.weight), new.package_count);
  end if;
  return null;
end $$;

create or replace trigger express_counts_insert after insert on expresses for each row execute function express_count_step();
create or replace trigger express_counts_update after update of station_id, user_id, state_code, delivery_id, post_amount, cal_weight, weight, package_count on expresses
  for each row when ((old.station_id, old.user_id, old.state_code, old.delivery_id is null, old.post_amount, coalesce(old.cal_weight, old.weight), old.package_count)
    is distinct from (new.station_id, new.user_id, new.state_code, new.delivery_id is null, new.post_amount, coalesce(new.cal_weight, new.weight), new.package_count))
  execute function express_count_step();
