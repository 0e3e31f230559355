import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { draftFields, express, expressFields, expressFilters, expressList, optionsAnswer, quote, stationChoice } from './express.ts';
import { fen, id, integer, reason, searchText, text, time, version } from './fields.ts';
import { price } from './price.ts';
import { everyone, managers, office } from './roles.ts';

const base = '/api/arco/expresses';

export const listExpresses = endpoint({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'Parcels in scope, newest first, with the sums of the whole filtered set and the counts per tab.',
  input: z.object(expressFilters),
  output: expressList,
});

export const expressOptions = endpoint({
  method: 'GET',
  path: `${base}/options`,
  roles: everyone,
  summary: 'What the order form of a station needs: goods, promises, insurance ladder, flags, default sender; no secrets.',
  input: z.object(stationChoice),
  output: optionsAnswer,
});

/** Stations the caller may order for, for the picker; the first 50 that match. */
export const expressStations = endpoint({
  method: 'GET',
  path: `${base}/stations`,
  roles: everyone,
  summary: 'Stations the caller may order for, by name.',
  input: z.object({ q: z.optional(searchText) }),
  output: z.object({ items: z.array(z.object({ id: z.int(), name: z.string(), available: z.int(), has_amount: z.int(), status: z.int() })) }),
});

/** Enough of a parcel to price it: where from, where to, how heavy. */
export const quoteExpress = endpoint({
  method: 'POST',
  path: `${base}/quote`,
  roles: everyone,
  summary: 'Prices of every promise of the station’s scheme, each explained line by line.',
  input: z.object({
    ...stationChoice,
    /** The parcel that is edited: one that awaits pickup is priced by its frozen terms, as its edit will be. */
    express_id: z.optional(id),
    sender_province: expressFields.sender_province,
    sender_city: expressFields.sender_city,
    receive_province: expressFields.receive_province,
    receive_city: expressFields.receive_city,
    sender_county: z.optional(text(0, 40)),
    receive_county: z.optional(text(0, 40)),
    /** Volume counts every piece. */
    package_count: z.optional(expressFields.package_count),
    weight: expressFields.weight,
    length: expressFields.length,
    width: expressFields.width,
    height: expressFields.height,
    guarantee_value_amount: z.optional(fen),
  }),
  output: z.object({
    quotes: z.array(quote),
    available: z.int(),
    /** What the edited parcel holds or was charged already: its new price takes the place of this. */
    held: z.int(),
    has_amount: z.int(),
    northeast: z.int(),
  }),
});

export const createExpress = endpoint({
  method: 'POST',
  path: base,
  roles: everyone,
  idempotency: 'required',
  summary: 'Order a parcel (waits up to 4 s for the carrier, then answers in state 20), or keep a draft with draft: 1.',
  input: z.union([
    z.object({ draft: z.literal(1), ...stationChoice, ...draftFields }),
    z.object({ draft: z.optional(z.literal(0)), ...stationChoice, ...expressFields, expected_amount: z.optional(fen) }),
  ]),
  output: express,
});

export const getExpress = endpoint({
  method: 'GET',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'One parcel.',
  input: z.object({ id }),
  output: express,
});

export const editExpress = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'Change a parcel that is not on its way: all of it in 0, 10, 90; in 100 what the carrier lets change.',
  input: z.object({ id, version, ...draftFields }),
  output: express,
});

export const orderExpress = endpoint({
  method: 'POST',
  path: `${base}/{id}/order`,
  roles: everyone,
  idempotency: 'required',
  summary: 'Order a draft, or put a parcel on hold first in its queue.',
  input: z.object({ id }),
  output: express,
});

export const retryExpress = endpoint({
  method: 'POST',
  path: `${base}/{id}/retry`,
  roles: everyone,
  idempotency: 'required',
  summary: 'Order again what the carrier refused, under the same order number.',
  input: z.object({ id }),
  output: express,
});

export const cancelExpress = endpoint({
  method: 'POST',
  path: `${base}/{id}/cancel`,
  roles: everyone,
  summary: 'Cancel before pickup, or ask for an intercept after it.',
  input: z.object({ id, reason: text(1, 30) }),
  output: express,
});

export const reweighExpress = endpoint({
  method: 'POST',
  path: `${base}/{id}/reweigh`,
  roles: everyone,
  summary: 'The station’s own weight, before the carrier has weighed; a jump of more than 30 % needs a reason.',
  input: z.object({ id, re_weight: integer(1, 10_000_000), reason: z.optional(text(0, 200)) }),
  output: express,
});

export const chooseWaybill = endpoint({
  method: 'POST',
  path: `${base}/{id}/waybill`,
  roles: office,
  summary: 'Choose between waybills that the carrier named for one order; the other is cancelled at the carrier.',
  input: z.object({ id, version, delivery_id: text(1, 60) }),
  output: express,
});

export const revealExpress = endpoint({
  method: 'POST',
  path: `${base}/{id}/reveal`,
  roles: everyone,
  summary: 'Phones whole; audited.',
  input: z.object({ id }),
  output: z.object({ sender_phone: z.string(), receive_phone: z.string() }),
});

const traceEvent = z.object({
  at: time,
  category: z.string(),
  state: z.string(),
  title: z.string(),
  remark: z.string(),
  operator_name: z.string(),
  place: z.string(),
  source: z.string(),
  our_state: z.nullable(z.int()),
});
export type TraceEvent = z.infer<typeof traceEvent>;

export const traceExpress = endpoint({
  method: 'GET',
  path: `${base}/{id}/trace`,
  roles: everyone,
  summary: 'What the carrier reported, oldest first.',
  input: z.object({ id }),
  output: z.object({ items: z.array(traceEvent), checked_at: z.nullable(time) }),
});

/** Each time the parcel was priced, oldest first: number 0 is the order, the rest are the facts that changed it. */
const pricing = z.object({ no: z.int(), at: time, source: z.string(), reason: z.string(), price });
export type Pricing = z.infer<typeof pricing>;

export const priceExpress = endpoint({
  method: 'GET',
  path: `${base}/{id}/price`,
  roles: everyone,
  summary: 'The why of the price, before and after each re-weigh.',
  input: z.object({ id }),
  output: z.object({ pricings: z.array(pricing), voucher_name: z.string(), voucher_no: z.nullable(z.int()) }),
});

export const expressStatements = endpoint({
  method: 'GET',
  path: `${base}/{id}/statements`,
  roles: managers,
  summary: 'The billing lines of a parcel, in order.',
  input: z.object({ id }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.int(),
        seq: z.nullable(z.int()),
        type: z.string(),
        status: z.string(),
        amount: z.int(),
        freeze_amount: z.int(),
        post_amount: z.nullable(z.int()),
        balance: z.nullable(z.int()),
        available: z.nullable(z.int()),
        description: z.string(),
        created_at: time,
        station_id: z.int(),
        station_name: z.string(),
      }),
    ),
    /** What may still be given for the parcel, requests that wait taken off; for super and admin, else null. Fen. */
    left: z.nullable(
      z.object({
        /** Of its price; 0 where it was not charged or is reversed. */
        refundable_amount: z.int(),
        /** All payouts of the parcel together; 0 until it is picked up. */
        payout_limit_amount: z.int(),
        payout_left_amount: z.int(),
        /** What the reader may give at this station today without a second person; more becomes a request. */
        alone_left_amount: z.int(),
      }),
    ),
  }),
});

const labelFormat = z.enum(['76x130', '100x150']);

/** Order kept. The header `x-label-failures` holds, as JSON, the parcels that could not be printed and why. */
export const printLabels = endpoint({
  method: 'POST',
  path: '/api/arco/labels',
  roles: everyone,
  answers: 'file',
  summary: 'Labels as one PDF in the order given; one print record per parcel unless it is a preview.',
  input: z.object({
    ids: z.array(id).check(z.minLength(1, 'required'), z.maxLength(2_000, 'too_long')),
    format: labelFormat,
    preview: z.optional(z.union([z.literal(0), z.literal(1)])),
    reason: z.optional(text(0, 200)),
  }),
  output: z.unknown(),
});
export const labelFailure = z.object({ id: z.int(), reason });
