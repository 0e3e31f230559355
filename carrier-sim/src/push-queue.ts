import { createHeap } from './heap.ts';
import type { Heap } from './heap.ts';
import type { Poster } from './post-json.ts';
import type { Recent } from './recent.ts';
import type { Settings } from './settings.ts';

/**
 * A message to a merchant's callback. All messages of a parcel have the same lane, and messages of
 * the same lane are never sent simultaneously.
 */
export type Push = {
  url: string;
  lane: string;
  body(): Record<string, unknown>;
  /** 1 for the message itself, 2 for its repetition. */
  copy: number;
  /** True if the message is sent only after an attempt to send the next message of its lane. */
  behindNext: boolean;
  /** Called once, when the message was accepted or the sender gave up. */
  settled(): void;
};

export type PushRecord = {
  at: string;
  /** The callback URL without its last part, which is a secret. */
  url: string;
  copy: number;
  attempt: number;
  /** The HTTP status of the response; null if none came. */
  status: number | null;
  outcome: 'taken' | 'again_later' | 'given_up' | 'not_sent';
  reason?: string;
  message: Record<string, unknown>;
};

export type PushQueue = {
  put(push: Push): void;
  /** The number of messages that were neither accepted nor abandoned so far. */
  pending(): number;
  /** Resolves with the number of pending messages, when it is 0 or the time is over. */
  settle(withinMs: number): Promise<number>;
  close(): void;
};

type Item = { push: Push; due: number; number: number; attempts: number; refusals: number };
type Destination = { failures: number; restUntil: number };
type State = {
  settings(): Settings;
  poster: Poster;
  log: Recent<PushRecord>;
  items: Heap<Item>;
  /**
   * Two queues per lane. `held`: messages that wait until the next message was tried. `waiting`:
   * messages that wait for the message being sent.
   */
  held: Map<string, Item[]>;
  waiting: Map<string, Item[]>;
  busy: Set<string>;
  destinations: Map<string, Destination>;
  settleWaiters: Set<() => void>;
  count: number;
  pending: number;
  inFlight: number;
  timer: NodeJS.Timeout | undefined;
  woken: boolean;
  closed: boolean;
};

const atOnce = 8;
const longestSleep = 3_600_000;
/**
 * The errors that occur if no program listens at the callback URL. A repeat of one message would
 * not help, so sending to this URL pauses.
 */
const notListening = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

const doubling = (settings: Settings, times: number): number =>
  Math.min(settings.push.retry_most_ms, settings.push.retry_first_ms * 2 ** Math.min(30, times));

/**
 * True if the response accepts the message: HTTP 200, and the code in its body does not ask to send
 * the message again.
 */
const isTaken = (status: number, body: string): boolean => {
  if (status !== 200) return false;
  try {
    const answer: unknown = JSON.parse(body);
    const { code, return_code: returned } = (answer ?? {}) as Record<string, unknown>;
    return String(code ?? '200') !== '500' && String(returned ?? '0000') !== '1000';
  } catch {
    return true;
  }
};

/**
 * Returns a callback's URL without its last part, so that it may be shown. That part is a secret
 * that replaces a signature.
 */
export const shownUrl = (url: string): string => url.replace(/[^/]+$/, '…');

const append = (map: Map<string, Item[]>, lane: string, item: Item): void => {
  const list = map.get(lane);
  if (list === undefined) map.set(lane, [item]);
  else list.push(item);
};

const destinationOf = (state: State, url: string): Destination => {
  const { origin } = new URL(url);
  const known = state.destinations.get(origin) ?? { failures: 0, restUntil: 0 };
  state.destinations.set(origin, known);
  return known;
};

/**
 * The result of sending a push: the status of the response, null if there was none, and the reason
 * of a failure.
 */
interface Attempt {
  message: Record<string, unknown>;
  status: number | null;
  reason?: string | undefined;
}

const record = (
  state: State,
  item: Item,
  { outcome, message, status, reason }: Attempt & { outcome: PushRecord['outcome'] },
): void => {
  const { url, copy } = item.push;
  const why = reason === undefined ? {} : { reason };
  state.log.add({
    at: new Date().toISOString(),
    url: shownUrl(url),
    copy,
    attempt: item.attempts,
    status,
    outcome,
    ...why,
    message,
  });
};

const finish = (state: State, item: Item): void => {
  state.pending -= 1;
  item.push.settled();
  if (state.pending === 0) for (const wake of state.settleWaiters) wake();
};

const rest = (state: State, item: Item, message: Record<string, unknown>, reason: string): void => {
  const destination = destinationOf(state, item.push.url);
  destination.restUntil = Date.now() + doubling(state.settings(), destination.failures);
  destination.failures += 1;
  record(state, item, { outcome: 'again_later', message, status: null, reason });
  item.due = destination.restUntil;
  state.items.push(item);
};

const refused = (state: State, item: Item, { message, status, reason }: Attempt): void => {
  item.refusals += 1;
  const over = item.refusals >= state.settings().push.retry_times;
  record(state, item, { outcome: over ? 'given_up' : 'again_later', message, status, reason });
  if (over) {
    finish(state, item);
    return;
  }
  item.due = Date.now() + doubling(state.settings(), item.refusals - 1);
  state.items.push(item);
};

const send = async (state: State, item: Item): Promise<void> => {
  const message = item.push.body();
  item.attempts += 1;
  try {
    const answer = await state.poster.post(
      item.push.url,
      JSON.stringify(message),
      state.settings().push.timeout_ms,
    );
    destinationOf(state, item.push.url).failures = 0;
    if (!isTaken(answer.status, answer.body)) {
      refused(state, item, { message, status: answer.status });
      return;
    }
    record(state, item, { outcome: 'taken', message, status: answer.status });
    finish(state, item);
  } catch (error) {
    if (state.closed) return;
    const reason = String((error as NodeJS.ErrnoException).code ?? (error as Error).name);
    if (notListening.has(reason)) rest(state, item, message, reason);
    else refused(state, item, { message, status: null, reason });
  }
};

const releaseHeld = (state: State, lane: string): void => {
  for (const item of state.held.get(lane) ?? []) {
    item.due = Date.now();
    state.items.push(item);
  }
  state.held.delete(lane);
};

const launch = (state: State, item: Item): void => {
  const { lane } = item.push;
  state.busy.add(lane);
  state.inFlight += 1;
  void send(state, item).finally(() => {
    state.inFlight -= 1;
    state.busy.delete(lane);
    for (const next of state.waiting.get(lane) ?? []) state.items.push(next);
    state.waiting.delete(lane);
    if (!item.push.behindNext) releaseHeld(state, lane);
    pump(state);
  });
};

const pump = (state: State): void => {
  clearTimeout(state.timer);
  while (!state.closed && state.inFlight < atOnce) {
    const next = state.items.peek();
    if (next === undefined) return;
    const now = Date.now();
    if (next.due > now) {
      state.timer = setTimeout(() => pump(state), Math.min(next.due - now, longestSleep));
      return;
    }
    state.items.pop();
    const { restUntil } = destinationOf(state, next.push.url);
    if (restUntil > now) {
      next.due = restUntil;
      state.items.push(next);
    } else if (state.busy.has(next.push.lane)) append(state.waiting, next.push.lane, next);
    else launch(state, next);
  }
};

/**
 * Sends in a later turn of the event loop, so that the change that caused the message is stored
 * first.
 */
const wake = (state: State): void => {
  if (state.woken) return;
  state.woken = true;
  setImmediate(() => {
    state.woken = false;
    pump(state);
  });
};

const holdBack = (state: State, item: Item): void => {
  const { lane } = item.push;
  append(state.held, lane, item);
  const limit = setTimeout(() => {
    if (state.held.get(lane)?.includes(item) !== true) return;
    releaseHeld(state, lane);
    pump(state);
  }, state.settings().push.hold_ms);
  limit.unref();
};

const settle = (state: State, withinMs: number): Promise<number> => {
  if (state.pending === 0) return Promise.resolve(0);
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(limit);
      state.settleWaiters.delete(done);
      resolve(state.pending);
    };
    const limit = setTimeout(done, withinMs);
    state.settleWaiters.add(done);
  });
};

export const createPushQueue = (
  settings: () => Settings,
  poster: Poster,
  log: Recent<PushRecord>,
): PushQueue => {
  const state: State = {
    settings,
    poster,
    log,
    items: createHeap<Item>((a, b) => a.due < b.due || (a.due === b.due && a.number < b.number)),
    held: new Map(),
    waiting: new Map(),
    busy: new Set(),
    destinations: new Map(),
    settleWaiters: new Set(),
    count: 0,
    pending: 0,
    inFlight: 0,
    timer: undefined,
    woken: false,
    closed: false,
  };
  return {
    put: (push) => {
      state.count += 1;
      state.pending += 1;
      const item: Item = {
        push,
        due: Date.now() + settings().push.late_ms,
        number: state.count,
        attempts: 0,
        refusals: 0,
      };
      if (push.behindNext) {
        holdBack(state, item);
        return;
      }
      state.items.push(item);
      wake(state);
    },
    pending: () => state.pending,
    settle: (withinMs) => settle(state, withinMs),
    close: () => {
      state.closed = true;
      clearTimeout(state.timer);
      for (const done of state.settleWaiters) done();
      poster.close();
    },
  };
};
