import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { taskWords } from '@waystation/contract/shell/health-words.ts';
import type { Health } from '@waystation/contract/shell/health.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { tasks } from '#tasks.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';
import { problemsOf } from './problems.ts';

const scope = systemScope('test');
const path = '/api/arco/health';
let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());
beforeEach(() =>
  run(sql`with jobs as (delete from graphile_worker._private_jobs)
    delete from worker_heartbeats`),
);

const run = <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> =>
  api.app.db.tx(scope, async ({ tx }) => (await statement.execute(tx)).rows);
const read = async (): Promise<Health> => (await api.call<Health>(tokens.super, 'GET', path)).data;

interface Planted {
  task: string;
  payload?: object;
  error?: string;
  at?: string;
}

/** Adds a job that has no attempts left. */
const plant = async ({
  task,
  payload = {},
  error = 'planted',
  at = '2026-03-02T01:02:03.004Z',
}: Planted): Promise<number> => {
  const [job] = await run(
    sql<{ id: number }>`select id from graphile_worker.add_job(${task},
      ${JSON.stringify(payload)}::json, max_attempts => 3)`,
  );
  await run(sql`update graphile_worker._private_jobs set attempts = 3, last_error = ${error},
    updated_at = ${at} where id = ${job!.id}`);
  return job!.id;
};
const stored = (id: number) =>
  run(
    sql<{ attempts: number; max_attempts: number }>`select attempts, max_attempts
      from graphile_worker._private_jobs where id = ${id}`,
  );
const act = (id: number, what: 'retry' | 'abandon', failed_at: string, reason?: string) =>
  api.call<Refused & { id?: number }>(tokens.super, 'POST', `${path}/jobs/${id}/${what}`, {
    failed_at,
    ...(reason !== undefined && { reason }),
  });

describe('failed background jobs', () => {
  it('failed background jobs are listed, the newest first, with their subjects and without phones', async () => {
    const older = await plant({ task: 'tidy', at: '2026-03-02T01:00:00.000Z' });
    const newer = await plant({
      task: 'ask_facts',
      payload: { express_id: 17 },
      error: 'receiver 13800138000 is unknown',
    });
    const { jobs, problems } = await read();
    expect(jobs.failed).toMatchObject([
      { id: newer, task: 'ask_facts', express_id: 17, error: 'receiver *** is unknown' },
      { id: older, task: 'tidy', express_id: null, attempts: 3 },
    ]);
    expect(jobs).toMatchObject({ failed_total: 2, more: 0 });
    expect(problems).toContainEqual({
      code: 'jobs_failed',
      params: { count: 2 },
      merchant_id: null,
    });
  });

  it('retrying a failed job restores its attempts and is audited, and the task’s alert closes with its last failed job', async () => {
    const [one, other] = [await plant({ task: 'tidy' }), await plant({ task: 'tidy' })];
    await run(sql`insert into alerts (code, key) values ('job_dead', 'job_dead:tidy')`);
    const { failed } = (await read()).jobs;
    const open = () =>
      run(sql`select 1 from alerts where key = 'job_dead:tidy' and closed_at is null`);
    expect(await act(one, 'retry', failed[0]!.failed_at)).toMatchObject({ status: 200 });
    expect(await open()).toHaveLength(1);
    expect(await stored(one)).toEqual([{ attempts: 1, max_attempts: 32_000 }]);
    expect(await act(other, 'retry', failed[1]!.failed_at)).toMatchObject({ status: 200 });
    expect(await open()).toHaveLength(0);
    expect((await read()).jobs).toMatchObject({
      failed: [],
      tasks: [{ task: 'tidy', waiting: 2, failed: 0 }],
    });
    expect(
      await run(sql`select action, account_name, subject_id::int from audit_log
        where subject = 'background_jobs' and subject_id = ${one}`),
    ).toEqual([{ action: 'retry_job', account_name: 'super', subject_id: one }]);
  });

  it('a failed job is abandoned only if the caller gives a reason and has seen its latest failure', async () => {
    const id = await plant({
      task: 'run_user_job',
      payload: { job_id: 7 },
      error: 'of 13800138000',
    });
    const { failed_at } = (await read()).jobs.failed[0]!;
    expect(await act(id, 'abandon', failed_at)).toMatchObject({ status: 422 });
    expect(await act(id, 'abandon', '2026-03-02T01:02:03.005Z', '不再需要')).toMatchObject({
      status: 409,
      data: { code: 'job_changed' },
    });
    expect(await act(id, 'abandon', failed_at, '不再需要')).toMatchObject({ status: 200 });
    expect(await stored(id)).toEqual([]);
    // A repeated action succeeds; another action on the removed job returns `job_changed`.
    expect(await act(id, 'abandon', failed_at, '不再需要')).toMatchObject({ status: 200 });
    expect(await act(id, 'retry', failed_at)).toMatchObject({ data: { code: 'job_changed' } });
    expect(await act(id + 1_000, 'retry', failed_at)).toMatchObject({ status: 404 });
    expect(
      await run(sql`select action, reason, changes -> 'about' -> 0 as about,
          changes -> 'error' -> 0 as error from audit_log
        where subject_id = ${id} and subject = 'background_jobs'`),
    ).toEqual([{ action: 'abandon_job', reason: '不再需要', about: 'job_id 7', error: 'of ***' }]);
  });

  it('a failed job that decides about money cannot be abandoned, shows its parcel, and can be retried', async () => {
    const id = await plant({ task: 'send_order', payload: { express_id: 5, attempt: 1 } });
    const [job] = (await read()).jobs.failed;
    expect(job).toMatchObject({ express_id: 5 });
    expect(await act(id, 'abandon', job!.failed_at, '不再需要')).toMatchObject({
      status: 409,
      data: { code: 'job_decides' },
    });
    expect(await act(id, 'retry', job!.failed_at)).toMatchObject({ status: 200 });
  });

  it('a job is not listed as failed while it runs, or if it was replaced by another job while it ran', async () => {
    const id = await plant({ task: 'tidy' });
    await run(sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a'`);
    await run(sql`insert into worker_heartbeats (worker_id, seen_at, job_ids)
      values ('a', clock_timestamp(), array[${id}::bigint])`);
    const { jobs, workers } = await read();
    expect(jobs).toMatchObject({ failed: [], tasks: [{ task: 'tidy', running: 1, failed: 0 }] });
    expect(workers).toMatchObject([{ running: 1 }]);
    expect(await act(id, 'retry', '2026-03-02T01:02:03.004Z')).toMatchObject({ status: 409 });
    // The job was queued again while it ran, and then its worker was killed. The new job does the
    // work, and the `tidy` task removes the old job.
    await run(sql`update graphile_worker._private_jobs set locked_at = null, key = null,
      attempts = 32000, max_attempts = 32000`);
    expect((await read()).jobs).toMatchObject({ failed: [], failed_total: 0 });
    await runTask(api.app, 'tidy', {});
    expect(await stored(id)).toEqual([]);
  });

  it('a failed job cannot be abandoned if this program version does not know its task, because the task may decide about money', async () => {
    const id = await plant({ task: 'of_a_later_version' });
    const [job] = (await read()).jobs.failed;
    expect(await act(id, 'abandon', job!.failed_at, '不再需要')).toMatchObject({
      data: { code: 'job_decides' },
    });
  });

  it('the list of task texts contains exactly the background tasks', () => {
    expect(Object.keys(taskWords).toSorted()).toEqual(tasks.map(({ name }) => name).toSorted());
  });
});

describe('the state of an installation', () => {
  it('the health response describes the installation’s database, disks, backups, ledger, process and workers', async () => {
    const health = await read();
    expect(health).toMatchObject({
      database: { version: expect.stringMatching(/^\d+/), edition: expect.any(Number) },
      backups: { scheduled: 0, finished_at: null },
      proof: { full: null, suspended: 0 },
      process: { version: '1.0.0', node: process.versions.node },
      replica: null,
      orders: { open: 0, oldest_at: null, more: 0 },
    });
    expect(health.database.bytes).toBeGreaterThan(1e6);
    expect(health.database.connections).toBeGreaterThan(0);
    expect(health.problems.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['proof_never', 'no_worker']),
    );
  });

  it('the health page shows a carrier account’s calls, answered calls and response times of the last hour', async () => {
    const [merchant] = await run(
      sql<{ id: number }>`select id from merchants where status = 1 order by id limit 1`,
    );
    const { id } = merchant!;
    await run(sql`delete from carrier_calls`);
    await run(sql`insert into carrier_calls (merchant_id, operation, outcome, ms, at)
      select ${id}, 'trace', case when n <= 5 then 'unknown' else 'ok' end, n * 10,
        now() - n * interval '1 minute' from generate_series(1, 100) n`);
    expect((await read()).carriers.find(({ merchant_id }) => merchant_id === id)).toMatchObject({
      calls: 59,
      answered: 54,
      median_ms: 300,
      p95_ms: 570,
    });
  });

  it('a healthy installation shows no problem, and each fault shows one problem with its figures', async () => {
    const at = '2026-03-02T12:00:00.000Z';
    const before = (hours: number): string =>
      new Date(Date.parse(at) - hours * 3_600_000).toISOString();
    const { problems: _, process: __, ...now } = await read();
    const quiet: typeof now = {
      ...now,
      at,
      jobs: { tasks: [], failed: [], failed_total: 0, more: 0 },
      carriers: [],
      disks: [{ place: '/data', free: 50e9, total: 100e9 }],
      proof: { full: { at: before(10), ok: 1 }, part: null, suspended: 0 },
      workers: [{ seen_at: at, running: 0 }],
      backups: {
        ...now.backups,
        scheduled: 1,
        since_at: before(1_000),
        finished_at: before(10),
        verified_at: before(100),
      },
    };
    const codes = (changes: Partial<typeof now>) =>
      problemsOf({ ...quiet, ...changes }, { demo: false }).map(({ code }) => code);
    expect(codes({})).toEqual([]);
    expect(codes({ workers: [] })).toEqual(['no_worker']);
    expect(codes({ disks: [{ place: '/data', free: 1e9, total: 100e9 }] })).toEqual(['disk_full']);
    expect(codes({ disks: [{ place: '/backups', free: null, total: null }] })).toEqual([
      'disk_away',
    ]);
    expect(codes({ backups: { ...quiet.backups, finished_at: null, verified_at: null } })).toEqual([
      'backup_old',
      'backup_unverified',
    ]);
    expect(codes({ backups: { ...quiet.backups, scheduled: 0, problem: 'full' } })).toEqual([
      'backup_failed',
      'backup_unscheduled',
    ]);
    const wal = {
      own: 1 as const,
      stopped: 0 as const,
      since_at: before(1_000),
      archived_at: before(0.1),
      failed_at: null,
      failures: 0,
      waiting: 0,
      base_at: before(20),
      from_at: before(200),
      began_at: before(1_000),
      verified_at: before(300),
      problem: null,
    };
    expect(codes({ wal })).toEqual([]);
    expect(codes({ wal: { ...wal, stopped: 1, base_at: null } })).toEqual([
      'wal_stopped',
      'wal_base_old',
    ]);
    expect(codes({ wal: { ...wal, verified_at: null, problem: 'missing' } })).toEqual([
      'wal_test_failed',
      'wal_unverified',
    ]);
    const external = { own: 0 as const, base_at: null, from_at: null, verified_at: null };
    expect(codes({ wal: { ...wal, ...external } })).toEqual([]);
    expect(codes({ replica: { behind_ms: null } })).toEqual(['replica_behind']);
    expect(codes({ replica: { behind_ms: 40 } })).toEqual([]);
    expect(codes({ orders: { open: 1, oldest_at: before(1), more: 0 } })).toEqual([
      'orders_unknown',
    ]);
    expect(codes({ proof: { ...quiet.proof, full: { at, ok: 0 } } })).toEqual(['proof_failed']);
    expect(codes({ proof: { ...quiet.proof, full: { at: before(30), ok: 1 } } })).toEqual([
      'proof_old',
    ]);
    expect(codes({ backups: { ...quiet.backups, finished_at: before(40) } })).toEqual([
      'backup_old',
    ]);
    expect(codes({ backups: { ...quiet.backups, scheduled: 0 } })).toEqual(['backup_unscheduled']);
    expect(codes({ backups: { ...quiet.backups, verified_at: before(400) } })).toEqual([
      'backup_unverified',
    ]);
    const task = { task: 'tidy', waiting: 1, running: 0, failed: 0, oldest_at: before(1) };
    expect(
      problemsOf({ ...quiet, jobs: { ...quiet.jobs, tasks: [task] } }, { demo: false }),
    ).toEqual([{ code: 'jobs_late', params: { task: 'tidy', minutes: 60 }, merchant_id: null }]);
  });
});
