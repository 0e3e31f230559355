-- Precondition: 0006.
-- The prices of facts and the contents of versions are stored as their values and the name of their shape, a quarter of the bytes. No row is rewritten and
-- no lock is held for long: rows of before keep their JSON, which is read as before.
create table json_shapes (
  -- The beginning of the template's hash, in base64.
  id text collate "C" primary key,
  -- The JSON text with %s for each value, as format() reads it.
  template text not null
);
-- json_unpack (server/sql/packed-json.sql) reads both; `price` and `content` are null in rows that have them.
alter table express_facts add column packed_price text;
alter table express_versions add column packed_content text;
alter table express_versions alter column content drop not null;
