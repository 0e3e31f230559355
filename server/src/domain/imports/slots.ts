import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

/**
 * Milliseconds between two import orders of one carrier account, over all imports and workers. The
 * carrier accepts twenty calls per second. The interval is a fifth longer than this needs, because
 * calls may be late. A parcel that a user orders singly does not wait.
 */
export const orderEveryMs = 60;

/**
 * Reserves times for the next orders of an import, one time per order. Every time is later than
 * now, because a job counts as planned only if it is scheduled for later. Locks the account's row
 * until the transaction ends, so that no time is used twice.
 */
export const reserveSlots = async (
  work: Work,
  merchant_id: number,
  count: number,
  now: Date,
): Promise<Date[]> => {
  const taken = sql`${count * orderEveryMs} * interval '1 millisecond'`;
  const { until } = await oneRow(
    work,
    sql<{ until: Date }>`insert into carrier_slots (merchant_id, until)
      values (${merchant_id}, ${now}::timestamptz + ${taken})
      on conflict (merchant_id) do update set until = greatest(carrier_slots.until,
        ${now}::timestamptz) + ${taken} returning until`,
  );
  return Array.from(
    { length: count },
    (_, at) => new Date(until.getTime() - (count - at - 1) * orderEveryMs),
  );
};

/**
 * Makes the last `count` times that this transaction has reserved free again. The account's row is
 * still locked, so no later times can have been reserved.
 */
export const releaseSlots = async (
  work: Work,
  merchant_id: number,
  count: number,
): Promise<void> => {
  await sql`update carrier_slots set until = until
      - ${count * orderEveryMs} * interval '1 millisecond'
    where merchant_id = ${merchant_id}`.execute(work.tx);
};
