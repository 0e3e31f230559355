-- Precondition: none.
-- The pickup window that was chosen for a parcel; null: as soon as possible.
select set_config('waystation.scope', 'all', true);
alter table expresses add column pickup_from timestamptz;
alter table expresses add column pickup_until timestamptz;
alter table expresses add constraint expresses_pickup_window
  check (num_nulls(pickup_from, pickup_until) in (0, 2) and pickup_from < pickup_until) not valid;
alter table expresses validate constraint expresses_pickup_window;
select set_config('waystation.scope', '', true);
