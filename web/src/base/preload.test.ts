import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { call } from './call.ts';
import { readOf, startPreload } from './preload.ts';

const fetched: string[] = [];
beforeEach(() => {
  fetched.length = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url);
    return Response.json({ status: 200, data: { items: [], total: 0 }, message: '' });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const firstPage = { page: 1, page_size: 20 };

it('a preloaded response is used by only one call with the same endpoint and input', async () => {
  startPreload([readOf(listExpresses, firstPage)]);
  await call(listExpresses, firstPage);
  expect(fetched).toHaveLength(1);
  await call(listExpresses, firstPage);
  expect(fetched).toHaveLength(2);
});

it('a preloaded response is not used if the call has other input or if the response is older than 15 seconds', async () => {
  vi.useFakeTimers();
  startPreload([readOf(listExpresses, firstPage)]);
  await call(listExpresses, { ...firstPage, page: 2 });
  vi.advanceTimersByTime(15_000);
  await call(listExpresses, firstPage);
  expect(fetched).toHaveLength(3);
});

it('a call that waits for a preloaded response can be aborted', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  startPreload([readOf(listExpresses, firstPage)]);
  const controller = new AbortController();
  const waiting = call(listExpresses, firstPage, { signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
