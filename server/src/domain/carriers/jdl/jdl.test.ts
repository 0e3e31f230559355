import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { standingClock } from '#platform/clock.ts';
import { limitMs } from '#testing/limits.ts';
import { openCarriers } from '#domain/carriers/carriers.ts';
import type { Carrier, CarrierAccount, CarrierOrder, Carriers } from '#domain/carriers/carriers.ts';
import { sign } from './sign.ts';

interface Got {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}
type Reply = {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  mishap?: 'break' | 'hang';
};

let server: Server;
let carriers: Carriers;
let jdl: Carrier;
let account: CarrierAccount;
let got: Got[];
let replies: Reply[];

const golden = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'golden', `${name}.json`), 'utf8');
const good = (data: unknown, more = {}) => ({
  body: { code: 0, success: true, msg: '成功', data, ...more },
});
const bad = (msg: string, code = 1, more = {}) => ({
  body: { code, success: false, msg, ...more },
});

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({
        method: request.method ?? '',
        url: new URL(request.url ?? '', 'http://carrier'),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      const { status = 200, body = '', headers = {}, mishap } = replies.shift() ?? { status: 599 };
      if (mishap === 'break') return request.socket.destroy();
      if (mishap === 'hang') return;
      response
        .writeHead(status, { 'lop-trace-id': 'trace-7', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  carriers = openCarriers({
    clock: standingClock(new Date('2026-01-02T03:04:05+08:00')),
    outboundAllow: [host],
    // A reply from this same process takes 200 ms on a busy machine.
    timeoutMs: limitMs(1_000),
  });
  jdl = carriers.carrierOf('jdl');
  account = {
    provider: 'jdl',
    base_url: `http://${host}`,
    app_key: 'demoappkey0000000000000000000001',
    app_secret: 'demosecret000000000000000000000a',
    access_token: 'demotoken0000000000000000000000b',
    customer_code: '010K000001',
    warehouse_code: '',
  };
});
afterAll(() => {
  carriers.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  got = [];
  replies = [];
});

const order: CarrierOrder = {
  order_id: 'T202601020001',
  thr_order_id: '',
  sender_name: '张三',
  sender_phone: '13800000001',
  sender_province: '北京市',
  sender_city: '市辖区',
  sender_county: '朝阳区',
  sender_address: '示例路1号',
  receive_name: '李四',
  receive_phone: '13900000002-1234',
  receive_province: '上海市',
  receive_city: '市辖区',
  receive_county: '浦东新区',
  receive_address: '示例路2号',
  package_count: 1,
  goods: '文件',
  goods_type: 1,
  weight: 1500,
  length: 0,
  width: 0,
  height: 0,
  guarantee_value_amount: 0,
  promise_id: 'ed-m-0001',
  remark: '',
  description: '',
};
const key = { delivery_id: 'JDVE00000000017' };
const body = () => jdl.createBody(account, order);
const create = (...answers: Reply[]) => {
  replies = answers;
  return jdl.create(account, body());
};

describe('every call to JDL', () => {
  it('every call sends the exact bytes that it signed, with JDL’s headers', async () => {
    await create({ body: golden('create') });
    const [call] = got;
    expect(call).toMatchObject({
      method: 'POST',
      body: body(),
      headers: {
        'content-type': 'application/json;charset=utf-8',
        'lop-tz': '8',
        'user-agent': 'lop-http/waystation',
      },
    });
    expect(call!.headers['content-length']).toBe(String(Buffer.byteLength(body())));
    const { app_key, app_secret, access_token } = account;
    expect(call!.url.searchParams.get('sign')).toBe(
      sign(
        {
          app_key,
          app_secret,
          access_token,
          path: '/ecap/v1/orders/create',
          body: call!.body,
          timestamp: '2026-01-02 03:04:05',
        },
        'md5-salt',
      ),
    );
  });

  it('the log entry of a call to JDL has JDL’s trace number, but no secret and no whole phone number', async () => {
    const { call } = await create({
      body: {
        code: 1,
        success: false,
        msg: `bad ${account.app_secret} ${account.access_token} 13900000002`,
      },
    });
    expect(call).toMatchObject({ operation: 'create', trace_id: 'trace-7', http_status: 200 });
    const kept = JSON.stringify(call);
    for (const secret of [
      account.app_secret,
      account.access_token,
      account.app_key,
      '13800000001',
      '13900000002',
    ])
      expect(kept).not.toContain(secret);
    expect(kept).toContain('138****0001');
  });

  it('the log entry of a call to JDL contains no secret, whatever the outcome', async () => {
    const outcomes = [
      await create({ mishap: 'break' }),
      await create({ mishap: 'hang' }),
      await create({ status: 500, body: 'x' }),
      await create({ body: { error_response: { code: 12, zh_desc: '无效签名' } } }),
    ];
    for (const secret of [account.app_secret, account.access_token, account.app_key])
      expect(JSON.stringify(outcomes)).not.toContain(secret);
  });

  it('a call to JDL is not sent if the base URL is invalid or forbidden', async () => {
    for (const [base_url, code] of [
      ['nonsense', 'carrier_url'],
      ['http://127.0.0.1:1', 'carrier_url_denied'],
      ['https://localhost', 'carrier_url_denied'],
    ] as const)
      expect(await jdl.create({ ...account, base_url }, body())).toMatchObject({
        outcome: 'unknown',
        reason: { code },
        call: { http_status: 0 },
      });
    expect(got).toHaveLength(0);
  });
});

describe('an order at JDL', () => {
  it('an order that JDL accepts has a waybill number and label data, and does not await manual pre-sorting', async () => {
    expect(await create({ body: golden('create') })).toMatchObject({
      outcome: 'accepted',
      delivery_id: 'JDVE00000000017',
      repeated: false,
      need_retry: 0,
      print_data: { road: '012' },
    });
  });

  it('an order that JDL had already accepted is accepted again and marked as repeated', async () => {
    expect(
      await create(good({ waybillCode: 'JDVE00000000017' }, { subCode: '0_0001' })),
    ).toMatchObject({ outcome: 'accepted', repeated: true });
  });

  it('an order that JDL refuses returns JDL’s code and text', async () => {
    expect(await create(bad('收件地址超区', 1, { subCode: '1_0099' }))).toMatchObject({
      outcome: 'refused',
      code: '1_0099',
      text: '收件地址超区',
    });
  });

  it('an order whose waybill is missing in JDL’s answer is reported as stored without a number', async () => {
    expect(await create(good({ orderCode: 'EO0020000000001' }))).toMatchObject({
      outcome: 'stored_without_number',
    });
    expect(await create(good(null))).toMatchObject({ outcome: 'stored_without_number' });
    expect(await create(bad('商家订单号重复'))).toMatchObject({
      outcome: 'stored_without_number',
      text: '商家订单号重复',
    });
  });

  it('an order that JDL refuses as a duplicate is accepted if the answer has a waybill number', async () => {
    expect(
      await create(bad('商家订单号重复', 1, { data: { waybillCode: 'JDVE00000000017' } })),
    ).toMatchObject({
      outcome: 'accepted',
      delivery_id: 'JDVE00000000017',
      repeated: true,
    });
  });

  it.each<[string, Reply, object]>([
    ['timeout', { mishap: 'hang' }, { reason: { code: 'carrier_timeout' } }],
    ['broken connection', { mishap: 'break' }, { reason: { code: 'carrier_connection_lost' } }],
    [
      '5xx, even with a success inside',
      { status: 500, body: golden('create') },
      { reason: { code: 'carrier_http_status', params: { http_status: 500 } } },
    ],
    [
      '5xx, even with a refusal inside',
      { status: 502, ...bad('不行') },
      { reason: { code: 'carrier_http_status' } },
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      { reason: { code: 'carrier_http_status' } },
    ],
    ['garbage', { body: '<html>' }, { reason: { code: 'carrier_unreadable' } }],
    ['an empty answer', { body: '' }, { reason: { code: 'carrier_unreadable' } }],
    [
      'half an answer',
      { body: golden('create').slice(0, 200) },
      { reason: { code: 'carrier_unreadable' } },
    ],
    [
      'trouble in the carrier’s system',
      bad('系统异常', 500),
      { reason: { code: 'carrier_system_error' } },
    ],
    [
      'a refusal with a waybill',
      bad('余额不足', 1, { data: { waybillCode: 'JDVE00000000017' } }),
      { reason: { code: 'carrier_contradicts' } },
    ],
    [
      'throttling with a waybill',
      { status: 429, ...bad('', 1, { data: '{"waybillCode":"JDVE00000000017"}' }) },
      { reason: { code: 'carrier_contradicts' } },
    ],
  ])('an order has an unknown outcome after this answer of JDL: %s', async (_, reply, expected) => {
    expect(await create(reply)).toMatchObject({ outcome: 'unknown', ...expected });
    expect(got).toHaveLength(1);
  });

  it.each([
    [12, 'signature', true],
    [19, 'token', true],
    [20, 'token', true],
    [2, 'throttled', false],
    [8, 'other', false],
  ] as const)(
    'an order that JDL’s gateway rejects with code %i is classified as %s, and pauses the account: %s',
    async (code, kind, pause) => {
      expect(await create({ body: { error_response: { code, zh_desc: '说明' } } })).toMatchObject({
        outcome: 'gateway',
        kind,
        pause,
        code: String(code),
        text: '说明',
      });
    },
  );
});

describe('a repeated order at JDL', () => {
  it('a repeated order is sent to JDL with the same bytes as before, and returns the waybill of the stored order', async () => {
    expect(await create({ mishap: 'break' })).toMatchObject({ outcome: 'unknown' });
    expect(
      await create(good({ waybillCode: 'JDVE00000000017' }, { subCode: '0_0001' })),
    ).toMatchObject({
      outcome: 'accepted',
      delivery_id: 'JDVE00000000017',
      repeated: true,
    });
    expect(got[1]!.body).toBe(got[0]!.body);
  });

  it('the outcome of a repeated order is unknown if the gateway rejects the search for that order', async () => {
    const numbered = jdl.createBody(account, order, 'JDV000000000018');
    replies = [
      bad('商家订单号重复'),
      { body: { error_response: { code: 12, zh_desc: '无效签名' } } },
    ];
    expect(await jdl.create(account, numbered)).toMatchObject({
      outcome: 'unknown',
    });
  });

  it('a repeated order is accepted under its fetched waybill number if JDL confirms that this number exists', async () => {
    const fetched = jdl.createBody(account, order, 'JDV000000000018');
    replies = [bad('商家订单号重复'), good({ status: 100, statusDesc: '已下单' })];
    expect(await jdl.create(account, fetched)).toMatchObject({
      outcome: 'accepted',
      delivery_id: 'JDV000000000018',
      repeated: true,
      print_data: null,
      call: { operation: 'create' },
    });
    expect(got.map(({ url }) => url.pathname)).toEqual([
      '/ecap/v1/orders/create',
      '/ecap/v1/orders/status/get',
    ]);
    expect(got[1]!.body).toBe(
      '[{"waybillCode":"JDV000000000018","orderOrigin":1,"customerCode":"010K000001"}]',
    );

    replies = [bad('商家订单号重复'), bad('运单不存在')];
    expect(await jdl.create(account, fetched)).toMatchObject({ outcome: 'stored_without_number' });
    replies = [bad('商家订单号重复'), { mishap: 'break' }];
    expect(await jdl.create(account, fetched)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a cancel at JDL', () => {
  it.each([
    [0, 'cancelled'],
    [1, 'intercepted'],
    [2, 'cancel_failed'],
    [3, 'intercept_failed'],
    [4, 'intercepting'],
    ['0', 'cancelled'],
  ])('JDL’s cancel result %s means %s', async (resultType, result) => {
    replies = [good({ resultType })];
    expect(await jdl.cancel(account, { order_id: 'W1', ...key }, '用户取消')).toMatchObject({
      outcome: 'ok',
      value: { result, text: '' },
    });
  });

  it('the outcome of a cancel is unknown if JDL’s result is not in its documentation', async () => {
    for (const data of [{ resultType: 9 }, {}, null]) {
      replies = [good(data)];
      expect(await jdl.cancel(account, { order_id: 'W1', ...key }, '用户取消')).toMatchObject({
        outcome: 'unknown',
        reason: { code: 'carrier_unreadable' },
      });
    }
  });
});

describe('other calls to JDL', () => {
  it('JDL’s trace answer is read into messages, and rows that cannot be read are returned as unreadable', async () => {
    replies = [
      { body: golden('trace') },
      good({ traceDetails: null }),
      good({ traceDetails: 'x' }),
    ];
    expect(await jdl.trace(account, key)).toMatchObject({
      outcome: 'ok',
      value: {
        messages: [{ effect: 'picking_up' }, { effect: 'picked_up' }, { effect: 'signed' }],
        unreadable: [{}],
      },
    });
    expect(await jdl.trace(account, key)).toMatchObject({ outcome: 'ok', value: { messages: [] } });
    expect(await jdl.trace(account, key)).toMatchObject({ outcome: 'unknown' });
  });

  it('JDL’s answers about details and actual fee are read as weight, volume and fee', async () => {
    replies = [
      { body: golden('details') },
      { body: golden('actual-fee') },
      bad('运单未揽收，费用未产生'),
      good({}),
    ];
    expect(await jdl.details(account, key)).toMatchObject({
      outcome: 'ok',
      value: { jd_weight: 5201, jd_volume: 12_001 },
    });
    expect(await jdl.actualFee(account, key)).toMatchObject({
      outcome: 'ok',
      value: { jd_amount: 1710 },
    });
    expect(await jdl.actualFee(account, key)).toMatchObject({
      outcome: 'refused',
      text: '运单未揽收，费用未产生',
    });
    expect(await jdl.actualFee(account, key)).toMatchObject({ outcome: 'unknown' });
  });

  it('the mobile number sent to JDL with a modification or subscription is the last four digits of the number, without the extension', async () => {
    replies = [good({ orderCode: 'EO1', waybillCode: 'JDVE00000000017' }), good('订阅成功')];
    expect(
      await jdl.modify(account, jdl.modifyBody(account, key, order, { ...order, remark: '轻放' })!),
    ).toMatchObject({ outcome: 'ok', value: null });
    expect(await jdl.subscribe(account, key, order.receive_phone)).toMatchObject({ outcome: 'ok' });
    expect(JSON.parse(got[1]!.body)).toEqual([
      {
        waybillCode: 'JDVE00000000017',
        orderOrigin: 1,
        customerCode: '010K000001',
        mobile: '0002',
      },
    ]);
  });

  it('JDL’s answer to a coverage request is read as an estimate, or as a refusal with JDL’s text', async () => {
    replies = [{ body: golden('precheck') }, bad('收件地址超区')];
    expect(await jdl.precheck(account, order)).toMatchObject({
      outcome: 'ok',
      value: { served: true, estimate: { amount: 2056 } },
    });
    expect(await jdl.precheck(account, order)).toMatchObject({
      outcome: 'refused',
      text: '收件地址超区',
    });
  });

  it('one call to JDL fetches 1 to 500 waybill numbers; any other count is refused', async () => {
    replies = [good({ waybillCodeList: ['JDV000000000018'] }), good({})];
    expect(await jdl.prefetch(account, 1)).toMatchObject({
      outcome: 'ok',
      value: ['JDV000000000018'],
    });
    expect(await jdl.prefetch(account, 1)).toMatchObject({ outcome: 'unknown' });
    for (const count of [0, 501, 1.5])
      expect(() => jdl.prefetch(account, count)).toThrow(
        expect.objectContaining({ code: 'carrier_prefetch_count' }),
      );
  });

  it('the test of a carrier account has no side effects', async () => {
    replies = [
      { body: golden('precheck') },
      { body: { error_response: { code: 19, zh_desc: 'token 无效' } } },
      bad('商家编码与账号不匹配'),
    ];
    expect(await jdl.test(account)).toMatchObject({ outcome: 'ok' });
    expect(await jdl.test(account)).toMatchObject({ outcome: 'gateway', kind: 'token' });
    expect(await jdl.test(account)).toMatchObject({
      outcome: 'refused',
      text: '商家编码与账号不匹配',
    });
    expect(new Set(got.map(({ url }) => url.pathname))).toEqual(
      new Set(['/ecap/v1/orders/precheck']),
    );
  });
});

describe('a carrier without an adapter', () => {
  it('a carrier whose provider has no adapter is refused', () => {
    expect(jdl.provider).toBe('jdl');
    for (const provider of ['zto', 'toString', ''])
      expect(() => carriers.carrierOf(provider)).toThrow(
        expect.objectContaining({ code: 'carrier_unsupported' }),
      );
  });
});

describe('label data for the print component', () => {
  const parcels = [
    { order_id: 'T1', delivery_id: 'JDVE00000000017' },
    { order_id: 'T2', delivery_id: 'JDVE00000000018' },
  ];
  const row = (wayBillNo: string, piece: number, code = '1', msg = '成功') => ({
    wayBillNo,
    packageCode: `${wayBillNo}-${piece}-2-`,
    code,
    msg,
    perPrintData: `data-${piece}`,
  });
  const pulled = (rows: unknown, code: unknown = '1') => ({
    body: { code, message: '成功', objectId: 'x', prePrintDatas: rows },
  });

  it('label data are requested from JDL’s print service and returned in the order of the request, one text for each package', async () => {
    replies = [
      pulled([row('JDVE00000000018', 1), row('JDVE00000000017', 1), row('JDVE00000000017', 2)], 1),
    ];
    expect(await jdl.labels(account, parcels)).toMatchObject({
      outcome: 'ok',
      value: [
        { delivery_id: 'JDVE00000000017', data: ['data-1', 'data-2'] },
        { delivery_id: 'JDVE00000000018', data: ['data-1'] },
      ],
      call: {
        answer: {
          prePrintDatas: [
            { perPrintData: '[cut]' },
            { perPrintData: '[cut]' },
            { perPrintData: '[cut]' },
          ],
        },
      },
    });
    const [{ url, body }] = got as [Got];
    expect([url.pathname, url.searchParams.get('LOP-DN')]).toEqual([
      '/PullDataService/pullData',
      'jdcloudprint',
    ]);
    expect(JSON.parse(body)).toEqual([
      {
        cpCode: 'JD',
        objectId: expect.stringMatching(/^[0-9a-f]{20}$/),
        parameters: { ewCustomerCode: '010K000001' },
        wayBillInfos: [
          { orderNo: 'T1', jdWayBillCode: 'JDVE00000000017', popFlag: 0 },
          { orderNo: 'T2', jdWayBillCode: 'JDVE00000000018', popFlag: 0 },
        ],
      },
    ]);
  });

  it('a parcel for which JDL lacks label data of a package gets JDL’s refusal text and no label', async () => {
    replies = [
      pulled([row('JDVE00000000017', 1), row('JDVE00000000017', 2, '0', '运单预分拣未完成')]),
    ];
    expect(await jdl.labels(account, parcels)).toMatchObject({
      value: [
        { delivery_id: 'JDVE00000000017', refused: '运单预分拣未完成' },
        { delivery_id: 'JDVE00000000018', refused: '' },
      ],
    });
  });

  it.each([
    ['a refusal', pulled([], '0'), 'refused'],
    ['rows that are no list', pulled('none'), 'unknown'],
    ['an answer of the order service', good([]), 'refused'],
    ['a broken connection', { mishap: 'break' } as Reply, 'unknown'],
  ])(
    'JDL’s answer to a request for label data with %s contains no label',
    async (_, reply, outcome) => {
      replies = [reply, reply];
      expect((await jdl.labels(account, parcels)).outcome).toBe(outcome);
    },
  );

  it('a label paper size for which the carrier has no print template returns null', () => {
    expect([jdl.labelTemplate('76x130'), jdl.labelTemplate('100x150')]).toEqual([
      expect.stringContaining('jdkd76x130'),
      null,
    ]);
  });
});
