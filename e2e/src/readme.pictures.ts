import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { describe } from 'vitest';
import { gone, inBrowser, shows } from './browser.ts';
import type { Coming } from './browser.ts';
import { billOf, monthBefore, monthOf, parcelsOf } from './carrier-bill.ts';
import type { Language } from './dialog-titles.ts';
import { keepPicturedWords } from './pictured-words.ts';
import { scenes } from './scenes.ts';
import { choose, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

// Takes the pictures that README.md shows from the running product. `docs.test.mjs` checks that
// README.md and this file list the same pictures.

const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const scene = (name: string) => scenes.find((one) => one.name === name)!;

/** Blocks the stream of events, because an open stream would count as a pending request. */
const withoutStream = (context: BrowserContext): Promise<unknown> =>
  context.route('**/api/arco/events*', (route) =>
    route.fulfill({
      json: { status: 200, data: { cursor: 'none', reset: 0, events: [] }, message: '' },
    }),
  );

const take = async (page: Page, name: string, language: Language): Promise<void> => {
  // Waits until all requests have ended, because charts and lists show their final numbers only
  // then.
  await page.waitForLoadState('networkidle');
  await page.screenshot({
    path: join(folder, `${name}.png`),
    animations: 'disabled',
    caret: 'hide',
  });
  await keepPicturedWords(page, { folder, name, language });
};

interface Picture extends Pick<Coming, 'theme'> {
  name: string;
  language: Language;
  of: string;
}

const pictures: readonly Picture[] = [
  { name: 'workplace', of: 'workplace', language: 'zh-CN', theme: 'light' },
  { name: 'order', of: 'store', language: 'en-US', theme: 'light' },
  { name: 'parcel', of: 'drawer', language: 'zh-CN', theme: 'dark' },
];

describe('the pictures of the README', () => {
  for (const { name, of, language, theme } of pictures)
    inBrowser(`${name}.png`, async ({ open }) => {
      const { role, path, settle, before } = scene(of);
      const { page } = await open({
        path: await path(),
        ...(role && { role }),
        before: async (context) => {
          await withoutStream(context);
          await before?.(context);
        },
        language,
        ...(theme && { theme }),
      });
      await settle(page);
      await take(page, name, language);
    });

  inBrowser('month-end.png', async ({ open }) => {
    const wire = await wireOf('admin');
    const month = monthBefore(monthOf(new Date()));
    const bill = billOf(month, await parcelsOf(wire, month));
    const { page } = await open({
      role: 'admin',
      path: '/system/reconciliations',
      language: 'en-US',
      before: withoutStream,
    });
    const screen = shownPage(page, 'Reconciliations');
    await screen.getByRole('button', { name: 'Upload bill' }).first().click();
    const upload = page.getByRole('dialog');
    await upload.locator('input[type=file]').setInputFiles(bill.file);
    await choose(upload.getByLabel('Period'), month);
    await upload.getByRole('button', { name: /^Upload/ }).click();
    // The console asks for the columns only if no file with the same columns was imported before.
    const amount = screen.getByLabel('Meaning of 结算');
    const all = screen.getByRole('tab', { name: /^All/ });
    await shows(amount.or(all).first());
    if (await amount.isVisible()) {
      await choose(amount, /^Amount/);
      await screen.getByRole('button', { name: 'Match', exact: true }).click();
    }
    await shows(all);
    await screen.getByRole('tab', { name: /^Weight/ }).click();
    await shows(screen.locator('[role=row][data-row]').nth(3));
    await gone(screen.locator('[aria-busy=true]'));
    await take(page, 'month-end', 'en-US');
  });
});
