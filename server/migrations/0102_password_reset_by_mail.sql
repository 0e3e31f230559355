-- Precondition: none.
-- A mailbox that was confirmed with the password may set a forgotten one (docs/decisions/0159): the link that was mailed last, which is removed once it is used.
alter table notice_channels
  add column resets_password boolean not null default false,
  -- SHA-256 of the token; the token itself is nowhere.
  add column reset_hash bytea,
  add column reset_until timestamptz,
  -- When the account's password was set: the link ends with another one.
  add column reset_issued_at timestamptz,
  -- Links that were mailed since then.
  add column reset_from timestamptz,
  add column reset_mailed integer not null default 0;
create unique index notice_channels_reset_hash on notice_channels (reset_hash) where reset_hash is not null;
comment on index notice_channels_reset_hash is 'Unique: the account of a link (domain/notices/reset-link.ts).';
