-- Precondition: 0150.
-- `coalesce` is not leakproof: row-level security kept the time of the last movement out of the index's condition, so that all parcels under way were read.
drop index expresses_unmoved;
create index expresses_moved on expresses (station_id, last_event_at, ordered_at, created_at) where state_code in (100, 200, 210, 220, 400, 410);
comment on index expresses_moved is 'Parcels of a station that have not moved for long (domain/express/unmoved.ts).';
