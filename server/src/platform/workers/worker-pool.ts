import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import { Failure } from '#platform/fail.ts';
import { threadEnv } from './thread-env.ts';
import type { TaskResult } from './worker-task.ts';

export interface WorkerPool<In, Out> {
  /**
   * Runs the task and resolves with its result. Rejects with the Failure that the task returned. If
   * the thread ended first, rejects with the error `interrupted` of the settings.
   */
  run(task: In): Promise<Out>;
  /**
   * Ends the thread immediately and interrupts its running tasks. A later task starts a new thread.
   */
  stop(): Promise<void>;
  /** True if the thread is running. */
  isRunning(): boolean;
}

export interface WorkerPoolSettings {
  /** The file of the thread's program, which exports a `run` that `workerTask` has made. */
  program: URL;
  /**
   * The error (503, `Retry-After: 1`) that is thrown if the thread ended before it answered, or if
   * too many tasks are waiting. The caller may safely repeat the task.
   */
  interrupted: ErrorCode;
  /**
   * The limit of the thread's old generation (JavaScript heap) in MB. If the limit is exceeded, the
   * thread ends, but not the process.
   */
  heapMb: number;
  /** The size of the young generation of the heap, in MB; by default V8 chooses it. */
  youngMb?: number;
  /** The number of tasks that may run in the thread at the same time, in turns. */
  tasksAtOnce: number;
  /**
   * The number of tasks that may wait in addition to the running ones. Any further task is refused.
   */
  waiting: number;
  /** The milliseconds for which the thread stays alive after its last result. */
  idleMs: number;
  /**
   * The milliseconds that a task may take in the thread. After that, the thread counts as stuck.
   */
  timeoutMs: number;
}

const optionsOf = ({ program, heapMb, youngMb, tasksAtOnce, idleMs }: WorkerPoolSettings) => ({
  filename: fileURLToPath(program),
  name: 'run',
  minThreads: 0,
  maxThreads: 1,
  concurrentTasksPerWorker: tasksAtOnce,
  idleTimeout: idleMs,
  // The event loop of the thread must continue while a task waits, so that several tasks can take
  // turns.
  atomics: 'disabled' as const,
  recordTiming: false,
  // The thread gets no command-line arguments of the process.
  env: threadEnv(),
  argv: [],
  execArgv: [],
  resourceLimits: {
    maxOldGenerationSizeMb: heapMb,
    ...(youngMb !== undefined && { maxYoungGenerationSizeMb: youngMb }),
  },
});

/**
 * Creates a pool with one thread, for work that needs processor time. The first task starts the
 * thread, and it is stopped after some time without tasks. An idle thread does not keep the process
 * alive. If the thread dies or hangs, its tasks are interrupted, and the next task gets a new
 * thread.
 */
export const createWorkerPool = <In, Out>(settings: WorkerPoolSettings): WorkerPool<In, Out> => {
  const { tasksAtOnce, timeoutMs } = settings;
  let threads: Piscina | null = null;
  const underWay = new Set<(why: string) => void>();

  const interruption = (why: string): Failure => {
    const failure = new Failure(settings.interrupted, {}, { retryAfter: 1 });
    failure.cause = why;
    return failure;
  };

  const end = async (ending: Piscina | null, why: string): Promise<void> => {
    if (!ending || ending !== threads) return;
    threads = null;
    for (const interrupt of underWay) interrupt(why);
    underWay.clear();
    await ending.destroy();
  };

  const open = (): Piscina => {
    const opened = new Piscina(optionsOf(settings));
    opened.on('error', (error: Error) => void end(opened, error.message));
    // Piscina leaves tasks in its queue if the thread ends before it is ready, so these tasks are
    // ended here.
    opened.on('workerDestroy', () =>
      queueMicrotask(() => {
        if (opened.threads.length === 0 && underWay.size > 0)
          void end(opened, 'the thread ended before it was ready');
      }),
    );
    return opened;
  };

  let running = 0;
  const line: (() => void)[] = [];
  const waitInLine = (): Promise<void> => {
    if (line.length >= settings.waiting) throw interruption(`${line.length} tasks wait already`);
    return new Promise((resolve) => line.push(resolve));
  };
  const passTurn = (): void => {
    const next = line.shift();
    if (next) next();
    else running -= 1;
  };

  const runInThread = async (task: In): Promise<Out> => {
    const pool = (threads ??= open());
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    const interrupt = (why: string): void => reject(interruption(why));
    underWay.add(interrupt);
    const timer = setTimeout(() => void end(pool, `no answer in ${timeoutMs} ms`), timeoutMs);
    const answered = (pool.run(task) as Promise<TaskResult<Out>>).catch((error: Error) => {
      // If a task cannot be copied into the thread, its caller made the error. The caller therefore
      // gets this error unchanged.
      throw error.name === 'DataCloneError' ? error : interruption(error.message);
    });
    try {
      const result = await Promise.race([answered, interrupted]);
      if ('value' in result) return result.value;
      throw 'failure' in result
        ? new Failure(result.failure.code, result.failure.params, {})
        : new Error(result.detail);
    } finally {
      clearTimeout(timer);
      underWay.delete(interrupt);
    }
  };

  /**
   * A task waits here and not in the thread, so that its time limit begins only when the thread
   * starts it.
   */
  const run = async (task: In): Promise<Out> => {
    if (running < tasksAtOnce) running += 1;
    else await waitInLine();
    return runInThread(task).finally(passTurn);
  };

  return {
    run,
    stop: () => end(threads, 'stopped'),
    isRunning: () => threads !== null && threads.threads.length > 0,
  };
};
