-- Precondition: none.
-- A parcel that was not picked up in its window is an exception, and a notice.
select set_config('waystation.scope', 'all', true);
alter table expresses drop constraint expresses_exception_check;
alter table expresses add constraint expresses_exception_check check (exception in ('refused', 'stopped', 'unreachable', 'returning', 'unmoved', 'charge', 'missed')) not valid;
alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check check (kind in ('on_hold', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed', 'low_balance', 'month_closed', 'month_reminder', 'request', 'decided', 'job', 'setup', 'import', 'webhook', 'missed'));
select set_config('waystation.scope', '', true);
