import {
  createExpress,
  editExpress,
  expressOptions,
  getExpress,
  listExpresses,
  orderExpress,
  quoteExpress,
  retryExpress,
} from '@waystation/contract/parcels/express-calls.ts';
import type { InputOf } from '@waystation/contract/base/endpoint.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Express, ExpressRow, Quote } from '@waystation/contract/parcels/express.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { ApiError, isOutage } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { isLoggingOut } from '#base/logout-reason.ts';
import { refresh } from '#base/query.ts';
import { changeEntry, dropEntry, putEntry, storedEntry, useOrders } from './entries.ts';
import { isHeldHere, isUnanswered, isOld, mostHeld, newEntry, placedParcel } from './entry.ts';
import type { OrderEntry, Problem } from './entry.ts';
import type { OrderForm } from './form.ts';
import { draftInput, editInput, orderInput } from './inputs.ts';
import { underLock } from './lock.ts';
import { chosenOf, lostChoice, presentQuotes } from './price.ts';
import type { Choice, LostChoice, Quotes } from './price.ts';
import { printsAlone } from '#printing/workstation.ts';
import { addToPrint } from './to-print.ts';

/**
 * The number of milliseconds to wait for a quote. After that, the order is sent without an expected
 * price, and the server's price applies.
 */
const priceTimeoutMs = 3_000;
/**
 * The number of milliseconds after which a sent order counts as unanswered. The limit is long,
 * because the response comes only after the order is committed.
 */
const answerTimeoutMs = 20_000;

/** The number of milliseconds until the next attempt after this number of unanswered attempts. */
export const pauseAfter = (failures: number): number =>
  Math.min(30_000, 1_000 * 2 ** Math.max(0, failures - 1));

/**
 * True if it is unknown after this error whether the order was stored. The same request is then
 * sent again with the same idempotency key.
 */
const saysNothing = (error: unknown): boolean =>
  isOutage(error) ||
  (error instanceof ApiError &&
    (error.status >= 500 ||
      error.status === 429 ||
      error.status === 401 ||
      error.code === 'idempotency_in_progress'));

const problemOf = (error: unknown): Problem =>
  error instanceof ApiError
    ? { code: error.code, params: error.params, fields: error.fields }
    : { code: 'unexpected', params: {}, fields: {} };

let touching: ReturnType<typeof setTimeout> | null = null;
/**
 * Refreshes the lists and amounts that show parcels. Several changes that happen together cause one
 * refresh.
 */
const touched = (): void => {
  touching ??= setTimeout(() => {
    touching = null;
    void refresh(listExpresses, getExpress, workplace, expressOptions, quoteExpress);
  }, 200);
};

/**
 * Stores the parcel that the server returned. If its label shall be printed too, the label is added
 * to the labels to print.
 */
export const noteParcel = (key: string, row: Express | ExpressRow): void => {
  const parcel = placedParcel(row);
  const before = storedEntry(key);
  if (before === null || JSON.stringify(before.parcel) === JSON.stringify(parcel)) return;
  const isReady =
    parcel.state_code === stateCode.awaitingPickup &&
    parcel.allow_print === 1 &&
    parcel.need_retry === 0;
  changeEntry(key, (entry) => ({
    ...entry,
    state: 'placed',
    input: null,
    failures: 0,
    problem: null,
    parcel,
    print: entry.print && !isReady,
  }));
  if (before.print && isReady) addToPrint(parcel);
  touched();
};

const later = (ms: number): Promise<null> =>
  new Promise((resolve) => setTimeout(() => resolve(null), ms));

/**
 * Thrown if the product or carrier that the user saw is no longer available. The user must then
 * choose again.
 */
class LostChoiceError extends Error {
  readonly reason: LostChoice['reason'];
  /** The carrier that the user accepts by ordering again. */
  readonly provider: string;
  constructor(reason: LostChoice['reason'], provider: string) {
    super('the product or carrier that was seen is not available');
    this.reason = reason;
    this.provider = provider;
  }
}

/**
 * Returns the offer to order. Throws if the chosen offer is not available. If the user chose no
 * product, it also throws if the proposal now has another carrier than the user saw.
 */
const takenOffer = (quotes: Quotes | null, choice: Choice): Quote | null => {
  const lost = lostChoice(quotes, choice);
  if (lost !== null) throw new LostChoiceError(lost.reason, choice.provider);
  const offer = chosenOf(quotes, choice);
  if (offer !== null && choice.provider !== '' && offer.provider !== choice.provider)
    throw new LostChoiceError(
      { code: 'carrier_changed', params: { provider: offer.provider } },
      offer.provider,
    );
  return offer;
};

/**
 * The input of an order, with the price of exactly this content. If the quote for a chosen product
 * is late, the order is sent without an expected price, and the server's price applies. Null if no
 * product can be ordered.
 */
const priced = async (form: OrderForm, isChosen: boolean): Promise<OrderEntry['input']> => {
  const quotes = isChosen
    ? Promise.race([presentQuotes(form), later(priceTimeoutMs)])
    : presentQuotes(form);
  const known = await quotes;
  if (known === null) return isChosen ? { ...orderInput(form, null), wait: 0 } : null;
  const chosen = takenOffer(known, form);
  return chosen === null
    ? null
    : {
        ...orderInput({ ...form, promise_id: chosen.promise_id }, chosen.post_amount),
        ...(!isChosen && { by_rule: 1 as const }),
        wait: 0,
      };
};

/** Returns the request body for an entry; null if no product can be ordered. */
const inputOf = async (entry: OrderEntry): Promise<OrderEntry['input']> => {
  const { work, edited, seen } = entry;
  if (work === 'draft') return draftInput(entry.form);
  if (work === 'save') return editInput(edited!, entry.form);
  const isChosen = entry.form.promise_id !== '';
  // If the user saw a proposal, it is ordered as if the user had chosen it.
  const form = isChosen ? entry.form : { ...entry.form, ...seen };
  if (work === 'order') return priced(form, isChosen);
  const chosen = takenOffer(await presentQuotes(form), form);
  return chosen === null ? null : editInput(edited!, { ...form, promise_id: chosen.promise_id });
};

/** Thrown if the change of a parcel was stored but the order after it failed. */
class OrderError extends Error {
  constructor(cause: unknown) {
    super('the order after a change failed', { cause });
  }
}

/**
 * Sends an entry to the server. Every request has the entry's idempotency key, so that repeating a
 * request has no further effect. The state of the changed parcel decides whether it is ordered or
 * submitted again. The carrier may have refused an earlier order whose response was lost.
 */
const send = async ({ key, work, input, edited, form }: OrderEntry): Promise<Express> => {
  const options = { idempotencyKey: key, timeout: answerTimeoutMs };
  if (work === 'order' || work === 'draft')
    return call(createExpress, input as InputOf<typeof createExpress>, options);
  const changed = await call(editExpress, input as InputOf<typeof editExpress>, options);
  const then =
    work === 'save'
      ? null
      : edited!.state_code === stateCode.draft
        ? orderExpress
        : edited!.state_code === stateCode.failed
          ? retryExpress
          : null;
  if (then === null) return changed;
  const by_rule = form.promise_id === '' && { by_rule: 1 as const };
  return call(then, { id: changed.id, ...by_rule }, options).catch((error: unknown) => {
    throw new OrderError(error);
  });
};

const refuse = (key: string, problem: Problem, isChanged = false): void =>
  void changeEntry(key, (now) => ({
    ...now,
    state: 'refused',
    input: isChanged ? now.input : null,
    failures: 0,
    problem,
  }));

/** Makes one attempt to order: requests the price, sends the order and stores the response. */
const attempt = async (key: string): Promise<void> => {
  const entry = storedEntry(key);
  if (entry === null || !isUnanswered(entry)) return;
  const input = entry.input ?? (await inputOf(entry));
  if (input === null) return refuse(key, { code: 'no_offer', params: {}, fields: {} });
  // After this the server may know the order. Its content is therefore stored before it is sent,
  // and never changed again.
  const sent = changeEntry(key, (now) =>
    now.state === 'waiting' ? { ...now, state: 'sending', input } : now,
  );
  if (sent === null || sent.state !== 'sending') return;
  noteParcel(key, await send(sent));
};

const tried = async (key: string): Promise<void> => {
  try {
    await attempt(key);
  } catch (thrown) {
    if (isLoggingOut()) return;
    if (thrown instanceof LostChoiceError) {
      const { provider } = thrown;
      const { code, params = {} } = thrown.reason;
      refuse(key, { code, params, fields: { promise_id: { code, params } } });
      return void changeEntry(key, (now) => ({ ...now, seen: { promise_id: '', provider } }));
    }
    const isChanged = thrown instanceof OrderError;
    const error = isChanged ? thrown.cause : thrown;
    if (saysNothing(error))
      return void changeEntry(key, (now) => ({ ...now, failures: now.failures + 1 }));
    refuse(key, problemOf(error), isChanged);
    // The server may have refused the order because the price or the balance has changed since the
    // quote. The quotes are therefore read again.
    void refresh(quoteExpress);
    touched();
  }
};

/**
 * The maximum number of orders that one browser window sends simultaneously. A batch then does not
 * block the user's other requests.
 */
const mostAtOnce = 4;
const queued: (() => void)[] = [];
let atOnce = 0;

const inTurn = async (run: () => Promise<void>): Promise<void> => {
  if (atOnce >= mostAtOnce) await new Promise<void>((resolve) => queued.push(resolve));
  else atOnce += 1;
  try {
    await run();
  } finally {
    const next = queued.shift();
    if (next) next();
    else atOnce -= 1;
  }
};

const running = new Set<string>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * Processes an entry until it is answered. Only one browser window does this at a time. If an
 * attempt gets no answer, the next attempt follows automatically.
 */
const work = async (key: string): Promise<void> => {
  if (running.has(key)) return;
  running.add(key);
  clearTimeout(timers.get(key));
  timers.delete(key);
  await inTurn(() => underLock(`waystation-order-${key}`, () => tried(key)));
  running.delete(key);
  const entry = storedEntry(key);
  if (entry !== null && isUnanswered(entry) && !isLoggingOut())
    timers.set(
      key,
      setTimeout(() => void work(key), pauseAfter(entry.failures)),
    );
};

/**
 * Processes every unanswered order. Called at the start, when the network is back, and when another
 * window has ended while it was processing.
 */
export const workOnAll = (): void => {
  for (const entry of useOrders.getState().entries) {
    const { key, state, failures } = entry;
    if (state !== 'waiting' && state !== 'sending') continue;
    if (!isOld(entry)) void work(key);
    else if (state === 'waiting') changeEntry(key, (now) => ({ ...now, state: 'kept' }));
    // An old order may have reached the server, so it is not sent again automatically. Because a
    // failure is counted, its row offers to send it again.
    else if (failures === 0) changeEntry(key, (now) => ({ ...now, failures: 1 }));
  }
};

export type Enqueued = 'added' | 'known' | 'full';

/**
 * Queues an order. If an order with this key is already in the queue, nothing is added. A double
 * press, or the same form in two browser windows, therefore orders only once.
 */
export const enqueue = (
  key: string,
  form: OrderForm,
  wanted: Partial<Pick<OrderEntry, 'print' | 'work' | 'edited' | 'covered' | 'seen'>> = {},
): Enqueued => {
  if (storedEntry(key) !== null) return 'known';
  if (useOrders.getState().entries.filter(isHeldHere).length >= mostHeld) return 'full';
  const isOrder = wanted.work === undefined || wanted.work === 'order' || wanted.work === 'submit';
  putEntry({
    ...newEntry(key, form, false, Date.now()),
    ...wanted,
    print: isOrder && (wanted.print === true || printsAlone()),
  });
  void work(key);
  return 'added';
};

/**
 * Orders a refused or kept order again at the current price. The server has created nothing under
 * the idempotency key, so the key may be used with different content.
 */
export const orderAgain = (key: string): void => {
  changeEntry(key, (now) =>
    now.state === 'refused' || now.state === 'kept'
      ? // The change may be stored even if the order after it was refused. The change is therefore
        // sent again with the same idempotency key and content.
        {
          ...now,
          state: 'waiting',
          at: Date.now(),
          input: now.edited === null ? null : now.input,
          problem: null,
        }
      : now,
  );
  void work(key);
};

/** Sends an unanswered order immediately instead of after its pause. */
export const sendNow = (key: string): void => void work(key);

/**
 * Removes an order from the queue and returns it, if the server does not have the order. Returns
 * null if the order is being sent or is not in the queue.
 */
export const takeBack = (key: string): OrderEntry | null => {
  const entry = storedEntry(key);
  if (entry === null || entry.state === 'sending' || entry.state === 'placed') return null;
  dropEntry(key);
  return entry;
};
