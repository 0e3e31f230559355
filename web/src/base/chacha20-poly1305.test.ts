import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { open, seal } from './chacha20-poly1305.ts';

const bytes = (length: number): Uint8Array => new Uint8Array(randomBytes(length));
const hex = (text: Uint8Array): string => Buffer.from(text).toString('hex');

it('encryption of bytes of many lengths gives the same result as OpenSSL, and decryption restores the bytes', () => {
  for (const length of [0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 1_000, 5_003]) {
    const [key, nonce, plain, bound] = [bytes(32), bytes(12), bytes(length), bytes(length % 40)];
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
    cipher.setAAD(bound, { plaintextLength: length });
    const right = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    const sealed = seal(key, nonce, plain, bound);
    expect(hex(sealed)).toBe(right.toString('hex'));
    expect(hex(open(key, nonce, sealed, bound)!)).toBe(hex(plain));
  }
});

it('if the encrypted bytes, the key, the nonce or the bound text has changed, decryption returns null', () => {
  const [key, nonce, plain, bound] = [bytes(32), bytes(12), bytes(100), bytes(10)];
  const sealed = seal(key, nonce, plain, bound);
  for (let at = 0; at < sealed.length; at += 9) {
    const changed = sealed.slice();
    changed[at]! ^= 1;
    expect(open(key, nonce, changed, bound)).toBeNull();
  }
  expect(open(bytes(32), nonce, sealed, bound)).toBeNull();
  expect(open(key, bytes(12), sealed, bound)).toBeNull();
  expect(open(key, nonce, sealed, bytes(10))).toBeNull();
  expect(open(key, nonce, sealed.subarray(0, 10), bound)).toBeNull();
});
