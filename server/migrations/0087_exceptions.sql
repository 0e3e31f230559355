-- Precondition: 0080.
-- What needs somebody's attention about a parcel on its way (docs/decisions/0054), and that somebody took care of it.

alter table expresses
  add column exception text check (exception in ('refused', 'stopped', 'unreachable', 'returning', 'unmoved')),
  -- When the carrier reported it; of `unmoved`, the last movement.
  add column exception_at timestamptz,
  add column handled_at timestamptz,
  add column handled_uid bigint references accounts (id),
  add column handled_note text not null default '';

create index expresses_exception on expresses (exception, created_at, id) where exception is not null and handled_at is null;
comment on index expresses_exception is 'Open exceptions of all stations by kind, and how many there are (features/parcels/list-index.ts, exceptions.ts).';
create index expresses_station_exception on expresses (station_id, exception, created_at, id) where exception is not null and handled_at is null;
comment on index expresses_station_exception is 'Open exceptions of stations by kind, and how many there are (features/parcels/list-index.ts, exceptions.ts).';
create index expresses_user_exception on expresses (user_id, exception, created_at, id) where exception is not null and handled_at is null;
comment on index expresses_user_exception is 'Open exceptions of a clerk''s parcels by kind, and how many there are (features/parcels/list-index.ts, exceptions.ts).';

alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check check (
  kind in ('on_hold', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed', 'low_balance', 'request', 'decided', 'job', 'setup'));
