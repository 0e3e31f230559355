-- Precondition: none.
-- Fen for which the key may order on a business day; null: as its account.
alter table api_keys add column daily_limit bigint;
alter table api_keys add constraint api_keys_daily_limit check (daily_limit >= 0);
-- Fen for which a key has ordered on its last business day with an order (domain/express/key-orders.ts). A table of its own, because an order holds the row until
-- its commit, and each call by the key changes that of the key.
create table api_key_orders (
  key_id bigint primary key references api_keys (id) on delete cascade,
  day date not null,
  amount bigint not null
) with (fillfactor = 50);
