-- Creates one contact per ten parcels and one imported file per fifty. The product's triggers create their search keys.
set session_replication_role = origin;
insert into contacts (station_id, kind, name, phone, province, city, county, address, created_at, updated_at)
select station_id, 'receive', receive_name, receive_phone, receive_province, receive_city, receive_county, receive_address, created_at, created_at
from expresses where id % 10 = 0 and receive_name <> '' and receive_phone <> '' and receive_city <> '' order by id;
insert into imports (station_id, user_id, file_name, file_type, file_bytes, file_hash, status, rows_read, rows_total, created_at, confirmed_at, finished_at)
select station_id, user_id, to_char(created_at, 'MM-DD ') || receive_city || ' ' || goods || '.xlsx', 'xlsx', 20000, sha256(int8send(id)), 'done', 50, 50, created_at, created_at, created_at
from expresses where id % 50 = 0 order by id;
