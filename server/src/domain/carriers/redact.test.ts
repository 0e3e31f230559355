import { describe, expect, it } from 'vitest';
import { redact } from './redact.ts';

const account = { app_key: 'demoappkey', app_secret: 'demosecret', access_token: 'demotoken' };

describe('the record of a call', () => {
  it('the record of a call never contains a key, a token or a signature at any depth', () => {
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

  it('the record of a call masks phone numbers in texts and in numbers, and leaves times and waybills unchanged', () => {
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

  it('the record of a call has a shortened text for a body that is not JSON', () => {
    expect(redact('<html>demotoken', account)).toBe('<html>[cut]');
    expect(String(redact('x'.repeat(5000), account)).length).toBeLessThan(2100);
  });

  it('the record of a call is limited in its depth', () => {
    expect(() => redact(`${'['.repeat(5000)}${']'.repeat(5000)}`, account)).not.toThrow();
  });
});
