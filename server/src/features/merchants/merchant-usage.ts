import type * as calls from '@waystation/contract/network/merchant.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostChosen } from '@waystation/contract/base/limits.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Usage } from '@waystation/contract/base/usage.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { read } from './merchants.ts';

/** Returns the enabled stations that use this account by its code. */
export const stationsNaming = async (
  work: Work,
  customer_code: string,
): Promise<{ count: number; names: string[] }> => {
  const { rows } = await sql<RowOf<'stations', 'name'> & { n: number }>`select name,
    count(*) over () as n from stations
    where customer_code = ${customer_code} and status = 1 order by name limit 5`.execute(work.tx);
  return { count: rows[0]?.n ?? 0, names: rows.map(({ name }) => name) };
};

/**
 * The parcels, among the newest of a state, for which this account was chosen. Ordering them fails
 * after the account is disabled.
 */
const choosing = async (
  work: Work,
  what: 'drafts' | 'failed_parcels',
  customer_code: string,
): Promise<Usage['items']> => {
  const [state_code, chosen] =
    what === 'drafts'
      ? [stateCode.draft, sql`customer_code`]
      : [stateCode.failed, sql`terms ->> 'customer_code'`];
  const { seen, count } = await oneRow(
    work,
    sql<{ seen: number; count: number }>`select count(*) as seen,
      count(*) filter (where chosen = ${customer_code}) as count
      from (select ${chosen} as chosen from expresses where state_code = ${state_code}
        order by created_at desc, id desc limit ${mostChosen + 1}) newest`,
  );
  return count === 0 ? [] : [{ what, count, ...(seen > mostChosen && { more: 1 as const }) }];
};

export const usage = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.merchantUsage>,
): Promise<Usage> =>
  app.db.tx(callerOf(actor), async (work) => {
    const { customer_code, parcels_30d } = await read(work, id);
    const stations = await stationsNaming(work, customer_code);
    return {
      items: [
        ...(stations.count > 0 ? [{ what: 'stations' as const, ...stations }] : []),
        ...(parcels_30d > 0 ? [{ what: 'parcels' as const, count: parcels_30d }] : []),
        ...(await choosing(work, 'drafts', customer_code)),
        ...(await choosing(work, 'failed_parcels', customer_code)),
      ],
    };
  });
