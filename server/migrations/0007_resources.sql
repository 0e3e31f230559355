-- Precondition: 0004.
-- What the office says of goods and delivery times beyond their names, and the indexes by which their use is counted.

-- Goods nobody may ship stay in the list with the reason, so that an order with them is refused in words.
alter table cargos add column banned smallint not null default 0 check (banned in (0, 1)),
  add column banned_reason text not null default '',
  add constraint cargos_banned_says_why check (banned = 0 or banned_reason <> '');

-- promise_name is the Chinese name; empty: there is none in English. cutoff_time is HH:MM in Asia/Shanghai; a lower sort stands first.
alter table promises add column promise_name_en text not null default '',
  add column cutoff_time text not null default '' check (cutoff_time ~ '^(([01]\d|2[0-3]):[0-5]\d)?$'),
  add column sort integer not null default 100 check (sort between 0 and 9999);

-- What was shipped lately by goods and delivery time, and how long it took, answered from the index alone.
create index expresses_recent on expresses (created_at) include (provider, goods, promise_id, voucher_id, project_id, station_id, user_id);
create index expresses_signed on expresses (signed_at) include (provider, promise_id, ordered_at, station_id, user_id) where signed_at is not null;

create index contacts_updated on contacts (station_id, kind, updated_at desc, id desc);
