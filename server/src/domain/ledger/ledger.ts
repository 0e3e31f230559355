import { firstOf } from '@waystation/contract/base/present.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { MovementRefusedError, asFailure, post, postUnread } from './post.ts';
import type {
  Adjustment,
  Approval,
  CarrierCost,
  CarrierFee,
  CarrierPayment,
  Charge,
  Decision,
  Difference,
  Hold,
  HoldChange,
  Movement,
  Outcome,
  Payout,
  Posted,
  Refund,
  Release,
  Request,
  Reversal,
  TopUp,
  TopUpReversal,
} from './movements.ts';

export { MovementRefusedError, post };
export {
  daysLeft,
  daysOutstanding,
  isBelowLimit,
  isOwing,
  lowLimit,
  moneyByDay,
  profitBySource,
  reweighMoney,
  rollUpMoney,
  runsOutIn,
  spentLately,
} from './days.ts';
export {
  blockedStations,
  evidenceNow,
  lastProof,
  lastProofs,
  prove,
  proveUntil,
  unblock,
  walkLedger,
} from './proof.ts';
export { continueWalk, ledgerTasks, proveSoon } from './proof-tasks.ts';
export { blindSpotsOf } from './blind-spots.ts';
export { walkProgress } from './proof-walk.ts';
export { writeHeads } from './heads.ts';
export { acceptGap, compareHeads, gapOf } from './head-gaps.ts';
export { setHeadsAside } from './heads-file.ts';
export { findHead, newestLink } from './chain-heads.ts';
export { giveBillReason } from './period-bills.ts';
export { rollUpBooks } from './book-sums.ts';
export { closeBooks, prepareClosing } from './closing.ts';
export { booksOf, listBooks, reopenBooks } from './periods.ts';
export { journalOf } from './journal.ts';
export {
  countStatements,
  listStatements,
  statementIds,
  statementIn,
  statementsOf,
} from './statements.ts';
export {
  firstApproval,
  givenAlone,
  isStationRequest,
  paidOut,
  refundLeft,
  requesterOf,
  reversible,
  storeApproval,
  toppedUpAlone,
} from './one-person.ts';
export { rollUpStatements } from './statement-sums.ts';
export type { StationLines } from './station-archive.ts';
export { stationsOfMonth } from './station-archive.ts';
export { changesSince } from './after-closing.ts';
export { lastReminder, remindOfMonth } from './reminders.ts';
export { confirmMonth, confirmationsOf, monthStatement, monthSummary } from './station-months.ts';
export type { ChainHead, MonthLine } from './station-months.ts';
export type { Days } from './days.ts';
export type { Comparison } from './head-gaps.ts';
export type { Evidence, Proof } from './proof.ts';
export type { WalkProgress } from './proof-walk.ts';
export type { LedgerPrice, Movement, Outcome, Posted, Share } from './movements.ts';

/**
 * Only this module writes money (docs/ledger.md). Every function posts in the caller's transaction,
 * with any scope: the caller has checked that the actor may do this. Each movement has a `cause`.
 * If the cause is repeated, nothing is posted and the first result is returned; if its content
 * differs, the function throws. Stations are locked in the order of their ids; a caller that posts
 * several movements one by one locks all their stations first. Fails with `station_blocked` or
 * `ledger_stopped` after a failed proof. Amounts are whole fen.
 */

/** Locks stations in id order until the transaction ends; fails if one of them is blocked. */
export const lockStations = async (work: Work, ids: readonly number[]): Promise<void> => {
  await sql`select ledger_lock_stations(${ids}::bigint[])`
    .execute(work.tx)
    .catch((error: unknown) => {
      throw asFailure(error);
    });
};

/** The error code of a station whose postings are blocked now; null if postings are allowed. */
export const blockedReason = async (
  work: Work,
  station_id: number,
): Promise<'station_blocked' | 'ledger_stopped' | null> => {
  const row = await oneRow(
    work,
    sql<{
      code: 'station_blocked' | 'ledger_stopped' | null;
    }>`select ledger_block_reason(${station_id}) as code`,
  );
  return row.code;
};

const one = async (work: Work, movement: Movement): Promise<Outcome> =>
  firstOf(await post(work, [movement]));

/** Posts a movement that does not depend on the balance, and throws if it is refused. */
const postOrThrow = async (work: Work, movement: Movement): Promise<Posted> => {
  const outcome = await one(work, movement);
  if (!outcome.ok)
    throw new Error(
      `${movement.movement} ${movement.cause} lacks ${outcome.missing_amount} fen, which it never may`,
    );
  return outcome;
};

const statementOf = (posted: Posted): number => {
  if (posted.statement_id === null) throw new Error('a posting on a station made no statement');
  return posted.statement_id;
};

const transferOf = (posted: Posted): number => {
  if (posted.transfer_id === null) throw new Error('a posting made no transfer');
  return posted.transfer_id;
};

/** Posts a payment into the wallet. `amount` > 0. Returns the statement's id. */
export const topUp = async (work: Work, input: TopUp): Promise<number> =>
  statementOf(await postOrThrow(work, { movement: 'top_up', ...input }));

/**
 * Holds a parcel's price. If the station's balance is checked and too low, the hold is refused with
 * the missing amount. A parcel has at most one open hold.
 */
export const hold = (work: Work, input: Hold): Promise<Outcome> =>
  one(work, { movement: 'hold', ...input });

/**
 * Holds a price without waiting for the answer. If the hold is refused, the transaction fails with
 * MovementRefusedError.
 */
export const holdUnread = (work: Work, input: Hold): Promise<void> =>
  postUnread(work, { movement: 'hold', ...input });

/**
 * Changes the amount of the open hold of an attempt. A higher amount is refused if the balance does
 * not cover it.
 */
export const changeHold = (work: Work, input: HoldChange): Promise<Outcome> =>
  one(work, { movement: 'change_hold', ...input });

/** Releases the open hold of an attempt. Throws if it has ended in another way. */
export const releaseHold = (work: Work, input: Release): Promise<Posted> =>
  postOrThrow(work, { movement: 'release', ...input });

/**
 * Charges a parcel for the first time. Ends its hold, takes the rest of the price from the wallet
 * (the whole price if the hold was released), and pays the shares of the parent stations.
 */
export const charge = (work: Work, input: Charge): Promise<Posted> =>
  postOrThrow(work, { movement: 'charge', ...input });

/**
 * Posts the difference of a charged parcel's price and shares. Throws if `price_before` or
 * `shares_before` differ from what is posted, so that no difference is lost or posted twice. Posts
 * nothing if nothing differs, or if the parcel is reversed.
 */
export const chargeDifference = (work: Work, input: Difference): Promise<Posted> =>
  postOrThrow(work, { movement: 'difference', ...input });

/**
 * Posts the difference between the carrier's current fee for a parcel and the cost posted so
 * far.
 */
export const carrierFee = (work: Work, input: CarrierFee): Promise<Posted> =>
  postOrThrow(work, { movement: 'carrier_fee', ...input });

/**
 * Posts a carrier fee, positive or negative, that belongs to no parcel. The platform bears it as a
 * cost.
 */
export const carrierCost = (work: Work, input: CarrierCost): Promise<Posted> =>
  postOrThrow(work, { movement: 'carrier_fee', ...input });

/** Posts a payment to the carrier. */
export const carrierPaid = async (work: Work, input: CarrierPayment): Promise<number> =>
  transferOf(await postOrThrow(work, { movement: 'carrier_paid', ...input }));

/**
 * Refunds part of a charged parcel's price and leaves its profit shares unchanged. Fails if the
 * amount is above the price that remains, or if the parcel was reversed.
 */
export const refund = async (work: Work, input: Refund): Promise<number> =>
  statementOf(await postOrThrow(work, { movement: 'refund', ...input }));

/**
 * Compensates the station of a lost or damaged parcel; fails if all payouts of the parcel
 * would exceed `limit_amount`.
 */
export const payout = async (work: Work, input: Payout): Promise<number> =>
  statementOf(await postOrThrow(work, { movement: 'payout', ...input }));

/** Posts a correction immediately; its amount may be positive or negative. */
export const adjustment = async (work: Work, input: Adjustment): Promise<number> =>
  statementOf(await postOrThrow(work, { movement: 'adjustment', ...input }));

/**
 * Requests a withdrawal, which posts nothing until it is approved. If the available balance is too
 * low, the request is refused with the missing amount.
 */
export const requestWithdrawal = (work: Work, input: Request): Promise<Outcome> =>
  one(work, { movement: 'request', type: 'withdrawal', ...input });

type RequestMovement = Extract<Movement, { movement: 'request' }>;
type WithoutWords<M> = M extends unknown ? Omit<M, 'movement'> : never;

/**
 * Requests a movement that a second person must approve; fails if the movement would be refused
 * now. Returns the statement's id.
 */
export const request = async (
  work: Work,
  input: WithoutWords<Exclude<RequestMovement, { type: 'withdrawal' }>>,
): Promise<number> =>
  statementOf(await postOrThrow(work, { movement: 'request', ...input } as Movement));

/** Requests an adjustment that a second person must approve. */
export const requestAdjustment = (work: Work, input: Request): Promise<number> =>
  request(work, { type: 'adjustment', ...input });

/**
 * Approves and posts a request. A withdrawal above the available balance stays pending, and the
 * missing amount is returned. The requester may not approve the request, unless `alone` is set.
 */
export const approve = (work: Work, input: Approval): Promise<Outcome> =>
  one(work, { movement: 'approve', ...input });

/** Declines a request. The requester may not do this. */
export const decline = (work: Work, input: Decision & { reason: string }): Promise<Posted> =>
  postOrThrow(work, { movement: 'decline', ...input });

/** Withdraws a request. Only the requester may do this. */
export const retract = (work: Work, input: Decision): Promise<Posted> =>
  postOrThrow(work, { movement: 'decline', reason: '', retract: 1, ...input });

/**
 * Reverses the charges of a parcel minus its refunds, and its profit shares. A parcel can be
 * reversed only once. Later facts of the parcel post only a cost.
 */
export const reverse = (work: Work, input: Reversal): Promise<Posted> =>
  postOrThrow(work, { movement: 'reversal', ...input });

/**
 * Reverses a top-up that the station has not spent. A top-up can be reversed only once. Returns the
 * id of the reversal's statement.
 */
export const reverseTopUp = async (work: Work, input: TopUpReversal): Promise<number> =>
  statementOf(await postOrThrow(work, { movement: 'reversal', ...input }));
