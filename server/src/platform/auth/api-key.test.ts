import { describe, expect, it } from 'vitest';
import { createToken } from './actor.ts';
import { createApiKey, isKeyLike, isWellFormed } from './api-key.ts';
import { isAddressRange, plainAddress } from './key-addresses.ts';

describe('the format of an API key', () => {
  it('the prefix and the checksum of a new API key show that it is an API key, without a database query', () => {
    const key = createApiKey();
    expect(key).toMatch(/^wsk_[\dA-Za-z]{49}$/);
    expect([isKeyLike(key), isWellFormed(key)]).toEqual([true, true]);
    expect(createApiKey()).not.toBe(key);
  });

  it('an API key with any character changed is not well-formed', () => {
    const key = createApiKey();
    for (let at = 4; at < key.length; at++) {
      const other = key[at] === 'x' ? 'y' : 'x';
      expect(isWellFormed(key.slice(0, at) + other + key.slice(at + 1)), String(at)).toBe(false);
    }
  });

  it('a session token is not accepted as an API key, even if it begins with the prefix of an API key', () => {
    expect(isKeyLike(createToken())).toBe(false);
    expect(isKeyLike(`wsk_${createToken().slice(4)}`)).toBe(false);
  });
});

describe('the allowed IP addresses of an API key', () => {
  it.each(['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32', '0.0.0.0/0'])(
    '%s is accepted as an API key’s address or network',
    (text) => expect(isAddressRange(text)).toBe(true),
  );

  it.each(['', 'shop.example.com', '203.0.113.0/33', '203.0.113', '2001:db8::/129', '1.2.3.4/8/8'])(
    '“%s” is refused as an API key’s address or network',
    (text) => expect(isAddressRange(text)).toBe(false),
  );

  it('the zone is removed from the IP address of an API key’s caller, and an IPv4 address mapped to IPv6 is compared as IPv4', () => {
    expect(
      ['203.0.113.9', '::ffff:203.0.113.9', 'fe80::7%eth0', 'unknown', ''].map(plainAddress),
    ).toEqual(['203.0.113.9', '203.0.113.9', 'fe80::7', null, null]);
  });
});
