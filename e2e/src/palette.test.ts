import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { arrives, inBrowserDaily, shows } from './browser.ts';
import { mainMenu, openPalette, palette } from './shell.ts';
import { wireOf } from './wire.ts';

describe('the palette', () => {
  inBrowserDaily(
    'Ctrl K keeps keys typed while it loads, finds parcels and contacts, shows no result of a former text below a newer one, and says why a search failed',
    async ({ open, allow }) => {
      allow(/503/);
      const wire = await wireOf('user');
      const [parcel] = (
        await wire.get<{ items: { delivery_id: string }[] }>(
          '/api/arco/expresses?tab=signed&page_size=1',
        )
      ).items;
      const [contact] = (
        await wire.get<{ items: { id: number; name: string }[] }>(
          '/api/arco/contacts?status=1&page_size=1',
        )
      ).items;
      const { page, context } = await open({ role: 'user' });
      await shows(mainMenu(page));
      let load = (): void => undefined;
      const typed = new Promise<void>((resolve) => {
        load = resolve;
      });
      await context.route(/\/palette-search-[^/]*\.js$/, async (route) => {
        await typed;
        await route.continue();
      });
      await page.keyboard.press('Control+k');
      await page.keyboard.type('ydgl');
      load();
      const field = palette(page).getByRole('combobox');
      await expect.poll(() => field.inputValue()).toBe('ydgl');
      await shows(palette(page).getByRole('option', { name: /运单管理/, selected: true }));
      await field.fill(contact!.name);
      const entry = palette(page)
        .getByRole('group', { name: '地址簿' })
        .getByRole('option')
        .first();
      await shows(entry.filter({ hasText: contact!.name }));
      await shows(palette(page).getByText(/^\d+ 项结果$/));
      expect(await violationsOf(page)).toEqual([]);
      await entry.click();
      await shows(page.getByRole('dialog', { name: contact!.name }));
      await page.keyboard.press('Escape');
      await openPalette(page, parcel!.delivery_id);
      const option = palette(page).getByRole('option').filter({ hasText: parcel!.delivery_id });
      await shows(option);
      let answer = (): void => undefined;
      const asked = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await context.route(/\/api\/arco\/search\?/, async (route) => {
        await asked;
        await route.fulfill({
          status: 503,
          json: { status: 503, data: { code: 'search_too_slow', request_id: 'r-1' }, message: '' },
        });
      });
      await palette(page).getByRole('combobox').fill(`${parcel!.delivery_id}9`);
      await shows(palette(page).getByText('正在查找'));
      expect(await option.count()).toBe(0);
      answer();
      await shows(palette(page).getByText(/查询时间过长，已停止/));
      expect(await palette(page).getByText('无匹配结果').count()).toBe(0);
    },
  );

  inBrowserDaily(
    'Enter pressed before the results are there opens the first one when they come, a further key takes it back, and nothing found says so',
    async ({ open }) => {
      const wire = await wireOf('user');
      const [parcel] = (
        await wire.get<{ items: { delivery_id: string; order_id: string }[] }>(
          '/api/arco/expresses?tab=signed&page_size=1',
        )
      ).items;
      const { page, context } = await open({ role: 'user' });
      await shows(mainMenu(page));
      let answer = (): void => undefined;
      let asked = new Promise<void>(() => undefined);
      const holdAnswers = (): void => {
        asked = new Promise<void>((resolve) => {
          answer = resolve;
        });
      };
      await context.route(/\/api\/arco\/search\?/, async (route) => {
        await asked;
        await route.continue();
      });
      holdAnswers();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('9876543210123');
      await page.keyboard.press('Enter');
      await shows(palette(page).getByText('正在查找'));
      answer();
      await shows(palette(page).getByText('无匹配结果'));
      const field = palette(page).getByRole('combobox');
      holdAnswers();
      await field.fill(parcel!.delivery_id.slice(0, -1));
      await field.press('Enter');
      await field.press(parcel!.delivery_id.slice(-1));
      answer();
      await shows(palette(page).getByRole('option', { name: parcel!.delivery_id, selected: true }));
      holdAnswers();
      await field.fill(parcel!.order_id);
      await field.press('Enter');
      await shows(palette(page).getByText('正在查找'));
      answer();
      await shows(page.getByRole('dialog', { name: new RegExp(parcel!.delivery_id) }));
      await expect.poll(() => palette(page).count()).toBe(0);
    },
  );

  inBrowserDaily(
    'Ctrl K finds a single setting by its initials, and leads a super to its row',
    async ({ open }) => {
      const { page } = await open({ role: 'super' });
      await shows(mainMenu(page));
      await openPalette(page, 'mhdje');
      await shows(palette(page).getByRole('option', { name: /免核定金额/, selected: true }));
      expect(await violationsOf(page)).toEqual([]);
      const edit = page
        .locator('[data-setting="charge_least_amount"]')
        .getByRole('button', { name: /^修改/ });
      for (const again of [false, true]) {
        if (again) await openPalette(page, '免核定');
        await page.keyboard.press('Enter');
        await arrives(page, '/system/settings');
        await expect
          .poll(() => edit.evaluate((element) => element === document.activeElement))
          .toBe(true);
        await expect
          .poll(() => edit.evaluate((element) => element.getBoundingClientRect().top > 0))
          .toBe(true);
      }
    },
  );
});
