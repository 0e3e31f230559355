/**
 * Bills of carriers (docs/ledger.md, "Month end"): read from a file line by line, each line
 * matched with our parcels and decided by a user. Only the office may use them: callers have
 * checked that, and open their transactions with a scope of all rows. Weights in grams,
 * amounts in fen.
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
