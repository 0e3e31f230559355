import { Logger, parseCronItems, run } from 'graphile-worker';
import type { Runner, TaskList } from 'graphile-worker';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';
import { runAttempt } from './attempts.ts';
import type { AbandonJob } from './attempts.ts';
import { storeHeartbeat } from './heartbeat.ts';
import { removeFailedJobs } from './jobs.ts';
import { libraryPool } from './library-pool.ts';
import type { TaskHandler } from './task.ts';
import { inSpan } from '#platform/tracing/tracing.ts';

export interface WorkerOptions<App> {
  app: App;
  db: Db;
  /** The connection for LISTEN; by default `db`. */
  listenDb?: Db;
  tasks: readonly TaskHandler<App>[];
  /** True if this worker also queues scheduled tasks (`every`). */
  byClock: boolean;
  /** Called in the transaction that abandons a job, before the task's own `abandon` is called. */
  abandoned?: AbandonJob;
  /** Called when a scheduled task succeeds after it has failed. */
  recovered?: (work: Work, task: string) => Promise<void>;
  concurrency: number;
  /** A worker without a heartbeat for this number of milliseconds is dead; its jobs are freed. */
  deadAfterMs: number;
  /**
   * A worker that could run a job is started again if it has not looked for a job for this number
   * of milliseconds; 30 s by default.
   */
  stalledAfterMs?: number;
  /** Milliseconds between two searches for jobs that have become due; 2 s by default. */
  pollMs?: number;
  log: Log;
}

export interface WorkerHandle {
  /** Lets running jobs finish, then stops. */
  stop(): Promise<void>;
}

const restartAfter = 1_000;
const storeWithin = 3_000;
/** Milliseconds after which a heartbeat is no longer awaited. */
const heartbeatWithin = 10_000;
const stalledAfter = 30_000;
const pollAfter = 2_000;
/** The shortest limit of a start, in milliseconds: a start takes seconds on a busy machine. */
const shortestStart = 5_000;

/**
 * Runs jobs until it is stopped. It stores heartbeats, and frees jobs that no process runs any
 * more; the job library would free them only after four hours. It restarts the library if the
 * library stops by itself, which may happen when the database becomes unreachable.
 */
export const startWorker = async <App>(options: WorkerOptions<App>): Promise<WorkerHandle> => {
  const { db, log, deadAfterMs } = options;
  const mine = new Set<string>();
  const running = new Set<string>();
  const heartbeat = {
    workers: mine,
    running,
    unrun: new Map<string, number>(),
    everyMs: Math.max(200, deadAfterMs / 4),
    deadAfterMs,
  };
  // Heartbeats are stored one at a time. They lock the same rows, so several slow ones would occupy
  // every connection.
  let sending: Promise<void> | null = null;
  const sendHeartbeat = (): Promise<void> => {
    sending ??= Promise.race([
      storeHeartbeat(db, heartbeat),
      new Promise<void>((later) => setTimeout(later, heartbeatWithin).unref()),
    ])
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the worker could not send its heartbeat'),
      )
      .finally(() => (sending = null));
    return sending;
  };
  let stopping = false;
  let runner = await begin(options, { mine, running }, sendHeartbeat);
  const timer = setInterval(sendHeartbeat, heartbeat.everyMs);
  const keepRunning = async (): Promise<void> => {
    while (!stopping) {
      await runner.over.catch((error: unknown) =>
        log.error({ err: error }, 'the job library gave up'),
      );
      if (stopping) return;
      // Jobs that the stopped library still locks are freed, as if their worker were dead.
      mine.clear();
      await new Promise((later) => setTimeout(later, restartAfter));
      if (stopping) return;
      runner =
        (await startWithin(
          () => begin(options, { mine, running }, sendHeartbeat),
          Math.max(options.stalledAfterMs ?? stalledAfter, shortestStart),
          () => stopping,
        )) ?? runner;
    }
  };
  const kept = keepRunning();
  await sendHeartbeat();
  return {
    stop: async () => {
      stopping = true;
      clearInterval(timer);
      await runner.stop();
      // A library that is still starting stops by itself later, so the wait for it is limited.
      await Promise.race([kept, new Promise((later) => setTimeout(later, storeWithin).unref())]);
      // A heartbeat that is still being sent could mark the worker as alive again.
      await sending;
      await db
        .tx(systemScope('worker stops'), (work) =>
          sql`delete from worker_heartbeats
        where worker_id = any(${[...mine]})`.execute(work.tx),
        )
        .catch(() => {});
    },
  };
};

interface Begun {
  /** Settles when the job library has stopped running jobs. */
  over: Promise<unknown>;
  stop(): Promise<void>;
}

/** `mine`: the names of this process's workers. `running`: the ids of its running jobs. */
interface Ours {
  mine: Set<string>;
  running: Set<string>;
}

/** The functions that are called at events of the job library. */
interface LibraryEvents {
  /** Called when the library has created a worker under a new name. */
  sendHeartbeat: () => void;
  /** Called when the library looks for a job. */
  look: () => void;
  /** Called when the library runs no more jobs. */
  shut: () => void;
}

/**
 * Starts the job library, which may wait for a connection that never opens. Returns null if it
 * failed or did not start in time. A library that starts too late, or after the worker began to
 * stop, is stopped.
 */
const startWithin = async (
  start: () => Promise<Begun>,
  ms: number,
  stopping: () => boolean,
): Promise<Begun | null> => {
  let isLate = false;
  const starting = start().then(
    async (begun) => {
      if (isLate || stopping()) await begun.stop();
      return begun;
    },
    () => null,
  );
  const tooLate = new Promise<null>((resolve) => {
    setTimeout(() => {
      isLate = true;
      resolve(null);
    }, ms).unref();
  });
  return Promise.race([starting, tooLate]);
};

/**
 * Resolves if no worker has looked for a job for a long time, although fewer jobs run than could.
 * The library then waits for an event that never comes. Two checks in a row must fail, because a
 * paused process has not looked for a job either.
 */
const watchForStall = (looks: { at: number }, after: number, isBusy: () => boolean) => {
  let missed = 0;
  let timer: NodeJS.Timeout;
  const isStalled = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      missed = isBusy() || performance.now() - looks.at < after ? 0 : missed + 1;
      if (missed > 1) resolve();
    }, after / 6);
  });
  return { isStalled, end: () => clearInterval(timer) };
};

const begin = async <App>(
  options: WorkerOptions<App>,
  { mine, running }: Ours,
  sendHeartbeat: () => void,
): Promise<Begun> => {
  const { db, log } = options;
  // The library's own promise may never settle: if it could not store the ends of two jobs, it
  // waits for ever.
  let shut!: () => void;
  const isShut = new Promise<void>((resolve) => (shut = resolve));
  const looks = { at: performance.now() };
  const logger = new Logger(() => (level, message, meta) => {
    const failure: unknown = meta?.['error'];
    // The text after " with error " is removed, because `err` already logs the error.
    if (level === 'error' && failure instanceof Error)
      log.error({ detail: message.split(' with error ', 1)[0], err: failure }, 'job library');
    else if (level === 'error') log.error({ detail: message }, 'job library');
    else log.debug({ detail: message }, 'job library');
  });
  const runner: Runner = await run({
    pgPool: libraryPool(db.pool, (options.listenDb ?? db).pool),
    logger,
    concurrency: options.concurrency,
    noHandleSignals: true,
    // A pooler would lose the library's prepared statements, and the library would find no job.
    noPreparedStatements: true,
    pollInterval: options.pollMs ?? pollAfter,
    // The library's batches are switched off. With batches, the library does not handle the promise
    // that ends a job, and an unreachable database would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: taskList(options, running),
    parsedCronItems: parseCronItems(
      options.tasks.flatMap(({ name, every }) =>
        every === null || !options.byClock
          ? []
          : [
              {
                task: name,
                match: every,
                options: { backfillPeriod: 0, jobKey: `cron:${name}` },
              },
            ],
      ),
    ),
    events: workerEvents(mine, {
      sendHeartbeat,
      shut,
      look: () => void (looks.at = performance.now()),
    }) as never,
  });
  // When the library has shut down its pool, the end of the last job may not be stored yet.
  const stored = isShut.then(
    () => new Promise<void>((later) => setTimeout(later, storeWithin).unref()),
  );
  const stop = (): Promise<void> =>
    Promise.race([runner.stop().catch(() => {}), stored, watch.isStalled]);
  const watch = watchForStall(
    looks,
    options.stalledAfterMs ?? stalledAfter,
    () => running.size >= options.concurrency,
  );
  const stalled = watch.isStalled.then(() => {
    log.error('the job library is stalled and starts again');
    // A stalled worker that continues must not run jobs in addition to the worker that replaces it.
    void stop();
  });
  const over = Promise.race([runner.promise, isShut, stalled]).finally(watch.end);
  return { over, stop };
};

interface WorkerEvent {
  worker?: { workerPool: { id: string; nudge(count: number): void } };
  job?: { job_queue_id: string | number | null };
}

/**
 * After a job of a queue has ended, its worker looks for the next job of that queue. It does this
 * after each of these numbers of milliseconds, because it may look once before the end is stored.
 * Otherwise the next job would wait for the library's poll.
 */
const looksAfter = [20, 200];

const lookAgain = ({ worker, job }: WorkerEvent): void => {
  if (!worker || (job?.job_queue_id ?? null) === null) return;
  for (const milliseconds of looksAfter)
    setTimeout(() => {
      try {
        worker.workerPool.nudge(1);
      } catch {
        // The worker has ended. The next worker looks for jobs by itself.
      }
    }, milliseconds).unref();
};

const workerEvents = (mine: Set<string>, { sendHeartbeat, shut, look }: LibraryEvents) => {
  const listeners = new Map<string, (payload: WorkerEvent) => void>([
    [
      'worker:create',
      ({ worker }) => {
        // A job is locked in the name of the pool, whichever worker of the pool runs the job.
        if (worker) mine.add(worker.workerPool.id);
        sendHeartbeat();
      },
    ],
    ['job:complete', lookAgain],
    // All jobs have ended when this event comes.
    ['pool:gracefulShutdown:complete', shut],
    ['pool:forcefulShutdown:complete', shut],
    // The worker could not store that its jobs have ended, and may then wait for ever.
    ['pool:forcefulShutdown:error', shut],
    ['worker:getJob:start', look],
  ]);
  // The library calls only the methods emit, on, once and off of this object.
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
  /**
   * The number of attempts that ended because the process died. These attempts count towards the
   * limit of attempts, but do not lengthen the library's delay after a failure.
   */
  flags: { interrupted?: number } | null;
}

/** Removes the earlier failures of a scheduled task, because it has succeeded. */
const recover = (db: Db, task: string, recovered: WorkerOptions<never>['recovered']) =>
  db.tx(systemScope('a task has recovered'), async (work) => {
    if ((await removeFailedJobs(work, task)) > 0) await recovered?.(work, task);
  });

/** Returns the trace of the request or job that queued this job; null if it was not traced. */
const linkOf = (payload: unknown): string | null => {
  const { traceparent } = (payload ?? {}) as { traceparent?: unknown };
  return typeof traceparent === 'string' ? traceparent : null;
};

const taskList = <App>(
  { app, db, tasks, abandoned, recovered, log }: WorkerOptions<App>,
  running: Set<string>,
): TaskList =>
  Object.fromEntries(
    tasks.map(({ name, attempts, every, run: runTask, abandon }) => [
      name,
      async (payload: unknown, { job }: { job: BegunJob }) => {
        const most = Math.min(attempts, job.max_attempts);
        const attempt = job.attempts + (job.flags?.interrupted ?? 0);
        const planned = job.run_at.getTime() !== job.created_at.getTime();
        const counted = { attempts: attempt, counted: job.attempts };
        const begun = {
          id: String(job.id),
          task: name,
          payload,
          ...counted,
          most,
          log: log.child({ task: name, job: String(job.id) }),
        };
        const abandonJob: AbandonJob = async (work, dead) => {
          await abandoned?.(work, dead);
          await abandon(work, dead.payload);
          // Each run of a scheduled task does the same work, so only the last failure is kept.
          if (every !== null) await removeFailedJobs(work, name, dead.id);
        };
        running.add(begun.id);
        try {
          const span = {
            kind: 'consumer',
            attributes: { attempt },
            link: linkOf(payload),
          } as const;
          await inSpan(`job ${name}`, span, () =>
            runAttempt(db, begun, abandonJob, () =>
              runTask(app, payload, {
                job_id: begun.id,
                attempt,
                last: attempt >= most,
                planned,
                log: begun.log,
              }),
            ),
          );
          if (every !== null) await recover(db, name, recovered);
        } finally {
          running.delete(begun.id);
        }
      },
    ]),
  );
