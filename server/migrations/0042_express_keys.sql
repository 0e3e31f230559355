-- Precondition: 0033.
-- The keys of a parcel's search become small, and are in the order in which they are read (docs/decisions/0036). A program of the version before cannot
-- search, or store a parcel, from here until the files of server/sql are applied.

-- Only triggers on expresses write here: a foreign key would look the parcel up again for each key. They delete by the primary key.
alter table express_keys drop constraint express_keys_express_id_fkey;
alter table express_keys drop constraint express_keys_pkey;
drop index express_keys_station;
drop index express_keys_express;

-- kind 1: waybills, order number and third-party number, in capitals; 2: waybill and order number reversed, for their ends; 3: digits of phones reversed;
-- 4: pairs of neighbouring characters of names, or the one character of a name. express_key_list (server/sql/express-keys.sql) says which a parcel has.
alter table express_keys alter column kind type smallint
  using case kind when 'd' then 1 when 'o' then 1 when 't' then 1 when 'rd' then 2 when 'ro' then 2 when 'p' then 3 when 'n' then 4 end;

select set_config('waystation.scope', 'all', true);
-- A number that is, say, order number and third-party number of one parcel was two keys.
delete from express_keys k using (
    select express_id, kind, key, min(ctid) as first from express_keys where kind in (1, 2) group by express_id, kind, key having count(*) > 1) twin
  where (k.express_id, k.kind, k.key) = (twin.express_id, twin.kind, twin.key) and k.ctid <> twin.first;

-- The searches of a station and of a partner, whose stations are read one by one: the newest parcels of one key without a sort, or a range of keys
-- (server/src/features/parcels/search-keys.ts).
alter table express_keys add constraint express_keys_pkey primary key (station_id, kind, key, express_id) include (user_id);
-- The same for readers of all stations. Its condition holds for every row, and only their queries name it: for a key that few have, the planner would
-- otherwise read a station's parcels through this index and pass by those of all others. Station and account are in it for the policy alone.
create index express_keys_all on express_keys (kind, key, express_id) include (station_id, user_id) where express_id > 0;
-- Rows are only added, the newest are read most, and reading an index alone needs the visibility map: it is brought up to date after 20,000 rows.
alter table express_keys set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000, autovacuum_analyze_scale_factor = 0.02);
