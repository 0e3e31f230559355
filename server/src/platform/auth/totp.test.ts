import { describe, expect, it } from 'vitest';
import { base32, codeOf, otpauthUri, stepOf, stepOfCode } from './totp.ts';

/** The secret that the table of test values in RFC 6238 uses. */
const secret = Buffer.from('12345678901234567890');
const at = (seconds: number): Date => new Date(seconds * 1000);

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])(
    'at second %i, the code of an authenticator app is the last six digits of the code in RFC 6238',
    (seconds, code) => {
      expect(codeOf(secret, stepOf(at(seconds)))).toBe(code);
    },
  );

  it('a code of an authenticator app is accepted during its interval and for 30 seconds before and after it', () => {
    const code = codeOf(secret, stepOf(at(3_000)));
    expect(
      [2_969, 2_970, 3_000, 3_029, 3_059, 3_060].map((seconds) =>
        stepOfCode(secret, code, at(seconds), 0),
      ),
    ).toEqual([null, 100, 100, 100, 100, null]);
  });

  it('after a code of an authenticator app was accepted, the same code and earlier codes are refused', () => {
    const code = codeOf(secret, 100);
    expect([98, 99, 100, 101].map((last) => stepOfCode(secret, code, at(3_000), last))).toEqual([
      100,
      100,
      null,
      null,
    ]);
  });

  it.each(['', '12345', '1234567', '28708２', 'abcdef'])(
    'the text “%s” is never accepted as a code of an authenticator app',
    (code) => {
      expect(stepOfCode(secret, code, at(59), 0)).toBeNull();
    },
  );
});

describe('a two-factor secret', () => {
  it('a two-factor secret is written in base32, and as an otpauth URL for authenticator apps', () => {
    expect(
      ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text))),
    ).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
    expect(otpauthUri(secret, 'a.b@c', 'Waystation')).toBe(
      'otpauth://totp/Waystation:a.b%40c?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Waystation&algorithm=SHA1&digits=6&period=30',
    );
  });
});
