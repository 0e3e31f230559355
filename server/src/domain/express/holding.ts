import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { hold, holdUnread } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { spendableOf } from '@waystation/contract/network/station.ts';
import type { StationTerms } from '#domain/offers/offers.ts';
import { expressColumnList } from './express-columns.ts';
import { announce, moveExpress, whyFields } from './moves.ts';
import { queueFirstSend, queueRelease, queueSend } from './queues.ts';
import { ledgerPrice, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

/**
 * The amount in fen that a station's available balance lacks for an order. 0 if it lacks nothing or
 * the station is post-paid. Locks the station's row.
 */
export const shortfall = async (
  work: Work,
  station_id: number,
  amount: number,
): Promise<number> => {
  const station = await work.tx
    .selectFrom('stations')
    .select(['available', 'has_amount', 'credit_limit'])
    .where('id', '=', station_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return presumedShortfall(station, amount);
};

/**
 * The amount in fen that the balance lacks, if the balance was read without a lock. Another order
 * may use the balance meanwhile.
 */
export const presumedShortfall = (
  station: Pick<StationTerms, 'available' | 'has_amount' | 'credit_limit'>,
  amount: number,
): number => {
  const spendable = spendableOf(station);
  return spendable === null ? 0 : Math.max(0, amount - spendable);
};

export const tooLow = (missing_amount: number) =>
  whyFields({ reason: { code: 'balance_too_low', params: { missing_amount } } });

const holdOf = (express: ExpressRow, at: Date, by: number | null) => ({
  station_id: express.station_id,
  express_id: express.id,
  attempt: express.attempt,
  delivery_id: express.delivery_id,
  order_id: express.order_id,
  price: ledgerPrice(express),
  cause: `hold:${express.id}:${express.attempt}`,
  at,
  by,
});

interface Holding {
  at: Date;
  by: number | null;
  sendAt?: Date | undefined;
  /** The time at which the carrier confirmed that it offers the parcel's pickup window. */
  windowAskedAt?: Date | undefined;
}

/**
 * Posts the hold of a parcel in state 20 if the balance covers it, and queues the call to the
 * carrier immediately or at `sendAt`.
 */
export const holdAndSend = async (
  work: Work,
  express: ExpressRow,
  { at, by, sendAt, windowAskedAt }: Holding,
): Promise<void> => {
  const held = await hold(work, holdOf(express, at, by));
  // The station has been locked since the balance was compared, so a refused hold is a defect. In
  // this case nothing is ordered.
  if (!held.ok)
    throw new Error(
      `the hold of parcel ${express.id} lacks ${held.missing_amount} fen that were there`,
    );
  const asked = windowAskedAt && { window_asked_at: windowAskedAt.getTime() };
  await queueSend(work, { express_id: express.id, attempt: express.attempt, ...asked }, sendAt);
};

/**
 * Posts the hold of a parcel whose station is not locked yet. The station is locked together with
 * the posting, in the round trip of the commit. If the balance has become too low, the transaction
 * fails with MovementRefusedError.
 */
export const holdAndSendLate = async (
  work: Work,
  express: ExpressRow,
  at: Date,
  by: number | null,
): Promise<void> => {
  await holdUnread(work, holdOf(express, at, by));
  await queueFirstSend(work, {
    express_id: express.id,
    attempt: express.attempt,
    first: express.order_tries > 0,
  });
};

/**
 * Holds the price of one parcel on hold and orders it. If the balance is too low, `express` is null
 * and the missing amount is returned. Needs the system scope and a locked parcel.
 */
export const releaseOne = async (
  work: Work,
  express: ExpressRow,
  at: Date,
  by: number | null,
): Promise<
  { express: ExpressRow; missing_amount: 0 } | { express: null; missing_amount: number }
> => {
  const missing_amount = await shortfall(work, express.station_id, express.post_amount);
  if (missing_amount > 0) return { express: null, missing_amount };
  const moved = await moveExpress(work, express, {
    to: stateCode.ordering,
    cause: 'released',
    account_id: by,
    at,
  });
  await holdAndSend(work, moved, { at, by });
  return { express: moved, missing_amount: 0 };
};

/**
 * Task: releases a station's parcels on hold after its available balance has risen. It releases
 * them in the order of (created_at, id). It stops at the first parcel that the balance does not
 * cover, and updates the missing amount of this parcel (requirements §4). Parcels of a disabled
 * station wait; enabling the station queues this task.
 */
export const releaseOnHold = async (
  context: CarrierContext,
  { station_id }: { station_id: number },
): Promise<void> => {
  for (let released = true; released;) {
    released = await context.db.tx(systemScope('release of parcels on hold'), async (work) => {
      // The first parcel is locked before the station, as everywhere in the domain.
      const { rows } = await sql<ExpressRow>`select ${expressColumnList()} from expresses
        where station_id = ${station_id} and state_code = 10
        order by created_at, id limit 1 for update`.execute(work.tx);
      const express = rows[0];
      if (!express) return someWait(work, station_id);
      if (!(await takesOrders(work, station_id))) return false;
      const outcome = await releaseOne(work, express, context.clock.now(), null);
      if (outcome.express) return true;
      await updateExpress(work, express.id, tooLow(outcome.missing_amount));
      return false;
    });
  }
};

const takesOrders = async (work: Work, station_id: number): Promise<boolean> => {
  const row = await work.tx
    .selectFrom('stations')
    .select('status')
    .where('id', '=', station_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.status === 1;
};

/**
 * True if parcels still wait. The first parcel may just have been released, or another transaction
 * may have changed the queue while this transaction waited for its lock.
 */
const someWait = async (work: Work, station_id: number): Promise<boolean> =>
  (
    await sql`select 1 from expresses where station_id = ${station_id} and state_code = 10
    limit 1`.execute(work.tx)
  ).rows.length > 0;

/**
 * Updates the missing amount of a parcel on hold after its price has changed. Also queues the
 * release of its station's parcels on hold. Needs the system scope and a locked parcel.
 */
export const refreshHoldReason = async (work: Work, express: ExpressRow): Promise<ExpressRow> => {
  const missing_amount = await shortfall(work, express.station_id, express.post_amount);
  await queueRelease(work, express.station_id);
  await announce(work, express.id);
  return missing_amount > 0 ? updateExpress(work, express.id, tooLow(missing_amount)) : express;
};
