import type { StateCode } from './express-states.ts';
export type { Express, ExpressRow, ListedField } from './express.schema.ts';
export type { Quote } from './quote.schema.ts';

export { expressStates, stateCodes } from './express-states.ts';
export type { StateCode } from './express-states.ts';

export const expressTabs = [
  'draft',
  'on_hold',
  'ordering',
  'awaiting_pickup',
  'in_transit',
  'delivering',
  'signed',
  'exception',
  'returned',
  'cancelled',
  'failed',
] as const;
export type ExpressTab = (typeof expressTabs)[number];
/**
 * The four parcel counts of requirements §1; `total` counts every parcel that ever got a waybill
 * number.
 */
export const expressGroups = ['total', 'awaiting_pickup', 'in_transit', 'signed_for'] as const;
export type ExpressGroup = (typeof expressGroups)[number];

/**
 * The kinds of arrival of a parcel, each with its states. A parcel arrives when it enters one of
 * these states from a state outside them.
 */
export const expressArrivals = {
  draft: [0],
  on_hold: [10],
  failed: [90],
  exception: [400],
  awaiting_pickup: [100],
  in_transit: [200, 210, 220, 400, 410],
  signed_for: [300],
} as const satisfies Record<string, readonly StateCode[]>;
export type ExpressArrival = keyof typeof expressArrivals;
export const arrivalNames = Object.keys(expressArrivals) as [ExpressArrival, ...ExpressArrival[]];
