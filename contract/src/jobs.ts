import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, listInput, listOf, reason, time } from './fields.ts';
import { everyone } from './roles.ts';

const base = '/api/arco/jobs';

export const jobStatuses = ['queued', 'running', 'done', 'failed'] as const;
export type JobStatus = (typeof jobStatuses)[number];
/** `skip`: nothing to do for this row as it stands; `fail`: worth another try. */
export const jobResults = ['ok', 'skip', 'fail'] as const;
export type JobResult = (typeof jobResults)[number];

/** Work in the background for one person. `kind` is `export` or `<list>.<action>`, as `expresses.cancel`. */
export const job = z.object({
  id: z.int(),
  kind: z.string(),
  /** The list it is about. */
  list: z.string(),
  status: z.enum(jobStatuses),
  /** Why it stopped before its end; null unless `failed`. */
  reason: z.nullable(reason),
  total: z.int(),
  done: z.int(),
  ok: z.int(),
  skipped: z.int(),
  failed: z.int(),
  created_at: time,
  finished_at: z.nullable(time),
  /** Of a finished export, until it is removed after seven days. */
  file: z.nullable(z.object({ name: z.string(), type: z.string(), bytes: z.int() })),
});
export type Job = z.infer<typeof job>;

export const jobItem = z.object({
  id: z.int(),
  subject_id: z.int(),
  /** What the row is called: a number, a name. */
  name: z.string(),
  /** Null while it waits. */
  result: z.nullable(z.enum(jobResults)),
  reason: z.nullable(reason),
});
export type JobItem = z.infer<typeof jobItem>;

export const listJobs = endpoint({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'The caller’s own jobs of the last seven days, newest first, at most 50.',
  input: z.object({}),
  output: z.object({ items: z.array(job) }),
});

export const getJob = endpoint({
  method: 'GET',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'One of the caller’s own jobs with the results of its rows, by page and by result.',
  input: z.object({ id, page: listInput.page, page_size: listInput.page_size, cursor: listInput.cursor, result: z.optional(z.enum(jobResults)) }),
  output: z.extend(job, { results: listOf(jobItem) }),
});

export const getJobFile = endpoint({
  method: 'GET',
  path: `${base}/{id}/file`,
  roles: everyone,
  answers: 'file',
  summary: 'The file of a finished export, for seven days.',
  input: z.object({ id }),
  output: z.unknown(),
});

/** What failed, and what was left when the job stopped, as a new job. */
export const retryJob = endpoint({
  method: 'POST',
  path: `${base}/{id}/retry`,
  roles: everyone,
  summary: 'Run the failed rows of one’s own finished job again.',
  input: z.object({ id }),
  output: z.object({ job_id: z.int(), total: z.int() }),
});
