import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { day, flag, id, listInput, listOf, searchText, time } from '#base/fields.schema.ts';
import { provider } from '#network/provider.schema.ts';
import * as endpoints from './order-outcome.ts';
import { outcomeCertainties, unknownCauses } from './order-outcome.ts';

const nullable = z.nullable(z.int());

const orderOutcome = z.object({
  id: z.int(),
  express_id: z.int(),
  order_id: z.string(),
  delivery_id: z.nullable(z.string()),
  station_id: z.int(),
  station_name: z.string(),
  provider,
  attempt: z.int(),
  state_code: z.int(),
  since: time,
  cause: z.enum(unknownCauses),
  /** 1: a call was perhaps processed, so the carrier may have the order. */
  maybe_stored: flag,
  is_open: flag,
  settled_at: z.nullable(time),
  certainty: z.nullable(z.enum(outcomeCertainties)),
  /** The amount in fen that was held for this attempt, and whether it is still held. */
  held_amount: nullable,
  held_status: z.nullable(z.string()),
});
export type OrderOutcome = z.infer<typeof orderOutcome>;

/** Every event contains the table and the id of the stored row from which it was made. */
const source = { source: z.string(), row_id: nullable, at: time };

const callEvent = z.object({
  ...source,
  kind: z.literal('call'),
  operation: z.string(),
  outcome: z.string(),
  /** The error code from the carrier; `trace_id` is the carrier's trace id of the call. */
  code: z.string(),
  trace_id: z.string(),
  ms: z.int(),
  /**
   * The request body without secrets and with masked phones; null if there was none, or if it was
   * too large.
   */
  request: z.unknown(),
  answer: z.unknown(),
  /**
   * 0: no byte of the request was sent; 1: some bytes may have been sent; null: this was not
   * recorded.
   */
  sent: z.nullable(flag),
  /**
   * The name, id and attempt of the job that made the call, or the person who caused it; empty if
   * that was not recorded.
   */
  job: z.string(),
  account_name: z.nullable(z.string()),
  /**
   * 1: the request body was too large to be shown in full; `answer_cut` says the same of the
   * answer.
   */
  request_cut: flag,
  answer_cut: flag,
});
const lostEvent = z.object({ ...source, kind: z.literal('lost') });
const moneyEvent = z.object({
  ...source,
  kind: z.literal('money'),
  type: z.string(),
  amount: z.int(),
  freeze_amount: z.int(),
  account_name: z.nullable(z.string()),
});
const moveEvent = z.object({
  ...source,
  kind: z.literal('move'),
  from_code: nullable,
  to_code: z.int(),
  cause: z.string(),
  account_name: z.nullable(z.string()),
});
const alertEvent = z.object({
  ...source,
  kind: z.literal('alert'),
  /** 1: the alert was closed at this time; 0: it was raised at this time. */
  closed: flag,
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
const decisionEvent = z.object({
  ...source,
  kind: z.literal('decision'),
  action: z.string(),
  account_name: z.string(),
  delivery_id: z.nullable(z.string()),
  /** The reference of the carrier's written confirmation, as entered by the person who decided. */
  reference: z.nullable(z.string()),
});
const outcomeEvent = z.discriminatedUnion('kind', [
  callEvent,
  lostEvent,
  moneyEvent,
  moveEvent,
  alertEvent,
  decisionEvent,
]);
export type OutcomeEvent = z.infer<typeof outcomeEvent>;

const attempt = z.object({
  outcome: orderOutcome,
  /**
   * The id of the call whose answer settled the attempt, or that was made before a decision; null
   * if there is no such call.
   */
  call_id: nullable,
  /** The waybill number with which the attempt was settled. */
  settled_under: z.nullable(z.string()),
  decided_by: z.nullable(z.string()),
  /** The time of the next call; null if no call is planned. */
  next_at: z.nullable(time),
  /** 1: the carrier account is paused, so that no calls are made. */
  account_paused: flag,
  /** 1: a super or admin must decide the outcome. */
  waits_for_office: flag,
  /** The ids of the transaction that held the money and of the transaction that ended the hold. */
  held: z.nullable(
    z.object({
      amount: z.int(),
      status: z.string(),
      since: z.nullable(time),
      until: z.nullable(time),
      held_line: nullable,
      ended_line: nullable,
      ended_type: z.nullable(z.string()),
    }),
  ),
  /** The number of calls that are left out between the first and the last shown calls. */
  calls_left_out: z.int(),
  events: z.array(outcomeEvent),
});
export type OutcomeAttempt = z.infer<typeof attempt>;

export const schemas = {
  listOutcomes: {
    input: z.object({
      ...listInput,
      q: z.optional(searchText),
      open: z.optional(flag),
      provider: z.optional(provider),
      station_id: z.optional(id),
      since_from: z.optional(day),
      since_to: z.optional(day),
    }),
    output: listOf(orderOutcome),
  },
  orderOutcomes: {
    input: z.object({ id }),
    output: z.object({
      order_id: z.string(),
      /** 1: the personal texts were erased. */
      erased: flag,
      /** The number of days for which calls are stored. */
      call_days: z.int(),
      attempts: z.array(attempt),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
