-- Precondition: 0004.
-- Who set up whose account: nobody approves what an account asks for that they, or somebody who set up both, set up within 30 days (docs/ledger.md, Limits).

create table account_setups (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  -- Who did it, somebody else.
  by_account_id bigint not null references accounts (id),
  what text not null check (what in ('password', 'second_factor', 'role', 'station', 'status')),
  at timestamptz not null,
  check (account_id <> by_account_id)
);
create index account_setups_account on account_setups (account_id, at);

-- Requests nobody else may decide, since when everybody in the office could know: 24 hours later they can be executed.
create table request_announcements (
  statement_id bigint primary key references statements (id),
  account_id bigint not null references accounts (id),
  at timestamptz not null
);

-- Whose doing an alert tells of: they do not close it themselves.
alter table alerts add column account_id bigint references accounts (id);
