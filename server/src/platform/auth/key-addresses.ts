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

/** Whether an address is one of `allowed`, or in a network of it; an empty list allows every one. */
export const isAllowedAddress = (address: string, allowed: readonly string[]): boolean => {
  if (allowed.length === 0) return true;
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  const list = new BlockList();
  for (const range of allowed) add(list, range);
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
};
