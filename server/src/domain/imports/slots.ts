import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';

/** Orders of imports that a carrier account is sent in a second, of all imports and workers together; a person's own order does not wait for them. */
export const importOrdersPerSecond = 20;
const step = 1_000 / importOrdersPerSecond;

/** The moments at which the next orders of an import may be sent, one each. Holds the account's row until the transaction ends, so that no moment is taken twice. */
export const reserveSlots = async (tx: Tx, merchant_id: number, count: number, now: Date): Promise<Date[]> => {
  const taken = sql`${count * step} * interval '1 millisecond'`;
  const { until } = await oneRow(
    tx,
    sql<{ until: Date }>`insert into carrier_slots (merchant_id, until) values (${merchant_id}, ${now}::timestamptz + ${taken})
      on conflict (merchant_id) do update set until = greatest(carrier_slots.until, ${now}::timestamptz) + ${taken} returning until`,
  );
  return Array.from({ length: count }, (_, at) => new Date(until.getTime() - (count - at) * step));
};
