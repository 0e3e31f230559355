-- Precondition: 0001.
-- Sessions get a number to speak of them by; the second step of the login; fewer ways to read what hangs on an account.

alter table sessions add column id bigint generated always as identity;
create unique index sessions_id on sessions (id);

-- The secret is sealed with a key from outside the database. `confirmed_at` null: being set up, counts for nothing yet.
create table second_factors (
  account_id bigint primary key references accounts (id),
  secret bytea not null,
  confirmed_at timestamptz,
  -- The last time step whose code was taken: no code is taken twice.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

-- Each takes the place of one code of the app, once. A keyed hash, the key from outside the database.
create table recovery_codes (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  code_hash bytea not null,
  used_at timestamptz
);
create unique index recovery_codes_hash on recovery_codes (account_id, code_hash);
