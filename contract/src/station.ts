import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { quote } from './express.ts';
import { fen, flag, id, integer, listInput, listOf, reason, searchText, signedFen, text, time, version } from './fields.ts';
import { phoneText, readPhone } from './phone.ts';
import { managers } from './roles.ts';
import type { Role } from './roles.ts';
import { usageOf } from './usage.ts';

const base = '/api/arco/stations';
const nullableInt = z.nullable(z.int());

/** Who builds the tree: the office anywhere, a partner below its own station. */
export const builders: readonly Role[] = ['super', 'admin', 'partner'];

/** Below this available sum (fen) a station whose balance is checked is shown as running low. */
export const lowBalance = 10_000;

/**
 * An outlet with a wallet (requirements §3). `parent_id` is null at the top of what the reader sees, and `level` counts from there;
 * `customer_code` is answered to super and admin only.
 */
export const station = z.object({
  id: z.int(),
  name: z.string(),
  province: z.string(),
  city: z.string(),
  county: z.string(),
  address: z.string(),
  /** Basis points; null: not set, the template's counts. */
  discount: nullableInt,
  northeast_discount: nullableInt,
  /** Fen; moved by the ledger alone. */
  money: signedFen,
  freeze: signedFen,
  available: signedFen,
  fixed_freeze: signedFen,
  customer_code: z.optional(z.string()),
  status: flag,
  allow_print: flag,
  /** 1: an order needs its amount available; 0: the station pays afterwards. */
  has_amount: flag,
  allow_select: flag,
  /** Basis points of a parcel's base that the parent earns, by percentage. */
  profit: z.int(),
  /** Fen a parcel that the parent earns, where the scheme shares fixed sums. */
  fixed_profit: signedFen,
  enable_profit: flag,
  /** Basis points and fen: up to these the partner of this station may set `profit` and `fixed_profit` of the stations below it. */
  profit_limit: z.int(),
  fixed_profit_limit: signedFen,
  parent_id: nullableInt,
  parent_name: z.nullable(z.string()),
  project_id: nullableInt,
  project_name: z.nullable(z.string()),
  sender_name: z.string(),
  sender_phone: z.string(),
  level: z.int(),
  /** Stations directly below it. */
  children: z.int(),
  /** Accounts that may log in. */
  users: z.int(),
  /** Parcels made in the last 30 days, and when the last one was. */
  parcels_30d: z.int(),
  last_active_at: z.nullable(time),
  /** 1: its books do not prove, and it takes no money until somebody has looked. */
  blocked: flag,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type Station = z.infer<typeof station>;

/** A phone that may be left out. */
const phoneOrNone = z.pipe(
  z.string().check(z.maxLength(96, 'too_long')),
  z.transform((value: string, context): string => {
    if (value.trim() === '') return '';
    const reading = readPhone(value);
    if (reading.ok) return phoneText(reading.phone);
    context.issues.push({ code: 'custom', message: reading.code, input: value });
    return value;
  }),
);

/** Of the list freight: 1–10000 basis points; null: the template's. */
const discount = z.nullable(integer(1, 10_000));

/** What people enter of a station. Its balances are not among it: no call takes them. */
const fields = {
  name: text(1, 50),
  province: text(0, 40),
  city: text(0, 40),
  county: text(0, 40),
  address: text(0, 200),
  discount,
  northeast_discount: discount,
  fixed_freeze: fen,
  customer_code: text(0, 50),
  allow_print: flag,
  has_amount: flag,
  allow_select: flag,
  profit: integer(0, 10_000),
  fixed_profit: fen,
  enable_profit: flag,
  profit_limit: integer(0, 10_000),
  fixed_profit_limit: fen,
  project_id: z.nullable(id),
  sender_name: text(0, 50),
  sender_phone: phoneOrNone,
};

const given = {
  province: z.optional(fields.province),
  city: z.optional(fields.city),
  county: z.optional(fields.county),
  address: z.optional(fields.address),
  discount: z.optional(fields.discount),
  northeast_discount: z.optional(fields.northeast_discount),
  fixed_freeze: z.optional(fields.fixed_freeze),
  customer_code: z.optional(fields.customer_code),
  allow_print: z.optional(fields.allow_print),
  has_amount: z.optional(fields.has_amount),
  allow_select: z.optional(fields.allow_select),
  profit: z.optional(fields.profit),
  fixed_profit: z.optional(fields.fixed_profit),
  enable_profit: z.optional(fields.enable_profit),
  profit_limit: z.optional(fields.profit_limit),
  fixed_profit_limit: z.optional(fields.fixed_profit_limit),
  project_id: z.optional(fields.project_id),
  sender_name: z.optional(fields.sender_name),
  sender_phone: z.optional(fields.sender_phone),
  /** Why; asked for where the balance check is switched off. */
  reason: z.optional(text(0, 200)),
};

const balance = integer(-100_000_000_000, 100_000_000_000);

export const stationFilters = {
  /** Part of the name; for the office of the carrier account's code too. */
  q: z.optional(searchText),
  /** Directly below this station. */
  parent_id: z.optional(id),
  /** 1: only the tops of what the reader sees. */
  top: z.optional(flag),
  project_id: z.optional(id),
  status: z.optional(flag),
  available_from: z.optional(balance),
  available_to: z.optional(balance),
  /** 1: less than nothing available. */
  negative: z.optional(flag),
  /** 1: balance checked and less than `lowBalance` available. */
  low: z.optional(flag),
  allow_print: z.optional(flag),
  has_amount: z.optional(flag),
  allow_select: z.optional(flag),
  enable_profit: z.optional(flag),
  /** No parcel for so many days. */
  silent_days: z.optional(integer(1, 3_650)),
  /** What is available lasts fewer days than this, at what its parcels cost it a day (`spendingDays` in workplace.ts). */
  lasts_days: z.optional(integer(1, 90)),
};

export const listStations = endpoint({
  method: 'GET',
  path: base,
  roles: managers,
  summary: 'Stations in scope, by name, with the sums of the whole filtered set.',
  input: z.object({ ...listInput, ...stationFilters }),
  output: z.extend(listOf(station), { sums: z.object({ money: signedFen, freeze: signedFen, available: signedFen }) }),
});

export const getStation = endpoint({ method: 'GET', path: `${base}/{id}`, roles: managers, summary: 'One station.', input: z.object({ id }), output: station });

/** Without `project_id` and `customer_code` it takes those of its parent; a partner always does. */
export const createStation = endpoint({
  method: 'POST',
  path: base,
  roles: builders,
  summary: 'A new station; a partner makes one below its own, and below its own station unless it names another.',
  input: z.object({ ...given, name: fields.name, parent_id: z.optional(z.nullable(id)), status: z.optional(flag) }),
  output: station,
});

/** Only what changed. */
export const editStation = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: managers,
  summary: 'Change a station’s terms; of one’s own station only the sender.',
  input: z.object({ id, version, name: z.optional(fields.name), ...given }),
  output: station,
});

export const setStationStatus = endpoint({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: builders,
  summary: 'Enable or disable a station, with all below it if asked; its accounts are logged out at once and it takes no orders.',
  input: z.object({ id, status: flag, with_children: z.optional(flag), reason: z.optional(text(0, 200)) }),
  output: station,
});

export const stationUsage = usageOf(base, managers);

const place = { id, parent_id: z.nullable(id) };

/** One step of the profit chain; `amount` is what the example parcel earns the parent. */
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
  /** What the platform keeps of the example parcel; for super and admin. */
  platform_amount: z.optional(nullableInt),
});

/** What a move would do. Parcels that are ordered already keep the chain they were ordered with. */
export const movePreview = z.object({
  /** Stations that move, the station itself among them, and accounts in them. */
  stations: z.int(),
  accounts: z.int(),
  /** What the example parcel costs the station: 1 kg to 广东, the cheapest delivery time; null: there is no price. */
  post_amount: nullableInt,
  percent_type: nullableInt,
  before: side,
  after: side,
  /** Why it may not be done; empty: it may. */
  problems: z.array(reason),
});
export type MovePreview = z.infer<typeof movePreview>;

export const previewMove = endpoint({
  method: 'POST',
  path: `${base}/{id}/move-preview`,
  roles: builders,
  summary: 'What moving a station would change in the profit chain, and why it may not be done.',
  input: z.object(place),
  output: movePreview,
});

export const moveStation = endpoint({
  method: 'POST',
  path: `${base}/{id}/move`,
  roles: builders,
  summary: 'Put a station with all below it under another parent; scopes follow on the next request.',
  input: z.object({ ...place, version }),
  output: station,
});

/** 1 kg to 广东 unless told; terms that are not saved yet may be tried. */
export const previewStationPrice = endpoint({
  method: 'POST',
  path: `${base}/{id}/price-preview`,
  roles: managers,
  summary: 'What this station pays for a parcel, explained line by line.',
  input: z.object({
    id,
    receive_province: z.optional(text(1, 40)),
    receive_city: z.optional(text(0, 40)),
    weight: z.optional(integer(1, 10_000_000)),
    guarantee_value_amount: z.optional(fen),
    discount: z.optional(fields.discount),
    northeast_discount: z.optional(fields.northeast_discount),
    project_id: z.optional(fields.project_id),
  }),
  output: z.object({ sender_province: z.string(), receive_province: z.string(), receive_city: z.string(), weight: z.int(), quotes: z.array(quote) }),
});
