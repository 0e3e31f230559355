import { BlockList, isIP } from 'node:net';

/** Adds an address or a network to the list; false if it is neither. */
const add = (list: BlockList, text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) {
    list.addAddress(address, family);
    return true;
  }
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  list.addSubnet(address, Number(bits), family);
  return true;
};

/** Whether a text is an IP address or a network in CIDR notation. */
export const isAddressRange = (text: string): boolean => add(new BlockList(), text);

/** An address as the database compares it: without a zone, IPv4 if it is mapped; null if it is none. */
export const plainAddress = (address: string): string | null => {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) === 0 ? null : plain;
};
