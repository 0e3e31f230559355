import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { keyPrefix } from '@waystation/contract/people/api-key.ts';

// An API key consists of a prefix, 43 random characters (256 bits) and a checksum of 6 characters.
// A program that searches texts for leaked keys can therefore recognise an API key offline, and a
// mistyped key is refused without a query.

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = { random: 43, checksum: 6 } as const;
const pattern = new RegExp(`^${keyPrefix}[\\dA-Za-z]{${length.random + length.checksum}}$`);

const checksumOf = (text: string): string => {
  let [rest, checksum] = [crc32(text), ''];
  for (let at = 0; at < length.checksum; at++) {
    checksum = digits[rest % digits.length]! + checksum;
    rest = Math.floor(rest / digits.length);
  }
  return checksum;
};

export const createApiKey = (): string => {
  const random = Array.from({ length: length.random }, () => digits[randomInt(digits.length)]);
  const body = keyPrefix + random.join('');
  return body + checksumOf(body);
};

/**
 * True if a bearer token looks like an API key. No session token has both the prefix and this
 * length.
 */
export const isKeyLike = (token: string): boolean =>
  token.startsWith(keyPrefix) && token.length !== length.random;

/** True if a key has the form and the checksum of a key that this program created. */
export const isWellFormed = (key: string): boolean =>
  pattern.test(key) && checksumOf(key.slice(0, -length.checksum)) === key.slice(-length.checksum);

/** The first characters of an API key, by which people can tell their keys apart. */
export const hintOf = (key: string): string => key.slice(0, keyPrefix.length + 4);
