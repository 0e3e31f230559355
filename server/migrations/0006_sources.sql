-- Precondition: 0005.
-- What feeds the ledger is under hashes (docs/ledger.md, "Sources"; docs/decisions/0019): prices of parcels, facts, carrier messages, decided bill lines,
-- payments and closings.

-- Frozen terms, each once: many parcels of a station share them.
create table frozen_terms (
  digest bytea primary key,
  terms jsonb not null
);

-- Every price a parcel had, and every edit of it: its facts, amounts and terms, chained per parcel. Its hash is in the transfers it brought about.
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
  tree_id bigint not null default 0,
  primary key (express_id, no)
);
alter table express_versions set (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000, autovacuum_analyze_scale_factor = 0.02);

-- One record a source row: kind, its key, a digest of its content. Records of a block can no longer be changed without changing every later block.
create table source_hashes (
  id bigint generated always as identity primary key,
  -- Whose chain; 0: the platform's.
  station_id bigint not null,
  kind text not null,
  k1 bigint not null,
  -- The number of the record, of a row that may change (bill lines); else part of its key.
  k2 bigint not null default 0,
  baseline smallint not null default 0,
  personal bytea,
  salt bytea,
  digest bytea not null,
  at timestamptz not null default now(),
  block bigint,
  tree_id bigint not null default 0
);
create unique index source_hashes_key on source_hashes (kind, k1, k2);
comment on index source_hashes_key is 'Unique: one record of a source row, by which the proof finds it (server/sql/source-proof.sql).';
create index source_hashes_block on source_hashes (station_id, block);
comment on index source_hashes_block is 'The records of a station''s blocks (server/sql/source-proof.sql).';
create index source_hashes_new on source_hashes (id) where block is null;
comment on index source_hashes_new is 'Records that are in no block yet (server/sql/source-proof.sql, ledger-heads.sql).';
-- Each row is updated once, when it is put into a block.
alter table source_hashes set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

create table source_blocks (
  station_id bigint not null,
  seq bigint not null,
  records bigint not null,
  at timestamptz not null,
  content bytea not null,
  hash bytea not null,
  tree_id bigint not null default 0,
  primary key (station_id, seq)
);
