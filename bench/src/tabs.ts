/**
 * Measures open tabs: the time from a click on a tab until its page is painted, and the memory of a
 * dozen open pages. The processor is not throttled.
 */
import type { Page } from 'playwright-core';
import { openPage, startBrowser } from './browser/chromium.ts';
import type { OpenPage } from './browser/chromium.ts';
import { startProduct } from './browser/product.ts';
import { median, pause, runBench } from './browser/program.ts';

const thresholds = { switch: 100, heap: 60 };
const minutes = 5;
const openings = 12;
const switches = 40;
const timeoutMs = 30_000;

/**
 * Queries of one list. With them a dozen tabs can show different pages, although the console has
 * fewer than a dozen screens.
 */
const searches = [
  '',
  'tab=signed',
  'tab=in_transit',
  'tab=awaiting_pickup',
  'group=total',
  'sort=-post_amount',
  'sort=cal_weight',
  'page=2',
  'page=3',
  'tab=draft',
  'page=4',
  'q=张三',
];

/** Returns the links of the side menu, without the link to the page that is shown first. */
const screensOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    ...new Set(
      [...document.querySelectorAll('nav a[href^="#/"]')].map(
        (link) => link.getAttribute('href')!.split('?')[0]!,
      ),
    ),
  ]);

/** Waits until the shown page has loaded its content. */
const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(
    () => {
      const shown = [...document.querySelectorAll<HTMLElement>('[data-page]')].find(
        (one) => one.getBoundingClientRect().width > 0,
      );
      return (
        shown !== undefined &&
        shown.querySelector('h1') !== null &&
        shown.querySelector('[aria-busy=true]') === null
      );
    },
    null,
    { timeout: timeoutMs },
  );
  // Waits for a fixed time. The end of all network activity cannot be awaited, because the stream
  // of events never ends.
  await pause(500);
};

const open = async (page: Page, href: string): Promise<void> => {
  await page.evaluate((to) => {
    window.location.hash = to;
  }, href);
  await pause(300);
  await settled(page);
};

/** Returns the JavaScript memory in megabytes that is still in use after a garbage collection. */
const heap = async ({ cdp }: OpenPage): Promise<number> => {
  for (let round = 0; round < 3; round++) {
    await cdp.send('HeapProfiler.collectGarbage');
    await pause(200);
  }
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
};

/**
 * Clicks the tab of `path`. Returns the milliseconds until the other page was painted. This
 * function runs in the browser page.
 */
const clickTab = (path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const shown = (): string | undefined =>
      [...document.querySelectorAll<HTMLElement>('[data-page]')].find(
        (one) => one.getBoundingClientRect().width > 0,
      )?.dataset['page'];
    const tab = [...document.querySelectorAll<HTMLAnchorElement>('nav li[draggable] a')].find(
      (link) => link.getAttribute('href')!.split('?')[0] === path,
    );
    if (!tab) return void reject(new Error(`there is no tab of ${path}`));
    const before = shown();
    const since = performance.now();
    tab.click();
    const look = (): void => {
      const now = shown();
      if (now === undefined || now === before) {
        if (performance.now() - since > 10_000)
          reject(new Error(`the tab of ${path} was never shown`));
        else requestAnimationFrame(look);
        return;
      }
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - since)));
    };
    look();
  });

const switchTimes = async (page: Page, screens: readonly string[]): Promise<number[]> => {
  const times: number[] = [];
  // The tab that was opened last is active at the beginning. The first click therefore activates
  // the first tab.
  for (let at = 0; at < screens.length + switches; at++) {
    const ms = await page.evaluate(clickTab, screens[at % screens.length]!);
    if (at >= screens.length) times.push(ms);
    await pause(150);
  }
  return times;
};

await runBench('cached tabs', minutes, async () => {
  const browser = await startBrowser();
  const product = await startProduct('tabs');
  const opened = await openPage(browser, { throttled: false, token: product.token });
  const { page } = opened;
  await page.goto(`${product.base}/#/dashboard/workplace`);
  await settled(page);
  const alone = await heap(opened);
  const screens = await screensOf(page);
  for (const href of screens) await open(page, href);
  const list = '#/model/expresses';
  for (const search of searches.slice(0, Math.max(0, openings - screens.length)))
    await open(page, search === '' ? list : `${list}?${search}`);
  if (screens.at(-1) !== list) await open(page, screens.at(-1)!);
  const growth = (await heap(opened)) - alone;
  const times = await switchTimes(page, screens);
  const middle = median(times);
  const kept = [middle <= thresholds.switch, growth <= thresholds.heap];
  const word = (ok: boolean): string => (ok ? 'ok' : 'MISSED');
  const so =
    screens.length < openings
      ? `, with ${screens.length} screens in ${openings} openings, since there are no more`
      : '';
  console.log(
    `cached tab switch ${middle.toFixed(0)} ms (≤ ${thresholds.switch}) ${word(kept[0]!)}: median of ${times.length}, slowest ${Math.max(...times).toFixed(0)} ms, not throttled`,
  );
  console.log(
    `12 cached tabs heap +${growth.toFixed(1)} MB (≤ ${thresholds.heap}) ${word(kept[1]!)}${so}`,
  );
  return kept.every(Boolean);
});
