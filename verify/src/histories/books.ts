/**
 * A model of a network's ledger by the rules of docs/ledger.md: stations, parcels, change requests
 * and the platform's four accounts. Amounts are whole fen.
 */
import type {
  Known,
  Measures,
  OrderAnswer,
  Station,
  Report,
} from '@waystation/server/testing/histories/operations.ts';
import type { Cost, Terms } from './prices.ts';

export interface Parcel {
  id: number;
  station: number;
  state: number;
  known: Known;
  terms: Terms;
  /** The present price. If the parcel can no longer be priced, it is the last price. */
  price: Cost;
  /** The amount that is held for the parcel; null if no amount is held. */
  held: number | null;
  charged: boolean;
  reversed: boolean;
  refunded: number;
  /** The amount that the carrier charges for the parcel. */
  fee: number;
  /** The sums of the parcel's transactions at each station, by station id. */
  moved: Record<number, number>;
  reports: Report[];
  measures: Measures;
  back: string | null;
  /** The carrier's answers to the attempts to order this parcel. */
  answers: OrderAnswer[];
  /** The number of orders that the carrier received. */
  sent: number;
  waybill: boolean;
  /** True if the parcel is ordered but has not yet been sent to the carrier. */
  open: boolean;
  cancel: string | null;
  intercepting: boolean;
  edit: { changes: Partial<Known>; answer: 'ok' | 'refused' } | null;
}

interface Request {
  station: number;
  type: 'withdrawal' | 'adjustment';
  amount: number;
  by: number;
}

export interface Books {
  stations: Record<number, Station>;
  parcels: Record<number, Parcel>;
  requests: Record<number, Request>;
  cash: number;
  revenue: number;
  carrier_cost: number;
  carrier_payable: number;
  /** The present time of this model in milliseconds. */
  now: number;
}

export const newBooks = (now: number): Books => ({
  stations: {},
  parcels: {},
  requests: {},
  cash: 0,
  revenue: 0,
  carrier_cost: 0,
  carrier_payable: 0,
  now,
});

export const availableOf = ({ money, frozen, reserve }: Station): number =>
  money - frozen - reserve;

/**
 * Returns the amount in fen that the station lacks. Returns 0 if the station has enough money or is
 * post-paid.
 */
export const lacks = (station: Station, amount: number): number =>
  station.checked ? Math.max(0, amount - availableOf(station)) : 0;

const sum = (shares: Record<number, number>): number =>
  Object.values(shares).reduce((total, amount) => total + amount, 0);

const move = (books: Books, parcel: Parcel | null, station: number, amount: number): void => {
  books.stations[station]!.money += amount;
  if (parcel) parcel.moved[station] = (parcel.moved[station] ?? 0) + amount;
};

export const topUp = (books: Books, station: number, amount: number): void => {
  move(books, null, station, amount);
  books.cash -= amount;
};

/** Posts an adjustment. If a parcel is given, posts a payout for that parcel instead. */
export const give = (
  books: Books,
  parcel: Parcel | null,
  station: number,
  amount: number,
): void => {
  move(books, parcel, station, amount);
  books.revenue -= amount;
};

export const payOut = (books: Books, station: number, amount: number): void => {
  move(books, null, station, -amount);
  books.cash += amount;
};

export const hold = (books: Books, parcel: Parcel): void => {
  books.stations[parcel.station]!.frozen += parcel.price.post;
  parcel.held = parcel.price.post;
};

export const release = (books: Books, parcel: Parcel): void => {
  if (parcel.held === null) return;
  books.stations[parcel.station]!.frozen -= parcel.held;
  parcel.held = null;
};

/**
 * Changes the open hold of a parcel to `amount`. Returns false if the station does not have enough
 * money for the increase.
 */
export const changeHold = (books: Books, parcel: Parcel, amount: number): boolean => {
  if (parcel.held === null) return true;
  const station = books.stations[parcel.station]!;
  const rise = amount - parcel.held;
  if (rise > 0 && lacks(station, rise) > 0) return false;
  station.frozen += rise;
  parcel.held = amount;
  return true;
};

/** The amount that the station must pay for the parcel after refunds. */
const due = (parcel: Parcel, post: number): number => Math.max(0, post - parcel.refunded);

export const charge = (books: Books, parcel: Parcel): void => {
  release(books, parcel);
  move(books, parcel, parcel.station, -parcel.price.post);
  for (const [station, amount] of Object.entries(parcel.price.shares))
    move(books, parcel, Number(station), amount);
  books.revenue += parcel.price.post - sum(parcel.price.shares);
  parcel.charged = true;
};

/**
 * Prices a parcel again. Before the first charge, and for a reversed parcel, it posts nothing.
 * Otherwise it posts only the differences.
 */
export const reprice = (books: Books, parcel: Parcel, price: Cost): void => {
  const before = parcel.price;
  parcel.price = price;
  if (!parcel.charged || parcel.reversed) return;
  const step = due(parcel, price.post) - due(parcel, before.post);
  move(books, parcel, parcel.station, -step);
  for (const station of new Set(
    [...Object.keys(before.shares), ...Object.keys(price.shares)].map(Number),
  ))
    move(books, parcel, station, (price.shares[station] ?? 0) - (before.shares[station] ?? 0));
  books.revenue += step - (sum(price.shares) - sum(before.shares));
};

export type Refusal = 'parcel_not_charged' | 'parcel_reversed' | 'refund_too_large';

export const refund = (books: Books, parcel: Parcel, amount: number): Refusal | null => {
  if (!parcel.charged) return 'parcel_not_charged';
  if (parcel.reversed) return 'parcel_reversed';
  if (amount > due(parcel, parcel.price.post)) return 'refund_too_large';
  parcel.refunded += amount;
  give(books, parcel, parcel.station, amount);
  return null;
};

export const reverse = (books: Books, parcel: Parcel): Refusal | null => {
  if (!parcel.charged) return 'parcel_not_charged';
  if (parcel.reversed) return 'parcel_reversed';
  const back = due(parcel, parcel.price.post);
  move(books, parcel, parcel.station, back);
  for (const [station, amount] of Object.entries(parcel.price.shares))
    move(books, parcel, Number(station), -amount);
  books.revenue -= back - sum(parcel.price.shares);
  parcel.reversed = true;
  return null;
};

export const carrierFee = (books: Books, parcel: Parcel, total: number): void => {
  books.carrier_cost -= total - parcel.fee;
  books.carrier_payable += total - parcel.fee;
  parcel.fee = total;
};
