import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { exampleKeys } from '#features/demo/network.ts';
import { sql } from '#platform/db/db.ts';
import {
  alertsOf,
  creates,
  holdsOf,
  parcelClient,
  runJobNow,
  runTaskNow,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { startCarrier } from '#testing/simulator.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
const create = '/ecap/v1/orders/create';

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
});
afterEach(() => system.carrier.control('DELETE', 'faults'));
afterAll(() => system.close());

const closePort = () => system.carrier.stop();
/**
 * Opens the port again, with a carrier that refuses the first `times` calls. The worker starts only
 * afterwards, so that no order is sent while the port is closed.
 */
const openRefusing = async (times: number): Promise<void> => {
  await system.worker.stop();
  await openPort();
  await system.carrier.control('POST', 'faults', {
    kind: 'refuse',
    path: create,
    message: '不在服务范围',
    times,
  });
  system.worker = await system.startWorker();
};
const openPort = async (): Promise<void> => {
  system.carrier = await startCarrier({ SIM_PORT: String(system.carrier.port) });
  const url = `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`;
  await system.carrier.control('POST', 'callbacks', {
    customer_code: exampleKeys.customer_code,
    url,
  });
};
const triesOf = async ({ id }: Express): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ order_tries: number }>`select order_tries from expresses
    where id = ${id}`,
    )
  )[0]!.order_tries;
/** Waits until every call of these orders has failed because the port is closed. */
const untilUnsent = (orders: Express[]) =>
  eventually(async () => {
    const failed = await rowsOf(
      system,
      sql`select distinct express_id from carrier_calls where operation = 'create'
        and outcome = 'unknown'
        and express_id = any(${orders.map(({ id }) => id)}::bigint[])`,
    );
    return (
      failed.length === orders.length &&
      (await Promise.all(orders.map(triesOf))).every((tries) => tries === 0)
    );
  });
const begin = async (count: number): Promise<Express[]> => {
  const orders: Express[] = [];
  for (let n = 0; n < count; n++) orders.push(await clerk.begin());
  return orders;
};

describe('an order while the carrier’s port is closed', () => {
  it('if orders are sent while the carrier’s port is closed and are refused after it opens, they fail and their holds are released', async () => {
    await closePort();
    const orders = await begin(5);
    await untilUnsent(orders);
    await openRefusing(5);
    for (const { id, post_amount } of orders) {
      expect(await clerk.until(id, 90)).toMatchObject({ state_remark: '不在服务范围' });
      expect(await holdsOf(system, id)).toEqual([
        { attempt: 1, amount: post_amount, status: 'released' },
      ]);
      expect(await alertsOf(system, id)).toEqual([]);
    }
  });

  it('an order made while the carrier’s port is closed is placed once after the port is open again', async () => {
    await closePort();
    const [order] = await begin(1);
    await untilUnsent([order!]);
    await openPort();
    await clerk.until(order!.id, 100);
    expect(await creates(system, order!.order_id)).toHaveLength(1);
  });

  it('an order whose call could not be sent is cancelled immediately, without a call to the carrier', async () => {
    await closePort();
    const [order] = await begin(1);
    await untilUnsent([order!]);
    expect((await clerk.act(order!.id, 'cancel', { reason: '不寄了' })).status).toBe(200);
    expect(await clerk.until(order!.id, 500)).toMatchObject({ state_remark: '不寄了' });
    expect(await holdsOf(system, order!.id)).toEqual([
      { attempt: 1, amount: order!.post_amount, status: 'released' },
    ]);
    await openPort();
    expect(await creates(system, order!.order_id)).toEqual([]);
  });

  it('an order whose call was sent before the carrier’s port was closed keeps its hold if the carrier refuses the repeated call', async () => {
    await system.carrier.control('POST', 'faults', { kind: 'drop_before', path: create, times: 1 });
    const [order] = await begin(1);
    await eventually(async () => (await creates(system, order!.order_id)).length === 1);
    await closePort();
    await eventually(async () => (await triesOf(order!)) >= 1);
    await openRefusing(50);
    await runJobNow(system, `send_order:${order!.id}`);
    await eventually(async () =>
      (await alertsOf(system, order!.id)).includes('order_repeat_refused'),
    );
    expect(await clerk.get(order!.id)).toMatchObject({
      state_code: 20,
      state_reason: { code: 'order_repeat_refused', params: { text: '不在服务范围' } },
    });
    expect(await holdsOf(system, order!.id)).toEqual([
      { attempt: 1, amount: order!.post_amount, status: 'open' },
    ]);
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid', async () => {
    await system.carrier.control('DELETE', 'faults');
    await eventually(async () => {
      await runTaskNow(system, 'send_order');
      const open = await rowsOf(system, sql`select from expresses where state_code = 20`);
      return open.length === 0;
    });
    expect(
      (await inconsistencies(system)).filter((line) => !JSON.stringify(line).includes('carrier')),
    ).toEqual([]);
  });
});
