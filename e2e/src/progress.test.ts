import type { BrowserContext, Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { shownPage } from './shell.ts';

/** Holds the responses of an endpoint back until they are released. */
const holding = (path: string) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const before = (context: BrowserContext): Promise<unknown> =>
    context.route(path, async (route) => {
      await held;
      await route.continue();
    });
  return { before, release: () => release() };
};

const bar = (page: Page): Locator => page.getByRole('progressbar', { name: '正在加载' });
const share = async (page: Page): Promise<number> =>
  Number(await bar(page).getAttribute('aria-valuenow'));

describe('the progress bar (requirements §9)', () => {
  inBrowser(
    'the progress bar begins low, advances every 800 ms without reaching the end, and disappears when all calls have ended',
    async ({ open }) => {
      const list = holding('**/api/arco/expresses?*');
      const { page } = await open({
        role: 'user',
        path: '/model/expresses',
        before: async (context) => {
          await context.clock.install();
          await list.before(context);
        },
      });
      await shows(shownPage(page, 'ExpressTable').getByRole('grid'));
      await shows(bar(page));
      // From here on, the page's clock advances only when the test advances it.
      await page.clock.pauseAt(Date.now() + 60_000);
      const first = await share(page);
      expect(first).toBeGreaterThanOrEqual(8);
      expect(first).toBeLessThan(90);
      await page.clock.runFor(800);
      await expect.poll(() => share(page)).toBeGreaterThan(first);
      await page.clock.runFor(400_000);
      await expect.poll(() => share(page)).toBe(99);
      await page.clock.resume();
      list.release();
      await shows(shownPage(page, 'ExpressTable').getByRole('row').nth(1));
      await gone(bar(page));
    },
  );

  inBrowserDaily('the progress bar runs while the code of a route is fetched', async ({ open }) => {
    const code = holding('**/assets/store-*.js');
    const { page } = await open({ role: 'user', before: code.before });
    await shows(shownPage(page, 'Workplace').getByRole('heading', { level: 1 }));
    await page
      .getByRole('navigation', { name: '主菜单' })
      .getByRole('link', { name: '在线下单' })
      .click();
    await shows(bar(page));
    code.release();
    await shows(shownPage(page, 'ExpressStore').getByRole('heading', { level: 1 }));
    await gone(bar(page));
  });

  inBrowserDaily(
    'the progress bar does not move for a user who prefers no motion',
    async ({ open }) => {
      const list = holding('**/api/arco/expresses?*');
      const moving = async (motion: boolean): Promise<string> => {
        const { page } = await open({
          role: 'user',
          path: '/model/expresses',
          motion,
          before: list.before,
        });
        await shows(bar(page));
        return bar(page)
          .locator('div')
          .evaluate((line) => getComputedStyle(line).transitionDuration);
      };
      expect(await moving(true)).toBe('0.15s');
      expect(Number.parseFloat(await moving(false))).toBeLessThanOrEqual(0.001);
      list.release();
    },
  );
});
