/**
 * Carrier bills (docs/ledger.md, "Month end"). A bill is read from a file line by line, each line
 * is matched with our parcels, and a user decides it. Only admins may use bills: callers have
 * checked that, and open their transactions with a scope of all rows. Weights are in grams, amounts
 * in fen.
 */
import { billContradictedTask } from '#domain/express/express.ts';
import type { TaskHandler } from '#platform/jobs/task.ts';
import { matchBill } from './matching.ts';
import { matchBillTask, readBillTask, writeEqualFactsTask } from './queues.ts';
import { failBill, readBill } from './reading.ts';
import { billContradicted, writeEqualFacts } from './equal-facts.ts';
import type { BillContext } from './store.ts';

export {
  billMonths,
  discardBill,
  storeBill,
  mapBill,
  payBill,
  setBillTolerances,
} from './bills.ts';
export { acceptLine, disputeLine } from './deciding.ts';
export type { Decided } from './deciding.ts';
export { disputesFile } from './disputes.ts';
export { billOf, billText, listBills, listLines, lockBill } from './store.ts';

export const reconciliationTasks: readonly TaskHandler<BillContext>[] = [
  readBillTask.runs(readBill, { abandon: failBill }),
  matchBillTask.runs(matchBill, { abandon: failBill }),
  writeEqualFactsTask.runs(writeEqualFacts),
  billContradictedTask.runs(billContradicted),
];
