import { createHeap } from './heap.ts';
import type { SimClock } from './sim-clock.ts';

/** Tasks sorted by their time on the simulated clock. One timer serves all parcels. */
export type Agenda<T> = {
  put(at: number, item: T): void;
  /**
   * Runs all tasks that are due, in the order of their time, including tasks that are added
   * meanwhile. Returns their number.
   */
  catchUp(): number;
  /** Sets the timer again; call after the clock was changed. */
  reschedule(): void;
  nextAt(): number | null;
  size(): number;
  close(): void;
};

type Entry<T> = { at: number; number: number; item: T };

/**
 * The longest wait of one timer: setTimeout accepts at most 2^31 - 1 ms, and a timer that fires
 * each hour costs nothing.
 */
const longestSleep = 3_600_000;

/**
 * Creates an agenda. `run` handles one item at its time, and must ignore an item whose plan has
 * changed, because items are not removed. `finish` is called once after every batch with at least
 * one item.
 */
export const createAgenda = <T>(
  clock: SimClock,
  run: (item: T, at: number) => void,
  finish: () => void,
): Agenda<T> => {
  const entries = createHeap<Entry<T>>(
    (a, b) => a.at < b.at || (a.at === b.at && a.number < b.number),
  );
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let running = false;

  const catchUp = (): number => {
    if (running) return 0;
    running = true;
    let done = 0;
    try {
      const now = clock.now();
      for (let next = entries.peek(); next !== undefined && next.at <= now; next = entries.peek()) {
        entries.pop();
        run(next.item, next.at);
        done += 1;
      }
    } finally {
      running = false;
      if (done > 0) finish();
    }
    return done;
  };
  const reschedule = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const next = entries.peek();
    if (closed || next === undefined) return;
    const wait = clock.realUntil(next.at);
    if (wait === null) return;
    timer = setTimeout(
      () => {
        catchUp();
        reschedule();
      },
      Math.min(longestSleep, Math.ceil(wait)),
    );
  };
  return {
    put: (at, item) => {
      const first = entries.peek();
      entries.push({ at, number: count, item });
      count += 1;
      if (!running && (first === undefined || at < first.at)) reschedule();
    },
    catchUp: () => {
      const done = catchUp();
      if (done > 0) reschedule();
      return done;
    },
    reschedule,
    nextAt: () => entries.peek()?.at ?? null,
    size: () => entries.size(),
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
};
