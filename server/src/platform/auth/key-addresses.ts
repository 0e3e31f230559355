import { BlockList, isIP } from 'node:net';

/**
 * True for an IPv4 address that is mapped to IPv6. A range with such an address would never match.
 */
const isMapped = (address: string): boolean => {
  const { hostname } = new URL(`http://[${address}]`);
  return /^\[::ffff:[\da-f]+:[\da-f]+\]$/.test(hostname);
};

/** Adds an address or a network to the list; false for any other text. */
const add = (list: BlockList, text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  if (version === 6 && isMapped(address)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) {
    list.addAddress(address, family);
    return true;
  }
  if (!/^(0|[1-9]\d{0,2})$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  list.addSubnet(address, Number(bits), family);
  return true;
};

/** True if a text is an IP address or a network in CIDR notation. */
export const isAddressRange = (text: string): boolean => add(new BlockList(), text);

/**
 * Returns an address in the format that the database compares: without a zone, and as IPv4 if it is
 * an IPv4-mapped IPv6 address. Returns null for any other text.
 */
export const plainAddress = (address: string): string | null => {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) === 0 ? null : plain;
};
