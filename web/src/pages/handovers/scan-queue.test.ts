import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '#base/api-error.ts';
import type { Store } from '#base/storage.ts';
import { scanQueue, waitingNumbers, waitingOfOthers } from './scan-queue.ts';
import type { QueueState, QueuedScan } from './scan-queue.ts';

const memory = (): Store => {
  const known = new Map<string, string>();
  return {
    read: (key) => known.get(key) ?? null,
    write: (key, value) => void known.set(key, value),
    drop: (key) => void known.delete(key),
    keys: () => [...known.keys()],
  };
};
const scan = (no: number): QueuedScan => ({ scan_id: `scan-${no}`, number: `JD${no}` });
const failure = (status: number, retryAfter: number | null = null): ApiError =>
  new ApiError({ status, code: 'x', message: 'x', retryAfter });

const open = (outcomes: (ApiError | number)[], store = memory()) => {
  const sent: string[][] = [];
  const pauses: number[] = [];
  const answered: string[] = [];
  let state: QueueState = { waiting: 0, offline: false, stopped: null };
  const queue = scanQueue(
    { id: 7, account: 3 },
    {
      answers: ({ answers }) => answered.push(...answers.map(({ scan_id }) => scan_id)),
      state: (now) => (state = now),
    },
    {
      store,
      send: async (_, scans) => {
        sent.push(scans.map(({ scan_id }) => scan_id));
        const outcome = outcomes.shift() ?? scans.length;
        if (typeof outcome !== 'number') throw outcome;
        return { answers: scans.slice(0, outcome), parcels: 0, packages: 0 } as never;
      },
      pause: async (ms) => void pauses.push(ms),
    },
  );
  return { queue, sent, pauses, answered, store, state: () => state };
};

describe('scans that wait in the browser', () => {
  it('scans waiting in the browser are sent in the order of scanning, failed sends are repeated, and no scan is lost', async () => {
    const { queue, answered, pauses, state } = open([
      failure(0),
      failure(503),
      failure(429, 10),
      1,
    ]);
    for (const no of [1, 2, 3]) queue.add(scan(no));
    await vi.waitFor(() => expect(state().waiting).toBe(0));
    expect(answered).toEqual(['scan-1', 'scan-2', 'scan-3']);
    expect(pauses).toEqual([1_000, 2_000, 10_000]);
    expect(state()).toEqual({ waiting: 0, offline: false, stopped: null });
  });

  it('scans waiting in the browser that the server refuses stay until a person clears them', async () => {
    const refused = failure(409);
    const { queue, answered, state } = open([refused]);
    queue.add(scan(1));
    await vi.waitFor(() => expect(state().stopped).toBe(refused));
    queue.add(scan(2));
    expect(answered).toEqual([]);
    expect(state()).toEqual({ waiting: 2, offline: false, stopped: refused });
    queue.drop();
    expect(state()).toEqual({ waiting: 0, offline: false, stopped: null });
  });

  it('scans waiting in the browser remain after a reload of the page and are sent by the reloaded page', async () => {
    const before = open([failure(0), failure(0), failure(0)]);
    before.queue.add(scan(1));
    before.queue.end();
    await vi.waitFor(() => expect(before.sent).toHaveLength(1));
    const after = open([], before.store);
    await after.queue.run();
    expect(after.answered).toEqual(['scan-1']);
    expect(before.store.keys()).toEqual([]);
  });

  it('scans that another user left in the browser are counted but not sent', async () => {
    const li = open([failure(0)]);
    li.queue.add(scan(1));
    li.queue.end();
    await vi.waitFor(() => expect(li.sent).toHaveLength(1));
    const wang = { id: 7, account: 4 };
    expect(waitingNumbers(wang, li.store)).toEqual([]);
    expect(waitingOfOthers(wang, li.store)).toBe(1);
    expect(waitingNumbers({ id: 7, account: 3 }, li.store)).toEqual(['JD1']);
    expect(waitingOfOthers({ id: 70, account: 4 }, li.store)).toBe(0);
  });

  it('if the server responds that it is too busy for a scan, the queue reports a failing server, not a failing network', async () => {
    const { queue, state } = open([failure(429), failure(409)]);
    queue.add(scan(1));
    await vi.waitFor(() => expect(state().offline).toBe('server'));
  });

  it('one call sends fifty scans at most', async () => {
    const store = memory();
    store.write(
      'waystation-handover-7-3',
      JSON.stringify(Array.from({ length: 120 }, (_, no) => scan(no))),
    );
    const { queue, sent } = open([], store);
    await queue.run();
    expect(sent.map(({ length }) => length)).toEqual([50, 50, 20]);
  });
});
