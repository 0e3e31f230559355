-- Precondition: 0004.
-- The counting steps of parcels carry money, weight and packages too, so that the sums of an unfiltered list are exact at any size; only keys with new steps are
-- added up again (docs/decisions/0005).

-- No parcel changes while its steps are written.
lock table expresses in share row exclusive mode;

alter table express_counts
  -- Fen.
  add column post_amount bigint not null default 0,
  -- Grams: the billed weight, else the declared one.
  add column weight bigint not null default 0,
  add column package_count bigint not null default 0,
  -- A step that has not been added up yet.
  add column fresh boolean not null default true;

delete from express_counts;
insert into express_counts (station_id, user_id, state_code, waybill, n, post_amount, weight, package_count, fresh)
  select station_id, user_id, state_code, (delivery_id is not null)::int, count(*), sum(post_amount), sum(coalesce(cal_weight, weight)), sum(package_count), false
  from expresses group by 1, 2, 3, 4;

drop index express_counts_station;
create index express_counts_station on express_counts (station_id, user_id, state_code, waybill) include (n, post_amount, weight, package_count);
create index express_counts_fresh on express_counts (station_id) where fresh;
