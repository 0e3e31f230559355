-- Precondition: 0001.
-- Tries at a password are counted apart for strangers and for each browser that has logged in before; refused calls are summed for the audit log
-- (requirements §10.12.6).

-- A browser that has logged in to an account: the hash of the id in its cookie, never the id.
create table known_browsers (
  account_id bigint not null references accounts (id),
  id_hash bytea not null,
  last_login_at timestamptz not null,
  primary key (account_id, id_hash)
);
create index known_browsers_id on known_browsers (id_hash);

-- Null: a stranger's try.
alter table login_failures add column known_as bytea;
create index login_failures_known_as on login_failures (known_as) where known_as is not null;

-- Refused calls of the minutes that are not in the audit log yet: one row an address, account, kind and minute.
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
