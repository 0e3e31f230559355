import { describe, expect, it } from 'vitest';
import { readEnvelope } from './envelope.ts';

const outer = (code: string, data: unknown, message = ''): string =>
  JSON.stringify({
    apiResultCode: code,
    apiErrorMsg: message,
    apiResponseID: 'R1',
    apiResultData: data,
  });
const inner = (fields: Record<string, unknown>): string => outer('A1000', JSON.stringify(fields));

describe('an answer of SF’s service', () => {
  it.each([
    ['success as truth value', inner({ success: true, msgData: { a: 1 } }), { a: 1 }],
    ['success as text', inner({ success: 'true', errorCode: 'S0000', obj: { a: 1 } }), { a: 1 }],
    ['an object instead of a text', outer('A1000', { success: true, data: { a: 1 } }), { a: 1 }],
    ['a text in a text', outer('A1000', JSON.stringify(JSON.stringify({ a: 1 }))), { a: 1 }],
    ['data as text', inner({ success: true, msgData: '{"a":1}' }), { a: 1 }],
    ['a bare list', outer('A1000', '[{"filterResult":2}]'), [{ filterResult: 2 }]],
    ['no inner envelope', outer('A1000', '{"files":[]}'), { files: [] }],
  ])('SF’s successful answer is read: %s', (_, body, data) => {
    expect(readEnvelope(200, body)).toEqual({ is: 'ok', data });
  });

  it.each(['errorMsg', 'errorMessage', 'message'])(
    'SF’s refusal is read with the words of its field %s',
    (name) => {
      expect(
        readEnvelope(200, inner({ success: 'false', errorCode: '8016', [name]: '重复下单' })),
      ).toEqual({ is: 'refused', code: '8016', text: '重复下单', data: null });
    },
  );

  it('if SF refuses a call without an error text, the shown text is “the carrier gave no reason” with the error code', () => {
    expect(readEnvelope(200, inner({ success: false, errorCode: '8057' }))).toMatchObject({
      is: 'refused',
      code: '8057',
      text: expect.stringMatching(/承运商未说明原因.*8057/) as unknown,
    });
    expect(readEnvelope(200, outer('A1003', null))).toMatchObject({
      is: 'gateway',
      text: expect.stringMatching(/承运商未说明原因.*A1003/) as unknown,
    });
  });

  it('an error of SF’s own system means that the outcome of the call is unknown, not that SF refused it', () => {
    expect(
      readEnvelope(200, inner({ success: false, errorCode: '9999', errorMsg: '系统异常' })),
    ).toEqual({
      is: 'unknown',
      reason: { code: 'carrier_system_error', params: { text: '9999 系统异常' } },
    });
  });
});

describe('an answer of SF’s gateway', () => {
  it.each([
    ['A1001', 'other'],
    ['A1002', 'other'],
    ['A1003', 'token'],
    ['A1004', 'token'],
    ['A1005', 'throttled'],
    ['A1006', 'signature'],
    ['A1008', 'signature'],
    ['A1010', 'token'],
    ['A1011', 'token'],
  ])('SF’s gateway code %s means that the call is refused before it is processed', (code, kind) => {
    expect(readEnvelope(200, outer(code, null, '说明'))).toEqual({
      is: 'gateway',
      kind,
      code,
      text: '说明',
    });
  });

  it.each(['A1007', 'A1009', 'A1099', 'A2000'])('%s leaves the outcome unknown', (code) => {
    expect(readEnvelope(200, outer(code, null, '说明'))).toEqual({
      is: 'unknown',
      reason: { code: 'carrier_system_error', params: { text: `${code} 说明` } },
    });
  });

  it.each([
    ['HTML', 200, '<html>'],
    ['nothing', 200, ''],
    ['no data', 200, outer('A1000', null)],
    ['a data text that is no JSON', 200, outer('A1000', 'oops')],
    ['half a text', 200, '{"apiResultCode":"A1000","apiResult'],
    ['an error of a proxy', 502, '<html>'],
    ['a service’s answer under 500', 500, inner({ success: true, msgData: {} })],
  ])('SF’s answer leaves the outcome unknown: %s', (_, status, body) => {
    expect(readEnvelope(status, body)).toMatchObject({ is: 'unknown' });
  });

  it('SF’s HTTP status 429 is read as a throttled call', () => {
    expect(readEnvelope(429, '')).toMatchObject({ is: 'gateway', kind: 'throttled' });
  });
});
