-- Precondition: none.
-- The office reminds the stations that have not confirmed a closed month, at most once a business day.
create table period_reminders (
  period text not null check (period ~ '^[1-9]\d{3}-(0[1-9]|1[0-2])$'),
  day date not null,
  account_id bigint not null references accounts (id),
  -- The number of stations that were reminded.
  stations integer not null,
  at timestamptz not null,
  primary key (period, day)
);
alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check check (kind in ('on_hold', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed',
  'low_balance', 'month_closed', 'month_reminder', 'request', 'decided', 'job', 'setup', 'import'));
