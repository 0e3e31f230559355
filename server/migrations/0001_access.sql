-- Precondition: an empty database of PostgreSQL 15 or newer.
-- Who may log in and what is kept of it: accounts, sessions, second factors, attempts, settings, audit log.
-- Functions, triggers, policies and grants are in server/sql; how tables and indexes are changed is in docs/decisions/0043.

create extension if not exists pg_trgm;

create table accounts (
  id bigint generated always as identity primary key,
  username text not null,
  nickname text not null default '',
  phone text not null default '',
  identity text not null default '',
  program_id bigint,
  station_id bigint,
  registered_at timestamptz not null default now(),
  avatar text not null default '',
  location text not null default '',
  role text not null check (role in ('super', 'admin', 'partner', 'station', 'user')),
  status smallint not null default 1 check (status in (0, 1)),
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  must_change smallint not null default 0 check (must_change in (0, 1)),
  last_seen_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Whether the person may take lists out as files: of clerks, those to whom somebody gave the right.
  may_export smallint not null default 1 check (may_export in (0, 1)),
  constraint accounts_station_by_role check ((role in ('super', 'admin')) = (station_id is null))
);
create unique index accounts_username on accounts (lower(username));
comment on index accounts_username is 'Unique: one account a name, in any case. Login by name (features/people/login.ts).';
create index accounts_station on accounts (station_id);
comment on index accounts_station is 'Accounts of a station: list and scope of accounts, the policies of what belongs to accounts (domain/network, features/people/accounts.ts).';

create table sessions (
  token_hash bytea primary key,
  account_id bigint not null references accounts (id),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null,
  -- What names a session to its owner; the token stays secret.
  id bigint generated always as identity
);
create index sessions_account on sessions (account_id);
comment on index sessions_account is 'Ends the sessions of an account, and counts them (features/people/accounts.ts).';
create unique index sessions_id on sessions (id);
comment on index sessions_id is 'Unique: a user ends one session by its number (features/people/profile.ts).';

-- One row per failed attempt; they are counted per account name and per address, over all processes, and apart for unknown browsers and for each browser
-- that has logged in before.
create table login_failures (
  id bigint generated always as identity primary key,
  username text not null,
  address text not null,
  at timestamptz not null default now(),
  -- The browser, where it has logged in before; null: an unknown one.
  known_as bytea
);
create index login_failures_username on login_failures (username, at);
comment on index login_failures_username is 'Attempts on a name since a moment (platform/auth/login-throttle.ts).';
create index login_failures_address on login_failures (address, at);
comment on index login_failures_address is 'Attempts from an address since a moment (platform/auth/login-throttle.ts).';
create index login_failures_known_as on login_failures (known_as) where known_as is not null;
comment on index login_failures_known_as is 'A browser that gets a new id keeps its attempts (platform/auth/known-browsers.ts).';

-- A browser that has logged in to an account: the hash of the id in its cookie, never the id.
create table known_browsers (
  account_id bigint not null references accounts (id),
  id_hash bytea not null,
  last_login_at timestamptz not null,
  primary key (account_id, id_hash)
);
create index known_browsers_id on known_browsers (id_hash);
comment on index known_browsers_id is 'The browser of a cookie (platform/auth/known-browsers.ts).';

-- The secret is encrypted with a key from outside the database. `confirmed_at` null: being set up, has no effect yet.
create table two_factor_secrets (
  account_id bigint primary key references accounts (id),
  secret bytea not null,
  confirmed_at timestamptz,
  -- The last time step whose code was taken: no code is taken twice.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

-- Each replaces one code of the app, once. A keyed hash, the key from outside the database.
create table recovery_codes (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  code_hash bytea not null,
  used_at timestamptz
);
create unique index recovery_codes_hash on recovery_codes (account_id, code_hash);
comment on index recovery_codes_hash is 'Unique: a code is found by account and hash, and used once (features/people/two-factor.ts).';

-- Who set up whose account: nobody approves what an account requests that they, or somebody who set up both, set up within 30 days (docs/ledger.md, Limits).
create table account_setups (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  -- Who did it, somebody else.
  by_account_id bigint not null references accounts (id),
  what text not null check (what in ('password', 'two_factor', 'role', 'station', 'status')),
  at timestamptz not null,
  constraint account_setups_by_somebody_else check (account_id <> by_account_id)
);
create index account_setups_account on account_setups (account_id, at);
comment on index account_setups_account is 'Who set an account up since a moment (domain/second-person).';

create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  account_id bigint references accounts (id)
);

-- Raised money limits: each waits 24 hours, or for a second person.
create table setting_raises (
  id bigint generated always as identity primary key,
  name text not null,
  amount_before bigint not null,
  amount_after bigint not null,
  account_id bigint not null references accounts (id),
  at timestamptz not null,
  effective_at timestamptz not null,
  status text not null default 'waiting' check (status in ('waiting', 'applied', 'confirmed', 'cancelled')),
  decided_by bigint references accounts (id),
  decided_at timestamptz,
  constraint setting_raises_rises check (amount_after > amount_before)
);
create unique index setting_raises_waiting on setting_raises (name) where status = 'waiting';
comment on index setting_raises_waiting is 'Unique: one raise of a setting waits (features/setup/settings.ts).';

-- What a user set up (settings, columns, views): name → value, the last writer wins.
create table preferences (
  account_id bigint not null references accounts (id),
  name text not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);

create table idempotency_keys (
  account_id bigint not null references accounts (id),
  endpoint text not null,
  key text not null,
  body_hash bytea not null,
  subject_id bigint,
  created_at timestamptz not null default now(),
  primary key (account_id, endpoint, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
comment on index idempotency_keys_age is 'Deletes keys older than 30 days (features/people/tidy.ts).';

-- Who changed what, when, from where: one row per change, in the change's own transaction.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  account_id bigint references accounts (id),
  account_name text not null,
  role text not null,
  address text not null default '',
  request_id text not null default '',
  action text not null,
  subject text not null,
  subject_id bigint,
  station_id bigint,
  changes jsonb not null default '{}',
  reason text not null default '',
  tree_id bigint not null default 0
);
create index audit_log_subject on audit_log (subject, subject_id, id desc);
comment on index audit_log_subject is 'The log of one record, newest first (features/people/audit.ts).';
create index audit_log_at on audit_log (at desc);
comment on index audit_log_at is 'The log of everything, newest first, and its days (features/people/audit.ts).';
create index audit_log_station on audit_log (station_id, at desc);
comment on index audit_log_station is 'The log of a station, newest first (features/people/audit.ts).';
create index audit_log_request on audit_log (request_id) where request_id <> '';
comment on index audit_log_request is 'The changes of one request (features/people/audit.ts).';
-- Rows are only added.
alter table audit_log set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0.02);

-- Refused calls of the minutes that are not in the audit log yet: one row an address, account, kind and minute (requirements §10.12.6).
create table refused_calls (
  minute timestamptz not null,
  address text not null,
  -- Who was logged in, or whose login was tried; 0: nobody that exists.
  account_id bigint not null,
  action text not null check (action in ('login_failed', 'call_forbidden', 'row_not_found')),
  tries integer not null default 1,
  last_at timestamptz not null,
  -- The first of them.
  call text not null,
  primary key (minute, address, account_id, action)
);

-- Whole phones that an account looked for outside its own station, by hour; the digest is keyed with the product's secret, so that the table names nobody.
create table phone_searches (
  account_id bigint not null references accounts (id),
  hour timestamptz not null,
  digest text not null,
  primary key (account_id, hour, digest)
);

-- Which worker processes live: a worker that stops beating has its jobs freed.
create table worker_heartbeats (
  worker_id text primary key,
  seen_at timestamptz not null default now()
);
