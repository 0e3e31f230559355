/**
 * Generates random steps for a network. Turns each step into an operation that is possible in the
 * present state of the network.
 */
import fc from 'fast-check';
import type {
  Effect,
  Known,
  Measures,
  Op,
  Promised,
  Station,
  Report,
  To,
} from '@waystation/server/testing/histories/operations.ts';
import type { Books, Parcel } from './books.ts';
import { backOf } from '@waystation/server/testing/histories/carrier.ts';

export interface Step {
  what: number;
  which: number;
  amount: number;
  more: number;
  yes: boolean;
}

/** One step, or several steps that happen simultaneously on different connections. */
type Together = Step[];

export interface History {
  stations: Omit<Station, 'id' | 'parent' | 'way' | 'frozen'>[];
  /**
   * A number for each station after the first. The number selects the station's parent among the
   * stations before it.
   */
  below: number[];
  way: 1 | 2 | 3;
  /**
   * The index of the only station with another kind of profit share. All other stations have the
   * kind `way`.
   */
  other: number;
  steps: Together[];
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.integer({ min: 0, max: 99 }),
  which: fc.nat(10_000),
  amount: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 6_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
  ),
  more: fc.nat(1_000_000),
  yes: fc.boolean(),
});

const rate = fc.option(fc.constantFrom(10_000, 9_000, 8_500, 7_777, 3_333, 1), {
  nil: null,
  freq: 5,
});

const station = fc.record({
  reserve: fc.constantFrom(0, 0, 0, 500, 2_000),
  checked: fc.constantFrom(true, true, true, false),
  discount: rate,
  northeast: rate,
  earns: fc.constantFrom(true, true, true, false),
  profit: fc.constantFrom(0, 333, 1_000, 3_333),
  fixed: fc.constantFrom(0, 1, 150, 999, 5_000),
  /** The first top-up of the station in fen. */
  money: fc.constantFrom(0, 1_500, 5_000, 20_000),
});

export const history: fc.Arbitrary<History> = fc.record({
  stations: fc.array(station, { minLength: 3, maxLength: 8 }),
  below: fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }),
  way: fc.constantFrom(1, 2, 3),
  other: fc.nat(7),
  steps: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.array(step, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 3 }) },
    ),
    { minLength: 1, maxLength: 36, size: 'max' },
  ),
});

const deepest = 4;

/**
 * Chooses the parent of each station in a history. No chain from a station to its highest parent
 * has more than four stations.
 */
export const parentsOf = ({ stations, below }: History): (number | null)[] => {
  const depth: number[] = [];
  return stations.map((_, index) => {
    const open = depth.flatMap((d, at) => (d < deepest ? [at] : []));
    if (index === 0 || (index > 2 && below[index]! % 10 === 0)) {
      depth.push(1);
      return null;
    }
    // In most cases the parent is the previous station, so that the chains of stations become long.
    const parent =
      below[index]! % 3 > 0 && depth[index - 1]! < deepest
        ? index - 1
        : open[below[index]! % open.length]!;
    depth.push(depth[parent]! + 1);
    return parent;
  });
};

const pick = <T>(all: readonly T[], which: number): T | undefined =>
  all[which % Math.max(1, all.length)];

const towns: To[] = ['shanghai', 'sichuan', 'liaoning', 'guangdong'];
const weights = [400, 1_000, 1_001, 2_500, 4_300, 5_200, 9_999, 21_000, 45_000];
const values = [0, 0, 0, 1, 50_000, 50_001, 500_000, 3_000_001];

const knownOf = ({ which, amount, more, yes }: Step): Known => ({
  to: pick(towns, more)!,
  weight: pick(weights, amount)!,
  re_weight: null,
  jd_weight: null,
  jd_volume: null,
  length: yes ? 40 : 0,
  width: yes ? 30 : 0,
  height: yes ? 10 + (which % 40) : 0,
  pieces: 1 + (more % 7 === 0 ? 1 : 0),
  value: pick(values, which)!,
  surcharges: {},
});

const changesOf = ({ amount, more, yes }: Step): Partial<Known> => {
  if (more % 4 === 0) return { to: pick(towns, amount)! };
  if (more % 4 === 1) return { value: pick(values, amount)! };
  return yes
    ? { weight: pick(weights, amount)! }
    : { length: 40, width: 30, height: 10 + (amount % 40) };
};

const effects: Effect[] = [
  'picked_up',
  'picked_up',
  'picked_up',
  'in_transit',
  'delivering',
  'signed',
  'signed',
  'rejected',
  'returning',
  'cancelled',
  'intercepting',
  'cancel_failed',
];

/**
 * Generates one or two carrier messages with times near now and in different seconds. In other
 * cases it repeats all existing messages in reverse order.
 */
const reportsOf = (
  { which, amount, more, yes }: Step,
  parcel: Parcel,
  now: number,
  order_id: string,
): Report[] => {
  if (more % 9 === 0 && parcel.reports.length > 0) return parcel.reports.toReversed();
  const one = (nth: number): Report => {
    const effect = pick(effects, amount + nth * more)!;
    return {
      key: `${which} ${more} ${nth} ${effect}`,
      at: now - 20 * 60_000 + (more % 1_200) * 1_000 + nth + 1 + (which % 900),
      effect,
      back: effect === 'returning' && yes ? backOf(order_id) : null,
    };
  };
  return more % 3 === 0 ? [one(0), one(1)] : [one(0)];
};

const measuresOf = ({ which, amount, more, yes }: Step, { measures }: Parcel): Measures => ({
  weight:
    more % 5 === 0
      ? measures.weight
      : yes
        ? pick(weights, amount)! + (which % 3) * 100
        : [amount * 4, 52_000, 61_000][more % 40 === 1 ? 1 : more % 40 === 2 ? 2 : 0]!,
  volume: more % 6 === 0 ? 10_000 + amount * 5 : measures.volume,
  fee:
    more % 4 === 0
      ? measures.fee
      : {
          amount: 500 + amount,
          surcharges: Object.fromEntries(
            [
              ['QLHCF', which % 3 === 0 ? 100 + (amount % 50) : 0],
              ['kkcccc', which % 4 === 0 ? 1_200 : 0],
            ].filter(([, sum]) => sum !== 0),
          ) as Record<string, number>,
        },
  back: more % 2 === 0 ? 600 : 0,
});

const orderOf = (s: Step, station: number): Op => {
  const first = s.more % 100;
  const answers: Parcel['answers'] =
    first < 12 ? ['refused'] : first < 15 ? ['refused', 'refused'] : first < 24 ? ['unknown'] : [];
  const promise: Promised = s.amount % 3 === 0 ? 'ed-m-0002' : 'ed-m-0001';
  return { op: 'order', station, known: knownOf(s), promise, answers };
};

const ofParcel = (s: Step, parcel: Parcel, now: number, order_id: string): Op | null => {
  const id = parcel.id;
  if (s.what < 42) return { op: 'tell', parcel: id, reports: reportsOf(s, parcel, now, order_id) };
  if (s.what < 64)
    return parcel.state < 100
      ? null
      : { op: 'measure', parcel: id, measures: measuresOf(s, parcel) };
  if (s.what < 68)
    return {
      op: 'reweigh',
      parcel: id,
      grams: [s.amount * 3, 4_400, 51_000][s.more % 20 === 0 ? 2 : s.more % 2]!,
    };
  if (s.what < 74)
    return {
      op: 'edit',
      parcel: id,
      changes: changesOf(s),
      answer: s.more % 5 === 0 ? 'refused' : 'ok',
    };
  if (s.what < 78)
    return {
      op: 'cancel',
      parcel: id,
      result: pick(
        ['cancelled', 'cancelled', 'intercepted', 'intercepting', 'cancel_failed'],
        s.more,
      )!,
    };
  if (s.what < 82) return { op: parcel.state === 20 ? 'seek' : 'again', parcel: id };
  if (s.what < 87)
    return { op: 'refund', parcel: id, amount: s.yes ? Math.max(1, parcel.price.post) : s.amount };
  if (s.what < 89)
    return parcel.state >= 100 && parcel.waybill
      ? { op: 'payout', parcel: id, amount: s.amount }
      : null;
  if (s.what < 92) return { op: 'reverse', parcel: id };
  return s.what === 92 ? { op: 'days', parcel: id } : null;
};

/**
 * Returns the operation that a random step means in the present state; null if it means no
 * operation.
 */
export const opOf = (s: Step, books: Books, orders: ReadonlyMap<number, string>): Op | null => {
  const station = pick(Object.values(books.stations), s.which)!;
  const { id } = station;
  const by = 1 + (s.more % 2);
  if (s.what < 6) return { op: 'top_up', station: id, amount: s.amount * 2 };
  if (s.what < 25) return orderOf(s, id);
  const parcel = pick(Object.values(books.parcels), s.which);
  if (s.what < 93) return parcel ? ofParcel(s, parcel, books.now, orders.get(parcel.id)!) : null;
  if (s.what === 93) return { op: 'adjust', station: id, amount: s.yes ? s.amount : -s.amount };
  if (s.what === 94)
    return { op: 'request', type: 'withdrawal', station: id, amount: s.amount, by };
  if (s.what === 95)
    return {
      op: 'request',
      type: 'adjustment',
      station: id,
      amount: s.yes ? s.amount : -s.amount,
      by,
    };
  if (s.what === 96) {
    const request = pick(Object.keys(books.requests), s.which);
    return request === undefined
      ? null
      : { op: 'decide', request: Number(request), approve: s.more % 3 > 0, by };
  }
  if (s.what === 97)
    return {
      op: 'reserve',
      station: id,
      reserve: pick([0, 0, 300, 5_000], s.amount)!,
      checked: s.yes,
    };
  if (s.what === 98) {
    const rates = {
      discount: pick([null, 9_000, 5_001, 1], s.amount)!,
      northeast: pick([null, 10_000, 4_321], s.more)!,
    };
    return {
      op: 'terms',
      station: id,
      rates: {
        ...rates,
        earns: s.yes,
        profit: pick([0, 777, 2_500], s.which)!,
        fixed: pick([0, 5, 2_000], s.more)!,
      },
    };
  }
  return null;
};
