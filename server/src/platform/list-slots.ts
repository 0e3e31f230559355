import { firstOf } from '@waystation/contract/base/present.ts';
import { Failure, fail } from './fail.ts';

/** The limits of concurrent list queries in this process; other queries wait for their turn. */
export interface SlotLimits {
  /**
   * The slots of all accounts together. They are fewer than the connections of the pool, so that
   * slow lists leave some connections to other queries.
   */
  total: number;
  perAccount: number;
  /**
   * The largest number of waiting list queries of one account. A further query gets 429
   * `too_many_searches`.
   */
  waitingPerAccount: number;
  /**
   * The largest number of waiting list queries of all accounts. For each account, at most
   * `perAccount` queries are counted. A further query gets 503 `overloaded`.
   */
  waiting: number;
  /**
   * The milliseconds for which a query may wait for a slot; after that it fails with 503
   * `search_too_slow`.
   */
  timeoutMs: number;
  /**
   * The share of the time that one account gets while other accounts read lists too. An account
   * that has used more than its share runs one query at a time, with pauses. If the share is 1,
   * there are no pauses.
   */
  share: number;
}

export interface ListSlots {
  /**
   * Runs `work` when it is this account's turn; an account's requests run in the order of arrival.
   * Rejects with the errors of `SlotLimits`, or with `search_cancelled` if `signal` is aborted
   * while the request waits.
   */
  run<T>(account: number, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /**
   * True if an account other than `but` has read a list recently. Long work then pauses to leave
   * time for that account.
   */
  isBusy(but?: number): boolean;
}

interface Waiting {
  account: number;
  start: () => void;
}

/**
 * An account's use of list queries. `credit` is the query time in milliseconds that was left to the
 * account at the time `at`.
 */
interface Use {
  running: number;
  credit: number;
  at: number;
}

/** Milliseconds of query time that an account may use before its share of the time limits it. */
const burst = 1_000;
/**
 * The limit of simultaneous list queries of one account that still has credit, while other accounts
 * read lists too.
 */
const besideOthers = 2;
/** Milliseconds after its last list query in which an account still counts as reading lists. */
const recently = 1_000;

/** Tracks how much list time each account has used, and which accounts are reading now. */
const createUses = (share: number) => {
  const uses = new Map<number, Use>();
  const isActive = ({ running, at }: Use): boolean => running > 0 || Date.now() - at < recently;
  return {
    /**
     * Returns how much an account may use lists now. Also forgets accounts that have not used lists
     * for some time.
     */
    of: (account: number): Use => {
      const now = Date.now();
      const use = uses.get(account) ?? { running: 0, credit: burst, at: now };
      use.credit = Math.min(burst, use.credit + (now - use.at) * share);
      use.at = now;
      uses.set(account, use);
      if (uses.size > 1_000)
        for (const [other, { running, at }] of uses)
          if (running === 0 && now - at > burst / share) uses.delete(other);
      return use;
    },
    isAnyActive: (but?: number): boolean =>
      [...uses].some(([account, use]) => account !== but && isActive(use)),
  };
};

/**
 * Adds a list query to the queue, and resolves when the query may start. Rejects after `timeoutMs`
 * or if `signal` is aborted. `onStart` is called in the same tick in which the query may start.
 */
const waitIn = (
  queue: Waiting[],
  account: number,
  { signal, timeoutMs, onStart }: { signal: AbortSignal; timeoutMs: number; onStart: () => void },
): Promise<void> =>
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
      onStart();
      resolve();
    };
    const waiting: Waiting = { account, start };
    const onAbort = (): void => leave(new Failure('search_cancelled', {}, {}));
    const timer = setTimeout(
      () => leave(new Failure('search_too_slow', {}, { retryAfter: 5 })),
      timeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    queue.push(waiting);
  });

export const createListSlots = ({
  total,
  perAccount,
  waitingPerAccount,
  waiting,
  timeoutMs,
  share,
}: SlotLimits): ListSlots => {
  const uses = createUses(share);
  const queue: Waiting[] = [];
  let all = 0;
  let waker: NodeJS.Timeout | undefined;

  const isFree = (account: number): boolean => {
    if (all >= total) return false;
    const { running, credit } = uses.of(account);
    if (share >= 1 || !uses.isAnyActive(account)) return running < perAccount;
    if (credit > burst / 2) return running < besideOthers;
    return credit > 0 && running === 0;
  };

  /**
   * True if a new list query would probably not get its turn in time. This is so if no slot is free
   * and too many queries wait, where each account counts for at most `perAccount` queries.
   */
  const isCrowded = (): boolean => {
    if (all < total || queue.length < waiting) return false;
    const accounts = new Map<number, number>();
    for (const { account } of queue) accounts.set(account, (accounts.get(account) ?? 0) + 1);
    const counted = [...accounts.values()].map((count) => Math.min(count, perAccount));
    return counted.reduce((sum, count) => sum + count, 0) >= waiting;
  };

  const startNext = (): void => {
    for (let next = 0; next >= 0;) {
      next = queue.findIndex((one) => isFree(one.account));
      if (next >= 0) firstOf(queue.splice(next, 1)).start();
    }
    clearTimeout(waker);
    // The end of an account's pause causes no event, so a timer checks it.
    if (queue.length > 0 && share < 1) waker = setTimeout(startNext, 25);
  };
  const take = (account: number): void => {
    all++;
    uses.of(account).running++;
  };
  const release = (account: number, ms: number): void => {
    all--;
    const use = uses.of(account);
    use.running--;
    use.credit -= ms;
    startNext();
  };

  return {
    run: async (account, signal, work) => {
      if (signal.aborted) fail('search_cancelled');
      if (isFree(account) && !queue.some((one) => one.account === account)) take(account);
      else if (queue.filter((one) => one.account === account).length >= waitingPerAccount)
        fail('too_many_searches', { limit: perAccount }, { retryAfter: 1 });
      else if (isCrowded()) fail('overloaded', {}, { retryAfter: 1 + Math.random() * 4 });
      else {
        const turn = waitIn(queue, account, { signal, timeoutMs, onStart: () => take(account) });
        startNext();
        await turn;
      }
      const since = Date.now();
      try {
        return await work();
      } finally {
        release(account, Date.now() - since);
      }
    },
    isBusy: (but) => uses.isAnyActive(but),
  };
};
