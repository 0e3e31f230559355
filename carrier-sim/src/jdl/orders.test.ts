import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import { call, createOrder, example, named, paths } from '#testing/jdl-client.ts';
import type { Simulator } from '#simulator.ts';
import type { Json } from '#testing/jdl-client.ts';

let carrier: Simulator;
beforeAll(async () => {
  carrier = await startSimulator({
    paused: true,
    settings: { contract_rate: 10_000, weigh_from: 10_000, weigh_to: 10_000 },
  });
});
afterAll(() => carrier.close());

const ask = (path: string, content: Record<string, unknown>): Promise<Json> =>
  call(carrier.url, path, content);
const state = (waybill: string): Json => carrier.control.order(waybill);

describe('precheck', () => {
  const addresses = {
    orderOrigin: 1,
    customerCode: example.customerCode,
    senderContact: { fullAddress: '广东省广州市天河区示例路1号' },
    receiverContact: { fullAddress: '广东省广州市白云区示例路2号' },
  };

  test('precheck of two addresses gives coverage, pickup windows and products, but no price', async () => {
    const { data } = await ask(paths.precheck, addresses);
    expect(data.shipmentInfo).toMatchObject({
      startStationName: '*天河区示例营业部',
      endStationName: '*白云区示例营业部',
    });
    expect(data.productInfos.map((product: Json) => product.productCode)).toEqual([
      'ed-m-0001',
      'ed-m-0002',
      'ed-m-0012',
      'ed-m-0019',
    ]);
    expect(data.pickupSliceTimes).toHaveLength(3);
    expect(data.pickupSliceTimes[1].pickupSliceTimes).toHaveLength(5);
    expect(data.productInfos[0].freightPre).toBeUndefined();
    expect(data.commonFeeInfoResponse).toBeUndefined();
  });

  test('precheck with cargo and product gives the price: 5 kg within the province cost 17.20', async () => {
    const { data } = await ask(paths.precheck, {
      ...addresses,
      productsReq: { productCode: 'ed-m-0001' },
      cargoes: [
        { name: '配件', quantity: 1, weight: 5, volume: 1000, length: 50, width: 50, hight: 50 },
      ],
    });
    expect(data).toMatchObject({ totalFreightPre: 17.2, totalFreightStandard: 17.2 });
    expect(data.productInfos).toHaveLength(1);
    expect(data.productInfos[0]).toMatchObject({
      productCode: 'ed-m-0001',
      productName: '京东标快',
      feeType: 'QIPSF',
      freightPre: 17.2,
    });
    expect(data.commonFeeInfoResponse).toEqual({
      calWeight: 5,
      currency: 'CNY',
      totalAmount: 17.2,
      totalPreAmount: 17.2,
      feeDetailInfoResponseList: [
        {
          costNo: 'QIPSF',
          costName: '快递运费',
          amount: 17.2,
          preAmount: 17.2,
          currency: 'CNY',
          productCode: 'ed-m-0001',
          productName: '京东标快',
        },
      ],
    });
  });

  test('precheck calculates the price from the volume if the volumetric weight is higher, and includes the insurance', async () => {
    const { data } = await ask(paths.precheck, {
      ...addresses,
      productsReq: {
        productCode: 'ed-m-0001',
        addedProducts: [{ productCode: 'ed-a-0002', productAttrs: { guaranteeMoney: '1000' } }],
      },
      cargoes: [{ name: '配件', quantity: 1, weight: 5, volume: 64_001 }],
    });
    expect(data.commonFeeInfoResponse.calWeight).toBe(9);
    expect(data.commonFeeInfoResponse.totalAmount).toBe(25.5);
  });

  test('precheck of an address out of area or without a province is refused', async () => {
    expect(
      (
        await ask(paths.precheck, {
          ...addresses,
          receiverContact: { fullAddress: '西藏自治区那曲市超区乡' },
        })
      ).success,
    ).toBe(false);
    expect(
      (
        await ask(paths.precheck, {
          ...addresses,
          receiverContact: { fullAddress: '天河区示例路' },
        })
      ).success,
    ).toBe(false);
  });

  test('a precheck stores no order', async () => {
    const before = carrier.control.health().orders;
    await ask(paths.precheck, addresses);
    expect(carrier.control.health().orders).toBe(before);
  });
});

describe('modify', () => {
  const moved = { name: '王五', mobile: '13700000003', fullAddress: '江苏省南京市鼓楼区示例路9号' };

  test('modify changes the receiver, the number of pieces, the product with its services, the payment method and the remark of an order', async () => {
    const waybill = await createOrder(carrier.url, 'M-1');
    const answer = await ask(
      paths.modify,
      named(waybill, {
        receiverContact: moved,
        cargoes: [{ quantity: 3 }],
        productsReq: { productCode: 'ed-m-0002' },
        settleType: 1,
        remark: '新的备注',
      }),
    );
    expect(answer).toMatchObject({
      success: true,
      data: { waybillCode: waybill, orderCode: state(waybill).order_code },
    });
    expect(state(waybill)).toMatchObject({
      pieces: 3,
      product_code: 'ed-m-0002',
      insured: 0,
      remark: '新的备注',
      receiver: { name: '王五' },
    });
  });

  test('a modification also finds the order by the merchant’s order number', async () => {
    const waybill = await createOrder(carrier.url, 'M-2');
    await ask(paths.modify, {
      orderId: 'M-2',
      orderOrigin: 1,
      customerCode: example.customerCode,
      remark: 'x',
    });
    expect(state(waybill).remark).toBe('x');
  });

  test('a modify request keeps the trace nodes that the parcel already had', async () => {
    const waybill = await createOrder(carrier.url, 'M-3');
    carrier.control.jump(waybill, 'out');
    const before = state(waybill).trace;
    await ask(paths.modify, named(waybill, { receiverContact: moved }));
    expect(state(waybill).trace).toEqual(before);
    carrier.control.jump(waybill, 'delivered');
    expect(state(waybill).trace.slice(0, before.length)).toEqual(before);
  });

  test.each(['delivered', 'pickup_ended', 'cancelled', 'returning'] as const)(
    'a modification is refused once the parcel is %s',
    async (code) => {
      const waybill = await createOrder(carrier.url, `M-4-${code}`);
      carrier.control.jump(waybill, code);
      expect((await ask(paths.modify, named(waybill, { remark: 'late' }))).success).toBe(false);
      expect(state(waybill).remark).toBe('');
    },
  );

  test('a modification is refused if it changes the sender, changes nothing, or moves the parcel out of the delivery area', async () => {
    const waybill = await createOrder(carrier.url, 'M-5');
    expect((await ask(paths.modify, named(waybill, { senderContact: moved }))).success).toBe(false);
    expect((await ask(paths.modify, named(waybill))).success).toBe(false);
    expect(
      (
        await ask(
          paths.modify,
          named(waybill, { receiverContact: { ...moved, fullAddress: '江苏省南京市超区' } }),
        )
      ).success,
    ).toBe(false);
    expect(state(waybill).receiver.name).toBe('李四');
  });
});

describe('weights and fees', () => {
  test('the simulator returns no measured weight and no fee before the pickup', async () => {
    const waybill = await createOrder(carrier.url, 'F-1');
    expect((await ask(paths.details, named(waybill))).data.cargoes[0]).toMatchObject({
      quantity: 1,
      againWeight: null,
      againVolume: null,
    });
    expect(await ask(paths.fee, named(waybill))).toMatchObject({ success: false, data: null });
  });

  test('after the pickup the simulator returns weights as text and fees in yuan', async () => {
    const waybill = await createOrder(carrier.url, 'F-2', {
      cargoes: [{ name: '书', quantity: 2, weight: 5.2, volume: 3000 }],
    });
    carrier.control.jump(waybill, 'picked_up');
    expect((await ask(paths.details, named(waybill))).data.cargoes[0]).toMatchObject({
      quantity: 2,
      againWeight: '5.20',
      againVolume: '3000',
    });
    const { data } = await ask(paths.fee, named(waybill));
    expect(data.commonActualFeeInfoDetails).toEqual([
      { feeType: 'QIPSF', money: 12 + 5 * 2.2 },
      { feeType: 'QLBJ', money: 0.55 },
    ]);
    expect(data.sumMoney).toBe(23.55);
    expect(data.estimateSumMoney).toBe(23.55);
  });

  test('the simulator returns the weight, volume, fees and surcharges that were set by hand, before and after the pickup', async () => {
    const waybill = await createOrder(carrier.url, 'F-3');
    carrier.control.setFacts(waybill, { weight: 7770 });
    carrier.control.jump(waybill, 'picked_up');
    expect((await ask(paths.details, named(waybill))).data.cargoes[0].againWeight).toBe('7.77');
    carrier.control.setFacts(waybill, {
      weight: 3010,
      volume: 90_000,
      fees: { QIPSF: 1234, QLBJ: null },
      surcharges: { QLHCF: 300 },
    });
    carrier.control.jump(waybill, 'delivered');
    expect((await ask(paths.details, named(waybill))).data.cargoes[0]).toMatchObject({
      againWeight: '3.01',
      againVolume: '90000',
    });
    expect((await ask(paths.fee, named(waybill))).data).toMatchObject({
      sumMoney: 15.34,
      commonActualFeeInfoDetails: [
        { feeType: 'QIPSF', money: 12.34 },
        { feeType: 'QLHCF', money: 3 },
      ],
    });
  });

  test('the simulator’s fees are multiplied by the contract rate', async () => {
    const waybill = await createOrder(carrier.url, 'F-4');
    carrier.control.jump(waybill, 'picked_up');
    const full = (await ask(paths.fee, named(waybill))).data.commonActualFeeInfoDetails[0].money;
    carrier.control.change({ contract_rate: 6000 });
    const cut = (await ask(paths.fee, named(waybill))).data.commonActualFeeInfoDetails[0].money;
    carrier.control.change({ contract_rate: 10_000 });
    expect([full, cut]).toEqual([14.2, 8.52]);
  });
});

test('a subscription requires the last four digits of the receiver’s mobile', async () => {
  const waybill = await createOrder(carrier.url, 'S-1', { extendProps: {} });
  expect(state(waybill).subscribed).toBe(false);
  expect((await ask(paths.subscribe, named(waybill, { mobile: '0001' }))).success).toBe(false);
  expect((await ask(paths.subscribe, named(waybill, { mobile: '13900000002' }))).success).toBe(
    false,
  );
  expect(await ask(paths.subscribe, named(waybill, { mobile: '0002' }))).toMatchObject({
    success: true,
    data: '订阅成功',
  });
  expect(state(waybill).subscribed).toBe(true);
});

describe('print data', () => {
  const pull = (codes: readonly string[], change: Record<string, unknown> = {}): Promise<Json> =>
    ask(paths.pullData, {
      cpCode: 'JD',
      objectId: 'print-1',
      parameters: { ewCustomerCode: example.customerCode },
      wayBillInfos: codes.map((jdWayBillCode) => ({ orderNo: 'x', jdWayBillCode, popFlag: 0 })),
      ...change,
    });

  test('print data has one row per package, and an unknown waybill gets an error row while the response as a whole succeeds', async () => {
    const waybill = await createOrder(carrier.url, 'PD-1', {
      cargoes: [{ name: '书', quantity: 3, weight: 1, volume: 100 }],
    });
    const answer = await pull([waybill, 'JDVE99999999999']);
    expect(answer).toMatchObject({ code: '1', objectId: 'print-1' });
    expect(
      answer.prePrintDatas.map((row: Json) => [row.wayBillNo, row.packageCode, row.code]),
    ).toEqual([
      [waybill, `${waybill}-1-3-`, '1'],
      [waybill, `${waybill}-2-3-`, '1'],
      [waybill, `${waybill}-3-3-`, '1'],
      ['JDVE99999999999', '', '0'],
    ]);
    expect(answer.prePrintDatas[0].perPrintData).toMatch(/^[A-Za-z0-9+/]{40,}=*$/);
  });

  test('a print data request with eleven waybills, too long an object id or another company is refused', async () => {
    expect((await pull(Array.from({ length: 11 }, () => 'JDVE00000000001'))).code).toBe('0');
    expect((await pull(['JDVE00000000001'], { objectId: 'x'.repeat(21) })).code).toBe('0');
    expect((await pull(['JDVE00000000001'], { cpCode: 'SF' })).code).toBe('0');
  });

  test('print data contains an error row for a cancelled order', async () => {
    const waybill = await createOrder(carrier.url, 'PD-2');
    carrier.control.jump(waybill, 'cancelled');
    expect((await pull([waybill])).prePrintDatas[0]).toMatchObject({
      code: '0',
      msg: '运单已取消',
    });
  });

  test('print data includes templates', async () => {
    const answer = await ask(paths.templates, { cpCode: 'JD', templateType: 1 });
    expect(answer.code).toBe(1);
    expect(
      answer.datas.sDatas[0].standardTemplates.map(
        (template: Json) => template.standardTemplateName,
      ),
    ).toContain('jdkd76x130');
  });
});
