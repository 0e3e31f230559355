import { pickupRules } from '@waystation/contract/network/provider.ts';
import { isAccountDown, openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { askWindow } from '#domain/express/express-reads.ts';
import type { ParcelFields, WindowAnswer } from '#domain/express/express-reads.ts';
import type { Offer } from '#domain/offers/offers.ts';
import { systemScope } from '#platform/db/scope.ts';
import { placeOfPickup } from './pickups.ts';

/** A row that waits for its order, with the window that was confirmed for it. */
interface Row {
  fields: ParcelFields;
  promise_id: string;
  pickup_from: Date | null;
  pickup_until: Date | null;
}

interface Question extends Pick<Row, 'pickup_from' | 'pickup_until'> {
  key: string;
  merchant_id: number;
  promise_id: string;
  /**
   * Up to three rows to different cities, because a city that the carrier does not serve gives no
   * information about the pickup.
   */
  rows: ParcelFields[];
}

/** The largest number of rows whose data are used to ask the carrier about one window. */
const mostRows = 3;

/**
 * An answer about a window. `asked_at` is the time when the carrier was asked; null if the carrier
 * was not asked.
 */
interface Known {
  answer: WindowAnswer;
  asked_at: Date | null;
}

/** The carrier's answers about pickup windows, by the key of the question. */
export type WindowAnswers = Map<string, Known>;

/**
 * The question to the carrier about a row's pickup window. Rows with the same account, pickup
 * address and, if it matters, product share one question.
 */
const questionOf = (row: Row, offers: readonly Offer[]): Question | null => {
  const { fields, promise_id, pickup_from, pickup_until } = row;
  const offer = offers.find((one) => one.promise_id === promise_id);
  const merchant_id = offer?.merchant?.id;
  if (pickup_from === null || pickup_until === null || merchant_id === undefined) return null;
  const ends = `${pickup_from.getTime()}/${pickup_until.getTime()}`;
  const product = offer && pickupRules(offer.provider).windows_by_product ? promise_id : '';
  const key = `${merchant_id} ${product} ${ends} ${placeOfPickup(fields)}`;
  return { key, merchant_id, promise_id, rows: [fields], pickup_from, pickup_until };
};

/**
 * The answer about a row's pickup window; undefined if the row has no window, or if there is no
 * answer yet.
 */
export const answerFor = (
  answers: WindowAnswers,
  row: Row,
  offers: readonly Offer[],
): Known | undefined => {
  const question = questionOf(row, offers);
  return question === null ? undefined : answers.get(question.key);
};

const cityOf = ({ receive_province, receive_city }: ParcelFields): string =>
  `${receive_province} ${receive_city}`;

/**
 * The questions about the pickup windows of these rows that have no answer yet, without duplicates.
 */
export const openQuestions = (
  answers: WindowAnswers,
  rows: readonly Row[],
  offers: readonly Offer[],
): Question[] => {
  const open = new Map<string, Question>();
  for (const row of rows) {
    const question = questionOf(row, offers);
    if (question === null || answers.has(question.key)) continue;
    const known = open.get(question.key);
    if (known === undefined) open.set(question.key, question);
    else if (
      known.rows.length < mostRows &&
      known.rows.every((fields) => cityOf(fields) !== cityOf(row.fields))
    )
      known.rows.push(row.fields);
  }
  return [...open.values()];
};

/**
 * Asks the carriers about pickup windows, as the order form does, and stores each answer in
 * `answers`. No transaction is open meanwhile. An account that is down or paused is not asked.
 */
export const askQuestions = async (
  context: CarrierContext,
  answers: WindowAnswers,
  questions: readonly Question[],
): Promise<void> => {
  const ask = async ({
    key,
    merchant_id,
    promise_id,
    rows,
    ...window
  }: Question): Promise<void> => {
    const at = context.clock.now();
    const opened = await context.db.tx(systemScope('windows of an import'), async (work) =>
      (await isAccountDown(work, merchant_id)) ? null : openAccountInTx(context, work, merchant_id),
    );
    const isAsked = opened !== null && !opened.paused;
    let answer: WindowAnswer = 'unknown';
    if (isAsked)
      for (const fields of rows) {
        // oxlint-disable-next-line no-await-in-loop -- the next row is for one that is not served
        ({ answer } = await askWindow(context, opened, {
          ...fields,
          promise_id,
          ...window,
          id: null,
        }));
        if (answer !== 'unserved') break;
      }
    answers.set(key, { answer, asked_at: isAsked ? at : null });
  };
  await Promise.all(questions.map(ask));
};
