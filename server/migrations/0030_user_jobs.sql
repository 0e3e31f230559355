-- Precondition: 0006, 0009 and 0020.
-- The jobs of users and the secrets of two-factor authentication get the names that the code uses.

alter table person_jobs rename to user_jobs;
alter table person_job_items rename to user_job_items;
alter table person_job_files rename to user_job_files;
alter table second_factors rename to two_factor_secrets;

do $$
declare
  renamed record;
begin
  for renamed in
    select conrelid::regclass as relation, conname as old, replace(replace(conname, 'person_job', 'user_job'), 'second_factors', 'two_factor_secrets') as new
    from pg_constraint where conrelid in ('user_jobs'::regclass, 'user_job_items'::regclass, 'user_job_files'::regclass, 'two_factor_secrets'::regclass)
      and conname ~ '^(person_job|second_factors)'
  loop
    execute format('alter table %s rename constraint %I to %I', renamed.relation, renamed.old, renamed.new);
  end loop;
  for renamed in
    select relname as old, replace(relname, 'person_job', 'user_job') as new
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('i', 'S') and relname like 'person\_job%'
  loop
    execute format('alter table %I rename to %I', renamed.old, renamed.new);
  end loop;
end $$;

-- A program of the version before still reads and writes the old names while this one starts. The caller's own rights and policies apply. The next version drops the views.
create view person_jobs with (security_invoker = true) as select * from user_jobs;
create view person_job_items with (security_invoker = true) as select * from user_job_items;
create view person_job_files with (security_invoker = true) as select * from user_job_files;
create view second_factors with (security_invoker = true) as select * from two_factor_secrets;
grant select, insert, update, delete on person_jobs, person_job_items, person_job_files, second_factors to {{app_role}};

-- 'second_factor': rows of the version before; nothing changes them.
alter table account_setups drop constraint account_setups_what_check;
alter table account_setups add constraint account_setups_what_check
  check (what in ('password', 'two_factor', 'second_factor', 'role', 'station', 'status'));
