-- Precondition: 0116.

-- Imports that have ended or cannot go on, in inboxes, and their progress as live events.
alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check check (
  kind in ('on_hold', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed', 'low_balance', 'request', 'decided', 'job', 'setup', 'import'));
alter table live_events drop constraint live_events_kind_check;
alter table live_events add constraint live_events_kind_check check (kind in ('parcel', 'parcels', 'job', 'inbox', 'import', 'access'));
