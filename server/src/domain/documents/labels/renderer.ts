import { Worker } from 'node:worker_threads';
import { Failure } from '#platform/fail.ts';
import type { LabelFormat, LabelInput, LabelSheet } from './label-input.ts';
import type { Answer, Job } from './render-worker.ts';

export interface LabelRenderer {
  render(labels: readonly LabelInput[], format: LabelFormat): Promise<LabelSheet>;
  /** Ends the thread at once; calls under way fail. A later call starts a new one. */
  stop(): Promise<void>;
  /** Whether a thread is alive now. */
  running(): boolean;
}

interface Settings {
  /** How long the thread stays after its last answer, in milliseconds: it holds about 100 MB. */
  idle: number;
  /** How long a call may take, in milliseconds, before its thread counts as stuck. */
  patience: number;
  /** Heap of the thread, in MB: beyond it the thread ends, not the process. */
  heap: number;
  /** The program of the thread. */
  program: URL;
}

interface Waiting {
  resolve(sheet: LabelSheet): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** One thread with the calls it has not answered. */
interface Thread {
  worker: Worker;
  waiting: Map<number, Waiting>;
  /** Ends it once it has been idle long enough. */
  rest?: NodeJS.Timeout | undefined;
}

const defaults: Settings = { idle: 60_000, patience: 120_000, heap: 768, program: new URL('./render-worker.ts', import.meta.url) };

const interrupted = (why: string): Failure => {
  const failure = new Failure('labels_interrupted', {}, { retryAfter: 1 });
  failure.cause = why;
  return failure;
};

/**
 * Draws labels in a thread of its own, started by the first call and stopped when it has had nothing to do for a while. It never keeps the
 * process alive while idle. A thread that dies fails the calls it had (`labels_interrupted`), and the next call gets a new one.
 */
export const createLabelRenderer = (settings: Partial<Settings> = {}): LabelRenderer => {
  const { idle, patience, heap, program } = { ...defaults, ...settings };
  let thread: Thread | null = null;
  let lastId = 0;

  const end = async (ending: Thread, why: string): Promise<void> => {
    if (thread === ending) thread = null;
    clearTimeout(ending.rest);
    for (const { reject, timer } of ending.waiting.values()) {
      clearTimeout(timer);
      reject(interrupted(why));
    }
    ending.waiting.clear();
    await ending.worker.terminate();
  };

  const relax = (tired: Thread): void => {
    if (tired.waiting.size > 0) return;
    tired.worker.unref();
    tired.rest = setTimeout(() => void end(tired, 'idle'), idle).unref();
  };

  const settle = (of: Thread, said: Answer): void => {
    const call = of.waiting.get(said.id);
    if (!call) return;
    of.waiting.delete(said.id);
    clearTimeout(call.timer);
    relax(of);
    if ('sheet' in said) call.resolve(said.sheet);
    else if ('failure' in said) call.reject(new Failure(said.failure.code, said.failure.params, {}));
    else call.reject(new Error(said.detail));
  };

  const start = (): Thread => {
    // The thread needs none of the process's arguments, and the environment holds secrets it has no business with.
    // A small young generation costs no time here, and leaves the least behind in the process.
    const resourceLimits = { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 8 };
    const worker = new Worker(program, { execArgv: [], argv: [], env: {}, resourceLimits, name: 'labels' });
    const started: Thread = { worker, waiting: new Map() };
    worker.on('message', (said: Answer) => settle(started, said));
    worker.on('error', (error: Error) => void end(started, error.message));
    worker.on('exit', (code) => void end(started, `exit ${code}`));
    return started;
  };

  const render = (labels: readonly LabelInput[], format: LabelFormat): Promise<LabelSheet> =>
    new Promise((resolve, reject) => {
      const at = (thread ??= start());
      clearTimeout(at.rest);
      const id = (lastId += 1);
      const timer = setTimeout(() => void end(at, `no answer in ${patience} ms`), patience);
      at.waiting.set(id, { resolve, reject, timer });
      at.worker.ref();
      try {
        at.worker.postMessage({ id, labels, format } satisfies Job);
      } catch (error) {
        settle(at, { id, detail: String(error) });
      }
    });

  return {
    render,
    stop: async () => {
      if (thread) await end(thread, 'stopped');
    },
    running: () => thread !== null,
  };
};
