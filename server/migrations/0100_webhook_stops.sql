-- Precondition: none.
-- Who stopped a webhook of somebody else, and alone may let it go on (docs/decisions/0152).
alter table webhooks add column stopped_account_id bigint references accounts (id);
alter table webhooks drop constraint webhooks_stopped_by_check;
alter table webhooks add constraint webhooks_stopped_by_check
  check (stopped_by in ('person', 'manager', 'failures', 'gone', 'access'));
