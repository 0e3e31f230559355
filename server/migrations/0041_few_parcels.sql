-- Precondition: 0004.
-- Filters that find few parcels are answered from an index of these alone.

create index expresses_need_retry on expresses (station_id, created_at desc, id desc) where need_retry = 1;
-- The newest of all address books; of one station, contacts_updated has them by kind.
create index contacts_newest on contacts (updated_at desc, id desc);
create index contacts_station_newest on contacts (station_id, updated_at desc, id desc);
