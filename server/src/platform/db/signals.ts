import type pg from 'pg';
import type { Db } from './db.ts';
import type { Log } from '#platform/log.ts';

/** Receives NOTIFY on one connection, for callers that wait for an event in another process. */
export interface Signals {
  /**
   * Starts to wait. `arrived` resolves to true when `payload` arrives on the channel, and to false
   * after `milliseconds`. Call it before reading the data, so that no event is missed.
   */
  wait(payload: string, milliseconds: number): { arrived: Promise<boolean>; cancel(): void };
  /**
   * Calls `listener` at every notification, whatever its payload. Returns the function that ends
   * these calls.
   */
  onEach(listener: () => void): () => void;
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
    const cancel = (): void => {
      clearTimeout(timer);
      wakers.delete(wake);
      if (wakers.size === 0) waiting.delete(payload);
    };
    const arrived = new Promise<boolean>((resolve) => {
      wake = () => {
        cancel();
        resolve(true);
      };
      timer = setTimeout(() => {
        cancel();
        resolve(false);
      }, milliseconds);
      wakers.add(wake);
    });
    return { arrived, cancel };
  };

/**
 * Listens on `channel`, and reconnects automatically. While there is no connection, a wait ends at
 * its time limit.
 */
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
      for (const listener of listeners) listener();
    });
    // Several errors may come, even after the connection was closed, but it is released only once.
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
    onEach: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
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
