-- Precondition: none.
-- The API key by which something was done; null: a session. No reference: a key is removed 90 days after its end.
alter table audit_log add column key_id bigint;
alter table prints add column key_id bigint;
-- 0: a session.
alter table refused_calls add column key_id bigint not null default 0;
alter table refused_calls drop constraint refused_calls_pkey;
alter table refused_calls add primary key (minute, address, account_id, action, key_id);
-- Making a key for another account is part of setting it up.
alter table account_setups drop constraint account_setups_what_check;
alter table account_setups add constraint account_setups_what_check check (what in ('password', 'two_factor', 'role', 'station', 'status', 'key'));
