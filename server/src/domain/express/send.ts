import { present } from '@waystation/contract/base/present.ts';
import { isOutcomeOpen } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type {
  Answered,
  Carrier,
  CarrierOrder,
  Measured,
  OrderingAccount,
} from '#domain/carriers/carriers.ts';
import { handled } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { JobContext } from '#platform/jobs/task.ts';
import {
  callCarrier,
  gatewaySeconds,
  inSeconds,
  pausedSeconds,
  soughtSeconds,
} from './call-carrier.ts';
import type { ReadyCall } from './call-carrier.ts';
import { isAccountDown, openAccountOfExpress } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import { holderOf } from './accept.ts';
import { claimsWith, isAnsweredTwice } from './claims.ts';
import { fetchNumbers, popNumber } from './numbers.ts';
import { noteRepeated } from './outcome-record.ts';
import { askWindow, isWindowKnown, windowGone, windowProblem } from './pickup-window.ts';
import { queueSend } from './queues.ts';
import type { SendPayload } from './queues.ts';
import { leaveToOffice, leaveUnanswered, recoverOrder } from './recover.ts';
import type { OrderAnswer } from './recover.ts';
import { expressIn, lockExpress, updateExpress, writeExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { endOrder, pushedClaim, takeAnswer } from './take-answer.ts';

/**
 * Returns the parcel as it is sent to the carrier. The insured value is the one that was priced,
 * which is at least the minimum of the carrier account.
 */
export const carrierOrder = <Parcel extends CarrierOrder & Pick<ExpressRow, 'terms'>>(
  express: Parcel,
): CarrierOrder => ({
  ...express,
  guarantee_value_amount: Math.max(express.guarantee_value_amount, express.terms?.guarantee ?? 0),
});

const all = systemScope('ordering');

/**
 * The first call of an order: its exact bytes and its count, which are stored together with the
 * order. Empty if the call must wait for a prefetched waybill number, for a paused account, or for
 * the carrier's present pickup windows.
 */
export const firstCall = (
  carrier: Carrier,
  account: OrderingAccount & { sends_at_once: boolean },
  order: CarrierOrder & Pick<ExpressRow, 'terms'>,
  at: Date,
): Partial<ExpressRow> =>
  account.sends_at_once && carrier.recovers_by !== 'seek_by_fetched_number' && !order.pickup_from
    ? {
        order_request: carrier.createBody(account, carrierOrder(order)),
        order_tries: 1,
        order_sought_at: at,
        first_sent_at: at,
      }
    : {};

/**
 * Task: sends a parcel in state 20 to the carrier, or asks for the outcome of an earlier call. The
 * order takes effect exactly once (requirements §4). The body is stored before it is sent, and the
 * outcome is then searched in the way that the carrier declares. Only a clear refusal of the first
 * call releases the hold.
 */
export const sendOrder = async (
  context: CarrierContext,
  payload: SendPayload,
  { job_id, attempt }: Pick<JobContext, 'job_id' | 'attempt'>,
): Promise<void> => {
  const isFirst = payload.first === true && attempt === 1;
  // An interrupted job may have sent the order again, so an earlier search without a result does
  // not count.
  const isInterrupted = payload.is_not_found === true && attempt > 1;
  const isNotFound = payload.is_not_found === true && attempt === 1;
  await callCarrier(context, all, {
    caller: `send_order:${job_id}:${attempt}`,
    ready: (work) =>
      isFirst
        ? readyForFirst(context, work, payload)
        : readyToSend(context, work, { payload, job_id, attempt }),
    call: (ready) => requestOutcome(ready, isNotFound),
    look: (work, [answer], { express }) =>
      answer.outcome === 'accepted'
        ? handled(holderOf(work, express, answer.delivery_id))
        : undefined,
    settle: (work, express, [answer, details], { express: sent, looked: holder }) =>
      takeAnswer(context, work, express, {
        sent,
        answer,
        details,
        holder,
        not_found_at: isInterrupted ? undefined : payload.not_found_at,
        window_asked_at: payload.window_asked_at,
      }),
  });
};

/** An order's job: its payload, and which attempt of the job it is. */
interface SendJob {
  payload: SendPayload;
  job_id: string;
  attempt: number;
}

/**
 * Stores the bytes of the call and counts the call before it is made. If the process dies during
 * the call, the carrier may have stored the order.
 */
const readyToSend = async (
  context: CarrierContext,
  work: Work,
  job: SendJob,
): Promise<ReadyCall | (() => Promise<void>) | null> => {
  const { payload } = job;
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
  if (express.order_tries > 0) await noteRepeated(work, express);
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
    const isSought = express.order_tries > 0;
    if (isSought) await leaveUnanswered(context, work, express, '');
    await queueSend(work, payload, inSeconds(context, isSought ? soughtSeconds : pausedSeconds));
    return null;
  }
  const at = context.clock.now();
  // An order that the carrier may already have does not fail because of its pickup window.
  if (express.order_tries === 0 && express.pickup_from !== null) {
    const reason = windowProblem(opened.carrier, express, at);
    if (reason !== null) {
      await endOrder(context, work, express, { why: { reason } });
      return null;
    }
    if (!isWindowKnown(payload, at) && !(await isAccountDown(work, opened.merchant_id)))
      return () => askAndSend(context, opened, express, job);
  }
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
 * Prepares the first call of an order without writing anything. The transaction of the order has
 * already stored the body and the count of the call, and the job library has stored that the job's
 * first attempt began. A further attempt of the job searches for the order, like any later call.
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
 * Removes the stored first call of an order, because the account was paused after the order and the
 * call was not made. Then queues the order like an order without a stored call.
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

/**
 * Makes the next call of an order: the first call creates the order, every later call asks for its
 * outcome. If the carrier has the order but returns no waybill, the details of the waybill that a
 * push reported are requested too.
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
 * Asks the carrier whether it still offers the parcel's pickup window. If not, the order fails; the
 * window is never changed. In every other case, even without an answer, the same job sends the
 * order immediately.
 */
const askAndSend = async (
  context: CarrierContext,
  opened: OpenAccount,
  asked: ExpressRow,
  { payload, job_id, attempt }: SendJob,
): Promise<void> => {
  const { answer } = await askWindow(context, opened, { ...carrierOrder(asked), id: asked.id });
  if (answer !== 'gone')
    return sendOrder(
      context,
      { ...payload, window_asked_at: context.clock.now().getTime() },
      { job_id, attempt },
    );
  await context.db.tx(all, async (work) => {
    const express = await lockExpress(work, asked.id);
    const isDue =
      express.state_code === stateCode.ordering &&
      express.attempt === payload.attempt &&
      express.order_tries === 0;
    if (isDue) await endOrder(context, work, express, { why: { reason: { code: windowGone } } });
  });
};

/** Fetches waybill numbers and queues the order again, because the order needs such a number. */
const fetchNumbersAndSend = async (
  context: CarrierContext,
  opened: OpenAccount,
  payload: SendPayload,
): Promise<void> => {
  const failed = await fetchNumbers(context, opened);
  const wait = failed ? gatewaySeconds({ pause: failed.outcome === 'gateway' && failed.pause }) : 0;
  await context.db.tx(all, (work) => queueSend(work, payload, inSeconds(context, wait)));
};
