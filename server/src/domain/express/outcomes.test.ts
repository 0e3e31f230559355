import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { secretPurpose } from '#domain/merchant-secrets/merchant-secrets.ts';
import { exampleKeys } from '#features/demo/network.ts';
import { sql } from '#platform/db/db.ts';
import {
  alertsOf,
  parcelClient,
  creates,
  carrierRequests,
  holdsOf,
  runJobNow,
  jobWaits,
  failNextOrder,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { carrierOrders, inconsistencies } from '#testing/consistency.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
const settings = (changes: object) => system.carrier.control('POST', 'settings', changes);

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
});
afterEach(async () => {
  await system.carrier.control('DELETE', 'faults');
  await settings({ push: { on: true }, repeat_mode: 'existing' });
});
afterAll(() => system.close());

describe('an order whose answer is lost', () => {
  it('an order whose answer is lost is sent again when a push contains its order number; only the carrier’s answer settles the order', async () => {
    await settings({ push: { on: true, late_ms: 300 } });
    await failNextOrder(system, { kind: 'drop_after' });
    await failNextOrder(system, { kind: 'drop_before' });
    const data = await clerk.begin();
    const claimed = await eventually(async () => {
      const [row] = await rowsOf(
        system,
        sql<{ waybill_claims: object[] }>`select waybill_claims
        from expresses where id = ${data.id}`,
      );
      return row!.waybill_claims.length > 0 && row!.waybill_claims;
    });
    expect(claimed).toEqual([
      { delivery_id: (await carrierOrders(system))[0]!.waybill_code, source: 'push' },
    ]);
    const settled = await clerk.until(data.id, 100);
    // The order was sent, was repeated because of the push or the pause, and got an answer with
    // label data. A push has no label data.
    expect(await creates(system, data.order_id)).toHaveLength(3);
    expect(settled).toMatchObject({ need_retry: 0, promise_time_type: 'ed-m-0001' });
    expect(settled.print_data).not.toBeNull();
    await settings({ push: { late_ms: 0 } });
  });

  it('an order stores the label data of a slow answer, even if a push reports the order before this answer arrives', async () => {
    await failNextOrder(system, { kind: 'slow_after', ms: 700 });
    const { data } = await clerk.order();
    expect(data.state_code).toBe(100);
    const whole = await eventually(async () => {
      const found = await clerk.get(data.id);
      return found.print_data === null ? null : found;
    });
    expect(whole.need_retry).toBe(0);
  });

  it('if the answer to an order is lost and the repeated order is refused, its hold stays and an alert is raised; a later call can be accepted', async () => {
    await settings({ push: { on: false } });
    await failNextOrder(system, { kind: 'drop_before' });
    await failNextOrder(system, { kind: 'refuse', message: '地址解析失败' });
    const data = await clerk.begin();
    await eventually(async () =>
      (await alertsOf(system, data.id)).includes('order_repeat_refused'),
    );
    expect(await clerk.get(data.id)).toMatchObject({ state_code: 20, delivery_id: null });
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'open' },
    ]);
    await runJobNow(system, `send_order:${data.id}`);
    await clerk.until(data.id, 100);
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'open' },
    ]);
  });

  it('an order whose first call the gateway rejected fails, and its hold is released, if the carrier refuses the second call', async () => {
    await failNextOrder(system, { kind: 'gateway', code: 2 });
    await failNextOrder(system, { kind: 'refuse', message: '不在服务范围' });
    const data = await clerk.begin();
    await runJobNow(system, `send_order:${data.id}`);
    expect(await clerk.until(data.id, 90)).toMatchObject({ state_remark: '不在服务范围' });
    expect(await alertsOf(system, data.id)).toEqual([]);
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'released' },
    ]);
  });
});

describe('a carrier that answers a repeated order number with an error', () => {
  it('an order without a waybill raises an alert if the carrier answers the repeated order with an error, and is stored when a push reports the waybill', async () => {
    await settings({ push: { on: false }, repeat_mode: 'error' });
    await failNextOrder(system, { kind: 'drop_after' });
    const data = await clerk.begin();
    await eventually(async () =>
      (await alertsOf(system, data.id)).includes('order_stored_without_number'),
    );
    expect(await clerk.get(data.id)).toMatchObject({ state_code: 20, delivery_id: null });
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'open' },
    ]);
    await settings({ push: { on: true } });
    const { orders } = await system.carrier.control<{ orders: { waybill_code: string }[] }>(
      'GET',
      `orders?order_id=${data.order_id}`,
    );
    await system.carrier.control('POST', `orders/${orders[0]!.waybill_code}/jump`, {
      to: 'assigned',
    });
    expect(await clerk.until(data.id, 100)).toMatchObject({ delivery_id: orders[0]!.waybill_code });
    expect(await holdsOf(system, data.id)).toEqual([
      { attempt: 1, amount: data.post_amount, status: 'open' },
    ]);
  });

  describe('orders with prefetched waybill numbers', () => {
    beforeAll(() => rowsOf(system, sql`update merchants set prefetch_numbers = 1`));
    afterAll(() => rowsOf(system, sql`update merchants set prefetch_numbers = 0`));

    it('an order of a carrier account that fetches waybill numbers in advance is sent with such a number, which becomes its waybill', async () => {
      await settings({ push: { on: false }, repeat_mode: 'error' });
      await failNextOrder(system, { kind: 'drop_after' });
      const { data } = await clerk.order();
      const settled = await clerk.until(data.id, 100);
      const [first] = await creates(system, data.order_id);
      expect(JSON.parse(first!.body)).toMatchObject([{ waybillCode: settled.delivery_id }]);
      expect(await alertsOf(system, data.id)).toEqual([]);
    });

    it('a carrier account fetches several waybill numbers with one call, and each number is used by one order', async () => {
      const orders = await Promise.all(Array.from({ length: 6 }, () => clerk.order()));
      const waybills = orders.map(({ data }) => data.delivery_id);
      expect(new Set(waybills).size).toBe(6);
      expect((await carrierRequests(system, 'pregetwaybillcodes')).length).toBeLessThanOrEqual(2);
    });

    it('an order is sent after a call for prefetched waybill numbers failed, as soon as the carrier returns numbers again', async () => {
      await rowsOf(system, sql`delete from carrier_numbers`);
      await system.carrier.control('POST', 'faults', {
        kind: 'drop_before',
        path: '/ecap/v1/orders/pregetwaybillcodes',
      });
      const data = await clerk.begin();
      await runJobNow(system, `send_order:${data.id}`);
      expect(await clerk.until(data.id, 100)).toMatchObject({ need_retry: 0 });
    });
  });
});

describe('a carrier account whose token has expired', () => {
  it('a carrier account with an expired token is paused with an alert; orders wait with their holds and without calls until an administrator corrects it', async () => {
    await system.carrier.control('POST', 'tokens/expire', {
      customer_code: exampleKeys.customer_code,
    });
    const first = await clerk.begin();
    const paused = () =>
      rowsOf(
        system,
        sql<{ paused_at: Date | null; paused_reason: string }>`select paused_at,
      paused_reason from merchants`,
      );
    const [merchant] = await eventually(async () => {
      const rows = await paused();
      return rows[0]!.paused_at ? rows : null;
    });
    expect(merchant!.paused_reason).not.toBe('');
    expect(
      (
        await rowsOf(
          system,
          sql<{ code: string }>`select code from alerts
      where merchant_id is not null`,
        )
      ).map(({ code }) => code),
    ).toContain('merchant_paused');
    const calls = (await carrierRequests(system)).length;
    const second = await clerk.begin();
    await runJobNow(system, `send_order:${first.id}`);
    const waits = sql`select 1 from graphile_worker._private_jobs
      where key = ${`send_order:${first.id}`} and locked_at is null and run_at > now()`;
    await eventually(async () => (await rowsOf(system, waits)).length === 1);
    expect((await carrierRequests(system)).length).toBe(calls);
    for (const { id, post_amount } of [first, second]) {
      expect(await clerk.get(id)).toMatchObject({ state_code: 20 });
      expect(await holdsOf(system, id)).toEqual([
        { attempt: 1, amount: post_amount, status: 'open' },
      ]);
    }

    const access_token = 'demotoken-renewed-0000000000000b';
    const { app_key, app_secret, customer_code } = exampleKeys;
    await system.carrier.control('POST', 'applications', {
      app_key,
      app_secret,
      accounts: [
        {
          access_token,
          customer_codes: [customer_code],
          callback_url: `${system.url}/api/carriers/jdl/push/${system.network.push_secret}`,
        },
      ],
    });
    await rowsOf(
      system,
      sql`update merchants
        set access_token = ${system.app.secrets.seal(access_token, secretPurpose('access_token'))},
        paused_at = null, paused_reason = ''`,
    );
    for (const { id } of [first, second]) {
      await runJobNow(system, `send_order:${id}`);
      await clerk.until(id, 100);
    }
  });
});

describe('a carrier’s text that the database cannot store', () => {
  it('a NUL or unpaired surrogate in a carrier’s text is replaced before the text is stored, because the database refuses such characters', async () => {
    await failNextOrder(system, { kind: 'refuse', message: '地址\u0000不详\ud800' });
    const { data } = await clerk.order();
    expect(data).toMatchObject({ state_code: 90, state_remark: '地址 不详\ufffd' });
    const { data: parcel } = await clerk.order();
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/events`, {
      category: 420,
      state: '200001',
      title: '揽\u0000收',
      remark: '已揽收\u0000\udc00',
    });
    await clerk.until(parcel.id, 200);
    const { data: trace } = await system.call<{ items: { title: string; remark: string }[] }>(
      clerk.token,
      'GET',
      `/api/arco/expresses/${parcel.id}/trace`,
    );
    expect(trace.items.at(-1)).toMatchObject({ title: '揽 收', remark: '已揽收 \ufffd' });
  });
});

describe('a waybill number that another parcel has', () => {
  it('an order whose answer contains another parcel’s waybill raises an alert, keeps its hold, and continues when that parcel no longer has the waybill', async () => {
    const { data: first } = await clerk.order();
    const next = first.delivery_id!.replace(/\d+$/, (digits) =>
      String(Number(digits) + 1).padStart(digits.length, '0'),
    );
    await rowsOf(
      system,
      sql`update expresses set delivery_id = ${next}
      where id = ${first.id}`,
    );
    const { data: second } = await clerk.order();
    expect(second).toMatchObject({ state_code: 20, delivery_id: null });
    await eventually(async () => (await alertsOf(system, second.id)).includes('waybill_taken'));
    expect(await holdsOf(system, second.id)).toEqual([
      { attempt: 1, amount: second.post_amount, status: 'open' },
    ]);
    // An alert that an administrator closed stays closed, however often the carrier is called,
    // because the same alert is not raised again.
    await rowsOf(
      system,
      sql`update alerts set closed_at = now()
      where express_id = ${second.id}`,
    );
    const calls = (await creates(system, second.order_id)).length;
    await runJobNow(system, `send_order:${second.id}`);
    await eventually(
      async () =>
        (await creates(system, second.order_id)).length > calls &&
        (await jobWaits(system, `send_order:${second.id}`)),
    );
    expect(await alertsOf(system, second.id)).toEqual([]);
    await rowsOf(
      system,
      sql`update alerts set closed_at = null
      where express_id = ${second.id}`,
    );
    await rowsOf(
      system,
      sql`update expresses set delivery_id = ${first.delivery_id}
      where id = ${first.id}`,
    );
    await runJobNow(system, `send_order:${second.id}`);
    expect((await clerk.until(second.id, 100)).delivery_id).toBe(next);
    expect(await alertsOf(system, second.id)).toEqual([]);
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
