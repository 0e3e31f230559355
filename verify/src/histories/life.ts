/**
 * The events of a network's parcels and their effects on the ledger. They are simple steps that
 * follow requirements §4 and docs/ledger.md.
 */
import * as books from './books.ts';
import { turnedAway } from '@waystation/server/testing/histories/operations.ts';
import type {
  Known,
  Op,
  Promised,
  Station,
  Report,
} from '@waystation/server/testing/histories/operations.ts';
import type { Books, Parcel } from './books.ts';
import { costOf } from './prices.ts';
import type { Terms } from './prices.ts';
import { tell } from './story.ts';

const termsNow = (all: Books, station: Station, promise: Promised): Terms => {
  const rates = ({ discount, northeast }: Station) => ({ discount, northeast });
  const chain: Terms['chain'] = [];
  for (let child = station; child.parent !== null; child = all.stations[child.parent]!) {
    const { earns, profit, fixed, parent } = child;
    chain.push({
      parent,
      earns,
      profit,
      fixed,
      child: rates(child),
      above: rates(all.stations[parent]!),
    });
  }
  return { promise, own: rates(station), way: station.way, chain };
};

const begin = (all: Books, parcel: Parcel): void => {
  if (books.lacks(all.stations[parcel.station]!, parcel.price.post) > 0) {
    parcel.state = 10;
    return;
  }
  books.hold(all, parcel);
  parcel.state = 20;
  parcel.open = true;
};

const order = (all: Books, op: Op & { op: 'order' }, id: number): string | null => {
  const station = all.stations[op.station]!;
  const terms = termsNow(all, station, op.promise);
  const price = costOf(op.known, terms);
  if (!price) return turnedAway;
  const parcel: Parcel = {
    id,
    station: op.station,
    state: 10,
    known: op.known,
    terms,
    price,
    held: null,
    charged: false,
    reversed: false,
    refunded: 0,
    fee: 0,
    moved: {},
    reports: [],
    measures: { weight: null, volume: null, fee: null, back: 0 },
    back: null,
    answers: op.answers,
    sent: 0,
    waybill: false,
    open: false,
    cancel: null,
    intercepting: false,
    edit: null,
  };
  all.parcels[id] = parcel;
  begin(all, parcel);
  return null;
};

/**
 * Gives a parcel that is ordered again the present terms and the present price. Returns false if
 * the parcel has no price.
 */
const anew = (all: Books, parcel: Parcel, known: Known): boolean => {
  const terms = termsNow(all, all.stations[parcel.station]!, parcel.terms.promise);
  const price = costOf(known, terms);
  if (!price) return false;
  Object.assign(parcel, { known, terms, price });
  return true;
};

const editSent = (
  all: Books,
  parcel: Parcel,
  { changes, answer }: Op & { op: 'edit' },
): string | null => {
  if (parcel.edit || parcel.cancel || parcel.intercepting) return turnedAway;
  const known = { ...parcel.known, ...changes };
  const names = (Object.keys(changes) as (keyof Known)[]).filter(
    (name) => changes[name] !== parcel.known[name],
  );
  if (names.length === 0) return null;
  const cost = costOf(known, parcel.terms);
  if (!cost) return turnedAway;
  const rise = cost.post - parcel.price.post;
  if (parcel.charged && rise > 0 && books.lacks(all.stations[parcel.station]!, rise) > 0)
    return 'balance_too_low';
  if (names.some((name) => ['to', 'value', 'pieces'].includes(name))) {
    if (!parcel.charged && rise > 0 && !books.changeHold(all, parcel, cost.post))
      return 'balance_too_low';
    parcel.edit = { changes, answer };
    return null;
  }
  if (!parcel.charged && !books.changeHold(all, parcel, cost.post)) return 'balance_too_low';
  parcel.known = known;
  books.reprice(all, parcel, cost);
  return null;
};

const edit = (all: Books, parcel: Parcel, op: Op & { op: 'edit' }): string | null => {
  if (parcel.state === 100) return editSent(all, parcel, op);
  if (parcel.state !== 10 && parcel.state !== 90) return turnedAway;
  if (!anew(all, parcel, { ...parcel.known, ...op.changes })) return turnedAway;
  if (parcel.state === 10) begin(all, parcel);
  return null;
};

const again = (all: Books, parcel: Parcel): string | null => {
  if (parcel.state === 10) {
    if (books.lacks(all.stations[parcel.station]!, parcel.price.post) > 0) return 'balance_too_low';
    begin(all, parcel);
    return null;
  }
  if (parcel.state !== 90 || !anew(all, parcel, parcel.known)) return turnedAway;
  begin(all, parcel);
  return null;
};

/** The maximum weight in grams that a station may declare. */
const heaviest = 50_000;

const reweigh = (all: Books, parcel: Parcel, grams: number): string | null => {
  if (grams > heaviest || ![10, 90, 100].includes(parcel.state) || parcel.edit) return turnedAway;
  const known = { ...parcel.known, re_weight: grams };
  if (parcel.state !== 90) {
    const cost = costOf(known, parcel.terms);
    if (!cost) return turnedAway;
    const follows = parcel.state === 100 && !parcel.charged && cost.post !== parcel.price.post;
    if (follows && !books.changeHold(all, parcel, cost.post)) return 'balance_too_low';
    books.reprice(all, parcel, cost);
  }
  parcel.known = known;
  return null;
};

const accept = (parcel: Parcel): void => {
  Object.assign(parcel, { state: 100, waybill: true, open: false });
};

const hear = (all: Books, parcel: Parcel, reports: readonly Report[]): void => {
  if (parcel.state === 20) accept(parcel);
  if (!parcel.waybill) return;
  const fresh = reports.filter(({ key }) => !parcel.reports.some((known) => known.key === key));
  if (fresh.length === 0) return;
  parcel.reports.push(...fresh);
  parcel.back ??= fresh.find(({ back }) => back !== null)?.back ?? null;
  const { state } = tell(parcel.reports);
  if (state === 500 && parcel.state !== 500 && !parcel.charged) books.release(all, parcel);
  parcel.state = state;
  if ([300, 410, 420, 500].includes(state))
    Object.assign(parcel, { cancel: null, intercepting: false });
};

const sameFees = (a: Record<string, number>, b: Record<string, number>): boolean =>
  JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());

/** Prices the parcel again with the carrier's weight and fee, and posts the new price. */
export const ask = (all: Books, parcel: Parcel): void => {
  if (!parcel.waybill || parcel.state < 100) return;
  const { measures, known } = parcel;
  const back = parcel.back === null ? 0 : measures.back;
  const surcharges = measures.fee
    ? { ...measures.fee.surcharges, ...(back > 0 && { RETURN: back }) }
    : known.surcharges;
  const fee = measures.fee ? measures.fee.amount + back : parcel.fee;
  const after = {
    ...known,
    jd_weight: measures.weight ?? known.jd_weight,
    jd_volume: measures.volume ?? known.jd_volume,
    surcharges,
  };
  const news =
    after.jd_weight !== known.jd_weight ||
    after.jd_volume !== known.jd_volume ||
    !sameFees(surcharges, known.surcharges);
  parcel.known = after;
  const price = news ? (costOf(after, parcel.terms) ?? parcel.price) : parcel.price;
  const moved = price.post !== parcel.price.post;
  books.reprice(all, parcel, price);
  if (!parcel.charged && after.jd_weight !== null) books.charge(all, parcel);
  else if (!parcel.charged && moved && parcel.state === 100) followHold(all, parcel);
  books.carrierFee(all, parcel, fee);
  if (parcel.charged || parcel.state < 200 || parcel.state === 500) return;
  const { picked, turned } = tell(parcel.reports);
  const since = picked ?? (parcel.state === 410 ? turned : null);
  if (
    parcel.state !== 300 &&
    parcel.state !== 420 &&
    (since === null || all.now - since < 72 * 3_600_000)
  )
    return;
  books.reprice(all, parcel, costOf(parcel.known, parcel.terms) ?? parcel.price);
  books.charge(all, parcel);
};

/**
 * Sets the hold to the price. The hold may stay higher than the price while an edit waits for the
 * carrier.
 */
const followHold = (all: Books, parcel: Parcel): void => {
  if (parcel.edit && parcel.held !== null && parcel.price.post <= parcel.held) return;
  books.changeHold(all, parcel, parcel.price.post);
};

const decide = (all: Books, { request, approve, by }: Op & { op: 'decide' }): string | null => {
  const pending = all.requests[request];
  if (!pending) return 'statement_not_pending';
  if (pending.by === by) return 'second_person_required';
  const station = all.stations[pending.station]!;
  if (approve && pending.type === 'withdrawal' && books.availableOf(station) < pending.amount)
    return 'available_too_low';
  delete all.requests[request];
  if (approve && pending.type === 'withdrawal') books.payOut(all, pending.station, pending.amount);
  if (approve && pending.type === 'adjustment')
    books.give(all, null, pending.station, pending.amount);
  return null;
};

const request = (
  all: Books,
  { type, station, amount, by }: Op & { op: 'request' },
  id: number,
): string | null => {
  if (type === 'withdrawal' && books.availableOf(all.stations[station]!) < amount)
    return 'available_too_low';
  all.requests[id] = { station, type, amount, by };
  return null;
};

const cancel = (parcel: Parcel, result: string): string | null => {
  if (parcel.state === 10 || parcel.state === 90) {
    parcel.state = 500;
    return null;
  }
  if (![20, 100, 200, 210, 220, 400].includes(parcel.state)) return turnedAway;
  if (parcel.cancel) return null;
  if (parcel.intercepting) return turnedAway;
  parcel.cancel = result;
  return null;
};

const ofParcel = (all: Books, op: Op & { parcel: number }): string | null => {
  const parcel = all.parcels[op.parcel]!;
  switch (op.op) {
    case 'edit':
      return edit(all, parcel, op);
    case 'again':
      return again(all, parcel);
    case 'reweigh':
      return reweigh(all, parcel, op.grams);
    case 'tell':
      hear(all, parcel, op.reports);
      return null;
    case 'measure':
      parcel.measures = op.measures;
      return null;
    case 'cancel':
      return cancel(parcel, op.result);
    case 'seek':
      if (parcel.state === 20 && parcel.open) send(all, parcel);
      else if (parcel.state === 20) accept(parcel);
      return null;
    case 'refund':
      return books.refund(all, parcel, op.amount);
    case 'payout':
      books.give(all, parcel, parcel.station, op.amount);
      return null;
    case 'reverse':
      return books.reverse(all, parcel);
    case 'days':
      all.now += 73 * 3_600_000;
      return null;
    default:
      throw new Error('no deed on a parcel');
  }
};

/**
 * Applies `op` to the model. Returns null, or the reason if the product must refuse `op`. `id` is
 * the id that the product gave to the new record.
 */
export const apply = (all: Books, op: Op, id: number): string | null => {
  if ('parcel' in op) return ofParcel(all, op);
  switch (op.op) {
    case 'top_up':
      books.topUp(all, op.station, op.amount);
      return null;
    case 'adjust':
      books.give(all, null, op.station, op.amount);
      return null;
    case 'request':
      return request(all, op, id);
    case 'decide':
      return decide(all, op);
    case 'order':
      return order(all, op, id);
    case 'terms':
      Object.assign(all.stations[op.station]!, op.rates);
      return null;
    case 'reserve':
      Object.assign(all.stations[op.station]!, { reserve: op.reserve, checked: op.checked });
      return null;
  }
};

const effects: Record<string, Report['effect']> = {
  cancelled: 'cancelled',
  intercepted: 'returning',
  intercepting: 'intercepting',
  cancel_failed: 'cancel_failed',
};
const askable = [100, 200, 210, 220, 400];

const send = (all: Books, parcel: Parcel): void => {
  parcel.open = false;
  const answer = parcel.answers[parcel.sent] ?? 'accepted';
  parcel.sent++;
  if (answer === 'unknown') return;
  if (answer === 'accepted') return accept(parcel);
  books.release(all, parcel);
  parcel.state = parcel.cancel ? 500 : 90;
};

const conclude = (
  all: Books,
  parcel: Parcel,
  { changes, answer }: NonNullable<Parcel['edit']>,
): void => {
  parcel.edit = null;
  if (answer === 'ok' && ![300, 420, 500].includes(parcel.state)) {
    parcel.known = { ...parcel.known, ...changes };
    books.reprice(all, parcel, costOf(parcel.known, parcel.terms) ?? parcel.price);
  }
  if (!parcel.charged) books.changeHold(all, parcel, parcel.price.post);
};

/** Applies the carrier's expected answer to the parcel. Returns false if no answer was expected. */
const answered = (all: Books, parcel: Parcel): boolean => {
  if (parcel.state === 20 && parcel.open) send(all, parcel);
  else if (parcel.edit) conclude(all, parcel, parcel.edit);
  else if (parcel.cancel && askable.includes(parcel.state)) {
    const result = parcel.cancel;
    Object.assign(parcel, { cancel: null, intercepting: result === 'intercepting' });
    hear(all, parcel, [
      { key: `cancel ${result} ${all.now}`, at: all.now, effect: effects[result]!, back: null },
    ]);
    if (result === 'intercepted') ask(all, parcel);
  } else return false;
  return true;
};

/**
 * Releases a station's parcels on hold in the order of their creation. Stops when the station
 * cannot pay for the next parcel.
 */
const releaseHeldUp = (all: Books): boolean => {
  let released = false;
  for (const station of Object.values(all.stations))
    for (const parcel of Object.values(all.parcels).filter(
      (one) => one.state === 10 && one.station === station.id,
    )) {
      if (books.lacks(station, parcel.price.post) > 0) break;
      begin(all, parcel);
      released = true;
    }
  return released;
};

/**
 * Runs all automatic steps in this order: the queries about the parcels in `parcels`, the carrier's
 * answers, and the check of parcels on hold.
 */
export const settle = (all: Books, parcels: readonly number[]): void => {
  for (const id of parcels) ask(all, all.parcels[id]!);
  for (let busy = true; busy;) {
    busy = false;
    for (const parcel of Object.values(all.parcels)) while (answered(all, parcel)) busy = true;
    if (releaseHeldUp(all)) busy = true;
  }
};
