import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listExpresses } from '@waystation/contract/express-calls.ts';
import { listInput, readFilters } from '#pages/expresses/filters.ts';
import { call } from './call.ts';
import { startPreload, preloadUrls } from './preload.ts';
import { searchOf } from './href.ts';

const asked: string[] = [];
beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    return Response.json({ status: 200, data: { items: [], total: 0 }, message: '' });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it.each([
  '/model/expresses',
  '/model/expresses?tab=signed&size=50',
  '/model/expresses?id=7&view=price&page=3',
  '/model/expresses?q=JDVE1%20JDVE2&sort=-post_amount',
])('what %s reads first is asked for once, before the console is here', async (href) => {
  startPreload(href);
  expect(asked).toHaveLength(preloadUrls(href).length);
  await call(listExpresses, listInput(readFilters(searchOf(href))));
  expect(asked).toHaveLength(preloadUrls(href).length);
  await call(listExpresses, listInput(readFilters(searchOf(href))));
  expect(asked).toHaveLength(preloadUrls(href).length + 1);
});

it('an answer of long ago, and one to another question, is not taken', async () => {
  vi.useFakeTimers();
  startPreload('/model/expresses');
  await call(listExpresses, { page: 2, page_size: 20 });
  vi.advanceTimersByTime(15_000);
  await call(listExpresses, { page: 1, page_size: 20 });
  expect(asked).toHaveLength(preloadUrls('/model/expresses').length + 2);
});

it('is given up with the call that took it', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  startPreload('/model/expresses');
  const giveUp = new AbortController();
  const waiting = call(listExpresses, { page: 1, page_size: 20 }, { signal: giveUp.signal });
  giveUp.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
