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
  /** The database that the jobs' process cannot lose. */
  db: Db;
  /** The context of the jobs; its database and wire ask `runJobs` for the life of their process. */
  context: CarrierContext & { config: { carrier: { pollSeconds: number } } };
  now(): Date;
  /** The life of the process that is about to run a job of this task. */
  lifeOf(task: string): Life;
  /** Milliseconds until the job of a dead process is freed. */
  deadAfterMs(): number;
}

export interface Jobs {
  /** The life of the process that runs at this moment. */
  life(): Life;
  /** Runs everything that is due; rejects with the error of a job. */
  runDue(): Promise<void>;
  /** When the next job is due; null: none waits. */
  nextAt(): Promise<Date | null>;
  /** Removes all jobs. */
  clear(): Promise<void>;
}

/** The tasks that the parcels of a history need; the others notify people. */
const names = handlers.map(({ name }) => name);

/** Takes the next job as the job library does: locked, with one attempt more. */
const take = (db: Db, now: Date): Promise<TakenJob[]> =>
  db.tx(all, async (work) => {
    const { rows } = await sql<TakenJob>`update graphile_worker._private_jobs j
      set locked_at = now(), locked_by = 'carrier faults', attempts = j.attempts + 1
      from graphile_worker._private_tasks t
      where t.id = j.task_id and j.id = (select d.id from graphile_worker._private_jobs d
        join graphile_worker._private_tasks n on n.id = d.task_id
        where d.locked_at is null and d.attempts < d.max_attempts and d.run_at <= ${now}
          and n.identifier = any(${names}::text[])
        order by d.priority, d.run_at, d.id limit 1)
      returning j.id, t.identifier as task, j.payload,
        j.attempts + coalesce((j.flags ->> 'interrupted')::int, 0) as attempt`.execute(work.tx);
    return rows;
  });

/** Frees the job of a dead process as the heartbeat does: under a new number, at a later time. */
const free = (db: Db, { id }: TakenJob, at: Date): Promise<void> =>
  db.tx(all, async (work) => {
    await sql`update graphile_worker._private_jobs set id = default, locked_at = null,
      locked_by = null, attempts = greatest(attempts - 1, 0), run_at = ${at},
      flags = coalesce(flags, '{}') || jsonb_build_object('interrupted',
        coalesce((flags ->> 'interrupted')::int, 0) + 1)
      where id = ${id} and attempts < max_attempts`.execute(work.tx);
    await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(work.tx);
  });

const remove = (db: Db, { id }: TakenJob): Promise<void> =>
  db.tx(all, async (work) => {
    await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(work.tx);
  });

/** The background jobs of parcels, run one after another by processes that may die. */
export const openJobs = ({ db, context, now, lifeOf, deadAfterMs }: JobsOptions): Jobs => {
  let life = immortal();
  const runOne = async (job: TakenJob): Promise<void> => {
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
      return await free(db, job, new Date(now().getTime() + deadAfterMs()));
    } finally {
      life = immortal();
    }
    await remove(db, job);
  };
  return {
    life: () => life,
    runDue: async () => {
      for (let [job] = await take(db, now()); job; [job] = await take(db, now())) await runOne(job);
    },
    nextAt: () =>
      db.tx(all, async (work) => {
        const { rows } = await sql<{ at: Date | null }>`select min(j.run_at) as at
          from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id
          where j.locked_at is null and j.attempts < j.max_attempts
            and t.identifier = any(${names}::text[])`.execute(work.tx);
        return rows[0]?.at ?? null;
      }),
    clear: () =>
      db.tx(all, async (work) => {
        await sql`delete from graphile_worker._private_jobs`.execute(work.tx);
      }),
  };
};
