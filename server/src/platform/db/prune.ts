import { sql } from './db.ts';
import type { Db, Table, Work } from './db.ts';
import { systemScope } from './scope.ts';

/** Removes rows that are too old, at most `most` of them; returns their number, less than `most` if none is left. */
export type Prune = (work: Work, most: number) => Promise<number>;

/** Transactions of a run; the next run continues. */
const turns = 40;

/**
 * Prunes in short transactions, so that no lock is held for long; returns the number of rows. A run
 * is bounded, also after a setting was lowered.
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

/** A row and the rows that belong to it, as `removeWithParts` removes them. */
export interface WithParts {
  table: Table;
  /** The work of removing this row and the rows that its cascade removes, in rows. */
  cost: number;
  parts: readonly { table: Table; column: string; cost: number }[];
  /** Locks the oldest that is to go and returns its id; null: none is left. */
  next: () => Promise<number | null>;
}

/**
 * Removes rows with the many rows that belong to each, as many as cost `most`, so that a cascade
 * never reaches the time limit of a statement. The next call continues within a row. Returns the
 * cost.
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
