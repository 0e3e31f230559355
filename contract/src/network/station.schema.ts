import * as z from 'zod/mini';
import {
  fen,
  flag,
  id,
  integer,
  listInput,
  listOf,
  reason,
  searchText,
  signedFen,
  stored,
  text,
  time,
  version,
} from '#base/fields.schema.ts';
import { phoneText, readPhone, longestPhone } from '#parcels/phone.ts';
import { usageSchemas } from '#base/usage.schema.ts';
import { quote } from '#parcels/quote.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import {
  addressLength,
  customerCodeLength,
  mostBalance,
  mostLastingDays,
  mostSilentDays,
  mostWeight,
  nameLength,
  noteLength,
  regionLength,
} from '#base/limits.ts';
import { wholeRate } from '#money/money.ts';
import { offerRuleFields } from './offer-rule.schema.ts';
import * as endpoints from './station.ts';

const nullableInt = z.nullable(z.int());

/**
 * An outlet with a wallet (requirements §3). `parent_id` is null for the highest station that the
 * reader sees, and `level` is counted from that station. Only super and admin receive
 * `customer_code`.
 */
export const station = z.object({
  id: z.int(),
  name: z.string(),
  province: z.string(),
  city: z.string(),
  county: z.string(),
  address: z.string(),
  /** Basis points; null if not set: then the discount of the template applies. */
  discount: nullableInt,
  northeast_discount: nullableInt,
  /** The balance in fen; only the ledger changes it. */
  money: signedFen,
  freeze: signedFen,
  available: signedFen,
  fixed_freeze: signedFen,
  /**
   * In fen: if less is available, the balance counts as low. Null: the network's setting
   * `low_balance` applies. `low_limit` is the limit that applies.
   */
  low_balance: nullableInt,
  /**
   * If `has_amount` is 0: orders may lower the available amount to this number of fen below zero.
   * Null: no limit.
   */
  credit_limit: nullableInt,
  /**
   * The amount in fen that the station still owes, because top-ups were reversed after they had
   * been spent.
   */
  claim_amount: z.int(),
  low_limit: z.int(),
  customer_code: z.optional(z.string()),
  status: flag,
  allow_print: flag,
  /** 1: an order is accepted only if its amount is available; 0: the station is post-paid. */
  has_amount: flag,
  allow_select: flag,
  /** The rule that chooses a product if no user does and `allow_select` is 1. */
  ...offerRuleFields,
  /** The parent's share of a parcel's base, in basis points, if the scheme shares a percentage. */
  profit: z.int(),
  /** The amount in fen that the parent earns per parcel, if the scheme shares fixed amounts. */
  fixed_profit: signedFen,
  enable_profit: flag,
  /**
   * The largest values, in basis points and in fen, that the partner of this station may set as
   * `profit` and `fixed_profit` of stations below it.
   */
  profit_limit: z.int(),
  fixed_profit_limit: signedFen,
  parent_id: nullableInt,
  parent_name: z.nullable(z.string()),
  project_id: nullableInt,
  project_name: z.nullable(z.string()),
  sender_name: z.string(),
  sender_phone: z.string(),
  level: z.int(),
  /** The number of stations directly below it. */
  children: z.int(),
  /** The number of accounts that may log in. */
  users: z.int(),
  /**
   * The number of parcels with a waybill number that were created in the last 30 business days,
   * today included; `last_active_at` is the time when the newest parcel was created.
   */
  parcels_30d: z.int(),
  last_active_at: z.nullable(time),
  /**
   * 1: the check of the station's ledger failed, and nothing is posted until an administrator has
   * checked it.
   */
  blocked: flag,
  ...stored,
});
export type Station = z.infer<typeof station>;

/** A phone that may be empty. */
const phoneOrNone = z.pipe(
  z.string().check(z.maxLength(longestPhone * 2, 'too_long')),
  z.transform((value: string, context): string => {
    if (value.trim() === '') return '';
    const reading = readPhone(value);
    if (reading.ok) return phoneText(reading.phone);
    context.issues.push({ code: 'custom', message: reading.code, input: value });
    return value;
  }),
);

/**
 * The discount on the list freight, 1–10000 basis points; null: the template's discount applies.
 */
const discount = z.nullable(integer(1, wholeRate));

/**
 * The fields of a station that can be edited. The balances are not among them, because no call sets
 * a balance.
 */
const fields = {
  name: text(1, nameLength),
  province: text(0, regionLength),
  city: text(0, regionLength),
  county: text(0, regionLength),
  address: text(0, addressLength),
  discount,
  northeast_discount: discount,
  fixed_freeze: fen,
  low_balance: z.nullable(integer(0, mostBalance)),
  credit_limit: z.nullable(integer(0, mostBalance)),
  customer_code: text(0, customerCodeLength),
  allow_print: flag,
  has_amount: flag,
  allow_select: flag,
  ...offerRuleFields,
  profit: integer(0, wholeRate),
  fixed_profit: fen,
  enable_profit: flag,
  profit_limit: integer(0, wholeRate),
  fixed_profit_limit: fen,
  project_id: z.nullable(id),
  sender_name: text(0, nameLength),
  sender_phone: phoneOrNone,
};

const terms = {
  province: z.optional(fields.province),
  city: z.optional(fields.city),
  county: z.optional(fields.county),
  address: z.optional(fields.address),
  discount: z.optional(fields.discount),
  northeast_discount: z.optional(fields.northeast_discount),
  fixed_freeze: z.optional(fields.fixed_freeze),
  low_balance: z.optional(fields.low_balance),
  credit_limit: z.optional(fields.credit_limit),
  customer_code: z.optional(fields.customer_code),
  allow_print: z.optional(fields.allow_print),
  has_amount: z.optional(fields.has_amount),
  allow_select: z.optional(fields.allow_select),
  offer_rule: z.optional(fields.offer_rule),
  offer_carriers: z.optional(fields.offer_carriers),
  offer_fallback: z.optional(fields.offer_fallback),
  profit: z.optional(fields.profit),
  fixed_profit: z.optional(fields.fixed_profit),
  enable_profit: z.optional(fields.enable_profit),
  profit_limit: z.optional(fields.profit_limit),
  fixed_profit_limit: z.optional(fields.fixed_profit_limit),
  project_id: z.optional(fields.project_id),
  sender_name: z.optional(fields.sender_name),
  sender_phone: z.optional(fields.sender_phone),
  /** The reason for the change; required if the balance check is switched off. */
  reason: z.optional(text(0, noteLength)),
};

const balance = integer(-mostBalance, mostBalance);

export const stationFilters = {
  /** A part of the name; for super and admin also a part of the carrier account's code. */
  q: z.optional(searchText),
  /** Only stations directly below this station. */
  parent_id: z.optional(id),
  /** 1: only stations at the top of the network that the reader sees. */
  top: z.optional(flag),
  project_id: z.optional(id),
  /** The name of the province, as the station stores it. */
  province: z.optional(text(1, regionLength)),
  status: z.optional(flag),
  available_from: z.optional(balance),
  available_to: z.optional(balance),
  /** 1: only stations with a negative available amount. */
  negative: z.optional(flag),
  /** 1: only stations with a balance check whose available amount is below `low_limit`. */
  low: z.optional(flag),
  allow_print: z.optional(flag),
  has_amount: z.optional(flag),
  allow_select: z.optional(flag),
  enable_profit: z.optional(flag),
  /** Only stations without a parcel for this number of days. */
  silent_days: z.optional(integer(1, mostSilentDays)),
  /**
   * Only stations whose available amount lasts at most this number of days, at the average daily
   * cost of their parcels (`spendingDays` in workplace.ts).
   */
  lasts_days: z.optional(integer(1, mostLastingDays)),
  /** 1: only post-paid stations whose parcels cost more than the stations have paid. */
  owing: z.optional(flag),
};

const place = { id, parent_id: z.nullable(id) };

/**
 * One link between a station and its parent that earns profit; `amount` is the parent's profit from
 * the example parcel.
 */
export const moveLink = z.object({
  child_id: z.int(),
  child_name: z.string(),
  parent_id: z.int(),
  parent_name: z.string(),
  enable_profit: flag,
  profit: z.int(),
  fixed_profit: signedFen,
  amount: nullableInt,
});
export type MoveLink = z.infer<typeof moveLink>;

const side = z.object({
  links: z.array(moveLink),
  /**
   * The platform's part of the price of the example parcel; only super and admin get this field.
   */
  platform_amount: z.optional(nullableInt),
});

/**
 * The effects of moving a station. Parcels that are already ordered keep the parent stations that
 * they had at the time of the order.
 */
export const movePreview = z.object({
  /**
   * The number of stations that move, including the station itself; `accounts` is the number of
   * their accounts.
   */
  stations: z.int(),
  accounts: z.int(),
  /**
   * The price that the station pays for the example parcel: 1 kg to 广东 with the cheapest delivery
   * time; null if it has no price.
   */
  post_amount: nullableInt,
  percent_type: nullableInt,
  before: side,
  after: side,
  /** The reasons why the move is not allowed; empty if it is allowed. */
  problems: z.array(reason),
});
export type MovePreview = z.infer<typeof movePreview>;

export const schemas = {
  listStations: {
    input: z.object({ ...listInput, ...stationFilters }),
    output: z.extend(listOf(station), {
      sums: z.object({ money: signedFen, freeze: signedFen, available: signedFen }),
    }),
  },
  stationProvinces: {
    input: z.object({}),
    output: z.object({
      /**
       * One item per province, the provinces with the most stations first. An empty name is for the
       * stations without an address.
       */
      items: z.array(
        z.object({
          province: z.string(),
          stations: z.int(),
          enabled: z.int(),
          money: signedFen,
          freeze: signedFen,
          available: signedFen,
          parcels_30d: z.int(),
        }),
      ),
    }),
  },
  getStation: {
    input: z.object({ id }),
    output: station,
  },
  createStation: {
    input: z.object({
      ...terms,
      name: fields.name,
      parent_id: z.optional(z.nullable(id)),
      status: z.optional(flag),
      guided: z.optional(flag),
    }),
    output: station,
  },
  editStation: {
    input: z.object({ id, version, name: z.optional(fields.name), ...terms }),
    output: station,
  },
  setStationStatus: {
    input: z.object({
      id,
      status: flag,
      with_children: z.optional(flag),
      reason: z.optional(text(0, noteLength)),
    }),
    output: station,
  },
  stationUsage: usageSchemas,
  previewMove: {
    input: z.object(place),
    output: movePreview,
  },
  moveStation: {
    input: z.object({ ...place, version }),
    output: station,
  },
  previewStationPrice: {
    input: z.object({
      id,
      receive_province: z.optional(text(1, regionLength)),
      receive_city: z.optional(text(0, regionLength)),
      weight: z.optional(integer(1, mostWeight)),
      guarantee_value_amount: z.optional(fen),
      discount: z.optional(fields.discount),
      northeast_discount: z.optional(fields.northeast_discount),
      project_id: z.optional(fields.project_id),
    }),
    output: z.object({
      sender_province: z.string(),
      receive_province: z.string(),
      receive_city: z.string(),
      weight: z.int(),
      quotes: z.array(quote),
    }),
  },
};

export const calls = withSchemas(endpoints, schemas);
