import { Failure, fail } from './fail.ts';

/** How many list queries run at once in this process; the rest wait their turn. */
export interface SlotLimits {
  /** Of all accounts together: fewer than the pool holds, so that slow lists leave connections to everybody else. */
  total: number;
  perAccount: number;
  /** Of one account; beyond, 429 `too_many_searches`. */
  waitingPerAccount: number;
  /** Milliseconds that a turn is waited for; then 503 `search_too_slow`. */
  patienceMs: number;
}

export interface ListSlots {
  /** Runs `work` when it is this account's turn, first come first served; rejects as above, or with `search_cancelled` when `signal` is aborted before. */
  run<T>(account: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Of an account, for the tests. */
  counts(account: number): { running: number; waiting: number };
}

interface Waiting {
  account: number;
  start: () => void;
}

export const createListSlots = ({ total, perAccount, waitingPerAccount, patienceMs }: SlotLimits): ListSlots => {
  const running = new Map<number, number>();
  const queue: Waiting[] = [];
  let all = 0;
  const runningOf = (account: number): number => running.get(account) ?? 0;
  const waitingOf = (account: number): number => queue.filter((one) => one.account === account).length;
  const isFree = (account: number): boolean => all < total && runningOf(account) < perAccount;

  const take = (account: number): void => {
    all++;
    running.set(account, runningOf(account) + 1);
  };
  const release = (account: number): void => {
    all--;
    const left = runningOf(account) - 1;
    if (left > 0) running.set(account, left);
    else running.delete(account);
    for (let next = 0; next >= 0 && all < total;) {
      next = queue.findIndex((one) => isFree(one.account));
      if (next >= 0) queue.splice(next, 1)[0]!.start();
    }
  };

  const turn = (account: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const leave = (failure: Failure): void => {
        settle();
        queue.splice(queue.indexOf(waiting), 1);
        reject(failure);
      };
      const start = (): void => {
        settle();
        take(account);
        resolve();
      };
      const waiting: Waiting = { account, start };
      const onAbort = (): void => leave(new Failure('search_cancelled', {}, {}));
      const timer = setTimeout(() => leave(new Failure('search_too_slow', {}, { retryAfter: 5 })), patienceMs);
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(waiting);
    });

  return {
    run: async (account, signal, work) => {
      if (signal.aborted) fail('search_cancelled');
      if (isFree(account) && !queue.some((one) => isFree(one.account))) take(account);
      else if (waitingOf(account) >= waitingPerAccount) fail('too_many_searches', { limit: perAccount }, { retryAfter: 1 });
      else await turn(account, signal);
      try {
        return await work();
      } finally {
        release(account);
      }
    },
    counts: (account) => ({ running: runningOf(account), waiting: waitingOf(account) }),
  };
};
