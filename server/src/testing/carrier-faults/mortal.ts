import type { Db } from '#platform/db/db.ts';
import type { Wire } from '#domain/carriers/wire.ts';

/**
 * Thrown when the simulated process dies in the middle of a job, so that the rest of the job does
 * not run.
 */
export class Killed extends Error {}

/** The life of the simulated process that runs a job. */
export interface Life {
  /** The number of points that the process passes before it dies; null if it does not die. */
  left: number | null;
  /** The name of the point at which the process died; null while it lives. */
  diedAt: string | null;
}

export const immortal = (): Life => ({ left: null, diedAt: null });

/** Called at each point at which the simulated process may die. Throws if it dies there. */
const passPoint = (life: Life, name: string): void => {
  if (life.diedAt !== null) throw new Killed(life.diedAt);
  if (life.left === null) return;
  if (life.left > 0) return void (life.left -= 1);
  life.diedAt = name;
  throw new Killed(name);
};

/**
 * Called at the end of a job. If the simulated process should die and still lives, it dies now,
 * before the job is removed.
 */
export const passEnd = (life: Life): void => {
  if (life.left === null) return;
  life.diedAt = 'before the job is removed';
  throw new Killed(life.diedAt);
};

/**
 * Wraps a database so that a job's process can die before a transaction, before its commit or after
 * its commit. The life that `life()` returns decides if the process dies.
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
