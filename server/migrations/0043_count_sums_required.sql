-- Precondition: 0042.
-- A program of the version before adds up counts without their sums. Without a default that fails and leaves every row as it was, where the sums would be lost.

-- No parcel changes while it is counted, and nothing is added up.
lock table expresses in share row exclusive mode;
lock table express_counts in access exclusive mode;

-- An owner that is no superuser sees rows only within a scope: migration 0031 would have counted none.
select set_config('waystation.scope', 'all', true);

alter table express_counts
  alter column post_amount drop default,
  alter column weight drop default,
  alter column package_count drop default;

delete from express_counts;
insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, fresh, tree_id)
  select station_id, user_id, state_code, (delivery_id is not null)::int, count(*), sum(post_amount), sum(coalesce(cal_weight, weight)), sum(package_count), false, tree_id
  from expresses group by 1, 2, 3, 4, tree_id;
