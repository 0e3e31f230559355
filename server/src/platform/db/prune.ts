import { sql } from './db.ts';
import type { Db, Table, Work } from './db.ts';
import { systemScope } from './scope.ts';

/**
 * Removes at most `most` rows that are too old. Returns their number; fewer than `most` means that
 * none is left.
 */
export type Prune = (work: Work, most: number) => Promise<number>;

/**
 * The largest number of transactions in one run. The remaining rows are removed in the next run.
 */
const turns = 40;

/**
 * Removes old rows in short transactions, so that no lock is held for long. Returns the number of
 * removed rows. One call removes a limited number of rows, even if the retention period was
 * shortened.
 */
export const pruneRows = async (
  db: Db,
  prune: Prune,
  { most = 5_000 }: { most?: number } = {},
): Promise<number> => {
  let rows = 0;
  for (let turn = 0; turn < turns; turn++) {
    const removed = await db.tx(systemScope('prune'), (work) => prune(work, most));
    rows += removed;
    if (removed < most) break;
  }
  return rows;
};

/** The table of a row, and of the rows that belong to it, for `removeWithParts`. */
export interface WithParts {
  table: Table;
  /** The cost of removing this row and the rows that are deleted with it, counted in rows. */
  cost: number;
  parts: readonly { table: Table; column: string; cost: number }[];
  /** Locks the oldest row that may be removed and returns its id; null if none is left. */
  next: () => Promise<number | null>;
}

/**
 * Removes rows together with the many rows that belong to each of them, up to the cost `most`. No
 * deletion therefore reaches the time limit of a statement. The next call may continue with a row
 * that is partly removed. Returns the cost.
 */
export const removeWithParts = async (
  work: Work,
  most: number,
  { table, cost, parts, next }: WithParts,
): Promise<number> => {
  let spent = 0;
  while (spent < most) {
    const id = await next();
    if (id === null) break;
    for (const part of parts) {
      const { numAffectedRows } = await sql`delete from ${sql.table(part.table)}
        where ctid = any(array(select ctid from ${sql.table(part.table)}
          where ${sql.ref(part.column)} = ${id}
          limit ${Math.ceil((most - spent) / part.cost)}))`.execute(work.tx);
      spent += Number(numAffectedRows ?? 0) * part.cost;
      if (spent >= most) return spent;
    }
    await sql`delete from ${sql.table(table)} where id = ${id}`.execute(work.tx);
    spent += cost;
  }
  return spent;
};
