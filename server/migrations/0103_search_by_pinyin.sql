-- Precondition: none.
-- The pinyin by which a name is found (server/src/platform/pinyin.ts); null until the application or the task fill_pinyin has read the name.
alter table stations add column pinyin text;
alter table accounts add column pinyin text;
alter table vouchers add column pinyin text;
alter table contacts add column pinyin text;
create index contacts_without_pinyin on contacts (id) where pinyin is null;
comment on index contacts_without_pinyin is 'Contacts whose name is not read yet (features/search/fill-pinyin.ts, which reads the tables of platform/pinyin.ts).';

-- How a contact is found from the palette: equality and range on leakproof operators, so that row-level security keeps the index (docs/decisions/0160). kind 1: the
-- name from each of its characters on, in lower case, and its pinyin; 2: digits of the phone reversed. Only triggers on contacts write here
-- (server/sql/contact-keys.sql), and no contact is deleted.
create table contact_keys (
  station_id bigint not null,
  kind smallint not null,
  key text not null collate "C",
  contact_id bigint not null,
  primary key (station_id, kind, key, contact_id)
);
create index contact_keys_all on contact_keys (kind, key, contact_id) include (station_id);
comment on index contact_keys_all is 'Contacts of all stations by a beginning (features/stations/find-contacts.ts). The station is in it for the policy alone.';
