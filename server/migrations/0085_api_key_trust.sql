-- Precondition: none.
-- What the account of a key was when it was made: a key ends with any change of it (platform/auth/key-callers.ts).
select set_config('waystation.scope', 'all', true);
alter table api_keys add column role text;
alter table api_keys add column station_id bigint references stations (id);
update api_keys k set role = a.role, station_id = a.station_id from accounts a where a.id = k.account_id;
alter table api_keys alter column role set not null;
-- The command line revokes keys, too, and is no account.
alter table api_keys drop constraint api_keys_check;
alter table api_keys add constraint api_keys_revoked_once check (revoked_by is null or revoked_at is not null);
select set_config('waystation.scope', '', true);
