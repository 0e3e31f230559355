import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reconciliation } from '@waystation/contract/reconciliation.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob, startWorker } from '#platform/jobs/jobs.ts';
import { eventually, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { attempts, giveUp, schedule, tasks } from './tasks.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
}, 60_000);
afterAll(() => system.close());

describe('every task', () => {
  it('has a number of attempts', () => {
    expect(Object.keys(attempts).toSorted()).toEqual(Object.keys(tasks).toSorted());
    for (const task of Object.keys(schedule)) expect(attempts[task]).toBeLessThanOrEqual(8);
  });

  it('that always fails ends after its attempts: an alert is on the Workplace, and a bill that waited for it has failed', async () => {
    const token = await system.login('admin');
    await system.worker.stop();
    const fails = () => Promise.reject(new Error('always'));
    const form = new FormData();
    for (const [name, value] of Object.entries({ period: new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7), provider: 'jdl' }))
      form.append(name, value);
    form.append('file', new File(['a,b'], 'bill.csv'));
    const { data } = await system.call<Reconciliation>(token, 'POST', '/api/arco/reconciliations', form);
    await system.app.db.tx(systemScope('test'), async (tx) => {
      await addJob(tx, 'tidy', {});
      await sql`update graphile_worker._private_jobs set attempts = 5 where id in (select id from graphile_worker.jobs where task_identifier = 'read_bill')`.execute(
        tx,
      );
    });
    system.worker = await startWorker({
      app: system.app,
      db: system.app.db,
      tasks: { read_bill: fails, tidy: fails },
      schedule: {},
      attempts: { ...attempts, tidy: 1 },
      giveUp,
      concurrency: 2,
      deadAfterMs: system.app.config.worker.deadAfterMs,
      log: system.app.log,
    });
    const alerts = await eventually(async () => {
      const board = await system.call<{ alerts: { reason: { params: { task: string } } }[] }>(token, 'GET', '/api/arco/workplace');
      return board.data.alerts.length === 2 && board.data.alerts;
    });
    expect(alerts.map(({ reason }) => reason).toSorted((one, other) => one.params.task.localeCompare(other.params.task))).toEqual([
      { code: 'job_dead', params: { task: 'read_bill', attempts: 6, text: 'always' } },
      { code: 'job_dead', params: { task: 'tidy', attempts: 1, text: 'always' } },
    ]);
    const bill = await system.call<Reconciliation>(token, 'GET', `/api/arco/reconciliations/${data.id}`);
    expect(bill.data).toMatchObject({ status: 'failed', reason: { code: 'bill_given_up' } });
  });
});
