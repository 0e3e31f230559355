import { raiseAlert } from '#domain/alerts/alerts.ts';
import type { App } from './app.ts';
import { bulkLists } from './bulk-actions.ts';
import { exportLists } from './exports.ts';
import { expressTasks } from '#domain/express/express.ts';
import { deliverInbox, noteLowBalances } from '#domain/inbox/inbox.ts';
import { noteSetups } from '#domain/station-setup/station-setup.ts';
import { pruneLiveEvents } from '#domain/live-events/live-events.ts';
import { ledgerTasks, queueDueProof } from '#domain/ledger/ledger.ts';
import { abandonedImports, atPace, importTasks } from '#domain/imports/imports.ts';
import { failBill, reconciliationTasks } from '#domain/reconciliation/reconciliation.ts';
import { billRows } from '#features/reconciliation/bill-rows.ts';
import { rollUpCounts } from '#features/parcels/roll-up.ts';
import { tidyCalls } from '#features/merchants/calls.ts';
import { watchTokens } from '#features/merchants/merchants.ts';
import { makeCount } from '#features/user-jobs/counts.ts';
import { makeExport } from '#features/user-jobs/exports.ts';
import { auditRefusedCalls } from '#features/people/refused-calls.ts';
import { failUserJob, runUserJob } from '#features/user-jobs/run-jobs.ts';
import { applyRaises } from '#features/setup/settings.ts';
import { applyTierPlans } from '#features/setup/tier-plans.ts';
import { tidy } from '#features/people/tidy.ts';
import { failImpact, estimateImpact } from '#features/vouchers/impact.ts';
import type { Tx } from '#platform/db/db.ts';
import type { GiveUp } from '#platform/jobs/attempts.ts';
import type { Task } from '#platform/jobs/jobs.ts';

/** Every background task by name. */
export const tasks: Readonly<Record<string, Task<App>>> = {
  ...expressTasks,
  send_order: atPace(expressTasks.send_order),
  ...ledgerTasks,
  ...reconciliationTasks,
  ...importTasks,
  roll_up_counts: rollUpCounts,
  run_user_job: runUserJob({ ...bulkLists, bill_rows: billRows }, { export: makeExport(exportLists), count: makeCount(exportLists) }),
  audit_refused_calls: auditRefusedCalls,
  tidy,
  tidy_calls: tidyCalls,
  apply_tier_plans: applyTierPlans,
  watch_tokens: watchTokens,
  estimate_impact: estimateImpact,
  apply_raises: applyRaises,
  queue_due_proof: queueDueProof,
  prune_live_events: pruneLiveEvents,
  deliver_inbox: deliverInbox,
  note_low_balances: noteLowBalances,
  note_setups: noteSetups,
};

/** Which of them run by the clock (UTC). */
export const schedule: Readonly<Record<string, string>> = {
  poll_live: '* * * * *',
  queue_missing_calls: '*/10 * * * *',
  watch_outages: '* * * * *',
  roll_up_counts: '* * * * *',
  audit_refused_calls: '* * * * *',
  apply_raises: '* * * * *',
  apply_tier_plans: '* * * * *',
  tidy: '7 * * * *',
  tidy_calls: '37 * * * *',
  watch_tokens: '12 * * * *',
  ledger_platform_chain: '5 16 * * *',
  ledger_heads: '*/15 * * * *',
  queue_due_proof: '* * * * *',
  prune_live_events: '* * * * *',
  deliver_inbox: '* * * * *',
  note_low_balances: '22 * * * *',
  note_setups: '*/15 * * * *',
};

/** Calls whose outcome is open are asked for without end: giving up would leave money held for nothing. */
const forever = 32_000;

/**
 * How often a job of each task is begun before it is given up. The pause between attempts grows from seconds to hours: 6 attempts take four minutes,
 * 12 a day. What the clock repeats needs few.
 */
export const attempts: Readonly<Record<string, number>> = {
  send_order: forever,
  cancel_parcel: forever,
  cancel_waybill: forever,
  modify_parcel: forever,
  release_on_hold: 20,
  ask_facts: 12,
  ask_trace: 6,
  sort_again: 12,
  read_pushes: 12,
  read_push: 12,
  poll_live: 3,
  queue_missing_calls: 3,
  watch_outages: 3,
  read_bill: 6,
  match_bill: 6,
  write_equal_facts: 12,
  bill_contradicted: 12,
  run_user_job: 6,
  read_import: 6,
  check_import: 6,
  quote_import: 6,
  run_import: 30,
  estimate_impact: 3,
  roll_up_counts: 3,
  audit_refused_calls: 3,
  apply_raises: 3,
  apply_tier_plans: 3,
  queue_due_proof: 3,
  prune_live_events: 3,
  deliver_inbox: 3,
  note_low_balances: 4,
  note_setups: 4,
  tidy: 4,
  tidy_calls: 4,
  watch_tokens: 4,
  ledger_platform_chain: 8,
  ledger_heads: 4,
  ledger_proof_nightly: 4,
  ledger_proof_new: 4,
};

/** What a job leaves behind that somebody waits for ends with it. */
const leftBehind: Readonly<Record<string, (tx: Tx, payload: never) => Promise<void>>> = {
  read_bill: failBill,
  match_bill: failBill,
  ...abandonedImports,
  run_user_job: failUserJob,
  estimate_impact: failImpact,
};

/** A job without attempts left raises an alert on the Workplace, one per task; docs/operating.md describes how to restart it. */
export const giveUp: GiveUp = async (tx, { task, payload, attempts: tries, detail }) => {
  await raiseAlert(tx, { code: 'job_dead', params: { task, attempts: tries, text: detail.slice(0, 300) }, key: `job_dead:${task}` });
  await leftBehind[task]?.(tx, payload as never);
};
