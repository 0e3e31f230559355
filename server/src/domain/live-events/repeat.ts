import type { Log } from '#platform/log.ts';

/** Work that is repeated. A run starts only after the previous run has ended. */
export interface Repeat {
  /** Starts a run now, or directly after the run that is in progress. */
  now(): void;
  /** Starts the next run earlier, but not before `shortest` has passed since the last run. */
  soon(): void;
  stop(): void;
}

interface RepeatOptions {
  /** Does one run. If it returns true, the next run starts after `pause`. */
  work: () => Promise<boolean>;
  /** The time between two runs, in milliseconds. */
  pause: number;
  shortest: number;
  log: Log;
}

export const repeat = ({ work, pause, shortest, log }: RepeatOptions): Repeat => {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  /**
   * Milliseconds until the next run, if another run was requested while this one is in progress.
   */
  let next: number | undefined;
  let isStopped = false;
  let isFailing = false;
  let ranAt = 0;

  const plan = (milliseconds: number): void => {
    clearTimeout(timer);
    timer = isStopped ? undefined : setTimeout(() => void run(), milliseconds).unref();
  };
  const run = async (): Promise<void> => {
    if (isRunning) {
      next = 0;
      return;
    }
    isRunning = true;
    next = undefined;
    clearTimeout(timer);
    timer = undefined;
    ranAt = Date.now();
    let goesOn = true;
    try {
      goesOn = await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'live events could not be read; trying again');
      isFailing = true;
    }
    isRunning = false;
    if (isFailing) plan(pause);
    else if (next === 0 || goesOn) plan(next ?? pause);
  };
  return {
    now: () => void run(),
    soon: () => {
      if (isRunning) next ??= shortest;
      else if (timer !== undefined) plan(Math.max(0, ranAt + shortest - Date.now()));
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
