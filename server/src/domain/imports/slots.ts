import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';

/**
 * Milliseconds between two orders of imports that a carrier account is sent, of all imports and workers together: the carrier takes twenty a second. At this pace
 * any second has no more even if some calls are a fifth of one later than others. A person's own order does not wait for them.
 */
export const orderEveryMs = 60;

/**
 * The moments for which the next orders of an import are planned, one each and none at once: a job that runs later than it was queued is known by that. Holds the
 * account's row until the transaction ends, so that no moment is taken twice.
 */
export const reserveSlots = async (tx: Tx, merchant_id: number, count: number, now: Date): Promise<Date[]> => {
  const taken = sql`${count * orderEveryMs} * interval '1 millisecond'`;
  const { until } = await oneRow(
    tx,
    sql<{ until: Date }>`insert into carrier_slots (merchant_id, until) values (${merchant_id}, ${now}::timestamptz + ${taken})
      on conflict (merchant_id) do update set until = greatest(carrier_slots.until, ${now}::timestamptz) + ${taken} returning until`,
  );
  return Array.from({ length: count }, (_, at) => new Date(until.getTime() - (count - at - 1) * orderEveryMs));
};
