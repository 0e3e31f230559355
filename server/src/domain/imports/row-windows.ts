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

interface Question extends Pick<Row, 'pickup_from' | 'pickup_until' | 'fields'> {
  key: string;
  merchant_id: number;
}

/** An answer about a window, and when the carrier was asked; null: it was not. */
interface Known {
  answer: WindowAnswer;
  asked_at: Date | null;
}

/** The answers about windows by the question. */
export type WindowAnswers = Map<string, Known>;

/** The question about a row's window: one for all rows of an account and pickup address. */
const questionOf = (row: Row, offers: readonly Offer[]): Question | null => {
  const { fields, promise_id, pickup_from, pickup_until } = row;
  const merchant_id = offers.find((offer) => offer.promise_id === promise_id)?.merchant?.id;
  if (pickup_from === null || pickup_until === null || merchant_id === undefined) return null;
  const ends = `${pickup_from.getTime()}/${pickup_until.getTime()}`;
  const key = `${merchant_id} ${ends} ${placeOfPickup(fields)}`;
  return { key, merchant_id, fields, pickup_from, pickup_until };
};

/** The answer about a row's window; undefined: it has none, or its question is open. */
export const answerFor = (
  answers: WindowAnswers,
  row: Row,
  offers: readonly Offer[],
): Known | undefined => {
  const question = questionOf(row, offers);
  return question === null ? undefined : answers.get(question.key);
};

/** The questions about windows of these rows without an answer, each once. */
export const openQuestions = (
  answers: WindowAnswers,
  rows: readonly Row[],
  offers: readonly Offer[],
): Question[] => {
  const questions = rows.flatMap((row) => questionOf(row, offers) ?? []);
  return [...new Map(questions.map((question) => [question.key, question])).values()].filter(
    ({ key }) => !answers.has(key),
  );
};

/**
 * Asks the carriers outside of any transaction, as the order form does, and notes each answer. An
 * account that is down or paused is not asked.
 */
export const askQuestions = async (
  context: CarrierContext,
  answers: WindowAnswers,
  questions: readonly Question[],
): Promise<void> => {
  const ask = async ({ key, merchant_id, fields, ...window }: Question): Promise<void> => {
    const at = context.clock.now();
    const opened = await context.db.tx(systemScope('windows of an import'), async (work) =>
      (await isAccountDown(work, merchant_id)) ? null : openAccountInTx(context, work, merchant_id),
    );
    const isAsked = opened !== null && !opened.paused;
    const answer = isAsked
      ? await askWindow(context, opened, { ...fields, ...window, id: null })
      : 'unknown';
    answers.set(key, { answer, asked_at: isAsked ? at : null });
  };
  await Promise.all(questions.map(ask));
};
