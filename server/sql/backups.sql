-- Backups (docs/operating.md); written by the command, as the owner.

alter table backups enable row level security;
drop policy if exists backups_scope on backups;
create policy backups_scope on backups using ((select scope_all()));
revoke all on backups from {{app_role}};
grant select on backups to {{app_role}};
