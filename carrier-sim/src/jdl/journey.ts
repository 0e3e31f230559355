import { draw, drawWhole } from '#draw.ts';
import { says } from './keywords.ts';
import { placeOf, zoneBetween } from './places.ts';
import { productOf } from './products.ts';
import type { Settings } from '#settings.ts';
import type { Keyword } from './keywords.ts';
import type { Order, Step, StepCode } from './order.ts';
import type { Zone } from './places.ts';

/** The ways in which a parcel's journey may end. */
export const outcomes = [
  'delivered',
  'redelivered',
  'pickup_ended',
  'refused',
  'relabelled',
] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * A step of a parcel: it comes `least` to `most` minutes after the previous step. With `byDay` it
 * comes only between 8:00 and 20:00.
 */
type Leg = { code: StepCode; least: number; most: number; byDay?: true };

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const china = 8 * hour;
const opens = 8 * hour;
const closes = 20 * hour;

const roadHours: readonly (readonly [number, number])[] = [
  [4, 8],
  [8, 14],
  [14, 24],
  [24, 40],
  [48, 72],
];

const pickup: readonly Leg[] = [
  { code: 'placed', least: 0, most: 0 },
  { code: 'assigned', least: 3, most: 20 },
  { code: 'picked_up', least: 60, most: 240, byDay: true },
];
const lastMile: readonly Leg[] = [
  { code: 'out', least: 30, most: 120, byDay: true },
  { code: 'delivered', least: 30, most: 240, byDay: true },
];

const road = (zone: Zone, quick: number): Leg[] => {
  const [least, most] = roadHours[zone] as readonly [number, number];
  const share = quick > 0 ? 0.6 : 1;
  return [
    { code: 'departed', least: 60, most: 180 },
    { code: 'sorted', least: 60, most: 240 },
    {
      code: 'departed_sort',
      least: Math.round(least * 60 * share),
      most: Math.round(most * 60 * share),
    },
    { code: 'at_station', least: 60, most: 180 },
  ];
};

const back = (zone: Zone): Leg[] => {
  const [least, most] = roadHours[zone] as readonly [number, number];
  return [
    { code: 'returning', least: 120, most: 600 },
    { code: 'return_departed', least: 60, most: 240 },
    { code: 'return_at_station', least: least * 60, most: most * 60 },
    { code: 'return_out', least: 30, most: 120, byDay: true },
    { code: 'returned', least: 30, most: 240, byDay: true },
  ];
};

/**
 * Returns the distance zone of an order. An address that cannot be read counts as outside the
 * region.
 */
export const zoneOf = (order: {
  sender: { address: string };
  receiver: { address: string };
}): Zone => {
  const from = placeOf(order.sender.address);
  const to = placeOf(order.receiver.address);
  return from === null || to === null ? 3 : zoneBetween(from, to);
};

/** Returns all steps of an outcome, from the first one. */
export const legsOf = (order: Order, outcome: Outcome): Leg[] => {
  const zone = zoneOf(order);
  const start = order.return_of === undefined ? pickup : [];
  const way = road(zone, productOf(order.product_code)?.quick ?? 0);
  const out = lastMile[0] as Leg;
  if (outcome === 'pickup_ended') {
    return [...pickup.slice(0, 2), { code: 'pickup_ended', least: 60, most: 240, byDay: true }];
  }
  if (outcome === 'refused')
    return [
      ...start,
      ...way,
      out,
      { code: 'refused', least: 30, most: 240, byDay: true },
      ...back(zone),
    ];
  if (outcome === 'relabelled') return [...start, ...way, out, ...relabelLegs];
  if (outcome === 'redelivered') {
    return [
      ...start,
      ...way,
      out,
      { code: 'attempted', least: 60, most: 240 },
      { ...out, least: 720, most: 1200 },
      lastMile[1] as Leg,
    ];
  }
  return [...start, ...way, ...lastMile];
};

/** The step at which a parcel gets a new waybill for its return. */
export const relabelLegs: readonly Leg[] = [{ code: 'relabelled', least: 240, most: 900 }];

/** The steps that return an intercepted parcel. */
export const returnLegs = (order: Order): Leg[] => back(zoneOf(order));

const atDoors = (at: number, key: readonly (string | number)[]): number => {
  const sinceMidnight = (at + china) % day;
  if (sinceMidnight >= opens && sinceMidnight < closes) return at;
  const midnight = at - sinceMidnight;
  const opening = midnight + opens + (sinceMidnight >= closes ? day : 0);
  return opening + drawWhole(0, 90, ...key, 'opening') * minute;
};

const toSecond = (at: number): number => Math.floor(at / 1000) * 1000;

/**
 * Gives each leg a time: the first leg follows the time `from`, and each other leg follows the one
 * before it.
 */
export const stepsFrom = (
  seed: string,
  order: Order,
  legs: readonly Leg[],
  from: number,
): Step[] => {
  let at = from;
  return legs.map((leg, i) => {
    const key = [
      seed,
      order.customer_code,
      order.order_id,
      order.return_of ?? '',
      leg.code,
      i,
    ] as const;
    at += Math.round((leg.least + draw(...key) * (leg.most - leg.least)) * minute);
    if (leg.code === 'picked_up' || leg.code === 'pickup_ended')
      at = Math.max(at, order.pickup_from ?? 0);
    if (leg.byDay === true) at = atDoors(at, key);
    at = toSecond(at);
    return { code: leg.code, at };
  });
};

const byKeyword: readonly (readonly [Keyword, Outcome])[] = [
  ['pickup_ended', 'pickup_ended'],
  ['refused', 'refused'],
  ['relabelled', 'relabelled'],
  ['redelivered', 'redelivered'],
];

/**
 * Returns how the parcel's journey ends. A keyword decides it, or else a random number from the
 * seed.
 */
export const outcomeOf = (seed: string, order: Order, rates: Settings['rates']): Outcome => {
  const named = byKeyword.find(([keyword]) => says(order, keyword));
  if (named !== undefined) return named[1];
  let left = draw(seed, order.customer_code, order.order_id, 'outcome');
  for (const outcome of ['pickup_ended', 'refused', 'relabelled', 'redelivered'] as const) {
    left -= rates[outcome];
    if (left < 0) return outcome;
  }
  return 'delivered';
};

const presortWait = 30 * minute;

/** Plans all steps of a new order, beginning with its creation. */
export const planJourney = (seed: string, order: Order, rates: Settings['rates']): Step[] => {
  const legs = legsOf(order, outcomeOf(seed, order, rates));
  const placed: Step = { code: 'placed', at: toSecond(order.created_at) };
  const ready = order.presorted ? order.created_at : order.created_at + presortWait;
  const presorted: Step[] = order.presorted ? [] : [{ code: 'presorted', at: toSecond(ready) }];
  const way = stepsFrom(seed, order, legs.slice(1), ready);
  return [placed, ...presorted, ...way, ...correctionAfter(seed, order, way.at(-1), rates)];
};

/** Plans the second weighing after delivery, which only some parcels get. */
export const correctionAfter = (
  seed: string,
  order: Order,
  last: Step | undefined,
  rates: Settings['rates'],
): Step[] => {
  if (last?.code !== 'delivered') return [];
  const key = [seed, order.customer_code, order.order_id, 'corrected'] as const;
  const comes = says(order, 'corrected') || draw(...key) < rates.corrected;
  return comes
    ? [{ code: 'corrected', at: last.at + drawWhole(6, 48, ...key, 'wait') * hour }]
    : [];
};

/**
 * Returns the evening for which delivery is promised, with the number and name of the delivery time
 * on the label.
 */
export const promiseOf = (order: {
  created_at: number;
  product_code: string;
  sender: { address: string };
  receiver: { address: string };
}): { at: number; aging: number; agingName: string } => {
  const zone = zoneOf(order);
  const days = Math.max(
    1,
    ([1, 2, 3, 3, 5] as const)[zone] - (productOf(order.product_code)?.quick ?? 0),
  );
  const midnight = order.created_at - ((order.created_at + china) % day);
  const names = ['', '当日达', '次日达', '隔日达', '多日达'];
  const aging = Math.min(4, days + 1);
  return { at: midnight + days * day + 20 * hour, aging, agingName: names[aging] ?? '' };
};

/**
 * Returns the expected time of the courier's visit: three hours after the order within opening
 * hours, or the time that the sender wished.
 */
export const pickupPromiseOf = (order: { created_at: number; pickup_from?: number }): number =>
  toSecond(
    Math.max(
      order.pickup_from ?? 0,
      atDoors(order.created_at + 3 * hour, ['pickup promise', order.created_at]),
    ),
  );
