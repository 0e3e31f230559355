-- Precondition: 0104.
-- Parcels up to this id are not in the sums of lanes and of kept promises yet: they are added up in slices while the database serves
-- (server/sql/express-uses.sql). No row: all parcels are.
create table express_lane_fill (
  one boolean primary key default true check (one),
  upto_id bigint not null
);
