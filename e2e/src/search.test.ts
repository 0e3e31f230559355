import type { Locator, Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { receiver } from './ordering.ts';
import { shownPage } from './shell.ts';

const list = '/model/expresses';
const box = (page: Page): Locator =>
  shownPage(page, 'ExpressTable').getByRole('search').getByRole('textbox');

describe('the search of parcels (requirements §10.12)', () => {
  inBrowserDaily(
    'the search offers a pasted recipient to the order form, which reads it, and searches for nothing',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: list });
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await box(page).fill('赵靐芳 13900139000 上海市浦东新区世纪大道100号');
      await shows(shownPage(page, 'ExpressTable').getByText('这是收件信息'));
      await shownPage(page, 'ExpressTable').getByRole('button', { name: '去下单' }).click();
      await expect
        .poll(() => receiver(page).getByRole('combobox', { name: '姓名' }).inputValue())
        .toBe('赵靐芳');
      expect(await receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue()).toBe(
        '世纪大道100号',
      );
      // Ignores one request: after a pasted text was recognized, the order form searches for an
      // earlier parcel to the same phone.
      const asked = requests
        .map((url) => new URL(url))
        .filter(({ searchParams }) => searchParams.get('fields') !== 'created_at');
      expect(
        asked.filter(
          ({ href, searchParams }) => href.includes('13900139000') || searchParams.has('q'),
        ),
      ).toEqual([]);
      expect(page.url()).not.toContain('13900139000');
    },
  );

  inBrowserDaily(
    'the search aborts an older request when a newer text is typed, and names the limit of a longer one',
    async ({ open, allow }) => {
      allow(/q=/, /ERR_ABORTED/);
      const older = encodeURIComponent('甲乙');
      const { page } = await open({
        role: 'user',
        path: list,
        before: (context) => context.route(`**/expresses?*q=${older}*`, () => {}),
      });
      const requests = page.waitForRequest((request) => request.url().includes(older));
      await box(page).fill('甲乙');
      await requests;
      const failed = page.waitForEvent('requestfailed', (request) => request.url().includes(older));
      await box(page).fill('丙丁');
      await failed;
      await arrives(page, `${list}?q=${encodeURIComponent('丙丁')}`);
      await box(page).fill('深'.repeat(101));
      await shows(shownPage(page, 'ExpressTable').getByText('最多 100 个字符'));
    },
  );

  inBrowser(
    'the search continues with the older parcels that were not searched, each shown once',
    async ({ open }) => {
      const newest: { id: number; order_id: string }[] = [];
      // Limits the first search of the server to its three newest parcels. The continued search is
      // not changed.
      const narrow = async (route: Route): Promise<void> => {
        if (new URL(route.request().url()).searchParams.has('searched_before'))
          return route.continue();
        const answer = (await (await route.fetch()).json()) as {
          data: { items: { id: number; order_id: string }[] };
        };
        const items = answer.data.items.toSorted((a, b) => b.id - a.id).slice(0, 3);
        newest.splice(0, newest.length, ...items);
        await route.fulfill({
          json: {
            ...answer,
            data: { ...answer.data, items, next_cursor: null, searched_to: items.at(-1)!.id },
          },
        });
      };
      const { page } = await open({
        role: 'super',
        path: `${list}?q=${encodeURIComponent('张三')}`,
        before: (context) => context.route(/\/api\/arco\/expresses\?.*q=/, narrow),
      });
      const rows = shownPage(page, 'ExpressTable').locator('[data-row]');
      await shows(shownPage(page, 'ExpressTable').getByText('更早的运单尚未查找'));
      const shown = () =>
        rows.evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset['row'])));
      expect((await shown()).toSorted((a, b) => b - a)).toEqual(newest.map(({ id }) => id));
      const last = newest.at(-1)!.id;
      await shownPage(page, 'ExpressTable').getByRole('button', { name: '继续查找' }).click();
      await expect
        .poll(() => new URLSearchParams(page.url().split('?')[1]).get('searched_before'))
        .toBe(String(last));
      await expect
        .poll(async () => (await shown()).length > 0 && (await shown()).every((id) => id < last))
        .toBe(true);
      expect(
        await shownPage(page, 'ExpressTable').getByText('更早的运单尚未查找').isVisible(),
      ).toBe(false);
    },
  );
});
