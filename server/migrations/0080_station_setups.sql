-- Precondition: 0075.
-- Who is setting up a new station (docs/decisions/0055). Which steps are done is read from the station itself and is not stored.

create table station_setups (
  station_id bigint primary key references stations (id),
  -- Who began it, and is notified.
  account_id bigint not null references accounts (id),
  started_at timestamptz not null,
  -- When it was last looked at by the task, and when the person was last reminded.
  checked_at timestamptz not null,
  reminded_at timestamptz not null,
  -- When every step was done, or somebody ended it.
  ended_at timestamptz
);
create index station_setups_open on station_setups (started_at desc, station_id desc) where ended_at is null;
comment on index station_setups_open is 'The open ones, newest first (domain/station-setup/store.ts).';

alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check
  check (kind in ('on_hold', 'refused', 'exception', 'returning', 'low_balance', 'request', 'decided', 'job', 'setup'));
