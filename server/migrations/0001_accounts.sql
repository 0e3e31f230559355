-- Precondition: an empty database of PostgreSQL 15 or newer.
-- Accounts, sessions, settings, repeat keys and audit. Functions, triggers, policies and grants are in server/sql.

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
  constraint accounts_station_by_role check ((role in ('super', 'admin')) = (station_id is null))
);
create unique index accounts_username on accounts (lower(username));
create index accounts_station on accounts (station_id);

create table sessions (
  token_hash bytea primary key,
  account_id bigint not null references accounts (id),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null
);
create index sessions_account on sessions (account_id);

-- One row per failed try; guessing is counted per account name and per address, over all processes.
create table login_failures (
  id bigint generated always as identity primary key,
  username text not null,
  address text not null,
  at timestamptz not null default now()
);
create index login_failures_username on login_failures (username, at);
create index login_failures_address on login_failures (address, at);

create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

create table idempotency_keys (
  account_id bigint not null references accounts (id),
  endpoint text not null,
  key text not null,
  body_hash bytea not null,
  subject_id bigint,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, endpoint, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

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
  reason text not null default ''
);
create index audit_log_subject on audit_log (subject, subject_id, id desc);
create index audit_log_at on audit_log (at desc);

-- Which worker processes live: a worker that stops beating has its jobs freed.
create table worker_heartbeats (
  worker_id text primary key,
  seen_at timestamptz not null default now()
);

-- What a person set up for themselves (settings, columns, views): name → value, the last writer wins.
create table preferences (
  account_id bigint not null references accounts (id),
  name text not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, name)
);
