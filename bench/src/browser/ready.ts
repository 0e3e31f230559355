import type { Browser } from 'playwright-core';
import { openPage } from './chromium.ts';

/**
 * The condition under which a page counts as ready. Each selector must find at least the given
 * number of elements with a text or a size. No other element may cover the first of them.
 */
export interface Ready {
  selector: string;
  count: number;
}

/**
 * Checks the page in each frame. The measured time ends with the frame after the paint of the
 * wanted state. This function runs in the browser page.
 */
const watch = (wanted: readonly Ready[]): void => {
  const seen = (element: Element): boolean => {
    const { x, y, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return false;
    const top = document.elementFromPoint(x + Math.min(width, 300) / 2, y + height / 2);
    return top !== null && element.contains(top);
  };
  const isReady = ({ selector, count }: Ready): boolean => {
    const found = [...document.querySelectorAll(selector)];
    if (found.length < count || !seen(found[0]!)) return false;
    return count === 1 || found.every((element) => (element.textContent ?? '').length > 30);
  };
  const look = (): void => {
    if (!wanted.every(isReady)) return void requestAnimationFrame(look);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () =>
        Object.assign(window, { readyAt: performance.now() }),
      );
      port1.start();
      port2.postMessage(null);
    });
  };
  requestAnimationFrame(look);
};

const timeoutMs = 60_000;

/**
 * Returns the milliseconds from the navigation until the page is ready. The browser has an empty
 * cache, and processor and network are throttled.
 */
export const timeToReady = async (
  browser: Browser,
  { url, ready, token }: { url: string; ready: readonly Ready[]; token?: string },
): Promise<number> => {
  const { page, close } = await openPage(browser, {
    throttled: true,
    ...(token !== undefined && { token }),
  });
  try {
    await page.addInitScript(watch, ready);
    await page.goto(url, { waitUntil: 'commit', timeout: timeoutMs });
    const found = await page.waitForFunction(() => (window as { readyAt?: number }).readyAt, null, {
      timeout: timeoutMs,
      polling: 200,
    });
    return (await found.jsonValue()) as number;
  } finally {
    await close();
  }
};
