import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { CarrierMessage } from '#domain/carriers/carriers.ts';
import { foldMessages } from '#domain/express/express-reads.ts';
import { priceExpress, priceFields } from '#domain/offers/offers.ts';
import type { ExpressRow } from '#domain/express/express-reads.ts';
import type { Movement } from '#domain/ledger/ledger.ts';
import { businessDay } from '#platform/clock.ts';
import { pushOf } from './journey.ts';
import type { PlannedParcel } from './parcels.ts';

/**
 * The rows of one parcel as the product would have written them, and its money movements in order
 * of time.
 */
export interface ParcelHistory {
  express: Partial<ExpressRow> & { id: number };
  facts: { no: number; source: string; facts: object; price: Price; at: Date }[];
  moves: {
    from_code: StateCode | null;
    to_code: StateCode;
    cause: string;
    account_id: number | null;
    at: Date;
  }[];
  messages: CarrierMessage[];
  movements: Movement[];
}

const second = 1_000;
const day = 86_400_000;
const unmeasured = { re_weight: null, jd_weight: null, jd_volume: null, surcharges: {} };

const priceOf = (parcel: PlannedParcel, jd_weight: number | null): Price => {
  const priced = priceExpress(
    { ...parcel.fields, ...unmeasured, jd_weight },
    parcel.offer.template,
    parcel.offer.terms,
  );
  if (!priced.price)
    throw new Error(`an example parcel has no price: ${JSON.stringify(priced.error)}`);
  return priced.price;
};

const ledgerPrice = ({
  pre_amount,
  discount,
  discount_amount,
  guarantee_amount,
  post_amount,
}: Price) => ({
  pre_amount,
  discount,
  discount_amount,
  guarantee_amount,
  post_amount,
});

export const waybillOf = (serial: number): string => `JDVE${String(serial).padStart(11, '0')}`;

/** The states of a parcel over time, found by folding its messages one by one. */
const pathOf = (messages: readonly CarrierMessage[]): { code: StateCode; at: Date }[] => {
  const path: { code: StateCode; at: Date }[] = [];
  let code: StateCode = 100;
  for (let length = 1; length <= messages.length; length++) {
    const folded = foldMessages(messages.slice(0, length));
    if (folded.state_code === code) continue;
    code = folded.state_code;
    path.push({ code, at: present(messages[length - 1]).operation_time });
  }
  return path;
};

interface Reader {
  parsePush(
    body: string,
  ): ({ outcome: 'ok' } & { messages: CarrierMessage[] }) | { outcome: 'unreadable' };
}

const messagesOf = (
  parcel: PlannedParcel,
  reader: Reader,
  waybill: string,
  order_id: string,
): CarrierMessage[] =>
  parcel.nodes.flatMap((node) => {
    const read = reader.parsePush(pushOf(node, waybill, order_id));
    if (read.outcome !== 'ok') throw new Error(`an example push cannot be read: ${node.step}`);
    return read.messages;
  });

const baseRow = (
  parcel: PlannedParcel,
  id: number,
  serial: number,
  price: Price,
): ParcelHistory['express'] => ({
  id,
  ...parcel.fields,
  ...priceFields(price, parcel.offer.terms),
  terms: parcel.offer.terms,
  station_id: parcel.station.id,
  user_id: parcel.user_id,
  order_id: `WS${businessDay(parcel.created_at).replaceAll('-', '').slice(2)}${String(serial).padStart(8, '0')}`,
  customer_code: present(parcel.offer.merchant).customer_code,
  merchant_id: present(parcel.offer.merchant).id,
  simulated: 1,
  provider: parcel.offer.provider,
  voucher_id: parcel.offer.voucher_id,
  voucher_no: parcel.offer.voucher_no,
  promise_time_type: parcel.offer.promise_id,
  attempt: 1,
  fact_no: 0,
  created_at: parcel.created_at,
  updated_at: parcel.created_at,
  surcharges: {},
  version: 2,
});

/**
 * The number of days from the order to the evening for which the example carrier promises delivery.
 * Some of its parcels arrive later.
 */
const promisedDays = 2;

/**
 * The history of a refused order: its amount was held and released, and the parcel failed with the
 * carrier's text.
 */
const failedHistory = (history: ParcelHistory, refusedAt: Date): ParcelHistory => {
  const { express } = history;
  Object.assign(express, {
    state_code: stateCode.failed,
    state_txt: expressStates[stateCode.failed].zh,
    state_remark: '收件地址超出派送范围（示例）',
    updated_at: refusedAt,
  });
  history.moves.push({
    from_code: 20,
    to_code: 90,
    cause: 'refused',
    account_id: null,
    at: refusedAt,
  });
  history.movements.push({
    movement: 'release',
    express_id: express.id,
    attempt: 1,
    cause: `refused:${express.id}:1`,
    at: refusedAt,
    by: null,
  });
  return history;
};

/**
 * Writes the records of a parcel up to `now`. For a parcel that has not ended, `polled_at` is null
 * until it is charged, so that the carrier is asked about it.
 */
const follow = (
  parcel: PlannedParcel,
  history: ParcelHistory,
  { reader, now }: { reader: Reader; now: Date },
): void => {
  const { express } = history;
  const past = { ...parcel, nodes: parcel.nodes.filter(({ at }) => at <= now) };
  history.messages = messagesOf(past, reader, present(express.delivery_id), express.order_id!);
  const folded = foldMessages(history.messages);
  let from: StateCode = 100;
  for (const { code, at } of pathOf(history.messages)) {
    history.moves.push({ from_code: from, to_code: code, cause: 'carrier', account_id: null, at });
    from = code;
  }
  const { state_code, picked_up_at, signed_at, last_event_at } = folded;
  Object.assign(express, {
    state_code,
    state_txt: expressStates[state_code].zh,
    picked_up_at,
    signed_at,
    last_event_at,
    updated_at: last_event_at,
    polled_at: last_event_at,
    exception: folded.exception?.kind ?? null,
    exception_at: folded.exception?.at ?? null,
  });
  if (state_code === stateCode.cancelled) cancelled(history, folded.cancelled_at!, parcel.user_id);
  else if (picked_up_at) settle(parcel, history, { pickedUpAt: picked_up_at, now });
  if (!parcel.over) express.polled_at = express.charged_at ? now : null;
};

const cancelled = ({ express, movements }: ParcelHistory, at: Date, by: number): void => {
  Object.assign(express, {
    canceled_at: at,
    cancel_uid: by,
    cancel_reason: '寄件人取消（示例）',
    state_remark: '寄件人取消（示例）',
  });
  movements.push({
    movement: 'release',
    express_id: express.id,
    attempt: 1,
    cause: `cancelled:${express.id}:1`,
    at,
    by,
  });
};

/**
 * Posts the first charge an hour after pickup, with the carrier's fee. For some parcels also posts
 * the difference of a second weighing.
 */
const settle = (
  parcel: PlannedParcel,
  history: ParcelHistory,
  { pickedUpAt, now }: { pickedUpAt: Date; now: Date },
): void => {
  const { express, movements, facts } = history;
  const at = new Date(pickedUpAt.getTime() + 3_600_000);
  const again = 5 * 3_600_000;
  if (at > now) return;
  const weighings = [
    parcel.jd_weight,
    ...(parcel.corrected_weight === null || at.getTime() + again > now.getTime()
      ? []
      : [parcel.corrected_weight]),
  ];
  let before: { price: Price; shares: ExpressRow['shares'] } | null = null;
  for (const [index, jd_weight] of weighings.entries()) {
    const no = index + 1;
    const weighedAt = new Date(at.getTime() + index * again);
    const price = priceOf(parcel, jd_weight);
    const fields = priceFields(price, parcel.offer.terms);
    const shares = fields.shares!;
    facts.push({
      no,
      source: 'poll',
      facts: { jd_weight, ...(index === 0 && { jd_amount: parcel.jd_amount }) },
      price,
      at: weighedAt,
    });
    if (before === null) {
      movements.push({
        movement: 'charge',
        express_id: express.id,
        attempt: 1,
        delivery_id: present(express.delivery_id),
        price: ledgerPrice(price),
        shares,
        cause: `charge:${express.id}:${no}`,
        at: weighedAt,
        by: null,
      });
      movements.push({
        movement: 'carrier_fee',
        express_id: express.id,
        station_id: express.station_id!,
        amount_total: parcel.jd_amount,
        cause: `fee:${express.id}:${no}`,
        at: weighedAt,
        by: null,
      });
    } else if (before.price.post_amount !== price.post_amount) {
      movements.push({
        movement: 'difference',
        express_id: express.id,
        type: 'reweigh',
        price_before: ledgerPrice(before.price),
        price_after: ledgerPrice(price),
        shares_before: before.shares,
        shares_after: shares,
        cause: `difference:${express.id}:${no}`,
        at: weighedAt,
        by: null,
      });
    }
    Object.assign(express, fields, { jd_weight, fact_no: no });
    before = { price, shares };
  }
  Object.assign(express, { jd_amount: parcel.jd_amount, charged_at: at });
};

/**
 * All records of one planned parcel up to `now`. The carrier simulator reports the later events.
 */
export const historyOf = (
  parcel: PlannedParcel,
  id: number,
  serial: number,
  known: { reader: Reader; now: Date },
): ParcelHistory => {
  const price = priceOf(parcel, null);
  const express = baseRow(parcel, id, serial, price);
  const { created_at: at, user_id: by } = parcel;
  const history: ParcelHistory = {
    express,
    facts: [{ no: 0, source: 'order', facts: {}, price, at }],
    moves: [{ from_code: null, to_code: 20, cause: 'order', account_id: by, at }],
    messages: [],
    movements: [
      {
        movement: 'hold',
        station_id: parcel.station.id,
        express_id: id,
        attempt: 1,
        delivery_id: null,
        order_id: express.order_id!,
        price: ledgerPrice(price),
        cause: `hold:${id}:1`,
        at,
        by,
      },
    ],
  };
  const answeredAt = new Date(at.getTime() + 2 * second);
  if (parcel.fate === 'failed') return failedHistory(history, answeredAt);
  Object.assign(express, {
    state_code: stateCode.awaitingPickup,
    state_txt: expressStates[stateCode.awaitingPickup].zh,
    delivery_id: waybillOf(serial),
    carrier_order_code: `EO${String(serial).padStart(13, '0')}`,
    ordered_at: answeredAt,
    promised_at: new Date(Date.parse(`${businessDay(at)}T22:00:00+08:00`) + promisedDays * day),
  });
  history.moves.push({
    from_code: 20,
    to_code: 100,
    cause: 'accepted',
    account_id: null,
    at: answeredAt,
  });
  if (parcel.printed)
    Object.assign(express, {
      print_count: 1,
      print_uid: by,
      printed_at: new Date(at.getTime() + 50 * second),
    });
  follow(parcel, history, known);
  return history;
};
