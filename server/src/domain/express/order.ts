import { stateCode } from '@waystation/contract/express-states.ts';
import type { Price } from '@waystation/contract/price.ts';
import { asSystem, handled, jsonText, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import { businessDay } from '#platform/clock.ts';
import { claimsAfterRefusal } from './claims.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { holdAndSend, holdAndSendLate, presumedShortfall, releaseOne, shortfall, tooLow } from './holding.ts';
import { moveExpress, recordMove } from './moves.ts';
import type { ParcelFields } from './parcel.ts';
import { priceFields, pricedOffers, quoteOffers } from '#domain/offers/offers.ts';
import type { Offer, PricedOffer, StationTerms } from '#domain/offers/offers.ts';
import { insertExpress, insertOrdered, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { queueRelease } from './queues.ts';
import { firstCall } from './send.ts';
import { expressStates } from '@waystation/contract/express.ts';

const unpriced = { re_weight: null, jd_weight: null, jd_volume: null, surcharges: {} };

/** The offer of the requested promise; fails on the field if it may not be ordered. */
const chosenOffer = (
  quotes: PricedOffer[],
  promise_id: string,
  { chosen_code, knows_chosen = false }: Pick<StationTerms, 'chosen_code' | 'knows_chosen'>,
): PricedOffer & { price: Price } => {
  if (quotes.length === 0) return fail('no_scheme');
  const quote = quotes.find(({ offer }) => offer.promise_id === promise_id);
  if (!quote) return failFields({ promise_id: { code: 'promise_not_offered', params: { promise_id } } });
  if (!quote.price || !quote.selectable) return failFields({ promise_id: quote.reason ?? { code: 'promise_not_offered', params: { promise_id } } });
  // An account that is disabled, or of another carrier than the promise, is never replaced silently.
  if (chosen_code !== undefined && quote.offer.merchant?.customer_code !== chosen_code) {
    if (!knows_chosen) return fail('chosen_account_unavailable');
    return failFields({ customer_code: { code: 'merchant_unknown', params: { customer_code: chosen_code } } });
  }
  return quote as PricedOffer & { price: Price };
};

/** `WS`, the business day, and a number from one sequence: unique, short enough to read out, never used again. */
const nextOrderId = async (tx: Tx, at: Date): Promise<string> => {
  const [row] = await rowsAtOnce(tx, sql<{ n: number }>`select nextval('express_order_numbers') as n`);
  return `WS${businessDay(at).replaceAll('-', '').slice(2)}${String(row!.n).padStart(8, '0')}`;
};

export interface Order {
  station: StationTerms;
  user_id: number;
  fields: ParcelFields;
  /** The price that the clerk saw; the order fails if it has changed. */
  expected_amount: number | undefined;
  /**
   * 'late': the station is locked with the commit, so that orders of one station hardly wait for each other; where the balance that was read no longer
   * suffices, the transaction fails with MovementRefusedError and is repeated with 'early'. 'early' (default): before the parcel is stored.
   */
  lock_station?: 'early' | 'late';
  /** What the station may order now, where the caller has read it for many orders; else it is read. */
  offers?: readonly Offer[];
  /** When the carrier is called, if it is not at once. */
  send_at?: Date;
}

const orderFields = ({ offer, price }: PricedOffer & { price: Price }, station: StationTerms) => ({
  ...priceFields(price, offer.terms),
  terms: offer.terms,
  project_id: station.project_id,
  voucher_id: offer.voucher_id,
  voucher_no: offer.voucher_no,
  provider: offer.provider,
  promise_time_type: offer.promise_id,
  merchant_id: offer.merchant!.id,
  customer_code: offer.merchant!.customer_code,
  simulated: offer.merchant!.simulated,
});

const problemsOf = (context: Pick<CarrierContext, 'carrierOf'>, provider: string, express: ParcelFields & { order_id: string }): void => {
  const problems = context.carrierOf(provider).problemsOf(express);
  if (Object.keys(problems).length > 0) failFields(problems);
};

/**
 * Orders a parcel in the caller's transaction: prices it, holds its price, and stores it in 20 with the job that calls the carrier; in 10 with the missing
 * amount if the balance is too low. The caller has checked that the actor may order for `station`.
 */
export const placeOrder = async (context: CarrierContext, tx: Tx, scope: Scope, order: Order): Promise<ExpressRow> => {
  const at = context.clock.now();
  const { station, fields } = order;
  return asSystem(tx, scope, async () => {
    const facts = { ...fields, ...unpriced };
    // In the round trip of the terms; the number of an order that is refused stays unused.
    const numbered = handled(nextOrderId(tx, at));
    const quotes = order.offers ? pricedOffers(order.offers, station, facts) : await quoteOffers(tx, systemScope('order'), station, facts, at);
    const chosen = chosenOffer(quotes, fields.promise_id, station);
    expectPrice(chosen.price, order.expected_amount);
    const order_id = await numbered;
    problemsOf(context, chosen.offer.provider, { ...fields, order_id });
    const isLate = order.lock_station === 'late' && presumedShortfall(station, chosen.price.post_amount) === 0;
    const missing_amount = isLate ? 0 : await shortfall(tx, station.id, chosen.price.post_amount);
    const content = { ...fields, ...orderFields(chosen, station), order_id };
    const express = await insertOrdered(
      tx,
      {
        ...content,
        ...(isLate && firstCall(context.carrierOf(chosen.offer.provider), chosen.offer.merchant!, content, at)),
        ...stateFor(missing_amount),
        station_id: station.id,
        user_id: order.user_id,
        attempt: 1,
        created_at: at,
      },
      { cause: 'order', account_id: order.user_id, at, price: chosen.price },
    );
    if (isLate) await holdAndSendLate(tx, express, at, order.user_id);
    else if (missing_amount === 0) await holdAndSend(tx, express, at, order.user_id, order.send_at);
    return express;
  });
};

/** Stores the price at ordering, so that it can be explained after a re-weigh has changed it. */
const recordPricing = async (tx: Tx, express: ExpressRow, price: Price, source: 'order' | 'edit', at: Date, by: number): Promise<void> => {
  await tx
    .insertInto('express_facts')
    .values({ express_id: express.id, no: express.fact_no, station_id: express.station_id, source, facts: '{}', price: jsonText(price), account_id: by, at })
    .execute();
};

const stateFor = (missing_amount: number) =>
  missing_amount === 0
    ? ({ state_code: stateCode.ordering, state_txt: expressStates[stateCode.ordering].zh } as const)
    : ({ state_code: stateCode.onHold, state_txt: expressStates[stateCode.onHold].zh, ...tooLow(missing_amount) } as const);

const expectPrice = (price: Price, expected: number | undefined): void => {
  if (expected !== undefined && expected !== price.post_amount) fail('price_changed', { expected_amount: expected, post_amount: price.post_amount });
};

/** Stores an unfinished parcel, unpriced. */
export const storeDraft = async (
  context: Pick<CarrierContext, 'clock'>,
  tx: Tx,
  station: StationTerms,
  user_id: number,
  fields: Partial<ParcelFields>,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const express = await insertExpress(tx, {
    ...fields,
    customer_code: station.chosen_code ?? '',
    station_id: station.id,
    user_id,
    order_id: await nextOrderId(tx, at),
    state_code: stateCode.draft,
    state_txt: expressStates[stateCode.draft].zh,
    created_at: at,
  });
  await recordMove(tx, express, null, { to: stateCode.draft, cause: 'draft', account_id: user_id, at });
  return express;
};

/**
 * Orders a locked parcel in 0, 90 or 10: 0 and 90 are priced with new frozen terms and a new attempt under the same order number; 10 keeps its price and
 * is released now, before parcels that wait longer.
 */
export const resubmit = async (
  context: CarrierContext,
  tx: Tx,
  scope: Scope,
  express: ExpressRow,
  station: StationTerms,
  fields: ParcelFields,
  by: number,
): Promise<ExpressRow> => {
  if (express.state_code === stateCode.onHold) {
    const outcome = await asSystem(tx, scope, () => releaseOne(tx, express, context.clock.now(), by));
    return outcome.express ?? fail('balance_too_low', { missing_amount: outcome.missing_amount });
  }
  if (express.state_code !== stateCode.draft && express.state_code !== stateCode.failed) fail('state_forbids', { state: express.state_txt });
  return repriceAndSubmit(context, tx, scope, express, station, fields, by, express.state_code === stateCode.draft ? 'order' : 'retry');
};

/** Reprices a refused parcel with new content and new frozen terms; nothing is held or sent until it is resubmitted. */
export const reprice = async (
  context: CarrierContext,
  tx: Tx,
  scope: Scope,
  express: ExpressRow,
  station: StationTerms,
  fields: ParcelFields,
  by: number,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const chosen = chosenOffer(await quoteOffers(tx, scope, station, { ...fields, ...unpriced, re_weight: express.re_weight }, at), fields.promise_id, station);
  problemsOf(context, chosen.offer.provider, { ...fields, order_id: express.order_id });
  const priced = await updateExpress(tx, express.id, { ...fields, ...orderFields(chosen, station), fact_no: express.fact_no + 1 });
  await asSystem(tx, scope, () => recordPricing(tx, priced, chosen.price, 'edit', at, by));
  return priced;
};

/**
 * Reprices a locked parcel in 0, 10 or 90 with new frozen terms and submits it: 20 if the balance covers it, else 10.
 * A parcel on hold that is edited keeps its place in the queue.
 */
export const repriceAndSubmit = async (
  context: CarrierContext,
  tx: Tx,
  scope: Scope,
  express: ExpressRow,
  station: StationTerms,
  fields: ParcelFields,
  by: number,
  cause: string,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const chosen = chosenOffer(await quoteOffers(tx, scope, station, { ...fields, ...unpriced, re_weight: express.re_weight }, at), fields.promise_id, station);
  problemsOf(context, chosen.offer.provider, { ...fields, order_id: express.order_id });
  const changes: Partial<ExpressRow> = {
    ...fields,
    ...orderFields(chosen, station),
    attempt: express.attempt + 1,
    fact_no: express.attempt === 0 ? 0 : express.fact_no + 1,
    order_request: null,
    order_tries: 0,
    waybill_claims: claimsAfterRefusal(express),
    cancel_requested_at: null,
  };
  return asSystem(tx, scope, async () => {
    const missing_amount = await shortfall(tx, express.station_id, chosen.price.post_amount);
    const to = missing_amount === 0 ? 20 : 10;
    const why = { reason: { code: 'balance_too_low', params: { missing_amount } } };
    const ordered =
      to === express.state_code
        ? await updateExpress(tx, express.id, { ...changes, ...tooLow(missing_amount) })
        : await moveExpress(tx, express, { to, cause, account_id: by, at, changes, ...(missing_amount > 0 && { why }) });
    await recordPricing(tx, ordered, chosen.price, express.state_code === stateCode.onHold ? 'edit' : 'order', at, by);
    if (missing_amount === 0) await holdAndSend(tx, ordered, at, by);
    // Parcels behind it may fit now.
    if (express.state_code === stateCode.onHold) await queueRelease(tx, express.station_id);
    return ordered;
  });
};
