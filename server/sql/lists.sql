-- Saved views, and the jobs of users with their results and files.

alter table person_jobs enable row level security;
alter table person_jobs force row level security;
drop policy if exists person_jobs_scope on person_jobs;
create policy person_jobs_scope on person_jobs using ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]))
  with check ((select scope_all()) or station_id = any ((select scope_stations())::bigint[]));

alter table person_job_items enable row level security;
alter table person_job_items force row level security;
drop policy if exists person_job_items_scope on person_job_items;
create policy person_job_items_scope on person_job_items using ((select scope_all()) or exists (select 1 from person_jobs j where j.id = job_id))
  with check ((select scope_all()) or exists (select 1 from person_jobs j where j.id = job_id));

alter table person_job_files enable row level security;
alter table person_job_files force row level security;
drop policy if exists person_job_files_scope on person_job_files;
create policy person_job_files_scope on person_job_files using ((select scope_all()) or exists (select 1 from person_jobs j where j.id = job_id))
  with check ((select scope_all()) or exists (select 1 from person_jobs j where j.id = job_id));

revoke all on saved_views, person_jobs, person_job_items, person_job_files from {{app_role}};
grant select, insert, update, delete on saved_views, person_jobs, person_job_items, person_job_files to {{app_role}};
