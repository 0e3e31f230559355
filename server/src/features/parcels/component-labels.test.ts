import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { componentLabels } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import { sql } from '#platform/db/db.ts';
import { failureOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let station: string;

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  station = await system.login('station');
});
afterAll(() => system.close());

const ordered = async (count: number): Promise<Express[]> => {
  const parcels: Express[] = [];
  for (let no = 0; no < count; no++)
    parcels.push(await clerk.until((await clerk.order()).data.id, 100));
  return parcels;
};
const labels = (ids: readonly number[], more: object = {}) =>
  system.call<OutputOf<typeof componentLabels>>(clerk.token, 'POST', '/api/arco/labels/component', {
    ids,
    format: '76x130',
    printer: '示例打印机',
    ...more,
  });
const recordsOf = async (parcels: readonly Express[]): Promise<PrintRecord[]> =>
  (
    await system.call<{ items: PrintRecord[] }>(
      station,
      'GET',
      `/api/arco/prints?page_size=100&q=${parcels.map(({ delivery_id }) => delivery_id).join('%20')}`,
    )
  ).data.items;
const pull = '/PullDataService/pullData';
const fault = (body: object) =>
  system.carrier.control('POST', 'faults', { path: pull, times: 1, ...body });

describe('labels for the carrier’s print component', () => {
  it('labels for the print component are returned in the requested order, and each is a print record that waits for its result', async () => {
    // Orders more parcels than one carrier call accepts.
    const parcels = await ordered(12);
    const mixed = [...parcels.slice(6), ...parcels.slice(0, 6)];
    const { data } = await labels(mixed.map(({ id }) => id));
    expect(data.labels.map(({ express_id, delivery_id }) => [express_id, delivery_id])).toEqual(
      mixed.map(({ id, delivery_id }) => [id, delivery_id]),
    );
    expect(
      data.labels.every(
        ({ data: pieces, template_url }) =>
          pieces.length === 1 && template_url.startsWith('https://'),
      ),
    ).toBe(true);
    expect(data.failures).toEqual([]);
    const records = await recordsOf(parcels);
    expect(
      records.map(({ result, driver, printer, batch_id }) => [result, driver, printer, batch_id]),
    ).toEqual(parcels.map(() => ['queued', 'component', '示例打印机', data.batch_id]));
    const [first] = data.labels;
    await system.call(clerk.token, 'POST', `/api/arco/prints/${first!.id}/result`, {
      result: 'ok',
    });
    expect((await recordsOf([mixed[0]!]))[0]).toMatchObject({
      result: 'ok',
      duration_ms: expect.any(Number),
    });
  });

  it('the stored carrier call of a label for the print component does not contain the encrypted label data', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    const [label] = (await labels([parcel.id])).data.labels;
    const calls = await rowsOf(
      system,
      sql<{ text: string }>`select answer::text as text
      from carrier_calls where operation = 'labels'`,
    );
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ text }) => text.includes(label!.data[0]!))).toEqual([]);
  });

  it('a parcel without label data is reported with the carrier’s text and not printed, and the other parcels are printed', async () => {
    const [gone, kept] = (await ordered(2)) as [Express, Express];
    await system.carrier.control('POST', `orders/${gone.delivery_id}/jump`, { to: 'cancelled' });
    const { data } = await labels([gone.id, kept.id]);
    expect(data.failures).toEqual([
      { id: gone.id, reason: { code: 'label_data_refused', params: { text: '运单已取消' } } },
    ]);
    expect((await recordsOf([gone, kept])).map(({ express_id }) => express_id)).toEqual([kept.id]);
  });

  it.each([
    ['does not respond', { kind: 'error_before', times: 5 }, 503, 'label_data_unavailable'],
    ['refuses', { kind: 'refuse', message: '打印服务未开通' }, 422, 'label_data_refused'],
  ])(
    'a carrier that %s a request for label data is named, and nothing is recorded as printed',
    async (_, given, status, code) => {
      const parcels = await ordered(1);
      await fault(given);
      const answer = await labels(parcels.map(({ id }) => id));
      await system.carrier.control('DELETE', 'faults');
      expect([answer.status, failureOf(answer).code]).toEqual([status, code]);
      expect(await recordsOf(parcels)).toEqual([]);
    },
  );

  it('a second print by the print component needs a reason, like any other print', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    await labels([parcel.id]);
    expect(failureOf(await labels([parcel.id]))).toMatchObject({
      code: 'reprint_reason',
      params: { count: 1 },
    });
    expect((await labels([parcel.id], { reason: '卡纸' })).status).toBe(200);
  });

  it('a label for the print component is refused for a paper size without a layout', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    expect(failureOf(await labels([parcel.id], { format: '100x150' }))).toMatchObject({
      code: 'label_no_component',
      params: { format: '100 × 150' },
    });
  });

  it('one call prints at most two hundred parcels by the print component', async () => {
    expect((await labels(Array.from({ length: 201 }, (_, no) => no + 1))).status).toBe(422);
    expect(
      failureOf(await labels(Array.from({ length: 200 }, (_, no) => no + 900_000))),
    ).toMatchObject({ code: 'not_found' });
  });
});

describe('a test label', () => {
  it('a test label is returned as a PDF and adds no print record', async () => {
    const before = await rowsOf(system, sql`select count(*) as n from prints`);
    const answer = await system.call(clerk.token, 'GET', '/api/arco/labels/test?format=100x150');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await rowsOf(system, sql`select count(*) as n from prints`)).toEqual(before);
  });
});
