import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallRecord } from '#domain/carriers/carriers.ts';
import { dataOf, readEnvelope } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import { actualFeeOf, coverageOf, measuredOf } from './parse-facts.ts';
import { acceptedOf, labelDataOf, waybillsOf } from './parse-order.ts';
import { fenOf, gramsOf } from '#domain/carriers/reading.ts';

const call: CallRecord = {
  operation: 'create',
  trace_id: '',
  http_status: 200,
  ms: 1,
  request: null,
  answer: null,
};
const answer = (name: string): Envelope =>
  readEnvelope(200, readFileSync(join(import.meta.dirname, 'golden', `${name}.json`), 'utf8'));
const data = (name: string) => {
  const envelope = answer(name);
  if (envelope.is !== 'ok') throw new Error(`${name} is ${envelope.is}`);
  return dataOf(envelope);
};

describe('JDL’s answer to an accepted order', () => {
  it('the waybill, label data and promised times of an accepted order are read from a recorded answer', () => {
    expect(acceptedOf(data('create'), false, call)).toEqual({
      outcome: 'accepted',
      delivery_id: 'JDVE00000000017',
      carrier_order_code: 'EO0020000000001',
      repeated: false,
      need_retry: 0,
      promise_time_type: '',
      estimate_amount: 1450,
      pickup_promise_at: new Date('2026-01-02T18:00:00+08:00'),
      delivery_promise_at: new Date('2026-01-04T18:00:00+08:00'),
      pre_sort_result: {
        start_station_no: '100001',
        start_station_name: '*示例营业部',
        end_station_no: '100002',
        end_station_name: '*样例营业部',
        end_road_area: '012',
        end_aoi_code: '',
      },
      print_data: {
        start_site_name: '*示例营业部',
        end_site_name: '*样例营业部',
        road: '012',
        source_sort_center_name: '北京示例分拣中心',
        source_cross_code: '11',
        source_trolley_code: 'A2',
        target_sort_center_name: '上海样例分拣中心',
        target_cross_code: '22',
        target_trolley_code: 'B3',
        aging_name: '次日达',
        collection_address: '浦东示例集包地',
        distribute_code: '233',
        cover_code: 'T',
        qrcode_url: '',
        pre_sort_code: '',
        truck_spot: '',
        main_product_code: '',
        hide_name: 1,
        hide_phone: 1,
        trans_type: 1,
      },
      call,
    });
  });

  it('the answer to an order is read from JDL’s older format; an order that JDL sorts manually is stored as awaiting manual pre-sorting', () => {
    expect(answer('create-by-hand')).toMatchObject({ is: 'ok', code: '0_0001' });
    expect(acceptedOf(data('create-by-hand'), true, call)).toMatchObject({
      delivery_id: 'JDVE00000000018',
      repeated: true,
      need_retry: 1,
      estimate_amount: 2000,
      print_data: null,
    });
  });

  it('an order is stored as awaiting manual pre-sorting if needRetry is set in the carrier’s answer', () => {
    for (const needRetry of [true, 'true', 1, '1'])
      expect(acceptedOf({ waybillCode: 'JDVE00000000017', needRetry }, false, call)).toMatchObject({
        need_retry: 1,
      });
    for (const needRetry of [false, 'false', 0, null, undefined])
      expect(acceptedOf({ waybillCode: 'JDVE00000000017', needRetry }, false, call)).toMatchObject({
        need_retry: 0,
      });
  });

  it('the confirmed product of an accepted order is read from JDL’s answer', () => {
    expect(
      acceptedOf(
        { waybillCode: 'JDVE00000000017', productsResponse: { productCode: 'ed-m-0002' } },
        false,
        call,
      ),
    ).toMatchObject({
      promise_time_type: 'ed-m-0002',
    });
    expect(
      acceptedOf(
        {
          waybillCode: 'JDVE00000000017',
          productsResponse: [{ productCode: 'ed-m-0002' }],
          faceSheetResponse: { faceSheetInfo: { mainProductCode: 'ed-m-0003' } },
        },
        false,
        call,
      ),
    ).toMatchObject({ promise_time_type: 'ed-m-0003' });
  });

  it.each([
    {},
    { waybillCode: '' },
    { waybillCode: null },
    { waybillCode: { a: 1 } },
    { waybillCode: 'JD<script>' },
    { waybillCode: 'x'.repeat(60) },
  ])('an answer without a waybill is not an accepted order: %j', (fields) => {
    expect(acceptedOf(fields, false, call)).toBeNull();
  });

  it('the transport codes in JDL’s label data are mapped to the transport codes of a parcel', () => {
    expect(
      [0, 1, 2, '1', 7, null].map((transType) => labelDataOf({ transType })?.trans_type),
    ).toEqual([1, 2, 3, 2, null, null]);
  });
});

describe('waybill numbers in JDL’s answer', () => {
  const numbers = ['JDV000000000018', 'JDVA00000000019'];
  it.each([
    [numbers],
    [{ waybillCodeList: numbers }],
    [{ list: JSON.stringify(numbers) }],
    [numbers.map((waybillCode) => ({ waybillCode }))],
    [{ waybillCodes: [...numbers, 'nonsense', numbers[0]] }],
  ])('waybill numbers are found in JDL’s answer %j', (message) => {
    expect(waybillsOf(message)).toEqual(numbers);
  });
  it('the list of waybill numbers is empty if JDL’s answer contains something else than waybill numbers', () => {
    for (const message of [null, '', {}, [], 'JDV000000000018', { a: 1 }])
      expect(waybillsOf(message)).toEqual([]);
  });
});

describe('JDL’s actual fee', () => {
  it('JDL’s actual fee is read in fen, with one amount for each fee code', () => {
    expect(actualFeeOf(data('actual-fee'))).toEqual({
      jd_amount: 1710,
      estimate_amount: 1450,
      jd_cal_weight: null,
      fees: [
        { code: 'QIPSF', name: '快递运费', kind: 'freight', service: 'carriage', amount: 1450 },
        { code: 'QLBJ', name: '保价费', kind: 'insurance', service: 'insurance', amount: 100 },
        { code: 'QLHCF', name: '包装耗材费', kind: 'surcharge', service: 'packaging', amount: 110 },
        { code: 'QLXXX', name: 'QLXXX', kind: 'surcharge', service: 'unknown', amount: 50 },
      ],
      unreadable: [],
    });
  });

  it('JDL’s actual fee is null if the answer has neither a total nor a fee', () => {
    for (const none of [{}, { sumMoney: null, commonActualFeeInfoDetails: [] }])
      expect(actualFeeOf(none)).toBeNull();
  });

  it.each<[object, string[]]>([
    [{ sumMoney: 'soon' }, ['sumMoney soon']],
    [{ sumMoney: -1 }, ['sumMoney -1']],
    [{ sumMoney: 1e30 }, ['sumMoney 1e+30']],
    [{ sumMoney: { a: 1 } }, ['sumMoney {"a":1}']],
    [{ commonActualFeeInfoDetails: [{ feeType: 'QIPSF', money: 1 }] }, ['sumMoney null']],
    [{ sumMoney: 1, commonActualFeeInfoDetails: 'none' }, ['commonActualFeeInfoDetails none']],
    [
      { sumMoney: 1, commonActualFeeInfoDetails: { QIPSF: 1 } },
      ['commonActualFeeInfoDetails {"QIPSF":1}'],
    ],
    [
      { sumMoney: 1, commonActualFeeInfoDetails: [{ feeType: 'QIPSF', money: null }] },
      ['QIPSF {"feeType":"QIPSF","money":null}'],
    ],
    [
      { sumMoney: 1, commonActualFeeInfoDetails: [{ feeType: 'QLHCF', money: '-5' }] },
      ['QLHCF -5'],
    ],
    [
      { sumMoney: 1, commonActualFeeInfoDetails: [{ money: 1 }, 'row', null] },
      ['1', 'row', 'null'],
    ],
    [
      {
        sumMoney: 1,
        commonActualFeeInfoDetails: Array.from({ length: 51 }, () => ({
          feeType: 'QIPSF',
          money: 1,
        })),
      },
      ['> 50'],
    ],
  ])('the actual fee names the unreadable parts of %j', (answer, unreadable) => {
    expect(actualFeeOf(answer as Record<string, unknown>)?.unreadable).toEqual(unreadable);
  });

  it('the sum of a fee code that is repeated many times in JDL’s actual fee is limited to the largest safe integer', () => {
    const rows = Array.from({ length: 3 }, () => ({ feeType: 'QLHCF', money: 9e13 }));
    expect(actualFeeOf({ sumMoney: 1, commonActualFeeInfoDetails: rows })?.fees).toMatchObject([
      { amount: Number.MAX_SAFE_INTEGER },
    ]);
  });
});

describe('the carrier’s measurements', () => {
  it('the carrier’s measurements are read in grams and cm³', () => {
    expect(measuredOf(data('details'))).toEqual({
      order_id: '',
      jd_weight: 5201,
      jd_volume: 12_001,
      package_count: 2,
      unreadable: [],
    });
  });
  it('the carrier’s measurements are null if the carrier sends no value or 0', () => {
    for (const again of [undefined, null, '', '0', 0, '0.00'])
      expect(
        measuredOf({ orderId: 'WS1', cargoes: [{ againWeight: again, againVolume: again }] }),
      ).toEqual({
        order_id: 'WS1',
        jd_weight: null,
        jd_volume: null,
        package_count: null,
        unreadable: [],
      });
    expect(measuredOf({})).toBeNull();
  });

  it.each([-5, '-0.5', 'heavy', 3_000_000, '1e30', [5]])(
    'the carrier’s weight %j is ignored and reported as unreadable',
    (againWeight) => {
      expect(measuredOf({ cargoes: [{ againWeight }] })).toMatchObject({
        jd_weight: null,
        unreadable: [expect.stringMatching(/^againWeight/)],
      });
    },
  );
});

describe('numbers in JDL’s answers', () => {
  it('decimal numbers of JDL are rounded half up exactly, without binary rounding errors', () => {
    for (const [yuan, fen] of [
      [14.5, 1450],
      ['14.5', 1450],
      [0.1, 10],
      [1.005, 101],
      ['1.005', 101],
      [2.675, 268],
      [1e-7, 0],
      [0, 0],
      [19.99, 1999],
      [4503599627370.49, 450359962737049],
    ] as const)
      expect(fenOf(yuan)).toBe(fen);
    for (const [kg, grams] of [
      ['5.2', 5200],
      [0.0005, 1],
      [1.0005, 1001],
      ['4.3', 4300],
    ] as const)
      expect(gramsOf(kg)).toBe(grams);
  });
  it('a number in JDL’s answer is null if its text is not a number or is out of range', () => {
    for (const bad of [
      null,
      undefined,
      '',
      ' ',
      'x',
      '1e3',
      NaN,
      Infinity,
      {},
      [],
      true,
      -1,
      '-0.5',
      1e300,
    ])
      expect(fenOf(bad)).toBeNull();
  });
});

describe('an answer of JDL with any content', () => {
  const names = [
    'code',
    'success',
    'data',
    'response',
    'content',
    'error_response',
    'msg',
    'subCode',
    'waybillCode',
    'presortResult',
    'faceSheetResponse',
    'faceSheetInfo',
    'cargoes',
    'againWeight',
    'sumMoney',
    'commonActualFeeInfoDetails',
    'money',
    'feeType',
    'productInfos',
    'pickupSliceTimes',
    'traceDetails',
  ];
  const anything = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));
  const named = fc
    .letrec((again) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(
          0,
          1,
          true,
          false,
          null,
          '0',
          '14.5',
          '{"code":0}',
          -1,
          1e300,
          'JDVE00000000017',
        ),
        fc.array(again('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), again('node'), { maxKeys: 5 }),
      ),
    }))
    .node.map((value) => JSON.stringify(value));

  it('JDL’s answer is read as one of four outcomes without an exception, whatever the answer contains', () => {
    fc.assert(
      fc.property(
        fc.oneof(anything, named, fc.string()),
        fc.constantFrom(200, 404, 500),
        (text, status) => {
          const envelope = readEnvelope(status, text);
          expect(['ok', 'refused', 'gateway', 'unknown']).toContain(envelope.is);
          if (status !== 200) expect(['gateway', 'unknown']).toContain(envelope.is);
          if (envelope.is !== 'ok' && envelope.is !== 'refused') return;
          const fields = dataOf(envelope);
          const accepted = acceptedOf(fields, false, call);
          if (accepted) expect(accepted.delivery_id).toMatch(/^[A-Za-z0-9-]{6,50}$/);
          coverageOf(fields, 'ed-m-0001');
          measuredOf(fields);
          waybillsOf(envelope.data);
          const fee = actualFeeOf(fields);
          if (fee)
            expect(
              [fee.jd_amount, ...fee.fees.map(({ amount }) => amount)].every(
                (amount) => Number.isSafeInteger(amount) && amount >= 0,
              ),
            ).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
