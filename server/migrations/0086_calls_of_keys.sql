-- Precondition: none.
-- Calls in a minute by all keys of an account; the minute begins with its first call, by the database's clock, as for one key (platform/auth/key-callers.ts).
create table account_key_calls (
  account_id bigint primary key references accounts (id),
  minute timestamptz not null,
  calls integer not null
) with (fillfactor = 50);
