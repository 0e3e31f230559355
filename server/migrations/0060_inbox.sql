-- Precondition: 0051.
-- What people are notified of: notices as they happen, and the entries of each person's inbox that a task makes of them (docs/decisions/0051).

create table inbox_notices (
  id bigint generated always as identity primary key,
  kind text not null,
  station_id bigint,
  -- Whose doing it was: who ordered the parcel, who made the request or started the job.
  account_id bigint,
  subject_id bigint,
  data jsonb not null default '{}',
  at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);

create table inbox_entries (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  kind text not null check (kind in ('on_hold', 'refused', 'exception', 'returning', 'low_balance', 'request', 'decided', 'job')),
  -- Until an entry is read it collects what belongs to the same thread.
  thread text not null,
  station_id bigint,
  -- The newest parcel, request or job of the thread.
  subject_id bigint,
  count integer not null default 1 check (count > 0),
  data jsonb not null default '{}',
  -- When the newest happened.
  at timestamptz not null,
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create unique index inbox_entries_thread on inbox_entries (account_id, thread) where read_at is null;
comment on index inbox_entries_thread is 'Unique: one unread entry a thread, which collects. Counts what is unread (domain/inbox/store.ts).';
create index inbox_entries_account on inbox_entries (account_id, at desc, id desc);
comment on index inbox_entries_account is 'The inbox of an account, newest first (domain/inbox/store.ts).';
create index inbox_entries_low on inbox_entries (station_id, at) where kind = 'low_balance';
comment on index inbox_entries_low is 'Whether a station was warned lately (domain/inbox/low-balance.ts).';
create index inbox_entries_age on inbox_entries (at);
comment on index inbox_entries_age is 'Deletes old entries (domain/inbox/deliver.ts).';
