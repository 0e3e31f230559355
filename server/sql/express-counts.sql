-- Counts of parcels as signed steps (docs/decisions/0005).

create or replace function express_count_step() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into express_counts (station_id, user_id, state_code, waybill, n, tree_id)
      select station_id, user_id, state_code, (delivery_id is not null)::int, count(*), tree_id from new_rows group by 1, 2, 3, 4, 6;
  else
    insert into express_counts (station_id, user_id, state_code, waybill, n, tree_id)
      select station_id, user_id, state_code, waybill, sum(n), tree_id from (
        select n.station_id, n.user_id, n.state_code, (n.delivery_id is not null)::int as waybill, 1 as n, n.tree_id from new_rows n join old_rows o using (id)
          where n.state_code <> o.state_code or (n.delivery_id is null) <> (o.delivery_id is null)
        union all
        select o.station_id, o.user_id, o.state_code, (o.delivery_id is not null)::int, -1, o.tree_id from new_rows n join old_rows o using (id)
          where n.state_code <> o.state_code or (n.delivery_id is null) <> (o.delivery_id is null)) steps
      group by 1, 2, 3, 4, 6 having sum(n) <> 0;
  end if;
  return null;
end $$;

create or replace trigger express_counts_insert after insert on expresses referencing new table as new_rows for each statement execute function express_count_step();
create or replace trigger express_counts_update after update on expresses referencing old table as old_rows new table as new_rows for each statement execute function express_count_step();
