-- A worker says with each heartbeat which jobs it runs, by their numbers: a job locked in its name and not among them is run by nobody.
alter table worker_heartbeats add column job_ids bigint[] not null default '{}';
