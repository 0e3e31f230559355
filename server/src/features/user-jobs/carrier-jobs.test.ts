import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Job, JobGroup, JobItem } from '@waystation/contract/shell/jobs.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

type Shown = Job & { groups: JobGroup[]; results: { items: JobItem[]; total: number } };

let system: TestSystem;
let clerk: string;
let partner: string;
beforeAll(async () => {
  system = await openTestSystem();
  [clerk, partner] = [await system.login('clerk'), await system.login('partner')];
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

describe('a bulk action that waits for the carrier’s answers', () => {
  const ordered = async (): Promise<Express> => {
    const { data } = await system.call<Express>(
      { token: clerk, headers: { 'idempotency-key': `jobs-order-${++keys}` } },
      'POST',
      '/api/arco/expresses',
      exampleOrder(),
    );
    return data;
  };

  it('a bulk cancel waits for the carrier: cancelled parcels are done, refused ones fail with the carrier’s text and can be retried', async () => {
    const parcels = [await ordered(), await ordered(), await ordered(), await ordered()];
    const unsent = await draft(clerk, { promise_id: 'no-such-promise' });
    const ids = [...parcels.map(({ id }) => id), unsent];
    await system.carrier.control('POST', 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/cancel',
      message: '快递员已在路上',
      times: 2,
    });
    const { data } = await bulk(clerk, { action: 'cancel', ids, reason: '批量' });
    const job = await ended(clerk, data.job_id);
    expect(job).toMatchObject({ status: 'done', total: 5, done: 5, ok: 3, failed: 2, skipped: 0 });
    expect(job.groups).toEqual([
      {
        result: 'fail',
        reason: { code: 'carrier_refused', params: { text: '快递员已在路上' } },
        same: 1,
        count: 2,
      },
    ]);
    const failed = job.results.items
      .filter(({ result }) => result === 'fail')
      .map(({ subject_id }) => subject_id);
    expect(await Promise.all(ids.map(stateOf))).toEqual(
      ids.map((id) => (failed.includes(id) ? 100 : 500)),
    );
    const again = await system.call<{ job_id: number; total: number }>(
      clerk,
      'POST',
      `/api/arco/jobs/${job.id}/retry`,
      { code: 'carrier_refused' },
    );
    expect(again.data.total).toBe(2);
    expect(await ended(clerk, again.data.job_id)).toMatchObject({ ok: 2, failed: 0 });
    const other = await system.call<{ code: string }>(
      clerk,
      'POST',
      `/api/arco/jobs/${job.id}/retry`,
      { code: 'cancel_failed' },
    );
    expect(other.data.code).toBe('nothing_to_retry');
  });

  it('a bulk order fails with the carrier’s reason for a refused parcel, and with the missing amount for a parcel on hold', async () => {
    await system.carrier.control('POST', 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/create',
      message: '超出揽派范围',
    });
    const refused = await draft();
    const job = await ended(
      clerk,
      (await bulk(clerk, { action: 'order', ids: [refused] })).data.job_id,
    );
    expect(job).toMatchObject({ failed: 1 });
    expect(job.groups[0]).toMatchObject({
      result: 'fail',
      reason: { code: expect.any(String) },
      count: 1,
    });
    expect(await stateOf(refused)).toBe(90);
  });

  it('bulk tracking requests the traces of ordered parcels, and skips parcels without a waybill', async () => {
    const parcel = await ordered();
    const unsent = await draft();
    const job = await ended(
      clerk,
      (await bulk(clerk, { action: 'track', ids: [parcel.id, unsent] })).data.job_id,
    );
    expect(
      job.results.items.map(({ subject_id, result, reason }) => [subject_id, result, reason?.code]),
    ).toEqual([
      [parcel.id, 'ok', undefined],
      [unsent, 'skip', 'no_waybill_yet'],
    ]);
  });

  it('the preview of a bulk action on parcels counts the parcels it would change and, per reason, those it would skip', async () => {
    const parcel = await ordered();
    const unsent = await draft();
    const before = await draft();
    await system.call(clerk, 'POST', `/api/arco/expresses/${before}/cancel`, { reason: '测试' });
    const foreign = await draft(partner, { station_id: system.station('keji').id });
    const ids = [parcel.id, unsent, before, foreign];
    const previewed = async (action: string) =>
      (await system.call(clerk, 'POST', '/api/arco/expresses/bulk/preview', { action, ids })).data;
    const gone = { reason: { code: 'not_found' }, count: 1 };
    expect(await previewed('cancel')).toMatchObject({
      total: 4,
      ready: 2,
      skipped: expect.arrayContaining([
        gone,
        { reason: { code: 'cannot_cancel', params: { state: '已取消' } }, count: 1 },
      ]),
    });
    expect(await previewed('order')).toMatchObject({ total: 4, ready: 1 });
    expect(await previewed('print')).toMatchObject({
      ready: 1,
      printed: 0,
      post_amount: parcel.post_amount,
    });
    expect(await previewed('track')).toMatchObject({
      ready: 1,
      skipped: expect.arrayContaining([{ reason: { code: 'no_waybill_yet' }, count: 2 }]),
    });
    expect(await Promise.all([parcel.id, unsent].map(stateOf))).toEqual([100, 0]);
    const none = await system.call<{ code: string }>(
      clerk,
      'POST',
      '/api/arco/expresses/bulk/preview',
      { action: 'cancel', filter: { q: '00000000000' } },
    );
    expect(none.data.code).toBe('selection_empty');
  });
});
