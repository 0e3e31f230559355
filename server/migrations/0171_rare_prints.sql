-- Precondition: 0120.
-- Failed and repeated prints, which are few among all of their days. `failed` changes with a failure alone: an index whose condition names `result` would be one more
-- reason to write each index of the table again with every report of a printer.
alter table prints add column failed boolean not null generated always as (result = 'failed') stored;

create index prints_failed on prints (created_at desc, id desc) where failed;
comment on index prints_failed is 'Failed prints of all stations, newest first (features/prints/prints.ts). Only failed prints are written into it.';
create index prints_failed_station on prints (station_id, created_at desc, id desc) where failed;
comment on index prints_failed_station is 'Failed prints of a station, newest first (features/prints/prints.ts). Only failed prints are written into it.';
create index prints_repeated on prints (created_at desc, id desc) where print_count > 1;
comment on index prints_repeated is 'Reprints of all stations, newest first: the filters by reprint and times printed (features/prints/prints.ts). Only reprints are written into it.';
create index prints_repeated_station on prints (station_id, created_at desc, id desc) where print_count > 1;
comment on index prints_repeated_station is 'Reprints of a station, newest first: the filters by reprint and times printed (features/prints/prints.ts). Only reprints are written into it.';
