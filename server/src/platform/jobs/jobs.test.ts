import * as z from 'zod/mini';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { limitMs } from '#testing/limits.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createLog, silentLog } from '#platform/log.ts';
import type { DeadJob } from './attempts.ts';
import { addJob } from './jobs.ts';
import type { JobOptions } from './jobs.ts';
import { task } from './task.ts';
import type { JobContext, TaskHandler } from './task.ts';
import { startWorker } from './worker.ts';
import type { WorkerHandle } from './worker.ts';

const all = systemScope('test');
const note = task('note', z.object({ n: z.int() }), { attempts: 25 });
const step = task('step', z.object({ n: z.int() }), { attempts: 25 });
/** The same task for a worker that allows only two attempts. */
const twice = task('note', z.object({ n: z.int() }), { attempts: 2 });
const other = task('other', z.object({ n: z.int() }), { attempts: 25 });

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

const work = async (
  tasks: readonly TaskHandler<TestApp>[],
  deadAfterMs = 1_000,
  log = silentLog(),
  concurrency = 3,
): Promise<WorkerHandle> => {
  const worker = await startWorker({
    app,
    db: app.db,
    tasks,
    byClock: false,
    concurrency,
    deadAfterMs,
    log,
  });
  workers.push(worker);
  return worker;
};
const queue = (task: typeof note, payload = { n: 0 }, options: JobOptions = {}) =>
  app.db.tx(all, (work) => addJob(work, task, payload, options));
const until = (holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(holds, { interval: 10, timeout: limitMs(60_000) });
const jobs = () =>
  app.db.tx(
    all,
    async (work) =>
      (
        await sql<{
          key: string | null;
          run_at: Date;
          locked_by: string | null;
          attempts: number;
          max_attempts: number;
        }>`select key, run_at, locked_by, attempts, max_attempts
          from graphile_worker._private_jobs order by id`.execute(work.tx)
      ).rows,
  );
const gate = () => {
  let open!: () => void;
  const closed = new Promise<void>((resolve) => (open = resolve));
  return { closed, open };
};

describe('a job', () => {
  it('a job reports whether it was scheduled for later', async () => {
    // The results are keyed by the number `n`, because the two jobs run at the same time and can
    // end in either order.
    const ran = new Map<number, boolean>();
    await queue(note, { n: 1 }, { runAt: new Date(Date.now() - 60_000) });
    await queue(note, { n: 2 });
    await work([
      note.runs(
        async (_, payload, { planned }) => void ran.set((payload as { n: number }).n, planned),
      ),
    ]);
    await until(() => ran.size === 2);
    expect([ran.get(1), ran.get(2)]).toEqual([true, false]);
  });

  it('the log line of a failed job has the error’s code and message, but no values from the database row', async () => {
    const lines: string[] = [];
    const refused = Object.assign(new Error('refused: "张三"'), {
      severity: 'ERROR',
      code: '23514',
      detail: 'Failing row contains (张三).',
    });
    await queue(note);
    const log = createLog('error', { write: (line) => void lines.push(line) });
    await work([note.runs(() => Promise.reject(refused))], 1_000, log);
    await until(() => lines.length > 0);
    const [line] = lines.map((text) => JSON.parse(text) as object);
    expect(line).toMatchObject({ err: { code: '23514', message: 'refused: "…"' } });
    expect(line).toHaveProperty('detail', expect.stringMatching(/^Failed task \d+ \(note, .+\)$/));
    expect(lines.join()).not.toContain('张三');
  });

  it('a job runs if and only if the transaction that queued it commits', async () => {
    const ran: unknown[] = [];
    await work([note.runs(async (_, payload) => void ran.push(payload))]);
    await expect(
      app.db.tx(all, async (work) => {
        await addJob(work, note, { n: 1 });
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await queue(note, { n: 2 });
    await until(() => ran.length > 0);
    expect(ran).toEqual([{ n: 2 }]);
  });

  it('if a job queues the next job of its queue, that job runs immediately and does not wait for the worker’s next poll', async () => {
    const ran: number[] = [];
    await work([
      step.runs(async (_, { n }) => {
        ran.push(n);
        if (n < 8) await queue(step, { n: n + 1 }, { key: 'steps', queue: 'steps' });
      }),
    ]);
    const since = performance.now();
    await queue(step, { n: 1 }, { key: 'steps', queue: 'steps' });
    await until(() => ran.length === 8);
    expect(ran).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    // Seven polls would take fourteen seconds; seven waits of a second on average take seven.
    expect(performance.now() - since).toBeLessThan(4_000);
  });

  it('a new job replaces a waiting job with the same key; with preserve_run_at, the earlier run time is kept', async () => {
    const [soon, late] = [new Date(Date.now() + 60_000), new Date(Date.now() + 3_600_000)];
    await queue(note, { n: 1 }, { key: 'a', runAt: soon });
    await queue(note, { n: 2 }, { key: 'a', runAt: late, keyMode: 'preserve_run_at' });
    expect(await jobs()).toMatchObject([{ key: 'a', run_at: soon }]);
    await queue(note, { n: 3 }, { key: 'a', runAt: late });
    expect(await jobs()).toMatchObject([{ key: 'a', run_at: late }]);
  });

  it('a job queued again while it runs is run again afterwards', async () => {
    const { closed, open } = gate();
    const ran: number[] = [];
    await work([
      note.runs(async (_, { n }) => {
        ran.push(n);
        if (n === 1) await closed;
      }),
    ]);
    await queue(note, { n: 1 }, { key: 'a' });
    await until(() => ran.length === 1);
    await queue(note, { n: 2 }, { key: 'a' });
    open();
    await until(() => ran.length === 2);
    expect(ran).toEqual([1, 2]);
  });

  it('a job waits for the earlier jobs of its own queue, and not for other jobs', async () => {
    const { closed, open } = gate();
    const ran: number[] = [];
    await work([
      note.runs(async (_, { n }) => {
        ran.push(n);
        if (n === 1) await closed;
      }),
    ]);
    await queue(note, { n: 1 }, { queue: 'one' });
    await until(() => ran.length === 1);
    await queue(note, { n: 2 }, { queue: 'one' });
    await queue(note, { n: 3 });
    await until(() => ran.includes(3));
    expect(ran).toEqual([1, 3]);
    open();
    await until(() => ran.includes(2));
  });

  describe('a job of a task that allows two attempts', () => {
    const tries: Pick<JobContext, 'attempt' | 'last'>[] = [];
    const abandoned: DeadJob[] = [];
    const failing = async (): Promise<void> => {
      const worker = await startWorker({
        app,
        db: app.db,
        tasks: [
          twice.runs(async (_, __, { attempt, last }) => {
            tries.push({ attempt, last });
            throw new Error('no');
          }),
        ],
        byClock: false,
        abandoned: async (_, dead) => void abandoned.push(dead),
        concurrency: 3,
        deadAfterMs: 1_000,
        log: silentLog(),
      });
      workers.push(worker);
    };
    const soon = () =>
      app.db.tx(all, (work) =>
        sql`update graphile_worker._private_jobs
      set run_at = now()`.execute(work.tx),
      );
    const isDead = async (): Promise<boolean> => {
      const [job] = await jobs();
      return job !== undefined && job.locked_by === null && job.attempts === job.max_attempts;
    };

    it('a job with two allowed attempts is retried once and then fails for good; if it is queued again, its attempts start again', async () => {
      await failing();
      await queue(note, { n: 1 }, { key: 'a' });
      await until(async () => tries.length === 1 && (await jobs())[0]?.locked_by === null);
      expect(await isDead()).toBe(false);
      await soon();
      await until(isDead);
      expect(tries).toEqual([
        { attempt: 1, last: false },
        { attempt: 2, last: true },
      ]);
      expect(abandoned).toMatchObject([
        { task: 'note', payload: { n: 1 }, attempts: 2, detail: 'no' },
      ]);
      await queue(note, { n: 2 }, { key: 'a' });
      await until(() => tries.length === 3);
      expect(tries[2]).toEqual({ attempt: 1, last: false });
    });

    it('a job whose process was killed during its last attempt is abandoned and not run again', async () => {
      [tries.length, abandoned.length] = [0, 0];
      await queue(note, { n: 0 }, { key: 'b' });
      await app.db.tx(all, (work) =>
        sql`update graphile_worker._private_jobs
        set attempts = 2`.execute(work.tx),
      );
      await failing();
      await until(isDead);
      expect(tries).toEqual([]);
      expect(abandoned).toMatchObject([
        { attempts: 3, detail: 'the process ended during attempt 2' },
      ]);
    });
  });
});

describe('a worker', () => {
  const leaveBehind = async (lockedFor: number): Promise<void> => {
    await queue(note, { n: 1 }, { key: 'left' });
    await app.db.tx(all, (work) =>
      sql`update graphile_worker._private_jobs
        set locked_by = 'worker-that-died',
        locked_at = now() - ${lockedFor} * interval '1 millisecond', attempts = 1`.execute(work.tx),
    );
  };

  it('if the last heartbeat of a worker is too old, another worker frees its jobs', async () => {
    await leaveBehind(0);
    const since = Date.now();
    const ran: unknown[] = [];
    await work([note.runs(async (_, payload) => void ran.push(payload))]);
    await until(() => ran.length === 1);
    expect(Date.now() - since).toBeGreaterThan(800);
  });

  it('the pause after a job’s first failure is not longer if processes died earlier while they ran this job', async () => {
    let runs = 0;
    await leaveBehind(60_000);
    const run = async () => {
      runs++;
      throw new Error('no');
    };
    await app.db.tx(all, (work) =>
      sql`update graphile_worker._private_jobs
      set attempts = 1, flags = '{"interrupted": 4}'`.execute(work.tx),
    );
    await work([note.runs(run)]);
    await until(async () => runs === 1 && (await jobs())[0]!.locked_by === null);
    const [left] = await jobs();
    // The pause after six attempts would be e⁶ = 403 seconds, and after one attempt it is e
    // seconds.
    expect(left!.run_at.getTime() - Date.now()).toBeLessThan(10_000);
    expect(left).toMatchObject({ attempts: 1 });
  });

  it('if the worker of a job has died for the second time, the job is abandoned and not run again', async () => {
    const abandoned: DeadJob[] = [];
    await leaveBehind(60_000);
    await app.db.tx(all, (work) =>
      sql`update graphile_worker._private_jobs
      set flags = '{"interrupted": 1}'`.execute(work.tx),
    );
    let runs = 0;
    const worker = await startWorker({
      app,
      db: app.db,
      tasks: [twice.runs(async () => void runs++)],
      byClock: false,
      abandoned: async (_, dead) => void abandoned.push(dead),
      concurrency: 3,
      deadAfterMs: 1_000,
      log: silentLog(),
    });
    workers.push(worker);
    await until(() => abandoned.length === 1);
    expect(runs).toBe(0);
    expect(abandoned).toMatchObject([
      { attempts: 3, detail: 'the process ended during attempt 2' },
    ]);
  });

  it('a worker does not consider itself dead when its own heartbeat is late, and its job is not run a second time', async () => {
    const { closed, open } = gate();
    let runs = 0;
    // With a limit of 0 ms, every heartbeat is too old when it is compared.
    await work([note.runs(() => (runs++, closed))], 0);
    await queue(note, { n: 0 }, { key: 'a' });
    await until(() => runs === 1);
    // real delay: four heartbeats of this worker
    await new Promise((later) => setTimeout(later, 800));
    expect(await jobs()).toMatchObject([{ attempts: 1, locked_by: expect.any(String) }]);
    open();
  });

  it('if a worker that was considered dead finishes its job, a new job with the same key stays in the queue', async () => {
    const { closed, open } = gate();
    let runs = 0;
    const worker = await work([note.runs(() => (runs++, closed))], 60_000);
    await queue(note, { n: 1 }, { key: 'a' });
    await until(() => runs === 1);
    // Simulates that the process of this worker was paused for a minute.
    await app.db.tx(all, (work) =>
      sql`update worker_heartbeats
      set seen_at = seen_at - interval '1 minute'`.execute(work.tx),
    );
    await work([other.runs(async () => {})], 30_000);
    await until(async () => (await jobs())[0]?.locked_by === null);
    await queue(note, { n: 2 }, { key: 'a', runAt: new Date(Date.now() + 600_000) });
    open();
    await worker.stop();
    expect(await jobs()).toMatchObject([{ key: 'a', attempts: 0, locked_by: null }]);
  });

  it('a worker never takes over a job of another worker that still sends heartbeats, however long the job takes', async () => {
    const { closed, open } = gate();
    let runs = 0;
    await work([
      note.runs(async () => {
        runs++;
        await closed;
      }),
    ]);
    await queue(note, { n: 0 }, { key: 'long' });
    await until(() => runs === 1);
    await work([note.runs(async () => void runs++)]);
    // Waits until the job has been locked for longer than a worker without heartbeats may lock it.
    // This worker sends heartbeats.
    await until(async () => {
      const { rows } = await app.db.tx(all, (work) =>
        sql`select 1
        from graphile_worker._private_jobs
        where locked_at < now() - interval '2.5 s'`.execute(work.tx),
      );
      return rows.length === 1;
    });
    expect(runs).toBe(1);
    expect((await jobs())[0]!.locked_by).not.toBeNull();
    open();
    await until(async () => (await jobs()).length === 0);
    expect(runs).toBe(1);
  });

  it('a worker that is stopped lets its running jobs finish and starts no new job', async () => {
    const { closed, open } = gate();
    const ran: string[] = [];
    const begins = note.runs(async () => {
      ran.push('began');
      await closed;
      ran.push('ended');
    });
    // The worker runs one job at a time. With a second slot, a job that is fetched at the moment of
    // the stop would still run.
    const worker = await work([begins], 1_000, silentLog(), 1);
    await queue(note);
    await until(() => ran.length === 1);
    const stopped = worker.stop();
    await queue(note);
    open();
    await stopped;
    expect(ran).toEqual(['began', 'ended']);
    expect(await jobs()).toHaveLength(1);
  });
});
