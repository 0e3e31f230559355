import { present } from '@waystation/contract/base/present.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { expressTasks, sendOrder, sendOrderTask } from '#domain/express/express.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { handlerOf } from '#testing/run-handler.ts';
import { Killed, immortal, passEnd } from './mortal.ts';
import type { Life } from './mortal.ts';

const all = systemScope('carrier faults');
const handlers = [...expressTasks, sendOrderTask.runs(sendOrder)];

interface TakenJob {
  id: number;
  task: string;
  payload: unknown;
  attempt: number;
}

export interface JobsOptions {
  /** The database connection. The simulated deaths of a process do not affect it. */
  db: Db;
  /**
   * The context of the jobs. Its database and its carrier calls fail once the simulated process has
   * died.
   */
  context: CarrierContext & { config: { carrier: { pollSeconds: number } } };
  now(): Date;
  /**
   * Returns the life of the process that is about to run a job of this task, which decides if and
   * when the process dies.
   */
  lifeOf(task: string): Life;
  /** Returns the milliseconds after which another process may take the job of a dead process. */
  deadAfterMs(): number;
}

export interface Jobs {
  /** Returns the life of the process that is running at this moment. */
  life(): Life;
  /**
   * Runs all due jobs, and returns the time at which the next job is due. Returns null if no job is
   * waiting. If a job throws an error, the promise is rejected with it.
   */
  runDue(): Promise<Date | null>;
  /** Deletes all jobs. */
  clear(): Promise<void>;
}

/**
 * The names of the tasks that the parcels of a history need. The tasks that are left out send
 * messages to people.
 */
const names = handlers.map(({ name }) => name);

/** A due job, or the time of the next job if no job is due. Both are null if no job waits. */
interface Taken {
  job: TakenJob | null;
  next_at: Date | null;
}

/**
 * Removes the job with the id `ended` and takes the next job. As the job library does, it locks the
 * job and increases its number of attempts by one.
 */
const takeNext = async (db: Db, now: Date, ended: number | null): Promise<Taken> => {
  const waiting = sql`graphile_worker._private_jobs d
    join graphile_worker._private_tasks n on n.id = d.task_id
    where d.locked_at is null and d.attempts < d.max_attempts
      and n.identifier = any(${names}::text[])`;
  const [taken] = await db.rows(
    all,
    sql<Taken>`with ended as (delete from graphile_worker._private_jobs where id = ${ended}),
      taken as (update graphile_worker._private_jobs j
        set locked_at = now(), locked_by = 'carrier faults', attempts = j.attempts + 1
        from graphile_worker._private_tasks t
        where t.id = j.task_id and j.id = (select d.id from ${waiting} and d.run_at <= ${now}
          order by d.priority, d.run_at, d.id limit 1)
        returning j.id, t.identifier as task, j.payload,
          j.attempts + coalesce((j.flags ->> 'interrupted')::int, 0) as attempt)
      select (select to_jsonb(taken) from taken) as job,
        (select min(d.run_at) from ${waiting}) as next_at`,
  );
  return present(taken);
};

/**
 * Frees the job of a dead process as the heartbeat does: the job gets a new id and a later run
 * time.
 */
const free = (db: Db, { id }: TakenJob, at: Date): Promise<void> =>
  db.tx(all, async (work) => {
    await sql`update graphile_worker._private_jobs set id = default, locked_at = null,
      locked_by = null, attempts = greatest(attempts - 1, 0), run_at = ${at},
      flags = coalesce(flags, '{}') || jsonb_build_object('interrupted',
        coalesce((flags ->> 'interrupted')::int, 0) + 1)
      where id = ${id} and attempts < max_attempts`.execute(work.tx);
    await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(work.tx);
  });

/**
 * Runs the background jobs of parcels one after another. The simulated processes in which they run
 * may die.
 */
export const openJobs = ({ db, context, now, lifeOf, deadAfterMs }: JobsOptions): Jobs => {
  let life = immortal();
  /** Runs a job. If the job has ended and must be removed, returns its id. */
  const runOne = async (job: TakenJob): Promise<number | null> => {
    life = lifeOf(job.task);
    const { attempt } = job;
    const begun = {
      job_id: String(job.id),
      attempt,
      last: false,
      planned: false,
      log: silentLog(),
    };
    try {
      await handlerOf(handlers, job.task).run(context, job.payload, begun);
      passEnd(life);
    } catch (error) {
      if (!(error instanceof Killed) && life.diedAt === null)
        throw new Error(`${job.task} ${JSON.stringify(job.payload)}`, { cause: error });
      await free(db, job, new Date(now().getTime() + deadAfterMs()));
      return null;
    } finally {
      life = immortal();
    }
    return job.id;
  };
  return {
    life: () => life,
    runDue: async () => {
      let ended: number | null = null;
      for (;;) {
        const { job, next_at } = await takeNext(db, now(), ended);
        if (job === null) return next_at;
        ended = await runOne(job);
      }
    },
    clear: () =>
      db.tx(all, async (work) => {
        await sql`delete from graphile_worker._private_jobs`.execute(work.tx);
      }),
  };
};
