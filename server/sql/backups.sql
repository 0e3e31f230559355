-- Backups (docs/operating.md). The backup command writes their rows as the owner of the database.

alter table backups enable row level security;
drop policy if exists backups_scope on backups;
create policy backups_scope on backups using ((select scope_all()));
revoke all on backups from {{app_role}};
grant select on backups to {{app_role}};

alter table backup_schedule enable row level security;
drop policy if exists backup_schedule_scope on backup_schedule;
create policy backup_schedule_scope on backup_schedule using ((select scope_all())) with check ((select scope_all()));
revoke all on backup_schedule from {{app_role}};
grant select, insert, update on backup_schedule to {{app_role}};
