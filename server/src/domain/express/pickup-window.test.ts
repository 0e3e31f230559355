import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import {
  alertsOf,
  carrierRequests,
  creates,
  failureOf,
  holdsOf,
  parcelClient,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { bookableWindows, lacksWindow, windowProblem } from './pickup-window.ts';
import { sendOrder } from './send.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 500_000);
  clerk = await parcelClient(system);
});
afterEach(() => system.carrier.control('DELETE', 'faults'));
afterAll(() => system.close());

const precheck = '/ecap/v1/orders/precheck';

type Window = Record<'pickup_from' | 'pickup_until', string>;

/** The windows that the carrier offers now. */
const offered = async (): Promise<Window[]> => {
  const { sender_province, sender_city, sender_county, sender_address, ...order } =
    exampleOrder() as Record<string, string>;
  const { data } = await system.call<OutputOf<typeof coverExpress>>(
    clerk.token,
    'POST',
    '/api/arco/expresses/coverage',
    {
      provider: 'jdl',
      fresh: 1,
      sender_province,
      sender_city,
      sender_county,
      sender_address,
      receive_province: order['receive_province'],
      receive_city: order['receive_city'],
      receive_county: order['receive_county'],
      receive_address: order['receive_address'],
    },
  );
  return data.pickup_windows!.map(({ starts_at, ends_at }) => ({
    pickup_from: starts_at,
    pickup_until: ends_at,
  }));
};
const hour = 3_600_000;
/**
 * Returns a pickup window that the carrier does not offer; `from` and `until` are hours from now.
 */
const foreign = (from: number, until: number): Window => ({
  pickup_from: new Date(Date.now() + from * hour).toISOString(),
  pickup_until: new Date(Date.now() + until * hour).toISOString(),
});
/** Times of 30 February. */
const monthless: Window = {
  pickup_from: '2027-02-30T09:00:00+08:00',
  pickup_until: '2027-02-30T11:00:00+08:00',
};
const sent = async (order_id: string): Promise<Record<string, unknown> | undefined> =>
  (JSON.parse((await creates(system, order_id))[0]?.body ?? '[]') as Record<string, unknown>[])[0];
const edit = async (parcel: Pick<Express, 'id'>, changes: object) =>
  clerk.edit(parcel.id, { version: (await clerk.get(parcel.id)).version, ...changes });
const asked = async (): Promise<number> => (await carrierRequests(system, 'precheck')).length;
const asMs = ({ pickup_from, pickup_until }: Window) => ({
  pickupStartTime: Date.parse(pickup_from),
  pickupEndTime: Date.parse(pickup_until),
});

describe('an order with a pickup window', () => {
  it('an order with a pickup window requests the carrier’s pickup windows once, is sent with its window, and shows the window', async () => {
    const window = (await offered()).at(-1)!;
    const before = await asked();
    const { data } = await clerk.order(window);
    expect(data).toMatchObject({ state_code: 100, ...window });
    expect(await sent(data.order_id)).toMatchObject(asMs(window));
    expect(await asked()).toBe(before + 1);
  });

  it('an order without a pickup window is sent without one, and requests no pickup windows from the carrier', async () => {
    const before = await asked();
    const { data } = await clerk.order();
    expect(data).toMatchObject({ state_code: 100, pickup_from: null, pickup_until: null });
    expect(await sent(data.order_id)).not.toHaveProperty('pickupStartTime');
    expect(await asked()).toBe(before);
  });

  it('an order whose pickup window the carrier no longer offers fails without a call or a hold, and can be ordered again with another window', async () => {
    const { data } = await clerk.order(foreign(3, 4));
    expect(data).toMatchObject({ state_code: 90, state_reason: { code: 'pickup_window_gone' } });
    expect(await creates(system, data.order_id)).toEqual([]);
    expect((await holdsOf(system, data.id)).every(({ status }) => status !== 'open')).toBe(true);
    const window = (await offered()).at(-1)!;
    expect((await edit(data, window)).status).toBe(200);
    await clerk.act(data.id, 'retry');
    expect(await clerk.until(data.id, 100)).toMatchObject(window);
    expect(await sent(data.order_id)).toMatchObject(asMs(window));
  });

  it('an order is sent with its pickup window although the carrier does not answer the request for pickup windows', async () => {
    await system.carrier.control('POST', 'faults', {
      kind: 'error_before',
      path: precheck,
    });
    const window = foreign(3, 4);
    const { data } = await clerk.order(window);
    expect(data).toMatchObject({ state_code: 100, ...window });
    expect(await sent(data.order_id)).toMatchObject(asMs(window));
  });

  it('an order sends the same request for pickup windows as the order form does', async () => {
    await clerk.order((await offered()).at(-1));
    const [form, order] = (await carrierRequests(system, 'precheck'))
      .slice(-2)
      .map(({ body }) => body);
    expect(order).toBe(form);
  });

  it('three orders whose request for pickup windows gets no answer are sent in the same job after a short wait', async () => {
    const windows = await offered();
    const before = await asked();
    await system.worker.stop();
    try {
      const orders = [];
      for (let n = 0; n < 3; n++) orders.push(await clerk.begin(windows.at(-1)));
      await system.carrier.control('POST', 'faults', {
        kind: 'slow_before',
        path: precheck,
        ms: 8_000,
        times: 10,
      });
      const began = Date.now();
      await Promise.all(
        orders.map(({ id }) =>
          sendOrder(system.app, { express_id: id, attempt: 1 }, { job_id: '1', attempt: 1 }),
        ),
      );
      expect(Date.now() - began).toBeLessThan(7_000);
      for (const { id } of orders) expect((await clerk.get(id)).state_code).toBe(100);
      // The simulator counts a request when it answers it.
      await eventually(async () => (await asked()) === before + 3);
    } finally {
      system.worker = await system.startWorker();
    }
  });

  it('an order with a pickup window is sent without requesting the carrier’s windows while the carrier account is marked as down', async () => {
    const window = (await offered()).at(-1)!;
    const before = await asked();
    await rowsOf(system, sql`update merchants set down_since = clock_timestamp()`);
    const { data } = await clerk.order(window);
    expect(data).toMatchObject({ state_code: 100, ...window });
    expect(await asked()).toBe(before);
    await rowsOf(system, sql`update merchants set down_since = null`);
  });

  it('an order whose call the gateway rejects is sent again without a new request for pickup windows, and fails when its window has passed', async () => {
    await system.carrier.control('POST', 'faults', {
      kind: 'gateway',
      path: '/ecap/v1/orders/create',
      times: 2,
    });
    const before = await asked();
    const parcel = await clerk.begin((await offered()).at(-1));
    await eventually(async () => {
      const [row] = await rowsOf(
        system,
        sql<{ tried: number }>`select count(*)::int as tried from carrier_calls
          where express_id = ${parcel.id} and operation = 'create'`,
      );
      return row!.tried >= 2;
    });
    expect(await asked()).toBe(before + 2);
    const past = foreign(-3, -1);
    await rowsOf(
      system,
      sql`update expresses set pickup_from = ${past.pickup_from}, pickup_until = ${past.pickup_until}
        where id = ${parcel.id}`,
    );
    expect((await clerk.until(parcel.id, 90)).state_reason).toMatchObject({
      code: 'pickup_window_gone',
    });
    expect(await alertsOf(system, parcel.id)).toEqual([]);
    expect((await holdsOf(system, parcel.id)).every(({ status }) => status !== 'open')).toBe(true);
  });

  it('a parcel on hold whose pickup window has passed when its order is placed fails with the reason; its window is not changed', async () => {
    const partner = await parcelClient(system, 'partner');
    const window = (await offered()).at(-1)!;
    const station_id = system.station('tianhe').id;
    const { data: parcel } = await partner.order({ ...window, station_id });
    expect(parcel.state_code).toBe(10);
    const past = foreign(-3, -1);
    await rowsOf(
      system,
      sql`update expresses set pickup_from = ${past.pickup_from}, pickup_until = ${past.pickup_until}
        where id = ${parcel.id}`,
    );
    await system.topUp('tianhe', 100_000);
    expect((await partner.until(parcel.id, 90)).state_reason).toMatchObject({
      code: 'pickup_window_gone',
    });
    expect(await creates(system, parcel.order_id)).toEqual([]);
  });

  it.each([
    ['has passed', foreign(-3, -1), 'pickup_window_gone'],
    ['is more than seven days ahead', foreign(200, 202), 'pickup_window_gone'],
    ['ends before it begins', foreign(4, 3), 'invalid'],
    ['is longer than a day', foreign(3, 30), 'invalid'],
    ['has one end', { pickup_from: foreign(3, 4).pickup_from }, 'invalid'],
  ])('an order is refused if its pickup window %s', async (_, window, code) => {
    expect(failureOf(await clerk.order(window as Record<string, unknown>)).fields).toEqual({
      pickup_from: expect.objectContaining({ code }),
    });
  });

  it('a pickup window without a start is reported together with the other invalid fields of an order or an edit', async () => {
    const half = { pickup_until: foreign(3, 4).pickup_until };
    const bad = { receive_city: '无此市', goods: '无此物品' };
    const named = {
      pickup_from: { code: 'invalid' },
      receive_city: expect.anything(),
      goods: { code: 'goods_not_offered' },
    };
    expect(failureOf(await clerk.order({ ...half, ...bad })).fields).toMatchObject(named);
    const { data } = await clerk.order(foreign(3, 4));
    expect(data.state_code).toBe(90);
    expect(failureOf(await edit(data, { ...half, ...bad })).fields).toMatchObject(named);
  });

  it('an order is refused if its pickup window is on a date that does not exist, for example 30 February', async () => {
    expect(failureOf(await clerk.order(monthless)).fields).toMatchObject({
      pickup_from: { code: 'invalid' },
      pickup_until: { code: 'invalid' },
    });
  });

  it('a draft keeps its pickup window until an edit removes it', async () => {
    const window = (await offered()).at(-1)!;
    const { data } = await clerk.order({ draft: 1, ...window });
    expect(data).toMatchObject(window);
    const { data: edited } = await edit(data, { pickup_from: null, pickup_until: null });
    expect(edited).toMatchObject({ pickup_from: null, pickup_until: null });
  });

  it.each([
    ['its begin taken back alone', { pickup_from: null }],
    ['its end taken back alone', { pickup_until: null }],
    ['one end changed', { pickup_until: foreign(3, 5).pickup_until }],
  ])(
    'a change of the pickup window of a draft or a sent parcel is refused with %s',
    async (_, half) => {
      const window = (await offered()).at(-1)!;
      for (const draft of [0, 1]) {
        const { data } = await clerk.order({ ...window, ...(draft && { draft: 1 }) });
        expect(failureOf(await edit(data, half)).fields).toMatchObject({
          pickup_from: { code: 'invalid' },
        });
        expect(await clerk.get(data.id)).toMatchObject({ modifying: 0, ...window });
      }
    },
  );
});

describe('the pickup window of a sent parcel', () => {
  it('the pickup window of a sent parcel cannot be changed at a carrier that does not support it; other fields can be changed', async () => {
    const windows = await offered();
    const window = windows.at(-1)!;
    const { data } = await clerk.order(window);
    const before = await asked();
    for (const other of [windows.at(-2)!, { pickup_from: null, pickup_until: null }]) {
      const { status, ...refused } = await edit(data, other);
      expect([status, failureOf({ status, ...refused }).fields]).toEqual([
        422,
        {
          pickup_from: expect.objectContaining({ code: 'carrier_cannot_modify' }),
          pickup_until: expect.objectContaining({ code: 'carrier_cannot_modify' }),
        },
      ]);
    }
    expect(await clerk.get(data.id)).toMatchObject({ modifying: 0, ...window });
    expect((await edit(data, { remark: '轻放', ...window })).data).toMatchObject({
      remark: '轻放',
      ...window,
    });
    expect(await asked()).toBe(before);
  });
});

describe('the pickup windows that a carrier offers', () => {
  const now = new Date('2026-11-28T10:00:00+08:00');
  const at = (from: number, until: number) => ({
    starts_at: new Date(now.getTime() + from * hour),
    ends_at: new Date(now.getTime() + until * hour),
  });

  it('pickup windows that are past, too far away or too long are not offered; the others are offered once each, sorted by time', () => {
    const windows = [at(26, 28), at(2, 4), at(-4, -2), at(200, 202), at(2, 30), at(2, 4), at(5, 5)];
    expect(bookableWindows(windows, now)).toEqual([at(2, 4), at(26, 28)]);
  });

  it('at most a hundred pickup windows are offered, the earliest first, in whatever order the carrier lists the windows', () => {
    const windows = Array.from({ length: 120 }, (_, n) => at(n, n + 1)).toReversed();
    expect(bookableWindows(windows, now)).toEqual(windows.toReversed().slice(0, 100));
  });

  it('a pickup window counts as no longer offered only if the carrier serves the region and offers other windows', () => {
    const { starts_at, ends_at } = at(2, 4);
    const window = { pickup_from: starts_at, pickup_until: ends_at };
    const gone = (served: boolean, pickup_windows: { starts_at: Date; ends_at: Date }[]) =>
      lacksWindow({ served, pickup_windows }, window);
    expect(gone(true, [at(4, 6)])).toBe(true);
    expect(gone(true, [at(4, 6), at(2, 4)])).toBe(false);
    expect(gone(true, [])).toBe(false);
    expect(gone(false, [at(4, 6)])).toBe(false);
  });

  it('a pickup window is refused with the reason “no pickup windows” if the carrier offers none', () => {
    const { starts_at, ends_at } = at(2, 4);
    const window = { pickup_from: starts_at, pickup_until: ends_at };
    expect(windowProblem({ offers_windows: false }, window, now)).toEqual({
      code: 'no_pickup_windows',
    });
    expect(windowProblem({ offers_windows: true }, window, now)).toBeNull();
  });
});
