import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { asFailure, post } from './post.ts';
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

export { post };
export { moneyByDay, profitBySource, reweighMoney, rollUpMoney, runsOutIn, spentLately } from './days.ts';
export { blockedStations, evidenceNow, lastProofs, ledgerTasks, prove, proveSoon, unblock } from './proof.ts';
export { acceptGap, compareHeads, gapOf, writeHeads } from './heads.ts';
export { giveBillReason } from './period-bills.ts';
export { booksOf, closeBooks, listBooks, reopenBooks } from './periods.ts';
export { journalOf } from './journal.ts';
export { queueDueProof } from './proof-hour.ts';
export { listStatements, statementIn } from './statements.ts';
export { askedBy, givenAlone, paidOut, refundLeft, toppedUpAlone } from './one-person.ts';
export { confirmMonth, confirmationsOf, monthStatement, monthSummary } from './station-months.ts';
export type { ChainHead, MonthLine } from './station-months.ts';
export type { Days } from './days.ts';
export type { Comparison } from './heads.ts';
export type { Evidence } from './proof.ts';
export type { LedgerPrice, Movement, Outcome, Posted, Share } from './movements.ts';

/**
 * The only writer of money (docs/ledger.md). Every function posts in the caller's transaction, whatever that transaction's scope: what the actor may do
 * has been checked before. Each movement has a `cause`: a repeat does nothing and answers what the first did, the same cause with other content throws.
 * Stations are locked in id order; a caller that posts several movements one by one locks all their stations first.
 * Fails with `station_blocked` or `ledger_stopped` where a proof failed. Amounts are whole fen.
 */

/** Locks stations in id order until the transaction ends; fails where one of them is blocked. */
export const lockStations = async (tx: Tx, ids: readonly number[]): Promise<void> => {
  await sql`select ledger_lock_stations(${ids}::bigint[])`.execute(tx).catch((error: unknown) => {
    throw asFailure(error);
  });
};

/** Why nothing may be posted on a station now, as an error code; null: it may. */
export const blockedReason = async (tx: Tx, station_id: number): Promise<'station_blocked' | 'ledger_stopped' | null> => {
  const row = await oneRow(tx, sql<{ code: 'station_blocked' | 'ledger_stopped' | null }>`select ledger_block_reason(${station_id}) as code`);
  return row.code;
};

const one = async (tx: Tx, movement: Movement): Promise<Outcome> => (await post(tx, [movement]))[0]!;

/** For movements that are never refused for lack of money. */
const postOrThrow = async (tx: Tx, movement: Movement): Promise<Posted> => {
  const outcome = await one(tx, movement);
  if (!outcome.ok) throw new Error(`${movement.movement} ${movement.cause} lacks ${outcome.missing_amount} fen, which it never may`);
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

/** Money paid in: cash to the wallet. `amount` > 0. Answers the statement's id. */
export const topUp = async (tx: Tx, input: TopUp): Promise<number> => statementOf(await postOrThrow(tx, { movement: 'top_up', ...input }));

/** A parcel's price from the wallet to the holds; refused with what is missing where the station's balance is checked and too low. One open hold a parcel. */
export const hold = (tx: Tx, input: Hold): Promise<Outcome> => one(tx, { movement: 'hold', ...input });

/** The open hold of an attempt at another price; a rise is refused like a hold. */
export const changeHold = (tx: Tx, input: HoldChange): Promise<Outcome> => one(tx, { movement: 'change_hold', ...input });

/** The open hold of an attempt back into the wallet. Throws where it has ended otherwise. */
export const releaseHold = (tx: Tx, input: Release): Promise<Posted> => postOrThrow(tx, { movement: 'release', ...input });

/** The first charge of a parcel: its hold ends, the rest comes from the wallet (all of it where the hold was released before), shares go to the wallets above. */
export const charge = (tx: Tx, input: Charge): Promise<Posted> => postOrThrow(tx, { movement: 'charge', ...input });

/**
 * What a charged parcel's new price and shares differ by. `price_before` and `shares_before` must be what has been posted so far, else it throws:
 * no difference is lost or posted twice. Quiet where nothing differs, and once the parcel is reversed.
 */
export const chargeDifference = (tx: Tx, input: Difference): Promise<Posted> => postOrThrow(tx, { movement: 'difference', ...input });

/** The carrier's fee for a parcel as it now stands; posts what it differs from the cost recorded so far. */
export const carrierFee = (tx: Tx, input: CarrierFee): Promise<Posted> => postOrThrow(tx, { movement: 'carrier_fee', ...input });

/** What the carrier is owed without a parcel of ours, of either sign: cost of the platform. */
export const carrierCost = (tx: Tx, input: CarrierCost): Promise<Posted> => postOrThrow(tx, { movement: 'carrier_fee', ...input });

/** Money paid to the carrier. */
export const carrierPaid = async (tx: Tx, input: CarrierPayment): Promise<number> => transferOf(await postOrThrow(tx, { movement: 'carrier_paid', ...input }));

/** Part of a charged parcel's price given back, its shares untouched; fails above what is left of it, and once it is reversed. */
export const refund = async (tx: Tx, input: Refund): Promise<number> => statementOf(await postOrThrow(tx, { movement: 'refund', ...input }));

/** Compensation for a lost or damaged parcel, paid to its station; fails where all payouts of the parcel would exceed `limit_amount`. */
export const payout = async (tx: Tx, input: Payout): Promise<number> => statementOf(await postOrThrow(tx, { movement: 'payout', ...input }));

/** A correction of either sign, at once. */
export const adjustment = async (tx: Tx, input: Adjustment): Promise<number> => statementOf(await postOrThrow(tx, { movement: 'adjustment', ...input }));

/** Asks for a withdrawal; refused with what is missing. Moves nothing until it is approved. */
export const requestWithdrawal = (tx: Tx, input: Request): Promise<Outcome> => one(tx, { movement: 'request', type: 'withdrawal', ...input });

type RequestMovement = Extract<Movement, { movement: 'request' }>;
type WithoutWords<M> = M extends unknown ? Omit<M, 'movement'> : never;

/** Asks for a movement that a second person must approve; fails where it would be refused at once. Answers the statement's id. */
export const request = async (tx: Tx, input: WithoutWords<Exclude<RequestMovement, { type: 'withdrawal' }>>): Promise<number> =>
  statementOf(await postOrThrow(tx, { movement: 'request', ...input } as Movement));

/** Asks for an adjustment that a second person must approve. */
export const requestAdjustment = (tx: Tx, input: Request): Promise<number> => request(tx, { type: 'adjustment', ...input });

/** Posts a request; a withdrawal that is no longer available stays pending and says what is missing. Never by the one who asked, unless `alone`. */
export const approve = (tx: Tx, input: Approval): Promise<Outcome> => one(tx, { movement: 'approve', ...input });

/** Declines a request. Never by the one who asked. */
export const decline = (tx: Tx, input: Decision & { reason: string }): Promise<Posted> => postOrThrow(tx, { movement: 'decline', ...input });

/** Gives back all a parcel was charged, less refunds, and takes back its shares; once a parcel. Later facts of it post cost only. */
export const reverse = (tx: Tx, input: Reversal): Promise<Posted> => postOrThrow(tx, { movement: 'reversal', ...input });

/** Takes a top-up back that the station has not spent; once. Answers the reversal's statement. */
export const reverseTopUp = async (tx: Tx, input: TopUpReversal): Promise<number> => statementOf(await postOrThrow(tx, { movement: 'reversal', ...input }));
