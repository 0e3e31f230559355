import {
  reweighNeedsReason,
  stateAllows,
  stateCode,
} from '@waystation/contract/parcels/express-states.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import { carrierFee, changeHold, charge, chargeDifference } from '#domain/ledger/ledger.ts';
import type { Outcome } from '#domain/ledger/ledger.ts';
import { jsonText } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { packed } from '#platform/db/packed-json.ts';
import { fail, failFields } from '#platform/fail.ts';
import { unbilled } from './billed.ts';
import type { Facts } from './facts-type.ts';
import { closeProductAlert } from './confirmed-product.ts';
import { newException } from './exceptions.ts';
import { refreshHoldReason } from './holding.ts';
import { announce } from './moves.ts';
import { maxWeight } from './parcel.ts';
import { priceExpress, priceFields, templateOf } from '#domain/offers/offers.ts';
import { ledgerPrice, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

export interface FactSource {
  source: 'station' | 'poll' | 'push' | 'bill' | 'estimate' | 'edit' | 'accepted';
  at: Date;
  account_id: number | null;
  reason?: string;
  /**
   * True to refuse a higher hold that the balance does not cover. A fact that the carrier reports
   * is applied even if the balance is too low.
   */
  mustFit?: boolean;
}

/** The facts that differ from the parcel's present values. */
export const changed = (express: ExpressRow, facts: Facts): Facts => {
  const fresh: Facts = {};
  for (const name of ['re_weight', 'jd_weight', 'jd_volume', 'jd_cal_weight', 'jd_amount'] as const)
    if (facts[name] !== undefined && facts[name] !== express[name]) fresh[name] = facts[name];
  if (facts.surcharges && canonical(facts.surcharges) !== canonical(express.surcharges))
    fresh.surcharges = facts.surcharges;
  if (facts.estimate && express.charged_at === null) fresh.estimate = 1;
  return fresh;
};

/** The amounts of the surcharges as a text, so that equal amounts give equal texts. */
export const canonical = (surcharges: ExpressRow['surcharges']): string =>
  JSON.stringify(
    Object.entries(surcharges)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, { amount }]) => [code, amount]),
  );

/**
 * Applies new facts about a locked parcel; needs the system scope. Stores the facts under a number,
 * reprices the parcel by the terms that were stored when it was ordered, and posts the result. The
 * first charge is posted when a weight is known or the estimate is charged; later only differences
 * are posted. Before the pickup, the hold is changed. The carrier's fee is posted as a cost.
 * Unchanged facts have no effect.
 */
export const applyFacts = async (
  work: Work,
  express: ExpressRow,
  reported: Facts,
  from: FactSource,
): Promise<ExpressRow> => {
  // Facts from a bill are stored even if unchanged, because later polls must not override
  // them.
  const facts =
    from.source === 'bill'
      ? reported
      : changed(
          express,
          from.source === 'poll' || from.source === 'push'
            ? await unbilled(work, express, reported)
            : reported,
        );
  if (Object.keys(facts).length === 0 || express.terms === null) return express;
  const no = express.fact_no + 1;
  const { estimate: _estimate, bill: _bill, ...columns } = facts;
  const measured = { ...express, ...columns };
  const priced = priceExpress(measured, await templateOf(work, express.terms), express.terms);
  const price = priced.price;
  if (!price) {
    // The facts do not give a price, for example because the weight exceeds the template's limit.
    // They are stored, the price stays, and an alert asks for a decision.
    await raiseAlert(work, {
      code: 'cannot_price',
      params: { order_id: express.order_id, ...priced.error.params },
      express_id: express.id,
      station_id: express.station_id,
      key: `cannot_price:${express.id}:${no}`,
    });
  }
  await work.tx
    .insertInto('express_facts')
    .values({
      express_id: express.id,
      no,
      station_id: express.station_id,
      source: from.source,
      facts: jsonText(facts),
      packed_price: price ? packed(price) : null,
      account_id: from.account_id,
      reason: from.reason ?? '',
      at: from.at,
    })
    .execute();
  const updated = await updateExpress(work, express.id, {
    ...columns,
    fact_no: no,
    ...(price && priceFields(price, express.terms)),
  });
  const settled = await postMoney(
    work,
    { before: express, after: updated, price: price ?? null, facts },
    { ...from, no },
  );
  await announce(work, express.id);
  return settled;
};

const postMoney = async (
  work: Work,
  {
    before,
    after,
    price,
    facts,
  }: { before: ExpressRow; after: ExpressRow; price: Price | null; facts: Facts },
  { no, source, at, account_id, mustFit }: FactSource & { no: number },
): Promise<ExpressRow> => {
  const cause = (what: string): string => `${what}:${after.id}:${no}`;
  let express = after;
  const weighed = after.jd_weight !== null || facts.estimate === 1;
  if (before.charged_at === null && weighed && after.state_code >= stateCode.awaitingPickup) {
    await charge(work, {
      express_id: after.id,
      attempt: after.attempt,
      delivery_id: after.delivery_id,
      price: ledgerPrice(after),
      shares: after.shares,
      cause: cause('charge'),
      at,
      by: account_id,
    });
    express = await updateExpress(work, after.id, { charged_at: at });
  } else if (before.charged_at !== null && price && priceChanged(before, after)) {
    await chargeDifference(work, {
      express_id: after.id,
      type: before.surcharge_amount === after.surcharge_amount ? 'reweigh' : 'surcharge',
      price_before: ledgerPrice(before),
      price_after: ledgerPrice(after),
      shares_before: before.shares,
      shares_after: after.shares,
      cause: cause('difference'),
      at,
      by: account_id,
    });
  } else if (
    before.charged_at === null &&
    (source === 'edit' ||
      (price &&
        before.post_amount !== after.post_amount &&
        after.state_code === stateCode.awaitingPickup))
  ) {
    const held = await adjustHold(work, after, { cause: cause('change'), at, by: account_id });
    if (!held.ok && mustFit) fail('balance_too_low', { missing_amount: held.missing_amount });
  }
  if (facts.jd_amount !== undefined)
    await carrierFee(work, {
      express_id: after.id,
      station_id: after.station_id,
      amount_total: facts.jd_amount,
      cause: cause('fee'),
      at,
      by: account_id,
    });
  return express;
};

/**
 * Sets the open hold of a locked parcel to its price. Has no effect after the parcel was charged or
 * its hold was released. While a change waits for the carrier's answer, the hold may exceed the
 * price and is only raised.
 */
export const adjustHold = async (
  work: Work,
  express: ExpressRow,
  origin: { cause: string; at: Date; by: number | null },
): Promise<Outcome> => {
  const row = await work.tx
    .selectFrom('ledger_holds')
    .select('amount')
    .where('express_id', '=', express.id)
    .where('attempt', '=', express.attempt)
    .where('status', '=', 'open')
    .executeTakeFirst();
  const held = row?.amount;
  if (held === undefined || (express.modifying && express.post_amount <= held))
    return { ok: true, transfer_id: null, statement_id: null };
  return changeHold(work, {
    express_id: express.id,
    attempt: express.attempt,
    price: ledgerPrice(express),
    ...origin,
  });
};

/**
 * A change of a parcel's own fields, and the terms with which the parcel is priced from then on.
 */
export interface Changed {
  changed: Partial<ExpressRow>;
  terms: NonNullable<ExpressRow['terms']>;
  voucher_id: number;
  voucher_no: number;
}

/**
 * Writes a change that the carrier has accepted to a locked parcel, reprices the parcel, and posts
 * the difference, like any other fact. Needs the system scope.
 */
export const applyEdit = async (
  work: Work,
  express: ExpressRow,
  { changed, ...frozen }: Changed,
  from: Omit<FactSource, 'source'>,
): Promise<ExpressRow> => {
  const no = express.fact_no + 1;
  const { price } = priceExpress(
    { ...express, ...changed },
    await templateOf(work, frozen.terms),
    frozen.terms,
  );
  if (!price) {
    // A weight above the template's limit was reported in the meantime. The change is stored, the
    // price stays, and an alert asks for a decision.
    await raiseAlert(work, {
      code: 'cannot_price',
      params: { order_id: express.order_id },
      express_id: express.id,
      station_id: express.station_id,
      key: `cannot_price:${express.id}:${no}`,
    });
  }
  await work.tx
    .insertInto('express_facts')
    .values({
      express_id: express.id,
      no,
      station_id: express.station_id,
      source: 'edit',
      facts: '{}',
      packed_price: price ? packed(price) : null,
      account_id: from.account_id,
      at: from.at,
    })
    .execute();
  const updated = await updateExpress(work, express.id, {
    ...changed,
    // A new pickup time ends the exception of a missed pickup.
    ...(changed.pickup_from && express.exception === 'missed' && newException(null, null)),
    ...(changed.promise_id !== undefined && { promise_time_type: changed.promise_id }),
    ...(price && { ...frozen, ...priceFields(price, frozen.terms) }),
    fact_no: no,
    modifying: 0,
  });
  if (changed.promise_id !== undefined) await closeProductAlert(work, express.id, from.at);
  return postMoney(
    work,
    { before: express, after: updated, price: price ?? null, facts: {} },
    { ...from, source: 'edit', no },
  );
};

const priceChanged = (before: ExpressRow, after: ExpressRow): boolean =>
  before.post_amount !== after.post_amount ||
  before.pre_amount !== after.pre_amount ||
  JSON.stringify(before.shares) !== JSON.stringify(after.shares);

/**
 * Stores the station's own weight of a parcel before pickup; the balance must cover a higher price.
 * In states 0 and 90 the weight has no effect until the parcel is ordered.
 */
export const reweigh = async (
  work: Work,
  express: ExpressRow,
  re_weight: number,
  from: FactSource,
): Promise<ExpressRow> => {
  if (!stateAllows(express.state_code, 'weigh'))
    fail('state_forbids', { state: express.state_txt });
  if (express.modifying) fail('edit_pending');
  const before = express.re_weight ?? express.weight;
  if (reweighNeedsReason(before, re_weight) && !from.reason?.trim())
    fail('reweigh_reason_required', { before_weight: before, after_weight: re_weight });
  const limit_weight = await maxWeight(work);
  if (re_weight > limit_weight)
    failFields({
      re_weight: { code: 'over_weight', params: { actual_weight: re_weight, limit_weight } },
    });
  if (
    express.state_code === stateCode.draft ||
    express.state_code === stateCode.failed ||
    express.terms === null
  )
    return updateExpress(work, express.id, { re_weight });
  const { error } = priceExpress(
    { ...express, re_weight },
    await templateOf(work, express.terms),
    express.terms,
  );
  if (error) failFields({ re_weight: error });
  const weighed = await applyFacts(work, express, { re_weight }, { ...from, mustFit: true });
  return express.state_code === stateCode.onHold ? refreshHoldReason(work, weighed) : weighed;
};
