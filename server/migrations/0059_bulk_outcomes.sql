-- Bulk actions whose result is the carrier's answer (domain/user-jobs/bulk.ts).

-- When the row was handed to its carrier; its result follows once the carrier has answered. Null: not handed, or its result was known at once.
alter table user_job_items add column handed_at timestamptz;
