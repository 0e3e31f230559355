import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { anOrder, call, createOrder, example, named, paths, send } from '#testing/jdl-client.ts';
import type { Simulator } from '#simulator.ts';
import type { Json } from '#testing/jdl-client.ts';

let carrier: Simulator;
beforeAll(async () => {
  carrier = await startSimulator({ paused: true, now: Date.parse('2026-01-02T02:00:00Z') });
});
afterAll(() => carrier.close());

const create = (orderId: string, change?: Record<string, unknown>): Promise<Json> =>
  call(carrier.url, paths.create, anOrder(orderId, change));
const count = (): number => carrier.control.health().orders;

test('a created order has a waybill, an order code, a price, a presort result and all data for its label', async () => {
  const { code, success, subCode, data } = await create('C-1');
  expect({ code, success, subCode }).toEqual({ code: 0, success: true, subCode: null });
  expect(data.waybillCode).toMatch(/^JDVE\d{11}$/);
  expect(data.orderCode).toMatch(/^EO\d{13}$/);
  expect(data.needRetry).toBe(false);
  expect(data.freightPre).toBeGreaterThan(0);
  expect(data.deliveryPromiseTime).toBeGreaterThan(data.pickupPromiseTime);
  expect(data.presortResult).toMatchObject({
    startStationName: '*朝阳区示例营业部',
    endStationName: '*浦东新区示例营业部',
    endStationPresortResultType: '1',
  });
  const info = data.faceSheetResponse.faceSheetInfo;
  expect(info).toMatchObject({
    sourceSortCenterName: '北京示例分拣中心',
    targetSortCenterName: '上海示例分拣中心',
    collectionAddress: '浦东新区示例集包地',
    isHideName: 1,
    isHideContractNumbers: 1,
    transType: 0,
    orderId: 'C-1',
  });
  const fields =
    'startSiteId startSiteName endSiteId endSiteName road sourceSortCenterName originalCrossCode originalTabletrolleyCode targetSortCenterName destinationCrossCode destinationTabletrolleyCode aging agingName siteType isHideName isHideContractNumbers transType preSortCode deliveryType truckSpot mainProductCode mainProductDownGrade orderId expressOperationMode goodsType collectionAddress distributeCode coverCode qrcodeUrl';
  expect(Object.keys(info).toSorted()).toEqual(fields.split(' ').toSorted());
});

test('the published example request has a valid signature and is refused only because it lacks a channel code', async () => {
  const body =
    '[{"orderId":"T202601020001","orderOrigin":1,"customerCode":"010K000001","settleType":3,"senderContact":{"name":"张三","mobile":"13800000001","fullAddress":"北京市朝阳区示例路1号"},"receiverContact":{"name":"李四","mobile":"13900000002","fullAddress":"上海市浦东新区示例路2号"},"productsReq":{"productCode":"ed-m-0001","addedProducts":[{"productCode":"ed-a-0002","productAttrs":{"guaranteeMoney":"500"}}]},"cargoes":[{"name":"文件","quantity":1,"weight":1.5,"volume":1000}]}]';
  const answer = await call(carrier.url, paths.create, null, { body });
  expect(answer.error_response).toBeUndefined();
  expect(answer).toMatchObject({ success: false, msg: expect.stringContaining('channelCode') });
  const named = body.replace(/}]$/, ',"commonChannelInfo":{"channelCode":"0030001"}}]');
  expect((await call(carrier.url, paths.create, null, { body: named })).success).toBe(true);
});

test('two orders to the same address get the same label data, and an order to another city gets different data', async () => {
  const label = async (orderId: string, fullAddress: string): Promise<Json> => {
    const answer = await create(orderId, {
      receiverContact: { name: '李四', mobile: '13900000002', fullAddress },
    });
    const { orderId: _own, qrcodeUrl: _too, ...info } = answer.data.faceSheetResponse.faceSheetInfo;
    return info;
  };
  const first = await label('C-2', '四川省成都市武侯区示例街3号');
  expect(await label('C-3', '四川省成都市武侯区示例街3号')).toEqual(first);
  expect(await label('C-4', '四川省绵阳市涪城区示例街3号')).not.toEqual(first);
});

test('waybills are counted from the configured start', async () => {
  const other = await startSimulator({ paused: true, firstNumber: 41 });
  expect(await createOrder(other.url, 'N-1')).toBe('JDVE00000000041');
  expect(await createOrder(other.url, 'N-2')).toBe('JDVE00000000042');
  await other.close();
});

describe('a repeated order number', () => {
  test('a repeated order number returns the existing waybill with sub-code 0_0001, even if the JSON keys have another order', async () => {
    const first = await create('R-1');
    const before = count();
    const again = await create('R-1');
    expect(again).toMatchObject({ code: 0, success: true, subCode: '0_0001' });
    expect(again.data).toEqual(first.data);
    const turned = Object.fromEntries(Object.entries(anOrder('R-1')).toReversed());
    expect((await call(carrier.url, paths.create, turned)).data.waybillCode).toBe(
      first.data.waybillCode,
    );
    expect(count()).toBe(before);
  });

  test('a repeated order number is a business error in the error mode; the configuration decides if the error contains the waybill', async () => {
    const first = await create('R-2');
    carrier.control.change({ repeat_mode: 'error' });
    const without = await create('R-2');
    carrier.control.change({
      repeat_error: { code: 4021, sub_code: null, message: '订单号重复了', with_waybill: true },
    });
    const withWaybill = await create('R-2');
    carrier.control.change({ repeat_mode: 'existing' });
    expect(without).toMatchObject({
      success: false,
      subCode: '0_0001',
      msg: '商家订单号重复',
      data: null,
    });
    expect(withWaybill).toMatchObject({
      success: false,
      code: 4021,
      subCode: null,
      msg: '订单号重复了',
      data: { waybillCode: first.data.waybillCode },
    });
  });

  test.each(['existing', 'error'] as const)(
    'a repeated order number with other content is refused in mode %s, and the order is unchanged',
    async (mode) => {
      const waybill = await createOrder(carrier.url, `R-3-${mode}`);
      carrier.control.change({ repeat_mode: mode });
      const answer = await create(`R-3-${mode}`, { remark: 'changed' });
      carrier.control.change({ repeat_mode: 'existing' });
      expect(answer).toMatchObject({
        success: false,
        msg: '商家订单号已存在，且订单内容不一致',
        data: null,
      });
      expect(carrier.control.order(waybill)['remark']).toBe('');
    },
  );

  test('an order number creates a second order if it is used with another customer code', async () => {
    carrier.control.addApplication({
      app_key: 'second',
      app_secret: 'second-secret',
      accounts: [{ access_token: 'second-token', customer_codes: ['020K000002', '020K000003'] }],
    });
    const first = await createOrder(carrier.url, 'R-4');
    const identity = {
      appKey: 'second',
      appSecret: 'second-secret',
      accessToken: 'second-token',
      customerCode: '020K000002',
    };
    const second = await call(
      carrier.url,
      paths.create,
      anOrder('R-4', { customerCode: '020K000002' }),
      { identity },
    );
    expect(second).toMatchObject({ success: true, subCode: null });
    expect(second.data.waybillCode).not.toBe(first);
  });

  test('an order number that the carrier refused may be used again for another order', async () => {
    expect((await create('R-5', { remark: '拒单' })).success).toBe(false);
    expect((await create('R-5')).subCode).toBeNull();
  });

  test('an order number that is sent in a hundred simultaneous requests creates one order', async () => {
    const before = count();
    const answers = await Promise.all(Array.from({ length: 100 }, () => create('R-6')));
    expect(new Set(answers.map((answer) => answer.data.waybillCode)).size).toBe(1);
    expect(answers.filter((answer) => answer.subCode === null)).toHaveLength(1);
    expect(count()).toBe(before + 1);
  });
});

const contact = { name: '李四', mobile: '13900000002', fullAddress: '上海市浦东新区示例路2号' };

describe('numbers fetched before', () => {
  test('each prefetched waybill number can be used for one order only, and an order without a number never gets a prefetched one', async () => {
    const numbers = (
      await call(carrier.url, paths.numbers, {
        orderOrigin: 1,
        customerCode: example.customerCode,
        sum: 3,
      })
    ).data as string[];
    expect(numbers).toHaveLength(3);
    expect(new Set(numbers).size).toBe(3);
    expect(numbers.every((number) => /^JDVE\d{11}$/.test(number))).toBe(true);
    expect((await create('P-1', { waybillCode: numbers[1] })).data.waybillCode).toBe(numbers[1]);
    expect(await create('P-2', { waybillCode: numbers[1] })).toMatchObject({
      success: false,
      msg: '运单号已被使用',
    });
    expect(numbers).not.toContain(await createOrder(carrier.url, 'P-3'));
  });

  test('prefetched numbers are valid for three months', async () => {
    const other = await startSimulator({ paused: true });
    const numbers = (
      await call(other.url, paths.numbers, {
        orderOrigin: 1,
        customerCode: example.customerCode,
        sum: 1,
      })
    ).data as string[];
    other.control.advance(93 * 86_400_000);
    expect(
      await call(other.url, paths.create, anOrder('P-4', { waybillCode: numbers[0] })),
    ).toMatchObject({ success: false, msg: '预取的运单号已过期' });
    await other.close();
  });

  test('at most 500 waybill numbers can be prefetched in one request', async () => {
    expect(
      (
        await call(carrier.url, paths.numbers, {
          orderOrigin: 1,
          customerCode: example.customerCode,
          sum: 501,
        })
      ).success,
    ).toBe(false);
    expect(
      (
        await call(carrier.url, paths.numbers, {
          orderOrigin: 1,
          customerCode: example.customerCode,
          sum: 500,
        })
      ).data,
    ).toHaveLength(500);
  });
});

describe('keywords', () => {
  test('an order with 超区 in its address or remark is refused', async () => {
    const before = count();
    expect(
      await create('K-1', {
        receiverContact: { ...contact, fullAddress: '上海市崇明区超区村1号' },
      }),
    ).toMatchObject({ success: false });
    expect(await create('K-1', { remark: '超区' })).toMatchObject({ success: false });
    expect(count()).toBe(before);
  });

  test('an order with the keyword 人工预分拣 returns needRetry until it was sorted by hand, and then the same waybill', async () => {
    const first = await create('K-2', { remark: '人工预分拣' });
    expect(first.data).toMatchObject({
      needRetry: true,
      presortResult: { endStationPresortResultType: '0', endStationNo: '' },
    });
    carrier.control.advance(31 * 60_000);
    const later = await create('K-2', { remark: '人工预分拣' });
    expect(later).toMatchObject({
      subCode: '0_0001',
      data: { needRetry: false, waybillCode: first.data.waybillCode },
    });
    expect(later.data.presortResult.endStationPresortResultType).toBe('1');
    expect(later.data.faceSheetResponse.faceSheetInfo.endSiteName).toBe('*浦东新区示例营业部');
  });

  test('an order with the keyword 限流 is refused as too frequent twice, and is accepted at the third attempt', async () => {
    const codes = [];
    for (let i = 0; i < 3; i += 1) {
      const answer = await create('K-3', { remark: '限流' });
      codes.push(answer.error_response?.code ?? answer.subCode);
    }
    expect(codes).toEqual([2, 2, null]);
  });

  test('an order with 断线 or 服务错误 is stored but its response is lost, and a repeat returns success with sub-code 0_0001', async () => {
    await expect(
      send(carrier.url, paths.create, anOrder('K-4', { remark: '断线' })),
    ).rejects.toThrow();
    expect(await create('K-4', { remark: '断线' })).toMatchObject({
      success: true,
      subCode: '0_0001',
    });
    expect(
      (await send(carrier.url, paths.create, anOrder('K-5', { remark: '服务错误' }))).status,
    ).toBe(500);
    expect(await create('K-5', { remark: '服务错误' })).toMatchObject({
      success: true,
      subCode: '0_0001',
    });
  });

  test('an order with the keyword 慢应答 is stored immediately and answered late', async () => {
    carrier.control.change({ slow_ms: 1_000 });
    const before = count();
    const startedAt = performance.now();
    let answered = false;
    const answer = create('K-6', { remark: '慢应答' }).finally(() => (answered = true));
    await expect.poll(count).toBe(before + 1);
    expect(answered).toBe(false);
    expect((await answer).success).toBe(true);
    expect(performance.now() - startedAt).toBeGreaterThan(980);
  });

  test('an order with the keyword 时效降级 is shipped with a slower product, and the response reports the downgrade', async () => {
    const { data } = await create('K-7', {
      remark: '时效降级',
      productsReq: { productCode: 'ed-m-0002' },
    });
    expect(data.productsResponse.productCode).toBe('ed-m-0001');
    expect(data.faceSheetResponse.faceSheetInfo).toMatchObject({
      mainProductCode: 'ed-m-0001',
      mainProductDownGrade: 1,
    });
  });
});

test('an order is found by its waybill only with the customer code that created it, and an unknown waybill is not found', async () => {
  const waybill = await createOrder(carrier.url, 'F-1');
  expect((await call(carrier.url, paths.status, named(waybill))).success).toBe(true);
  expect(await call(carrier.url, paths.status, named('JDVE99999999999'))).toMatchObject({
    success: false,
    msg: '运单不存在',
  });
  const stranger = {
    appKey: 'second',
    appSecret: 'second-secret',
    accessToken: 'second-token',
    customerCode: '020K000002',
  };
  const answer = await call(
    carrier.url,
    paths.status,
    named(waybill, { customerCode: '020K000002' }),
    { identity: stranger },
  );
  expect(answer).toMatchObject({ success: false, msg: '运单不存在' });
  const own = (
    await call(carrier.url, paths.create, anOrder('F-2', { customerCode: '020K000002' }), {
      identity: stranger,
    })
  ).data.waybillCode;
  const under = (customerCode: string): Promise<Json> =>
    call(carrier.url, paths.status, named(own, { customerCode }), { identity: stranger });
  expect([(await under('020K000002')).success, (await under('020K000003')).success]).toEqual([
    true,
    false,
  ]);
});
