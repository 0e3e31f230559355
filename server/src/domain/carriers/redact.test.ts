import { describe, expect, it } from 'vitest';
import { answerWithoutSecrets, redact } from './redact.ts';

const account = { app_key: 'demoappkey', app_secret: 'demosecret', access_token: 'demotoken' };

describe('the log entry of a carrier call', () => {
  it('the record of a call contains no key, token or signature, however deeply they are nested in the call’s body', () => {
    const text = JSON.stringify([
      {
        sign: 'abc',
        access_token: 'x',
        deep: [{ note: 'token demotoken of demoappkey', demosecret: 1 }],
        msg: 'signed demosecret…',
      },
    ]);
    const kept = JSON.stringify(redact(text, account));
    for (const secret of ['abc', 'demotoken', 'demoappkey', 'demosecret', '"x"'])
      expect(kept).not.toContain(secret);
    expect(kept).toContain('[cut]');
  });

  it('the log entry of a call masks phone numbers in texts and in numbers, and leaves times and waybill numbers unchanged', () => {
    expect(
      redact(
        '{"mobile":"13800000001","n":13900000002,"tel":"010-12345678","text":"收件人13800000001，","at":1767416400000,"waybill":"JDVE00000000017","orderId":"T202601020001"}',
        account,
      ),
    ).toEqual({
      mobile: '138****0001',
      n: '139****0002',
      tel: '010-123****',
      text: '收件人138****0001，',
      at: 1767416400000,
      waybill: 'JDVE00000000017',
      orderId: 'T202601020001',
    });
  });

  it('the log entry of a call contains a shortened text of the body if the body is not JSON', () => {
    expect(redact('<html>demotoken', account)).toBe('<html>[cut]');
    expect(String(redact('x'.repeat(5000), account)).length).toBeLessThan(2100);
  });

  it('a deeply nested body of a call can be logged without an exception', () => {
    expect(() => redact(`${'['.repeat(5000)}${']'.repeat(5000)}`, account)).not.toThrow();
  });
});

describe('a carrier’s answer that repeats secrets', () => {
  it('our app key, secret and token are removed from a carrier’s answer, so that they are never stored', () => {
    const body = '{"title":"揽收 demosecret","place":"demoappkey demotoken"}';
    const got = { got: 'answer' as const, http_status: 200, headers: {}, body, ms: 1 };
    expect(answerWithoutSecrets(got, account)).toEqual({
      ...got,
      body: '{"title":"揽收 [cut]","place":"[cut] [cut]"}',
    });
    const nothing = { got: 'nothing' as const, reason: { code: 'x' }, ms: 1, sent: false };
    expect(answerWithoutSecrets(nothing, account)).toBe(nothing);
  });

  it('an app key is not removed from a carrier’s answer if the key is so short that it may be part of another number', () => {
    const got = {
      got: 'answer' as const,
      http_status: 200,
      headers: {},
      body: '{"w":1234}',
      ms: 1,
    };
    expect(answerWithoutSecrets(got, { ...account, app_key: '1234' })).toEqual(got);
  });
});
