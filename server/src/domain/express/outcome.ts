import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import { isOutcomeOpen, unansweredHours } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { present } from '@waystation/contract/base/present.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { Work } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { holderOf } from './accept.ts';
import { callCarrier } from './call-carrier.ts';
import { openClaims } from './claims.ts';
import { isSending } from './queues.ts';
import { isDayAgo, isLongUnanswered } from './recover.ts';
import { lockExpress } from './row.ts';
import type { ExpressRow, WaybillClaim } from './row.ts';
import { endOrder } from './take-answer.ts';
import { takeWaybill } from './waybill.ts';
import {
  waybillOwner,
  ownerNamed,
  readyAccount,
  askAbout,
  askOutcome,
  takeSearch,
} from './ask-outcome.ts';
import type { AboutWaybill, OutcomeAnswers } from './ask-outcome.ts';

/** The reason why a decision has no effect. */
export interface OutcomeRefusal {
  code: ErrorCode;
  params?: Record<string, string>;
}

/** `stale`: the parcel has changed since the user saw it. */
export type OutcomeVerdict = 'decided' | 'stale' | OutcomeRefusal;

export interface OutcomeDecision {
  id: number;
  /** The version of the parcel that the user saw. */
  version: number;
  /** The account that decides. */
  by: number;
  /**
   * The waybill under which the order is stored; null if the carrier has not stored the order.
   * `compared`: true if a user compared our order number with the carrier's.
   */
  stored: { delivery_id: string; compared: boolean } | null;
  /**
   * The reference of the carrier's written confirmation; null if there is none. A confirmation
   * counts only if the carrier has not answered for a day. It never overrides an answer.
   */
  reference: string | null;
  /** True if the same request was decided before. */
  isRepeated(work: Work): Promise<boolean>;
  /** Records the decision in its transaction. */
  record(work: Work, before: ExpressRow): Promise<void>;
}

/**
 * Applies an administrator's decision about an order whose outcome is open (docs/decisions/0126),
 * after asking the carrier once more. A decision never contradicts the carrier's answer. If the
 * carrier does not answer, the decision needs the carrier's written confirmation. The first
 * decision ends the order; a later decision is refused. Called outside of a transaction.
 */
export const decideOutcome = async (
  context: CarrierContext,
  scope: Scope,
  decision: OutcomeDecision,
): Promise<OutcomeVerdict> => {
  /** The result of a decision that ends before the carrier is asked. */
  let early: OutcomeVerdict = 'decided';
  const admits = async (work: Work, express: ExpressRow): Promise<boolean> => {
    if (await decision.isRepeated(work)) return false;
    early = (await refusalBefore(context, work, express, decision)) ?? 'decided';
    return early === 'decided';
  };
  const { id, stored } = decision;
  const unasked =
    decision.reference === null ? null : await settleUnasked(context, scope, decision, admits);
  if (unasked !== null) return unasked === 'not_admitted' ? early : unasked;
  const asked =
    stored === null
      ? askOutcome(context, scope, {
          id,
          by: decision.by,
          admits,
          settle: (work, express, answers, sent) =>
            settleNotStored(context, work, express, { answers, sent, decision }),
        })
      : callCarrier(context, scope, {
          caller: `account:${decision.by}`,
          ready: async (work) => {
            const express = await lockExpress(work, id);
            return (await admits(work, express)) ? readyAccount(context, work, express) : null;
          },
          call: async ({ opened }) => {
            const { details, trace } = await askAbout(opened, stored);
            return [details, trace] as const;
          },
          settle: (work, express, [details, trace]) =>
            settleStored(context, work, express, { said: { details, trace }, stored, decision }),
        });
  return (await asked) ?? early;
};

/** The reason why a decision is refused before the carrier is asked; null if it is allowed. */
const refusalBefore = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { version, reference }: OutcomeDecision,
): Promise<OutcomeVerdict | null> => {
  if (!isOutcomeOpen(express)) return { code: 'outcome_not_open' };
  if (express.version !== version) return 'stale';
  return reference !== null && !(await isLongUnanswered(context, work, express))
    ? { code: 'outcome_written_early', params: { hours: String(unansweredHours) } }
    : null;
};

/**
 * Decides with a written confirmation about an order whose account has been paused for a day, so
 * that the carrier cannot be asked. Returns null if the account is not paused. If the account was
 * paused less than a day ago, the decision is refused. No call may be running.
 */
const settleUnasked = (
  context: CarrierContext,
  scope: Scope,
  decision: OutcomeDecision,
  admits: (work: Work, express: ExpressRow) => Promise<boolean>,
): Promise<OutcomeVerdict | 'not_admitted' | null> =>
  context.db.tx(scope, async (work) => {
    const express = await lockExpress(work, decision.id);
    const opened = await openAccountInTx(context, work, present(express.merchant_id));
    if (!opened.paused) return null;
    if (!(await admits(work, express))) return 'not_admitted';
    if (!isDayAgo(context, await pausedAt(work, express)))
      return { code: 'outcome_account_paused' };
    if (await isSending(work, express.id)) fail('outcome_call_running', {}, { retryAfter: 5 });
    const { stored } = decision;
    if (stored !== null)
      return settleStored(context, work, express, { said: null, stored, decision });
    const named = openClaims(express).find(({ source }) => source !== 'number');
    return named
      ? { code: 'outcome_waybill_named', params: { delivery_id: named.delivery_id } }
      : settleNotStored(context, work, express, {
          answers: { search: null, waybills: [] },
          sent: express,
          decision,
        });
  });

const pausedAt = async (work: Work, { merchant_id }: ExpressRow): Promise<Date | null> => {
  const row = await work.tx
    .selectFrom('merchants')
    .select('paused_at')
    .where('id', '=', present(merchant_id))
    .executeTakeFirst();
  return row?.paused_at ?? null;
};

/**
 * The reason why the answer to a search forbids ending an order; null if it does not. One search
 * without a result proves nothing, because a call may be running. Two searches 30 seconds apart
 * exclude a running call. If the carrier has ever answered that it has the order, a search without
 * a result is not enough. A written confirmation replaces a missing answer, but never overrides an
 * answer.
 */
const obstacleOfSearch = (
  { order_id, state_reason }: ExpressRow,
  search: OutcomeAnswers['search'],
  isWritten: boolean,
): OutcomeRefusal | null => {
  const isUnanswered = search?.outcome === 'gateway' || search?.outcome === 'unknown';
  const isStored =
    search !== null &&
    !isUnanswered &&
    search.outcome !== 'repeat_refused' &&
    search.outcome !== 'not_stored';
  if (isStored || state_reason?.code === 'order_stored_without_number')
    return { code: 'order_stored_without_number', params: { order_id } };
  if (search?.outcome === 'repeat_refused' || isWritten) return null;
  if (isUnanswered) return { code: 'outcome_no_answer' };
  const expected = search === null ? 'order_not_asked' : 'order_not_found';
  return state_reason?.code === expected ? null : { code: 'outcome_no_answer' };
};

/**
 * The reason why an order cannot be ended although an administrator decided that it is not stored;
 * null if it can be ended.
 */
const obstacleToEnd = (
  express: ExpressRow,
  { answers: { search, waybills }, sent, decision }: NotStored,
): OutcomeVerdict | null => {
  if (!isOutcomeOpen(express)) return { code: 'outcome_not_open' };
  const obstacle = obstacleOfSearch(express, search, decision.reference !== null);
  if (obstacle !== null) return obstacle;
  for (const waybill of waybills) {
    const { delivery_id, source } = waybill;
    const owner = waybillOwner(express, waybill);
    // A number that was fetched beforehand does not show that the carrier has the order.
    if (decision.reference !== null && owner === 'no_answer') {
      if (source === 'number') continue;
      return { code: 'outcome_waybill_named', params: { delivery_id } };
    }
    // The carrier itself reported this waybill for the order. It therefore belongs to the order,
    // even if the details contain no order number.
    if (owner === 'ours' || owner === 'unnamed')
      return { code: 'outcome_waybill_ours', params: { delivery_id } };
    if (owner === 'no_answer') return { code: 'outcome_no_answer' };
  }
  const isNew = openClaims(express).some(
    ({ delivery_id, source }) =>
      !(decision.reference !== null && source === 'number') &&
      !waybills.some((asked) => asked.delivery_id === delivery_id),
  );
  return isNew || express.version !== decision.version || express.order_tries !== sent.order_tries
    ? 'stale'
    : null;
};

interface NotStored {
  answers: OutcomeAnswers;
  sent: ExpressRow;
  decision: OutcomeDecision;
}

const settleNotStored = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  notStored: NotStored,
): Promise<OutcomeVerdict> => {
  const { answers, sent, decision } = notStored;
  const { search } = answers;
  const obstacle = obstacleToEnd(express, notStored);
  if (obstacle === null) {
    const text = decision.reference ?? ((search && 'text' in search && search.text) || '—');
    await endOrder(context, work, express, {
      why: {
        reason: {
          code: decision.reference === null ? 'order_not_stored' : 'order_not_stored_in_writing',
          params: { text },
        },
      },
      by: decision.by,
    });
    await decision.record(work, express);
    return 'decided';
  }
  await takeSearch(context, work, express, { said: answers, sent });
  const { order_id, delivery_id, state_code } = await lockExpress(work, express.id);
  const isSettled =
    express.state_code === stateCode.ordering &&
    state_code === stateCode.awaitingPickup &&
    delivery_id !== null;
  return isSettled ? { code: 'outcome_is_stored', params: { order_id, delivery_id } } : obstacle;
};

interface Stored {
  /** The carrier's answers about the waybill; null if the carrier was not asked. */
  said: AboutWaybill | null;
  stored: NonNullable<OutcomeDecision['stored']>;
  decision: OutcomeDecision;
}

/**
 * The reason why an order cannot be stored under a waybill although an administrator decided so;
 * null if it can be stored.
 */
const obstacleToSettle = async (
  work: Work,
  express: ExpressRow,
  { said, stored, decision }: Stored,
): Promise<OutcomeVerdict | null> => {
  const { delivery_id, compared } = stored;
  const { order_id } = express;
  if (!isOutcomeOpen(express)) return { code: 'outcome_not_open' };
  if (express.version !== decision.version) return 'stale';
  const owner = said === null ? 'no_answer' : waybillOwner(express, said);
  const named = openClaims(express).map((claim) => claim.delivery_id);
  const isNamed = named.includes(delivery_id);
  // A written confirmation counts only for a waybill that was reported for the order. For any other
  // waybill there is no evidence.
  if (owner === 'no_answer' && (decision.reference === null || !isNamed))
    return decision.reference === null || named.length === 0
      ? { code: 'outcome_no_answer' }
      : { code: 'waybill_not_claimed', params: { waybills: named.join(', ') } };
  if (owner === 'unknown')
    return {
      code: 'waybill_not_known',
      params: { delivery_id, text: said?.details.outcome === 'refused' ? said.details.text : '' },
    };
  if (owner === 'another' && said?.details.outcome === 'ok')
    return {
      code: 'waybill_of_other_order',
      params: { delivery_id, order_id, other_id: ownerNamed(said.details.value, said.trace) },
    };
  if (owner === 'unnamed' && !isNamed && !compared)
    return { code: 'waybill_order_unnamed', params: { delivery_id } };
  return (await holderOf(work, express, delivery_id))
    ? { code: 'waybill_of_another', params: { delivery_id } }
    : null;
};

const settleStored = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  settled: Stored,
): Promise<OutcomeVerdict> => {
  const obstacle = await obstacleToSettle(work, express, settled);
  if (obstacle !== null) return obstacle;
  const { delivery_id } = settled.stored;
  // The carrier's details now count as its answer, also for a waybill that was rejected before.
  // Without details, the reported waybills stay unchanged.
  const isAnswered = settled.said !== null && waybillOwner(express, settled.said) !== 'no_answer';
  const waybill_claims: WaybillClaim[] = isAnswered
    ? [
        ...express.waybill_claims.filter((claim) => claim.delivery_id !== delivery_id),
        { delivery_id, source: 'answer' },
      ]
    : express.waybill_claims;
  await takeWaybill(
    context,
    work,
    { ...express, waybill_claims },
    { delivery_id, by: settled.decision.by },
  );
  await settled.decision.record(work, express);
  return 'decided';
};
