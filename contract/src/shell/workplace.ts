import { endpoint } from '#base/endpoint.ts';
import { everyone, office } from '#base/roles.ts';
import type { ExpressArrival } from '#parcels/express.ts';
import type { Filter, schemas } from './workplace.schema.ts';
export type { Filter, Counted, MoneySums, MoneyBoard, StationBelow } from './workplace.schema.ts';

/** The steps of setting up an empty installation until its first parcel. */
export const setupSteps = [
  'merchant',
  'goods',
  'promise',
  'voucher',
  'project',
  'station',
  'account',
  'money',
  'parcel',
] as const;
export type SetupStep = (typeof setupSteps)[number];

/**
 * The names of the parcel counts: first the four of requirements §1, then those of parcels that
 * need an action, the most urgent first.
 */
export const numberKeys = [
  'total',
  'awaiting_pickup',
  'in_transit',
  'signed_for',
  'exception',
  'failed',
  'draft',
  'on_hold',
  'ordering',
  'to_print',
] as const;
export type NumberKey = (typeof numberKeys)[number];

/** For each count, the filter of the parcel list that shows the counted parcels. */
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

/**
 * The filter for the parcels that a count gained on a day, whatever their state is now: parcels
 * ordered on that day, or parcels that entered the state on that day.
 */
export const movementFilter = (key: 'total' | ExpressArrival, on: string): Filter =>
  key === 'total'
    ? { group: 'total', created_from: on, created_to: on }
    : { arrived: key, arrived_from: on, arrived_to: on };

export const workplace = endpoint<typeof schemas.workplace>({
  method: 'GET',
  path: '/api/arco/workplace',
  roles: everyone,
  summary:
    'The four counts and what this person can do something about now, each with the filter of the parcel list that it counts.',
});

/** The number of business days that a board can show, today included. */
export const boardRanges = [7, 30, 90] as const;

/**
 * A money amount counts on the business day of its posting, and a parcel on the day of its
 * creation.
 */
export const moneyBoard = endpoint<typeof schemas.moneyBoard>({
  method: 'GET',
  path: '/api/arco/workplace/money',
  roles: office,
  reads: 'stale',
  summary:
    'Parcels, revenue, carrier cost and margin by business day, and what re-weighs brought; of one station’s parcels where one is named.',
});

/** The number of whole days, up to yesterday, whose spending is considered. */
export const spendingDays = 14;
/**
 * A station gets a warning in its inbox and on its Workplace if its balance lasts for fewer days
 * than this at its recent spending.
 */
export const warnedDays = 3;

export const balanceBoard = endpoint<typeof schemas.balanceBoard>({
  method: 'GET',
  path: '/api/arco/workplace/balances',
  roles: office,
  reads: 'stale',
  summary:
    'Stations whose available sum will not last, at what their parcels cost them a day over the last fourteen; the worst first, at most ten.',
});

export const billBoard = endpoint<typeof schemas.billBoard>({
  method: 'GET',
  path: '/api/arco/workplace/bills',
  roles: office,
  reads: 'stale',
  summary:
    'Carriers’ bills with lines that nobody has decided yet, the oldest month first, at most ten.',
});

/**
 * The hours without movement after which a parcel on its way counts as stuck; `silentDays`: the
 * days without an order after which a station counts as inactive.
 */
export const stuckHours = 48;
export const silentDays = 3;

export const stationBoard = endpoint<typeof schemas.stationBoard>({
  method: 'GET',
  path: '/api/arco/workplace/stations',
  roles: ['partner'],
  reads: 'stale',
  summary: 'The stations below the user’s, or below one of them, by how many parcels they ordered.',
});

/**
 * The latest results of the ledger check, newest first, at most ten, and the stations that are
 * blocked until a user has checked them.
 */
export const ledgerProofs = endpoint<typeof schemas.ledgerProofs>({
  method: 'GET',
  path: '/api/arco/ledger/proofs',
  roles: office,
  summary: 'The last proofs of the ledger, and the stations that are blocked since.',
});
