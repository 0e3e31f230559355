import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createListSlots } from './list-slots.ts';

const limits = {
  total: 8,
  perAccount: 4,
  waitingPerAccount: 16,
  waiting: 24,
  timeoutMs: 5_000,
  share: 0.25,
};
const [hog, other] = [1, 2];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * Returns a function that takes this number of milliseconds. Also returns the number of its
 * finished calls and the largest number of its simultaneous calls.
 */
const workOf = (ms: number) => {
  const seen = { done: 0, running: 0, most: 0 };
  const work = async (): Promise<void> => {
    seen.most = Math.max(seen.most, ++seen.running);
    await new Promise((resolve) => setTimeout(resolve, ms));
    seen.running--;
    seen.done++;
  };
  return { seen, work };
};

/** Sends the request again after each response, until `ms` have passed. */
const loop = async (run: () => Promise<unknown>, ms: number): Promise<void> => {
  for (const end = Date.now() + ms; Date.now() < end;) await run();
};
const never = new AbortController().signal;

describe('the queue of list queries', () => {
  it('while no other account reads lists, an account can run four list queries simultaneously and without pauses', async () => {
    const slots = createListSlots(limits);
    const { seen, work } = workOf(100);
    const loops = Array.from({ length: 6 }, () => loop(() => slots.run(hog, never, work), 10_000));
    await vi.advanceTimersByTimeAsync(11_000);
    await Promise.all(loops);
    expect(seen.most).toBe(4);
    expect(seen.done).toBeGreaterThanOrEqual(396);
  });

  it('an account that reads lists all the time gets about a quarter of the time while another account reads, and the other never waits', async () => {
    const slots = createListSlots(limits);
    const [hard, light] = [workOf(100), workOf(10)];
    const loops = Array.from({ length: 4 }, () =>
      loop(() => slots.run(hog, never, hard.work), 20_000),
    );
    let waited = 0;
    const colleague = loop(async () => {
      const since = Date.now();
      await slots.run(other, never, light.work);
      waited = Math.max(waited, Date.now() - since - 10);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }, 20_000);
    await vi.advanceTimersByTimeAsync(26_000);
    await Promise.all([...loops, colleague]);
    // 40 calls are a quarter of 20 s; the first second adds some more.
    expect(hard.seen.done).toBeLessThanOrEqual(65);
    expect(hard.seen.done).toBeGreaterThanOrEqual(40);
    expect(waited).toBe(0);
  });

  it('if sixteen list queries of an account wait, its next one is refused; a waiting query ends if its caller disconnects or time runs out', async () => {
    const slots = createListSlots(limits);
    const gone = new AbortController();
    const endless = (): Promise<void> => new Promise(() => {});
    for (let n = 0; n < 4; n++) void slots.run(hog, never, endless);
    const waiting = Array.from({ length: 16 }, (_, n) =>
      slots.run(hog, n === 0 ? gone.signal : never, endless),
    );
    const codes = waiting.map((one) => one.catch((error: { code: string }) => error.code));
    await expect(slots.run(hog, never, endless)).rejects.toMatchObject({
      code: 'too_many_searches',
    });
    gone.abort();
    expect(await codes[0]).toBe('search_cancelled');
    await vi.advanceTimersByTimeAsync(5_001);
    expect(await codes[1]).toBe('search_too_slow');
  });

  it('if list queries of many accounts wait, a new list query is refused as overloaded; one account counts at most four waiting queries', async () => {
    const slots = createListSlots(limits);
    const endless = (): Promise<void> => new Promise(() => {});
    const codeOf = (account: number) =>
      slots.run(account, never, endless).catch((error: { code: string }) => error.code);
    for (let account = 1; account <= 8; account++) void codeOf(account);
    const hogs = Array.from({ length: 32 }, (_, n) => codeOf(101 + (n % 2)));
    const others = Array.from({ length: 16 }, (_, n) => codeOf(201 + n));
    expect(await codeOf(301)).toBe('overloaded');
    await vi.advanceTimersByTimeAsync(5_001);
    expect(new Set(await Promise.all([...hogs, ...others]))).toEqual(new Set(['search_too_slow']));
  });
});
