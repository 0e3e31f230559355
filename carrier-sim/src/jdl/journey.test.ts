import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { call, createOrder, named, paths } from '#testing/jdl-client.ts';
import type { Simulator } from '#simulator.ts';
import type { Json } from '#testing/jdl-client.ts';

const hour = 3_600_000;
const day = 24 * hour;
let carrier: Simulator;
beforeAll(async () => {
  carrier = await startSimulator({ paused: true, now: Date.parse('2026-01-02T02:00:00Z') });
});
afterAll(() => carrier.close());

const trace = async (waybill: string): Promise<Json[]> =>
  (await call(carrier.url, paths.trace, named(waybill))).data.traceDetails;
const codes = (nodes: Json[]): string[] =>
  nodes.map((node) => [node.category ?? '-', node.state ?? '-'].join('/'));
const journey = async (
  orderId: string,
  remark: string,
  days = 12,
): Promise<{ waybill: string; nodes: Json[] }> => {
  const waybill = await createOrder(carrier.url, orderId, { remark });
  carrier.control.advance(days * day);
  return { waybill, nodes: await trace(waybill) };
};

test('a parcel passes all trace nodes of the carrier’s published table from the order to the delivery', async () => {
  const { waybill, nodes } = await journey('J-1', '');
  expect(codes(nodes)).toEqual([
    '100/-',
    '390/200034',
    '420/200001',
    '430/200076',
    '430/10032',
    '430/200076',
    '430/200075',
    '440/11000',
    '510/10034',
  ]);
  expect(nodes.map((node) => node.categoryName)).toEqual([
    '已下单',
    '揽收中',
    '已揽收',
    '运输中',
    '运输中',
    '运输中',
    '运输中',
    '派送中',
    '妥投',
  ]);
  const times = nodes.map((node) => node.operationTime as string);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBe(times.length);
  for (const node of nodes) {
    expect(node.waybillCode).toBe(waybill);
    expect(node.operationTime).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    for (const field of [
      'operationTitle',
      'operationRemark',
      'operatorName',
      'operatorPhone',
      'operateSiteId',
    ])
      expect(node[field]).not.toBe('');
  }
});

test('couriers come between eight in the morning and eight in the evening', async () => {
  for (let i = 0; i < 12; i += 1) {
    const { nodes } = await journey(`J-day-${i}`, '');
    const rings = nodes
      .filter((node) => [420, 440, 510].includes(node.category))
      .map((node) => Number((node.operationTime as string).slice(11, 13)));
    expect(rings.every((at) => at >= 8 && at < 20)).toBe(true);
  }
});

test('the status of a simulated parcel passes through the codes of its trace in order', async () => {
  const waybill = await createOrder(carrier.url, 'J-2');
  const seen = new Set<number>();
  for (let i = 0; i < 120; i += 1) {
    seen.add((await call(carrier.url, paths.status, named(waybill))).data.status);
    carrier.control.advance(hour);
  }
  expect([...seen]).toEqual([100, 390, 420, 430, 440, 510]);
});

describe('by keyword', () => {
  test('the pickup of a parcel with the keyword 终止揽收 is ended, and its status is 690 with the description 终止揽收', async () => {
    const { waybill, nodes } = await journey('J-3', '终止揽收');
    expect(codes(nodes)).toEqual(['100/-', '390/200034', '-/200052']);
    expect((await call(carrier.url, paths.status, named(waybill))).data).toEqual({
      status: 690,
      statusDesc: '终止揽收',
    });
    expect((await call(carrier.url, paths.fee, named(waybill))).success).toBe(false);
  });

  test('a parcel with the keyword 拒收 is refused by its receiver and returns to the sender under the same waybill', async () => {
    const { nodes } = await journey('J-4', '如遇拒收');
    expect(codes(nodes).slice(-6)).toEqual([
      '530/10035',
      '700/-',
      '430/200076',
      '430/200075',
      '440/11000',
      '510/10034',
    ]);
    expect(nodes.at(-1).operationRemark).toBe('包裹已退回寄件人');
  });

  test('a parcel with the keyword 退回 gets a return shipment that moves by itself; the parcel’s last trace row shows its new waybill', async () => {
    const { waybill, nodes } = await journey('J-5', '退回');
    const last = nodes.at(-1);
    expect(codes([last])).toEqual(['-/200020']);
    const fresh = /JDVE\d{11}/.exec(last.operationRemark)?.[0] as string;
    expect(fresh).not.toBe(waybill);
    expect(carrier.control.order(waybill)).toMatchObject({ return_waybill: fresh });
    expect(carrier.control.order(fresh)).toMatchObject({ return_of: waybill, order_id: 'J-5' });
    carrier.control.advance(8 * day);
    const home = await trace(fresh);
    expect(codes(home).at(-1)).toBe('510/10034');
    expect(home[0].operationTime > last.operationTime).toBe(true);
    expect((await call(carrier.url, paths.fee, named(fresh))).data.sumMoney).toBeGreaterThan(0);
    const again = await call(carrier.url, paths.cancel, {
      customerOrderId: 'J-5',
      orderOrigin: 1,
      customerCode: '010K000001',
      cancelReason: 'x',
      cancelReasonCode: '1',
      cancelType: 1,
    });
    expect(again.data.resultType).toBe(3);
  });

  test('a parcel with the keyword 再投 is delivered at the second attempt', async () => {
    const { nodes } = await journey('J-6', '再投');
    expect(codes(nodes).slice(-4)).toEqual(['440/11000', '440/200023', '440/11000', '510/10034']);
  });

  test('a parcel with the keyword 重量更正 is weighed again after delivery, and its fee is corrected', async () => {
    const waybill = await createOrder(carrier.url, 'J-7', {
      remark: '重量更正',
      cargoes: [{ name: '砖', quantity: 1, weight: 30, volume: 1000 }],
    });
    carrier.control.jump(waybill, 'delivered');
    const first = (await call(carrier.url, paths.details, named(waybill))).data.cargoes[0]
      .againWeight;
    carrier.control.advance(3 * day);
    const second = (await call(carrier.url, paths.details, named(waybill))).data.cargoes[0]
      .againWeight;
    expect(second).not.toBe(first);
    expect(codes(await trace(waybill)).at(-1)).toBe('510/10034');
  });

  test('the second weighing of a parcel with the keyword 重量更正 differs from its first, even for the lightest parcel', async () => {
    for (let i = 0; i < 12; i += 1) {
      const waybill = await createOrder(carrier.url, `J-light-${i}`, {
        remark: '重量更正',
        cargoes: [{ name: '信', quantity: 1, weight: 0.02, volume: 10 }],
      });
      carrier.control.jump(waybill, 'delivered');
      const first = carrier.control.order(waybill)['again_weight'];
      carrier.control.advance(3 * day);
      expect(carrier.control.order(waybill)['again_weight']).not.toBe(first);
    }
  });

  test('a parcel with the keywords 包装费 and 超尺寸 is charged both surcharges once it has arrived', async () => {
    const waybill = await createOrder(carrier.url, 'J-8', { remark: '包装费 超尺寸' });
    carrier.control.jump(waybill, 'picked_up');
    const types = async (): Promise<string[]> =>
      (await call(carrier.url, paths.fee, named(waybill))).data.commonActualFeeInfoDetails.map(
        (line: Json) => line.feeType,
      );
    expect(await types()).toEqual(['QIPSF', 'QLBJ']);
    carrier.control.jump(waybill, 'delivered');
    expect(await types()).toEqual(['QIPSF', 'QLBJ', 'QLHCF', 'kkcccc']);
  });
});

describe('the scale', () => {
  test('the simulated scale measures 0.9 to 1.3 times the declared weight, in steps of ten grams', async () => {
    const weights: number[] = [];
    for (let i = 0; i < 60; i += 1) {
      const waybill = await createOrder(carrier.url, `W-${i}`, {
        cargoes: [{ name: '书', quantity: 1, weight: 10, volume: 1000 }],
      });
      carrier.control.jump(waybill, 'picked_up');
      weights.push(carrier.control.order(waybill)['again_weight'] as number);
    }
    expect(Math.min(...weights)).toBeGreaterThanOrEqual(9000);
    expect(Math.max(...weights)).toBeLessThanOrEqual(13_000);
    expect(weights.every((weight) => weight % 10 === 0)).toBe(true);
    expect(new Set(weights).size).toBeGreaterThan(30);
  });

  test('the simulator measures the declared weight of a parcel with the keyword 称重一致', async () => {
    const waybill = await createOrder(carrier.url, 'W-same', { remark: '称重一致' });
    carrier.control.jump(waybill, 'picked_up');
    expect((await call(carrier.url, paths.details, named(waybill))).data.cargoes[0]).toMatchObject({
      againWeight: '1.50',
      againVolume: '1000',
    });
  });
});

test('the same seed gives every simulated parcel the same history in any order of arrival, and another seed gives other histories', async () => {
  const rates = {
    pickup_ended: 0.2,
    refused: 0.2,
    relabelled: 0.2,
    redelivered: 0.2,
    corrected: 0.3,
    packaging: 0.5,
  };
  const fates = async (seed: string, ids: string[]): Promise<Map<string, string>> => {
    const other = await startSimulator({
      paused: true,
      seed,
      now: Date.parse('2026-01-02T02:00:00Z'),
      settings: { rates },
    });
    const waybills = new Map<string, string>();
    for (const id of ids) waybills.set(id, await createOrder(other.url, id));
    other.control.advance(20 * day);
    const found = new Map<string, string>();
    for (const [id, waybill] of waybills) {
      const { trace: nodes, again_weight: weight, fees } = other.control.order(waybill) as Json;
      found.set(
        id,
        JSON.stringify([nodes.map((node: Json) => [node.state, node.operationTime]), weight, fees]),
      );
    }
    await other.close();
    return found;
  };
  const ids = Array.from({ length: 30 }, (_, i) => `S-${i}`);
  const first = await fates('one', ids);
  const second = await fates('one', ids.toReversed());
  for (const id of ids) expect(second.get(id)).toBe(first.get(id));
  expect(new Set(first.values()).size).toBeGreaterThan(20);
  const third = await fates('two', ids);
  expect(ids.some((id) => third.get(id) !== first.get(id))).toBe(true);
});

test('among simulated parcels, the rates of ended pickups and of returns are close to the configured rates', async () => {
  const other = await startSimulator({
    paused: true,
    settings: { rates: { pickup_ended: 0.1, refused: 0.1, relabelled: 0.1 } },
  });
  for (let i = 0; i < 400; i += 1) await createOrder(other.url, `rate-${i}`);
  other.control.advance(20 * day);
  const { orders } = other.control.orders({ limit: 5000 });
  const share = (test: (order: Json) => boolean): number =>
    orders.filter((order) => order.return_of === null && test(order)).length / 400;
  expect(share((order) => order.state === '200052')).toBeCloseTo(0.1, 1);
  expect(share((order) => order.return_waybill !== null)).toBeCloseTo(0.1, 1);
  await other.close();
});

test('the simulator’s courier does not pick up a parcel before the hour that its sender has requested', async () => {
  const now = Date.parse(carrier.control.clock().now);
  const from = now + 5 * day;
  const waybill = await createOrder(carrier.url, 'J-9', {
    pickupStartTime: from,
    pickupEndTime: from + 2 * hour,
  });
  carrier.control.advance(10 * day);
  const pickup = (await trace(waybill)).find((node) => node.category === 420);
  expect(
    Date.parse(`${(pickup.operationTime as string).replace(' ', 'T')}+08:00`),
  ).toBeGreaterThanOrEqual(Math.floor(from / 1000) * 1000);
});
