-- Precondition: none.
-- Endpoints of others that are sent events (docs/decisions/0152).
create table webhooks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  -- What the account was when it was saved last: nothing is sent once it is something else.
  role text not null,
  station_id bigint references stations (id),
  name text not null,
  url text not null,
  kinds text[] not null,
  -- Null: everything that the account may see.
  watched_id bigint references stations (id),
  with_below smallint not null default 0 check (with_below in (0, 1)),
  secret bytea not null,
  -- The secret before, which signs too until then.
  previous_secret bytea,
  previous_until timestamptz,
  status text not null default 'live' check (status in ('live', 'disabled', 'removed')),
  -- Why it is disabled.
  stopped_by text check (stopped_by in ('person', 'failures', 'gone', 'access')),
  -- The first failure since the last success, and how many.
  failing_since timestamptz,
  failures integer not null default 0,
  failed_at timestamptz,
  -- Milliseconds of its answers, as a moving mean.
  usual_ms integer not null default 0,
  -- Nothing is sent before.
  resume_at timestamptz not null,
  -- When deliveries were taken last: the one that waits longest is next.
  served_at timestamptz not null,
  -- Events that found too many deliveries waiting, since when.
  dropped integer not null default 0,
  full_since timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index webhooks_account on webhooks (account_id);
comment on index webhooks_account is 'The webhooks of an account, and their number (features/people/webhooks.ts).';
create index webhooks_served on webhooks (served_at) where status = 'live';
comment on index webhooks_served is 'Live ones, the one that waits longest first (domain/webhooks/claim.ts).';

-- Kinds of events that a live webhook asks for: no others are written.
create table webhook_kinds (
  kind text primary key
);

-- Events that no delivery was made of yet.
create table webhook_events (
  id bigint generated always as identity primary key,
  kind text not null,
  station_id bigint,
  subject_id bigint not null,
  data jsonb not null default '{}',
  at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks (id) on delete cascade,
  -- The `webhook-id` of every attempt.
  message_id text not null,
  -- The order of the events of a subject.
  event_no bigint not null,
  kind text not null,
  station_id bigint,
  subject text not null,
  subject_id bigint not null,
  data jsonb not null default '{}',
  at timestamptz not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'skipped')),
  attempts integer not null default 0,
  -- Attempts end a day after it.
  begun_at timestamptz not null,
  next_at timestamptz not null,
  -- A worker sends it until then.
  leased_until timestamptz,
  -- The last attempt.
  sent_at timestamptz,
  ms integer,
  request text,
  http_status integer,
  answer text,
  error text,
  detail text not null default ''
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, at, id);
comment on index webhook_deliveries_webhook is 'The deliveries of a webhook, the newest first (features/people/webhook-deliveries.ts).';
create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, next_at, id) where status = 'pending';
comment on index webhook_deliveries_waiting is 'Those of a webhook that wait, and how many (domain/webhooks/claim.ts).';
create index webhook_deliveries_order on webhook_deliveries (webhook_id, subject, subject_id, event_no) where status = 'pending';
comment on index webhook_deliveries_order is 'Whether an earlier event of the same subject waits (domain/webhooks/claim.ts).';
create index webhook_deliveries_leased on webhook_deliveries (webhook_id) where status = 'pending' and leased_until is not null;
comment on index webhook_deliveries_leased is 'Those that are being sent (domain/webhooks/claim.ts).';
create index webhook_deliveries_at on webhook_deliveries (at);
comment on index webhook_deliveries_at is 'Old ones, which are removed (domain/webhooks/tidy.ts).';

alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check check (kind in ('on_hold', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed',
  'low_balance', 'month_closed', 'month_reminder', 'request', 'decided', 'job', 'setup', 'import', 'webhook'));
