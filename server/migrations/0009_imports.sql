-- Precondition: 0008.
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
  version integer not null default 1,
  -- The newest edit of the rows that is in force, and how many edits can be taken back and made again (import_steps).
  edit_step integer not null default 0,
  undo_steps integer not null default 0,
  redo_steps integer not null default 0
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
create unique index imports_file on imports (station_id, user_id, file_hash) where again = 0 and status not in ('cancelled', 'failed');
comment on index imports_file is 'Unique: a file is imported once by a user for a station, unless it is imported anew on purpose.';
create index imports_station on imports (station_id, created_at desc, id desc);
comment on index imports_station is 'The imports of a station, newest first (features/imports/imports.ts).';
create index imports_user on imports (user_id, status);
comment on index imports_user is 'The imports of a user that are not finished, which are bounded (domain/imports/uploads.ts).';
create index imports_created on imports (created_at desc, id desc);
comment on index imports_created is 'All imports, newest first (features/imports/imports.ts).';

-- The file as it came, so that a reading that was interrupted can begin again, and its layout can be written again.
create table import_files (
  import_id bigint primary key references imports (id) on delete cascade,
  content bytea not null,
  -- The first rows of the sheet with their lines, from which a person chooses the row of titles; null: nothing is read yet.
  head jsonb
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
  -- The parcel it became.
  express_id bigint references expresses (id),
  -- Why it was refused.
  reason jsonb,
  version integer not null default 1,
  -- Columns (from 0) whose text is that of a merged cell above.
  merged jsonb not null default '[]',
  primary key (import_id, no)
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000);
create index import_rows_marks on import_rows (import_id, mark, no);
comment on index import_rows_marks is 'The marks and counts of an import, and its next rows to order (domain/imports).';
create index import_rows_keys on import_rows (import_id, key) where key is not null;
comment on index import_rows_keys is 'Rows of an import that repeat each other (domain/imports/repeats.ts).';
create unique index import_rows_express on import_rows (express_id) where express_id is not null;
comment on index import_rows_express is 'Unique: a parcel comes from one row; finds the parcels of an import (features/parcels/filters.ts).';

-- What the rows of an import cost: a table of its own, since a row is wide and is written once, while its price is asked for again and again.
create table import_prices (
  import_id bigint not null,
  no integer not null,
  promise_id text not null,
  -- Fen; grams.
  post_amount bigint not null,
  cal_weight integer not null,
  primary key (import_id, no),
  foreign key (import_id) references imports (id) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000);

-- Edits of the rows of an import, so that they can be taken back in the reverse order and made again.
create table import_steps (
  import_id bigint not null references imports (id) on delete cascade,
  -- From 1; those up to imports.edit_step are in force, the others were taken back.
  step integer not null,
  rows integer not null,
  primary key (import_id, step)
);

create table import_step_rows (
  import_id bigint not null,
  step integer not null,
  no integer not null,
  -- What the row is on the other side of the step: before it while it is in force, after it once it was taken back.
  edits jsonb not null,
  -- `excluded` or `refused` (with its reason) where it was left out.
  mark text,
  reason jsonb,
  primary key (import_id, step, no),
  foreign key (import_id, step) references import_steps (import_id, step) on delete cascade
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000);

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

-- Until when calls to a carrier account are planned by the orders of imports, so that these stay below the carrier's rate, however many workers there are.
create table carrier_slots (
  merchant_id bigint primary key references merchants (id),
  until timestamptz not null
);

-- Until when the calls of a carrier account are taken that the orders of imports make, in all workers. `carrier_slots` is the plan of these orders; a call that
-- is late, after a restart for one, takes its moment here.
create table import_paces (
  merchant_id bigint primary key references merchants (id),
  until timestamptz not null
);
