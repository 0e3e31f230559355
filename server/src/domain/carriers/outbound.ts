import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Decides which IP addresses outgoing calls may reach (docs/operating.md): public addresses, and
 * hosts that the operator lists.
 */
export interface OutboundPolicy {
  /**
   * True if a connection may be opened to the IP address `address`, to which `hostname` was just
   * resolved. It is checked for every connection, so that a host name cannot be changed to a
   * private address later.
   */
  allows(hostname: string, port: number, address: string): boolean;
  /** True if the host may be called without encryption, because the operator listed it. */
  allowsPlain(hostname: string, port: number): boolean;
}

/**
 * IP addresses that are not public: loopback, private, link-local, shared, documentation, multicast
 * and reserved networks.
 */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv4');
// Networks inside 2000::/3 that are not public: protocol assignments with Teredo, documentation,
// and 6to4, which contains an IPv4 address.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, prefix, 'ipv6');

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * True if `address` is the IP address of a host in the public internet. An IPv4 address that is
 * mapped to IPv6 is judged as IPv4.
 */
export const isPublicAddress = (address: string): boolean => {
  const [bare = ''] = address.split('%');
  const family = isIP(bare);
  if (family === 4) return !notPublic.check(bare, 'ipv4');
  if (family !== 6) return false;
  // If an IPv4 address is mapped to IPv6, the block list checks it with its IPv4 rules.
  if (mapped.check(bare, 'ipv6')) return !notPublic.check(bare, 'ipv6');
  return globalUnicast.check(bare, 'ipv6') && !notPublic.check(bare, 'ipv6');
};

const bareHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

interface Named {
  hostname: string;
  port: number | null;
}

/**
 * Parses `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 address. Throws if the entry is
 * anything else.
 */
const namedHost = (entry: string): Named => {
  if (isIPv6(entry))
    return { hostname: bareHost(new URL(`http://[${entry}]`).hostname), port: null };
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/@?#[\]]+)(?::(\d{1,5}))?$/i.exec(entry);
  const url = match ? `http://${match[1]}` : '';
  const port = match?.[2] === undefined ? null : Number(match[2]);
  if (!URL.canParse(url) || (port !== null && (port < 1 || port > 65_535)))
    throw new Error(
      `"${entry}" is not a host or host:port that outgoing calls could be allowed to.`,
    );
  return { hostname: bareHost(new URL(url).hostname), port };
};

/**
 * Creates the policy that allows public addresses over TLS, and the hosts in `allowed` with any
 * address. Throws if an entry is not a host.
 */
export const outboundPolicy = (allowed: readonly string[]): OutboundPolicy => {
  const named = allowed.map(namedHost);
  const isNamed = (hostname: string, port: number): boolean =>
    named.some(
      (entry) =>
        entry.hostname === bareHost(hostname) && (entry.port === null || entry.port === port),
    );
  return {
    allows: (hostname, port, address) => isNamed(hostname, port) || isPublicAddress(address),
    allowsPlain: isNamed,
  };
};
