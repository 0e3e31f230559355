-- Precondition: none.
-- Fewer days of evidence wait for a second person as raised money limits do, and pushes are kept for at least 90 days.
alter table setting_raises drop constraint setting_raises_rises;
alter table setting_raises add constraint setting_raises_changes check (amount_after <> amount_before);
select set_config('waystation.scope', 'all', true);
update settings set value = '90' where name = 'carrier_push_days' and value < '90';
select set_config('waystation.scope', '', true);
