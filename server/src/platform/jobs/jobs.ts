import type { RawBuilder } from 'kysely';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { queueStatement, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { tracer } from '#platform/tracing/tracing.ts';
import { keyOf } from './task.ts';
import type { Task } from './task.ts';

/** The options of one job, in addition to those of its task. */
export interface JobOptions {
  key?: string;
  /** 'preserve_run_at' keeps the earlier time of a waiting job with the same key. */
  keyMode?: 'replace' | 'preserve_run_at';
  queue?: string;
  runAt?: Date;
  priority?: number;
}

/**
 * The number of attempts that is given to the job library. The real limit of attempts is that of
 * the task.
 */
export const uncounted = 32_000;

/**
 * Returns SQL for a job that is passed to the library's `add_jobs`. The job's payload is an SQL
 * expression, for example over a row.
 */
export const jobSpec = (
  task: Pick<Task<never>, 'name'>,
  payload: RawBuilder<unknown>,
  { queue, runAt, key, priority }: JobOptions = {},
) =>
  sql`row(${task.name}::text, ${payload}, ${queue ?? null}::text, ${runAt ?? null}::timestamptz,
    ${uncounted}::smallint, ${key ?? null}::text,
    ${priority ?? 0}::smallint, null::text[])::graphile_worker.job_spec`;

/**
 * Returns an SQL expression that queues jobs; `specs` is an array of `jobSpec`. Queuing many jobs
 * costs little more than queuing one.
 */
export const addedJobs = (specs: RawBuilder<unknown>, keyMode: JobOptions['keyMode'] = 'replace') =>
  sql`graphile_worker.add_jobs(${specs}, ${keyMode === 'preserve_run_at'}::boolean)`;

/**
 * Queues a job in the caller's transaction: it runs if and only if the transaction commits.
 */
export const addJob = async <Payload extends object>(
  work: Work,
  task: Task<Payload>,
  payload: NoInfer<Payload>,
  options: JobOptions = {},
): Promise<void> => {
  const traceparent = tracer()?.traceparent() ?? null;
  const sent = traceparent === null ? payload : { ...payload, traceparent };
  const spec = jobSpec(task, sql`${JSON.stringify(sent)}::json`, {
    ...(task.keyBy && { key: keyOf(task, payload) }),
    ...(task.queue && { queue: task.queue(payload) }),
    ...(task.priority !== undefined && { priority: task.priority }),
    ...options,
  });
  await queueStatement(
    work,
    sql`select
    from ${addedJobs(sql`array[${spec}]`, options.keyMode)}`.compile(work.tx),
  );
};

/** Changes the priority of the waiting jobs with these keys. */
export const reorderJobs = async (
  work: Work,
  keys: readonly string[],
  priority: number,
): Promise<void> => {
  await sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs
    where key = any(${keys})), priority => ${priority}::int)`.execute(work.tx);
};

/**
 * Lets a failed, locked job start again with its second attempt. The first attempt of a task may do
 * something that must happen only once, and this job has already done it.
 */
export const retryJob = async (work: Work, id: number): Promise<void> => {
  await sql`update graphile_worker._private_jobs set attempts = 1, max_attempts = ${uncounted},
    run_at = now(), updated_at = now(), flags = flags - 'interrupted'
    where id = ${id}::bigint`.execute(work.tx);
};

/**
 * Removes jobs that were queued again while they ran, and whose process was then killed. The
 * library keeps such a job without attempts left, in addition to the job that replaced it.
 */
export const removeReplacedJobs = async (work: Work): Promise<void> => {
  await sql`delete from graphile_worker._private_jobs where attempts >= max_attempts
    and max_attempts >= ${uncounted} and locked_at is null
    and updated_at < now() - interval '1 hour'`.execute(work.tx);
};

/**
 * Removes the failed jobs of a scheduled task, except the job with the id `keep`. Returns the
 * number of removed jobs.
 */
export const removeFailedJobs = async (work: Work, task: string, keep = '0'): Promise<number> => {
  const { rows } = await sql`delete from graphile_worker._private_jobs
    where task_id = (select id from graphile_worker._private_tasks where identifier = ${task})
      and attempts >= max_attempts and max_attempts < ${uncounted} and locked_at is null
      and id <> ${keep}::bigint returning id`.execute(work.tx);
  return rows.length;
};

/** Deletes a failed job from the queue. The caller has locked the job. */
export const removeJob = async (work: Work, id: number): Promise<void> => {
  await sql`delete from graphile_worker._private_jobs where id = ${id}::bigint`.execute(work.tx);
};

/**
 * Creates the tables of the job library, and gives the application role the right to use them. Runs
 * as the owner, while it holds the migration lock.
 */
export const migrateJobs = async (
  client: pg.Client,
  owner: pg.ClientConfig,
  appRole: string,
): Promise<void> => {
  const pool = new pg.Pool({ ...owner, max: 2 });
  // Without these listeners, a lost connection would end the process. With them, only the migration
  // of the job library fails.
  pool.on('error', () => {});
  pool.on('connect', (connected) => void connected.on('error', () => {}));
  await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) }).finally(() =>
    pool.end(),
  );
  const role = pg.escapeIdentifier(appRole);
  await client.query(`
    grant usage on schema graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
    grant usage, select on all sequences in schema graphile_worker to ${role};
    grant execute on all functions in schema graphile_worker to ${role};
    -- Failed jobs, the newest first (platform/jobs/job-figures.ts).
    create index if not exists waystation_failed_jobs on graphile_worker._private_jobs (updated_at)
      where attempts >= max_attempts and locked_at is null;
    create index if not exists waystation_failed_of_task
      on graphile_worker._private_jobs (task_id, updated_at)
      where attempts >= max_attempts and locked_at is null;
    -- Its statements take an array, and would be planned again by each call, which costs as much as adding the job (decision 95).
    alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean) reset all;
    alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean) set plan_cache_mode = force_generic_plan;
    do $$ declare t text; begin
      for t in select c.relname from pg_class c where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
        and not exists (select 1 from pg_policy p where p.polrelid = c.oid) loop
        execute format('create policy app on graphile_worker.%I using (true) with check (true)', t);
      end loop;
    end $$;`);
};
