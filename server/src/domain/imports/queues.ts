import type { Tx } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';

/** One file at a time in the whole installation, bills of carriers included, so that many uploads need no more memory than one. */
export const queueReading = (tx: Tx, import_id: number): Promise<void> =>
  addJob(tx, 'read_import', { import_id }, { key: `read_import:${import_id}`, queue: 'read_workbook', priority: 10 });

/** Work on one import runs one after another; a person's single order goes before it. */
const queueStep =
  (task: string) =>
  (tx: Tx, import_id: number, runAt?: Date): Promise<void> =>
    addJob(tx, task, { import_id }, { key: `${task}:${import_id}`, queue: `import:${import_id}`, priority: 10, ...(runAt && { runAt }) });
export const queueChecking = queueStep('check_import');
export const queuePricing = queueStep('quote_import');
export const queueRunning = queueStep('run_import');
