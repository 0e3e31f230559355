-- Precondition: 0012.
-- What feeds the ledger is under hashes (docs/ledger.md, "Sources"; docs/decisions/0019): prices of parcels, facts, carrier messages, decided bill lines,
-- payments and closings.

-- Frozen terms, each once: many parcels of a station share them.
create table frozen_terms (
  digest bytea primary key,
  terms jsonb not null
);

-- Every price a parcel had, and every edit of it: its facts, amounts and terms, chained per parcel. Its hash stands in the transfers it brought about.
create table express_versions (
  express_id bigint not null,
  no integer not null,
  station_id bigint not null,
  at timestamptz not null,
  -- 1: the parcel as the migration found it.
  baseline smallint not null default 0,
  content jsonb not null,
  terms_digest bytea not null,
  personal bytea not null,
  salt bytea,
  hash_before bytea not null,
  hash bytea not null,
  primary key (express_id, no)
);

-- One record a source row: kind, its key, a digest of its content. Records of a block can no longer be changed without changing every later block.
create table source_hashes (
  id bigint generated always as identity primary key,
  -- Whose chain; 0: the platform's.
  station_id bigint not null,
  kind text not null,
  k1 bigint not null,
  -- The how-manieth record of a row that may change (bill lines), else part of its key.
  k2 bigint not null default 0,
  baseline smallint not null default 0,
  personal bytea,
  salt bytea,
  digest bytea not null,
  at timestamptz not null default now(),
  block bigint
);
create unique index source_hashes_key on source_hashes (kind, k1, k2);
create index source_hashes_block on source_hashes (station_id, block);
create index source_hashes_new on source_hashes (id) where block is null;

create table source_blocks (
  station_id bigint not null,
  seq bigint not null,
  records bigint not null,
  at timestamptz not null,
  content bytea not null,
  hash bytea not null,
  primary key (station_id, seq)
);

-- Each closing and each reopening of a month, appended; the month's row shows the last.
create table period_closings (
  id bigint generated always as identity primary key,
  period text not null,
  action text not null check (action in ('close', 'reopen', 'baseline')),
  at timestamptz not null,
  account_id bigint,
  entries bigint not null,
  trial_balance jsonb not null,
  last_transfer_id bigint not null,
  -- What every station had, and why an account without a bill was accepted.
  balances jsonb not null,
  reasons jsonb not null default '[]',
  reason text not null default ''
);
create index period_closings_period on period_closings (period, id);

-- Null: no priced parcel of ours, or posted before there were versions.
alter table ledger_transfers add column version_hash bytea;

-- How far the blocks of each station were proved.
alter table ledger_checkpoints add column source_seq bigint not null default 0;
alter table ledger_checkpoints add column source_hash bytea not null default '';
