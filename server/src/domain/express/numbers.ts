import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Failed } from '#domain/carriers/carriers.ts';
import { recordAnswer } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';

/** The number of waybill numbers that are fetched when none is left. */
const fetched = 100;
/** The number of days for which a prefetched number is used; carriers guarantee three months. */
const goodForDays = 80;

/**
 * Removes one prefetched waybill number of a carrier account and returns it; null if the account
 * has none. Runs in the transaction that writes the number into an order's bytes.
 */
export const popNumber = async (
  work: Work,
  merchant_id: number,
  at: Date,
): Promise<string | null> => {
  const { rows } = await sql<RowOf<'carrier_numbers', 'number'>>`
    delete from carrier_numbers where merchant_id = ${merchant_id} and number = (
      select number from carrier_numbers where merchant_id = ${merchant_id}
        and fetched_at > ${at}::timestamptz - ${goodForDays} * interval '1 day'
      order by fetched_at, number limit 1 for update skip locked)
    returning number`.execute(work.tx);
  return rows[0]?.number ?? null;
};

const all = systemScope('waybill numbers');

/**
 * Fetches waybill numbers for later orders. Returns the carrier's failure, or null on success. If
 * the answer is lost, its numbers are never used, which costs nothing.
 */
export const fetchNumbers = async (
  context: CarrierContext,
  { carrier, account, merchant_id }: OpenAccount,
): Promise<Failed | null> => {
  const answer = await carrier.prefetch(account, fetched);
  await context.db.tx(all, async (work) => {
    await recordAnswer(context, work, merchant_id, { express_id: null, answer });
    if (answer.outcome !== 'ok') return;
    await sql`insert into carrier_numbers (merchant_id, number, fetched_at)
      select ${merchant_id}, unnest(${answer.value}::text[]), ${context.clock.now()}
      on conflict do nothing`.execute(work.tx);
  });
  return answer.outcome === 'ok' ? null : answer;
};
