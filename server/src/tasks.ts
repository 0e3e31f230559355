import type { App } from './app.ts';
import { bulkLists } from './bulk-actions.ts';
import { exportLists } from './exports.ts';
import { expressTasks } from '#domain/express/express.ts';
import { ledgerTasks } from '#domain/ledger/ledger.ts';
import { reconciliationTasks } from '#domain/reconciliation/reconciliation.ts';
import { billRows } from '#features/bill-rows.ts';
import { rollUpCounts } from '#features/counts.ts';
import { tidyCalls } from '#features/merchant-calls.ts';
import { watchTokens } from '#features/merchants.ts';
import { makeExport } from '#features/exports.ts';
import { runPersonJob } from '#features/run-jobs.ts';
import { tidy } from '#features/tidy.ts';
import { reckonImpact } from '#features/voucher-impact.ts';
import type { Task } from '#platform/jobs/jobs.ts';

/** Every background task by name. */
export const tasks: Readonly<Record<string, Task<App>>> = {
  ...expressTasks,
  ...ledgerTasks,
  ...reconciliationTasks,
  roll_up_counts: rollUpCounts,
  run_person_job: runPersonJob({ ...bulkLists, bill_rows: billRows }, makeExport(exportLists)),
  tidy,
  tidy_calls: tidyCalls,
  watch_tokens: watchTokens,
  reckon_impact: reckonImpact,
};

/** Which of them run by the clock (UTC). */
export const schedule: Readonly<Record<string, string>> = {
  poll_live: '* * * * *',
  roll_up_counts: '* * * * *',
  tidy: '7 * * * *',
  tidy_calls: '37 * * * *',
  watch_tokens: '12 * * * *',
  ledger_platform_chain: '5 16 * * *',
  ledger_proof_nightly: '30 18 * * *',
};
