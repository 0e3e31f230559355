import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { shows } from './browser.ts';
import type { Coming, Visits } from './browser.ts';
import { bringHands } from './dialog-hands.ts';
import { patternsOf } from './dialog-titles.ts';
import type { Language } from './dialog-titles.ts';
import { printedParcel } from './ordered-parcel.ts';
import { shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

// Opens the dialogs that the crawl of all buttons cannot reach. They need a narrow window, a
// certain row or a certain response, which this file prepares.

type Press = (key: string) => Promise<void>;

interface Arranged {
  /** The text key of the dialog's title. */
  title: string;
  path: string;
  width?: number;
  before?: Coming['before'];
  /** Opens the dialog; absent if opening the URL is enough. */
  act?: (page: Page, press: Press) => Promise<void>;
}

/** Answers requests for labels with "no parcel could be printed". No label reaches a printer. */
const withoutLabels: Coming['before'] = async (context) => {
  await context.addInitScript(() =>
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get: () => ({ print: () => {} }),
    }),
  );
  await context.route('**/api/arco/labels', (route) => {
    const { ids } = route.request().postDataJSON() as { ids: number[] };
    const failures = ids.map((id) => ({ id, reason: { code: 'sorting_pending' } }));
    const part = (name: string, text: string): string =>
      `--labels\r\ncontent-disposition: form-data; ${name}\r\n\r\n${text}\r\n`;
    const result = JSON.stringify({ count: 0, pages: 0, failures, warnings: [], prints: [] });
    const body = `${part('name="result"', result)}${part('name="file"; filename="labels.pdf"', '%PDF-1.4')}--labels--\r\n`;
    return route.fulfill({
      status: 200,
      contentType: 'multipart/form-data; boundary=labels',
      body,
    });
  });
};

const chooseFirst = (page: Page, name: string): Promise<void> =>
  shownPage(page, name).locator('[data-row] input[type=checkbox]').first().check();

const printFirst: Arranged['act'] = async (page) => {
  await chooseFirst(page, 'ExpressTable');
  await page
    .getByRole('region', { name: /^(选择|Selection)$/ })
    .getByRole('button')
    .first()
    .click();
};

const arranged: readonly Arranged[] = [
  {
    title: 'lists.filters',
    path: '/model/expresses',
    width: 390,
    act: (_page, press) => press('lists.filters'),
  },
  {
    title: 'lists.filters',
    path: '/model/stations',
    width: 390,
    act: (_page, press) => press('lists.filters'),
  },
  { title: 'lists.unread', path: '/model/cargos?id=999999999' },
  { title: 'menu.audit', path: '/system/audit?id=999999999' },
  { title: 'menu.integrations', path: '/system/integrations?id=999999999' },
  { title: 'menu.prints', path: '/model/prints?id=999999999' },
  {
    title: 'common.print.again_title',
    path: '/model/expresses?tab=awaiting_pickup&printed=1',
    before: withoutLabels,
    act: printFirst,
  },
  {
    title: 'common.print.result_title',
    path: '/model/expresses?tab=awaiting_pickup&printed=1',
    before: withoutLabels,
    act: async (page, press) => {
      await printFirst(page, press);
      await page.getByRole('dialog').getByRole('textbox').fill('示例');
      await page.keyboard.press('Control+Enter');
    },
  },
];

/** The titles of the dialogs that this file opens. */
export const arrangedTitles: ReadonlySet<string> = new Set([
  ...arranged.map(({ title }) => title),
  'lists.view_edit',
]);

/**
 * Opens all these dialogs in one language. The text of a failure contains the title of the dialog.
 */
export const everyArrangedDialog =
  (language: Language) =>
  async ({ open, allow }: Visits): Promise<void> => {
    allow(/status of 4\d\d/);
    const office = await wireOf('super');
    // Creates a parcel that awaits pickup. The demo contains none after the last pickup of a day.
    await printedParcel(await wireOf('user'));
    const view = await office.post<{ id: number }>('/api/arco/views', {
      list: 'cargos',
      title: crypto.randomUUID().slice(0, 8),
      search: { status: '1' },
    });
    const edited: Arranged = {
      title: 'lists.view_edit',
      path: `/model/cargos?status=1&saved=${view.id}`,
      act: async (page, press) => {
        await shownPage(page, 'CargoTable').locator('nav button[aria-haspopup=menu]').click();
        await press('lists.view_edit');
      },
    };
    for (const { title, path, width, before, act } of [...arranged, edited]) {
      const [pattern] = (await patternsOf(language, [title])).values();
      const come = {
        role: 'super' as const,
        language,
        path,
        ...(width !== undefined && { width, height: 844 }),
      };
      const { page } = await open({
        ...come,
        before: (made) => Promise.all([bringHands(made), before?.(made)]),
      });
      const press: Press = async (key) => {
        const [name] = (await patternsOf(language, [key])).values();
        const button = page
          .getByRole('button', { name: name! })
          .or(page.getByRole('menuitem', { name: name! }));
        await shows(button.first());
        await button.first().click();
      };
      await act?.(page, press);
      await expect
        .poll(async () => (await page.evaluate(() => window.hands.standing()))?.title ?? '', {
          message: title,
        })
        .toMatch(pattern!);
      await expect
        .poll(async () => (await page.evaluate(() => window.hands.standing()))?.fault, {
          message: title,
        })
        .toBeNull();
      await page.close();
    }
    await office.ask('DELETE', `/api/arco/views/${view.id}`);
  };
