import { describe, expect, it } from 'vitest';
import { isPublicAddress, outboundPolicy } from './outbound.ts';

describe('public IP addresses', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::1',
    '64:ff9b::7f00:1',
    '100::1',
    '3fff::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    'localhost',
    '',
    '1.2.3',
    'not an address',
  ])('%s is not a public address', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '1.1.1.1',
    '114.114.114.114',
    '172.15.255.255',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.254',
    '2400:3200::1',
    '2606:4700::1',
    '::ffff:1.1.1.1',
  ])('%s is a public address', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('the outbound policy', () => {
  it('the outbound policy allows an unlisted host only at a public IP address and only over TLS', () => {
    const policy = outboundPolicy([]);
    expect(policy.allows('api.example.com', 443, '1.1.1.1')).toBe(true);
    expect(policy.allows('api.example.com', 443, '127.0.0.1')).toBe(false);
    expect(policy.allows('api.example.com', 443, '::ffff:192.168.0.1')).toBe(false);
    expect(policy.allowsPlain('api.example.com', 80)).toBe(false);
  });

  it('the outbound policy allows a listed host at any IP address, on its listed port, or on every port if none is listed', () => {
    const policy = outboundPolicy(['127.0.0.1:8090', 'Carrier.Internal']);
    expect(policy.allows('127.0.0.1', 8090, '127.0.0.1')).toBe(true);
    expect(policy.allowsPlain('127.0.0.1', 8090)).toBe(true);
    expect(policy.allows('127.0.0.1', 5432, '127.0.0.1')).toBe(false);
    expect(policy.allows('localhost', 8090, '127.0.0.1')).toBe(false);
    expect(policy.allows('carrier.internal', 443, '10.0.0.7')).toBe(true);
    expect(policy.allows('carrier.internal.', 9000, '10.0.0.7')).toBe(true);
    expect(policy.allows('evil-carrier.internal', 443, '10.0.0.7')).toBe(false);
  });

  it('the outbound policy recognises a listed IPv6 host in any spelling, with and without square brackets', () => {
    for (const entry of ['[::1]:8090', '::1', '[0:0:0:0:0:0:0:1]']) {
      const policy = outboundPolicy([entry]);
      expect(policy.allows('[::1]', 8090, '::1')).toBe(true);
      expect(policy.allows('::1', 8090, '::1')).toBe(true);
    }
  });

  it('the outbound policy compares hosts in canonical form: 0x7f.1 is 127.0.0.1', () => {
    expect(outboundPolicy(['0x7f.1']).allows('127.0.0.1', 80, '127.0.0.1')).toBe(true);
  });

  it.each(['http://x', 'a b', 'host:0', 'host:70000', 'user@host', ':8080', 'host/path'])(
    'the outbound policy refuses the entry %s, which is not a host',
    (entry) => {
      expect(() => outboundPolicy([entry])).toThrow(entry);
    },
  );
});
