import * as z from 'zod/mini';
import { id, listInput, listOf, reason, text, time } from '#base/fields.schema.ts';
import { errorCodeLength } from '#base/limits.ts';
import { listName } from './views.schema.ts';
import { jobResults, jobStatuses } from './jobs.ts';
import { withSchemas } from '#base/endpoint.ts';
import * as endpoints from './jobs.ts';

/**
 * Work in the background for one person. `kind` is `export`, `count` or `<list>.<action>`, such as
 * `expresses.cancel`.
 */
export const job = z.object({
  id: z.int(),
  kind: z.string(),
  /** The name of the list whose rows the job processes. */
  list: z.string(),
  status: z.enum(jobStatuses),
  /** Why the job stopped before it had processed all rows; null unless the status is `failed`. */
  reason: z.nullable(reason),
  total: z.int(),
  done: z.int(),
  ok: z.int(),
  skipped: z.int(),
  failed: z.int(),
  created_at: time,
  finished_at: z.nullable(time),
  /** The file of a finished export; null after seven days, when the file is removed. */
  file: z.nullable(z.object({ name: z.string(), type: z.string(), bytes: z.int() })),
});
export type Job = z.infer<typeof job>;

export const jobItem = z.object({
  id: z.int(),
  subject_id: z.int(),
  /** The number or the name by which people recognise the row. */
  name: z.string(),
  /** Null while the row has not been processed yet. */
  result: z.nullable(z.enum(jobResults)),
  reason: z.nullable(reason),
});
export type JobItem = z.infer<typeof jobItem>;

/** The rows of a job that have the same result for the same reason. */
export const jobGroup = z.object({
  result: z.enum(jobResults),
  /** The reason of the first row; `same` 0: the reasons of the other rows have other parameters. */
  reason,
  same: z.union([z.literal(0), z.literal(1)]),
  count: z.int(),
});
export type JobGroup = z.infer<typeof jobGroup>;

export const schemas = {
  listJobs: {
    input: z.object({}),
    output: z.object({ items: z.array(job) }),
  },
  getJob: {
    input: z.object({
      id,
      page: listInput.page,
      page_size: listInput.page_size,
      cursor: listInput.cursor,
      result: z.optional(z.enum(jobResults)),
      code: z.optional(text(1, errorCodeLength)),
    }),
    output: z.extend(job, {
      /**
       * The rows that have a reason, grouped by result and reason. The groups of failed rows come
       * first, the largest of them at the top.
       */
      groups: z.array(jobGroup),
      results: listOf(jobItem),
      /**
       * The output of the list's counts call, for a job that counts and has finished; null for any
       * other job.
       */
      answer: z.nullable(z.record(z.string(), z.unknown())),
    }),
  },
  countList: {
    input: z.object({
      list: listName,
      /** The filters of the list; they do not include page, page_size and cursor. */
      filters: z.record(z.string(), z.unknown()),
    }),
    output: z.object({ job_id: z.int() }),
  },
  getJobFile: {
    input: z.object({ id }),
    output: z.unknown(),
  },
  retryJob: {
    input: z.object({
      id,
      /** Only the rows that failed with this reason are tried again. */
      code: z.optional(text(1, errorCodeLength)),
    }),
    output: z.object({ job_id: z.int(), total: z.int() }),
  },
};

export const calls = withSchemas(endpoints, schemas);
