import type { Tx } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';

/** Queues the facts of a matched bill's equal lines. */
export const queueEqualFacts = (tx: Tx, reconciliation_id: number, after = 0): Promise<void> =>
  addJob(tx, 'write_equal_facts', { reconciliation_id, after }, { key: `write_equal_facts:${reconciliation_id}` });
