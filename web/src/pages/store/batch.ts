import type { AddressCandidate } from '@waystation/contract/address.ts';
import { labelWarning, replacedForCarrier, replacedNameForCarrier } from '@waystation/contract/carrier-text.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import { newIdempotencyKey } from '#base/call.ts';
import { carrierProblems } from '#parcels/orders/carrier-text.ts';
import { doubtsOf, problemsOf, receiverFrom } from '#parcels/orders/form.ts';
import type { Doubts, OrderForm } from '#parcels/orders/form.ts';
import { enqueue } from '#parcels/orders/work.ts';

/** One of several people of a paste, with what differs from the form. */
export interface BatchRow {
  candidate: AddressCandidate;
  /** In kg, as typed; empty: the form's. */
  weight: string;
}

/** The form as it would be ordered for this row. */
const formOf = (form: OrderForm, { candidate, weight }: BatchRow): OrderForm => ({
  ...form,
  receiver: receiverFrom(candidate),
  weight: weight.trim() === '' ? form.weight : weight,
});

export interface Findings {
  doubts: (keyof Doubts)[];
  fields: string[];
  /** What the carrier would refuse. */
  refused: Reason[];
  /** What the label will leave out; it keeps nothing from being ordered. */
  left: Reason | null;
}

/** What a person has to look at before this row is ordered: parts in doubt, fields that are missing or unreadable, and what the carrier would refuse. */
export const rowFindings = (form: OrderForm, row: BatchRow): Findings => {
  const doubts = Object.keys(doubtsOf(row.candidate)) as (keyof Doubts)[];
  const fields = Object.keys(problemsOf(formOf(form, row))).filter((name) => name !== 'promise_id');
  return { doubts, fields, refused: Object.values(carrierProblems(formOf(form, row))), left: labelWarning(`${row.candidate.name}${row.candidate.address}`) };
};

/** The row with what the carrier takes in place of what it does not; the same row where nothing is to be replaced. */
export const replacedRow = (row: BatchRow): BatchRow => {
  const { name, address } = row.candidate;
  const candidate = { ...row.candidate, name: replacedNameForCarrier(name), address: replacedForCarrier(address) };
  return candidate.name === name && candidate.address === address ? row : { ...row, candidate };
};

export const isReady = (form: OrderForm, row: BatchRow): boolean => {
  const { doubts, fields, refused } = rowFindings(form, row);
  return doubts.length === 0 && fields.length === 0 && refused.length === 0;
};

/** Hands every row without findings to the queue, each as an order of its own; the rows that stay. */
export const orderRows = (form: OrderForm, rows: readonly BatchRow[], print: boolean): BatchRow[] => {
  let isFull = false;
  return rows.filter((row) => {
    if (isFull || !isReady(form, row)) return true;
    isFull = enqueue(newIdempotencyKey(), formOf(form, row), { print }) === 'full';
    return isFull;
  });
};

/** Hands every row to the queue as a draft of its own; those that it has no room for stay. */
export const keepRows = (form: OrderForm, rows: readonly BatchRow[]): BatchRow[] =>
  rows.filter((row) => enqueue(newIdempotencyKey(), formOf(form, row), { work: 'draft' }) === 'full');
