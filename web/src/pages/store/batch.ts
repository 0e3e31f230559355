import type { AddressCandidate } from '@waystation/contract/address.ts';
import { newIdempotencyKey } from '#base/call.ts';
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

/** What a person has to look at before this row is ordered: parts in doubt, and fields that are missing or unreadable. */
export const rowFindings = (form: OrderForm, row: BatchRow): { doubts: (keyof Doubts)[]; fields: string[] } => {
  const doubts = Object.keys(doubtsOf(row.candidate)) as (keyof Doubts)[];
  const fields = Object.keys(problemsOf(formOf(form, row))).filter((name) => name !== 'promise_id');
  return { doubts, fields };
};

export const isReady = (form: OrderForm, row: BatchRow): boolean => {
  const { doubts, fields } = rowFindings(form, row);
  return doubts.length === 0 && fields.length === 0;
};

/** Hands every row without findings to the queue, each as an order of its own; the rows that stay. */
export const orderRows = (form: OrderForm, rows: readonly BatchRow[], print: boolean): BatchRow[] => {
  let isFull = false;
  return rows.filter((row) => {
    if (isFull || !isReady(form, row)) return true;
    isFull = enqueue(newIdempotencyKey(), formOf(form, row), print) === 'full';
    return isFull;
  });
};
