import * as z from 'zod/mini';
import type { Work } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { task } from '#platform/jobs/task.ts';

const ofBill = z.object({ reconciliation_id: z.int() });

/**
 * Reads the file of a bill. Only one file at a time is read in the whole installation, so that many
 * uploads need no more memory than one.
 */
export const readBillTask = task('read_bill', ofBill, {
  attempts: 6,
  keyBy: ['reconciliation_id'],
  queue: () => 'read_bill',
  priority: 10,
});
export const queueReading = (work: Work, reconciliation_id: number): Promise<void> =>
  addJob(work, readBillTask, { reconciliation_id });

export const matchBillTask = task('match_bill', ofBill, {
  attempts: 6,
  keyBy: ['reconciliation_id'],
  priority: 10,
});
export const queueMatching = (work: Work, reconciliation_id: number): Promise<void> =>
  addJob(work, matchBillTask, { reconciliation_id });

/** Task that writes the facts of a matched bill's equal lines. */
export const writeEqualFactsTask = task(
  'write_equal_facts',
  z.object({ reconciliation_id: z.int(), after: z.int() }),
  {
    attempts: 12,
    keyBy: ['reconciliation_id'],
  },
);
export const queueEqualFacts = (work: Work, reconciliation_id: number, after = 0): Promise<void> =>
  addJob(work, writeEqualFactsTask, { reconciliation_id, after });
