import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { createHash } from 'node:crypto';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import { jdlWaybillOf, jdlWaybillsIn } from '@waystation/contract/parcels/waybill-number.ts';
import type {
  CancelAnswer,
  CarrierEffect,
  CarrierMessage,
  ParcelKey,
} from '#domain/carriers/port.ts';
import { isFields, shortened, textOf } from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';
import { instantOf } from '#domain/carriers/wall-clock.ts';

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
  // A cancel ranks after a pickup of the same second, so that the parcel still counts as picked up.
  cancelled: { our_state: stateCode.cancelled, rank: 90 },
  intercepting: { our_state: null, rank: 95 },
  cancel_failed: { our_state: null, rank: 95 },
  unlisted: { our_state: null, rank: 99 },
};

const categories: Record<string, CarrierEffect> = {
  '100': 'ordered',
  '390': 'picking_up',
  '420': 'picked_up',
  '430': 'in_transit',
  '440': 'delivering',
  '510': 'signed',
  '530': 'rejected',
  '690': 'cancelled',
  '700': 'returning',
};

/**
 * States that decide the effect whatever the category is: an ended pickup, a return under a new
 * label, and another delivery attempt.
 */
const decisiveStates: Record<string, CarrierEffect> = {
  '200052': 'cancelled',
  '200020': 'returning',
  '200023': 'undelivered',
  '200003': 'undelivered',
};

/** States that count if the category of a message is not listed. */
const states: Record<string, CarrierEffect> = {
  '200034': 'picking_up',
  '200001': 'picked_up',
  '200053': 'picked_up',
  '200076': 'in_transit',
  '10032': 'in_transit',
  '200075': 'in_transit',
  '11000': 'delivering',
  '10034': 'signed',
  '10035': 'rejected',
};

/**
 * The meaning of JDL's category and state: a decisive state counts first, then the category, then
 * any other listed state. If neither is listed, the message changes nothing and raises an alert.
 */
export const effectOf = (category: string, state: string): CarrierEffect => {
  const found = (table: Record<string, CarrierEffect>, code: string): CarrierEffect | undefined =>
    Object.hasOwn(table, code) ? table[code] : undefined;
  return (
    found(decisiveStates, state) ??
    found(categories, category) ??
    found(states, state) ??
    'unlisted'
  );
};

const factful = new Set<CarrierEffect>(['picked_up', 'signed', 'rejected', 'returning']);

/**
 * The first waybill in a text that differs from the parcel's own waybill; null if there is none.
 */
const otherWaybill = (text: string, own: string): string | null =>
  jdlWaybillsIn(text).find((number) => number !== own.toUpperCase()) ?? null;

const hashOf = (...facts: string[]): string =>
  createHash('sha256').update(facts.join('\n'), 'utf8').digest('hex');

/**
 * Reads one row of a trace, or one push, as a message. Null if the time is missing, if both the
 * waybill and the order number are missing, or if both the category and the state are missing.
 * `requestedWaybill` is used if the rows of a trace omit the waybill for which the trace was
 * requested.
 */
export const messageOf = (row: unknown, requestedWaybill = ''): CarrierMessage | null => {
  if (!isFields(row)) return null;
  const read = (name: string, max = 500): string => textOf((row as Fields)[name], max);
  const operation_time = instantOf(row['operationTime']);
  const number = read('waybillCode', 60);
  const delivery_id = jdlWaybillOf(number) ?? (number || requestedWaybill);
  const order_id = read('orderId', 60);
  const category = read('category', 20);
  const state = read('state', 20);
  if (
    !operation_time ||
    (delivery_id === '' && order_id === '') ||
    (category === '' && state === '')
  )
    return null;
  const effect = effectOf(category, state);
  const remark = read('operationRemark');
  return {
    delivery_id,
    order_id,
    operation_time,
    rank: meaning[effect].rank,
    hash: hashOf(delivery_id, category, state, operation_time.toISOString()),
    category,
    state,
    our_state: meaning[effect].our_state,
    effect,
    title: read('operationTitle', 100) || read('categoryName', 100),
    remark,
    operator_name: read('operatorName', 60),
    place: [
      ...new Set(
        ['routeProvinceName', 'routeCityName', 'routeDistrictName', 'operateSite'].map((name) =>
          read(name, 60),
        ),
      ),
    ]
      .filter((part) => part !== '')
      .join(' '),
    return_delivery_id: effect === 'returning' ? otherWaybill(remark, delivery_id) : null,
    cancel_reason: effect === 'cancelled' ? read('cancelReason', 200) : '',
    needs_facts: factful.has(effect),
    alert:
      effect === 'unlisted'
        ? {
            code: 'carrier_code_unknown',
            params: { category: category || '–', state: state || '–' },
          }
        : null,
    raw: shortened(row),
  };
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
  key: ParcelKey,
  answer: CancelAnswer,
  answeredAt: Date,
): CarrierMessage => {
  const effect = cancelEffects[answer.result];
  return {
    delivery_id: key.delivery_id,
    order_id: '',
    operation_time: answeredAt,
    rank: meaning[effect].rank,
    hash: hashOf(key.delivery_id, 'cancel', answer.result, answeredAt.toISOString()),
    category: '',
    state: answer.result,
    our_state: meaning[effect].our_state,
    effect,
    title: '',
    remark: answer.text,
    operator_name: '',
    place: '',
    return_delivery_id: otherWaybill(answer.text, key.delivery_id),
    cancel_reason: '',
    needs_facts: effect === 'returning',
    alert: null,
    raw: answer,
  };
};
