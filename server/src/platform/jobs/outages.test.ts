import * as z from 'zod/mini';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { appRole } from '#testing/cluster.ts';
import { openDatabaseProxy } from '#testing/database-proxy.ts';
import { limitMs } from '#testing/limits.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { addJob } from './jobs.ts';
import { task } from './task.ts';

import { startWorker } from './worker.ts';
import type { WorkerHandle } from './worker.ts';

const all = systemScope('test');
const note = task('note', z.object({ n: z.int() }), { attempts: 25 });

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/**
 * True if each of the jobs has run at least once. A job runs again if its end was lost in an
 * outage.
 */
const haveRun = (ran: number[], jobs: number[]): boolean => jobs.every((n) => ran.includes(n));

/** The functions that close what a test has opened. They are called in reverse order. */
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
  await app.db.tx(all, (work) => sql`delete from graphile_worker._private_jobs`.execute(work.tx));
});

const queue = (task: typeof note, payload = { n: 0 }) =>
  app.db.tx(all, (work) => addJob(work, task, payload));
const until = (holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(holds, { interval: 10, timeout: limitMs(60_000) });
const noJobs = (): Promise<boolean> =>
  until(() =>
    app.db.tx(
      all,
      async (work) =>
        (
          await sql`select 1
    from graphile_worker._private_jobs`.execute(work.tx)
        ).rows.length === 0,
    ),
  );
const gate = () => {
  let open!: () => void;
  const closed = new Promise<void>((resolve) => (open = resolve));
  return { closed, open };
};

const connect = (address: object = {}): Db => {
  const db = openDb({
    connection: { ...app.owner, ...address, user: appRole.name },
    max: 6,
    log: silentLog(),
  });
  opened.push(() => db.close());
  return db;
};
const proxied = async () => {
  const proxy = await openDatabaseProxy(app.owner);
  opened.push(() => proxy.close());
  return { proxy, db: connect({ host: '127.0.0.1', port: proxy.port }) };
};
const work = async (
  db: Db,
  run: (context: TestApp, payload: { n: number }) => Promise<void>,
  stalledAfterMs = 30_000,
): Promise<WorkerHandle> => {
  const worker = await startWorker({
    app,
    db,
    tasks: [note.runs(run)],
    byClock: false,
    concurrency: 3,
    deadAfterMs: 1_000,
    stalledAfterMs,
    log: silentLog(),
  });
  opened.push(() => worker.stop());
  return worker;
};

describe('a worker during database outages', () => {
  it('a worker continues after the database has cut all its connections', async () => {
    const ran: number[] = [];
    await work(app.db, async (_, { n }) => void ran.push(n));
    await queue(note, { n: 1 });
    await until(() => ran.length === 1);
    const owner = new pg.Client(app.owner);
    await owner.connect();
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await owner.end();
    await until(() =>
      queue(note, { n: 2 }).then(
        () => true,
        () => false,
      ),
    );
    await until(() => haveRun(ran, [2]));
  });

  for (const [how, startsUp] of [
    ['was unreachable', false],
    ['refused everyone, as one does that is starting up,', true],
  ] as const)
    it(`a worker continues after the database ${how} at the end of a job`, async () => {
      const { proxy, db } = await proxied();
      const { closed, open } = gate();
      const ran: number[] = [];
      await work(db, async (_, { n }) => {
        ran.push(n);
        if (n === 1) await closed;
      });
      await queue(note, { n: 1 });
      await until(() => ran.length === 1);
      proxy.cut();
      if (startsUp) proxy.startUp();
      open();
      // Waits until the end of the job and some heartbeats have failed.
      await until(() => proxy.refused() >= 4);
      await queue(note, { n: 2 });
      proxy.mend();
      await until(() => haveRun(ran, [2]));
      await noJobs();
    });

  it('a worker continues after the database was unreachable at the end of its jobs, of which two succeeded and one failed', async () => {
    const { proxy, db } = await proxied();
    const gates = [gate(), gate(), gate()];
    const ran: number[] = [];
    await work(db, async (_, { n }) => {
      ran.push(n);
      await gates[n]?.closed;
      if (n === 2 && ran.length === 3) throw new Error('the database is away');
    });
    for (const n of gates.keys()) await queue(note, { n });
    await until(() => haveRun(ran, [0, 1, 2]));
    proxy.cut();
    for (const { open } of gates) {
      const before = proxy.refused();
      open();
      await until(() => proxy.refused() > before);
    }
    await queue(note, { n: 3 });
    proxy.mend();
    await until(() => haveRun(ran, [3]));
    await noJobs();
  });

  it('a worker runs new jobs even while a lock on the heartbeat table delays its heartbeats', async () => {
    const ran: number[] = [];
    await work(connect(), async (_, { n }) => void ran.push(n));
    const owner = new pg.Client(app.owner);
    await owner.connect();
    opened.push(() => owner.end());
    await owner.query('begin; lock table worker_heartbeats in exclusive mode');
    // real delay: more heartbeats than connections
    await new Promise((later) => setTimeout(later, 8 * 250));
    await queue(note, { n: 1 });
    await until(() => ran.length === 1);
    await owner.query('rollback');
  });

  it('a worker that stops while its LISTEN statement fails releases its connection exactly once', async () => {
    const db = connect();
    const answered = db.pool.connect.bind(db.pool) as (
      callback?: (error: Error | undefined, client: pg.PoolClient, done: () => void) => void,
    ) => Promise<pg.PoolClient>;
    let fail: ((error: Error) => void) | undefined;
    // The job library passes a callback only for its LISTEN connection.
    db.pool.connect = ((callback) =>
      callback === undefined
        ? answered()
        : answered((error, client, done) => {
            // The library tries again after it was stopped, when the pool may already be closed.
            if (fail !== undefined) return callback(error, client, done);
            const query = client.query.bind(client) as (...words: unknown[]) => unknown;
            client.query = ((...words: unknown[]) =>
              String(words[0]).startsWith('LISTEN')
                ? new Promise((_, reject) => (fail = reject))
                : query(...words)) as never;
            callback(error, client, done);
          })) as typeof answered as never;
    const worker = await work(db, async () => {});
    await until(() => fail !== undefined);
    const stopped = worker.stop();
    fail!(new Error('the database is away'));
    await stopped;
  });

  for (const [who, connections] of [
    ['the library', 3],
    // Three workers, a heartbeat and the restarted library each use a connection.
    ['the library and its next start', 5],
  ] as const)
    it(`a worker continues after ${who} waited for a database connection that was never opened`, async () => {
      const db = connect();
      const ran: number[] = [];
      // This is more than the library's poll interval of 2 s. With less, an idle library would
      // count as stalled and restart again and again, which on a busy machine leaves no time for a
      // job.
      await work(db, async (_, { n }) => void ran.push(n), 3_000);
      await queue(note, { n: 1 });
      await until(() => ran.length === 1);
      const answered = db.pool.connect.bind(db.pool);
      let asked = 0;
      db.pool.connect = () => (asked++, new Promise<never>(() => {}));
      // Wakes all three workers, which then look for their next job.
      for (let n = 2; n <= 4; n++) await queue(note, { n });
      await until(() => asked >= connections);
      db.pool.connect = answered;
      await until(() => haveRun(ran, [2, 3, 4]));
      await noJobs();
    });

  it('a worker that is stopped during a restart of its job library runs no further job', async () => {
    const db = connect();
    const ran: number[] = [];
    const worker = await work(db, async (_, { n }) => void ran.push(n), 3_000);
    await queue(note, { n: 1 });
    await until(() => ran.length === 1);
    const answered = db.pool.connect.bind(db.pool);
    const { closed, open } = gate();
    let asked = 0;
    // The connections that the job library requests at first are never opened. The connection that
    // it requests after its restart is opened late.
    db.pool.connect = ((...callback: []) =>
      ++asked < 5
        ? new Promise<never>(() => {})
        : closed.then(() => answered(...callback))) as never;
    for (let n = 2; n <= 4; n++) await queue(note, { n });
    await until(() => asked >= 5);
    const stopped = worker.stop();
    open();
    await stopped;
    await queue(note, { n: 5 });
    // real delay: longer than the library's poll
    await new Promise((later) => setTimeout(later, 2_500));
    expect(ran).not.toContain(5);
  });
});
