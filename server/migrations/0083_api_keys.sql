-- Precondition: none.
-- Keys by which programs call the API in the name of an account, without a session.
create table api_keys (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  -- Who made it, and the manager whose limits it counts against: the maker itself where nobody stands above it.
  made_by bigint not null references accounts (id),
  made_under bigint not null references accounts (id),
  name text not null,
  -- SHA-256 of the key; the key itself is nowhere.
  token_hash bytea not null,
  -- The first characters, by which people tell keys apart.
  hint text not null,
  scopes text[] not null,
  -- Addresses and networks in CIDR notation that may use it; empty: any.
  addresses text[] not null default '{}',
  created_at timestamptz not null,
  -- Null: never.
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_by bigint references accounts (id),
  check ((revoked_at is null) = (revoked_by is null))
);
create unique index api_keys_token_hash on api_keys (token_hash);
comment on index api_keys_token_hash is 'Unique: the key of a call (platform/auth/key-callers.ts).';
create index api_keys_account on api_keys (account_id);
comment on index api_keys_account is 'The keys of an account, and their number (features/people/api-keys.ts).';
create index api_keys_made_under on api_keys (made_under, created_at);
comment on index api_keys_made_under is 'Keys made under a manager on a day and in all (features/people/api-keys.ts).';

-- Calls of a key in its last minute.
create table api_key_calls (
  key_id bigint primary key references api_keys (id) on delete cascade,
  minute timestamptz not null,
  calls integer not null
) with (fillfactor = 50);

-- The name of the key by which a change was made; empty: a session.
alter table audit_log add column key_name text not null default '';
