-- Precondition: 0007.
-- What lists are worked with: saved views, jobs of users with one result per row, files of exports; and what people and clients are notified of.

create table saved_views (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  list text not null,
  title text not null,
  search jsonb not null,
  columns jsonb,
  shared_with text check (shared_with in ('super', 'admin', 'partner', 'station', 'user')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index saved_views_title on saved_views (account_id, list, lower(title));
comment on index saved_views_title is 'Unique: one view of a title for each account and list. Reads an account''s views (features/people/views.ts).';
create index saved_views_shared on saved_views (shared_with, list) where shared_with is not null;
comment on index saved_views_shared is 'Views shared with a role (features/people/views.ts).';

-- Work in the background for one user: a bulk action with one item per row, or an export with its file.
create table user_jobs (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  -- The account's station when the job was asked for; null for super and admin.
  station_id bigint,
  kind text not null,
  list text not null,
  action text not null,
  params jsonb not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  -- Code and parameters of what stopped it before its end.
  reason jsonb,
  total integer not null,
  done integer not null default 0,
  ok integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  -- Where the request came from, for the audit rows of its items.
  address text not null default '',
  request_id text not null default '',
  file_name text,
  file_type text,
  file_bytes bigint,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Of a count in the background: what the list's counts call answers.
  answer jsonb,
  constraint user_jobs_done_is_sum check (done = ok + skipped + failed)
);
create index user_jobs_account on user_jobs (account_id, id desc);
comment on index user_jobs_account is 'The jobs of a user, newest first (domain/user-jobs/store.ts).';
create index user_jobs_age on user_jobs (created_at);
comment on index user_jobs_age is 'Deletes old jobs and their files (domain/user-jobs/files.ts).';

create table user_job_items (
  id bigint generated always as identity primary key,
  job_id bigint not null references user_jobs (id) on delete cascade,
  subject_id bigint not null,
  name text not null,
  result text check (result in ('ok', 'skip', 'fail')),
  reason jsonb,
  -- When the row was handed to its carrier, where the result is the carrier's answer (domain/user-jobs/bulk.ts); null: not handed, or its result was known at once.
  handed_at timestamptz,
  unique (job_id, subject_id)
);
create index user_job_items_order on user_job_items (job_id, id);
comment on index user_job_items_order is 'The items of a job in their order (domain/user-jobs/store.ts).';

-- A file in pieces, so that neither writing nor reading holds all of it at once.
create table user_job_files (
  job_id bigint not null references user_jobs (id) on delete cascade,
  no integer not null,
  content bytea not null,
  primary key (job_id, no)
);

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
  kind text not null check (kind in ('on_hold', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed', 'low_balance', 'request', 'decided', 'job',
    'setup', 'import')),
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

create unlogged table live_events (
  -- The transaction that wrote the row: readers go by what their last snapshot did not see, because ids are not committed in their order.
  tx xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('parcel', 'parcels', 'job', 'inbox', 'import', 'access')),
  -- Who may see it: the scope of a parcel, or one account. Neither: a change of rights, which the server itself reads.
  station_id bigint,
  user_id bigint,
  account_id bigint,
  subject_id bigint,
  data jsonb not null default '{}',
  primary key (tx, id)
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 2000);

-- One row. `epoch` is renewed after a crash; rows with a `tx` up to `floor` may be removed already.
create unlogged table live_event_log (
  one boolean primary key default true check (one),
  epoch uuid not null default gen_random_uuid(),
  floor xid8 not null default pg_current_xact_id()
);

insert into live_event_log default values;
