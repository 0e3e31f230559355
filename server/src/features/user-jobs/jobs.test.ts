import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Job, JobGroup, JobItem } from '@waystation/contract/shell/jobs.ts';
import { sql } from '#platform/db/db.ts';
import { itDaily } from '#testing/slices.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { startWorkerProcess } from '#testing/worker-process.ts';

type Shown = Job & { groups: JobGroup[]; results: { items: JobItem[]; total: number } };

let system: TestSystem;
let clerk: string;
let admin: string;
let partner: string;
beforeAll(async () => {
  system = await openTestSystem();
  [clerk, admin, partner] = (await Promise.all(
    ['clerk', 'admin', 'partner'].map((name) => system.login(name)),
  )) as [string, string, string];
  await system.topUp('nanshan', 10_000_000);
});
afterAll(() => system.close());

let keys = 0;
const draft = async (token = clerk, changes: Record<string, unknown> = {}): Promise<number> =>
  (
    await system.call<Express>(
      { token, headers: { 'idempotency-key': `jobs-draft-${++keys}` } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ draft: 1, ...changes }),
    )
  ).data.id;
const bulk = (token: string, body: object) =>
  system.call<{ job_id: number; total: number; code: string; params: object }>(
    token,
    'POST',
    '/api/arco/expresses/bulk',
    body,
  );
const ended = (token: string, id: number): Promise<Shown> =>
  eventually(async () => {
    const { data } = await system.call<Shown>(token, 'GET', `/api/arco/jobs/${id}?page_size=200`);
    return data.status === 'done' || data.status === 'failed' ? data : null;
  });
const stateOf = async (id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ state_code: number }>`select state_code from expresses
    where id = ${id}`,
    )
  )[0]!.state_code;

describe('a bulk action on parcels', () => {
  it('a bulk action on parcels gives each parcel its own result: done, skipped with the reason, or failed', async () => {
    const [first, second, cancelled, another] = [
      await draft(),
      await draft(),
      await draft(),
      await draft(partner, { station_id: system.station('keji').id }),
    ];
    await system.call(clerk, 'POST', `/api/arco/expresses/${cancelled}/cancel`, { reason: '测试' });
    const { status, data } = await bulk(clerk, {
      action: 'cancel',
      ids: [first, second, cancelled, another],
      reason: '批量',
    });
    expect({ status, total: data.total }).toEqual({ status: 200, total: 4 });
    const job = await ended(clerk, data.job_id);
    expect(job).toMatchObject({
      kind: 'expresses.cancel',
      status: 'done',
      total: 4,
      done: 4,
      ok: 2,
      skipped: 1,
      failed: 1,
      reason: null,
    });
    expect(
      job.results.items.map(({ subject_id, result, reason }) => [subject_id, result, reason?.code]),
    ).toEqual([
      [first, 'ok', undefined],
      [second, 'ok', undefined],
      [cancelled, 'skip', 'cannot_cancel'],
      [another, 'fail', 'not_found'],
    ]);
    expect(await Promise.all([first, second, another].map(stateOf))).toEqual([500, 500, 0]);
    expect(
      (await system.call<Shown>(clerk, 'GET', `/api/arco/jobs/${data.job_id}?result=skip`)).data
        .results,
    ).toMatchObject({ total: 1 });
  });

  it('a bulk action on parcels adds an audit row for the request and one for each parcel, with the same request id', async () => {
    const id = await draft();
    const { data, headers } = await bulk(clerk, {
      action: 'cancel',
      ids: [id],
      reason: '批量取消',
    });
    await ended(clerk, data.job_id);
    const rows = await rowsOf(
      system,
      sql<{
        action: string;
        subject_id: number | null;
        reason: string;
      }>`select action, subject_id, reason from audit_log
        where request_id = ${headers.get('x-request-id')} order by id`,
    );
    expect(rows).toEqual([
      { action: 'bulk_cancel', subject_id: null, reason: '批量取消' },
      { action: 'cancel', subject_id: id, reason: '批量取消' },
    ]);
  });

  it('a bulk action on the parcels of a filter is refused if the filter finds a different number of parcels than the user saw', async () => {
    const remark = { thr_order_id: '77665544' };
    const ids = [await draft(clerk, remark), await draft(clerk, remark)];
    const filter = { q: '77665544', tab: 'draft' };
    const wrong = await bulk(clerk, { action: 'cancel', filter, expected: 3, reason: 'x' });
    expect({ status: wrong.status, ...wrong.data }).toMatchObject({
      status: 422,
      code: 'selection_changed',
      params: { expected: 3, found: 2 },
    });
    const right = await bulk(clerk, { action: 'cancel', filter, expected: 2, reason: 'x' });
    expect(
      (await ended(clerk, right.data.job_id)).results.items
        .map(({ subject_id }) => subject_id)
        .toSorted((a, b) => a - b),
    ).toEqual(ids);
    const none = await bulk(clerk, { action: 'cancel', filter, expected: 0, reason: 'x' });
    expect(none.data.code).toBe('selection_empty');
  });

  it.each([
    ['neither ids nor a filter', { action: 'cancel', reason: 'x' }, 'ids', 'required'],
    [
      'both',
      { action: 'cancel', reason: 'x', ids: [1], filter: {}, expected: 1 },
      'filter',
      'invalid',
    ],
    [
      'a filter without the number seen',
      { action: 'cancel', reason: 'x', filter: {} },
      'expected',
      'required',
    ],
    [
      'a filter that the list does not have',
      { action: 'cancel', reason: 'x', filter: { password: 1 }, expected: 1 },
      'filter',
      'invalid',
    ],
    ['no reason where one is asked', { action: 'cancel', ids: [1] }, 'reason', 'required'],
    ['an action that there is not', { action: 'erase', ids: [1] }, 'action', 'invalid'],
  ])('one action on many parcels is refused with %s', async (_, body, field, code) => {
    const { status, data } = await system.call<{ fields: Record<string, { code: string }> }>(
      clerk,
      'POST',
      '/api/arco/expresses/bulk',
      body,
    );
    expect({ status, field: data.fields[field]?.code }).toEqual({ status: 422, field: code });
  });

  it('failed rows of a bulk action on parcels can be retried as a separate job', async () => {
    const id = await draft(clerk, { promise_id: 'no-such-promise' });
    const first = await ended(
      clerk,
      (await bulk(clerk, { action: 'order', ids: [id] })).data.job_id,
    );
    expect(first).toMatchObject({ failed: 1, ok: 0 });
    await system.call(clerk, 'PATCH', `/api/arco/expresses/${id}`, {
      version: 1,
      promise_id: 'ed-m-0001',
    });
    const again = await system.call<{ job_id: number; total: number }>(
      clerk,
      'POST',
      `/api/arco/jobs/${first.id}/retry`,
      {},
    );
    expect(again.data.total).toBe(1);
    expect(await ended(clerk, again.data.job_id)).toMatchObject({ ok: 1, failed: 0 });
    expect(await stateOf(id)).not.toBe(0);
    expect(
      (
        await system.call<{ code: string }>(
          clerk,
          'POST',
          `/api/arco/jobs/${again.data.job_id}/retry`,
          {},
        )
      ).data.code,
    ).toBe('nothing_to_retry');
  });

  it('a bulk change of goods kinds follows the rules of a single change: the last enabled kind of a carrier stays enabled', async () => {
    const all = await rowsOf(
      system,
      sql<{ id: number }>`select id from cargos
      where status = 1 and provider = 'jdl' order by id`,
    );
    const { data } = await system.call<{ job_id: number }>(admin, 'POST', '/api/arco/cargos/bulk', {
      action: 'disable',
      ids: all.map(({ id }) => id),
    });
    const job = await ended(admin, data.job_id);
    expect({ ok: job.ok, failed: job.failed, why: job.results.items.at(-1)!.reason?.code }).toEqual(
      { ok: all.length - 1, failed: 1, why: 'last_cargo' },
    );
    const back = await system.call<{ job_id: number }>(admin, 'POST', '/api/arco/cargos/bulk', {
      action: 'enable',
      ids: all.map(({ id }) => id),
    });
    await ended(admin, back.data.job_id);
  });
});

describe('a user’s background job', () => {
  it('a job is visible only to its owner, and not to administrators', async () => {
    const { data } = await bulk(clerk, { action: 'cancel', ids: [await draft()], reason: 'x' });
    for (const token of [admin, partner])
      expect((await system.call(token, 'GET', `/api/arco/jobs/${data.job_id}`)).status).toBe(404);
    expect(
      (await system.call<{ items: Job[] }>(clerk, 'GET', '/api/arco/jobs')).data.items[0]?.id,
    ).toBe(data.job_id);
  });

  it('a job stops at once when its owner is disabled, and no other account can run its remaining rows', async () => {
    const ids = [await draft(), await draft()];
    await system.worker.stop();
    const { data } = await bulk(clerk, { action: 'cancel', ids, reason: 'x' });
    await rowsOf(system, sql`update accounts set status = 0 where username = 'clerk'`);
    system.worker = await system.startWorker();
    const [job] = await eventually(async () => {
      const rows = await rowsOf(
        system,
        sql<{ done: number; code: string }>`select done, reason ->> 'code' as code
          from user_jobs where id = ${data.job_id} and status = 'failed'`,
      );
      return rows.length > 0 ? rows : null;
    });
    expect(job).toEqual({ done: 0, code: 'account_disabled' });
    expect(await Promise.all(ids.map(stateOf))).toEqual([0, 0]);
    await rowsOf(system, sql`update accounts set status = 1 where username = 'clerk'`);
    const again = await system.call<{ job_id: number; total: number }>(
      clerk,
      'POST',
      `/api/arco/jobs/${data.job_id}/retry`,
      {},
    );
    expect((await ended(clerk, again.data.job_id)).ok).toBe(2);
  });

  // domain/express/crash.test.ts, which kills a worker, tests the same in every run.
  itDaily('a job whose worker is killed continues at its place and repeats nothing', async () => {
    const rows = await rowsOf(
      system,
      sql<{ id: number }>`insert into cargos (name, type, provider)
        select 'kill ' || n, 1, 'jdl' from generate_series(1, 200) n returning id`,
    );
    await system.worker.stop();
    const doomed = await startWorkerProcess(system);
    const { data } = await system.call<{ job_id: number }>(admin, 'POST', '/api/arco/cargos/bulk', {
      action: 'disable',
      ids: rows.map(({ id }) => id),
    });
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from user_jobs
      where id = ${data.job_id} and done > 20`,
          )
        ).length > 0,
    );
    await doomed.kill();
    const [at] = await rowsOf(
      system,
      sql<{ done: number; status: string }>`select done,
      status from user_jobs where id = ${data.job_id}`,
    );
    expect(at).toMatchObject({ status: 'running' });
    system.worker = await system.startWorker();
    const job = await eventually(async () => {
      const { data: now } = await system.call<Shown>(admin, 'GET', `/api/arco/jobs/${data.job_id}`);
      return now.status === 'done' ? now : null;
    }, 120_000);
    expect(job).toMatchObject({ total: 200, ok: 200, failed: 0 });
    const audited = await rowsOf(
      system,
      sql<{ n: number; rows: number }>`select n, count(*) as rows from (
        select count(*) as n from audit_log where action = 'disable' and subject = 'cargos'
          and subject_id = any(${rows.map(({ id }) => id)}::bigint[]) group by subject_id) t
          group by n`,
    );
    expect(audited).toEqual([{ n: 1, rows: 200 }]);
  });
});
