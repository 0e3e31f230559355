import type { App } from './app.ts';
import { expressTasks } from '#domain/express/express.ts';
import { ledgerTasks } from '#domain/ledger/ledger.ts';
import { rollUpCounts } from '#features/counts.ts';
import { tidy } from '#features/login.ts';
import type { Task } from '#platform/jobs/jobs.ts';

/** Every background task by name. */
export const tasks: Readonly<Record<string, Task<App>>> = {
  ...expressTasks,
  ...ledgerTasks,
  roll_up_counts: rollUpCounts,
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
