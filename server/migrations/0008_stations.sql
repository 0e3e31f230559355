-- Precondition: 0003.
-- Whoever makes a station reads its id before its scope has the row.
grant select on sequence stations_id_seq to {{app_role}};
