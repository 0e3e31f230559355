import { createHash } from 'node:crypto';
import type pg from 'pg';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import { readConfig } from '#config.ts';
import type { Config } from '#config.ts';
import { standingClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createTestDatabase } from './cluster.ts';

export interface TestApp extends App {
  clock: ReturnType<typeof standingClock>;
  owner: pg.ClientConfig;
  close(): Promise<void>;
}

/** One key for all tests, because copies of the example network have secrets encrypted with it. */
const secretKey = createHash('sha256').update('tests').digest('hex');

export const testConfig = (changes: Partial<Config> = {}): Config => ({
  ...readConfig({
    WAYSTATION_SECRET_KEY: secretKey,
    WAYSTATION_LOG: 'silent',
    WAYSTATION_DATA: '/nonexistent',
    WAYSTATION_HEADS_FILE: 'off',
  }),
  // Tests send requests without pauses and often from several accounts. The share of time for lists
  // is therefore not limited.
  listSharePercent: 100,
  // Each connection plans every statement again. For tests, this costs more than waiting for a free
  // connection, so the pool is small.
  poolSize: 5,
  mail: null,
  ...changes,
});

/**
 * Creates the application with a fresh database. Its clock stays at 2026-03-02 10:00 in Shanghai
 * until the test moves it.
 */
export const createTestApp = async (changes: Partial<Config> = {}): Promise<TestApp> => {
  const database = await createTestDatabase();
  const clock = standingClock(new Date('2026-03-02T10:00:00+08:00'));
  const app = createApp(testConfig(changes), database.connection, silentLog(), clock);
  return {
    ...app,
    clock,
    owner: database.owner,
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
};
