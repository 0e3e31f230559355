import { exampleParcel } from '@waystation/contract/parcels/example-parcel.ts';
import type { App } from '#app.ts';
import type { Config } from '#config.ts';
import { exampleKeys } from '#features/demo/network.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { systemClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import type { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import type { WorkerHandle } from '#platform/jobs/worker.ts';
import { createLog } from '#platform/log.ts';
import { alertAbandoned, tasks } from '#tasks.ts';
import { limitMs } from './limits.ts';
import { startCarrier } from './simulator.ts';
import type { TestCarrier } from './simulator.ts';
import { startTestApi } from './test-api.ts';
import type { TestApi, TestApiOptions } from './test-api.ts';

export type { Answer } from './test-api.ts';

const all = systemScope('test system');

/**
 * The whole product for a test: the API with the example network, a worker in the same process, and
 * a carrier simulator.
 */
export interface TestSystem extends TestApi<Clock> {
  carrier: TestCarrier;
  worker: WorkerHandle;
  startWorker(): Promise<WorkerHandle>;
  topUp(key: string, amount: number, at?: Date): Promise<void>;
}

export interface TestSystemOptions extends Pick<
  TestApiOptions<Clock>,
  'processes' | 'role' | 'through' | 'log'
> {
  /** Settings that replace settings of the server's test configuration. */
  config?: Partial<Config>;
  /** The environment variables of the carrier simulator. */
  simulator?: Record<string, string>;
}

const workerFor = (app: App): Promise<WorkerHandle> =>
  startWorker({
    app,
    db: app.db,
    tasks,
    byClock: false,
    abandoned: alertAbandoned,
    concurrency: 4,
    deadAfterMs: app.config.worker.deadAfterMs,
    // The poll interval is shorter than usual. Otherwise a repeated call would come up to two
    // seconds later than its delay requires.
    pollMs: 500,
    log: app.log,
  });

let topUps = 0;

/**
 * Starts the whole system with the real clock. The real clock is necessary, because the carrier
 * compares timestamps with the real time.
 */
export const openTestSystem = async ({
  config,
  simulator,
  log,
  ...options
}: TestSystemOptions = {}): Promise<TestSystem> => {
  const carrier = await startCarrier(simulator);
  const api = await startTestApi({
    clock: systemClock,
    log: log ?? createLog(process.env['WAYSTATION_TEST_LOG'] ?? 'silent'),
    ...options,
    config: {
      simulator: { port: carrier.port, url: carrier.url },
      outboundAllow: [`127.0.0.1:${carrier.port}`],
      webhookAllow: [`127.0.0.1:${carrier.port}`],
      // The time limits are long. Otherwise a carrier on a busy machine would seem to give no
      // answer. A test of unanswered calls sets its own limit.
      carrier: { timeoutMs: limitMs(10_000), pollSeconds: 1_800 },
      worker: { concurrency: 4, deadAfterMs: limitMs(2_000) },
      ...config,
    },
  });
  const { app, network } = api;
  await carrier.control('POST', 'callbacks', {
    customer_code: exampleKeys.customer_code,
    url: `${api.url}/api/carriers/jdl/push/${network.push_secret}`,
  });
  const system: TestSystem = {
    ...api,
    carrier,
    topUp: async (key, amount, at = new Date()) => {
      const station_id = api.station(key).id;
      await app.db.tx(all, (work) =>
        topUp(work, {
          station_id,
          amount,
          description: 'test',
          cause: `test top-up ${++topUps}`,
          at,
          by: network.office,
        }),
      );
    },
    worker: await workerFor(app),
    startWorker: () => workerFor(app),
    close: async () => {
      await system.worker.stop();
      await api.close();
      // Stops the simulator that is running now, because a test may have replaced the first one.
      await system.carrier.stop();
    },
  };
  return system;
};

/**
 * Returns an order from the demo's Shenzhen station to Shanghai, in the form in which the order
 * form of the web console sends it.
 */
export const exampleOrder = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...exampleParcel,
  weight: 4_300,
  ...changes,
});

/**
 * Repeats `look` until it returns a value. The time limit is longer on a slow machine, because a
 * late answer there is not a wrong answer.
 */
export const eventually = async <T>(
  look: () => Promise<T | null | undefined | false>,
  milliseconds = 60_000,
): Promise<T> => {
  const since = Date.now();
  // The pauses between two checks become longer, because each check costs processor time.
  for (let pause = 25; ; pause = Math.min(200, pause * 1.2)) {
    const found = await look();
    if (found) return found;
    if (Date.now() - since > limitMs(milliseconds)) throw new Error('waited in vain');
    await new Promise((later) => setTimeout(later, pause));
  }
};

/** Executes a query in the system's database with the system's scope, and returns the rows. */
export const rowsOf = <T>(system: TestSystem, query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  system.rows(query);
