/**
 * The operations in a random history of a network, with its stations and price lists. People, the
 * carrier and the office do these operations. The product (`world.ts`) and the independent accounts
 * of `verify/` both execute them. Amounts are whole fen, weights are grams, lengths are cm, and
 * rates are basis points.
 */

export type To = 'shanghai' | 'sichuan' | 'liaoning' | 'guangdong';
export type Promised = 'ed-m-0001' | 'ed-m-0002';

interface Zone {
  areas: string[];
  first: { grams: number; price: number };
  brackets: { upTo: number; step: number; price: number }[];
  minimum: number;
}

/** The two price lists that all histories use, with the discounts of their freight templates. */
export const lists: Record<
  Promised,
  {
    divisor: number | null;
    discount: number | null;
    northeast: number | null;
    zones: Record<To, Zone>;
  }
> = {
  'ed-m-0001': {
    divisor: 8_000,
    discount: 9_500,
    northeast: 9_800,
    zones: {
      shanghai: {
        areas: ['310000'],
        first: { grams: 1_000, price: 1_200 },
        brackets: [{ upTo: 50_000, step: 1_000, price: 200 }],
        minimum: 0,
      },
      sichuan: {
        areas: ['510000'],
        first: { grams: 1_000, price: 1_333 },
        brackets: [
          { upTo: 3_000, step: 500, price: 117 },
          { upTo: 40_000, step: 1_000, price: 231 },
        ],
        minimum: 1_501,
      },
      liaoning: {
        areas: ['210000'],
        first: { grams: 2_000, price: 1_999 },
        brackets: [{ upTo: 30_000, step: 1_000, price: 303 }],
        minimum: 0,
      },
      guangdong: {
        areas: ['440000'],
        first: { grams: 3_000, price: 801 },
        brackets: [{ upTo: 50_000, step: 1_000, price: 99 }],
        minimum: 900,
      },
    },
  },
  'ed-m-0002': {
    divisor: null,
    discount: null,
    northeast: 9_000,
    zones: {
      shanghai: {
        areas: ['310000'],
        first: { grams: 500, price: 1_511 },
        brackets: [{ upTo: 20_000, step: 500, price: 133 }],
        minimum: 0,
      },
      sichuan: {
        areas: ['510000'],
        first: { grams: 1_000, price: 2_222 },
        brackets: [{ upTo: 60_000, step: 1_000, price: 419 }],
        minimum: 0,
      },
      liaoning: {
        areas: ['210000'],
        first: { grams: 1_000, price: 2_777 },
        brackets: [{ upTo: 60_000, step: 1_000, price: 521 }],
        minimum: 3_001,
      },
      guangdong: {
        areas: ['440000'],
        first: { grams: 1_000, price: 0 },
        brackets: [{ upTo: 10_000, step: 1_000, price: 1 }],
        minimum: 0,
      },
    },
  },
};

export interface Rates {
  discount: number | null;
  northeast: number | null;
}

/** The facts of a parcel that determine its expected amounts. */
export interface Known {
  to: To;
  weight: number;
  re_weight: number | null;
  jd_weight: number | null;
  jd_volume: number | null;
  length: number;
  width: number;
  height: number;
  pieces: number;
  value: number;
  surcharges: Record<string, number>;
}

export interface Station extends Rates {
  id: number;
  parent: number | null;
  money: number;
  frozen: number;
  reserve: number;
  checked: boolean;
  way: 1 | 2 | 3;
  earns: boolean;
  profit: number;
  fixed: number;
}

export type Effect =
  | 'picked_up'
  | 'in_transit'
  | 'delivering'
  | 'signed'
  | 'rejected'
  | 'returning'
  | 'cancelled'
  | 'intercepting'
  | 'cancel_failed';

export interface Report {
  key: string;
  /** The time of the report in milliseconds. */
  at: number;
  effect: Effect;
  /**
   * The waybill of the return shipment. Null if the parcel keeps its waybill or is not returned.
   */
  back: string | null;
}

/**
 * The carrier's response with a parcel's weight and cost. A value is null if the response does not
 * contain it.
 */
export interface Measures {
  weight: number | null;
  volume: number | null;
  fee: { amount: number; surcharges: Record<string, number> } | null;
  /** The fee for the return transport, in fen. */
  back: number;
}

/** The carrier's responses to the attempts to order a parcel, in the order of the attempts. */
export type OrderAnswer = 'accepted' | 'refused' | 'unknown';

/** Every operation of people, of the carrier and of the office. */
export type Op =
  | { op: 'top_up'; station: number; amount: number }
  | { op: 'adjust'; station: number; amount: number }
  | {
      op: 'request';
      type: 'withdrawal' | 'adjustment';
      station: number;
      amount: number;
      by: number;
    }
  | { op: 'decide'; request: number; approve: boolean; by: number }
  | { op: 'order'; station: number; known: Known; promise: Promised; answers: OrderAnswer[] }
  | { op: 'edit'; parcel: number; changes: Partial<Known>; answer: 'ok' | 'refused' }
  | { op: 'again'; parcel: number }
  | { op: 'reweigh'; parcel: number; grams: number }
  | { op: 'tell'; parcel: number; reports: Report[] }
  | { op: 'measure'; parcel: number; measures: Measures }
  | { op: 'cancel'; parcel: number; result: string }
  | { op: 'seek'; parcel: number }
  | { op: 'refund' | 'payout'; parcel: number; amount: number }
  | { op: 'reverse'; parcel: number }
  | {
      op: 'terms';
      station: number;
      rates: Pick<Station, 'discount' | 'northeast' | 'earns' | 'profit' | 'fixed'>;
    }
  | { op: 'reserve'; station: number; reserve: number; checked: boolean }
  | { op: 'days'; parcel: number };

/**
 * The result of a refused operation, if the reason is the parcel's state or a missing price and not
 * a lack of money.
 */
export const turnedAway = 'turned away';
