import { createHash } from 'node:crypto';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import type {
  CancelAnswer,
  CarrierEffect,
  CarrierMessage,
  ParcelKey,
} from '#domain/carriers/port.ts';
import { isFields, shortened, textOf } from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';
import { instantOf } from '#domain/carriers/wall-clock.ts';
import { waybillOf, waybillsIn } from './parse-order.ts';

/**
 * The parcel state and the rank of each effect. The rank orders messages of the same second as they
 * occur in a parcel's life.
 */
const meaning: Record<CarrierEffect, { our_state: StateCode | null; rank: number }> = {
  ordered: { our_state: stateCode.awaitingPickup, rank: 10 },
  picking_up: { our_state: stateCode.awaitingPickup, rank: 20 },
  picked_up: { our_state: stateCode.pickedUp, rank: 30 },
  in_transit: { our_state: stateCode.inTransit, rank: 40 },
  delivering: { our_state: stateCode.delivering, rank: 50 },
  undelivered: { our_state: stateCode.delivering, rank: 55 },
  stopped: { our_state: stateCode.exception, rank: 57 },
  signed: { our_state: stateCode.signed, rank: 60 },
  rejected: { our_state: stateCode.exception, rank: 70 },
  returning: { our_state: stateCode.returning, rank: 80 },
  cancelled: { our_state: stateCode.cancelled, rank: 90 },
  intercepting: { our_state: null, rank: 95 },
  cancel_failed: { our_state: null, rank: 95 },
  unlisted: { our_state: null, rank: 99 },
};

/**
 * Route codes by effect. A parcel in a locker or shop (125 and similar codes) does not count as
 * signed for.
 */
const routes: Readonly<Record<string, CarrierEffect>> = Object.fromEntries(
  (
    [
      ['picked_up', '50 51 54'],
      ['in_transit', '30 31 36 302 304 3036 10 11 105 106'],
      ['delivering', '44 204 634 123 130 125 126 128'],
      ['stopped', '33 34 70 66 77 72'],
      ['returning', '99 517 626 627 631 648'],
      ['signed', '80'],
      ['unlisted', '607 642 655 656 657 658 659 660 678 679 84 8000'],
    ] as const
  ).flatMap(([effect, codes]) => codes.split(' ').map((code) => [code, effect] as const)),
);

/** States of an order that SF reports before the route begins; they arrive in any order. */
const orderStates: Readonly<Record<string, CarrierEffect>> = {
  '04-40037': 'ordered',
  '04-40001': 'picking_up',
  '05-40003': 'picked_up',
};

/** The code of a parcel that was weighed again. */
const weighedAgain = '84';
/**
 * The code of a closed parcel; together with the reason code `lostReason`, it means that the parcel
 * is lost.
 */
const closed = '8000';
const lostReason = '6';
const lostWords = /遗失|丢失/;

/** The route codes of returns whose remark contains the new waybill number. */
const naming: ReadonlySet<string> = new Set(['631', '648']);

const factful = new Set<CarrierEffect>(['picked_up', 'signed', 'returning']);

const hashOf = (...facts: string[]): string =>
  createHash('sha256').update(facts.join('\n'), 'utf8').digest('hex');

/**
 * The facts of a message, which are read in different ways from routes, order states and our own
 * cancel.
 */
interface Told {
  delivery_id: string;
  order_id: string;
  operation_time: Date;
  hash: string;
  category: string;
  state: string;
  effect: CarrierEffect;
  title?: string;
  remark?: string;
  place?: string;
  operator_name?: string;
  return_delivery_id?: string | null;
  needs_facts?: boolean;
  alert?: Reason | null;
  raw: unknown;
}

const message = (told: Told): CarrierMessage => ({
  title: '',
  remark: '',
  place: '',
  operator_name: '',
  return_delivery_id: null,
  needs_facts: factful.has(told.effect),
  alert: null,
  ...told,
  rank: meaning[told.effect].rank,
  our_state: meaning[told.effect].our_state,
  cancel_reason: '',
});

const otherWaybill = (text: string, own: string): string | null =>
  waybillsIn(text).find((number) => number !== own) ?? null;

const alertOf = (code: string, isLost: boolean, delivery_id: string): Reason | null => {
  if (isLost) return { code: 'carrier_lost_parcel', params: { delivery_id } };
  return Object.hasOwn(routes, code)
    ? null
    : { code: 'carrier_code_unknown', params: { category: 'opCode', state: code || '–' } };
};

/**
 * Reads one row of a route, from a push or a trace, as a message. Null if it has no time, number or
 * code. The hash covers waybill, code, time and remark, because SF sends most rows several times
 * with different ids. The rows of a trace do not contain the waybill and the reason codes; `asked`
 * and `reasons` contain them. A lost parcel gets a different hash, because a push does not always
 * contain the reason.
 */
export const routeMessageOf = (
  row: unknown,
  asked = '',
  reasons: readonly string[] = [],
): CarrierMessage | null => {
  if (!isFields(row)) return null;
  const read = (name: string, max = 500): string => textOf((row as Fields)[name], max);
  const operation_time = instantOf(row['acceptTime']);
  const named = read('mailno', 60) || read('mailNo', 60) || asked;
  const delivery_id = waybillOf(named) || named;
  const order_id = read('orderid', 64);
  const code = read('opCode', 20) || read('opcode', 20);
  if (!operation_time || code === '' || (delivery_id === '' && order_id === '')) return null;
  const effect = Object.hasOwn(routes, code) ? routes[code]! : 'unlisted';
  const remark = read('remark');
  const at = operation_time.toISOString();
  const isLost =
    code === closed &&
    (lostWords.test(remark) || [read('reasonCode', 20), ...reasons].includes(lostReason));
  return message({
    delivery_id,
    order_id,
    operation_time,
    hash: hashOf(delivery_id, code, at, remark, ...(isLost ? ['lost'] : [])),
    category: 'route',
    state: code,
    effect,
    title: read('reasonName', 100),
    remark,
    place: read('acceptAddress', 200),
    return_delivery_id: naming.has(code) ? otherWaybill(remark, delivery_id) : null,
    needs_facts: factful.has(effect) || code === weighedAgain,
    alert: alertOf(code, isLost, delivery_id),
    raw: shortened(row),
  });
};

/** A pushed order state as a message; null if it has no time, number or state. */
export const orderMessageOf = (row: unknown): CarrierMessage | null => {
  if (!isFields(row)) return null;
  const read = (name: string, max = 200): string => textOf((row as Fields)[name], max);
  const operation_time = instantOf(row['lastTime']);
  const delivery_id = waybillOf(row['waybillNo']) || read('waybillNo', 60);
  const order_id = read('orderNo', 64);
  const state = read('orderStateCode', 20);
  if (!operation_time || state === '' || (delivery_id === '' && order_id === '')) return null;
  const known = Object.hasOwn(orderStates, state);
  return message({
    delivery_id,
    order_id,
    operation_time,
    hash: hashOf(delivery_id, order_id, 'order', state, operation_time.toISOString()),
    category: 'order',
    state,
    effect: known ? orderStates[state]! : 'unlisted',
    title: read('orderStateDesc', 100),
    operator_name: read('empCode', 60),
    alert: known
      ? null
      : { code: 'carrier_code_unknown', params: { category: 'orderStateCode', state } },
    raw: shortened(row),
  });
};

const cancelEffects: Record<CancelAnswer['result'], CarrierEffect> = {
  cancelled: 'cancelled',
  intercepted: 'returning',
  intercepting: 'intercepting',
  cancel_failed: 'cancel_failed',
  intercept_failed: 'cancel_failed',
};

/**
 * Turns the answer to our own cancel, received at `answeredAt`, into a message like those of the
 * carrier.
 */
export const messageOfCancel = (
  { delivery_id }: ParcelKey,
  answer: CancelAnswer,
  answeredAt: Date,
): CarrierMessage =>
  message({
    delivery_id,
    order_id: '',
    operation_time: answeredAt,
    hash: hashOf(delivery_id, 'cancel', answer.result, answeredAt.toISOString()),
    category: '',
    state: answer.result,
    effect: cancelEffects[answer.result],
    remark: answer.text,
    raw: answer,
  });
