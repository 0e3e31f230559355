import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './jobs.schema.ts';
export type { Job, JobGroup, JobItem } from './jobs.schema.ts';

const base = '/api/arco/jobs';

export const jobStatuses = ['queued', 'running', 'done', 'failed'] as const;
export type JobStatus = (typeof jobStatuses)[number];
/** `skip`: the row's state needs no action. `fail`: the action failed and can be tried again. */
export const jobResults = ['ok', 'skip', 'fail'] as const;
export type JobResult = (typeof jobResults)[number];

export const listJobs = endpoint<typeof schemas.listJobs>({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'The caller’s own jobs of the last seven days, newest first, at most 50.',
});

export const getJob = endpoint<typeof schemas.getJob>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: everyone,
  summary:
    'One of the caller’s own jobs with the results of its rows, by page, by result and by the code of their reason.',
});

export const getJobFile = endpoint<typeof schemas.getJobFile>({
  method: 'GET',
  path: `${base}/{id}/file`,
  roles: everyone,
  answers: 'file',
  summary: 'The file of a finished export, for seven days.',
});

/** The maximum number of unfinished counts of one account. */
export const mostCounts = 4;

/** A count that is already running is not started again; the call returns its job. */
export const countList = endpoint<typeof schemas.countList>({
  method: 'POST',
  path: '/api/arco/counts',
  roles: everyone,
  summary:
    'Counts and adds up, in the background, everything that the filters of a list match; the job’s answer is that of the list’s counts call. The roles are those of the list.',
});

/**
 * Starts a new job with the rows that failed and the rows that were not processed when the job
 * stopped.
 */
export const retryJob = endpoint<typeof schemas.retryJob>({
  method: 'POST',
  path: `${base}/{id}/retry`,
  roles: everyone,
  summary: 'Run the failed rows of a finished job of the user again, all or those of one reason.',
});
