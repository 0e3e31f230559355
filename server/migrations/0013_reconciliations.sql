-- Precondition: 0004.
-- Bills of carriers, held line by line against our parcels (docs/ledger.md, "Month end"). The office's alone.

create table reconciliations (
  id bigint generated always as identity primary key,
  period text not null check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  provider text not null,
  file_name text not null,
  file_type text not null check (file_type in ('xlsx', 'csv')),
  file_bytes integer not null,
  file_hash bytea not null,
  status text not null check (status in ('reading', 'mapping', 'matching', 'ready', 'settled', 'failed', 'discarded')),
  reason jsonb,
  -- Lines stored; all of them once rows_total is known.
  rows_read integer not null default 0,
  rows_total integer,
  -- Of the file's rows, which one names the columns (from 0); null until it is found.
  header_at integer,
  columns jsonb not null default '[]',
  -- SHA-256 of the columns' names: files alike are mapped alike.
  fingerprint text not null default '',
  mapping jsonb not null default '{}',
  weight_unit text not null default 'kg' check (weight_unit in ('kg', 'g')),
  weight_tolerance integer not null,
  amount_tolerance bigint not null,
  -- How far a matching has come: lines understood, and the row whose effect was calculated last.
  understood integer not null default 0,
  calculated_id bigint not null default 0,
  created_by bigint references accounts (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
);
create unique index reconciliations_file on reconciliations (provider, period, file_hash) where status <> 'discarded';
create index reconciliations_period on reconciliations (period);

-- The file as it came, so that a reading that was cut off begins anew from it.
create table reconciliation_files (
  reconciliation_id bigint primary key references reconciliations (id),
  content bytea not null
);

create table reconciliation_rows (
  id bigint generated always as identity primary key,
  reconciliation_id bigint not null references reconciliations (id),
  -- Line of the file, from 1; null: a parcel that the bill does not have.
  no integer,
  -- The line as it stands in the file, a text a cell.
  cells jsonb,
  -- Null until it is understood, and for a line that is none, such as the sum at the end.
  bucket text check (bucket in ('equal', 'weight_differs', 'price_differs', 'only_ours', 'only_theirs', 'duplicate', 'other_code', 'unreadable')),
  decision text not null default 'open' check (decision in ('settled', 'open', 'accepted', 'disputed')),
  problem jsonb,
  delivery_id text,
  customer_code text not null default '',
  fee text not null default '',
  their_weight integer,
  their_amount bigint,
  -- The parcel's first line; all lines of a parcel share bucket and decision, and are compared by their sum.
  head_id bigint,
  total_weight integer,
  total_amount bigint,
  express_id bigint references expresses (id),
  station_id bigint references stations (id),
  our_customer_code text,
  our_weight integer,
  our_amount bigint,
  within_tolerance smallint not null default 0 check (within_tolerance in (0, 1)),
  effect_amount bigint,
  note text not null default '',
  decided_at timestamptz,
  decided_by bigint references accounts (id),
  unique (reconciliation_id, no),
  check (no is not null or bucket = 'only_ours')
);
create index reconciliation_rows_buckets on reconciliation_rows (reconciliation_id, bucket, decision, id);
create index reconciliation_rows_waybill on reconciliation_rows (delivery_id) where delivery_id is not null;
create index reconciliation_rows_express on reconciliation_rows (express_id) where express_id is not null;
create index reconciliation_rows_head on reconciliation_rows (head_id) where head_id is not null;

-- Which column is what in files with these headers, as somebody said last.
create table bill_mappings (
  provider text not null,
  fingerprint text not null,
  mapping jsonb not null,
  weight_unit text not null check (weight_unit in ('kg', 'g')),
  updated_by bigint references accounts (id),
  updated_at timestamptz not null default now(),
  primary key (provider, fingerprint)
);

create table reconciliation_payments (
  id bigint generated always as identity primary key,
  reconciliation_id bigint not null references reconciliations (id),
  amount bigint not null check (amount > 0),
  description text not null default '',
  transfer_id bigint not null references ledger_transfers (id),
  account_id bigint references accounts (id),
  at timestamptz not null
);
create index reconciliation_payments_bill on reconciliation_payments (reconciliation_id);

-- What was picked up in a month and stands in no bill.
create index expresses_picked_up on expresses (provider, picked_up_at) where picked_up_at is not null;
