import type pg from 'pg';
import type { Db } from './db.ts';
import type { Log } from '#platform/log.ts';

/** Hears NOTIFY on one connection, for callers that wait until something has happened elsewhere. */
export interface Signals {
  /** Resolves true when `payload` is heard on the channel, false after `milliseconds`. Start to wait before you look. */
  wait(payload: string, milliseconds: number): { heard: Promise<boolean>; forget(): void };
  /** Calls `heard` at every notification, whatever its payload. Returns how to stop. */
  onEach(heard: () => void): () => void;
  close(): Promise<void>;
}

type Waiting = Map<string, Set<() => void>>;

const waitFor =
  (waiting: Waiting): Signals['wait'] =>
  (payload, milliseconds) => {
    let wake!: () => void;
    let timer: NodeJS.Timeout | undefined;
    const wakers = waiting.get(payload) ?? new Set<() => void>();
    waiting.set(payload, wakers);
    const forget = (): void => {
      clearTimeout(timer);
      wakers.delete(wake);
      if (wakers.size === 0) waiting.delete(payload);
    };
    const heard = new Promise<boolean>((resolve) => {
      wake = () => {
        forget();
        resolve(true);
      };
      timer = setTimeout(() => {
        forget();
        resolve(false);
      }, milliseconds);
      wakers.add(wake);
    });
    return { heard, forget };
  };

/** Listens on `channel`; reconnects by itself. While it is not connected a waiter simply runs into its time limit. */
export const listen = (db: Db, channel: string, log: Log): Signals => {
  const waiting: Waiting = new Map();
  const listeners = new Set<() => void>();
  let client: pg.PoolClient | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const mine = await db.client();
    if (closed) return mine.release();
    client = mine;
    mine.on('notification', ({ payload }) => {
      for (const wake of waiting.get(payload ?? '') ?? []) wake();
      for (const heard of listeners) heard();
    });
    // An error may come more than once, and after we are closed; the connection is given back once.
    mine.on('error', () => {
      if (client === mine) lose(mine);
    });
    await mine.query(`listen ${channel}`).catch((error: unknown) => {
      if (client === mine) lose(mine);
      log.warn({ err: error }, 'could not listen to the database; trying again');
    });
  };
  const lose = (mine: pg.PoolClient): void => {
    client = undefined;
    mine.release(true);
    again();
  };
  const again = (): void => {
    if (closed || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      connect().catch((error: unknown) => {
        log.warn({ err: error }, 'could not listen to the database; trying again');
        again();
      });
    }, 1_000);
  };
  connect().catch(again);

  return {
    wait: waitFor(waiting),
    onEach: (heard) => {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    close: async () => {
      closed = true;
      clearTimeout(retry);
      const mine = client;
      client = undefined;
      mine?.release(true);
    },
  };
};
