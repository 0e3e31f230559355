import { raiseAlertOnce } from '#domain/alerts/alerts.ts';
import type { CarrierMessage } from '#domain/carriers/carriers.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import type { ExpressRow } from './row.ts';

/**
 * Returns every return waybill in the messages that another parcel already has. Each of them raises
 * an alert once. If two transactions report the same return waybill at the same time, one waits for
 * the other.
 */
export const returnsOfOthers = async (
  work: Work,
  express: ExpressRow,
  messages: readonly CarrierMessage[],
): Promise<ReadonlySet<string>> => {
  const named = new Set(messages.flatMap(({ return_delivery_id }) => return_delivery_id ?? []));
  if (express.return_delivery_id !== null) named.delete(express.return_delivery_id);
  if (named.size === 0) return named;
  const numbers = [...named].toSorted();
  await sql`select pg_advisory_xact_lock(hashtextextended('return waybill ' || n, 0))
    from unnest(${numbers}::text[]) n order by n`.execute(work.tx);
  const { rows } = await sql<{ number: string; order_id: string }>`select n.number, o.order_id
    from unnest(${numbers}::text[]) n (number)
    cross join lateral (
      select order_id from expresses e where e.provider = ${express.provider}
        and e.delivery_id = n.number and e.id <> ${express.id}
      union all select order_id from expresses e where e.return_delivery_id = n.number
        and e.provider = ${express.provider} and e.id <> ${express.id}
      limit 1) o`.execute(work.tx);
  for (const { number, order_id } of rows)
    await raiseAlertOnce(work, {
      code: 'return_of_another',
      params: { order_id: express.order_id, delivery_id: number, other_id: order_id },
      express_id: express.id,
      station_id: express.station_id,
      key: `return_of_another:${express.id}:${number}`,
    });
  return new Set(rows.map(({ number }) => number));
};

/**
 * Returns the answers to our own cancel call without the return waybills that belong to other
 * parcels.
 */
export const withoutReturnsOfOthers = async (
  work: Work,
  express: ExpressRow,
  messages: readonly CarrierMessage[],
): Promise<CarrierMessage[]> => {
  const foreign = await returnsOfOthers(work, express, messages);
  return messages.map((message) =>
    foreign.has(message.return_delivery_id ?? '')
      ? { ...message, return_delivery_id: null }
      : message,
  );
};
