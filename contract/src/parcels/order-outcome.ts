import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import type { schemas } from './order-outcome.schema.ts';
export type { OrderOutcome, OutcomeAttempt, OutcomeEvent } from './order-outcome.schema.ts';

/**
 * Why the outcome of an order is unknown. The call got no answer, was not sent, was rejected by the
 * gateway, or was interrupted; or the carrier's answer contains no waybill number, two waybill
 * numbers, or the number of another parcel.
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
 * Why the outcome of an order is certain. The carrier confirmed it: by its answer to a repeat of
 * the same bytes, a search by number, a trace, details of our order, or a refusal. Or the first
 * answer decided it, because no earlier call was processed. Or no call was ever sent, or a person
 * decided. `earlier`: the outcome was settled before reasons were recorded.
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

/**
 * The largest numbers of calls of one attempt that are shown: of the first calls and of the last
 * calls.
 */
export const mostOutcomeCalls = { first: 20, last: 80 };
/**
 * The largest size in bytes of a request or an answer that is shown. A larger one is replaced by a
 * note.
 */
export const mostBodyShown = 20_000;

/** The text of the link that opens the outcome page from a parcel, a call or an alert. */
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
