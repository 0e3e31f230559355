import type { RawBuilder } from 'kysely';
import { Logger, parseCronItems, run, runMigrations } from 'graphile-worker';
import type { Runner, TaskList } from 'graphile-worker';
import pg from 'pg';
import { queueStatement, sql } from '#platform/db/db.ts';
import type { Db, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';
import { runAttempt } from './attempts.ts';
import type { GiveUp } from './attempts.ts';
import { sendHeartbeat } from './heartbeat.ts';

/** What a task gets beside its payload. */
export interface JobContext {
  job_id: string;
  attempt: number;
  /** True on the last try. */
  last: boolean;
  /** True where the job was not to run at once, or is tried again. */
  planned: boolean;
  log: Log;
}

/** A task by its name. A task may run more than once: each makes its own effect happen once. */
export type Task<App> = (app: App, payload: never, context: JobContext) => Promise<void>;

export interface JobOptions {
  /** A waiting job of the same key is replaced, so that asking twice runs once. */
  key?: string;
  /** 'preserve_run_at' keeps the earlier time of a waiting job with the same key. */
  keyMode?: 'replace' | 'preserve_run_at';
  /** Jobs of one queue run one after another. */
  queue?: string;
  runAt?: Date;
  /** Lower runs first; 0 by default. */
  priority?: number;
}

/** As many as the library can count: the worker's table has the real number of attempts. */
const uncounted = 32_000;

/** What the library's `add_jobs` takes: a job whose payload is an expression, of a row for instance. */
export const jobSpec = (task: string, payload: RawBuilder<unknown>, { queue, runAt, key, priority }: JobOptions = {}) =>
  sql`row(${task}::text, ${payload}, ${queue ?? null}::text, ${runAt ?? null}::timestamptz, ${uncounted}::smallint, ${key ?? null}::text,
    ${priority ?? 0}::smallint, null::text[])::graphile_worker.job_spec`;

/** Queues jobs as a part of a statement; `specs` is an array of `jobSpec`. One call of many costs little more than one of one. */
export const addedJobs = (specs: RawBuilder<unknown>, keyMode: JobOptions['keyMode'] = 'replace') =>
  sql`graphile_worker.add_jobs(${specs}, ${keyMode === 'preserve_run_at'}::boolean)`;

/** Queues a job in the caller's transaction: it runs if and only if the transaction commits. */
export const addJob = async (tx: Tx, task: string, payload: object, options: JobOptions = {}): Promise<void> => {
  const spec = jobSpec(task, sql`${JSON.stringify(payload)}::json`, options);
  await queueStatement(tx, sql`select from ${addedJobs(sql`array[${spec}]`, options.keyMode)}`.compile(tx));
};

/** Changes the priority of jobs that wait, by their keys. */
export const reorderJobs = async (tx: Tx, keys: readonly string[], priority: number): Promise<void> => {
  await sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = any(${keys})), priority => ${priority}::int)`.execute(
    tx,
  );
};

/** The job library's tables, and the application role's right to use them. Runs as the owner, under the migration lock. */
export const migrateJobs = async (client: pg.Client, owner: pg.ClientConfig, appRole: string): Promise<void> => {
  const pool = new pg.Pool({ ...owner, max: 2 });
  // A lost connection fails the migration by itself; without listeners it would end the process instead.
  pool.on('error', () => {});
  pool.on('connect', (connected) => void connected.on('error', () => {}));
  await runMigrations({ pgPool: pool, logger: new Logger(() => () => {}) }).finally(() => pool.end());
  const role = pg.escapeIdentifier(appRole);
  await client.query(`
    grant usage on schema graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
    grant usage, select on all sequences in schema graphile_worker to ${role};
    grant execute on all functions in schema graphile_worker to ${role};
    -- Its statements take an array, and would be planned again by each call, which costs as much as adding the job (decision 95).
    alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean) reset all;
    alter function graphile_worker.add_jobs(graphile_worker.job_spec[], boolean) set plan_cache_mode = force_generic_plan;
    do $$ declare t text; begin
      for t in select c.relname from pg_class c where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
        and not exists (select 1 from pg_policy p where p.polrelid = c.oid) loop
        execute format('create policy app on graphile_worker.%I using (true) with check (true)', t);
      end loop;
    end $$;`);
};

export interface WorkerOptions<App> {
  app: App;
  db: Db;
  tasks: Readonly<Record<string, Task<App>>>;
  /** Cron lines: task → standard five fields (UTC). */
  schedule: Readonly<Record<string, string>>;
  /** How often a job of a task is begun before it is given up; tasks that are not named, 25 times. */
  attempts?: Readonly<Record<string, number>>;
  /** Runs in the transaction that gives a job up. */
  giveUp?: GiveUp;
  concurrency: number;
  /** A worker unseen for this long is dead; its jobs are freed. */
  deadAfterMs: number;
  /** A worker that could run a job and has looked for none for this long is begun again; 30 s by default. */
  standsAfterMs?: number;
  log: Log;
}

export interface WorkerHandle {
  /** Lets running jobs finish, then stops. */
  stop(): Promise<void>;
}

const restartAfter = 1_000;
const storeWithin = 3_000;
/** Milliseconds after which a heartbeat is no longer waited for. */
const beatWithin = 10_000;
const standsAfter = 30_000;

/**
 * Runs jobs until stopped. Sends heartbeats and frees the jobs that nobody runs (the library alone would wait four hours); restarts where the
 * library gives up, as it does when the database goes away in the wrong moment.
 */
export const startWorker = async <App>(options: WorkerOptions<App>): Promise<WorkerHandle> => {
  const { db, log, deadAfterMs } = options;
  const mine = new Set<string>();
  const running = new Set<string>();
  const heartbeat = { workers: mine, running, unrun: new Map<string, number>(), everyMs: Math.max(200, deadAfterMs / 4), deadAfterMs };
  // One at a time: they wait for each other's rows, and where each takes longer than the time between two, they would take every connection.
  let beating: Promise<void> | null = null;
  const beat = (): Promise<void> => {
    beating ??= Promise.race([sendHeartbeat(db, heartbeat), new Promise<void>((later) => setTimeout(later, beatWithin).unref())])
      .catch((error: unknown) => log.warn({ err: error }, 'the worker could not beat'))
      .finally(() => (beating = null));
    return beating;
  };
  let stopping = false;
  let runner = await begin(options, { mine, running }, beat);
  const timer = setInterval(beat, heartbeat.everyMs);
  const again = async (): Promise<void> => {
    while (!stopping) {
      await runner.over.catch((error: unknown) => log.error({ err: error }, 'the job library gave up'));
      if (stopping) return;
      // What it still had locked is freed like that of a dead worker.
      mine.clear();
      await new Promise((later) => setTimeout(later, restartAfter));
      if (!stopping) runner = await begin(options, { mine, running }, beat).catch(() => runner);
    }
  };
  void again();
  await beat();
  return {
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await runner.stop();
      // A beat on its way would say that it lives.
      await beating;
      await db.tx(systemScope('worker stops'), (tx) => sql`delete from worker_heartbeats where worker_id = any(${[...mine]})`.execute(tx)).catch(() => {});
    },
  };
};

interface Begun {
  /** Settles when the library runs no more jobs. */
  over: Promise<unknown>;
  stop(): Promise<void>;
}

/** Names in which our jobs are locked, and the numbers of those that run. */
interface Ours {
  mine: Set<string>;
  running: Set<string>;
}

/** What happens in the library. */
interface Heard {
  /** It has another name. */
  beat: () => void;
  /** It looks for a job. */
  look: () => void;
  /** It runs no more jobs. */
  shut: () => void;
}

/**
 * Settles once nothing has looked for a job for long, though fewer run than could: the library waits for something that never comes. Two checks in a row,
 * since a process that stood still itself has looked for none either.
 */
const standsStill = (looks: { at: number }, after: number, isBusy: () => boolean) => {
  let missed = 0;
  let timer: NodeJS.Timeout;
  const isStill = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      missed = isBusy() || performance.now() - looks.at < after ? 0 : missed + 1;
      if (missed > 1) resolve();
    }, after / 6);
  });
  return { isStill, end: () => clearInterval(timer) };
};

const begin = async <App>(options: WorkerOptions<App>, { mine, running }: Ours, beat: () => void): Promise<Begun> => {
  const { db, log } = options;
  // The library's own promise may never settle: where it could not store the ends of two jobs it waits for ever for the ends of none.
  let shut!: () => void;
  const isShut = new Promise<void>((resolve) => (shut = resolve));
  const looks = { at: performance.now() };
  const logger = new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ detail: message, ...(meta?.['failure'] as object | undefined) }, 'job library');
    else log.debug({ detail: message }, 'job library');
  });
  const runner: Runner = await run({
    pgPool: db.pool,
    logger,
    concurrency: options.concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    // Unbatched, the library lets go of the promise that ends a job: a database away at that moment would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: taskList(options, running),
    parsedCronItems: parseCronItems(
      Object.entries(options.schedule).map(([task, match]) => ({ task, match, options: { backfillPeriod: 0, jobKey: `cron:${task}` } })),
    ),
    events: workerEvents(mine, { beat, shut, look: () => void (looks.at = performance.now()) }) as never,
  });
  // What ended last is still being stored when the pool has shut.
  const stored = isShut.then(() => new Promise<void>((later) => setTimeout(later, storeWithin).unref()));
  const stop = (): Promise<void> => Promise.race([runner.stop().catch(() => {}), stored]);
  const watch = standsStill(looks, options.standsAfterMs ?? standsAfter, () => running.size >= options.concurrency);
  const stood = watch.isStill.then(() => {
    log.error('the job library stands still and is begun again');
    // Where it wakes up, it takes no jobs beside the next one.
    void stop();
  });
  const over = Promise.race([runner.promise, isShut, stood]).finally(watch.end);
  return { over, stop };
};

interface WorkerEvent {
  worker?: { workerPool: { id: string; nudge(count: number): void } };
  job?: { job_queue_id: string | number | null };
}

/**
 * The end of a job is stored after its worker has looked for the next one, so that the next of the same queue would wait for the library's poll.
 * Milliseconds after which a worker looks again; the second time for a database that stores slowly.
 */
const looksAfter = [20, 200];

const lookAgain = ({ worker, job }: WorkerEvent): void => {
  if (!worker || (job?.job_queue_id ?? null) === null) return;
  for (const milliseconds of looksAfter)
    setTimeout(() => {
      try {
        worker.workerPool.nudge(1);
      } catch {
        // The worker has ended; the next one looks by itself.
      }
    }, milliseconds).unref();
};

const workerEvents = (mine: Set<string>, { beat, shut, look }: Heard) => {
  const listeners = new Map<string, (payload: WorkerEvent) => void>([
    [
      'worker:create',
      ({ worker }) => {
        // Jobs are locked in the name of the pool, whichever of its workers runs them.
        if (worker) mine.add(worker.workerPool.id);
        beat();
      },
    ],
    ['job:complete', lookAgain],
    // By then every job has ended.
    ['pool:gracefulShutdown:complete', shut],
    ['pool:forcefulShutdown:complete', shut],
    // It could not store what it stopped, and what it waits for afterwards may never come.
    ['pool:forcefulShutdown:error', shut],
    ['worker:getJob:start', look],
  ]);
  // Only emit/on/once/off are asked of an event emitter here.
  return {
    emit: (name: string, payload: never) => (listeners.get(name)?.(payload), true),
    on() {
      return this;
    },
    once() {
      return this;
    },
    off() {
      return this;
    },
    addListener() {
      return this;
    },
    removeListener() {
      return this;
    },
  };
};

interface BegunJob {
  id: string | number;
  attempts: number;
  max_attempts: number;
  run_at: Date;
  created_at: Date;
  /** Attempts whose process died: they count towards the limit of attempts, and not towards the library's delay after a failure, which grows with each. */
  flags: { interrupted?: number } | null;
}

const taskList = <App>({ app, db, tasks, attempts = {}, giveUp, log }: WorkerOptions<App>, running: Set<string>): TaskList =>
  Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload: unknown, { job }: { job: BegunJob }) => {
        const most = Math.min(attempts[name] ?? 25, job.max_attempts);
        const attempt = job.attempts + (job.flags?.interrupted ?? 0);
        const planned = job.run_at.getTime() !== job.created_at.getTime();
        const counted = { attempts: attempt, counted: job.attempts };
        const begun = { id: String(job.id), task: name, payload, ...counted, most, log: log.child({ task: name, job: String(job.id) }) };
        running.add(begun.id);
        try {
          await runAttempt(db, begun, giveUp, () => task(app, payload as never, { job_id: begun.id, attempt, last: attempt >= most, planned, log: begun.log }));
        } finally {
          running.delete(begun.id);
        }
      },
    ]),
  );
