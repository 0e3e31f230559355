import { businessDay } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

/**
 * Counts a parcel that an API key orders: adds its price to the key's sum of the business day of
 * `at`. Does nothing if no key is used. Throws `key_limit_reached` if the sum would exceed the
 * key's limit. Orders of one key wait for each other until they commit. The caller locks the
 * station afterwards, so that two orders never deadlock. Needs the system scope. `amount` in fen.
 */
export const countKeyOrder = async (work: Work, amount: number, at: Date): Promise<void> => {
  const key_id = work.actor?.key?.id;
  if (key_id === undefined) return;
  const day = businessDay(at);
  // The lock is taken in a separate statement, so that the next statement reads the key and its sum
  // as other orders have committed them.
  await sql`insert into api_key_orders as o (key_id, day, amount)
      select id, ${day}::date, 0 from api_keys where id = ${key_id}
      on conflict (key_id) do update set day = o.day`.execute(work.tx);
  // An order of an earlier day never replaces the sum of a later day.
  const { rows } = await sql`update api_key_orders o set day = greatest(o.day, ${day}::date),
        amount = case when o.day >= ${day}::date then o.amount else 0 end + ${amount}::bigint
      from api_keys k where k.id = o.key_id and o.key_id = ${key_id}
        and (k.daily_limit is null or k.daily_limit >= ${amount}::bigint
          + case when o.day >= ${day}::date then o.amount else 0 end)
      returning 1`.execute(work.tx);
  if (rows.length > 0) return;
  const { limit_amount, ordered_amount } = await oneRow(
    work,
    sql<{ limit_amount: number; ordered_amount: number }>`select
        k.daily_limit as limit_amount,
        coalesce(case when o.day >= ${day}::date then o.amount end, 0) as ordered_amount
      from api_keys k left join api_key_orders o on o.key_id = k.id where k.id = ${key_id}`,
  );
  fail('key_limit_reached', { limit_amount, ordered_amount, post_amount: amount });
};

/**
 * Counts the price of a parcel on hold that an API key orders before other parcels. The price does
 * not count if the same key created the order, because the order was already counted. Needs the
 * system scope.
 */
export const countKeyRelease = async (
  work: Work,
  { id, post_amount }: { id: number; post_amount: number },
  at: Date,
): Promise<void> => {
  const key_id = work.actor?.key?.id;
  if (key_id === undefined) return;
  const { rows } = await sql`select 1 from audit_log where subject = 'expresses'
      and subject_id = ${id} and key_id = ${key_id} and action = 'order' limit 1`.execute(work.tx);
  if (rows.length === 0) await countKeyOrder(work, post_amount, at);
};
