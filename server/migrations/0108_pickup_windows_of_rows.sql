-- Precondition: none.
-- The pickup window that was chosen for a row at its confirmation; null: as soon as possible.
select set_config('waystation.scope', 'all', true);
alter table import_prices
  add column pickup_from timestamptz,
  add column pickup_until timestamptz;
alter table import_prices add constraint import_prices_pickup_window check (num_nulls(pickup_from, pickup_until) in (0, 2) and pickup_from < pickup_until) not valid;
select set_config('waystation.scope', '', true);
