import * as z from 'zod/mini';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { Job, JobStatus } from '@waystation/contract/shell/jobs.ts';
import { mostOpenJobs } from '@waystation/contract/base/limits.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, UserWork, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { task } from '#platform/jobs/task.ts';

export interface JobRow {
  id: number;
  account_id: number;
  station_id: number | null;
  kind: string;
  list: string;
  action: string;
  params: Record<string, unknown>;
  answer: Record<string, unknown> | null;
  status: JobStatus;
  reason: Reason | null;
  total: number;
  done: number;
  ok: number;
  skipped: number;
  failed: number;
  address: string;
  request_id: string;
  file_name: string | null;
  file_type: string | null;
  file_bytes: number | null;
  created_at: Date;
  finished_at: Date | null;
}

/** A job that has no rows and runs as a whole. Returns a reason if it cannot be done. */
export type WholeJob<A> = (app: A, job: JobRow) => Promise<Reason | null>;

/** The columns of `JobRow`. */
const columns = [
  ...([
    'id',
    'account_id',
    'station_id',
    'kind',
    'list',
    'action',
    'params',
    'answer',
    'status',
    'reason',
    'total',
    'done',
    'ok',
    'skipped',
    'failed',
  ] as const),
  ...([
    'address',
    'request_id',
    'file_name',
    'file_type',
    'file_bytes',
    'created_at',
    'finished_at',
  ] as const),
];

export interface NewJob {
  list: string;
  action: string;
  /** The parameters of the action. */
  params: Record<string, unknown>;
  /**
   * The number of the job's rows, which `addItems` adds; 0 if the job has no rows and runs as a
   * whole.
   */
  total: number;
  /**
   * The jobs of one user in the same queue run one after another. The default queue is for bulk
   * actions and exports.
   */
  queue?: 'counts' | 'archives';
}

export const runUserJobTask = task(
  'run_user_job',
  z.object({ job_id: z.int(), after_item: z.exactOptional(z.int()) }),
  { attempts: 6, priority: 10 },
);

/**
 * Queues the next slice of a job, which begins after the row `after_item`. Its priority is lower
 * than that of calls to carriers.
 */
export const queueSlice = (
  work: Work,
  { id, account_id, queue }: Pick<JobRow, 'id' | 'account_id'> & { queue?: NewJob['queue'] },
  after_item = 0,
  runAt?: Date,
): Promise<void> =>
  addJob(
    work,
    runUserJobTask,
    { job_id: id, after_item },
    {
      queue: `${queue ?? 'person'}:${account_id}`,
      ...(runAt && { runAt }),
    },
  );

/**
 * Locks the job list of the account until the transaction ends, so that each new job sees the
 * earlier ones.
 */
const lockJobs = (work: ReaderWork) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`jobs ${work.actor.account_id}`},
  13))`.execute(work.tx);

/** Throws if the account has reached the limit of unfinished jobs; counts have their own limit. */
const requireRoom = async (work: ReaderWork): Promise<void> => {
  await lockJobs(work);
  const open = sql<{
    n: number;
  }>`select count(*) as n from user_jobs where account_id = ${work.actor.account_id}
    and status in ('queued', 'running') and action <> 'count'`;
  // Jobs that the same account started for another station count too.
  const { n } = await work.asSystem('count of open jobs', (system) => oneRow(system, open));
  if (n >= mostOpenJobs) fail('too_many_jobs', { limit: mostOpenJobs });
};

/** Queues a job in the caller's transaction; returns its id. Throws `too_many_jobs`. */
export const queueJob = async (work: UserWork, job: NewJob): Promise<number> => {
  if (job.action !== 'count') await requireRoom(work);
  const { id } = await work.tx
    .insertInto('user_jobs')
    .values({
      account_id: work.actor.account_id,
      station_id: work.actor.station_id,
      kind:
        job.action === 'export' || job.action === 'count'
          ? job.action
          : `${job.list}.${job.action}`,
      list: job.list,
      action: job.action,
      params: jsonText(job.params),
      total: job.total,
      address: work.origin.address,
      request_id: work.origin.request_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queueSlice(work, { ...job, id, account_id: work.actor.account_id });
  return id;
};

/**
 * Rows that failed or were not reached; if there is a code, only rows that failed for this reason.
 */
const isUndone = (code: string | undefined) =>
  code === undefined
    ? sql<boolean>`coalesce(result,
    'fail') = 'fail'`
    : sql<boolean>`result = 'fail'
    and reason ->> 'code' = ${code}`;

export const countUndone = async (
  work: Work,
  job_id: number,
  code: string | undefined,
): Promise<number> => {
  const { n } = await oneRow(
    work,
    sql<{ n: number }>`select count(*) as n from user_job_items
    where job_id = ${job_id} and ${isUndone(code)}`,
  );
  return n;
};

/** Adds the rows that another job has not done yet, in their order. */
export const addUndone = async (
  work: Work,
  job_id: number,
  other_id: number,
  code: string | undefined,
): Promise<void> => {
  await sql`insert into user_job_items (job_id, subject_id, name)
    select ${job_id}, subject_id, name from user_job_items where job_id = ${other_id}
      and ${isUndone(code)} order by id`.execute(work.tx);
};

/** The actor's own job; another account's job is a 404. */
export const jobFor = async (work: ReaderWork, id: number): Promise<JobRow> => {
  const row = await work.tx
    .selectFrom('user_jobs')
    .select(columns)
    .where('id', '=', id)
    .where('account_id', '=', work.actor.account_id)
    .executeTakeFirst();
  return row ?? fail('not_found');
};

export const jobAnswer = ({
  id,
  kind,
  list,
  status,
  reason,
  total,
  done,
  ok,
  skipped,
  failed,
  created_at,
  finished_at,
  ...row
}: JobRow): Job => ({
  id,
  kind,
  list,
  status,
  reason,
  total,
  done,
  ok,
  skipped,
  failed,
  created_at: created_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null,
  file:
    row.file_bytes === null
      ? null
      : { name: row.file_name!, type: row.file_type!, bytes: row.file_bytes },
});

/**
 * The actor's unfinished jobs of an action. No other job of the actor can begin before the
 * transaction ends.
 */
export const openJobs = async (
  work: ReaderWork,
  action: 'count' | 'export',
): Promise<Pick<JobRow, 'id' | 'list' | 'params' | 'station_id'>[]> => {
  await lockJobs(work);
  return work.tx
    .selectFrom('user_jobs')
    .select(['id', 'list', 'params', 'station_id'])
    .where('account_id', '=', work.actor.account_id)
    .where('action', '=', action)
    .where('status', 'in', ['queued', 'running'])
    .execute();
};

/**
 * The actor's own latest jobs, newest first. Jobs that only count rows are left out, because their
 * results are shown on the page that requested them.
 */
export const jobsOf = async (work: ReaderWork, since: Date): Promise<JobRow[]> => {
  const rows = await work.tx
    .selectFrom('user_jobs')
    .select(columns)
    .where('account_id', '=', work.actor.account_id)
    .where('created_at', '>', since)
    .where('action', '<>', 'count')
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  return rows;
};

/** Marks a job as running and returns it; null if the job has ended. Called by the worker. */
export const startJob = async (work: Work, id: number): Promise<JobRow | null> => {
  const { rows } = await sql<JobRow>`update user_jobs set status = 'running' where id = ${id}
    and status in ('queued', 'running') returning *`.execute(work.tx);
  return rows[0] ?? null;
};

/** Stores the result of a job that counted rows. */
export const answerJob = async (
  work: Work,
  id: number,
  answer: Record<string, unknown>,
  total: number,
): Promise<void> => {
  await work.tx
    .updateTable('user_jobs')
    .set({ answer: jsonText(answer), total })
    .where('id', '=', id)
    .execute();
};

/** Ends a job. A reason means that the job stopped early. */
export const finishJob = async (
  work: Work,
  id: number,
  at: Date,
  reason: Reason | null = null,
): Promise<void> => {
  await work.tx
    .updateTable('user_jobs')
    .set({
      status: reason === null ? 'done' : 'failed',
      reason: reason === null ? null : jsonText(reason),
      finished_at: at,
    })
    .where('id', '=', id)
    .execute();
};
