import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, inBrowser, shows } from './browser.ts';

/** Delays every file of the build until `release` is called. */
const heldFiles = () => {
  const held: (() => void)[] = [];
  let isOpen = false;
  return {
    hold: (context: BrowserContext): Promise<unknown> =>
      context.route('**/assets/**', async (route) => {
        if (!isOpen) await new Promise<void>((resolve) => held.push(resolve));
        await route.continue();
      }),
    release: (): void => {
      isOpen = true;
      for (const resume of held.splice(0)) resume();
    },
  };
};

/**
 * Returns the page while it is still loading. The function `open` returns it only after it has
 * loaded.
 */
const pageOf = (context: BrowserContext): Promise<Page> =>
  new Promise((resolve) => context.once('page', resolve));
const painted = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);

describe('before any file of the build has come (requirements §10.15)', () => {
  inBrowser(
    'a phone shows the console’s frame in its theme and language before any file of the build, until the list replaces it',
    async ({ open }) => {
      const files = heldFiles();
      let opening: Promise<Page> | undefined;
      const visit = open({
        role: 'user',
        path: '/model/expresses',
        language: 'en-US',
        theme: 'dark',
        width: 390,
        height: 844,
        before: async (context) => {
          opening = pageOf(context);
          await files.hold(context);
        },
      });
      await expect.poll(() => opening !== undefined).toBe(true);
      const page = await opening!;
      const frame = page.getByRole('status').filter({ hasText: 'Loading…' });
      await shows(frame);
      await expect.poll(() => painted(page)).toBe(1);
      expect(await frame.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
        'rgb(23, 23, 26)',
      );
      expect(await page.getByText('正在加载…').isVisible()).toBe(false);
      files.release();
      await visit;
      await shows(page.locator('[data-page="ExpressTable"]').getByRole('heading', { level: 1 }));
      await gone(frame);
    },
  );

  inBrowser(
    'a user who is not logged in sees no frame of the console before the login',
    async ({ open }) => {
      const files = heldFiles();
      let opening: Promise<Page> | undefined;
      const visit = open({
        before: async (context) => {
          opening = pageOf(context);
          await files.hold(context);
        },
      });
      await expect.poll(() => opening !== undefined).toBe(true);
      const page = await opening!;
      await page.locator('#root').waitFor({ state: 'attached' });
      expect(await page.getByText('正在加载…').isVisible()).toBe(false);
      files.release();
      await visit;
      await shows(page.locator('input[name=username]'));
      expect(await page.locator('.frame').count()).toBe(0);
    },
  );
});
