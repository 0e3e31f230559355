-- Precondition: 0151.
-- Of a count in the background: what the list's counts call answers.
alter table user_jobs add column answer jsonb;
