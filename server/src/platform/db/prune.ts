import type { Db, Work } from './db.ts';
import { systemScope } from './scope.ts';

/** Removes rows that are too old, at most `most` of them; returns their number. */
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
