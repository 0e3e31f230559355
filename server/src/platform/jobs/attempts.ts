import { isUnavailable, sql } from '#platform/db/db.ts';
import type { Db, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';

/** A job that was begun as often as its task allows and never ended well. */
export interface DeadJob {
  id: string;
  task: string;
  payload: unknown;
  attempts: number;
  /** What the last attempt failed with. */
  detail: string;
}
export type GiveUp = (tx: Tx, dead: DeadJob) => Promise<void>;

interface Begun extends Omit<DeadJob, 'detail'> {
  /** Attempts that the task allows. */
  most: number;
  /** Those of its attempts whose process lived, as the library counts them. */
  counted: number;
  log: Log;
}

const scope = systemScope('a job is given up');

/** Leaves a job without further attempts, once; one that was queued again meanwhile is another job. */
const bury = (db: Db, { id, task, payload, attempts, counted }: Begun, detail: string, giveUp: GiveUp | undefined): Promise<boolean> =>
  db.tx(scope, async (tx) => {
    const { rows } = await sql`update graphile_worker._private_jobs set max_attempts = attempts
      where id = ${id}::bigint and attempts = ${counted} and max_attempts > ${counted - 1} returning id`.execute(tx);
    if (rows.length === 0) return false;
    await giveUp?.(tx, { id, task, payload, attempts, detail });
    return true;
  });

/**
 * Runs one attempt of a job. Its last one failing gives the job up in a transaction of its own; so does a further one that begins because the process of
 * the last was killed, without running it. A database that is away gives nothing up. Throws what the attempt threw.
 */
export const runAttempt = async (db: Db, job: Begun, giveUp: GiveUp | undefined, run: () => Promise<void>): Promise<void> => {
  try {
    if (job.attempts > job.most) throw new Error(`the process ended during attempt ${job.most}`);
    await run();
  } catch (error) {
    if (job.attempts >= job.most && !isUnavailable(error)) {
      const detail = error instanceof Error ? error.message : String(error);
      const buried = await bury(db, job, detail, giveUp).catch((reason: unknown) => void job.log.error({ err: reason }, 'a job could not be given up'));
      if (buried) job.log.error({ err: error }, `given up after ${job.attempts} attempts`);
    }
    throw error;
  }
};
