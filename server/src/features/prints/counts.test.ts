import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { mostPrinterPrints } from '@waystation/contract/parcels/print.ts';
import type { countPrints, listPrints } from '@waystation/contract/parcels/print.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

type Counts = OutputOf<typeof countPrints>;

const many = 10_040;
let api: TestApi;
let tokens: Tokens;

/**
 * Adds `count` prints of the clerk's station. Print `n` is `n` minutes older than `before`, and its
 * waybill number ends with `n`.
 */
const printed = (
  count: number,
  waybill: string,
  { before = '0 minutes', result = 'ok' }: { before?: string; result?: string } = {},
) =>
  api.rows(sql`
    insert into prints (express_id, station_id, delivery_id, user_id, print_count, format,
      driver, printer, result, created_at)
    select e.id, e.station_id, ${waybill} || n, e.user_id, case when n <= 20 then 2 else 1
      end, '76x130', 'component', case when n % 2 = 0 then 'A' else 'B' end,
      case when ${result} = 'ok' and n in (2, 3, 4) then 'failed' else ${result}
        end, ${api.clock.now()}::timestamptz - ${before}::interval - n * interval '1 minute'
    from (select id, station_id, user_id from expresses order by id limit 1) e,
      generate_series(1, ${count}::int) n`);
const counted = async (query = '', who: keyof Tokens = 'station'): Promise<Counts> =>
  (await api.call<Counts>(tokens[who], 'GET', `/api/arco/prints/counts${query}`)).data;

beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  await api.call(tokens.clerk, 'POST', '/api/arco/expresses', exampleOrder({ draft: 1 }));
  await printed(many, 'W');
  await printed(4, 'Q', { before: '2 days', result: 'queued' });
  // The waybill was printed again after its first print.
  await api.rows(sql`insert into prints (express_id, station_id, delivery_id, user_id,
    print_count, format, created_at)
    select express_id, station_id, delivery_id, user_id, 3, format, ${api.clock.now()}
      from prints where delivery_id = 'Q1'`);
  // These prints are so old that a filter by result finds them only with another range of days.
  await printed(6, 'O', { before: '40 days', result: 'queued' });
  await printed(9, 'P', { before: '50 days' });
});
afterAll(() => api.close());

/** The number of test prints in the last 31 days. */
const lately = many + 5;
/**
 * Each printer has half of the prints. Three prints are unreported, because the fourth was printed
 * again.
 */
const notices = {
  unreported: 3,
  failing: [
    { driver: 'component', printer: 'A', total: many / 2 + 2, failed: 2 },
    { driver: 'component', printer: 'B', total: many / 2 + 2, failed: 1 },
  ],
};
const firstDay = '2026-01-31';
const counted_from = new Date(`${firstDay}T00:00:00+08:00`).toISOString();

describe('the counts of the print records', () => {
  it('more than 10,000 print records are counted without sums unless exact counts are requested, and the notices cover 31 days', async () => {
    for (const who of ['station', 'super'] as const) {
      expect(await counted('', who)).toEqual({
        total: 10_000,
        total_is_capped: 1,
        reprints: null,
        failed: null,
        ...notices,
        counted_from,
      });
      expect(await counted('?exact=1', who)).toEqual({
        total: lately + 15,
        total_is_capped: 0,
        reprints: 20 + 4 + 1 + 6 + 9,
        failed: 6,
        ...notices,
        counted_from,
      });
    }
  });

  it('the notices of print records count all prints of the chosen days whose result matches the filter', async () => {
    const days = `?created_from=${firstDay}`;
    expect(await counted(days)).toEqual({
      total: 10_000,
      total_is_capped: 1,
      reprints: null,
      failed: null,
      ...notices,
      counted_from: null,
    });
    expect(await counted(`${days}&exact=1`)).toMatchObject({
      total: lately,
      ...notices,
      counted_from: null,
    });
  });

  it('sums of up to 10,000 print records are exact; if the notices leave out older prints, they show the first day that they count', async () => {
    const older = { total: 15, total_is_capped: 0, reprints: 15, failed: 3 };
    const failing = [
      { driver: 'component', printer: 'A', total: 7, failed: 2 },
      { driver: 'component', printer: 'B', total: 8, failed: 1 },
    ];
    expect(await counted('?created_to=2026-01-22')).toEqual({
      ...older,
      unreported: 6,
      failing,
      counted_from: null,
    });
    expect(await counted('?created_to=2026-02-14')).toEqual({
      ...older,
      unreported: 6,
      failing: [],
      counted_from: new Date('2026-01-15T00:00:00+08:00').toISOString(),
    });
  });

  it('the counts of print records treat a last day in the future as today', async () => {
    expect(await counted('?created_to=2026-12-31')).toMatchObject({ ...notices, counted_from });
  });

  it('the list filter for unreported prints of the counted days finds the prints that the notice counts', async () => {
    const found = await api.call<OutputOf<typeof listPrints>>(
      tokens.station,
      'GET',
      `/api/arco/prints?result=unreported&created_from=${firstDay}`,
    );
    expect(found.data.items.map(({ delivery_id }) => delivery_id)).toEqual([
      'Q1',
      'Q2',
      'Q3',
      'Q4',
    ]);
  });

  it('the notices of too many print records cover only the newest records, unless exact counts are requested', async () => {
    await printed(mostPrinterPrints - 100, 'N', { before: '-120 days', result: 'sent' });
    const { counted_from: from, ...answer } = await counted();
    expect(answer).toMatchObject({ total: 10_000, total_is_capped: 1, unreported: 0 });
    const [newest] = await api.rows(
      sql<{ at: Date }>`select min(created_at) as at
        from (select created_at from prints order by created_at desc
        limit ${mostPrinterPrints}) r`,
    );
    expect(from).toBe(newest!.at.toISOString());
    expect(await counted('?exact=1')).toMatchObject({ unreported: 3, counted_from });
  });
});
