import { carrierOutages } from '@waystation/contract/network/outage.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import { useCall } from '#base/query.ts';

export type Outage = OutputOf<typeof carrierOutages>['items'][number];

/**
 * Returns one row per carrier account. For a user who may not see accounts, it returns one row per
 * carrier. Exported for its test.
 */
export const byCarrier = (outages: readonly Outage[]): Outage[] => {
  const rows = new Map<string, Outage>();
  for (const outage of outages) {
    const key = outage.merchant_id === null ? outage.provider : String(outage.merchant_id);
    const known = rows.get(key);
    if (!known) rows.set(key, outage);
    else
      rows.set(key, {
        ...known,
        since: known.since < outage.since ? known.since : outage.since,
        waiting: known.waiting + outage.waiting,
      });
  }
  return [...rows.values()];
};

/**
 * The name by which the user knows the carrier account: the name of the account, or the name of the
 * carrier if the account's name is hidden.
 */
export const outageName = ({ name, provider }: Outage, language: Language): string =>
  name ?? wordOf(providers, provider as Provider, language);

/** The carriers that do not respond now. */
export const useOutages = (enabled = true): Outage[] => {
  const { data } = useCall(carrierOutages, enabled ? {} : null, {
    quiet: true,
    refetchInterval: 60_000,
    staleTime: 55_000,
  });
  return byCarrier(data?.items ?? []);
};
