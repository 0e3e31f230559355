-- Precondition: 0004.
-- What every list is worked with: saved views, jobs of people with one result per row, files of exports; and indexes for reading the audit log.

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
create index saved_views_shared on saved_views (shared_with, list) where shared_with is not null;

-- Work in the background for one person: a bulk action with one item per row, or an export with its file.
create table person_jobs (
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
  check (done = ok + skipped + failed)
);
create index person_jobs_account on person_jobs (account_id, id desc);
create index person_jobs_age on person_jobs (created_at);

create table person_job_items (
  id bigint generated always as identity primary key,
  job_id bigint not null references person_jobs (id) on delete cascade,
  subject_id bigint not null,
  name text not null,
  result text check (result in ('ok', 'skip', 'fail')),
  reason jsonb,
  unique (job_id, subject_id)
);
create index person_job_items_order on person_job_items (job_id, id);

-- A file in pieces, so that neither writing nor reading holds all of it at once.
create table person_job_files (
  job_id bigint not null references person_jobs (id) on delete cascade,
  no integer not null,
  content bytea not null,
  primary key (job_id, no)
);

create index audit_log_request on audit_log (request_id) where request_id <> '';
create index audit_log_station on audit_log (station_id, at desc);
