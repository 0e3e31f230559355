import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createApp } from '#app.ts';
import type { App } from '#app.ts';
import { expressChannel } from '#domain/express/express-reads.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { task } from '#platform/jobs/task.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log.ts';
import { createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { limitMs } from '#testing/limits.ts';
import { testConfig } from '#testing/test-app.ts';
import { openTransactionPooler } from '#testing/transaction-pooler.ts';
import type { TransactionPooler } from '#testing/transaction-pooler.ts';

const all = systemScope('test');
let database: TestDatabase;
let pooler: TransactionPooler;
let app: App;

beforeAll(async () => {
  database = await createTestDatabase();
  pooler = await openTransactionPooler(database.connection, 6);
  const { host, port, user, database: name } = database.connection;
  const listenDatabaseUrl = `postgres:///${name}?host=${encodeURIComponent(host!)}&port=${port}&user=${user}`;
  app = createApp(testConfig({ listenDatabaseUrl }), pooler.connection, silentLog());
});
afterAll(async () => {
  await app.close();
  await pooler.close();
  await database.drop();
});

it('database signals arrive through a transaction pooler if a direct database URL for LISTEN is configured', async () => {
  const { arrived } = app.signals.wait('7', limitMs(30_000));
  const timer = setInterval(
    () => void app.db.rows(all, sql`select pg_notify(${expressChannel}, '7')`),
    100,
  );
  expect(await arrived).toBe(true);
  clearInterval(timer);
});

it('jobs start immediately through a transaction pooler if a direct database URL for LISTEN is configured', async () => {
  const began: number[] = [];
  const quick = task('quick', z.object({ at: z.number() }), { attempts: 3 });
  const worker = await startWorker({
    app,
    db: app.db,
    listenDb: app.listenDb,
    tasks: [quick.runs(async (_app, { at }) => void began.push(performance.now() - at))],
    byClock: false,
    concurrency: 1,
    deadAfterMs: 20_000,
    log: silentLog(),
  });
  for (let n = 0; n < 10; n++) {
    await app.db.tx(all, (work) => addJob(work, quick, { at: performance.now() }));
    await expect.poll(() => began.length).toBe(n + 1);
  }
  await worker.stop();
  // The limit is much shorter than two seconds, the interval at which the library polls for jobs.
  expect(began.toSorted((a, b) => a - b)[5]).toBeLessThan(limitMs(500));
});
