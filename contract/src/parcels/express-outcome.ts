import type { Reason } from '#base/envelope.ts';
import { stateCode } from './express-states.ts';
import type { StateCode } from './express-states.ts';

/**
 * Why an order in state 20 waits for a super or admin. The order may have reached the carrier, but
 * the repeated call was refused. Or the carrier has the order without a waybill number, does not
 * find it, cannot be asked, or has not answered for a day (docs/decisions/0126, 0138).
 */
export const openOutcomeReasons = [
  'order_repeat_refused',
  'order_stored_without_number',
  'order_not_found',
  'order_not_asked',
  'order_unanswered',
] as const;

/**
 * The number of hours after the first call of an order that got no answer, after which an
 * administrator may decide. The carrier's written confirmation then replaces the missing answer.
 */
export const unansweredHours = 24;

export const isOutcomeReason = (code: string | undefined): boolean =>
  openOutcomeReasons.some((reason) => reason === code);

/**
 * True if a super or admin must decide the outcome of this order: stored under a waybill number, or
 * not stored.
 */
export const isOutcomeOpen = ({
  state_code,
  state_reason,
}: {
  state_code: StateCode;
  state_reason: Pick<Reason, 'code'> | null;
}): boolean => state_code === stateCode.ordering && isOutcomeReason(state_reason?.code);

export const outcomes = ['not_stored', 'stored'] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * The result of a search for the order at the carrier. The carrier has the order, has it without a
 * waybill number, refuses it, or does not find it. Or the carrier cannot be asked, or it gives no
 * answer.
 */
export const searchResults = [
  'stored',
  'stored_without_number',
  'refused',
  'not_found',
  'not_asked',
  'no_answer',
] as const;
/**
 * The order to which the carrier's details of a waybill belong: this order, another order, or no
 * order. Or the carrier does not know the waybill, or it gave no answer.
 */
export const waybillResults = ['ours', 'another', 'unnamed', 'unknown', 'no_answer'] as const;
export type WaybillResult = (typeof waybillResults)[number];
export const traceResults = ['found', 'unknown', 'no_answer'] as const;

/**
 * The maximum number of events of a waybill's trace (the newest) that are shown beside the
 * decision.
 */
export const mostTraceShown = 5;
