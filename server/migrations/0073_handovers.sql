-- Precondition: none.
-- Hand-over lists: a courier's visit at a station with the packages that were scanned, and what was missing when it was closed (docs/decisions/0142).
create table handovers (
  id bigint generated always as identity primary key,
  station_id bigint not null references stations (id),
  provider text not null check (is_provider(provider)),
  user_id bigint not null references accounts (id),
  -- A clerk's hand-over expects the clerk's own parcels; null: those of the whole station.
  only_user_id bigint references accounts (id),
  status text not null default 'open' check (status in ('open', 'closed', 'discarded')),
  opened_at timestamptz not null,
  ended_at timestamptz,
  ended_by bigint references accounts (id),
  -- What was given so far.
  parcels integer not null default 0,
  packages integer not null default 0,
  -- Packages that were expected and not given when it was closed, and the first of their parcels by waybill.
  missing integer not null default 0,
  missing_parcels jsonb not null default '{"parcels": 0, "items": []}',
  courier_name text not null default '',
  note text not null default '',
  check ((status = 'open') = (ended_at is null))
);
create unique index handovers_open on handovers (station_id, provider, user_id) where status = 'open';
comment on index handovers_open is 'Unique: one open hand-over of a station, a carrier and a user; counts those of a station and a carrier (domain/handovers/visit.ts).';
create index handovers_opened on handovers (opened_at desc, id desc);
comment on index handovers_opened is 'All hand-overs, newest first (features/handovers/list.ts).';
create index handovers_station on handovers (station_id, opened_at desc, id desc);
comment on index handovers_station is 'The hand-overs of a station, newest first (features/handovers/list.ts).';
create index handovers_user on handovers (user_id, opened_at desc, id desc);
comment on index handovers_user is 'The hand-overs of a person, newest first (features/handovers/list.ts).';
create index handovers_ended on handovers (ended_at) where status = 'closed';
comment on index handovers_ended is 'Closed hand-overs since a moment, each of which has a record (server/sql/source-proof.sql).';

-- Every scan of a hand-over with its answer, refused ones too; `scan_id` is the browser's own, so that a repeat is harmless.
create table handover_scans (
  id bigint generated always as identity primary key,
  handover_id bigint not null references handovers (id),
  station_id bigint not null references stations (id),
  -- The user of the hand-over.
  user_id bigint not null references accounts (id),
  scan_id uuid not null,
  scanned_by bigint not null references accounts (id),
  at timestamptz not null,
  -- The number as it was scanned.
  number text not null,
  result text not null,
  -- The parcel, if the scanning user may see it.
  express_id bigint references expresses (id),
  delivery_id text,
  package_no smallint,
  package_count smallint,
  detail jsonb not null default '{}',
  taken_back_at timestamptz,
  taken_back_by bigint references accounts (id),
  check (result <> 'given' or (express_id is not null and delivery_id is not null and package_no is not null and package_count is not null))
);
create unique index handover_scans_scan on handover_scans (handover_id, scan_id);
comment on index handover_scans_scan is 'Unique: a scan counts once (domain/handovers/scan.ts).';
create unique index handover_scans_package on handover_scans (handover_id, express_id, package_no) where result = 'given' and taken_back_at is null;
comment on index handover_scans_package is 'Unique: a package is given once in a hand-over, and its packages (server/sql/source-hashes.sql, domain/handovers).';
create index handover_scans_order on handover_scans (handover_id, id);
comment on index handover_scans_order is 'The scans of a hand-over in their order (domain/handovers/reads.ts).';
create index handover_scans_express on handover_scans (express_id) where result = 'given' and taken_back_at is null;
comment on index handover_scans_express is 'In which hand-over a parcel was given (domain/handovers).';
create index handover_scans_waybill on handover_scans (delivery_id) where result = 'given' and taken_back_at is null;
comment on index handover_scans_waybill is 'Hand-overs of waybills: the list''s filter (features/handovers/list.ts).';
