import type { App } from './app.ts';
import { bulkLists } from './bulk-actions.ts';
import { exportLists } from './exports.ts';
import { expressTasks } from '#domain/express/express.ts';
import { ledgerTasks } from '#domain/ledger/ledger.ts';
import { rollUpCounts } from '#features/counts.ts';
import { makeExport } from '#features/exports.ts';
import { runPersonJob } from '#features/run-jobs.ts';
import { tidy } from '#features/tidy.ts';
import type { Task } from '#platform/jobs/jobs.ts';

/** Every background task by name. */
export const tasks: Readonly<Record<string, Task<App>>> = {
  ...expressTasks,
  ...ledgerTasks,
  roll_up_counts: rollUpCounts,
  run_person_job: runPersonJob(bulkLists, makeExport(exportLists)),
  tidy,
};

/** Which of them run by the clock (UTC). */
export const schedule: Readonly<Record<string, string>> = {
  poll_live: '* * * * *',
  roll_up_counts: '* * * * *',
  tidy: '7 * * * *',
  ledger_platform_chain: '5 16 * * *',
  ledger_proof_nightly: '30 18 * * *',
};
