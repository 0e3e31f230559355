import * as z from 'zod/mini';
import { provider } from '#network/provider.schema.ts';
import { stateCodes } from './express-states.ts';
import type { StateCode } from './express-states.ts';
import { fen, flag, id, integer, reason, text, time } from '#base/fields.schema.ts';
import { exceptionKinds } from './express-exceptions.ts';
import { weightMessage } from '#money/price.schema.ts';
import { rowFields } from './express-fields.ts';
import { narrow } from '#shell/search.ts';
import {
  merchantCodeLength,
  addressLength,
  goodsLength,
  mostGoodsType,
  mostPackages,
  mostSide,
  mostWeight,
  nameLength,
  noteLength,
  orderNumberLength,
  phoneLength,
  promiseCodeLength,
  regionLength,
  remarkLength,
} from '#base/limits.ts';

const anyState = z.union(
  stateCodes.map((code) => z.literal(code)) as [
    z.ZodMiniLiteral<StateCode>,
    ...z.ZodMiniLiteral<StateCode>[],
  ],
);

/**
 * The fields of the sender or of the receiver, as typed. The phone may have an extension,
 * `13800000001-1234`.
 */
const party = <P extends 'sender' | 'receive'>(side: P) =>
  ({
    [`${side}_name`]: text(1, nameLength),
    [`${side}_phone`]: text(1, phoneLength),
    [`${side}_province`]: text(1, regionLength),
    [`${side}_city`]: text(1, regionLength),
    [`${side}_county`]: text(0, regionLength),
    [`${side}_address`]: text(2, addressLength),
  }) as Record<
    `${P}_${'name' | 'phone' | 'province' | 'city' | 'county' | 'address'}`,
    ReturnType<typeof text>
  >;

/**
 * The id of the station: required for super and admin, optional for a partner, fixed for station
 * and user.
 */
export const stationChoice = { station_id: z.optional(id) };

/**
 * An order number of a shop. Full-width characters become half-width, as in a search: ＴＢ１ becomes
 * TB1.
 */
const orderNumber = z.pipe(
  z.string().check(z.maxLength(orderNumberLength * 4, 'too_long'), z.overwrite(narrow)),
  text(0, orderNumberLength),
);

/** The start or the end of a pickup window, ISO 8601 with offset. */
export const pickupTime = z.pipe(
  z.string().check(
    z.regex(
      /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/,
      'invalid',
    ),
    // A day that the month does not have, such as 31 November, would otherwise become a day of the
    // next month.
    z.refine(
      (value) => {
        const [date = ''] = value.split('T');
        return (
          !Number.isNaN(Date.parse(value)) &&
          !Number.isNaN(Date.parse(date)) &&
          new Date(date).toISOString().startsWith(date)
        );
      },
      { error: 'invalid' },
    ),
  ),
  z.transform((value: string) => new Date(value)),
);
const chosenTime = z.optional(z.nullable(pickupTime));

/** The fields that the order form, a draft and an edit have in common. */
export const expressFields = {
  ...party('sender'),
  ...party('receive'),
  sender_id: z.optional(z.nullable(id)),
  receive_id: z.optional(z.nullable(id)),
  thr_order_id: z.optional(orderNumber),
  package_count: integer(1, mostPackages),
  guarantee_value_amount: z.optional(fen),
  trans_type: z.optional(z.pipe(integer(1, 2), z.union([z.literal(1), z.literal(2)]))),
  goods_type: z.optional(integer(1, mostGoodsType)),
  goods: text(1, goodsLength),
  promise_id: text(1, promiseCodeLength),
  remark: z.optional(text(0, remarkLength)),
  description: z.optional(text(0, noteLength)),
  weight: integer(1, mostWeight),
  length: z.optional(integer(0, mostSide)),
  width: z.optional(integer(0, mostSide)),
  height: z.optional(integer(0, mostSide)),
  /** The start of a pickup window that the carrier offers; null: as soon as possible. */
  pickup_from: chosenTime,
  pickup_until: chosenTime,
};

/**
 * The customer code of the carrier account to use instead of the station's account; only super and
 * admin may set it. Empty: the station's account.
 */
export const accountChoice = { customer_code: z.optional(text(0, merchantCodeLength)) };

/** A draft may have any text in these fields, up to the largest length. */
const draftText = (max: number) => z.optional(text(0, max));
export const draftFields = {
  ...(Object.fromEntries(
    (['sender', 'receive'] as const).flatMap((side) =>
      (['name', 'phone', 'province', 'city', 'county', 'address'] as const).map((part) => [
        `${side}_${part}`,
        draftText(addressLength),
      ]),
    ),
  ) as Record<
    keyof ReturnType<typeof party<'sender'>> | keyof ReturnType<typeof party<'receive'>>,
    ReturnType<typeof draftText>
  >),
  sender_id: expressFields.sender_id,
  receive_id: expressFields.receive_id,
  thr_order_id: expressFields.thr_order_id,
  package_count: z.optional(expressFields.package_count),
  guarantee_value_amount: expressFields.guarantee_value_amount,
  trans_type: expressFields.trans_type,
  goods_type: expressFields.goods_type,
  goods: draftText(goodsLength),
  promise_id: draftText(promiseCodeLength),
  remark: expressFields.remark,
  description: expressFields.description,
  weight: z.optional(integer(0, mostWeight)),
  length: expressFields.length,
  width: expressFields.width,
  height: expressFields.height,
  pickup_from: expressFields.pickup_from,
  pickup_until: expressFields.pickup_until,
};

const nullableTime = z.nullable(time);
export const nullableInt = z.nullable(z.int());

/**
 * A parcel in a response, with every field of requirements §3. The phones of other stations'
 * parcels are masked.
 */
export const express = z.object({
  id,
  station_id: z.int(),
  station_name: z.string(),
  /** 1: the station may print labels; 0: no label of the parcel can be printed. */
  allow_print: flag,
  user_id: z.int(),
  user_nickname: z.string(),
  /**
   * The nicknames of the person who cancelled the parcel and of the person who printed its label
   * last. Null if nobody, the system or the carrier did so.
   */
  cancel_nickname: z.nullable(z.string()),
  print_nickname: z.nullable(z.string()),
  /**
   * The names of the freight scheme and of the freight template; null until the parcel was priced.
   */
  project_name: z.nullable(z.string()),
  voucher_name: z.nullable(z.string()),
  sender_id: nullableInt,
  receive_id: nullableInt,
  /** Only super and admin get this field. */
  customer_code: z.optional(z.string()),
  delivery_id: z.nullable(z.string()),
  order_id: z.string(),
  thr_order_id: z.string(),
  sender_name: z.string(),
  sender_phone: z.string(),
  sender_province: z.string(),
  sender_city: z.string(),
  sender_county: z.string(),
  sender_address: z.string(),
  receive_name: z.string(),
  receive_phone: z.string(),
  receive_province: z.string(),
  receive_city: z.string(),
  receive_county: z.string(),
  receive_address: z.string(),
  package_count: z.int(),
  guarantee_value_amount: z.int(),
  trans_type: z.int(),
  goods_type: z.int(),
  promise_id: z.string(),
  promise_name: z.string(),
  promise_time_type: z.string(),
  goods: z.string(),
  remark: z.string(),
  description: z.string(),
  weight: z.int(),
  re_weight: nullableInt,
  jd_weight: nullableInt,
  jd_cal_weight: nullableInt,
  cal_weight: nullableInt,
  length: z.int(),
  width: z.int(),
  height: z.int(),
  /** The start of the chosen pickup window; null: as soon as possible. */
  pickup_from: nullableTime,
  pickup_until: nullableTime,
  guarantee_amount: z.int(),
  surcharge_amount: z.int(),
  pre_amount: z.int(),
  post_amount: z.int(),
  discount: nullableInt,
  discount_amount: z.int(),
  /** The carrier's charge; only super and admin get this field. */
  jd_amount: z.optional(nullableInt),
  state_code: anyState,
  state_txt: z.string(),
  /** Our own text in Chinese, or the carrier's text. */
  state_remark: z.string(),
  /**
   * The reason as one of our codes, which clients write in the reader's language. Null if the text
   * is the carrier's.
   */
  state_reason: z.nullable(reason),
  cancel_uid: nullableInt,
  canceled_at: nullableTime,
  print_uid: nullableInt,
  print_count: z.int(),
  printed_at: nullableTime,
  pre_sort_result: z.nullable(z.unknown()),
  print_data: z.nullable(z.unknown()),
  project_id: nullableInt,
  voucher_id: nullableInt,
  weight_message: z.string(),
  weight_reason: z.nullable(weightMessage),
  provider,
  simulated: flag,
  created_at: time,
  updated_at: time,
  ordered_at: nullableTime,
  picked_up_at: nullableTime,
  signed_at: nullableTime,
  last_event_at: nullableTime,
  charged_at: nullableTime,
  return_delivery_id: z.nullable(z.string()),
  /**
   * The open exception (requirements §10.17.5); null if there is none. `exception_at` is the time
   * when it was reported; for `unmoved`, the time of the last movement; for `missed`, the end of
   * the pickup window.
   */
  exception: z.nullable(z.enum(exceptionKinds)),
  exception_at: nullableTime,
  /** When the exception was handled; null while it is open. */
  handled_at: nullableTime,
  handled_note: z.string(),
  intercepting: flag,
  need_retry: flag,
  /**
   * The state that the carrier pushed but that its tracking has not confirmed yet; null if no state
   * waits for a confirmation.
   */
  confirming: z.nullable(anyState),
  /**
   * The waybill numbers that the carrier reported for this order, from which an administrator
   * chooses; empty if there is nothing to choose. Only super and admin get this field.
   */
  waybill_claims: z.optional(
    z.array(z.object({ delivery_id: z.string(), source: z.enum(['number', 'push', 'answer']) })),
  ),
  /** 1: a change is requested and waits for the carrier. */
  modifying: flag,
  /** 1: a cancellation is requested and waits for the carrier. */
  canceling: flag,
  version: z.int(),
  /**
   * The carrier account that was chosen for the parcel; empty: the account of its station. Only
   * super and admin get this field.
   */
  chosen_code: z.optional(z.string()),
  /** 1: the reader sees whole phone numbers. */
  phones_shown: flag,
});
export type Express = z.infer<typeof express>;

/**
 * The fields that the list can return: all except the label data, which only the drawer shows, and
 * the selected account, which only an edit needs.
 */
export const listed = z.omit(express, { print_data: true, chosen_code: true });
export type ListedField = keyof typeof listed.shape;
export const listedFields = Object.keys(listed.shape) as ListedField[];

/** Converts field names to a mask for `pick` and `omit`. */
const maskOf = <F extends ListedField>(fields: readonly F[]): Record<F, true> =>
  Object.fromEntries(fields.map((field) => [field, true])) as Record<F, true>;

/** A row of the parcel list: `rowFields`, and the other fields that were requested. */
export const expressRow = z.object({
  ...z.pick(listed, maskOf(rowFields)).shape,
  ...z.partial(z.omit(listed, maskOf(rowFields))).shape,
});
export type ExpressRow = z.infer<typeof expressRow>;
