import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Guarantee } from '@waystation/contract/money/guarantee.ts';
import { rollUpCounts } from '#features/parcels/roll-up.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { wrongSums } from '#testing/consistency.ts';
import { exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let office: string;
let clerk: string;
beforeAll(async () => {
  system = await openTestSystem();
  [office, clerk] = [await system.login('admin'), await system.login('clerk')];
});
afterAll(() => system.close());

let key = 0;
/**
 * Orders a parcel that awaits funds. It is priced, and can be edited without a call to the carrier.
 */
const order = async (changes: Record<string, unknown>): Promise<Express> => {
  const { status, data } = await system.call<Express>(
    { token: clerk, headers: { 'idempotency-key': `uses-of-tiers-${++key}` } },
    'POST',
    '/api/arco/expresses',
    exampleOrder(changes),
  );
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
};
interface Uses {
  since: string;
  until: string;
  areas: { area: string; parcels: number }[];
}
const usesOf = async (id: number): Promise<Uses> =>
  (await system.call<Uses>(office, 'GET', `/api/arco/vouchers/${id}/uses`)).data;
const counted = async (id: number, area: string) =>
  (await usesOf(id)).areas.find((one) => one.area === area)?.parcels;
const tierCounts = async () =>
  (
    await system.call<{ items: Guarantee[] }>(office, 'GET', '/api/arco/guarantees?status=1')
  ).data.items.map(({ parcels_30d }) => parcels_30d);

it('a parcel is counted for the region and insurance tier that set its price; after repricing it is counted for the new ones', async () => {
  const before = await tierCounts();
  const parcel = await order({ guarantee_value_amount: 100 });
  await order({});
  const id = parcel.voucher_id!;
  const [shanghai, sichuan] = [await counted(id, '310000'), await counted(id, '510000')];
  expect([shanghai, sichuan]).toEqual([2, 0]);
  expect(await tierCounts()).toEqual([before[0]! + 1, ...before.slice(1)]);

  const moved = await system.call(clerk, 'PATCH', `/api/arco/expresses/${parcel.id}`, {
    version: parcel.version,
    receive_province: '四川省',
    receive_city: '成都市',
    receive_county: '武侯区',
    guarantee_value_amount: 0,
  });
  expect(moved.status, JSON.stringify(moved.data)).toBe(200);
  expect([await counted(id, '310000'), await counted(id, '510000')]).toEqual([1, 1]);
  expect(await tierCounts()).toEqual(before);
});

it('a template’s parcel counts stay the same after a roll-up, and omit parcels older than thirty days', async () => {
  const { voucher_id } = await order({});
  const count = await counted(voucher_id!, '310000');
  await rollUpCounts(system.app);
  expect(await counted(voucher_id!, '310000')).toBe(count);
  expect(await system.app.db.tx(systemScope('test'), wrongSums)).toEqual([]);
  await rowsOf(
    system,
    sql`insert into express_uses (what, of_id, day, n) select what, of_id, s.day, s.n
      from express_uses u cross join lateral (values (u.day, -u.n), (u.day - 30, u.n)) s (day,
      n) where what = 'area'`,
  );
  expect(await counted(voucher_id!, '310000')).toBe(0);
});
