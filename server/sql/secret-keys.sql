-- Fingerprints of secret keys. The first start stores the fingerprint of its key; only
-- `rotate-key`, as the owner, changes rows.

alter table secret_keys enable row level security;
drop policy if exists secret_keys_all on secret_keys;
create policy secret_keys_all on secret_keys using (true) with check (true);
revoke all on secret_keys from {{app_role}};
grant select, insert on secret_keys to {{app_role}};
