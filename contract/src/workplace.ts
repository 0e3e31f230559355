import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import type { ExpressArrival } from './express.ts';
import { flag, id, integer, reason, signedFen, time } from './fields.ts';
import { ledgerEvidence } from './statement.ts';
import { everyone, office } from './roles.ts';

/** From an empty database to a first parcel. */
export const setupSteps = ['merchant', 'goods', 'promise', 'voucher', 'project', 'station', 'account', 'money', 'parcel'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** The parcels that are counted: the four of requirements §1 first, then what somebody can do something about, the most pressing first. */
export const numberKeys = ['total', 'awaiting_pickup', 'in_transit', 'signed_for', 'exception', 'failed', 'draft', 'on_hold', 'ordering', 'to_print'] as const;
export type NumberKey = (typeof numberKeys)[number];

/** The filter of a list, as its address and its endpoint take it. */
const filter = z.record(z.string(), z.string());
export type Filter = z.infer<typeof filter>;

/** How many rows the list has under this filter, now. */
const counted = z.object({ count: z.int(), filter });
export type Counted = z.infer<typeof counted>;

/** Which parcels a number counts, as a filter of the parcel list. */
export const numberFilters: Readonly<Record<NumberKey, Filter>> = {
  total: { group: 'total' },
  awaiting_pickup: { group: 'awaiting_pickup' },
  in_transit: { group: 'in_transit' },
  signed_for: { group: 'signed_for' },
  exception: { tab: 'exception' },
  failed: { tab: 'failed' },
  draft: { tab: 'draft' },
  on_hold: { tab: 'on_hold' },
  ordering: { tab: 'ordering' },
  to_print: { tab: 'awaiting_pickup', printed: '0' },
};

/** What came to a number within a day: parcels ordered, or those that came into that state, wherever they are now. */
export const movementFilter = (key: 'total' | ExpressArrival, on: string): Filter =>
  key === 'total' ? { group: 'total', created_from: on, created_to: on } : { arrived: key, arrived_from: on, arrived_to: on };

export const workplace = endpoint({
  method: 'GET',
  path: '/api/arco/workplace',
  roles: everyone,
  summary: 'The four counts and what this person can do something about now, each with the filter of the parcel list that it counts.',
  input: z.object({}),
  output: z.object({
    /** In the order of `numberKeys`; what came yesterday and today is null where nothing comes and goes by day. */
    numbers: z.array(z.extend(counted, { key: z.enum(numberKeys), today: z.nullable(counted), yesterday: z.nullable(counted) })),
    station: z.nullable(z.object({ id: z.int(), name: z.string(), available: z.int(), money: z.int(), freeze: z.int(), has_amount: z.int() })),
    recent: z.array(
      z.object({
        id: z.int(),
        delivery_id: z.nullable(z.string()),
        order_id: z.string(),
        receive_name: z.string(),
        receive_city: z.string(),
        state_code: z.int(),
        post_amount: z.int(),
        created_at: time,
      }),
    ),
    /** Super and admin only: what someone must look at, newest first, at most ten. */
    alerts: z.nullable(
      z.array(
        z.object({ id: z.int(), reason, at: time, express_id: z.nullable(z.int()), order_id: z.nullable(z.string()), merchant_name: z.nullable(z.string()) }),
      ),
    ),
    /** Parcels that got a waybill, by the business day they were made on, the last fourteen. */
    days: z.array(z.object({ day: z.string(), count: z.int() })),
    /** Super and admin, until a first parcel has been ordered: what a network needs, in the order in which it is set up. */
    checklist: z.nullable(z.array(z.object({ step: z.enum(setupSteps), done: flag }))),
  }),
});

/** Business days a board looks back over, today included. */
export const boardRanges = [7, 30, 90] as const;
const range = integer(7, 90).check(z.refine((days) => (boardRanges as readonly number[]).includes(days), { error: 'invalid' }));

/** Fen. `revenue` is what the platform keeps of what stations paid, after shares, refunds and corrections; `margin` = `revenue` − `cost`. */
const result = { count: z.int(), revenue: signedFen, cost: signedFen, margin: signedFen };
const sums = z.object(result);
export type MoneySums = z.infer<typeof sums>;

/** Money is of the business day of posting, a parcel of the day it was made. */
export const moneyBoard = endpoint({
  method: 'GET',
  path: '/api/arco/workplace/money',
  roles: office,
  summary: 'Parcels, revenue, carrier cost and margin by business day, and what re-weighs brought; of one station’s parcels where one is named.',
  input: z.object({ days: z.optional(range), station_id: z.optional(id) }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    days: z.array(z.object({ day: z.string(), ...result })),
    sums,
    /** The same number of days before. */
    before: sums,
    /** What stations pay more and less since their parcels were weighed again; `count` are billing lines. */
    reweigh: z.object({
      all: counted,
      up: z.extend(counted, { amount: signedFen }),
      down: z.extend(counted, { amount: signedFen }),
    }),
    /** Of the parcel list, and of the billing lines. */
    parcels: filter,
    lines: filter,
  }),
});
export type MoneyBoard = z.infer<typeof moneyBoard.output>;

/** Spending is looked at over so many whole days, up to yesterday. */
export const spendingDays = 14;

export const balanceBoard = endpoint({
  method: 'GET',
  path: '/api/arco/workplace/balances',
  roles: office,
  summary: 'Stations whose available sum will not last, at what their parcels cost them a day over the last fourteen; the worst first, at most ten.',
  input: z.object({ days: z.optional(integer(1, 90)) }),
  output: z.object({
    items: z.array(
      z.object({
        station_id: z.int(),
        name: z.string(),
        available: signedFen,
        /** Fen a day, half up. */
        daily: signedFen,
        /** Whole days it lasts. */
        days_left: z.int(),
      }),
    ),
    /** Of the station list. */
    all: counted,
  }),
});

export const billBoard = endpoint({
  method: 'GET',
  path: '/api/arco/workplace/bills',
  roles: office,
  summary: 'Carriers’ bills with lines that nobody has decided yet, the oldest month first, at most ten.',
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        reconciliation_id: z.int(),
        period: z.string(),
        provider: z.string(),
        file_name: z.string(),
        /** Of the lines of this bill: all that wait, and among them those that no parcel of ours answers to. */
        open: counted,
        unmatched: counted,
      }),
    ),
  }),
});

/** Hours without movement after which a parcel on its way is stuck, and days without an order after which a station is silent. */
export const stuckHours = 48;
export const silentDays = 3;

const below = z.object({
  station_id: z.int(),
  name: z.string(),
  parent_name: z.string(),
  status: z.int(),
  parcels: counted,
  before: counted,
  /** What the reader's own station earned by this one's parcels; `count` are its billing lines. */
  profit: z.extend(counted, { amount: signedFen }),
  available: signedFen,
  has_amount: z.int(),
  stuck: counted,
  last_active_at: z.nullable(time),
  /** 1: no parcel made for more than three days. */
  silent: z.int(),
});
export type StationBelow = z.infer<typeof below>;

export const stationBoard = endpoint({
  method: 'GET',
  path: '/api/arco/workplace/stations',
  roles: ['partner'],
  summary: 'The stations below one’s own, or below one of them, by how many parcels they ordered.',
  input: z.object({ days: z.optional(range), root_id: z.optional(id) }),
  output: z.object({
    root_id: z.int(),
    from: z.string(),
    to: z.string(),
    /** Stations with others below them: what may be looked at alone. */
    roots: z.array(z.object({ id: z.int(), name: z.string() })),
    items: z.array(below),
  }),
});

/** What was proved, newest first, at most ten; and who takes no money until somebody has looked. */
export const ledgerProofs = endpoint({
  method: 'GET',
  path: '/api/arco/ledger/proofs',
  roles: office,
  summary: 'The last proofs of the ledger, and the stations that are blocked since.',
  input: z.object({}),
  output: z.object({
    items: z.array(
      z.object({
        id: z.int(),
        at: time,
        /** 1: looked at everything, 0: at what was new. */
        whole: z.int(),
        ok: z.int(),
        checked_entries: z.int(),
        /** How many there are; the first twenty of them in words. */
        breaks_total: z.int(),
        breaks: z.array(z.object({ invariant: z.string(), subject: z.string(), detail: z.string() })),
      }),
    ),
    evidence: z.object(ledgerEvidence),
    /** `station_id` null: all of them. */
    blocked: z.array(z.object({ station_id: z.nullable(z.int()), name: z.string(), reason: z.string(), blocked_at: time })),
  }),
});
