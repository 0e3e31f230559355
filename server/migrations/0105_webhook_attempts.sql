-- Precondition: none.
-- Attempts before the last, newest first: time, milliseconds, status, error and the first characters of the answer (domain/webhooks/settle.ts).
alter table webhook_deliveries add column earlier jsonb not null default '[]';
-- Since when its account, or the account's station, is disabled; set by its first event since.
alter table webhooks add column paused_since timestamptz;
