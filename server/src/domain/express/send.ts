import { present } from '@waystation/contract/base/present.ts';
import { isOutcomeOpen } from '@waystation/contract/parcels/express-outcome.ts';
import { stateAllows, stateCode } from '@waystation/contract/parcels/express-states.ts';
import type {
  Accepted,
  Answered,
  Carrier,
  CarrierOrder,
  Measured,
  OrderingAccount,
} from '#domain/carriers/carriers.ts';
import { releaseHold } from '#domain/ledger/ledger.ts';
import { handled } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { JobContext } from '#platform/jobs/task.ts';
import {
  callCarrier,
  gatewaySeconds,
  inSeconds,
  pausedSeconds,
  repeatSeconds,
} from './call-carrier.ts';
import type { ReadyCall } from './call-carrier.ts';
import {
  openAccountInTx,
  openAccountOfExpress,
} from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import {
  acceptOrder,
  closeOutcomeAlerts,
  completeLabel,
  holderOf,
  waybillTaken,
} from './accept.ts';
import {
  claimsWith,
  withoutPackages,
  hasWaybillConflict,
  isAnsweredTwice,
  isRejectedWaybill,
  openClaims,
  raiseWaybillConflict,
} from './claims.ts';
import { raiseUnordered } from './messages.ts';
import { announce, moveExpress } from './moves.ts';
import type { Why } from './moves.ts';
import { fetchNumbers, popNumber } from './numbers.ts';
import { queueSend, queueSorting } from './queues.ts';
import type { SendPayload } from './queues.ts';
import { afterNotFound, leaveToOffice, leaveUnanswered, recoverOrder } from './recover.ts';
import type { OrderAnswer } from './recover.ts';
import { expressIn, lockExpress, updateExpress, writeExpress } from './row.ts';
import type { ExpressRow, WaybillClaim } from './row.ts';

/** Seconds until an order whose answer contradicts known data is sent or sought again. */
const contradictedSeconds = 30;
/** Seconds until an order whose call was not sent is sent again. */
const unsentSeconds = { least: 1, most: contradictedSeconds };
/**
 * Seconds until a call that the gateway rejected is repeated: one that it never takes costs the
 * account's daily calls.
 */
const rejectedSeconds = { least: 4, most: 60 };

/** Half of the time for which an order has been tried, within bounds, in seconds. */
const growingSeconds = (
  { clock }: Pick<CarrierContext, 'clock'>,
  { first_sent_at }: Pick<ExpressRow, 'first_sent_at'>,
  { least, most }: { least: number; most: number },
): number => {
  const tried =
    first_sent_at === null ? 0 : (clock.now().getTime() - first_sent_at.getTime()) / 1_000;
  return Math.min(Math.max(Math.ceil(tried / 2), least), most);
};
/**
 * Seconds until a label is requested again: of a carrier that sorts by hand, and of one that
 * gave no answer.
 */
const sortingSeconds = { byHand: 60, noAnswer: 10 };

/**
 * The parcel as it is sent to the carrier. The insured value is the priced one: at least the
 * merchant's minimum.
 */
export const carrierOrder = <Parcel extends CarrierOrder & Pick<ExpressRow, 'terms'>>(
  express: Parcel,
): CarrierOrder => ({
  ...express,
  guarantee_value_amount: Math.max(express.guarantee_value_amount, express.terms?.guarantee ?? 0),
});

const all = systemScope('ordering');

/**
 * The first call of an order that is about to be stored, to be stored with it: the exact bytes, and
 * the count of the call. Empty if the call needs data known only later: a fetched waybill number,
 * or an account that is resumed.
 */
export const firstCall = (
  carrier: Carrier,
  account: OrderingAccount & { sends_at_once: boolean },
  order: CarrierOrder & Pick<ExpressRow, 'terms'>,
  at: Date,
): Partial<ExpressRow> =>
  account.sends_at_once && carrier.recovers_by !== 'seek_by_fetched_number'
    ? {
        order_request: carrier.createBody(account, carrierOrder(order)),
        order_tries: 1,
        order_sought_at: at,
        first_sent_at: at,
      }
    : {};

/**
 * Task: sends a parcel in state 20 to the carrier, or asks for the outcome of an earlier
 * call. Exactly once in effect (requirements §4): the body is stored before it is sent, and
 * the outcome is sought as the carrier declares until it is known; only a clear refusal of the
 * first call releases the hold.
 */
export const sendOrder = async (
  context: CarrierContext,
  payload: SendPayload,
  { attempt }: Pick<JobContext, 'attempt'>,
): Promise<void> => {
  const isFirst = payload.first === true && attempt === 1;
  // An interrupted job has perhaps sent the order again: what was not found before does not count.
  const isInterrupted = payload.is_not_found === true && attempt > 1;
  const isNotFound = payload.is_not_found === true && attempt === 1;
  await callCarrier(context, all, {
    ready: (work) =>
      isFirst ? readyForFirst(context, work, payload) : readyToSend(context, work, payload),
    call: (ready) => requestOutcome(ready, isNotFound),
    look: (work, [answer], { express }) =>
      answer.outcome === 'accepted'
        ? handled(holderOf(work, express, answer.delivery_id))
        : undefined,
    settle: (work, express, [answer, details], { express: sent }, holder) =>
      takeAnswer(context, work, express, {
        sent,
        answer,
        details,
        holder,
        not_found_at: isInterrupted ? undefined : payload.not_found_at,
      }),
  });
};

/** An answer to an order's call. */
export interface TakenAnswer {
  /** The parcel at the time of the call. */
  sent: ExpressRow;
  answer: OrderAnswer;
  /**
   * The details of the waybill that a push named, if the carrier has the order without a number;
   * null if they were not requested.
   */
  details: Answered<Measured> | null;
  holder?: ReturnType<typeof holderOf> | undefined;
  /** When the search before this one did not find the order, in ms. */
  not_found_at?: number | undefined;
}

/**
 * Takes an answer to an order's call for the locked parcel, from the job or from a user's request:
 * it settles the order while that is open.
 */
export const takeAnswer = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { sent, answer, details, holder, not_found_at }: TakenAnswer,
): Promise<void> => {
  if (express.attempt !== sent.attempt) return;
  if (express.state_code === stateCode.ordering) {
    const claim = pushedClaim(sent);
    if (
      answer.outcome === 'stored_without_number' &&
      claim &&
      details?.outcome === 'ok' &&
      details.value.order_id === express.order_id
    )
      return void (await acceptOrder(context, work, express, { delivery_id: claim.delivery_id }));
    return settleOutcome(context, work, express, { answer, holder, not_found_at });
  }
  // Another call or the office has settled the order meanwhile.
  if (answer.outcome === 'accepted') await compareAnswer(work, express, answer);
};

/**
 * Stores the bytes of the call and counts it before it is made: the carrier may have stored
 * an order whose process died.
 */
const readyToSend = async (
  context: CarrierContext,
  work: Work,
  payload: SendPayload,
): Promise<ReadyCall | (() => Promise<void>) | null> => {
  const [express, opened] = await Promise.all([
    lockExpress(work, payload.express_id),
    openAccountOfExpress(context, work, payload.express_id),
  ]);
  if (
    express.state_code !== stateCode.ordering ||
    express.attempt !== payload.attempt ||
    opened === null ||
    isAnsweredTwice(express)
  )
    return null;
  if (express.order_tries === 0 && express.cancel_requested_at !== null) {
    await endOrder(context, work, express, { why: { reason: { code: 'order_never_sent' } } });
    return null;
  }
  if (express.order_tries > 0 && opened.carrier.recovers_by === 'person') {
    if (!isOutcomeOpen(express))
      await leaveToOffice(context, work, express, { code: 'order_not_asked', text: '' });
    return null;
  }
  if (opened.paused) {
    if (express.order_tries > 0) await leaveUnanswered(context, work, express, '');
    await queueSend(work, payload, inSeconds(context, pausedSeconds));
    return null;
  }
  const at = context.clock.now();
  const number =
    express.order_request === null && opened.prefetches
      ? await popNumber(work, opened.merchant_id, at)
      : '';
  if (number === null) return () => fetchNumbersAndSend(context, opened, payload);
  const order_request =
    express.order_request ??
    opened.carrier.createBody(opened.account, carrierOrder(express), number);
  const sent = await writeExpress(work, express, {
    order_request,
    order_tries: express.order_tries + 1,
    order_sought_at: at,
    first_sent_at: express.first_sent_at ?? at,
    ...(number !== '' && { waybill_claims: claimsWith(express, number, 'number') }),
  });
  return { opened, express: sent };
};

/**
 * Prepares the first call that was stored with the parcel: its bytes and count are committed with
 * the order, and the begin of the job's first attempt is committed with the fetch of the job, so
 * that nothing is written before the call. A further attempt of the job seeks the order like any
 * later call.
 */
const readyForFirst = async (
  context: CarrierContext,
  work: Work,
  payload: SendPayload,
): Promise<ReadyCall | (() => Promise<void>) | null> => {
  const [express, opened] = await Promise.all([
    expressIn(work, payload.express_id),
    openAccountOfExpress(context, work, payload.express_id),
  ]);
  const isDue =
    express.state_code === stateCode.ordering &&
    express.attempt === payload.attempt &&
    express.order_tries === 1 &&
    express.order_request !== null;
  if (!isDue || opened === null || isAnsweredTwice(express)) return null;
  return opened.paused ? () => takeBackFirst(context, payload) : { opened, express };
};

/**
 * The account was paused after the order: its call has not been made, and is queued like one that
 * is not stored and counted yet.
 */
const takeBackFirst = (context: CarrierContext, payload: SendPayload): Promise<void> =>
  context.db.tx(all, async (work) => {
    const express = await lockExpress(work, payload.express_id);
    if (
      express.state_code !== stateCode.ordering ||
      express.attempt !== payload.attempt ||
      express.order_tries !== 1
    )
      return;
    await updateExpress(work, express.id, {
      order_request: null,
      order_tries: 0,
      order_sought_at: null,
      first_sent_at: null,
    });
    await queueSend(
      work,
      { express_id: express.id, attempt: express.attempt },
      inSeconds(context, pausedSeconds),
    );
  });

/** The waybill that a push named for an order. */
export const pushedClaim = (express: ExpressRow): WaybillClaim | undefined =>
  openClaims(express).find(({ source }) => source === 'push');

/**
 * The first call creates the order, every later one seeks it. If the carrier has the order
 * and names no waybill, the one that a push named is read.
 */
const requestOutcome = async (
  { express, opened }: ReadyCall,
  isNotFound: boolean,
): Promise<readonly [OrderAnswer, Answered<Measured> | null]> => {
  const { carrier, account } = opened;
  const answer =
    express.order_tries === 1
      ? await carrier.create(account, present(express.order_request))
      : present(
          await recoverOrder(opened, express, isNotFound && express.cancel_requested_at === null),
        );
  const claim = answer.outcome === 'stored_without_number' ? pushedClaim(express) : undefined;
  return [
    answer,
    claim ? await carrier.details(account, { delivery_id: claim.delivery_id }) : null,
  ];
};

/**
 * Takes a later answer to an order that is settled. If the order has its waybill, the answer may
 * bring the label, or another waybill, between which the office decides. If it ended without one,
 * an alert says that the carrier has it, because its hold was released.
 */
const compareAnswer = async (work: Work, express: ExpressRow, answer: Accepted): Promise<void> => {
  if (express.delivery_id === null) return raiseUnordered(work, express, answer.delivery_id);
  if (isRejectedWaybill(express, answer.delivery_id)) return;
  if (express.package_ids.includes(answer.delivery_id)) return;
  if (express.delivery_id === answer.delivery_id) {
    if (express.print_data === null) await completeLabel(work, express, answer);
    return;
  }
  const known = { waybill_claims: claimsWith(express, express.delivery_id, 'answer') };
  const waybill_claims = claimsWith(known, answer.delivery_id, 'answer');
  // Our waybill is a child of the one that is named now: it is stored as such, so that the choice of
  // the other does not cancel it.
  if (answer.package_ids?.includes(express.delivery_id))
    await updateExpress(work, express.id, { package_ids: [...answer.package_ids] });
  await raiseWaybillConflict(work, express, waybill_claims);
};

/**
 * The calls made before one that the carrier did not process. Only the create itself says that the
 * carrier has nothing: a call within it follows "already stored".
 */
const triesBefore = (express: ExpressRow, { call }: Pick<OrderAnswer, 'call'>): number =>
  Math.max(express.order_tries - 1, call.operation === 'create' && !isOutcomeOpen(express) ? 0 : 1);

/** Without a number nothing can be ordered: fetches numbers and queues the order again. */
const fetchNumbersAndSend = async (
  context: CarrierContext,
  opened: OpenAccount,
  payload: SendPayload,
): Promise<void> => {
  const failed = await fetchNumbers(context, opened);
  const wait = failed ? gatewaySeconds({ pause: failed.outcome === 'gateway' && failed.pause }) : 0;
  await context.db.tx(all, (work) => queueSend(work, payload, inSeconds(context, wait)));
};

const settleOutcome = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { answer, holder, not_found_at }: Pick<TakenAnswer, 'answer' | 'holder' | 'not_found_at'>,
): Promise<void> => {
  const { id: express_id, attempt, order_tries } = express;
  const again = (seconds = repeatSeconds(order_tries), found = {}) =>
    queueSend(work, { express_id, attempt, ...found }, inSeconds(context, seconds));
  const isAsked = context.carrierOf(express.provider).recovers_by !== 'person';
  switch (answer.outcome) {
    case 'accepted': {
      const waybill_claims = claimsWith(
        withoutPackages(express, answer),
        answer.delivery_id,
        'answer',
      );
      if (hasWaybillConflict({ waybill_claims }))
        return raiseWaybillConflict(work, express, waybill_claims);
      if (await waybillTaken(work, express, answer.delivery_id, holder))
        return again(contradictedSeconds);
      return void (await acceptOrder(context, work, express, answer));
    }
    case 'refused':
      return endOrder(context, work, express, { why: { words: answer.text } });
    case 'gateway':
      // The gateway rejected this call before any processing.
      await updateExpress(work, express_id, { order_tries: triesBefore(express, answer) });
      if (triesBefore(express, answer) > 0)
        await leaveUnanswered(context, work, express, answer.text);
      return again(
        answer.pause ? pausedSeconds : growingSeconds(context, express, rejectedSeconds),
      );
    case 'stored_without_number':
    case 'repeat_refused':
      await leaveToOffice(context, work, express, {
        code: `order_${answer.outcome}`,
        text: answer.text,
      });
      return isAsked ? again(contradictedSeconds) : undefined;
    case 'not_stored': {
      const next = afterNotFound(context, express, not_found_at);
      if (next === null)
        await leaveToOffice(context, work, express, { code: 'order_not_found', text: answer.text });
      const { wait, ...found } = next ?? { wait: contradictedSeconds };
      return again(wait, found);
    }
    case 'unknown':
      await announce(work, express_id);
      if (answer.not_sent !== true) {
        if (!isAsked)
          return leaveToOffice(context, work, express, { code: 'order_not_asked', text: '' });
        await leaveUnanswered(context, work, express, '');
        return again();
      }
      // The carrier has received nothing, so that the next answer counts as a first answer.
      await updateExpress(work, express_id, { order_tries: triesBefore(express, answer) });
      if (triesBefore(express, answer) > 0) await leaveUnanswered(context, work, express, '');
      return again(growingSeconds(context, express, unsentSeconds));
  }
};

/** Why an order ends, and who decided it; without `by` the carrier refused it. */
interface OrderEnd {
  why: Why;
  by?: number;
}

/**
 * Ends an order that the carrier does not have: the hold is released and the parcel fails for
 * this reason; a cancel requested meanwhile cancels it.
 */
export const endOrder = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  { why, by }: OrderEnd,
): Promise<void> => {
  const { id: express_id, attempt } = express;
  const at = context.clock.now();
  const cause = by === undefined ? 'refused' : 'not_stored';
  await releaseHold(work, {
    express_id,
    attempt,
    cause: `${cause}:${express_id}:${attempt}`,
    at,
    by: by ?? null,
  });
  // The waybills named for this attempt do not apply to the next one.
  const changes = by === undefined ? {} : { waybill_claims: [] };
  const failed = await moveExpress(work, express, {
    to: stateCode.failed,
    cause,
    account_id: by ?? null,
    at,
    why,
    changes,
  });
  if (express.order_tries > 1) await closeOutcomeAlerts(work, express_id, at);
  if (failed.cancel_requested_at)
    await moveExpress(work, failed, {
      to: stateCode.cancelled,
      cause: 'cancel',
      account_id: failed.cancel_uid,
      at,
      why: { words: failed.cancel_reason },
      changes: { canceled_at: at },
    });
};

/** Task: requests the label again of a parcel that is sorted by hand. */
export const sortAgain = async (
  context: CarrierContext,
  { express_id }: { express_id: number },
): Promise<void> => {
  await callCarrier(context, all, {
    ready: async (work) => {
      const express = await lockExpress(work, express_id);
      if (
        !awaitsLabel(express) ||
        !stateAllows(express.state_code, 'print') ||
        !express.order_request ||
        express.merchant_id === null
      )
        return null;
      const opened = await openAccountInTx(context, work, express.merchant_id);
      if (opened.carrier.recovers_by === 'person') return null;
      if (!opened.paused) return { express, opened };
      await queueSorting(work, express_id, inSeconds(context, sortingSeconds.noAnswer));
      return null;
    },
    call: async ({ express, opened }) => [present(await recoverOrder(opened, express))],
    settle: async (work, express, [answer]) => {
      if (!awaitsLabel(express)) return;
      const accepted = answer.outcome === 'accepted' ? answer : null;
      // A waybill other than ours is for the office to decide; a repeated call would bring the
      // same.
      if (accepted && accepted.delivery_id !== express.delivery_id)
        return compareAnswer(work, express, accepted);
      if (accepted) await completeLabel(work, express, accepted);
      if (stateAllows(express.state_code, 'print') && accepted?.need_retry !== 0)
        await queueSorting(
          work,
          express_id,
          inSeconds(context, accepted ? sortingSeconds.byHand : sortingSeconds.noAnswer),
        );
    },
  });
};

const awaitsLabel = (express: ExpressRow): boolean =>
  express.need_retry === 1 && !hasWaybillConflict(express);
