-- Precondition: none.
-- A station is notified of each month that the office has closed.
alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check check (kind in ('on_hold', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed',
  'low_balance', 'month_closed', 'request', 'decided', 'job', 'setup', 'import'));
