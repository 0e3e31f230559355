import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { secretsFrom } from './secrets.ts';

const key = randomBytes(32);
const secrets = secretsFrom(key);

describe('an encrypted secret', () => {
  it('an encrypted secret is decrypted to the original value', () => {
    for (const plain of ['', 'token', '密钥 🔑', 'x'.repeat(10_000)])
      expect(secrets.open(secrets.seal(plain, 'merchants.app_key'), 'merchants.app_key')).toBe(
        plain,
      );
  });

  it('an encrypted secret does not contain the plain text, and differs each time it is encrypted', () => {
    const [one, other] = [secrets.seal('demosecret', 'p'), secrets.seal('demosecret', 'p')];
    expect(one.includes('demosecret')).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it('a secret that was encrypted for one purpose cannot be decrypted for another purpose', () => {
    expect(() =>
      secrets.open(secrets.seal('token', 'merchants.app_key'), 'merchants.app_secret'),
    ).toThrow();
  });

  it('an encrypted secret cannot be decrypted with another key', () => {
    expect(() => secretsFrom(randomBytes(32)).open(secrets.seal('token', 'p'), 'p')).toThrow();
  });

  it('an encrypted secret cannot be decrypted after a bit of any byte was changed or its end was cut off', () => {
    const sealed = secrets.seal('token', 'p');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => secrets.open(changed, 'p'), `byte ${at}`).toThrow();
    }
    const empty = secrets.seal('', 'p');
    for (let length = 0; length < empty.length; length++)
      expect(() => secrets.open(empty.subarray(0, length), 'p'), `cut to ${length}`).toThrow();
  });
});

describe('a derived secret', () => {
  it('a secret derived from the same key for the same use is always the same; for another key or another use it is different', () => {
    expect(secrets.derive('a')).toBe(secretsFrom(key).derive('a'));
    expect(secrets.derive('a')).not.toBe(secrets.derive('b'));
    expect(secrets.derive('a')).not.toBe(secretsFrom(randomBytes(32)).derive('a'));
  });
});
