import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import type { TaskHandler } from '#platform/jobs/task.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { handlerOf } from '#testing/run-handler.ts';
import { eventually, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import type { App } from './app.ts';
import { alertAbandoned, tasks } from './tasks.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.close());

describe('every task that a worker can run', () => {
  it('every background task has a name of its own', () => {
    const names = tasks.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('every background task with a schedule has at most 8 attempts', () => {
    const repeated = tasks.filter(({ every }) => every !== null);
    expect(repeated.length).toBeGreaterThan(10);
    expect(repeated.filter(({ attempts }) => attempts > 8)).toEqual([]);
  });

  it('every background task that an SQL function queues exists', () => {
    const folder = join(import.meta.dirname, '..', 'sql');
    const queued = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/add_job\('(\w+)'/g)].map(
        ([, name]) => name,
      ),
    );
    expect(queued.length).toBeGreaterThan(0);
    for (const name of queued) expect(handlerOf(tasks, name!)).toMatchObject({ name });
  });

  it('a background task refuses an invalid payload before it does anything', async () => {
    await expect(
      handlerOf(tasks, 'ask_trace').run(system.app, { express: 1 }, {} as never),
    ).rejects.toThrow('express_id');
  });

  it('a background task that always fails ends after its last attempt with an alert, and the bill that it should read becomes failed', async () => {
    const token = await system.login('admin');
    await system.worker.stop();
    const fails = (handler: TaskHandler<App>): TaskHandler<App> => ({
      ...handler,
      run: () => Promise.reject(new Error('always')),
    });
    const once = task('tidy', noPayload, { attempts: 1 });
    const form = new FormData();
    for (const [name, value] of Object.entries({
      period: new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7),
      provider: 'jdl',
    }))
      form.append(name, value);
    form.append('file', new File(['a,b'], 'bill.csv'));
    const { data } = await system.call<Reconciliation>(
      token,
      'POST',
      '/api/arco/reconciliations',
      form,
    );
    await system.app.db.tx(systemScope('test'), async (work) => {
      await addJob(work, once, {});
      await sql`update graphile_worker._private_jobs set attempts = 5
        where id in (select id from graphile_worker.jobs
        where task_identifier = 'read_bill')`.execute(work.tx);
    });
    system.worker = await startWorker({
      app: system.app,
      db: system.app.db,
      tasks: [fails(handlerOf(tasks, 'read_bill')), fails(once.runs(async () => {}))],
      byClock: false,
      abandoned: alertAbandoned,
      concurrency: 2,
      deadAfterMs: system.app.config.worker.deadAfterMs,
      log: system.app.log,
    });
    const alerts = await eventually(async () => {
      const board = await system.call<{ alerts: { reason: { params: { task: string } } }[] }>(
        token,
        'GET',
        '/api/arco/workplace',
      );
      return board.data.alerts.length === 2 && board.data.alerts;
    });
    expect(
      alerts
        .map(({ reason }) => reason)
        .toSorted((one, other) => one.params.task.localeCompare(other.params.task)),
    ).toEqual([
      { code: 'job_dead', params: { task: 'read_bill', attempts: 6, text: 'always' } },
      { code: 'job_dead', params: { task: 'tidy', attempts: 1, text: 'always' } },
    ]);
    const bill = await system.call<Reconciliation>(
      token,
      'GET',
      `/api/arco/reconciliations/${data.id}`,
    );
    expect(bill.data).toMatchObject({ status: 'failed', reason: { code: 'bill_given_up' } });
  });
});
