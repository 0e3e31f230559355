-- Precondition: 0108. In a transaction of its own, so that rows are priced meanwhile.
select set_config('waystation.scope', 'all', true);
alter table import_prices validate constraint import_prices_pickup_window;
select set_config('waystation.scope', '', true);
-- Parcels with a window, by its end.
create index expresses_windows on expresses (station_id, provider, pickup_until) where pickup_until is not null;
comment on index expresses_windows is 'How a carrier kept its pickup windows at a station (domain/express/kept-windows.ts).';
