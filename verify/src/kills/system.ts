import { openTestSystem } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';

/**
 * Opens the tested system for a part of the run. The carriers' clock runs at the speed of the real
 * clock. A stopped clock would fall behind on a busy machine, and the product refuses a report that
 * is dated ten minutes before its order.
 */
export const openKillSystem = (): Promise<TestSystem> =>
  openTestSystem({
    config: { carrier: { timeoutMs: 3_000, pollSeconds: 1_800 } },
    simulator: { SIM_PAUSED: '0', SIM_SPEED: '1' },
  });

/**
 * The milliseconds after which a part of the run ends. The limit is less than an hour, because the
 * simulator moves a parcel without a command an hour after its order.
 */
const stretchMs = 40 * 60_000;

/**
 * True if a part of the test that began at `since` has time for another kill. `since` is a time of
 * `performance.now()`.
 */
export const hasTime = (since: number): boolean => performance.now() - since < stretchMs;
