import * as z from 'zod/mini';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { limitMs } from '#testing/limits.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RawBuilder } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { addJob } from './jobs.ts';
import type { JobOptions } from './jobs.ts';
import { task } from './task.ts';
import type { TaskHandler } from './task.ts';
import { startWorker } from './worker.ts';
import type { WorkerHandle } from './worker.ts';

const all = systemScope('test');
const note = task('note', z.object({ n: z.int() }), { attempts: 25 });

/** Milliseconds between two heartbeats of these workers. */
const everyMs = 250;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const workers: WorkerHandle[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  await app.db.tx(all, (work) => sql`delete from graphile_worker._private_jobs`.execute(work.tx));
});

const work = async (tasks: readonly TaskHandler<TestApp>[], db: Db = app.db): Promise<void> => {
  workers.push(
    await startWorker({
      app,
      db,
      tasks,
      byClock: false,
      concurrency: 3,
      deadAfterMs: 4 * everyMs,
      log: silentLog(),
    }),
  );
};
const rows = async <R>(query: RawBuilder<R>): Promise<R[]> =>
  app.db.tx(all, async (work) => (await query.execute(work.tx)).rows);
const until = (holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(holds, { interval: 10, timeout: limitMs(60_000) });
const jobs = () =>
  rows(
    sql<{ id: number; attempts: number; locked_by: string | null; flags: unknown }>`select id,
      attempts, locked_by, flags from graphile_worker._private_jobs`,
  );

/**
 * Queues a job and locks it in the name of the running worker without the worker's knowledge. This
 * simulates a locking statement whose response was lost.
 */
const queueLocked = (payload: { n: number }, options: JobOptions = {}) =>
  app.db.tx(all, async (work) => {
    await addJob(work, note, payload, options);
    await sql`update graphile_worker._private_jobs
      set locked_by = (select max(worker_id) from worker_heartbeats), locked_at = now(),
      attempts = 1`.execute(work.tx);
    await sql`update graphile_worker._private_job_queues
      set locked_by = (select max(worker_id) from worker_heartbeats),
      locked_at = now()`.execute(work.tx);
  });

describe('a job that is locked for a running worker but not run by it', () => {
  it('if a job is locked for a running worker that does not run it, the job soon runs under a new id as its second attempt', async () => {
    const ran: unknown[] = [];
    await work([
      note.runs(
        async (_, payload, { job_id, attempt }) => void ran.push([payload, job_id, attempt]),
      ),
    ]);
    await queueLocked({ n: 1 }, { key: 'a' });
    const [locked] = await jobs();
    await until(() => ran.length === 1);
    expect(ran).toEqual([[{ n: 1 }, expect.any(String), 2]]);
    expect(ran).not.toMatchObject([[{}, String(locked!.id)]]);
    await until(async () => (await jobs()).length === 0);
  });

  it('freeing a stuck job also frees its queue, so that the next job of the queue runs too', async () => {
    const ran: unknown[] = [];
    await work([note.runs(async (_, payload) => void ran.push(payload))]);
    await queueLocked({ n: 1 }, { queue: 'one' });
    await app.db.tx(all, (work) => addJob(work, note, { n: 2 }, { queue: 'one' }));
    await until(() => ran.length === 2);
    expect(ran).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('a job still runs if the statement that locked it was committed but its response was lost', async () => {
    const ran: unknown[] = [];
    let lost = 0;
    // The library's own statement is committed. Its answer is replaced once by a broken connection.
    const answered = (client: pg.PoolClient) =>
      onlyWith(client, 'query', async (query: { text?: string }) => {
        const result: pg.QueryResult = await client.query(query as never);
        if (query.text?.includes('skip locked') && result.rowCount === 1 && lost++ === 0)
          throw new Error('Connection terminated unexpectedly');
        return result;
      });
    const pool = onlyWith(app.db.pool, 'connect', (listener?: never) =>
      listener
        ? app.db.pool.connect(listener)
        : app.db.pool.connect().then((client) => answered(client)),
    );
    await work([note.runs(async (_, payload) => void ran.push(payload))], { ...app.db, pool });
    await app.db.tx(all, (work) => addJob(work, note, { n: 1 }, { key: 'a' }));
    await until(() => ran.length === 1);
    expect(lost).toBeGreaterThan(1);
    await until(async () => (await jobs()).length === 0);
  });

  it('a job that runs for many heartbeats keeps its id and its lock, even when stuck jobs of other queues are freed', async () => {
    let open!: () => void;
    const closed = new Promise<void>((resolve) => (open = resolve));
    const ran: number[] = [];
    const run = async (_: TestApp, { n }: { n: number }) => {
      ran.push(n);
      if (n === 1) await closed;
    };
    await work([note.runs(run)]);
    await app.db.tx(all, (work) => addJob(work, note, { n: 1 }, { queue: 'long' }));
    await until(() => ran.length === 1);
    const [before] = await jobs();
    for (const n of [2, 3]) {
      await app.db.tx(all, async (work) => {
        await addJob(work, note, { n }, { key: `n${n}` });
        await sql`update graphile_worker._private_jobs
          set locked_by = ${before!.locked_by}, locked_at = now(), attempts = 1
          where key = ${`n${n}`}`.execute(work.tx);
      });
      await until(() => ran.length === n);
    }
    await until(async () => (await jobs()).length === 1);
    expect(await jobs()).toEqual([before]);
    open();
    await until(async () => (await jobs()).length === 0);
    expect(ran).toEqual([1, 2, 3]);
  });

  it('if a locked job is queued again with the same key, it is unlocked and runs only with the new payload', async () => {
    const ran: unknown[] = [];
    await work([note.runs(async (_, payload) => void ran.push(payload))]);
    await queueLocked({ n: 1 }, { key: 'a' });
    await app.db.tx(all, (work) => addJob(work, note, { n: 2 }, { key: 'a' }));
    await until(async () => (await jobs()).every(({ locked_by }) => locked_by === null));
    expect(ran).toEqual([{ n: 2 }]);
  });
});

/** Returns an object in which one method is replaced. */
const onlyWith = <T extends object>(target: T, method: keyof T, replaced: unknown): T =>
  new Proxy(target, {
    get: (on, name) => {
      const value: unknown = name === method ? replaced : Reflect.get(on, name);
      return typeof value === 'function' ? (value.bind(on) as unknown) : value;
    },
  });
