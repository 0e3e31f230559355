import { checkPlace } from '@waystation/contract/parcels/address-calls.ts';
import type { PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { useCall } from '#base/query.ts';
import type { OrderForm } from '#parcels/orders/form.ts';

/**
 * The problem of a place, and the places that are possible instead. The keys 1, 2 and so on choose
 * one of them.
 */
export interface PlaceProblem {
  reason: Reason;
  places: readonly PlaceNames[];
}
export type PlaceProblems = Readonly<Record<'sender' | 'receiver', PlaceProblem | null>>;

/**
 * True if the only problem is that no place was chosen. The form shows this as an error only when
 * it is ordered.
 */
export const isUnchosen = ({ code }: Reason): boolean => code.endsWith('_required');

const problemOf = (answer: OutputOf<typeof checkPlace> | undefined): PlaceProblem | null =>
  !answer?.reason
    ? null
    : {
        reason: { code: answer.reason.code, params: answer.reason.params ?? {} },
        places: answer.places,
      };

const wanted = (place: PlaceNames): PlaceNames | null =>
  `${place.province}${place.city}${place.county}` === '' ? null : place;

/**
 * The problems of the form's two places. The server accepts former names of places, and refuses
 * places that it cannot recognize. The problem is null if the place is valid, empty or not checked
 * yet.
 */
export const usePlaces = ({ sender, receiver }: OrderForm): PlaceProblems => {
  const options = { quiet: true, staleTime: Number.POSITIVE_INFINITY };
  const from = useCall(checkPlace, wanted(sender.place), options);
  const to = useCall(checkPlace, wanted(receiver.place), options);
  return { sender: problemOf(from.data), receiver: problemOf(to.data) };
};
