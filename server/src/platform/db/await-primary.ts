import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '#platform/log.ts';
import { isUnavailable } from './db.ts';

interface Waiting {
  log: Log;
  /**
   * `everyMs`: the milliseconds between two attempts. `sayEveryMs`: the milliseconds between two
   * log lines.
   */
  everyMs?: number;
  sayEveryMs?: number;
}

/**
 * True if the database is unreachable and the program should wait. A host name without an IP
 * address is more likely misspelt, so the program does not wait for it.
 */
const isAway = (error: unknown): boolean =>
  isUnavailable(error) && (error as { code?: string }).code !== 'ENOTFOUND';

/**
 * Calls `run` until a primary database executes it. Logs about once a minute why it still waits.
 */
export const awaitPrimary = async <T>(
  run: () => Promise<T>,
  { log, everyMs = 1_000, sayEveryMs = 60_000 }: Waiting,
): Promise<T> => {
  for (let saidAt = Number.NEGATIVE_INFINITY; ;) {
    try {
      return await run();
    } catch (error) {
      if (!isAway(error) && !isAway((error as Error).cause)) throw error;
      if (performance.now() - saidAt >= sayEveryMs) {
        saidAt = performance.now();
        const { message, code } = error as Error & { code?: string };
        log.warn({ err: { message, code } }, 'the start waits for a primary of the database');
      }
      await wait(everyMs);
    }
  }
};
