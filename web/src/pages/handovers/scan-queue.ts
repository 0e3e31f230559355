import { mostScansAtOnce } from '@waystation/contract/base/limits.ts';
import { scanHandover } from '@waystation/contract/parcels/handover.ts';
import type { ScanAnswer } from '@waystation/contract/parcels/handover.ts';
import type { InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { ApiError } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { local, readJson } from '#base/storage.ts';
import type { Store } from '#base/storage.ts';

export type QueuedScan = InputOf<typeof scanHandover>['scans'][number];
type Sent = OutputOf<typeof scanHandover>;

/**
 * `offline`: the network or the server fails, and the scans will be sent again automatically.
 * `stopped`: the server has refused the scans, and a person must decide what to do.
 */
export interface QueueState {
  waiting: number;
  offline: 'network' | 'server' | false;
  stopped: ApiError | null;
}

interface Deps {
  store: Store;
  send: (id: number, scans: readonly QueuedScan[]) => Promise<Sent>;
  /** Resolves after this number of milliseconds, or earlier when the browser is online again. */
  pause: (ms: number) => Promise<void>;
}

/**
 * The hand-over and the user that the waiting scans belong to. Another user of this computer must
 * not send them.
 */
export interface QueueOwner {
  id: number;
  account: number;
}
const prefixOf = (id: number): string => `waystation-handover-${id}-`;
const keyOf = ({ id, account }: QueueOwner): string => `${prefixOf(id)}${account}`;
const firstPauseMs = 1_000;
const longestPauseMs = 15_000;

const isScan = (value: unknown): value is QueuedScan =>
  typeof value === 'object' && value !== null && 'scan_id' in value && 'number' in value;

/** The scans that wait in this browser. They may have been stored before a reload of the page. */
const stored = (store: Store, of: QueueOwner): QueuedScan[] => {
  const value = readJson(store, keyOf(of));
  return Array.isArray(value) ? value.filter(isScan) : [];
};

/**
 * The numbers that this user has scanned for the hand-over and that this browser has not sent yet.
 */
export const waitingNumbers = (of: QueueOwner, store: Store = local): string[] =>
  stored(store, of).map(({ number }) => number);

/** The number of scans for this hand-over that other users of this browser have not sent yet. */
export const waitingOfOthers = ({ id, account }: QueueOwner, store: Store = local): number =>
  store
    .keys()
    .filter((key) => key.startsWith(prefixOf(id)) && key !== keyOf({ id, account }))
    .map((key) => stored(store, { id, account: Number(key.slice(prefixOf(id).length)) }).length)
    .reduce((sum, count) => sum + count, 0);

const write = (store: Store, of: QueueOwner, scans: readonly QueuedScan[]): void => {
  if (scans.length === 0) store.drop(keyOf(of));
  else store.write(keyOf(of), JSON.stringify(scans));
};

const online = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
  });

const own: Deps = {
  store: local,
  send: (id, scans) => call(scanHandover, { id, scans: [...scans] }, { timeout: 20_000 }),
  pause: online,
};

/** True if the same scans may be sent again later, because the server has not refused them. */
const isPassing = (error: unknown): error is ApiError =>
  !(error instanceof ApiError) ||
  error.status === 0 ||
  error.status === 401 ||
  error.status === 429 ||
  error.status >= 500;

export interface ScanQueue {
  add(scan: QueuedScan): void;
  /** Deletes the waiting scans after the server has refused them. */
  drop(): void;
  /** Sends the waiting scans. It is called again when the server may accept them. */
  run(): Promise<void>;
  end(): void;
}

/**
 * The queue of the scans of a hand-over, in the order of scanning. Each scan is first stored in the
 * browser, and then sent until the server has answered it. A scan may be sent twice, because the
 * server recognizes its id.
 */
export const scanQueue = (
  of: QueueOwner,
  on: { answers: (sent: Sent) => void; state: (state: QueueState) => void },
  deps: Deps = own,
): ScanQueue => {
  const { store, send, pause } = deps;
  let isRunning = false;
  let ended = false;
  let offline: QueueState['offline'] = false;
  let stopped: ApiError | null = null;
  const tell = (): void => {
    if (!ended) on.state({ waiting: stored(store, of).length, offline, stopped });
  };
  const forget = (answers: readonly Pick<ScanAnswer, 'scan_id'>[]): void => {
    const answered = new Set(answers.map(({ scan_id }) => scan_id));
    write(
      store,
      of,
      stored(store, of).filter(({ scan_id }) => !answered.has(scan_id)),
    );
  };
  /**
   * Sends the waiting scans that come first. Returns the time to wait in milliseconds after a
   * temporary failure; otherwise returns null.
   */
  const sendFirst = async (before: number): Promise<number | null> => {
    try {
      const sent = await send(of.id, stored(store, of).slice(0, mostScansAtOnce));
      forget(sent.answers);
      offline = false;
      if (!ended) on.answers(sent);
      return null;
    } catch (error) {
      if (!isPassing(error)) {
        stopped = error as ApiError;
        return null;
      }
      offline = error instanceof ApiError && error.status > 0 ? 'server' : 'network';
      const asked = error instanceof ApiError ? error.retryAfter : null;
      return asked === null ? Math.min(before * 2, longestPauseMs) : asked * 1_000;
    }
  };
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    stopped = null;
    let wait = firstPauseMs / 2;
    while (!ended && stopped === null && stored(store, of).length > 0) {
      const next = await sendFirst(wait);
      tell();
      wait = next ?? firstPauseMs / 2;
      if (next !== null) await pause(next);
    }
    isRunning = false;
    tell();
  };
  return {
    add: (scan) => {
      write(store, of, [...stored(store, of), scan]);
      tell();
      if (stopped === null) void run();
    },
    drop: () => {
      write(store, of, []);
      stopped = null;
      tell();
    },
    run,
    end: () => {
      ended = true;
    },
  };
};
