import type { Db } from '#platform/db/db.ts';
import type { Wire } from '#domain/carriers/wire.ts';

/** The end of a process in the middle of a job; nothing that it would do later happens. */
export class Killed extends Error {}

/** The life of the process that runs a job. */
export interface Life {
  /** Effects that still happen; null: it does not die. */
  left: number | null;
  /** The effect before or after which it died; null: it lives. */
  diedAt: string | null;
}

export const immortal = (): Life => ({ left: null, diedAt: null });

/** Passes a point at which the process may die. */
const passPoint = (life: Life, name: string): void => {
  if (life.diedAt !== null) throw new Killed(life.diedAt);
  if (life.left === null) return;
  if (life.left > 0) return void (life.left -= 1);
  life.diedAt = name;
  throw new Killed(name);
};

/** The end of a job: a process that has not died in it dies before the job is removed. */
export const passEnd = (life: Life): void => {
  if (life.left === null) return;
  life.diedAt = 'before the job is removed';
  throw new Killed(life.diedAt);
};

/**
 * A database and a wire that are used by the process with `life()`: it dies before a transaction,
 * before or after its commit, before a call or after its answer.
 */
export const mortalDb = (db: Db, life: () => Life): Db => ({
  ...db,
  tx: async (by, run, limits) => {
    const mine = life();
    passPoint(mine, 'before a transaction');
    const result = await db.tx(
      by,
      async (work) => {
        const found = await run(work);
        passPoint(mine, 'before a commit');
        return found;
      },
      limits,
    );
    passPoint(mine, 'after a commit');
    return result;
  },
});

export const mortalWire = (wire: Wire, life: () => Life): Wire => ({
  post: async (request) => {
    const mine = life();
    passPoint(mine, 'before a call');
    const answer = await wire.post(request);
    passPoint(mine, 'after an answer');
    return answer;
  },
  close: () => wire.close(),
});
