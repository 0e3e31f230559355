import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** The longest time in milliseconds for a look-up. */
const within = 2_000;

/**
 * The IP addresses of a host name that a user entered. The name servers may never answer, so the
 * look-up uses no thread that the rest of the process needs, and ends after `within`. Each
 * webhook call makes one look-up, so the limit of webhook calls also limits look-ups.
 */
export const resolveName = async (
  name: string,
  servers?: readonly string[],
): Promise<LookupAddress[]> => {
  if (/(^|\.)localhost\.?$/i.test(name)) return [{ address: '127.0.0.1', family: 4 }];
  const resolver = new Resolver({ timeout: within, tries: 1 });
  if (servers) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), within);
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(late);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length > 0) return found;
  throw Object.assign(new Error('the name was not found'), { code: 'ENOTFOUND' });
};
