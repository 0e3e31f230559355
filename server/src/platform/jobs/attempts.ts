import { isUnavailable, sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';

/** A job that used all attempts that its task allows, and never succeeded. */
export interface DeadJob {
  id: string;
  task: string;
  payload: unknown;
  attempts: number;
  /** The text of the last attempt's error. */
  detail: string;
}
export type AbandonJob = (work: Work, dead: DeadJob) => Promise<void>;

interface Begun extends Omit<DeadJob, 'detail'> {
  /** The number of attempts that the task allows. */
  most: number;
  /**
   * The number of attempts that the library counts: those that did not end because their process
   * was killed.
   */
  counted: number;
  log: Log;
}

const scope = systemScope('a job is abandoned');

/**
 * Leaves a job no further attempts. Returns false if the job was abandoned already, or if it was
 * queued again and so is a new job.
 */
const abandonJob = (
  db: Db,
  { id, task, payload, attempts, counted }: Begun,
  detail: string,
  abandon: AbandonJob | undefined,
): Promise<boolean> =>
  db.tx(scope, async (work) => {
    const { rows } = await sql`update graphile_worker._private_jobs
      set max_attempts = attempts, updated_at = clock_timestamp()
      where id = ${id}::bigint and attempts = ${counted} and max_attempts > ${counted - 1}
        returning id`.execute(work.tx);
    if (rows.length === 0) return false;
    await abandon?.(work, { id, task, payload, attempts, detail });
    return true;
  });

/**
 * Runs one attempt of a job. If the last allowed attempt fails, the job is abandoned in a separate
 * transaction. If the process was killed during the last allowed attempt, the next attempt abandons
 * the job without running it. A job is not abandoned if the database is unreachable. Rethrows the
 * error of the attempt.
 */
export const runAttempt = async (
  db: Db,
  job: Begun,
  abandon: AbandonJob | undefined,
  run: () => Promise<void>,
): Promise<void> => {
  try {
    if (job.attempts > job.most) throw new Error(`the process ended during attempt ${job.most}`);
    await run();
  } catch (error) {
    if (job.attempts >= job.most && !isUnavailable(error)) {
      const detail = error instanceof Error ? error.message : String(error);
      const isAbandoned = await abandonJob(db, job, detail, abandon).catch(
        (reason: unknown) => void job.log.error({ err: reason }, 'a job could not be given up'),
      );
      if (isAbandoned) job.log.error({ err: error }, `given up after ${job.attempts} attempts`);
    }
    throw error;
  }
};
