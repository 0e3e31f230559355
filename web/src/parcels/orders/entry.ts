import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { Params, Reason } from '@waystation/contract/base/envelope.ts';
import type { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { Express, ExpressRow } from '@waystation/contract/parcels/express.ts';
import { restored } from './form.ts';
import type { OrderForm } from './form.ts';
import type { Choice } from './price.ts';
import type { draftInput, editInput, Edited, orderInput } from './inputs.ts';

/**
 * The state of an entry.
 * `waiting`: it waits for its price, and nothing was sent.
 * `sending`: it was sent at least once, and not answered.
 * `placed`: the server has the parcel.
 * `refused`: the server has created no parcel.
 * `kept`: it was unsent when its session ended, and is ordered only after its user confirms it.
 */
export type EntryState = 'waiting' | 'sending' | 'placed' | 'refused' | 'kept';

/** The fields of a parcel that a row of the queue shows or that its actions need. */
export type PlacedParcel = Pick<
  ExpressRow,
  | 'id'
  | 'order_id'
  | 'delivery_id'
  | 'state_code'
  | 'state_reason'
  | 'state_remark'
  | 'post_amount'
  | 'print_count'
  | 'allow_print'
  | 'need_retry'
  | 'canceling'
  | 'intercepting'
  | 'modifying'
  | 'confirming'
  | 'pre_sort_result'
>;

/**
 * The reason why the server created no parcel. It is stored as a code, so that it can be shown in
 * any language.
 */
export interface Problem {
  code: string;
  params: Params;
  fields: Record<string, Reason>;
}

/**
 * The kind of an entry: a new order, a new draft, a change, or a change that is followed by an
 * order. If the parcel has failed, the order is a retry.
 */
export const entryWorks = ['order', 'draft', 'save', 'submit'] as const;
export type EntryWork = (typeof entryWorks)[number];

/**
 * The carrier's answer about whether it serves the two places. Null if no answer arrived before the
 * order.
 */
export type Covered = Pick<
  OutputOf<typeof coverExpress>,
  'result' | 'text' | 'start_station_name' | 'end_station_name'
>;

/**
 * An order from the press on the button onwards (docs/decisions/0047). `key` identifies the entry
 * and is its idempotency key.
 */
export interface OrderEntry {
  key: string;
  state: EntryState;
  /** The time of the order, in milliseconds since 1970. */
  at: number;
  form: OrderForm;
  work: EntryWork;
  /** The parcel that the entry changes; null for a new order. */
  edited: Edited | null;
  covered: Covered | null;
  /**
   * The proposed product that the user saw when ordering; null if none was shown. If its code is
   * empty, the proposal was for other content, and only the carrier is compared.
   */
  seen: Choice | null;
  /**
   * The input exactly as it was sent. A request with the same idempotency key must have the same
   * bytes. Null until it is sent for the first time.
   */
  input:
    | (ReturnType<typeof orderInput> & { by_rule?: 1; wait: 0 })
    | ReturnType<typeof draftInput>
    | ReturnType<typeof editInput>
    | null;
  /** The number of consecutive unanswered attempts to send the order. */
  failures: number;
  /** True if the label is to be printed as soon as the carrier has accepted the parcel. */
  print: boolean;
  parcel: PlacedParcel | null;
  problem: Problem | null;
}

export const newEntry = (key: string, form: OrderForm, print: boolean, at: number): OrderEntry => ({
  key,
  state: 'waiting',
  at,
  form,
  work: 'order',
  edited: null,
  covered: null,
  seen: null,
  input: null,
  failures: 0,
  print,
  parcel: null,
  problem: null,
});

const states: readonly unknown[] = [
  'waiting',
  'sending',
  'placed',
  'refused',
  'kept',
] satisfies EntryState[];

/** Reads a stored entry; null if the value is invalid. */
export const readEntry = (value: unknown): OrderEntry | null => {
  if (typeof value !== 'object' || value === null) return null;
  const {
    key,
    state,
    at,
    form,
    work = 'order',
    edited = null,
    covered,
    seen,
    parcel,
    input,
    problem,
    failures,
    print,
  } = value as Partial<OrderEntry>;
  if (
    typeof key !== 'string' ||
    typeof at !== 'number' ||
    !states.includes(state) ||
    typeof form !== 'object'
  )
    return null;
  if (
    !entryWorks.includes(work) ||
    (work === 'save' || work === 'submit') !== (typeof edited?.id === 'number')
  )
    return null;
  if (state === 'placed' && typeof parcel?.id !== 'number') return null;
  return {
    ...newEntry(key, restored(form), print === true, at),
    work,
    edited,
    covered: covered ?? null,
    seen: seen ?? null,
    state: state === 'sending' && !input ? 'kept' : state!,
    input: input ?? null,
    failures: typeof failures === 'number' ? failures : 0,
    parcel: parcel ?? null,
    problem: problem ?? null,
  };
};

export const placedParcel = (row: ExpressRow | Express): PlacedParcel => ({
  id: row.id,
  order_id: row.order_id,
  delivery_id: row.delivery_id,
  state_code: row.state_code,
  state_reason: row.state_reason,
  state_remark: row.state_remark,
  post_amount: row.post_amount,
  print_count: row.print_count,
  allow_print: row.allow_print,
  need_retry: row.need_retry,
  canceling: row.canceling,
  intercepting: row.intercepting,
  modifying: row.modifying,
  confirming: row.confirming,
  pre_sort_result: row.pre_sort_result,
});

/** True if the server has not answered the request of this entry yet. */
export const isUnanswered = ({ state }: OrderEntry): boolean =>
  state === 'waiting' || state === 'sending';

/**
 * True if the order exists only in this browser. Such an order is never removed to make room for
 * others.
 */
export const isHeldHere = (entry: OrderEntry): boolean =>
  isUnanswered(entry) || entry.state === 'refused' || entry.state === 'kept';

/** True if the carrier has not answered the order, the cancellation or the change yet. */
export const isFollowed = ({ state, parcel }: OrderEntry): boolean =>
  state === 'placed' &&
  (parcel?.state_code === stateCode.ordering || parcel?.canceling === 1 || parcel?.modifying === 1);

/**
 * True if the order waits for something other than the carrier: for a top-up, or for manual
 * pre-sorting before its label can be printed. Such an order is read again, but rarely.
 */
export const isAwaited = ({ state, parcel, print }: OrderEntry): boolean =>
  state === 'placed' &&
  (parcel?.state_code === stateCode.onHold || (print && parcel?.need_retry === 1));

/** True if the carrier or the server refused the order. */
export const isRefused = ({ state, parcel }: OrderEntry): boolean =>
  state === 'refused' || (state === 'placed' && parcel?.state_code === stateCode.failed);

/**
 * True if the user must decide about the order. It was refused, or its session ended before it was
 * sent.
 */
export const needsHand = (entry: OrderEntry): boolean => isRefused(entry) || entry.state === 'kept';

/**
 * The maximum number of entries that exist only in this browser. If it is reached, no order is
 * queued, so that a browser without a network does not fill its storage.
 */
export const mostHeld = 50;
/** The maximum number of unfinished entries whose parcel the server already has. */
const mostOpen = 40;
/** The maximum number of finished entries that stay visible. */
const mostFinished = 5;
/**
 * The number of milliseconds after which an unanswered order is no longer sent again automatically.
 * Its user must then decide.
 */
const sentAloneFor = 24 * 3_600_000;
/** True if the order is so old that its user must decide before it is sent. */
export const isOld = ({ at }: OrderEntry): boolean => Date.now() - at > sentAloneFor;
/**
 * The number of milliseconds after which an entry is deleted in any state. The server keeps the
 * entry's idempotency key longer, for 30 days.
 */
export const forgottenAfter = 7 * 24 * 3_600_000;

/**
 * The entries to keep, the newest first. They are the entries that exist only in this browser, the
 * unfinished entries, and the most recently finished entries.
 */
export const inOrder = (entries: readonly OrderEntry[]): OrderEntry[] => {
  const sorted = entries.toSorted((a, b) => b.at - a.at || (a.key < b.key ? 1 : -1));
  const placed = sorted.filter((entry) => !isHeldHere(entry));
  const isUnfinished = (entry: OrderEntry): boolean => isFollowed(entry) || isRefused(entry);
  const stays = new Set([
    ...placed.filter(isUnfinished).slice(0, mostOpen),
    ...placed.filter((entry) => !isUnfinished(entry)).slice(0, mostFinished),
  ]);
  return sorted.filter((entry) => isHeldHere(entry) || stays.has(entry));
};
