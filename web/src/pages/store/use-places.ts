import { checkPlace } from '@waystation/contract/address-calls.ts';
import type { PlaceNames } from '@waystation/contract/divisions.ts';
import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import { useCall } from '#base/query.ts';
import type { OrderForm } from '#parcels/orders/form.ts';

/** What is wrong with a place, and the places that may be meant, each under its key from 1 on. */
export interface PlaceProblem {
  reason: Reason;
  places: readonly PlaceNames[];
}
export type PlaceProblems = Readonly<Record<'sender' | 'receiver', PlaceProblem | null>>;

/** What is not chosen yet is wrong only once the form is ordered. */
export const isUnchosen = ({ code }: Reason): boolean => code.endsWith('_required');

const problemOf = (answer: OutputOf<typeof checkPlace> | undefined): PlaceProblem | null =>
  !answer?.reason ? null : { reason: { code: answer.reason.code, params: answer.reason.params ?? {} }, places: answer.places };

const wanted = (place: PlaceNames): PlaceNames | null => (`${place.province}${place.city}${place.county}` === '' ? null : place);

/** The form's two places as the server would read them: it knows former names, and refuses what it cannot read. Null: right, empty, or not answered yet. */
export const usePlaces = ({ sender, receiver }: OrderForm): PlaceProblems => {
  const options = { quiet: true, staleTime: Number.POSITIVE_INFINITY };
  const from = useCall(checkPlace, wanted(sender.place), options);
  const to = useCall(checkPlace, wanted(receiver.place), options);
  return { sender: problemOf(from.data), receiver: problemOf(to.data) };
};
