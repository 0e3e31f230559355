import { isOutcomeOpen } from '@waystation/contract/parcels/express-outcome.ts';
import type { WaybillResult } from '@waystation/contract/parcels/express-outcome.ts';
import { present } from '@waystation/contract/base/present.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { Answered, Measured, Messages, ParcelKey } from '#domain/carriers/carriers.ts';
import type { Work } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { callCarrier, inSeconds } from './call-carrier.ts';
import type { ReadyCall } from './call-carrier.ts';
import { openClaims } from './claims.ts';
import { isSending, queueSend } from './queues.ts';
import { recoverOrder } from './recover.ts';
import type { OrderAnswer } from './recover.ts';
import { lockExpress, writeExpress } from './row.ts';
import type { ExpressRow, WaybillClaim } from './row.ts';
import { pushedClaim, takeAnswer } from './take-answer.ts';

/**
 * A waybill about which the carrier is asked: it was reported for the order, or the user typed it.
 */
interface AskedWaybill {
  delivery_id: string;
  source: WaybillClaim['source'] | 'typed';
}

/** The carrier's answers about one waybill. */
export interface AboutWaybill {
  details: Answered<Measured>;
  trace: Answered<Messages>;
}

export type WaybillAnswers = AskedWaybill & AboutWaybill;

/** The carrier's answers about an order and about the waybills reported for it. */
export interface OutcomeAnswers {
  /** The answer about the order; null if this carrier cannot be asked about an order. */
  search: OrderAnswer | null;
  waybills: readonly WaybillAnswers[];
}

/**
 * Seconds in which the job does not repeat the order, because a user is asking the carrier. This is
 * longer than the calls take.
 */
const pausedSeconds = 60;

/**
 * Compares our order number with the order number in the carrier's details of a waybill, or else in
 * its trace.
 */
export const waybillOwner = (
  { order_id }: Pick<ExpressRow, 'order_id'>,
  { details, trace }: AboutWaybill,
): WaybillResult => {
  if (details.outcome === 'refused') return 'unknown';
  if (details.outcome !== 'ok') return 'no_answer';
  const owner = ownerNamed(details.value, trace);
  if (owner === '') return 'unnamed';
  return owner === order_id ? 'ours' : 'another';
};

export const ownerNamed = ({ order_id }: Measured, trace: Answered<Messages>): string =>
  order_id ||
  (trace.outcome === 'ok' &&
    trace.value.messages.find((message) => message.order_id !== '')?.order_id) ||
  '';

export const readyAccount = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
): Promise<ReadyCall> => {
  const opened = await openAccountInTx(context, work, present(express.merchant_id));
  return opened.paused ? fail('outcome_account_paused') : { express, opened };
};

/**
 * Prepares a call about the order outside of the order's job. While the call runs, the job makes no
 * call. The call is counted before it is made, because it may repeat the order.
 */
const readyToSeek = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
): Promise<ReadyCall> => {
  if (!isOutcomeOpen(express)) fail('outcome_not_open');
  const { opened } = await readyAccount(context, work, express);
  if (opened.carrier.recovers_by === 'person') return { express, opened };
  if (await isSending(work, express.id)) fail('outcome_call_running', {}, { retryAfter: 5 });
  await queueSend(
    work,
    { express_id: express.id, attempt: express.attempt },
    inSeconds(context, pausedSeconds),
  );
  const sent = await writeExpress(work, express, {
    order_tries: express.order_tries + 1,
    order_sought_at: context.clock.now(),
  });
  return { express: sent, opened };
};

const waybillsToAsk = (express: ExpressRow, typed: string | undefined): AskedWaybill[] => {
  const claims = openClaims(express).map(({ delivery_id, source }) => ({ delivery_id, source }));
  return typed === undefined || claims.some(({ delivery_id }) => delivery_id === typed)
    ? claims
    : [...claims, { delivery_id: typed, source: 'typed' }];
};

export const askAbout = async (
  { carrier, account }: OpenAccount,
  waybill: ParcelKey,
): Promise<AboutWaybill> => {
  const [details, trace] = await Promise.all([
    carrier.details(account, waybill),
    carrier.trace(account, waybill),
  ]);
  return { details, trace };
};

/**
 * Searches for the order, and requests the details and the trace of every waybill reported for it.
 * All calls run simultaneously, so that they take only as long as the slowest answer.
 */
const askCarrier = async (
  { express, opened }: ReadyCall,
  waybills: readonly AskedWaybill[],
): Promise<OutcomeAnswers> => {
  const [search, ...answers] = await Promise.all([
    recoverOrder(opened, express),
    ...waybills.map(async (waybill) => ({ ...waybill, ...(await askAbout(opened, waybill)) })),
  ]);
  return { search, waybills: answers };
};

const detailsOfPushed = (
  sent: ExpressRow,
  { waybills }: OutcomeAnswers,
): Answered<Measured> | null =>
  waybills.find(({ delivery_id }) => delivery_id === pushedClaim(sent)?.delivery_id)?.details ??
  null;

interface Question<T> {
  id: number;
  /** The account of the user. */
  by: number;
  typed?: string | undefined;
  /** Returns true if the carrier may be called for the locked parcel. */
  admits?(work: Work, express: ExpressRow): Promise<boolean>;
  settle(work: Work, express: ExpressRow, answers: OutcomeAnswers, sent: ExpressRow): Promise<T>;
}

/** Asks the carrier about an order whose outcome is open; null if `admits` forbids the call. */
export const askOutcome = <T>(
  context: CarrierContext,
  scope: Scope,
  { id, by, typed, admits, settle }: Question<T>,
): Promise<T | null> => {
  let answers: OutcomeAnswers;
  return callCarrier(context, scope, {
    caller: `account:${by}`,
    ready: async (work) => {
      const express = await lockExpress(work, id);
      return admits && !(await admits(work, express)) ? null : readyToSeek(context, work, express);
    },
    call: async (ready) => {
      answers = await askCarrier(ready, waybillsToAsk(ready.express, typed));
      return [
        answers.search,
        ...answers.waybills.flatMap(({ details, trace }) => [details, trace]),
      ] as const;
    },
    settle: (work, express, _, { express: sent }) => settle(work, express, answers, sent),
  });
};

/**
 * Applies the result of a search in the same way as the answer to any other call about the order.
 */
export const takeSearch = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { said, sent }: { said: OutcomeAnswers; sent: ExpressRow },
): Promise<void> => {
  if (said.search === null) return;
  await takeAnswer(context, work, express, {
    sent,
    answer: said.search,
    details: detailsOfPushed(sent, said),
  });
};

/**
 * Asks the carrier about an order whose outcome is open, and about a typed waybill. For some
 * carriers this repeats the order; if the carrier now accepts it, the order is settled.
 */
export const checkOutcome = async (
  context: CarrierContext,
  scope: Scope,
  { id, by, typed }: { id: number; by: number; typed?: string | undefined },
): Promise<OutcomeAnswers> => {
  const answers = await askOutcome(context, scope, {
    id,
    by,
    typed,
    settle: async (work, express, said, sent) => {
      await takeSearch(context, work, express, { said, sent });
      return said;
    },
  });
  return answers!;
};
