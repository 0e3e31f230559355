import { endpoint } from '#base/endpoint.ts';
import type { schemas } from './health.schema.ts';
export type { FailedJob, Health, HealthProblem } from './health.schema.ts';

const base = '/api/arco/health';

/** The largest number of failed jobs that are listed, the newest first. */
export const mostFailedJobs = 50;
/** The largest number of jobs that are counted per kind; `more` is 1 if there are more jobs. */
export const mostJobsCounted = 10_000;
/**
 * The calls of a carrier account in the last hour are counted, the latest first, up to this number.
 */
export const mostCallsCounted = 1_000;

export const health = endpoint<typeof schemas.health>({
  method: 'GET',
  path: base,
  roles: ['super'],
  background: true,
  summary: 'What an operator watches: what is not well, jobs, carriers, database, backups.',
});

/** The call is refused with 409 if the job has failed again since it was shown. */
export const retryFailedJob = endpoint<typeof schemas.retryFailedJob>({
  method: 'POST',
  path: `${base}/jobs/{id}/retry`,
  roles: ['super'],
  summary: 'Run a failed background job again, with all its attempts.',
});

/**
 * A job that decides about money or erases a person cannot be abandoned, only retried; the call is
 * refused with `job_decides`.
 */
export const abandonFailedJob = endpoint<typeof schemas.abandonFailedJob>({
  method: 'POST',
  path: `${base}/jobs/{id}/abandon`,
  roles: ['super'],
  summary: 'Remove a failed background job for good, with a reason.',
});
