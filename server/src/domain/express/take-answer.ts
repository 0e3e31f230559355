import { isOutcomeOpen } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Accepted, Answered, Measured } from '#domain/carriers/carriers.ts';
import { releaseHold } from '#domain/ledger/ledger.ts';
import type { Work } from '#platform/db/db.ts';
import { inSeconds, pausedSeconds, repeatSeconds, soughtSeconds } from './call-carrier.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
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
  isRejectedWaybill,
  openClaims,
  raiseWaybillConflict,
} from './claims.ts';
import { raiseUnordered } from './messages.ts';
import { announce, moveExpress } from './moves.ts';
import type { Why } from './moves.ts';
import { noteSettled, noteUnknown } from './outcome-record.ts';
import { queueSend } from './queues.ts';
import { afterNotFound, leaveToOffice, leaveUnanswered } from './recover.ts';
import type { OrderAnswer } from './recover.ts';
import { updateExpress } from './row.ts';
import type { ExpressRow, WaybillClaim } from './row.ts';

/** Seconds until an order is sent or searched again if an answer contradicts known data. */
const contradictedSeconds = 30;
/** Seconds until an order whose call was not sent is sent again. */
const unsentSeconds = { least: 1, most: contradictedSeconds };
/**
 * Seconds until a call that the gateway rejected is repeated. They increase with time, because each
 * call counts against the account's daily calls, even if the gateway never accepts it.
 */
const rejectedSeconds = { least: 4, most: 60 };

/**
 * Limits the pause before a search for an order that was sent before; other pauses are unchanged.
 */
const soonEnough = (seconds: number, tries: number): number =>
  tries > 0 ? Math.min(seconds, soughtSeconds) : seconds;

/**
 * Seconds until the next call: half of the time since the first call of an order, limited by
 * `least` and `most`.
 */
const growingSeconds = (
  { clock }: Pick<CarrierContext, 'clock'>,
  { first_sent_at }: Pick<ExpressRow, 'first_sent_at'>,
  { least, most }: { least: number; most: number },
): number => {
  const tried =
    first_sent_at === null ? 0 : (clock.now().getTime() - first_sent_at.getTime()) / 1_000;
  return Math.min(Math.max(Math.ceil(tried / 2), least), most);
};

/** An answer to an order's call. */
export interface TakenAnswer {
  /** The parcel at the time of the call. */
  sent: ExpressRow;
  answer: OrderAnswer;
  /**
   * The carrier's details of the waybill that a push reported; null if they were not requested.
   * They are requested if the carrier has stored the order without returning a waybill.
   */
  details: Answered<Measured> | null;
  holder?: ReturnType<typeof holderOf> | undefined;
  /** When the previous search did not find the order, in ms. */
  not_found_at?: number | undefined;
  /** When the carrier was asked for the order's pickup window, in ms. */
  window_asked_at?: number | undefined;
}

/**
 * Applies an answer about an order to the locked parcel, whether a job or a user's request made the
 * call. Settles the order if its outcome is open.
 */
export const takeAnswer = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { sent, answer, details, ...asked }: TakenAnswer,
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
      return void (await acceptOrder(context, work, express, {
        delivery_id: claim.delivery_id,
        certainty: 'details',
      }));
    return settleOutcome(context, work, express, { answer, ...asked });
  }
  // Another call or an administrator may have settled the order meanwhile.
  if (answer.outcome === 'accepted') await compareAnswer(work, express, answer);
};

/** The waybill that a push reported for an order. */
export const pushedClaim = (express: ExpressRow): WaybillClaim | undefined =>
  openClaims(express).find(({ source }) => source === 'push');

/**
 * Compares a later answer with an order that is already settled. An answer with the same waybill
 * may still bring the label data. If it contains another waybill, an administrator decides. If the
 * order ended without a waybill, its hold was released, so an alert reports that the carrier has
 * the order.
 */
export const compareAnswer = async (
  work: Work,
  express: ExpressRow,
  answer: Accepted,
): Promise<void> => {
  if (express.delivery_id === null) return raiseUnordered(work, express, answer.delivery_id);
  if (isRejectedWaybill(express, answer.delivery_id)) return;
  if (express.package_ids.includes(answer.delivery_id)) return;
  if (express.delivery_id === answer.delivery_id) {
    if (express.print_data === null) await completeLabel(work, express, answer);
    return;
  }
  const known = { waybill_claims: claimsWith(express, express.delivery_id, 'answer') };
  const waybill_claims = claimsWith(known, answer.delivery_id, 'answer');
  // If our waybill is a child of the waybill in the answer, it is stored as a child. A user who then
  // chooses the answer's waybill does not cancel ours.
  if (answer.package_ids?.includes(express.delivery_id))
    await updateExpress(work, express.id, { package_ids: [...answer.package_ids] });
  await raiseWaybillConflict(work, express, waybill_claims);
};

/**
 * The number of calls of the order before the call that the gateway rejected. It is 0 only if that
 * call created an order whose outcome is not open; every other call follows an earlier create call.
 */
const triesBefore = (express: ExpressRow, { call }: Pick<OrderAnswer, 'call'>): number =>
  Math.max(express.order_tries - 1, call.operation === 'create' && !isOutcomeOpen(express) ? 0 : 1);

/** Seconds until the next call about an order whose call the gateway rejected. */
const rejectedPause = (
  context: Pick<CarrierContext, 'clock'>,
  express: ExpressRow,
  answer: Pick<OrderAnswer, 'call'> & { pause: boolean },
): number =>
  soonEnough(
    answer.pause ? pausedSeconds : growingSeconds(context, express, rejectedSeconds),
    triesBefore(express, answer),
  );

const settleOutcome = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { answer, holder, not_found_at, window_asked_at }: Omit<TakenAnswer, 'sent' | 'details'>,
): Promise<void> => {
  const { id: express_id, attempt, order_tries } = express;
  const asked = window_asked_at === undefined ? {} : { window_asked_at };
  const again = (seconds = repeatSeconds(order_tries), found = {}) =>
    queueSend(work, { express_id, attempt, ...asked, ...found }, inSeconds(context, seconds));
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
      if (await waybillTaken(work, express, answer.delivery_id, holder)) {
        await noteUnknown(work, express, {
          cause: 'waybill_taken',
          since: context.clock.now(),
          maybe_stored: true,
        });
        return again(contradictedSeconds);
      }
      return void (await acceptOrder(context, work, express, {
        ...answer,
        certainty: answer.call.operation === 'create' ? 'repeat' : 'search',
      }));
    }
    case 'refused':
      return endOrder(context, work, express, {
        why: { words: answer.text },
        operation: answer.call.operation,
      });
    case 'gateway':
      // The gateway rejected this call before any processing.
      await updateExpress(work, express_id, { order_tries: triesBefore(express, answer) });
      await noteUnknown(work, express, {
        cause: 'gateway',
        since: express.order_sought_at,
        maybe_stored: triesBefore(express, answer) > 0,
      });
      if (triesBefore(express, answer) > 0)
        await leaveUnanswered(context, work, express, answer.text);
      return again(rejectedPause(context, express, answer));
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
      return takeUnknown(context, work, express, { answer, isAsked, again });
  }
};

interface TakenUnknown {
  answer: Extract<OrderAnswer, { outcome: 'unknown' }>;
  /** True if the carrier can be asked for the outcome of an order. */
  isAsked: boolean;
  /** Queues the next call. */
  again(seconds: number): Promise<void>;
}

/**
 * Handles a call without an answer: the call is repeated, or an administrator decides if the
 * carrier cannot be asked.
 */
const takeUnknown = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { answer, isAsked, again }: TakenUnknown,
): Promise<void> => {
  const { id: express_id, order_tries } = express;
  const isUnsent = answer.not_sent === true;
  await noteUnknown(work, express, {
    cause: isUnsent ? 'not_sent' : 'no_answer',
    since: express.order_sought_at,
    maybe_stored: !isUnsent || triesBefore(express, answer) > 0,
  });
  await announce(work, express_id);
  if (!isUnsent && !isAsked)
    return leaveToOffice(context, work, express, { code: 'order_not_asked', text: '' });
  // The carrier has received nothing, so the next answer counts as the first answer.
  const tries = isUnsent ? triesBefore(express, answer) : order_tries;
  if (isUnsent) await updateExpress(work, express_id, { order_tries: tries });
  if (!isUnsent || tries > 0) await leaveUnanswered(context, work, express, '');
  const seconds = isUnsent
    ? soonEnough(growingSeconds(context, express, unsentSeconds), tries)
    : repeatSeconds(order_tries);
  await again(seconds);
};

/**
 * The reason why an order ends, and the account that decided it. Without `by`, the carrier refused
 * the order in a call of this operation, or the order was never sent.
 */
interface OrderEnd {
  why: Why;
  by?: number;
  operation?: string;
}

/**
 * Ends an order that the carrier does not have. The hold is released and the parcel fails for this
 * reason; if a cancel was requested meanwhile, the parcel is cancelled instead.
 */
export const endOrder = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  { why, by, operation }: OrderEnd,
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
  // The waybills reported for this attempt do not apply to the next attempt.
  const changes = by === undefined ? {} : { waybill_claims: [] };
  const failed = await moveExpress(work, express, {
    to: stateCode.failed,
    cause,
    account_id: by ?? null,
    at,
    why,
    changes,
  });
  await noteSettled(work, express, {
    certainty: by !== undefined ? 'decided_not_stored' : operation ? 'refused' : 'never_sent',
    operation,
    at,
    by: by ?? null,
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
