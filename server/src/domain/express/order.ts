import { firstProvider } from '@waystation/contract/network/provider.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { present } from '@waystation/contract/base/present.ts';
import { handled, jsonText, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { packed } from '#platform/db/packed-json.ts';
import { fail, failFields } from '#platform/fail.ts';
import { businessDay } from '#platform/clock.ts';
import { claimsAfterRefusal } from './claims.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import {
  holdAndSend,
  holdAndSendLate,
  presumedShortfall,
  releaseOne,
  shortfall,
  tooLow,
} from './holding.ts';
import { countKeyOrder, countKeyRelease } from './key-orders.ts';
import { moveExpress, recordMove } from './moves.ts';
import type { ParcelFields } from './parcel.ts';
import { windowProblem } from './pickup-window.ts';
import { priceFields, pricedOffers, quoteOffers } from '#domain/offers/offers.ts';
import type { Offer, PricedOffer, StationTerms } from '#domain/offers/offers.ts';
import { insertExpress, insertOrdered, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { queueRelease } from './queues.ts';
import { firstCall } from './send.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';

const unpriced = { re_weight: null, jd_weight: null, jd_volume: null, surcharges: {} };

/** The offer for the requested delivery time. Fails at `promise_id` if it may not be ordered. */
const chosenOffer = (
  quotes: PricedOffer[],
  promise_id: string,
  { chosen_code, knows_chosen = false }: Pick<StationTerms, 'chosen_code' | 'knows_chosen'>,
): PricedOffer & { price: Price } => {
  if (quotes.length === 0) return fail('no_scheme');
  const quote = quotes.find(({ offer }) => offer.promise_id === promise_id);
  if (!quote)
    return failFields({ promise_id: { code: 'promise_not_offered', params: { promise_id } } });
  if (!quote.price || !quote.selectable)
    return failFields({
      promise_id: quote.reason ?? { code: 'promise_not_offered', params: { promise_id } },
    });
  // An account that a user chose is never replaced silently, even if it is disabled or belongs to
  // another carrier than the delivery time.
  if (chosen_code !== undefined && quote.offer.merchant?.customer_code !== chosen_code) {
    if (!knows_chosen) return fail('chosen_account_unavailable');
    return failFields({
      customer_code: { code: 'merchant_unknown', params: { customer_code: chosen_code } },
    });
  }
  return quote as PricedOffer & { price: Price };
};

/**
 * Returns an order number: `WS`, the business day, and a number from one sequence. It is unique,
 * short enough to read out, and never used again, even after the newest rows were lost
 * (server/sql/numbers.sql).
 */
const nextOrderId = async (work: Work, at: Date): Promise<string> => {
  const [row] = await rowsAtOnce(work, sql<{ n: number }>`select next_order_number() as n`);
  return `WS${businessDay(at).replaceAll('-', '').slice(2)}${String(present(row).n).padStart(8, '0')}`;
};

export interface Order {
  station: StationTerms;
  user_id: number;
  fields: ParcelFields;
  /** The price that the clerk saw; the order fails if it has changed. */
  expected_amount: number | undefined;
  /**
   * 'early' (default): the station is locked before the parcel is stored. 'late': the station is
   * locked with the commit, so that orders of one station hardly wait for each other. If the
   * balance that was read no longer suffices then, the transaction fails with MovementRefusedError
   * and is repeated with 'early'.
   */
  lock_station?: 'early' | 'late';
  /** The station's present offers, if the caller has already read them for many orders. */
  offers?: readonly Offer[];
  /** The time of the carrier's call, if the call is not made immediately. */
  send_at?: Date;
  /** When the carrier confirmed the order's pickup window; if absent, the carrier is asked. */
  window_asked_at?: Date | undefined;
  /** Returns why the station's rule chose the product; absent if a user chose the product. */
  choiceOf?: (
    system: Work,
    chosen: PricedOffer,
    quotes: readonly PricedOffer[],
  ) => OfferChoice | null | Promise<OfferChoice | null>;
}

const orderFields = ({ offer, price }: PricedOffer & { price: Price }, station: StationTerms) => ({
  ...priceFields(price, offer.terms),
  terms: offer.terms,
  project_id: station.project_id,
  voucher_id: offer.voucher_id,
  voucher_no: offer.voucher_no,
  provider: offer.provider,
  promise_time_type: offer.promise_id,
  merchant_id: present(offer.merchant).id,
  customer_code: present(offer.merchant).customer_code,
  simulated: present(offer.merchant).simulated,
});

const problemsOf = (
  context: Pick<CarrierContext, 'carrierOf' | 'clock'>,
  provider: string,
  express: ParcelFields & { order_id: string },
): void => {
  const carrier = context.carrierOf(provider);
  const unbookable = windowProblem(carrier, express, context.clock.now());
  const problems = {
    ...carrier.problemsOf(express),
    ...(unbookable && { pickup_from: unbookable }),
  };
  if (Object.keys(problems).length > 0) failFields(problems);
};

/**
 * Orders a parcel in the caller's transaction: prices it, holds its price, and stores it in state
 * 20 with the job that calls the carrier. If the balance is too low, stores it in state 10 with the
 * missing amount. The caller has checked that the actor may order for `station`.
 */
export const placeOrder = async (
  context: CarrierContext,
  work: Work,
  order: Order,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const { station, fields } = order;
  return work.asSystem('order', async (system) => {
    const facts = { ...fields, ...unpriced };
    // The order number is read in the same round trip as the terms. If the order is refused, the
    // number stays unused.
    const numbered = handled(nextOrderId(system, at));
    const quotes = order.offers
      ? pricedOffers(order.offers, station, facts)
      : await quoteOffers(system, station, { facts, at });
    const chosen = chosenOffer(quotes, fields.promise_id, station);
    expectPrice(chosen.price, order.expected_amount);
    const choice = (await order.choiceOf?.(system, chosen, quotes)) ?? null;
    const order_id = await numbered;
    problemsOf(context, chosen.offer.provider, { ...fields, order_id });
    await countKeyOrder(system, chosen.price.post_amount, at);
    const isLate =
      order.lock_station === 'late' && presumedShortfall(station, chosen.price.post_amount) === 0;
    const missing_amount = isLate
      ? 0
      : await shortfall(system, station.id, chosen.price.post_amount);
    const content = { ...fields, ...orderFields(chosen, station), order_id };
    const express = await insertOrdered(
      system,
      {
        ...content,
        ...(isLate &&
          firstCall(
            context.carrierOf(chosen.offer.provider),
            present(chosen.offer.merchant),
            content,
            at,
          )),
        ...stateFor(missing_amount),
        station_id: station.id,
        user_id: order.user_id,
        attempt: 1,
        created_at: at,
      },
      { cause: 'order', account_id: order.user_id, at, price: chosen.price, choice },
    );
    if (isLate) await holdAndSendLate(system, express, at, order.user_id);
    else if (missing_amount === 0)
      await holdAndSend(system, express, {
        at,
        by: order.user_id,
        sendAt: order.send_at,
        windowAskedAt: order.window_asked_at,
      });
    return express;
  });
};

interface Pricing {
  price: Price;
  /** The explanation of why the station's rule chose the product; null if a user chose it. */
  choice?: OfferChoice | null;
  source: 'order' | 'edit';
  at: Date;
  by: number;
}

/** Stores the price at ordering, so that it can be explained after a re-weigh has changed it. */
const recordPricing = async (
  work: Work,
  express: ExpressRow,
  { price, choice = null, source, at, by }: Pricing,
): Promise<void> => {
  await work.tx
    .insertInto('express_facts')
    .values({
      express_id: express.id,
      no: express.fact_no,
      station_id: express.station_id,
      source,
      facts: choice === null ? '{}' : jsonText({ choice }),
      packed_price: packed(price),
      account_id: by,
      at,
    })
    .execute();
};

const stateFor = (missing_amount: number) =>
  missing_amount === 0
    ? ({ state_code: stateCode.ordering, state_txt: expressStates[stateCode.ordering].zh } as const)
    : ({
        state_code: stateCode.onHold,
        state_txt: expressStates[stateCode.onHold].zh,
        ...tooLow(missing_amount),
      } as const);

const expectPrice = (price: Price, expected: number | undefined): void => {
  if (expected !== undefined && expected !== price.post_amount)
    fail('price_changed', { expected_amount: expected, post_amount: price.post_amount });
};

interface Draft {
  station: StationTerms;
  user_id: number;
  fields: Partial<ParcelFields>;
}

/** Stores a draft, without a price. */
export const storeDraft = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  { station, user_id, fields }: Draft,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const express = await insertExpress(work, {
    provider: firstProvider,
    ...fields,
    customer_code: station.chosen_code ?? '',
    station_id: station.id,
    user_id,
    order_id: await nextOrderId(work, at),
    state_code: stateCode.draft,
    state_txt: expressStates[stateCode.draft].zh,
    created_at: at,
  });
  await recordMove(work, express, null, {
    to: stateCode.draft,
    cause: 'draft',
    account_id: user_id,
    at,
  });
  return express;
};

/** The terms and the user with which a parcel is ordered again. */
interface Resubmission {
  station: StationTerms;
  fields: ParcelFields;
  by: number;
  choiceOf?: Order['choiceOf'];
}

/**
 * Orders a locked parcel in state 0, 90 or 10. A parcel in state 0 or 90 is priced with the present
 * terms, as a new attempt under the same order number. A parcel in state 10 keeps its price and is
 * released now, before parcels that have waited longer.
 */
export const resubmit = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { station, fields, by, choiceOf }: Resubmission,
): Promise<ExpressRow> => {
  if (express.state_code === stateCode.onHold) {
    const at = context.clock.now();
    const outcome = await work.asSystem('release from hold', async (system) => {
      await countKeyRelease(system, express, at);
      return releaseOne(system, express, at, by);
    });
    return outcome.express ?? fail('balance_too_low', { missing_amount: outcome.missing_amount });
  }
  if (express.state_code !== stateCode.draft && express.state_code !== stateCode.failed)
    fail('state_forbids', { state: express.state_txt });
  return repriceAndSubmit(context, work, express, {
    station,
    fields,
    by,
    ...(choiceOf && { choiceOf }),
    cause: express.state_code === stateCode.draft ? 'order' : 'retry',
  });
};

/**
 * Reprices a refused parcel with new content and the present terms. Nothing is held or sent until
 * the parcel is submitted again.
 */
export const reprice = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { station, fields, by }: Resubmission,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const chosen = chosenOffer(
    await quoteOffers(work, station, {
      facts: { ...fields, ...unpriced, re_weight: express.re_weight },
      at,
    }),
    fields.promise_id,
    station,
  );
  problemsOf(context, chosen.offer.provider, { ...fields, order_id: express.order_id });
  const priced = await updateExpress(work, express.id, {
    ...fields,
    ...orderFields(chosen, station),
    fact_no: express.fact_no + 1,
  });
  await work.asSystem('pricing of an edit', (system) =>
    recordPricing(system, priced, { price: chosen.price, source: 'edit', at, by }),
  );
  return priced;
};

/** The data with which a parcel is submitted again, and the cause of its change of state. */
interface Submission {
  station: StationTerms;
  fields: ParcelFields;
  by: number;
  cause: string;
  choiceOf?: Order['choiceOf'];
}

/**
 * Reprices a locked parcel in state 0, 10 or 90 with new terms and submits it. Its state is then 20
 * if the balance covers the price, else 10. An edited parcel on hold keeps its place in the queue.
 */
export const repriceAndSubmit = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { station, fields, by, cause, choiceOf }: Submission,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const quotes = await quoteOffers(work, station, {
    facts: { ...fields, ...unpriced, re_weight: express.re_weight },
    at,
  });
  const chosen = chosenOffer(quotes, fields.promise_id, station);
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
  return work.asSystem('order', async (system) => {
    const choice = (await choiceOf?.(system, chosen, quotes)) ?? null;
    await countKeyOrder(system, chosen.price.post_amount, at);
    const missing_amount = await shortfall(system, express.station_id, chosen.price.post_amount);
    const to = missing_amount === 0 ? 20 : 10;
    const why = { reason: { code: 'balance_too_low', params: { missing_amount } } };
    const ordered =
      to === express.state_code
        ? await updateExpress(system, express.id, { ...changes, ...tooLow(missing_amount) })
        : await moveExpress(system, express, {
            to,
            cause,
            account_id: by,
            at,
            changes,
            ...(missing_amount > 0 && { why }),
          });
    await recordPricing(system, ordered, {
      price: chosen.price,
      choice,
      source: express.state_code === stateCode.onHold ? 'edit' : 'order',
      at,
      by,
    });
    if (missing_amount === 0) await holdAndSend(system, ordered, { at, by });
    // The balance may now cover the parcels that waited behind this one.
    if (express.state_code === stateCode.onHold) await queueRelease(system, express.station_id);
    return ordered;
  });
};
