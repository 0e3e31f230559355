-- Precondition: none.
-- A parcel with a package that the courier was not given is a notice, also on the channels that get missed pickups.
select set_config('waystation.scope', 'all', true);
alter table inbox_entries drop constraint inbox_entries_kind_check;
alter table inbox_entries add constraint inbox_entries_kind_check check (kind in ('on_hold', 'missed', 'left_behind', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'cancel_failed',
  'low_balance', 'month_closed', 'month_reminder', 'request', 'decided', 'job', 'setup', 'import', 'webhook', 'channel'));
update notice_channels set kinds = array_append(kinds, 'left_behind') where 'missed' = any(kinds);
select set_config('waystation.scope', '', true);
