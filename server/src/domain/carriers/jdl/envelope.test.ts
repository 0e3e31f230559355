import { describe, expect, it } from 'vitest';
import { readEnvelope, saysRepeated } from './envelope.ts';

const read = (answer: unknown, status = 200) =>
  readEnvelope(status, typeof answer === 'string' ? answer : JSON.stringify(answer));

describe('a successful answer of JDL', () => {
  it.each([
    { code: 0, success: true, msg: '成功', data: { a: 1 } },
    { code: 0, data: { a: 1 } },
    { code: '0', success: null, data: '{"a":1}' },
    { success: 'true', data: { a: 1 } },
    { response: { code: 0, content: { code: 0, success: true, data: { a: 1 } } } },
    { response: { code: 0, content: '{"code":0,"success":true,"data":"{\\"a\\":1}"}' } },
  ])('an answer is successful: %j', (answer) => {
    expect(read(answer)).toMatchObject({ is: 'ok', data: { a: 1 } });
  });

  it('a successful answer is recognised in JSON inside a JSON text', () => {
    expect(
      read(JSON.stringify(JSON.stringify({ code: 0, success: true, data: {} }))),
    ).toMatchObject({ is: 'ok' });
  });

  it('a successful answer for an order that JDL already has is read with JDL’s sub-code', () => {
    expect(
      read({ code: 0, success: true, subCode: '0_0001', subMsg: '已有运单', data: {} }),
    ).toMatchObject({ is: 'ok', code: '0_0001', text: '已有运单' });
  });
});

describe('a refusal of JDL', () => {
  it.each([
    [
      { code: 1, success: false, msg: '收件地址超区' },
      { code: '1', text: '收件地址超区' },
    ],
    [
      { code: 1, success: false, msg: '失败', subCode: '1_0023', subMsg: '产品不可用' },
      { code: '1_0023', text: '失败；产品不可用' },
    ],
    [
      { code: 1, success: false, msg: '同样', subMsg: '同样' },
      { code: '1', text: '同样' },
    ],
    [
      { code: 7, message: 'no' },
      { code: '7', text: 'no' },
    ],
    [
      { code: 0, success: false },
      {
        code: '0',
        text: '承运商未说明原因（代码 0），请联系承运商客服 · no reason given, contact the carrier',
      },
    ],
    [
      { response: { content: { code: 1, success: false, msg: '不行' } } },
      { code: '1', text: '不行' },
    ],
  ])('an answer is a refusal: %j', (answer, expected) => {
    expect(read(answer)).toMatchObject({ is: 'refused', ...expected });
  });

  it.each([
    [{ code: 1, success: false }, '1'],
    [{ code: 1, subCode: '1_0009', success: false, msg: ' ' }, '1_0009'],
  ])('a refusal without a text is reported as such, with the code as one: %j', (answer, code) => {
    expect(read(answer)).toMatchObject({ is: 'refused', code });
    const { text } = read(answer) as { text: string };
    expect(text).toContain('承运商未说明原因');
    expect(text).toContain(code);
  });

  it('the text of a refusal is the carrier’s text, shortened and without control characters', () => {
    const { text } = read({ code: 1, success: false, msg: `a\u0000\nb${'x'.repeat(2000)}` }) as {
      text: string;
    };
    expect(text.startsWith('a b')).toBe(true);
    expect(text.length).toBeLessThanOrEqual(500);
  });
});

describe('a rejection by JDL’s gateway', () => {
  it.each([
    [2, 'throttled'],
    [11, 'signature'],
    [12, 'signature'],
    [18, 'token'],
    [19, 'token'],
    [20, 'token'],
    [7, 'other'],
    [8, 'other'],
    [14, 'other'],
    [15, 'other'],
  ])('gateway code %i of JDL is classified as %s', (code, kind) => {
    for (const status of [200, 400, 500])
      expect(read({ error_response: { code, en_desc: 'x', zh_desc: '说明' } }, status)).toEqual({
        is: 'gateway',
        kind,
        code: String(code),
        text: '说明',
      });
  });

  it.each([
    ['access_token已过期', 'token'],
    ['无效签名', 'signature'],
    ['Invalid signature', 'signature'],
    ['请求过于频繁', 'throttled'],
    ['其他', 'other'],
  ])('an unlisted gateway code is classified by its text: %s', (zh_desc, kind) => {
    expect(read({ error_response: { code: 9999, zh_desc } })).toMatchObject({
      is: 'gateway',
      kind,
    });
  });

  it('a rejection by JDL’s gateway is recognised in the older answer format, by HTTP status 429 and by its text', () => {
    expect(
      read({ response: { error_response: { code: '12', zh_desc: '无效签名' } } }),
    ).toMatchObject({ is: 'gateway', kind: 'signature' });
    expect(read('slow down', 429)).toMatchObject({ is: 'gateway', kind: 'throttled' });
    expect(read({ code: 1, success: false, msg: '请求过于频繁，请稍后' })).toMatchObject({
      is: 'gateway',
      kind: 'throttled',
    });
  });
});

describe('an answer of JDL that leaves the outcome unknown', () => {
  it.each([
    '',
    '<html>502</html>',
    'null',
    '[]',
    '7',
    '"text"',
    '{}',
    '{"data":{"waybillCode":"JDVE00000000017"}}',
    '{"response":{}}',
    '{"response":{"content":"garbage"}}',
    '{"code":0,"success":tr',
  ])('the outcome of an order is unknown if the carrier’s answer is “%s”', (body) => {
    expect(read(body)).toEqual({ is: 'unknown', reason: { code: 'carrier_unreadable' } });
  });

  it.each([500, 502, 503, 404, 403, 302])(
    'the outcome of an answer with HTTP %i is unknown, whatever its body',
    (status) => {
      for (const body of [
        { code: 0, success: true, data: { waybillCode: 'JDVE00000000017' } },
        { code: 1, success: false, msg: '不行' },
      ])
        expect(read(body, status)).toEqual({
          is: 'unknown',
          reason: { code: 'carrier_http_status', params: { http_status: status } },
        });
    },
  );

  it.each([
    '系统异常，请联系管理员',
    '服务超时',
    'System error',
    '接口调用超时',
    'request timed out',
  ])('the outcome is unknown when the carrier reports a failure of its own system: %s', (msg) => {
    expect(read({ code: 500, success: false, msg })).toEqual({
      is: 'unknown',
      reason: { code: 'carrier_system_error', params: { text: msg } },
    });
  });
});

describe('a refusal because JDL already has the order number', () => {
  it.each([
    ['0_0001', ''],
    ['1', '商家订单号重复'],
    ['1', '订单号已存在'],
    ['1', '重复的订单'],
    ['1', '重复下单'],
    ['1', 'Duplicate orderId'],
    ['1', 'the order already exists'],
  ])(
    'a refusal with the code and text %s %s is recognised as a repeated order number',
    (code, text) => {
      expect(saysRepeated(code, text)).toBe(true);
    },
  );

  it.each([
    ['1', '收件地址超区'],
    ['1', '姓名与电话重复，请检查'],
    ['1', '客户编码不存在'],
    ['0', ''],
    ['1', '产品已停用'],
  ])(
    'a refusal with the code and text %s %s is not taken for a repeated order number',
    (code, text) => {
      expect(saysRepeated(code, text)).toBe(false);
    },
  );
});
