/**
 * Bills of carriers (docs/ledger.md, "Month end"): read from a file line by line, each line matched with our parcels and decided by a user. Only the office
 * may use them: callers have checked that, and open their transactions with a scope of all rows. Weights in grams, amounts in fen.
 */
import type { Task } from '#platform/jobs/jobs.ts';
import { matchBill } from './matching.ts';
import { readBill } from './reading.ts';
import { billContradicted, writeEqualFacts } from './equal-facts.ts';
import type { BillContext } from './store.ts';

export { billMonths, discardBill, storeBill, mapBill, payBill, setBillTolerances } from './bills.ts';
export { acceptLine, disputeLine } from './deciding.ts';
export type { Decided } from './deciding.ts';
export { disputesFile } from './disputes.ts';
export { failBill } from './reading.ts';
export { billOf, listBills, listLines, lockBill } from './store.ts';

/** Task name → what it does; a task may run twice, its effect happens once. */
export const reconciliationTasks = {
  read_bill: readBill,
  match_bill: matchBill,
  write_equal_facts: writeEqualFacts,
  bill_contradicted: billContradicted,
} as unknown as Readonly<Record<string, Task<BillContext>>>;
