import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { flag, id, text, time } from '#base/fields.schema.ts';
import { reasonLength } from '#base/limits.ts';
import { problemCodes } from './health-words.ts';
import type { ProblemCode } from './health-words.ts';
import * as endpoints from './health.ts';

const count = z.int();
const moment = z.nullable(time);
/** The time of a failure, exactly as the page showed it. */
const shownTime = z.iso.datetime();

const problem = z.object({
  code: z.enum(problemCodes as [ProblemCode, ...ProblemCode[]]),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  /** The id of the carrier account that the problem concerns; null if it concerns none. */
  merchant_id: z.nullable(z.int()),
});
export type HealthProblem = z.infer<typeof problem>;

const failedJob = z.object({
  id: z.int(),
  task: z.string(),
  attempts: count,
  failed_at: time,
  /** The error of the last attempt, with its numbers and identifiers removed. */
  error: z.string(),
  /**
   * The id of the parcel or of the carrier bill that the job is about; null if its payload contains
   * none.
   */
  express_id: z.nullable(z.int()),
  reconciliation_id: z.nullable(z.int()),
});
export type FailedJob = z.infer<typeof failedJob>;

const tasks = z.array(
  z.object({ task: z.string(), waiting: count, running: count, failed: count, oldest_at: moment }),
);

const carriers = z.array(
  z.object({
    merchant_id: z.int(),
    name: z.string(),
    paused_at: moment,
    down_since: moment,
    /**
     * The number of calls in the last hour, at most `mostCallsCounted`; `answered` is the number of
     * those that got an answer.
     */
    calls: count,
    answered: count,
    median_ms: z.nullable(count),
    p95_ms: z.nullable(count),
  }),
);

const proof = z.nullable(z.object({ at: time, ok: flag }));

export const schemas = {
  health: {
    input: z.object({}),
    output: z.object({
      at: time,
      problems: z.array(problem),
      jobs: z.object({
        tasks,
        failed: z.array(failedJob),
        failed_total: count,
        /** 1: there are more than were counted. */
        more: flag,
      }),
      carriers,
      /** Orders whose outcome is open; `more` 1: there are more than were counted. */
      orders: z.object({ open: count, oldest_at: moment, more: flag }),
      database: z.object({
        version: z.string(),
        bytes: count,
        connections: count,
        most_connections: count,
        edition: count,
        migration: z.string(),
        standbys: count,
      }),
      /**
       * Null if no replica is set up. `behind_ms` is null if the replica does not answer, or if its
       * delay exceeds the limit.
       */
      replica: z.nullable(z.object({ behind_ms: z.nullable(count) })),
      /** The disks of the installation; `free` is null if the disk does not answer. */
      disks: z.array(
        z.object({ place: z.string(), free: z.nullable(count), total: z.nullable(count) }),
      ),
      backups: z.object({
        scheduled: flag,
        next_at: moment,
        /** If no backup was made or verified yet, the time from which the delay is counted. */
        since_at: time,
        finished_at: moment,
        bytes: z.nullable(count),
        verified_at: moment,
        failed_at: moment,
        problem: z.nullable(z.string()),
      }),
      /** The archive of the database's write-ahead log (WAL); null if none is known. */
      wal: z.nullable(
        z.object({
          /** 1: the archive is ours; 0: it belongs to an external server. */
          own: flag,
          stopped: flag,
          /** If nothing was archived yet, the time from which the delay is counted. */
          since_at: time,
          archived_at: moment,
          /** The time of the last failure; null if something was archived after it. */
          failed_at: moment,
          failures: count,
          /**
           * The number of bytes that wait to be archived. This field and the following fields are
           * known only for our own archive.
           */
          waiting: count,
          /** The time of the newest base backup, and the earliest time that can be restored. */
          base_at: moment,
          from_at: moment,
          /**
           * The time when our archive began, and the time when a test restore of the archive was
           * last verified.
           */
          began_at: moment,
          verified_at: moment,
          /** Why the last test of restoring a backup failed. */
          problem: z.nullable(z.string()),
        }),
      ),
      /**
       * The state of notifications outside the console. `mail` none: no mail server is configured.
       */
      notices: z.object({
        mail: z.enum(['ready', 'failing', 'none']),
        mail_failing_since: moment,
        /** The code of the mail server's last failure. */
        mail_detail: z.string(),
        /**
         * The numbers of channels in use, of failing channels, and of waiting notifications, each
         * at most 10,000.
         */
        live: count,
        failing: count,
        waiting: count,
      }),
      proof: z.object({ full: proof, part: proof, suspended: count }),
      process: z.object({ version: z.string(), node: z.string(), started_at: time, bytes: count }),
      workers: z.array(z.object({ seen_at: time, running: count })),
    }),
  },
  retryFailedJob: {
    input: z.object({ id, failed_at: shownTime }),
    output: z.object({ id: z.int() }),
  },
  abandonFailedJob: {
    input: z.object({ id, failed_at: shownTime, reason: text(reasonLength.min, reasonLength.max) }),
    output: z.object({ id: z.int() }),
  },
};

export type Health = z.infer<typeof schemas.health.output>;

export const calls = withSchemas(endpoints, schemas);
