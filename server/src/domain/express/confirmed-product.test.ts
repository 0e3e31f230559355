import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { alertsOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { compareProduct } from './confirmed-product.ts';
import { lockExpress } from './row.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
});
afterAll(() => system.close());

/** Orders the faster product; with certain remarks the simulator confirms another product. */
const orderFast = async (remark: string) => {
  const { data } = await clerk.order({ promise_id: 'ed-m-0002', remark });
  return clerk.until(data.id, 100);
};

describe('a parcel that the carrier confirms under another product', () => {
  it('a parcel for which the carrier confirms another product keeps its price and raises an alert that contains both products', async () => {
    const same = await orderFast('');
    const other = await orderFast('时效降级');
    expect(await alertsOf(system, same.id)).not.toContain('product_differs');
    expect(other).toMatchObject({ promise_id: 'ed-m-0002', promise_time_type: 'ed-m-0001' });
    expect(other.post_amount).toBe(same.post_amount);
    const [alert] = await rowsOf(
      system,
      sql<{ params: Record<string, string> }>`select params from alerts
        where express_id = ${other.id} and code = 'product_differs'`,
    );
    expect(alert?.params).toEqual({
      order_id: other.order_id,
      delivery_id: other.delivery_id,
      ordered: '京东特快',
      confirmed: '京东标快',
    });
  });

  it('the alert about another confirmed product is closed when the parcel is changed to that product', async () => {
    const parcel = await orderFast('时效降级');
    expect(await alertsOf(system, parcel.id)).toContain('product_differs');
    await clerk.edit(parcel.id, { version: parcel.version, promise_id: 'ed-m-0001' });
    await eventually(async () => (await clerk.get(parcel.id)).promise_id === 'ed-m-0001');
    expect(await alertsOf(system, parcel.id)).not.toContain('product_differs');
  });

  it.each(['', 'ed-m-9999'])(
    'a carrier that confirms “%s”, which the catalogue does not have, raises no alert',
    async (promise_time_type) => {
      const parcel = await orderFast('');
      await system.app.db.tx(systemScope('test'), async (work) =>
        compareProduct(work, await lockExpress(work, parcel.id), { promise_time_type }),
      );
      expect(await alertsOf(system, parcel.id)).toEqual([]);
    },
  );
});
