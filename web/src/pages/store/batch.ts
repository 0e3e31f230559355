import type { AddressCandidate } from '@waystation/contract/parcels/address.ts';
import {
  labelWarning,
  replacedForCarrier,
  replacedNameForCarrier,
} from '@waystation/contract/parcels/carrier-text.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { Quote } from '@waystation/contract/parcels/express.ts';
import { newIdempotencyKey } from '#base/call.ts';
import { carrierProblems } from '#parcels/orders/carrier-text.ts';
import { doubtsOf, problemsOf, receiverFrom } from '#parcels/orders/form.ts';
import type { Doubts, OrderForm } from '#parcels/orders/form.ts';
import { mostHeld } from '#parcels/orders/entry.ts';
import { quoteInput } from '#parcels/orders/inputs.ts';
import { chosenOf } from '#parcels/orders/price.ts';
import type { Choice, Quotes } from '#parcels/orders/price.ts';
import { enqueue } from '#parcels/orders/work.ts';
import type { WindowTrouble } from '#parcels/offered-windows.ts';
import { coverageKey } from './cover-input.ts';
import type { PersonAsked } from './use-coverage.ts';

/** A row for one person of a paste, with the values that differ from those of the form. */
export interface BatchRow {
  candidate: AddressCandidate;
  /** In kg, as the user typed it; empty if the weight of the form applies. */
  weight: string;
  /** The product chosen only for this person; if absent, the product of the form applies. */
  choice?: Choice;
}

/**
 * The form to order for this row. It is the common form with the receiver, weight and product of
 * the row.
 */
const formOf = (form: OrderForm, { candidate, weight, choice }: BatchRow): OrderForm => ({
  ...form,
  ...choice,
  receiver: receiverFrom(candidate),
  weight: weight.trim() === '' ? form.weight : weight,
});

export interface Findings {
  doubts: (keyof Doubts)[];
  fields: string[];
  /** Reasons for which the carrier would refuse the order. */
  refused: Reason[];
  /**
   * The characters that the label will leave out; null if there are none. They do not prevent the
   * order.
   */
  left: Reason | null;
}

/**
 * The problems that the user must resolve before this row is ordered: uncertain parts, missing or
 * invalid fields, and characters that the carrier would refuse.
 */
export const rowFindings = (form: OrderForm, row: BatchRow): Findings => {
  const doubts = Object.keys(doubtsOf(row.candidate)) as (keyof Doubts)[];
  const fields = Object.keys(problemsOf(formOf(form, row))).filter((name) => name !== 'promise_id');
  return {
    doubts,
    fields,
    refused: Object.values(carrierProblems(formOf(form, row))),
    left: labelWarning(`${row.candidate.name}${row.candidate.address}`),
  };
};

/**
 * The row after the characters that the carrier refuses were replaced. Returns the same object if
 * there was nothing to replace.
 */
export const replacedRow = (row: BatchRow): BatchRow => {
  const { name, address } = row.candidate;
  const candidate = {
    ...row.candidate,
    name: replacedNameForCarrier(name),
    address: replacedForCarrier(address),
  };
  return candidate.name === name && candidate.address === address ? row : { ...row, candidate };
};

const hasFindings = (form: OrderForm, row: BatchRow): boolean => {
  const { doubts, fields, refused } = rowFindings(form, row);
  return doubts.length > 0 || fields.length > 0 || refused.length > 0;
};

/**
 * The form filled with the first pasted person without problems, or else with the first person. It
 * is used to request the pickup windows at the sender's address.
 */
export const sampleForm = (form: OrderForm, rows: readonly BatchRow[]): OrderForm => {
  const row = rows.find((one) => !hasFindings(form, one)) ?? rows[0];
  return row === undefined ? form : formOf(form, row);
};

/** Coverage is requested for at most this many offers of a list. */
const mostPeopleAsked = 8;

/**
 * One person for each offer of the list that has its own pickup windows. It is the first person
 * without problems, or else the first person.
 */
export const peopleByOffer = (
  form: OrderForm,
  rows: readonly BatchRow[],
  quotesOf: QuotesOfRow,
): PersonAsked[] => {
  const people = new Map<string, PersonAsked>();
  const sorted = rows.toSorted(
    (a, b) => Number(hasFindings(form, a)) - Number(hasFindings(form, b)),
  );
  for (const row of sorted) {
    const offer = offerOf(form, row, quotesOf);
    if (offer === null || people.size >= mostPeopleAsked) continue;
    const key = coverageKey(offer);
    if (!people.has(key)) people.set(key, { form: formOf(form, row), offer });
  }
  return [...people.values()];
};

/** The input to request the price of a row; null if a required part is missing. */
export const rowInput = (form: OrderForm, row: BatchRow): ReturnType<typeof quoteInput> =>
  quoteInput(formOf(form, row));

/**
 * The inputs of the price requests. They are taken from the first rows without uncertain parts, up
 * to the number of orders that the queue can hold. Equal inputs are requested once.
 */
export const pricedInputs = (
  form: OrderForm,
  rows: readonly BatchRow[],
): NonNullable<ReturnType<typeof quoteInput>>[] => {
  const inputs = rows
    .filter(({ candidate }) => Object.keys(doubtsOf(candidate)).length === 0)
    .slice(0, mostHeld)
    .flatMap((row) => rowInput(form, row) ?? []);
  return [...new Map(inputs.map((input) => [JSON.stringify(input), input])).values()];
};

/** Returns the quotes that a row shows; undefined if there are none yet. */
export type QuotesOfRow = (row: BatchRow) => Quotes | undefined;

/** The product chosen for a row: the row's own product if it has one, or else the form's. */
export const choiceOf = (form: Choice, { choice }: Pick<BatchRow, 'choice'>): Choice =>
  choice ?? form;

/**
 * The offer with which a row is ordered. Null if the row has no offer yet, or if the product chosen
 * for the row is not available.
 */
export const offerOf = (form: Choice, row: BatchRow, quotesOf: QuotesOfRow): Quote | null =>
  chosenOf(quotesOf(row), choiceOf(form, row));

/**
 * The reason why the carrier of the row's offer does not come in the chosen pickup window. Null if
 * no such reason is known.
 */
export type TroubleOfRow = (row: BatchRow) => WindowTrouble;

/** The prices and problems that the list shows beside its rows. */
export interface RowAnswers {
  quotesOf: QuotesOfRow;
  troubleOf: TroubleOfRow;
}

/**
 * True if a row can be ordered. It must have a product with a price, it must have no problem, and
 * its pickup window must not be known as unavailable.
 */
export const isReady = (form: OrderForm, row: BatchRow, answers: RowAnswers): boolean =>
  offerOf(form, row, answers.quotesOf) !== null &&
  answers.troubleOf(row) === null &&
  !hasFindings(form, row);

/** The sum of the prices of the rows that can be ordered; null if no row can be ordered. */
export const dueOfRows = (
  form: OrderForm,
  rows: readonly BatchRow[],
  answers: RowAnswers,
): number | null => {
  const ready = rows.filter((row) => isReady(form, row, answers));
  const amountOf = (row: BatchRow): number =>
    offerOf(form, row, answers.quotesOf)?.post_amount ?? 0;
  return ready.length === 0 ? null : ready.reduce((sum, row) => sum + amountOf(row), 0);
};

/**
 * Queues a separate order for each row that can be ordered, with the product shown on the row.
 * Returns the rows that were not queued.
 */
export const orderRows = (
  form: OrderForm,
  rows: readonly BatchRow[],
  print: boolean,
  answers: RowAnswers,
): BatchRow[] => {
  let isFull = false;
  return rows.filter((row) => {
    const offer = offerOf(form, row, answers.quotesOf);
    if (isFull || offer === null || !isReady(form, row, answers)) return true;
    const { promise_id, provider } = offer;
    const seen = { promise_id, provider };
    isFull = enqueue(newIdempotencyKey(), formOf(form, row), { print, seen }) === 'full';
    return isFull;
  });
};

/** Queues one draft for every row. Returns the rows for which the queue has no room. */
export const keepRows = (form: OrderForm, rows: readonly BatchRow[]): BatchRow[] =>
  rows.filter(
    (row) => enqueue(newIdempotencyKey(), formOf(form, row), { work: 'draft' }) === 'full',
  );
