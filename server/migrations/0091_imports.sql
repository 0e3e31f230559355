-- Precondition: 0075.
-- Sheets of parcels that people upload (docs/requirements.md §10.8): the file, its rows as they were read, repaired and ordered.

create table imports (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  user_id bigint not null references accounts (id),
  file_name text not null,
  file_type text not null check (file_type in ('xlsx', 'csv')),
  file_bytes integer not null,
  file_hash bytea not null,
  -- 1: uploaded although the same file was imported before.
  again smallint not null default 0 check (again in (0, 1)),
  status text not null check (status in ('reading', 'mapping', 'checking', 'ready', 'ordering', 'paused', 'done', 'cancelled', 'failed')),
  reason jsonb,
  -- Rows stored; all of them once rows_total is known.
  rows_read integer not null default 0,
  rows_total integer,
  rows_checked integer not null default 0,
  sheets jsonb not null default '[]',
  sheet integer,
  -- Of the rows read, which one names the columns (from 0); −1: none; null until it is known.
  header_at integer,
  hidden_rows integer not null default 0,
  columns jsonb not null default '[]',
  -- SHA-256 of the columns' names: sheets alike are mapped alike.
  fingerprint text not null default '',
  mapping jsonb not null default '{}',
  -- Texts for fields without a column, by field.
  defaults jsonb not null default '{}',
  -- Rows by mark, as of the last change.
  counts jsonb not null default '{}',
  -- What the rows come to; null: not priced since the last change.
  quote jsonb,
  -- Readings that were begun and not ended by an answer: a file whose reading ends its process twice is not read a third time.
  read_tries integer not null default 0,
  confirmed_by bigint references accounts (id),
  confirmed_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
create unique index imports_file on imports (station_id, user_id, file_hash) where again = 0 and status not in ('cancelled', 'failed');
comment on index imports_file is 'Unique: a file is imported once by a user for a station, unless it is imported anew on purpose.';
create index imports_station on imports (station_id, created_at desc, id desc);
comment on index imports_station is 'The imports of a station, newest first (features/imports/imports.ts).';
create index imports_user on imports (user_id, status);
comment on index imports_user is 'The imports of a user that are not finished, which are bounded (domain/imports/uploads.ts).';

-- The file as it came, so that a reading that was interrupted can begin again, and its layout can be written again.
create table import_files (
  import_id bigint primary key references imports (id) on delete cascade,
  content bytea not null
);

create table import_rows (
  import_id bigint not null references imports (id) on delete cascade,
  -- Row below the titles, from 1.
  no integer not null,
  -- What a spreadsheet shows beside it.
  line integer not null,
  -- The row as it is in the file, one text a cell.
  cells jsonb not null,
  -- Texts that were typed instead, by field.
  edits jsonb not null default '{}',
  -- Texts after edits and repairs, by field.
  "values" jsonb not null default '{}',
  -- The parcel, as it is ordered; null with an error.
  fields jsonb,
  problems jsonb not null default '[]',
  mark text not null default 'ok' check (mark in ('ok', 'repaired', 'warning', 'error', 'excluded', 'waiting', 'ordered', 'refused')),
  -- SHA-256 of what makes two rows the same parcel; null with an error.
  key bytea,
  promise_id text not null default '',
  post_amount bigint,
  cal_weight integer,
  -- The parcel it became.
  express_id bigint references expresses (id),
  -- Why it was refused.
  reason jsonb,
  version integer not null default 1,
  primary key (import_id, no)
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000);
create index import_rows_marks on import_rows (import_id, mark, no);
comment on index import_rows_marks is 'The marks and counts of an import, and its next rows to order (domain/imports).';
create index import_rows_keys on import_rows (import_id, key) where key is not null;
comment on index import_rows_keys is 'Rows of an import that repeat each other (domain/imports/repeats.ts).';
create unique index import_rows_express on import_rows (express_id) where express_id is not null;
comment on index import_rows_express is 'Unique: a parcel comes from one row; finds the parcels of an import (features/parcels/filters.ts).';

-- Columns as a user confirmed them, for the next sheet with the same titles.
create table import_mappings (
  station_id bigint not null references stations (id),
  fingerprint text not null,
  mapping jsonb not null,
  defaults jsonb not null default '{}',
  updated_by bigint references accounts (id),
  updated_at timestamptz not null default now(),
  primary key (station_id, fingerprint)
);
