import { mostFailedJobs } from '@waystation/contract/shell/health.ts';
import type {
  FailedJob,
  abandonFailedJob,
  retryFailedJob,
} from '@waystation/contract/shell/health.ts';
import { isNeverAbandoned, taskWords } from '@waystation/contract/shell/health-words.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { App } from '#app.ts';
import { closeAlertOf } from '#domain/alerts/alerts.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { UserWork, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { shownError } from '#platform/jobs/error-text.ts';
import { failedJobs, hasFailedJob, hasJobOf, lockFailedJob } from '#platform/jobs/job-figures.ts';
import type { FailedRow } from '#platform/jobs/job-figures.ts';
import { removeJob, retryJob } from '#platform/jobs/jobs.ts';

const numberIn = (payload: FailedRow['payload'], name: string): number | null => {
  const value = payload[name];
  return typeof value === 'number' ? value : null;
};

/**
 * Returns the parcel of each edit, because the payload of a job for an edit contains only the
 * edit's id.
 */
const parcelsOf = async (work: Work, edits: readonly number[]): Promise<Map<number, number>> => {
  if (edits.length === 0) return new Map();
  const { rows } = await sql<{ id: number; express_id: number }>`select id, express_id
    from express_edits where id = any(${edits}::bigint[])`.execute(work.tx);
  return new Map(rows.map(({ id, express_id }) => [id, express_id]));
};

/** Returns the failed jobs of the list, newest first. */
export const listFailed = async (work: Work): Promise<FailedJob[]> => {
  const { rows } = await failedJobs(mostFailedJobs).execute(work.tx);
  const edits = rows.flatMap(({ payload }) => numberIn(payload, 'edit_id') ?? []);
  const parcels = await parcelsOf(work, edits);
  return rows.map(({ payload, last_error, failed_at, ...row }) => ({
    ...row,
    failed_at: failed_at.toISOString(),
    error: shownError(last_error),
    express_id:
      numberIn(payload, 'express_id') ?? parcels.get(numberIn(payload, 'edit_id') ?? 0) ?? null,
    reconciliation_id: numberIn(payload, 'reconciliation_id'),
  }));
};

type Act = 'retry_job' | 'abandon_job';

/**
 * The last action on a job and the account that took it, even if the job was removed since; null if
 * there was none.
 */
const lastAct = async (work: UserWork, id: number): Promise<string | null> => {
  const { rows } = await sql<{ action: string; account_id: number }>`select action, account_id
    from audit_log where subject = 'background_jobs' and subject_id = ${id}
    order by id desc limit 1`.execute(work.tx);
  const [last] = rows;
  return last ? `${last.account_id} ${last.action}` : null;
};

/**
 * Locks the failed job that the caller has seen. Returns null if the caller has already done this
 * action. Fails with `job_changed` if the job failed once more, or another user acted on it.
 */
const lockSeen = async (
  work: UserWork,
  { id, failed_at }: { id: number; failed_at: string },
  act: Act,
): Promise<FailedRow | null> => {
  const job = await lockFailedJob(work, id);
  if (job === null) {
    const last = await lastAct(work, id);
    if (last === `${work.actor.account_id} ${act}`) return null;
    return fail(last !== null || (await hasJobOf(work, id)) ? 'job_changed' : 'not_found');
  }
  if (job.failed_at.toISOString() !== failed_at) fail('job_changed');
  return job;
};

/** The ids of records in a job's payload, for example `express_id 7`. */
const aboutOf = (payload: FailedRow['payload']): string =>
  Object.entries(payload)
    .filter(([name]) => /_ids?$/.test(name))
    .map(([name, value]) => `${name} ${JSON.stringify(value).slice(0, 200)}`)
    .join(', ');

/**
 * Records the action with the job's content. Closes the task's alert if no other job of the task
 * has failed.
 */
const settle = async (
  app: App,
  work: UserWork,
  { id, task, attempts, payload, last_error }: FailedRow,
  { action, reason = '' }: { action: Act; reason?: string },
): Promise<{ id: number }> => {
  const about = aboutOf(payload);
  await recordAudit(work, {
    action,
    subject: 'background_jobs',
    subject_id: id,
    changes: {
      task: [task, task],
      tries: [attempts, action === 'retry_job' ? 0 : null],
      ...(about !== '' && { about: [about, about] }),
      ...(last_error !== '' && { error: [shownError(last_error), null] }),
    },
    reason,
  });
  if (!(await hasFailedJob(work, task)))
    await closeAlertOf(work, `job_dead:${task}`, app.clock.now());
  return { id };
};

export const retry = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof retryFailedJob>,
  request: RequestContext,
): Promise<{ id: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const job = await lockSeen(work, input, 'retry_job');
    if (job === null) return { id: input.id };
    await retryJob(work, job.id);
    return settle(app, work, job, { action: 'retry_job' });
  });

/**
 * Removes a failed job. Its task has already cleaned up after the failure. A job that decides about
 * money is not removed, because nothing else would find its outcome.
 */
export const abandon = (
  app: App,
  actor: Actor,
  { reason, ...input }: ParsedOf<typeof abandonFailedJob>,
  request: RequestContext,
): Promise<{ id: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const job = await lockSeen(work, input, 'abandon_job');
    if (job === null) return { id: input.id };
    // A task that this version does not know may decide about money, so its job cannot be
    // abandoned.
    if (isNeverAbandoned(taskWords[job.task]?.follows ?? 'decide')) fail('job_decides');
    await removeJob(work, job.id);
    return settle(app, work, job, { action: 'abandon_job', reason });
  });
