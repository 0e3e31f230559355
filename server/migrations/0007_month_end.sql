-- Precondition: 0006.
-- Months of the books, what stations confirm of them, and the bills of carriers (docs/ledger.md, "Month end").

-- Months of the books (docs/ledger.md, "Month end"): what is posted falls into the month of its moment, or into the next one that is open.
create table periods (
  -- YYYY-MM, Asia/Shanghai.
  period text primary key check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  status text not null check (status in ('open', 'closed')),
  -- Of the closing: entries and their sum per account, and the last transfer there was.
  entries bigint not null default 0,
  trial_balance jsonb not null default '[]',
  last_transfer_id bigint not null default 0,
  closed_at timestamptz, closed_by bigint references accounts (id),
  reopened_at timestamptz, reopened_by bigint references accounts (id), reopen_reason text not null default '',
  constraint periods_closed_by_somebody check (status = 'open' or (closed_at is not null and closed_by is not null))
);

-- What each station had, took in and paid out in a closed month. opening + in_amount - out_amount = closing; frozen at its end.
create table period_balances (
  period text not null references periods (period),
  station_id bigint not null references stations (id),
  opening bigint not null,
  in_amount bigint not null,
  out_amount bigint not null,
  closing bigint not null,
  frozen bigint not null,
  tree_id bigint not null default 0,
  primary key (period, station_id),
  constraint period_balances_closing_is_sum check (opening + in_amount - out_amount = closing)
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
comment on index period_closings_period is 'The last closing of a month (server/sql/source-proof.sql).';

-- The figures of a month that a station agreed to, as they were. Fen; opening + in - out = closing.
create table statement_confirmations (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  period text not null check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  opening bigint not null,
  "in" bigint not null,
  "out" bigint not null,
  closing bigint not null,
  frozen bigint not null,
  lines bigint not null,
  confirmed_by bigint not null references accounts (id),
  confirmed_by_name text not null,
  at timestamptz not null,
  note text not null default '',
  tree_id bigint not null default 0,
  constraint statement_confirmations_closing_is_sum check (opening + "in" - "out" = closing),
  unique (station_id, period)
);

-- A bill of a carrier, compared line by line with our parcels (docs/ledger.md, "Month end"). Administrators alone see bills.
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
  version integer not null default 1,
  -- Readings that were begun and not ended by an answer: a file whose reading ends its process twice is not read a third time.
  read_tries integer not null default 0,
  -- The sum that the bill itself states in its total row, fen; null where it states none.
  stated_amount bigint
);
create unique index reconciliations_file on reconciliations (provider, period, file_hash) where status <> 'discarded';
comment on index reconciliations_file is 'Unique: a file is uploaded once for a carrier and month.';

-- The file as it came, so that a reading that was interrupted can begin again.
create table reconciliation_files (
  reconciliation_id bigint primary key references reconciliations (id),
  content bytea not null
);

create table reconciliation_rows (
  id bigint generated always as identity primary key,
  reconciliation_id bigint not null references reconciliations (id),
  -- Line of the file, from 1; null: a parcel that the bill does not have (`only_ours`), or one that the carrier reported otherwise after the bill was
  -- accepted (`otherwise`), which moves no money.
  no integer,
  -- The line as it is in the file, one text a cell.
  cells jsonb,
  -- Null until it is understood, and for a line that is none, such as the sum at the end.
  bucket text check (bucket in ('equal', 'weight_differs', 'price_differs', 'only_ours', 'only_theirs', 'duplicate', 'other_code', 'unreadable',
    'otherwise')),
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
  constraint reconciliation_rows_without_line check (no is not null or bucket in ('only_ours', 'otherwise'))
);
create index reconciliation_rows_buckets on reconciliation_rows (reconciliation_id, bucket, decision, id);
comment on index reconciliation_rows_buckets is 'The lines of a bill by bucket and decision (domain/reconciliation).';
create index reconciliation_rows_waybill on reconciliation_rows (delivery_id) where delivery_id is not null;
comment on index reconciliation_rows_waybill is 'Lines of other bills about a waybill (domain/reconciliation/matching.ts, domain/ledger/statements.ts).';
create index reconciliation_rows_express on reconciliation_rows (express_id) where express_id is not null;
comment on index reconciliation_rows_express is 'Lines about a parcel (domain/reconciliation/matching.ts, domain/ledger/statements.ts).';
create index reconciliation_rows_head on reconciliation_rows (head_id) where head_id is not null;
comment on index reconciliation_rows_head is 'The lines of one parcel in a bill, decided together (domain/reconciliation/deciding.ts).';
create unique index reconciliation_rows_otherwise on reconciliation_rows (reconciliation_id, express_id) where bucket = 'otherwise';
comment on index reconciliation_rows_otherwise is 'Unique: one line says that the carrier reported a parcel otherwise.';
create index reconciliation_rows_open on reconciliation_rows (reconciliation_id) where decision = 'open' and bucket is not null;
comment on index reconciliation_rows_open is 'Undecided lines of a bill, counted before a month is closed and again under the lock of the closing (domain/ledger/periods.ts).';

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
comment on index reconciliation_payments_bill is 'What was paid on a bill (domain/reconciliation/store.ts).';

-- Why a carrier account with parcels picked up in a month has no bill of it (docs/ledger.md, "Month end"). Administrators alone see it.
create table period_bill_reasons (
  period text not null check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  merchant_id bigint not null references merchants (id),
  reason text not null check (reason <> ''),
  -- Parcels picked up when the reason was written.
  parcels integer not null,
  account_id bigint not null references accounts (id),
  at timestamptz not null,
  primary key (period, merchant_id)
);
