import { inconsistencies } from '#testing/consistency.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  parcelClient,
  failureOf,
  carrierRequests,
  runJobNow,
  statementsOf,
} from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { standingClock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { cancelParcel } from './cancel.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { cancelClient } from '#testing/cancel-client.ts';
import type { CancelClient } from '#testing/cancel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { askTraceTask } from './queues.ts';

let system: TestSystem;
let clerk: ParcelClient;
let { cancel, cancelCalls, jump, at, answersOf, cancelNotices } = {} as CancelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
  ({ cancel, cancelCalls, jump, at, answersOf, cancelNotices } = cancelClient(system, clerk));
});
afterEach(async () => {
  await system.carrier.control('DELETE', 'faults');
  await system.carrier.control('POST', 'settings', { push: { on: true } });
});
afterAll(() => system.close());

describe('an interception', () => {
  it('an interception that the carrier refuses leaves the parcel in transit, adds the carrier’s text to the track, and creates a notice', async () => {
    const parcel = await at('sorted', 210);
    const { last_event_at } = await clerk.get(parcel.id);
    await system.carrier.control('POST', 'faults', {
      kind: 'refuse',
      path: '/ecap/v1/orders/cancel',
      message: '该运单不支持拦截',
    });
    expect((await cancel(parcel.id)).data).toMatchObject({
      state_code: 210,
      intercepting: 0,
      canceling: 0,
      state_remark: '该运单不支持拦截',
      last_event_at,
    });
    expect(await answersOf(parcel.id)).toEqual([
      { state: 'intercept_failed', remark: '该运单不支持拦截' },
    ]);
    expect(await cancelNotices(parcel.id)).toBe(1);
    expect((await cancel(parcel.id)).data).toMatchObject({
      state_code: 210,
      intercepting: 1,
      last_event_at,
    });
  });

  it('an interception of a parcel that is signed for ends with a notice to the user who requested it, and the parcel is charged', async () => {
    const parcel = await at('out', 220);
    expect((await cancel(parcel.id)).data).toMatchObject({ intercepting: 1 });
    await jump(parcel, 'delivered');
    expect(await clerk.until(parcel.id, 300)).toMatchObject({
      intercepting: 0,
      canceling: 0,
      return_delivery_id: null,
    });
    expect(await cancelNotices(parcel.id)).toBe(1);
    await eventually(async () => (await clerk.get(parcel.id)).charged_at !== null);
    expect(failureOf(await cancel(parcel.id))).toMatchObject({ code: 'cannot_cancel' });
  });

  it.each([
    ['in transit', 'sorted', 210, {}],
    ['out for delivery', 'out', 220, {}],
    ['refused by its recipient', 'refused', 400, { remark: '拒收' }],
  ] as const)(
    'a parcel %s is intercepted by the same call, and keeps its state until the result',
    async (_, to, state, changes) => {
      const parcel = await at(to, state, changes);
      expect((await cancel(parcel.id)).data).toMatchObject({
        state_code: state,
        intercepting: 1,
        canceling: 0,
        cancel_uid: expect.any(Number),
      });
      const [call] = (await carrierRequests(system, '/cancel')).filter(({ body }) =>
        body.includes(`"${parcel.delivery_id}"`),
      );
      expect(JSON.parse(call!.body)).toMatchObject([
        { cancelReason: '客户取消', cancelReasonCode: '1', cancelType: 1, subscribeIntercept: '1' },
      ]);
    },
  );

  it.each(['drop_after', 'garbage_after', 'error_before'])(
    'an interception with an unknown outcome (%s) is repeated by the same call, and the parcel is intercepted once',
    async (kind) => {
      const parcel = await at('picked_up', 200);
      await system.carrier.control('POST', 'faults', { kind, path: '/ecap/v1/orders/cancel' });
      const answer = cancel(parcel.id);
      await eventually(async () => (await cancelCalls(parcel.delivery_id)) === 1);
      await runJobNow(system, `cancel_parcel:${parcel.id}`);
      expect((await answer).data).toMatchObject({ state_code: 200, intercepting: 1 });
      const bodies = (await carrierRequests(system, '/cancel'))
        .filter(({ body }) => body.includes(`"${parcel.delivery_id}"`))
        .map(({ body }) => body);
      expect(new Set(bodies).size).toBe(1);
      const messages = await rowsOf(
        system,
        sql`select 1 from express_messages
        where express_id = ${parcel.id} and effect = 'intercepting'`,
      );
      expect(messages).toHaveLength(1);
      const calls = await rowsOf(
        system,
        sql`select 1 from carrier_calls
        where express_id = ${parcel.id} and operation = 'cancel'`,
      );
      expect(calls).toHaveLength(2);
    },
  );

  it('an interception without a result for seven days ends with a notice to the user who requested it, and can be requested again', async () => {
    const parcel = await at('picked_up', 200);
    await cancel(parcel.id);
    const later = standingClock(new Date(Date.now() + 8 * 86_400_000));
    await cancelParcel({ ...system.app, clock: later }, { express_id: parcel.id });
    const left = await eventually(async () => {
      const found = await clerk.get(parcel.id);
      return found.intercepting === 0 ? found : null;
    });
    expect(left).toMatchObject({
      state_code: 200,
      state_reason: { code: 'intercept_unanswered', params: { days: 7 } },
    });
    expect(await cancelNotices(parcel.id)).toBe(1);
    expect((await cancel(parcel.id)).data).toMatchObject({ intercepting: 1 });
  });

  it('an intercepted parcel that returns under a new waybill is charged the fee of the return, and nothing is refunded', async () => {
    const parcel = await at('picked_up', 200, { remark: '退回 称重一致' });
    await cancel(parcel.id);
    await system.carrier.control('POST', 'settings', { push: { on: false } });
    await system.carrier.advance(3 * 3_600_000);
    await runJobNow(system, `cancel_parcel:${parcel.id}`);
    expect(await clerk.until(parcel.id, 410)).toMatchObject({ exception: 'returning' });
    await system.carrier.advance(12 * 86_400_000);
    await system.app.db.tx(systemScope('test'), (work) =>
      addJob(work, askTraceTask, { express_id: parcel.id }),
    );
    expect(await clerk.until(parcel.id, 420)).toMatchObject({
      exception: null,
      return_delivery_id: expect.stringMatching(/^JDVE/),
    });
    const { post_amount } = await eventually(async () => {
      const found = await clerk.get(parcel.id);
      return found.surcharge_amount > 0 && found.charged_at !== null ? found : null;
    });
    const rows = await statementsOf(system, parcel.id);
    expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(-post_amount);
    expect(rows.map(({ type }) => type)).not.toContain('refund');
    expect(failureOf(await cancel(parcel.id))).toMatchObject({ code: 'cannot_cancel' });
  });
});

describe('the final checks of this file', () => {
  it('after all other tests of this file, the ledger is valid and the carrier’s orders match the product’s parcels', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
