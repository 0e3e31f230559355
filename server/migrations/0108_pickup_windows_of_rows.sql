-- Precondition: none.
-- The pickup window that was chosen for a row at its confirmation; null: as soon as possible.
alter table import_prices
  add column pickup_from timestamptz,
  add column pickup_until timestamptz,
  add constraint import_prices_pickup_window check (num_nulls(pickup_from, pickup_until) in (0, 2) and pickup_from < pickup_until);
-- Parcels with a window, by its end.
create index expresses_windows on expresses (station_id, provider, pickup_until) where pickup_until is not null;
comment on index expresses_windows is 'How a carrier kept its pickup windows at a station (domain/express/kept-windows.ts).';
