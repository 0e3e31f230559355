import * as z from 'zod/mini';
import {
  accountChoice,
  draftFields,
  express,
  expressFields,
  stationChoice,
} from './express.schema.ts';
import { expressCounts, expressFilters, expressList, fieldNames } from './express-list.schema.ts';
import { optionsAnswer, quote } from './quote.schema.ts';
import { chargeDecisions, exceptionKinds, exceptionNoteLength } from './express-exceptions.ts';
import { outcomes, searchResults, traceResults, waybillResults } from './express-outcome.ts';
import {
  countsInput,
  fen,
  flag,
  id,
  integer,
  reason,
  searchText,
  text,
  time,
  version,
} from '#base/fields.schema.ts';
import { merchantCall } from '#network/merchant.schema.ts';
import { coverageResults } from './pre-sort.ts';
import { offeredProviders } from '#network/provider.ts';
import type { Provider } from '#network/provider.ts';
import { price } from '#money/price.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { labelFormats, sheetPlaces } from './print.ts';
import {
  cancelReasonLength,
  mostComponentParcels,
  mostDarkness,
  mostInteger,
  mostLabelOffset,
  mostMatched,
  mostSheetParcels,
  mostWeight,
  noteLength,
  printerNameLength,
  reasonLength,
  regionLength,
  waybillLength,
} from '#base/limits.ts';
import { offerChoice } from '#network/offer-rule.schema.ts';
import * as endpoints from './express-calls.ts';

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

/**
 * One entry for each time the parcel was priced, oldest first: entry 0 is the order, the later
 * entries are facts that changed the price.
 */
const pricing = z.object({
  no: z.int(),
  at: time,
  source: z.string(),
  reason: z.string(),
  price,
  /**
   * Why the station's rule chose the product when the parcel was ordered; absent if a person chose
   * it.
   */
  choice: z.optional(offerChoice),
});
export type Pricing = z.infer<typeof pricing>;

/** The address fields of sender and receiver. */
const coveredFields = [
  'sender_province',
  'sender_city',
  'sender_county',
  'sender_address',
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
] as const satisfies readonly (keyof typeof expressFields)[];

const labelFormat = z.enum(labelFormats);
/** Settings of a label printer that are sent together with the labels. */
const printerSettings = {
  /** The print darkness, at most 15 for TSPL; if absent, the printer keeps its own setting. */
  darkness: z.optional(integer(0, mostDarkness)),
  /** The number of dots (1/8 mm) by which labels are moved to the right and down. */
  offset_x: z.optional(integer(-mostLabelOffset, mostLabelOffset)),
  offset_y: z.optional(integer(-mostLabelOffset, mostLabelOffset)),
};
const fileDriver = z.enum(['pdf', 'zpl', 'tspl']);
export const labelFailure = z.object({ id: z.int(), reason });

/** 1: no user chose the product; the parcel then stores why the station's rule chose it. */
const byRule = { by_rule: z.optional(z.literal(1)) };

export const schemas = {
  listExpresses: {
    input: z.object({
      ...expressFilters,
      /**
       * The names of further fields of a row, separated by commas. If absent, a row has the fields
       * that the default columns need.
       */
      fields: z.optional(fieldNames),
    }),
    output: expressList,
  },
  countExpresses: {
    input: countsInput(expressFilters),
    output: expressCounts,
  },
  expressOptions: {
    input: z.object(stationChoice),
    output: optionsAnswer,
  },
  expressStations: {
    input: z.object({ q: z.optional(searchText) }),
    output: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          available: z.int(),
          has_amount: z.int(),
          status: z.int(),
        }),
      ),
    }),
  },
  quoteExpress: {
    input: z.object({
      ...stationChoice,
      /**
       * The id of the edited parcel. If it awaits pickup, its frozen price terms apply, as they do
       * when the edit is saved.
       */
      express_id: z.optional(id),
      sender_province: expressFields.sender_province,
      sender_city: expressFields.sender_city,
      receive_province: expressFields.receive_province,
      receive_city: expressFields.receive_city,
      sender_county: z.optional(text(0, regionLength)),
      receive_county: z.optional(text(0, regionLength)),
      /** The number of pieces; the volume of one piece is multiplied by it. */
      package_count: z.optional(expressFields.package_count),
      weight: expressFields.weight,
      length: expressFields.length,
      width: expressFields.width,
      height: expressFields.height,
      guarantee_value_amount: z.optional(fen),
      ...accountChoice,
    }),
    output: z.object({
      quotes: z.array(quote),
      available: z.int(),
      /**
       * The amount that the edited parcel holds or was charged; its new price replaces this amount.
       */
      held: z.int(),
      has_amount: z.int(),
      northeast: z.int(),
      /**
       * Why this product is proposed; null if no product can be ordered, or if the parcel is being
       * edited.
       */
      choice: z.nullable(offerChoice),
    }),
  },
  coverExpress: {
    input: z.object({
      ...stationChoice,
      ...accountChoice,
      provider: z.enum(offeredProviders as [Provider, ...Provider[]]),
      /**
       * 1: the carrier is asked again and the cached answer is not used, for example if the carrier
       * no longer offers the chosen window.
       */
      fresh: z.optional(flag),
      ...(Object.fromEntries(coveredFields.map((name) => [name, expressFields[name]])) as Pick<
        typeof expressFields,
        (typeof coveredFields)[number]
      >),
      /** The product to order, for a carrier whose pickup windows depend on the product. */
      promise_id: z.optional(expressFields.promise_id),
      /**
       * The sender's and the receiver's phone, for a carrier whose pickup windows depend on both.
       */
      sender_phone: z.optional(expressFields.sender_phone),
      receive_phone: z.optional(expressFields.receive_phone),
    }),
    output: z.object({
      result: z.enum(coverageResults),
      /** The carrier's text, if it does not serve one of the addresses or refused to answer. */
      text: z.string(),
      /**
       * The reason why the pickup times are not known: the carrier does not answer, or its account
       * is paused.
       */
      reason: z.nullable(reason),
      start_station_name: z.string(),
      end_station_name: z.string(),
      products: z.array(
        z.object({ promise_id: z.string(), delivery_promise_at: z.nullable(time) }),
      ),
      /**
       * The pickup windows from which the user can choose; null if this carrier has none at all.
       */
      pickup_windows: z.nullable(
        z.array(
          z.object({
            starts_at: time,
            ends_at: time,
            /**
             * The station's parcels of the last thirty days with this pickup window: `kept` counts
             * those that this carrier picked up within the window, `missed` the others. Null if
             * there are too few.
             */
            history: z.nullable(z.object({ kept: z.int(), missed: z.int() })),
          }),
        ),
      ),
    }),
  },
  createExpress: {
    input: z.union([
      z.object({ draft: z.literal(1), ...stationChoice, ...draftFields, ...accountChoice }),
      z.object({
        draft: z.optional(z.literal(0)),
        ...stationChoice,
        ...expressFields,
        ...accountChoice,
        expected_amount: z.optional(fen),
        ...byRule,
        /**
         * 0: the response does not wait for the carrier. It contains the stored parcel in state 20
         * or 10; the carrier's answer arrives later.
         */
        wait: z.optional(z.literal(0)),
      }),
    ]),
    output: express,
  },
  getExpress: {
    input: z.object({ id }),
    output: express,
  },
  editExpress: {
    input: z.object({ id, version, ...draftFields, ...accountChoice }),
    output: express,
  },
  orderExpress: {
    input: z.object({ id, ...byRule }),
    output: express,
  },
  retryExpress: {
    input: z.object({ id, ...byRule }),
    output: express,
  },
  cancelExpress: {
    input: z.object({ id, reason: text(1, cancelReasonLength) }),
    output: express,
  },
  countExceptions: {
    input: z.object({ station_id: z.optional(id) }),
    output: z.object({
      /** The number of open exceptions of each kind; 10,000 means 10,000 or more. */
      counts: z.record(z.enum(exceptionKinds), z.int()),
      /**
       * The value of the setting `unmoved_hours`: the hours without movement after which a parcel
       * is an exception.
       */
      unmoved_hours: z.int(),
    }),
  },
  trackExpress: {
    input: z.object({ id }),
    output: z.object({}),
  },
  handleException: {
    input: z.object({ id, note: text(1, exceptionNoteLength) }),
    output: express,
  },
  readCharge: {
    input: z.object({ id }),
    output: z.object({
      /** Null if no charge waits for a review or is disputed. */
      charge: z.nullable(
        z.object({
          no: z.int(),
          status: z.enum(['open', 'disputed']),
          at: time,
          doubts: z.array(reason),
          jd_weight: z.nullable(z.int()),
          jd_volume: z.nullable(z.int()),
          jd_cal_weight: z.nullable(z.int()),
          jd_amount: z.nullable(z.int()),
          surcharges: z.array(z.object({ code: z.string(), name: z.string(), amount: z.int() })),
          /** 1: the weight and fee of this report can be accepted. */
          acceptable: flag,
        }),
      ),
    }),
  },
  decideCharge: {
    input: z.object({
      id,
      no: integer(1, mostInteger),
      decision: z.enum(chargeDecisions),
      reason: text(1, noteLength),
    }),
    output: express,
  },
  reweighExpress: {
    input: z.object({
      id,
      re_weight: integer(1, mostWeight),
      reason: z.optional(text(0, noteLength)),
    }),
    output: express,
  },
  chooseWaybill: {
    input: z.object({ id, version, delivery_id: text(1, waybillLength) }),
    output: express,
  },
  checkOutcome: {
    input: z.object({ id, delivery_id: z.optional(text(1, waybillLength)) }),
    output: z.object({
      search: z.object({
        result: z.enum(searchResults),
        delivery_id: z.nullable(z.string()),
        text: z.string(),
      }),
      waybills: z.array(
        z.object({
          delivery_id: z.string(),
          /** The source of the waybill number; `typed`: entered by a user. */
          source: z.enum(['number', 'push', 'answer', 'typed']),
          details: z.object({
            result: z.enum(waybillResults),
            order_id: z.string(),
            text: z.string(),
          }),
          trace: z.object({
            result: z.enum(traceResults),
            text: z.string(),
            items: z.array(z.object({ at: time, title: z.string(), place: z.string() })),
          }),
        }),
      ),
      /** The parcel, after the carrier's answers were stored. */
      parcel: express,
    }),
  },
  decideOutcome: {
    input: z.object({
      id,
      version,
      outcome: z.enum(outcomes),
      /** The waybill number; required if the outcome is `stored`. */
      delivery_id: z.optional(text(1, waybillLength)),
      /**
       * 1: a person asked the carrier for the order number of this waybill and compared it, because
       * the carrier's details contain none.
       */
      compared: z.optional(flag),
      /**
       * The reference of the carrier's written confirmation (letter, mail, ticket). It replaces a
       * missing answer, but only after `unansweredHours`.
       */
      reference: z.optional(text(reasonLength.min, reasonLength.max)),
    }),
    output: express,
  },
  revealExpress: {
    input: z.object({ id }),
    output: z.object({ sender_phone: z.string(), receive_phone: z.string() }),
  },
  traceExpress: {
    input: z.object({ id }),
    output: z.object({ items: z.array(traceEvent), checked_at: z.nullable(time) }),
  },
  priceExpress: {
    input: z.object({ id }),
    output: z.object({
      pricings: z.array(pricing),
      voucher_name: z.string(),
      voucher_no: z.nullable(z.int()),
    }),
  },
  expressStatements: {
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
      /**
       * The amounts in fen that may still be paid out for the parcel, minus the amounts of waiting
       * requests; null for roles other than super and admin.
       */
      left: z.nullable(
        z.object({
          /**
           * The part of the price that can be refunded; 0 if the price was not charged or is
           * reversed.
           */
          refundable_amount: z.int(),
          /**
           * The largest sum of all payouts for the parcel, in fen; 0 until the parcel is picked up.
           */
          payout_limit_amount: z.int(),
          payout_left_amount: z.int(),
          /**
           * The amount in fen that the reader may still pay at this station today without a second
           * person; a larger amount becomes a request.
           */
          alone_left_amount: z.int(),
        }),
      ),
    }),
  },
  expressCalls: {
    input: z.object({ id }),
    output: z.object({
      items: z.array(merchantCall),
      /** 1: the outcome of the order was unknown at some time, so the order has an outcome page. */
      was_unknown: flag,
    }),
  },
  printLabels: {
    input: z.object({
      ids: z.array(id).check(z.minLength(1, 'required'), z.maxLength(mostSheetParcels, 'too_long')),
      format: labelFormat,
      preview: z.optional(z.union([z.literal(0), z.literal(1)])),
      reason: z.optional(text(0, noteLength)),
      /** The format of the labels: `pdf` is the default; `zpl` and `tspl` are printer languages. */
      driver: z.optional(fileDriver),
      /** The position of the first label on the A4 sheet. */
      start: z.optional(integer(1, sheetPlaces)),
      /** 1: the result of each parcel is in the body too, as `multipart/form-data`. */
      result: z.optional(flag),
      /** 1: the response is a ZIP archive with one PDF per parcel, for at most 200 parcels. */
      separate: z.optional(flag),
      /**
       * If the client requests the PDFs in several calls: the ordinal number of the first PDF of
       * this call among all PDFs.
       */
      first_no: z.optional(integer(1, mostMatched)),
      printer: z.optional(text(0, printerNameLength)),
      /**
       * 1: the label was printed because of a scan, so the user scans the printed label as a check.
       */
      verify: z.optional(flag),
      ...printerSettings,
    }),
    output: z.unknown(),
  },
  componentLabels: {
    input: z.object({
      ids: z
        .array(id)
        .check(z.minLength(1, 'required'), z.maxLength(mostComponentParcels, 'too_long')),
      format: labelFormat,
      reason: z.optional(text(0, noteLength)),
      printer: z.optional(text(0, printerNameLength)),
      /**
       * 1: the label was printed because of a scan, so the user scans the printed label as a check.
       */
      verify: z.optional(flag),
    }),
    output: z.object({
      batch_id: z.nullable(z.int()),
      labels: z.array(
        z.object({
          /** The id of the print record. */
          id: z.int(),
          express_id: z.int(),
          delivery_id: z.string(),
          /** The URL of the layout that the print component uses. */
          template_url: z.string(),
          /** The label data that the carrier has encrypted, one text per piece. */
          data: z.array(z.string()),
        }),
      ),
      failures: z.array(labelFailure),
    }),
  },
  testLabel: {
    input: z.object({ format: labelFormat, driver: z.optional(fileDriver), ...printerSettings }),
    output: z.unknown(),
  },
};

export const calls = withSchemas(endpoints, schemas);
