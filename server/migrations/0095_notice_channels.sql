-- Precondition: none.
-- Where entries of a person's inbox go on to (docs/decisions/0154).
create table notice_channels (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  kind text not null check (kind in ('mail', 'wecom', 'dingtalk', 'feishu', 'webhook')),
  name text not null,
  -- Encrypted: the address and the key that signs. Null once it is removed.
  address bytea,
  -- The same address has the same digest, for bounds over accounts.
  address_hash bytea not null,
  -- The part of the address that is shown.
  hint text not null,
  language text not null check (language in ('zh', 'en')),
  -- Kinds of inbox entries.
  kinds text[] not null,
  pace text not null default 'now' check (pace in ('now', 'hourly', 'daily')),
  -- Hours of the business day: of the daily message, and between which nothing is sent.
  daily_hour smallint not null default 9 check (daily_hour between 0 and 23),
  quiet_from smallint check (quiet_from between 0 and 23),
  quiet_to smallint check (quiet_to between 0 and 23),
  status text not null default 'unconfirmed' check (status in ('unconfirmed', 'live', 'disabled', 'removed')),
  stopped_by text check (stopped_by in ('failures', 'refused', 'access')),
  -- The code that was sent to the address, until when it holds, and wrong ones entered.
  code_hash bytea,
  code_until timestamptz,
  code_tries integer not null default 0,
  -- Codes and tests that were asked for since then.
  asked_from timestamptz not null,
  asked integer not null default 0,
  failing_since timestamptz,
  failures integer not null default 0,
  error text,
  detail text not null default '',
  tried_at timestamptz,
  sent_at timestamptz,
  -- Nothing is sent before.
  resume_at timestamptz not null,
  -- A worker sends until then.
  leased_until timestamptz,
  -- Messages since then.
  hour_from timestamptz,
  hour_sent integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((quiet_from is null) = (quiet_to is null))
);
create index notice_channels_account on notice_channels (account_id);
comment on index notice_channels_account is 'The channels of an account (domain/notices).';
create index notice_channels_address on notice_channels (address_hash);
comment on index notice_channels_address is 'Codes that were sent to one address (features/people/notice-channels.ts).';

-- Entries that wait for a channel; sent ones are deleted.
create table notice_outbox (
  id bigint generated always as identity primary key,
  channel_id bigint not null references notice_channels (id) on delete cascade,
  entry_id bigint not null references inbox_entries (id) on delete cascade,
  -- Events of the entry since it was sent last.
  events integer not null default 1,
  at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
create unique index notice_outbox_channel on notice_outbox (channel_id, entry_id);
comment on index notice_outbox_channel is 'Unique: an entry waits once for a channel. What waits for one (domain/notices/run.ts).';
create index notice_outbox_entry on notice_outbox (entry_id);
comment on index notice_outbox_entry is 'Entries of a kind that a channel no longer wants, and removed ones (features/people/notice-channels.ts).';

-- The mail server of the installation, in one row.
create table mail_state (
  id boolean primary key default true check (id),
  failing_since timestamptz,
  failures integer not null default 0,
  detail text not null default '',
  -- No mail is tried before.
  resume_at timestamptz not null default '-infinity'
);
insert into mail_state default values;

alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check check (kind in ('on_hold', 'missed', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed',
  'low_balance', 'month_closed', 'month_reminder', 'request', 'decided', 'job', 'setup', 'import', 'webhook', 'channel'));
