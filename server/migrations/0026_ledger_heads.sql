-- Precondition: 0003.
-- Heads of the chains, written outside the database (docs/ledger.md, Proof; docs/decisions/0020). What stands here is a copy that says how far the file goes;
-- the file itself is the witness.

create table ledger_head_lines (
  no bigint primary key,
  at timestamptz not null,
  hash bytea not null
);
-- The newest head written of each chain.
create table ledger_head_marks (
  chain text not null check (chain in ('ledger', 'sources')),
  station_id bigint not null,
  seq bigint not null,
  hash bytea not null,
  primary key (chain, station_id)
);
-- What two people have accepted after a restore: heads that were written and that the database does not reach any more.
create table ledger_gaps (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  first_account_id bigint not null,
  second_account_id bigint not null check (second_account_id <> first_account_id),
  reason text not null,
  -- [chain, station, the last head that holds, the newest one written] each.
  chains jsonb not null
);
