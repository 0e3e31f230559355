import { sql } from '#platform/db/db.ts';
import type { RawBuilder, Work } from '#platform/db/db.ts';
import { uncounted } from './jobs.ts';

/**
 * SQL for a failed job: it has no attempts left. A job that was replaced while it ran does not
 * count, because the library has set its attempts to the maximum.
 */
const isFailed = sql`j.attempts >= j.max_attempts and j.locked_at is null
  and j.max_attempts < ${uncounted}`;

export interface TaskFigures {
  task: string;
  /**
   * `waiting`: jobs that are due. `running`: jobs that run. `failed`: jobs without attempts left.
   */
  waiting: number;
  running: number;
  failed: number;
  /** The planned time of the oldest waiting job; null if no job waits. */
  oldest_at: Date | null;
}

/**
 * Returns the number of waiting, running and failed jobs of each task. Counts at most `most` + 1
 * jobs of each priority and state, so that it reads few index pages. It finds waiting jobs by
 * priority, running jobs through the workers' heartbeats, and failed jobs through their own index.
 */
export const jobFigures = (most: number): RawBuilder<TaskFigures> =>
  sql<TaskFigures>`with recursive levels (priority) as (
      (select j.priority from graphile_worker._private_jobs j where j.is_available
        order by j.priority limit 1)
      union all
      select (select j.priority from graphile_worker._private_jobs j where j.is_available
        and j.priority > l.priority order by j.priority limit 1)
      from levels l where l.priority is not null),
    jobs as (
      select d.task_id, 'waiting' as state, d.run_at from levels l cross join lateral (
        select j.task_id, j.run_at from graphile_worker._private_jobs j where j.is_available
          and j.priority = l.priority and j.run_at <= now()
        order by j.run_at limit ${most + 1}) d
      union all
      select j.task_id, 'running', null from worker_heartbeats h
        cross join unnest(h.job_ids) as run (id)
        join graphile_worker._private_jobs j on j.id = run.id
      where h.seen_at > clock_timestamp() - interval '1 minute' and j.locked_at is not null
      union all
      (select j.task_id, 'failed', null from graphile_worker._private_jobs j
        where ${isFailed}
        order by j.updated_at desc limit ${most + 1}))
    select t.identifier as task, count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'failed')::int as failed, min(run_at) as oldest_at
    from jobs join graphile_worker._private_tasks t on t.id = jobs.task_id
    group by t.identifier order by t.identifier`;

export interface FailedRow {
  id: number;
  task: string;
  attempts: number;
  failed_at: Date;
  last_error: string;
  payload: Readonly<Record<string, unknown>>;
}

const columns = sql`j.id, t.identifier as task, j.attempts, j.updated_at as failed_at,
  coalesce(j.last_error, '') as last_error, j.payload`;

/** SQL for the jobs without attempts left, the latest failures first. */
export const failedJobs = (most: number): RawBuilder<FailedRow> =>
  sql<FailedRow>`select ${columns} from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where ${isFailed}
    order by j.updated_at desc limit ${most}`;

/** True if a job with this id exists, in any state. */
export const hasJobOf = async (work: Work, id: number): Promise<boolean> => {
  const { rows } = await sql`select 1 from graphile_worker._private_jobs
    where id = ${id}::bigint`.execute(work.tx);
  return rows.length > 0;
};

/**
 * Locks a failed job and returns it; null if no job has this id, or if the job runs, waits or has
 * ended.
 */
export const lockFailedJob = async (work: Work, id: number): Promise<FailedRow | null> => {
  const { rows } = await sql<FailedRow>`select ${columns} from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where j.id = ${id}::bigint and ${isFailed}
    for update of j`.execute(work.tx);
  return rows[0] ?? null;
};

/** True if a task has a failed job. */
export const hasFailedJob = async (work: Work, task: string): Promise<boolean> => {
  const { rows } = await sql`select 1 from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${task} and ${isFailed}
    limit 1`.execute(work.tx);
  return rows.length > 0;
};
