import type { Express } from '@waystation/contract/parcels/express.ts';

export interface Step {
  key: 'ordered' | 'picked_up' | 'delivering' | 'signed' | 'returned' | 'cancelled' | 'exception';
  done: boolean;
  /** The time of the step; null if it is unknown. */
  at: string | null;
}

type Facts = Pick<
  Express,
  'state_code' | 'ordered_at' | 'picked_up_at' | 'signed_at' | 'canceled_at' | 'last_event_at'
>;

/**
 * The stages of a parcel. The stages of a returned or cancelled parcel end with the return or
 * cancellation.
 */
export const stepsOf = (parcel: Facts): Step[] => {
  const { state_code: code } = parcel;
  const ordered: Step = {
    key: 'ordered',
    done: code >= 100 && parcel.ordered_at !== null,
    at: parcel.ordered_at,
  };
  const picked: Step = {
    key: 'picked_up',
    done: parcel.picked_up_at !== null,
    at: parcel.picked_up_at,
  };
  if (code === 500)
    return [
      ordered,
      ...(picked.done ? [picked] : []),
      { key: 'cancelled', done: true, at: parcel.canceled_at },
    ];
  if (code === 410 || code === 420)
    return [
      ordered,
      picked,
      { key: 'returned', done: code === 420, at: code === 420 ? parcel.last_event_at : null },
    ];
  if (code === 400)
    return [
      ordered,
      picked,
      { key: 'exception', done: true, at: parcel.last_event_at },
      { key: 'signed', done: false, at: null },
    ];
  const signed = code === 300;
  return [
    ordered,
    picked,
    {
      key: 'delivering',
      done: code === 220 || signed,
      at: code === 220 ? parcel.last_event_at : null,
    },
    { key: 'signed', done: signed, at: parcel.signed_at },
  ];
};
