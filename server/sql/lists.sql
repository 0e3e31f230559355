-- Saved views, and the jobs of users with their results and files.

alter table user_jobs enable row level security;
alter table user_jobs force row level security;
drop policy if exists user_jobs_scope on user_jobs;
create policy user_jobs_scope on user_jobs using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]))
  with check ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

alter table user_job_items enable row level security;
alter table user_job_items force row level security;
drop policy if exists user_job_items_scope on user_job_items;
create policy user_job_items_scope on user_job_items using ((select scope_all()) or exists (select 1 from user_jobs j where j.id = job_id))
  with check ((select scope_all()) or exists (select 1 from user_jobs j where j.id = job_id));

alter table user_job_files enable row level security;
alter table user_job_files force row level security;
drop policy if exists user_job_files_scope on user_job_files;
create policy user_job_files_scope on user_job_files using ((select scope_all()) or exists (select 1 from user_jobs j where j.id = job_id))
  with check ((select scope_all()) or exists (select 1 from user_jobs j where j.id = job_id));

revoke all on saved_views, user_jobs, user_job_items, user_job_files from {{app_role}};
grant select, insert, update, delete on saved_views, user_jobs, user_job_items, user_job_files to {{app_role}};
