-- Precondition: none.
-- The link by which an account sets its password; one an account, a new one replaces it (docs/decisions/0155). It is deleted once it is used.
create table account_invitations (
  account_id bigint primary key references accounts (id),
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash bytea not null,
  made_by bigint not null references accounts (id),
  -- What the account was when the link was made: the link ends with any change of it.
  role text not null,
  station_id bigint references stations (id),
  -- The time of the account's unusable password: the link ends with another password.
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  -- Links of the account that were mailed since then.
  mailed_from timestamptz,
  mailed integer not null default 0
);
create unique index account_invitations_token_hash on account_invitations (token_hash);
comment on index account_invitations_token_hash is 'Unique: the account of a link (platform/auth/invitations.ts).';
create index account_invitations_made_by on account_invitations (made_by, mailed_from);
comment on index account_invitations_made_by is 'Links that a manager mailed in the last hour (platform/auth/invitations.ts).';
