import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import { askedParcels } from '#testing/asked-parcels.ts';
import { carrierRequests, creates, holdsOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { offerSf } from '#testing/sf-offer.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let asked: (parcel: Express) => Promise<void>;

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  await offerSf(system, await system.login('admin'));
  ({ asked } = askedParcels(system, clerk));
});
afterAll(() => system.close());

const order = async (promise_id = '2'): Promise<Express> => {
  const { data } = await clerk.order({ promise_id });
  return clerk.until(data.id, 100);
};
/** Moves all times of a parcel this number of hours into the past. */
const age = async ({ id }: Express, hours: number): Promise<void> => {
  const past = sql`${hours} * interval '1 hour'`;
  await rowsOf(
    system,
    sql`update expresses set ordered_at = ordered_at - ${past},
      last_event_at = last_event_at - ${past}, order_sought_at = order_sought_at - ${past}
      where id = ${id}`,
  );
};
const cancelledBySf = ({ delivery_id }: Express) =>
  system.carrier.control('POST', `sf/orders/${delivery_id}/cancel`);
const searches = async ({ order_id }: Express): Promise<number> =>
  (await carrierRequests(system, 'EXP_RECE_SEARCH_ORDER_RESP')).filter(
    (request) => request.order_id === order_id,
  ).length;

it('if SF cancelled an order without reporting it, the first poll after three hours cancels the order and releases its hold', async () => {
  const parcel = await order();
  await cancelledBySf(parcel);
  await age(parcel, 2.9);
  await asked(parcel);
  expect((await clerk.get(parcel.id)).state_code).toBe(100);
  await age(parcel, 0.2);
  await asked(parcel);
  expect(await clerk.until(parcel.id, 500)).toMatchObject({ state_remark: '订单已取消' });
  expect(await holdsOf(system, parcel.id)).toMatchObject([{ status: 'released' }]);
});

it('an order that SF has not cancelled is searched for a cancel once in three hours, and not if SF has reported a movement within that time', async () => {
  const parcel = await order();
  const before = await searches(parcel);
  await age(parcel, 4);
  await asked(parcel);
  await asked(parcel);
  await expect.poll(() => searches(parcel)).toBe(before + 1);
  expect((await clerk.get(parcel.id)).state_code).toBe(100);
  await age(parcel, 4);
  await rowsOf(
    system,
    sql`update expresses set last_event_at = now() - interval '1 hour' where id = ${parcel.id}`,
  );
  await asked(parcel);
  expect(await searches(parcel)).toBe(before + 1);
});

it('an order is not searched to detect an unreported cancel if the carrier’s trace reports cancels', async () => {
  const parcel = await order('ed-m-0001');
  await age(parcel, 4);
  await asked(parcel);
  expect(await creates(system, parcel.order_id)).toHaveLength(1);
});
