import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { openCarriers } from '#domain/carriers/carriers.ts';
import type { Carrier, CarrierAccount, Carriers } from '#domain/carriers/carriers.ts';
import { startCarrier } from '#testing/simulator.ts';
import type { TestCarrier } from '#testing/simulator.ts';
import { anOrder } from './fixture.ts';
import { signatureKinds } from './sign.ts';

let simulator: TestCarrier;
let carriers: Carriers;
let sf: Carrier;
let account: CarrierAccount;
beforeAll(async () => {
  simulator = await startCarrier();
  carriers = openCarriers({
    clock: systemClock,
    outboundAllow: [`127.0.0.1:${simulator.port}`],
    timeoutMs: 5_000,
  });
  sf = carriers.carrierOf('sf');
  account = {
    provider: 'sf',
    base_url: simulator.url,
    app_key: 'WAYSTATIONDEMO',
    app_secret: 'democheckword00000000000000000sf',
    access_token: '',
    customer_code: '7551234567',
    warehouse_code: '',
  };
});
afterAll(async () => {
  carriers.close();
  await simulator.stop();
});

let count = 0;
const next = (changes = {}) => anOrder({ order_id: `W${Date.now()}-${(count += 1)}`, ...changes });
const accepted = async (order = next()) => {
  const answer = await sf.create(account, sf.createBody(account, order));
  if (answer.outcome !== 'accepted') throw new Error(JSON.stringify(answer));
  return { ...answer, order_id: order.order_id };
};
const seek = (order_id: string) => {
  if (sf.recovers_by !== 'seek_by_our_number') throw new Error('no search');
  return sf.seek(account, { order_id, delivery_id: '' });
};
const fault = (kind: string, path = 'EXP_RECE_CREATE_ORDER') =>
  simulator.control('POST', 'faults', { kind, path, ...(kind === 'gateway' && { code: 1005 }) });

describe('calls to the SF simulator over HTTP', () => {
  it.each(signatureKinds)(
    'the SF simulator accepts a call if the partner is set to signatures of the kind %s',
    async (kind) => {
      await simulator.control('POST', 'sf/partner', {
        partner_id: account.app_key,
        signature: kind,
      });
      expect(await sf.test(account)).toMatchObject({ outcome: 'ok' });
      expect(await accepted()).toMatchObject({ repeated: false });
    },
  );

  it('a call to SF with a wrong signing word, partner ID, monthly card or clock fails, each with a different error', async () => {
    expect(await sf.test({ ...account, app_secret: 'wrong-word' })).toMatchObject({
      outcome: 'gateway',
      kind: 'signature',
      pause: true,
    });
    expect(await sf.test({ ...account, app_key: 'NOBODY' })).toMatchObject({
      outcome: 'gateway',
      kind: 'token',
      pause: true,
    });
    expect(await sf.test({ ...account, customer_code: '1' })).toMatchObject({
      outcome: 'refused',
      code: '8114',
    });
    const late = openCarriers({
      clock: { now: () => new Date(Date.now() - 600_000) },
      outboundAllow: [`127.0.0.1:${simulator.port}`],
      timeoutMs: 5_000,
    });
    expect(await late.carrierOf('sf').test(account)).toMatchObject({
      outcome: 'gateway',
      kind: 'other',
      pause: false,
      code: 'A1002',
    });
    late.close();
  });

  it.each(['drop_after', 'error_after', 'garbage_after', 'cut_after', 'drop_before', 'gateway'])(
    'an order whose call to SF meets the fault %s exists at most once, and a search shows it',
    async (kind) => {
      const order = next();
      await fault(kind);
      const first = await sf.create(account, sf.createBody(account, order));
      expect(first.outcome).toBe(kind === 'gateway' ? 'gateway' : 'unknown');
      expect(await seek(order.order_id)).toMatchObject({
        outcome: kind.endsWith('_after') ? 'accepted' : 'not_stored',
      });
    },
  );

  it.each(['first', 'error'])(
    'a repeated order at SF returns the stored waybill in the simulator’s mode %s',
    async (repeat) => {
      await simulator.control('POST', 'settings', { sf: { repeat } });
      const order = next();
      const { delivery_id } = await accepted(order);
      const again = await sf.create(account, sf.createBody(account, order));
      expect(again).toMatchObject({ outcome: 'accepted', delivery_id });
      await simulator.control('POST', 'settings', { sf: { repeat: 'first' } });
    },
  );

  it('an order with several packages at SF gets a separate waybill number for each further package', async () => {
    const { package_ids } = await accepted(next({ package_count: 3, weight: 6_500 }));
    expect(package_ids).toHaveLength(2);
  });

  it('a parcel at the SF simulator has a trace and a weight, and has a fee only after the pickup', async () => {
    const { delivery_id } = await accepted(next({ remark: '放丰巢 称重一致' }));
    expect(await sf.actualFee(account, { delivery_id })).toMatchObject({ outcome: 'refused' });
    await simulator.control('POST', `sf/orders/${delivery_id}/jump`, { to: '80' });
    const trace = await sf.trace(account, { delivery_id });
    expect(trace.outcome === 'ok' && trace.value.messages.map(({ effect }) => effect)).toEqual([
      'picked_up',
      'in_transit',
      'in_transit',
      'delivering',
      'delivering',
      'signed',
    ]);
    expect(await sf.details(account, { delivery_id })).toMatchObject({
      value: { jd_weight: 1_305 },
    });
    expect(await sf.actualFee(account, { delivery_id })).toMatchObject({
      value: { jd_amount: 2_550, jd_cal_weight: 2_000 },
    });
  });

  it('an order at SF can be changed and cancelled before the pickup, but not after the pickup', async () => {
    const [before, after] = [next(), next({ receive_name: '王五' })];
    const { delivery_id, order_id } = await accepted(before);
    const body = sf.modifyBody(account, { delivery_id }, before, {
      ...after,
      order_id,
      thr_order_id: before.thr_order_id,
    });
    expect(await sf.modify(account, body!)).toMatchObject({ outcome: 'ok' });
    const cancel = (key: { order_id: string; delivery_id: string }) =>
      sf.cancel(account, key, '不要了');
    expect(await cancel({ order_id, delivery_id })).toMatchObject({
      value: { result: 'cancelled' },
    });
    expect(await cancel({ order_id, delivery_id })).toMatchObject({
      value: { result: 'cancelled' },
    });
    const late = await accepted();
    await simulator.control('POST', `sf/orders/${late.delivery_id}/jump`, { to: '50' });
    expect(await cancel(late)).toMatchObject({ outcome: 'refused', code: '8252' });
    expect(await cancel({ ...late, delivery_id })).toMatchObject({ outcome: 'refused' });
  });

  it('an order at SF gets a pickup window that SF offers, which can be changed before the pickup', async () => {
    const places = anOrder({ promise_id: '' });
    const quoted = await sf.precheck(account, places);
    if (quoted.outcome !== 'ok') throw new Error(JSON.stringify(quoted));
    const [first, last] = [quoted.value.pickup_windows[0]!, quoted.value.pickup_windows.at(-1)!];
    const inWindow = ({ starts_at, ends_at }: typeof first) => ({
      pickup_from: starts_at,
      pickup_until: ends_at,
    });
    const windowOf = async (waybill: string) =>
      ((await simulator.control('GET', `sf/orders/${waybill}`)) as { pickup?: object }).pickup;
    const before = next(inWindow(first));
    const { delivery_id } = await accepted(before);
    expect(await windowOf(delivery_id)).toEqual({
      from: first.starts_at.getTime(),
      until: first.ends_at.getTime(),
    });
    const body = sf.modifyBody(account, { delivery_id }, before, { ...before, ...inWindow(last) });
    expect(await sf.modify(account, body!)).toMatchObject({ outcome: 'ok' });
    expect(await windowOf(delivery_id)).toEqual({
      from: last.starts_at.getTime(),
      until: last.ends_at.getTime(),
    });
    await simulator.control('POST', 'settings', { sf: { window_times: 'of_day' } });
    expect(await sf.precheck(account, places)).toMatchObject({
      value: { pickup_windows: quoted.value.pickup_windows },
    });
    await simulator.control('POST', 'settings', { sf: { window_times: 'whole' } });
    const { receive_phone: _, ...nameless } = places;
    expect(await sf.precheck(account, nameless)).toMatchObject({ value: { pickup_windows: [] } });
  });

  it('SF’s coverage answer lists the available products, or says that the place is not served', async () => {
    expect(await sf.precheck(account, anOrder({ promise_id: '' }))).toMatchObject({
      value: { served: true, products: [{ promise_id: '1' }, { promise_id: '2' }, {}, {}] },
    });
    expect(
      await sf.precheck(account, anOrder({ promise_id: '', receive_address: '超区路1号' })),
    ).toMatchObject({ value: { served: false } });
  });
});
