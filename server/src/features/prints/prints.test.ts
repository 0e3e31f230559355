import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import { sql } from '#platform/db/db.ts';
import { failureOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let tokens: Record<'super' | 'admin' | 'partner' | 'station', string>;

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  const [boss, admin, partner, station] = (await Promise.all(
    ['super', 'admin', 'partner', 'station'].map((name) => system.login(name)),
  )) as [string, string, string, string];
  tokens = { super: boss, admin, partner, station };
});
afterAll(() => system.close());

const ordered = async (count: number): Promise<Express[]> => {
  const parcels: Express[] = [];
  for (let no = 0; no < count; no++)
    parcels.push(await clerk.until((await clerk.order()).data.id, 100));
  return parcels;
};
const print = (token: string, ids: number[], body: object = {}) =>
  system.call<object>(token, 'POST', '/api/arco/labels', { ids, format: '76x130', ...body });
const read = async (token: string, query = ''): Promise<PrintRecord[]> =>
  (
    await system.call<{ items: PrintRecord[] }>(
      token,
      'GET',
      `/api/arco/prints?page_size=100${query}`,
    )
  ).data.items;
const of = (parcels: readonly Express[]): string =>
  `&q=${parcels.map(({ delivery_id }) => delivery_id).join('%20')}`;

describe('printing a label', () => {
  it('a print record shows waybill, recipient, station, user, print count, reason and result; labels printed together share a batch', async () => {
    const parcels = await ordered(3);
    const [first, second, third] = parcels as [Express, Express, Express];
    await print(clerk.token, [second.id]);
    await print(clerk.token, [third.id, first.id, second.id], { reason: '纸张卡住' });
    const records = await read(tokens.station, of(parcels));
    expect(
      records.map(({ delivery_id, print_count, reason }) => [delivery_id, print_count, reason]),
    ).toEqual([
      [second.delivery_id, 2, '纸张卡住'],
      [first.delivery_id, 1, '纸张卡住'],
      [third.delivery_id, 1, '纸张卡住'],
      [second.delivery_id, 1, ''],
    ]);
    const [batch] = records;
    expect(batch).toMatchObject({
      express_id: second.id,
      recipient: '张三 上海市浦东新区',
      state_code: 100,
      station_name: second.station_name,
      user_nickname: '示例店员',
      format: '76x130',
      driver: 'pdf',
      result: 'sent',
      finished_at: null,
      duration_ms: null,
    });
    expect(new Set(records.slice(0, 3).map(({ batch_id }) => batch_id))).toEqual(
      new Set([batch!.batch_id]),
    );
    expect(records[3]!.batch_id).toBeNull();
    expect(await read(tokens.station, `&batch_id=${batch!.batch_id}`)).toHaveLength(3);
  });

  it('a preview of a label makes no print record', async () => {
    const parcels = await ordered(1);
    await print(clerk.token, [parcels[0]!.id], { preview: 1 });
    expect(await read(tokens.super, of(parcels))).toEqual([]);
  });

  it('a second print of a label needs a reason, and a label can be printed at most ten times within two days', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    expect((await print(clerk.token, [parcel.id])).status).toBe(200);
    const without = await print(clerk.token, [parcel.id]);
    expect([without.status, failureOf(without)]).toMatchObject([
      422,
      { code: 'reprint_reason', params: { count: 1 } },
    ]);
    for (let no = 2; no <= 10; no++)
      expect((await print(clerk.token, [parcel.id], { reason: '重打' })).status).toBe(200);
    const eleventh = await print(tokens.super, [parcel.id], { reason: '重打' });
    expect([eleventh.status, failureOf(eleventh)]).toMatchObject([
      422,
      { code: 'reprint_limit', params: { count: 10, limit: 10 } },
    ]);
    await rowsOf(
      system,
      sql`update prints set created_at = created_at - interval '49 hours'
      where express_id = ${parcel.id}`,
    );
    expect((await print(clerk.token, [parcel.id], { reason: '重打' })).status).toBe(200);
  });
});

describe('prints of one waybill at the same moment', () => {
  it('only one of several simultaneous first prints of a parcel succeeds, and the others are refused as reprints', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => print(clerk.token, [parcel.id])),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422]);
    expect((await read(tokens.super, of([parcel]))).map(({ print_count }) => print_count)).toEqual([
      1,
    ]);
  });

  it('simultaneous prints of a parcel never exceed the limit of ten, and each label has its own number', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    for (let no = 1; no <= 8; no++)
      expect((await print(clerk.token, [parcel.id], { reason: '重打' })).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => print(clerk.token, [parcel.id], { reason: '重打' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await read(tokens.super, of([parcel]))).toHaveLength(10);
  });
});

describe('print records', () => {
  it('print records are readable by managers, within their stations, and not by clerks', async () => {
    const parcels = await ordered(1);
    await print(clerk.token, [parcels[0]!.id]);
    const ids = async (token: string) =>
      (await read(token, of(parcels))).map(({ express_id }) => express_id);
    for (const token of Object.values(tokens)) expect(await ids(token)).toEqual([parcels[0]!.id]);
    expect((await system.call(clerk.token, 'GET', '/api/arco/prints')).status).toBe(403);
    const { id: other } = system.station('pudong');
    const stranger = (
      await rowsOf(
        system,
        sql<{
          username: string;
        }>`update accounts set role = 'station',
          password_hash = (select password_hash from accounts where username = 'clerk')
          where username = 'clerk-pudong' and station_id = ${other} returning username`,
      )
    )[0]!;
    expect(await ids(await system.login(stranger.username))).toEqual([]);
  });

  it('print records are paged newest first, with each record exactly once', async () => {
    const all = await read(tokens.super);
    const paged: PrintRecord[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data }: { data: { items: PrintRecord[]; next_cursor: string | null } } =
        await system.call(
          tokens.super,
          'GET',
          `/api/arco/prints?page_size=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
        );
      paged.push(...data.items);
      cursor = data.next_cursor;
    }
    expect(paged).toEqual(all);
    expect(all).toEqual(
      all.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id),
    );
  });

  it('print records are filtered by reprint, result and driver within 31 days, and the counts show totals, reprints and failures', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const from = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
    const refused = await system.call(tokens.super, 'GET', '/api/arco/prints?reprint=1');
    expect([refused.status, failureOf(refused).fields]).toEqual([
      422,
      { created_from: { code: 'days_required', params: { days: 31 } } },
    ]);
    const again = await read(tokens.super, `&reprint=1&created_from=${from}`);
    expect(again.length).toBeGreaterThan(0);
    expect(again.every(({ print_count }) => print_count > 1)).toBe(true);
    const { data } = await system.call<object>(
      tokens.super,
      'GET',
      `/api/arco/prints/counts?created_from=${from}`,
    );
    const listed = await read(tokens.super, `&created_from=${from}`);
    expect(data).toEqual({
      total: listed.length,
      total_is_capped: 0,
      reprints: again.length,
      failed: 0,
      unreported: 0,
      failing: [],
      counted_from: null,
    });
    expect(today).not.toBe(from);
  });
});

describe('the result of a label', () => {
  it('a printed label’s result can be reported once, within an hour, and only by the user who sent the label to the printer', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    const { headers } = await print(clerk.token, [parcel.id], {
      driver: 'zpl',
      printer: 'Zebra ZD421',
    });
    const [[express_id, id]] = JSON.parse(headers.get('x-label-prints')!) as [[number, number]];
    expect(express_id).toBe(parcel.id);
    const report = (token: string, body: object) =>
      system.call<{ result: string }>(token, 'POST', `/api/arco/prints/${id}/result`, body);
    expect((await report(tokens.station, { result: 'ok' })).status).toBe(404);
    expect((await report(clerk.token, { result: 'failed', note: '缺纸' })).data.result).toBe(
      'failed',
    );
    expect((await report(clerk.token, { result: 'ok' })).data.result).toBe('failed');
    expect((await read(tokens.station, of([parcel])))[0]).toMatchObject({
      result: 'failed',
      note: '缺纸',
      driver: 'zpl',
      printer: 'Zebra ZD421',
      duration_ms: expect.any(Number),
    });
    await rowsOf(
      system,
      sql`update prints set created_at = created_at - interval '2 hours'
      where id = ${id}`,
    );
    expect((await report(clerk.token, { result: 'ok' })).status).toBe(404);
  });
});

describe('a waybill that two stations print', () => {
  it('printing a waybill at a second station raises an alert that names both stations', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    const alerts = () =>
      rowsOf(
        system,
        sql<{ params: object; station_id: number }>`select params, station_id from alerts
          where code = 'printed_by_two_stations' and express_id = ${parcel.id}`,
      );
    await print(clerk.token, [parcel.id]);
    await print(tokens.station, [parcel.id], { reason: '重打' });
    await print(tokens.super, [parcel.id], { reason: '重打' });
    expect(await alerts()).toEqual([]);
    await print(tokens.partner, [parcel.id], { reason: '重打' });
    const [partner] = await rowsOf(
      system,
      sql<{ name: string }>`select s.name from accounts a
        join stations s on s.id = a.station_id where a.username = 'partner'`,
    );
    expect(await alerts()).toEqual([
      {
        params: {
          delivery_id: parcel.delivery_id,
          first: parcel.station_name,
          second: partner!.name,
        },
        station_id: parcel.station_id,
      },
    ]);
  });
});

describe('labels whose workstation was switched off', () => {
  it('a label queued for more than half an hour is listed as unreported, and still accepts a print result', async () => {
    const parcels = await ordered(2);
    const ids = parcels.map(({ id }) => id);
    const { data } = await system.call<{ labels: { id: number }[] }>(
      clerk.token,
      'POST',
      '/api/arco/labels/component',
      { ids, format: '76x130' },
    );
    const results = async () =>
      (await read(tokens.station, of(parcels))).map(({ result }) => result);
    expect(await results()).toEqual(['queued', 'queued']);
    await rowsOf(
      system,
      sql`update prints set created_at = created_at - interval '31 minutes'
      where express_id = any(${ids}::bigint[])`,
    );
    expect(await results()).toEqual(['unreported', 'unreported']);
    expect(await read(tokens.station, `${of(parcels)}&result=unreported`)).toHaveLength(2);
    expect(await read(tokens.station, `${of(parcels)}&result=queued`)).toHaveLength(0);
    const counted = await system.call<{ unreported: number }>(
      tokens.station,
      'GET',
      `/api/arco/prints/counts?${of(parcels).slice(1)}`,
    );
    expect(counted.data.unreported).toBe(2);
    await system.call(clerk.token, 'POST', `/api/arco/prints/${data.labels[0]!.id}/result`, {
      result: 'ok',
    });
    expect((await results()).toSorted()).toEqual(['ok', 'unreported']);
  });
});
