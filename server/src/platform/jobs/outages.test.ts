import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, it, vi } from 'vitest';
import { appRole } from '#testing/cluster.ts';
import { openDatabaseProxy } from '#testing/database-proxy.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { addJob, startWorker } from './jobs.ts';
import type { Task, WorkerHandle } from './jobs.ts';

const all = systemScope('test');
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** What a test has opened, the last first. */
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
  await app.db.tx(all, (tx) => sql`delete from graphile_worker._private_jobs`.execute(tx));
});

const queue = (task: string, payload: object = {}) => app.db.tx(all, (tx) => addJob(tx, task, payload));
const until = (holds: () => boolean | Promise<boolean>): Promise<boolean> => vi.waitUntil(holds, { interval: 10, timeout: 60_000 });
const noJobs = (): Promise<boolean> =>
  until(() => app.db.tx(all, async (tx) => (await sql`select 1 from graphile_worker._private_jobs`.execute(tx)).rows.length === 0));
const gate = () => {
  let open!: () => void;
  const closed = new Promise<void>((resolve) => (open = resolve));
  return { closed, open };
};

const connect = (address: object = {}): Db => {
  const db = openDb({ connection: { ...app.owner, ...address, user: appRole.name }, max: 6, log: silentLog() });
  opened.push(() => db.close());
  return db;
};
const proxied = async () => {
  const proxy = await openDatabaseProxy(app.owner);
  opened.push(() => proxy.close());
  return { proxy, db: connect({ host: '127.0.0.1', port: proxy.port }) };
};
const work = async (db: Db, note: Task<TestApp>, standsAfterMs = 30_000): Promise<WorkerHandle> => {
  const worker = await startWorker({ app, db, tasks: { note }, schedule: {}, concurrency: 3, deadAfterMs: 1_000, standsAfterMs, log: silentLog() });
  opened.push(() => worker.stop());
  return worker;
};

describe('a worker', () => {
  it('continues after the database has cut all its connections', async () => {
    const ran: unknown[] = [];
    await work(app.db, async (_, payload) => void ran.push(payload));
    await queue('note', { n: 1 });
    await until(() => ran.length === 1);
    const owner = new pg.Client(app.owner);
    await owner.connect();
    await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
    await owner.end();
    await until(() =>
      queue('note', { n: 2 }).then(
        () => true,
        () => false,
      ),
    );
    await until(() => ran.length === 2);
  });

  for (const [how, startsUp] of [
    ['was unreachable', false],
    ['refused everyone, as one does that is starting up,', true],
  ] as const)
    it(`continues after the database ${how} at the end of a job`, async () => {
      const { proxy, db } = await proxied();
      const { closed, open } = gate();
      const ran: number[] = [];
      await work(db, async (_, { n }: { n: number }) => {
        ran.push(n);
        if (n === 1) await closed;
      });
      await queue('note', { n: 1 });
      await until(() => ran.length === 1);
      proxy.cut();
      if (startsUp) proxy.startUp();
      open();
      // The end of the job and some heartbeats have met the outage.
      await until(() => proxy.refused() >= 4);
      await queue('note', { n: 2 });
      proxy.mend();
      await until(() => ran.includes(2));
      await noJobs();
    });

  it('continues after the database was unreachable while several jobs succeeded and failed', async () => {
    const { proxy, db } = await proxied();
    const gates = [gate(), gate(), gate()];
    const ran: number[] = [];
    await work(db, async (_, { n }: { n: number }) => {
      ran.push(n);
      await gates[n]?.closed;
      if (n === 2 && ran.length === 3) throw new Error('the database is away');
    });
    for (const n of gates.keys()) await queue('note', { n });
    await until(() => ran.length === 3);
    proxy.cut();
    for (const { open } of gates) {
      const before = proxy.refused();
      open();
      await until(() => proxy.refused() > before);
    }
    await queue('note', { n: 3 });
    proxy.mend();
    await until(() => ran.includes(3));
    await noJobs();
  });

  it('runs jobs while its heartbeats wait', async () => {
    const ran: number[] = [];
    await work(connect(), async (_, { n }: { n: number }) => void ran.push(n));
    const owner = new pg.Client(app.owner);
    await owner.connect();
    opened.push(() => owner.end());
    await owner.query('begin; lock table worker_heartbeats in exclusive mode');
    // real delay: more beats than there are connections
    await new Promise((later) => setTimeout(later, 8 * 250));
    await queue('note', { n: 1 });
    await until(() => ran.length === 1);
    await owner.query('rollback');
  });

  it('continues after the library waits for a connection that is never answered', async () => {
    const db = connect();
    const ran: number[] = [];
    await work(db, async (_, { n }: { n: number }) => void ran.push(n), 600);
    await queue('note', { n: 1 });
    await until(() => ran.length === 1);
    const answered = db.pool.connect.bind(db.pool);
    let asked = 0;
    db.pool.connect = () => (asked++, new Promise<never>(() => {}));
    // All three look for their next job.
    for (let n = 2; n <= 4; n++) await queue('note', { n });
    await until(() => asked >= 3);
    db.pool.connect = answered;
    await until(() => ran.length === 4);
  });
});
