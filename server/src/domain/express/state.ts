import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { CarrierEffect } from '#domain/carriers/carriers.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import type { ExceptionKind } from '@waystation/contract/parcels/express-exceptions.ts';

/**
 * The effect of a message on a parcel, the same for every carrier. `undelivered`: nobody was
 * reached, and another attempt follows. `stopped`: the carrier reports trouble, and later messages
 * decide. `rejected`: the receiver refused the parcel. `returning`: the parcel is on the way back,
 * by the carrier's decision or by our interception. `cancelled`: the carrier or we cancelled the
 * parcel; after the pickup, this is an exception. The last four effects change no state.
 */
export const effects = [
  'picked_up',
  'in_transit',
  'delivering',
  'undelivered',
  'signed',
  'stopped',
  'rejected',
  'returning',
  'cancelled',
  'ordered',
  'picking_up',
  'intercepting',
  'cancel_failed',
  'unlisted',
] as const satisfies readonly CarrierEffect[];
export type Effect = CarrierEffect;

export interface Message {
  operation_time: Date;
  /** The sort key of messages with the same second. */
  rank: number;
  /**
   * The hash of the message's facts in hexadecimal digits. It is the last sort key, so that every
   * process sorts the messages in the same order.
   */
  hash: string;
  effect: Effect;
}

export interface Folded<M extends Message = Message> {
  state_code: StateCode;
  /** The message that decided the state; null if there is none. */
  decided_by: M | null;
  picked_up_at: Date | null;
  /** The time at which the parcel entered state 300 or 420. */
  signed_at: Date | null;
  cancelled_at: Date | null;
  returning_at: Date | null;
  last_event_at: Date | null;
  /**
   * True if the carrier moved a parcel that was already cancelled, so that an alert must be raised.
   */
  moved_after_cancel: boolean;
  /** The exception that results from the state and the messages; null if there is none. */
  exception: { kind: ExceptionKind; at: Date } | null;
}

const carried = [stateCode.pickedUp, stateCode.inTransit, stateCode.delivering] as const;
const legal: ReadonlyMap<StateCode, readonly StateCode[]> = new Map<
  StateCode,
  readonly StateCode[]
>([
  [stateCode.draft, [stateCode.onHold, stateCode.ordering, stateCode.cancelled]],
  [stateCode.onHold, [stateCode.ordering, stateCode.cancelled]],
  [stateCode.ordering, [stateCode.failed, stateCode.awaitingPickup]],
  [stateCode.failed, [stateCode.onHold, stateCode.ordering, stateCode.cancelled]],
  [
    stateCode.awaitingPickup,
    [
      stateCode.pickedUp,
      stateCode.inTransit,
      stateCode.delivering,
      stateCode.signed,
      stateCode.exception,
      stateCode.returning,
      stateCode.cancelled,
    ],
  ],
  ...carried.map((code): [StateCode, readonly StateCode[]] => [
    code,
    [
      ...carried.filter((other) => other !== code),
      stateCode.signed,
      stateCode.exception,
      stateCode.returning,
    ],
  ]),
  [stateCode.signed, [stateCode.exception, stateCode.returning]],
  [
    stateCode.exception,
    [
      stateCode.pickedUp,
      stateCode.inTransit,
      stateCode.delivering,
      stateCode.signed,
      stateCode.returning,
    ],
  ],
  [stateCode.returning, [stateCode.returned]],
  [stateCode.returned, []],
  // The carrier may move a cancelled parcel, but only by a message with a later time, because
  // messages are applied in the order of their times.
  [
    stateCode.cancelled,
    [
      stateCode.pickedUp,
      stateCode.inTransit,
      stateCode.delivering,
      stateCode.signed,
      stateCode.exception,
      stateCode.returning,
    ],
  ],
]);

/** True if a parcel may change from one state to the other (requirements §4). */
export const mayMove = (from: StateCode, to: StateCode): boolean =>
  legal.get(from)?.includes(to) ?? false;

/** Every legal change of state, for the proof and the documentation. */
export const legalMoves = (): [StateCode, StateCode][] =>
  [...legal].flatMap(([from, tos]) => tos.map((to): [StateCode, StateCode] => [from, to]));

const byTime = (a: Message, b: Message): number =>
  a.operation_time.getTime() - b.operation_time.getTime() ||
  a.rank - b.rank ||
  (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0);

const targetOf = (
  effect: Effect,
  at: { state: StateCode; pickedUp: boolean; returning: boolean },
): StateCode | null => {
  switch (effect) {
    case 'picked_up':
      return at.returning ? null : 200;
    case 'in_transit':
      return at.returning ? null : 210;
    case 'delivering':
    case 'undelivered':
      return at.returning ? null : 220;
    case 'signed':
      return at.returning ? 420 : 300;
    case 'stopped':
    case 'rejected':
      return at.returning ? null : 400;
    case 'returning':
      return 410;
    case 'cancelled':
      return at.pickedUp ? 400 : 500;
    default:
      return null;
  }
};

/** Effects that only a parcel that was picked up can have. */
const impliesPickup = new Set<Effect>([
  'picked_up',
  'in_transit',
  'delivering',
  'undelivered',
  'signed',
  'rejected',
]);

/**
 * Answers to our own request that do not count as movement, because nobody has moved the parcel.
 */
const isOwnAnswer = new Set<Effect>(['intercepting', 'cancel_failed']);

const exceptionOf = (
  { state_code, decided_by, returning_at }: Omit<Folded, 'exception'>,
  undelivered_at: Date | null,
): Folded['exception'] => {
  if (state_code === stateCode.exception && decided_by)
    return {
      kind: decided_by.effect === 'rejected' ? 'refused' : 'stopped',
      at: decided_by.operation_time,
    };
  if (state_code === stateCode.returning && returning_at)
    return { kind: 'returning', at: returning_at };
  return state_code === stateCode.delivering && undelivered_at
    ? { kind: 'unreachable', at: undelivered_at }
    : null;
};

/**
 * The state of an accepted parcel, calculated only from all messages about it. They are sorted by
 * operation time, rank and hash, so that late, repeated and shuffled messages give the same state.
 * It begins with state 100; a message that would cause an illegal change of state is skipped.
 */
export const foldMessages = <M extends Message>(messages: readonly M[]): Folded<M> => {
  const folded: Folded<M> = {
    state_code: stateCode.awaitingPickup,
    decided_by: null,
    picked_up_at: null,
    signed_at: null,
    cancelled_at: null,
    returning_at: null,
    last_event_at: null,
    moved_after_cancel: false,
    exception: null,
  };
  let undelivered_at: Date | null = null;
  for (const message of messages.toSorted(byTime)) {
    const { effect, operation_time } = message;
    if (!isOwnAnswer.has(effect)) folded.last_event_at = operation_time;
    if (effect === 'undelivered') undelivered_at = operation_time;
    else if (effect === 'delivering') undelivered_at = null;
    const to = targetOf(effect, {
      state: folded.state_code,
      pickedUp: folded.picked_up_at !== null,
      returning:
        folded.state_code === stateCode.returning || folded.state_code === stateCode.returned,
    });
    if (to === null || to === folded.state_code || !mayMove(folded.state_code, to)) continue;
    if (folded.state_code === stateCode.cancelled) folded.moved_after_cancel = true;
    if (impliesPickup.has(effect)) folded.picked_up_at ??= operation_time;
    folded.signed_at = to === 300 || to === 420 ? operation_time : null;
    folded.cancelled_at = to === 500 ? operation_time : null;
    if (to === 410) folded.returning_at = operation_time;
    folded.state_code = to;
    folded.decided_by = message;
  }
  return { ...folded, exception: exceptionOf(folded, undelivered_at) };
};
