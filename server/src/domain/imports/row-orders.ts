import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { placeOrder } from '#domain/express/express.ts';
import type { Order } from '#domain/express/express.ts';
import { windowGone } from '#domain/express/express-reads.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import type { Offer, StationRule, StationTerms } from '#domain/offers/offers.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { Failure } from '#platform/fail.ts';
import { rowOffer } from './row-offer.ts';
import type { RowHours } from './row-offer.ts';
import { answerFor } from './row-windows.ts';
import type { WindowAnswers } from './row-windows.ts';
import { releaseSlots, reserveSlots } from './slots.ts';
import type { ImportContext } from './store.ts';

/** A confirmed row that waits for its order. */
export type Waiting = RowOf<
  'import_prices',
  'no' | 'promise_id' | 'pickup_from' | 'pickup_until'
> & {
  post_amount: number | null;
  choice: OfferChoice | null;
  fields: ParcelFields;
};

export interface Ordered {
  no: number;
  mark: 'ordered' | 'refused';
  express_id: number | null;
  reason: Reason | null;
}

/**
 * The data with which the rows of a slice are ordered: the station's terms and offers, and the
 * carriers' answers about pickup windows.
 */
interface Terms {
  station: StationTerms & StationRule;
  offers: readonly Offer[];
  answers: WindowAnswers;
}

/**
 * Errors that concern the station and not a row. They pause the import, with the error as the
 * reason.
 */
const ofStation: readonly string[] = ['station_blocked', 'ledger_stopped', 'station_disabled'];

/**
 * The reason of a refusal: that of its first invalid field if there is one, else its error code.
 */
export const reasonOf = ({ code, params, details }: Failure): Reason =>
  Object.values(details.fields ?? {})[0] ?? { code, params };

export const refusedRow = (no: number, reason: Reason): Ordered => ({
  no,
  mark: 'refused',
  express_id: null,
  reason,
});

/**
 * The reason why a row must be confirmed again: the station's rule now chooses another product or
 * carrier than the confirmed one. Null if the choice is the same, or if the sheet contains the
 * product.
 */
const changedChoice = (
  { fields, promise_id, choice }: Waiting,
  { offers, station }: Terms,
  hoursOf: RowHours,
): Reason | null => {
  if (fields.promise_id !== '' || promise_id === '') return null;
  const { offer: now, choice: chosen } = rowOffer(offers, station, fields, hoursOf);
  // If no product is left, the order itself is refused with a reason.
  if (now === undefined || chosen === null) return null;
  const isSame =
    now.offer.promise_id === promise_id &&
    (choice === null || now.offer.provider === choice.provider);
  if (isSame) return null;
  const was = choice ?? offers.find((offer) => offer.promise_id === promise_id);
  const { provider, promise_name, promise_name_en } = now.offer;
  return {
    code: 'import_choice_changed',
    params: {
      was_provider: was?.provider ?? '',
      was: was?.promise_name ?? promise_id,
      was_en: was?.promise_name_en ?? '',
      provider,
      now: promise_name,
      now_en: promise_name_en,
    },
  };
};

/**
 * The reason why a row is refused before it is ordered: the station's rule now chooses another
 * product, or the pickup window is no longer offered. Null if there is no reason.
 */
export const refusalOf = (row: Waiting, terms: Terms, hoursOf: RowHours): Reason | null =>
  changedChoice(row, terms, hoursOf) ??
  (answerFor(terms.answers, row, terms.offers)?.answer === 'gone' ? { code: windowGone } : null);

/**
 * Orders one row at the price that was confirmed. If the order is refused, nothing has been
 * written.
 */
const orderRow = async (
  context: ImportContext,
  work: Work,
  row: Waiting,
  order: Pick<Order, 'station' | 'user_id' | 'offers' | 'send_at' | 'window_asked_at'>,
): Promise<{ ordered: Ordered; isSent: boolean }> => {
  const { no, promise_id, pickup_from, pickup_until } = row;
  try {
    const express = await placeOrder(context, work, {
      ...order,
      fields: { ...row.fields, promise_id, pickup_from, pickup_until },
      expected_amount: row.post_amount ?? undefined,
      choiceOf: () => row.choice,
    });
    return {
      ordered: { no, mark: 'ordered', express_id: express.id, reason: null },
      isSent: express.state_code === stateCode.ordering,
    };
  } catch (error) {
    if (!(error instanceof Failure) || ofStation.includes(error.code)) throw error;
    return { ordered: refusedRow(no, reasonOf(error)), isSent: false };
  }
};

/**
 * Orders rows at the times at which their carrier accounts accept calls. An order that is refused
 * or put on hold uses no time, so the next order uses it. Unused times become free again. Returns
 * the outcomes in the order of the rows, and the last used time.
 */
export const orderAtSlots = async (
  context: ImportContext,
  work: Work,
  rows: readonly Waiting[],
  { station, offers, answers, user_id, now }: Terms & { user_id: number; now: Date },
): Promise<{ ordered: Ordered[]; until: Date }> => {
  const accountOf = ({ promise_id }: Waiting): number | undefined =>
    offers.find((offer) => offer.promise_id === promise_id)?.merchant?.id;
  const accounts = rows.flatMap((row) => accountOf(row) ?? []);
  const slots = new Map<number, Date[]>();
  // All workers lock the rows of the accounts in the same order, so that they never deadlock.
  for (const id of [...new Set(accounts)].toSorted((a, b) => a - b))
    slots.set(
      id,
      await reserveSlots(work, id, accounts.filter((account) => account === id).length, now),
    );
  const ordered: Ordered[] = [];
  let until = now;
  for (const row of rows) {
    const left = slots.get(accountOf(row) ?? 0) ?? [];
    const [send_at] = left;
    // A carrier that did not answer is not asked again for each order, because the waits would
    // occupy the workers.
    const asked_at = answerFor(answers, row, offers)?.asked_at;
    const answer = await orderRow(context, work, row, {
      station,
      offers,
      user_id,
      window_asked_at: asked_at ?? undefined,
      ...(send_at && { send_at }),
    });
    ordered.push(answer.ordered);
    if (!answer.isSent || send_at === undefined) continue;
    left.shift();
    if (send_at > until) until = send_at;
  }
  for (const [id, left] of slots) if (left.length > 0) await releaseSlots(work, id, left.length);
  return { ordered, until };
};
