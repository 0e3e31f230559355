import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import type { schemas } from './order-outcome.schema.ts';
export type { OrderOutcome, OutcomeAttempt, OutcomeEvent } from './order-outcome.schema.ts';

/**
 * Why the outcome of an order became unknown: a call has brought no answer, was not sent, was
 * turned away by the gateway, or was interrupted; or the carrier's answer names no waybill, two, or
 * one of another parcel.
 */
export const unknownCauses = [
  'no_answer',
  'not_sent',
  'gateway',
  'interrupted',
  'stored_without_number',
  'two_waybills',
  'waybill_taken',
] as const;
export type UnknownCause = (typeof unknownCauses)[number];

/**
 * Why the outcome is certain. By the carrier: an answer to a repeat of the same bytes, a search by
 * number, a trace, details that name our order, or a refusal. By the first answer, if no call was
 * processed before. Because no call was ever sent, or by a person's decision. `earlier`: it was
 * settled before reasons were recorded.
 */
export const outcomeCertainties = [
  'repeat',
  'search',
  'trace',
  'details',
  'first_accepted',
  'first_refused',
  'never_sent',
  'refused',
  'decided_stored',
  'decided_not_stored',
  'earlier',
] as const;
export type OutcomeCertainty = (typeof outcomeCertainties)[number];

/** The limits of shown calls of an attempt: the first ones, and the last ones. */
export const mostOutcomeCalls = { first: 20, last: 80 };
/** The limit of bytes of a request or an answer in the list; a larger one is replaced by a note. */
export const mostBodyShown = 20_000;

/** The link from a parcel, a call and an alert to the page. */
export const outcomeLink = { zh: '下单结果的经过', en: 'History of the outcome' } as const;

export const listOutcomes = endpoint<typeof schemas.listOutcomes>({
  method: 'GET',
  path: '/api/arco/outcomes',
  roles: office,
  summary: 'Orders whose outcome at the carrier was ever unknown, open ones first.',
});

export const orderOutcomes = endpoint<typeof schemas.orderOutcomes>({
  method: 'GET',
  path: '/api/arco/expresses/{id}/outcomes',
  roles: office,
  summary:
    'The attempts of an order whose outcome was ever unknown: calls with what was sent and answered, money held, decisions, and why it is certain.',
});
