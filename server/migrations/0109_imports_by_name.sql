-- Precondition: none.
-- A search for everything compares the file names of many imports (domain/imports/store.ts): they are read from the indexes alone.
drop index imports_station;
create index imports_station on imports (station_id, created_at desc, id desc) include (user_id, file_name);
comment on index imports_station is 'The imports of a station, newest first (features/imports/imports.ts), with the names that a search compares.';
drop index imports_created;
create index imports_created on imports (created_at desc, id desc) include (station_id, user_id, file_name);
comment on index imports_created is 'All imports, newest first (features/imports/imports.ts), with the names that a search compares.';
