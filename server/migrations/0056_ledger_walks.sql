-- Precondition: 0051.
-- The full check of the ledger as a walk in pieces (docs/decisions/0040), and signatures of what a check relies on without reading it again.

-- HMAC of ledger_checkpoint_text with a key outside the database; empty: nobody relies on this checkpoint.
alter table ledger_checkpoints add column signature bytea not null default '';

-- One row a full check. `bounds` (JSON, one mark a station) and `state` (JSON: how far it has come, what it found) are texts, because the signature covers
-- their bytes.
create table ledger_walks (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  bounds text not null,
  state text not null default '',
  signature bytea not null default '',
  rows_done bigint not null default 0,
  -- Estimated at the start.
  rows_total bigint not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);

-- When the reading began: the same as `at` for a check of what is new. `trusted_links`: links below signed checkpoints, which were not read again.
alter table ledger_proofs add column started_at timestamptz, add column trusted_links bigint not null default 0;
