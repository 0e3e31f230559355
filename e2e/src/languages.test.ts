import { describe, expect } from 'vitest';
import { unmarkedChinese } from './axe.ts';
import { inBrowser, inBrowserDaily, shows } from './browser.ts';
import { store } from './ordering.ts';
import { shownPage, tab } from './shell.ts';

describe('languages (requirements §2, §9)', () => {
  inBrowserDaily(
    'Chinese is the default, and English replaces an unknown language',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await page.evaluate(() => localStorage.removeItem('arco-locale'));
      await page.reload();
      await shows(page.getByRole('navigation', { name: '主菜单' }));
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
      await page.evaluate(() => localStorage.setItem('arco-locale', 'fr-FR'));
      await page.reload();
      await shows(page.getByRole('navigation', { name: 'Main menu' }));
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('en');
    },
  );

  inBrowserDaily(
    'Chinese names and addresses in an English page are marked as Chinese, English words are not',
    async ({ open }) => {
      const { page } = await open({
        role: 'admin',
        path: '/model/stations',
        language: 'en-US',
      });
      const list = shownPage(page, 'StationTable');
      const langOf = (what: ReturnType<typeof list.locator>): Promise<string | undefined> =>
        what.evaluate((one) => one.closest<HTMLElement>('[lang]')?.lang);
      const name = list.getByText('示例华南合伙人', { exact: true }).first();
      await shows(name);
      await expect.poll(() => langOf(name)).toBe('zh-CN');
      expect(await langOf(list.getByRole('heading', { level: 1 }))).toBe('en');
      await name.click();
      const address = page.getByRole('dialog').getByText(/示例路1号/);
      await shows(address);
      await expect.poll(() => langOf(address)).toBe('zh-CN');
      expect(await langOf(page.getByRole('dialog').getByText('Address', { exact: true }))).toBe(
        'en',
      );
      // The heading is marked as English, and only the Chinese name inside it is marked as Chinese.
      await page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true }).click();
      const form = page.getByRole('dialog', { name: 'Edit 示例华南合伙人' });
      const heading = form.getByRole('heading', { name: 'Edit 示例华南合伙人' });
      await shows(heading);
      expect(await langOf(heading)).toBe('en');
      expect(await langOf(heading.getByText('示例华南合伙人', { exact: true }))).toBe('zh-CN');
      expect(await unmarkedChinese(page)).toEqual([]);
    },
  );

  inBrowser(
    'a change of language affects every open page without losing typed input, and is stored',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/expresses?tab=signed' });
      const list = shownPage(page, 'ExpressTable');
      await list.getByRole('row').nth(1).getByRole('checkbox').check();
      await tab(page, '工作台').click();
      await page
        .getByRole('navigation', { name: '主菜单' })
        .getByRole('link', { name: '在线下单' })
        .click();
      const receiver = store(page).getByRole('region', { name: '收件人' });
      await receiver.getByRole('combobox', { name: '姓名' }).fill('赵一');
      await page.getByRole('button', { name: '语言' }).click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await shows(store(page).getByRole('heading', { name: /order/i, level: 1 }));
      await expect
        .poll(() => store(page).locator('[name="receiver.name"]').inputValue())
        .toBe('赵一');
      await expect
        .poll(() => page.evaluate(() => localStorage.getItem('arco-locale')))
        .toBe('en-US');
      await expect.poll(() => page.title()).toMatch(/Waystation$/);
      await page.keyboard.press('Alt+2');
      await shows(list.getByText('1 selected'));
      await page.reload();
      await shows(page.getByRole('navigation', { name: 'Main menu' }));
    },
  );

  inBrowserDaily(
    'a change of language changes texts, times and every component',
    async ({ open }) => {
      const { page } = await open({ role: 'super', language: 'en-US' });
      const workplace = shownPage(page, 'Workplace');
      await shows(workplace.getByText('Check passed, all entries match'));
      await shows(workplace.getByText(/^Updated \d\d\/\d\d, \d\d:\d\d$/));
      // All other Chinese texts on the page are data: the names of people, places and stations in
      // the example network.
      const words = (await workplace.getByRole('heading').allInnerTexts()).concat(
        await workplace.getByRole('button').allInnerTexts(),
      );
      expect(words.join(' ')).not.toMatch(/[\u4e00-\u9fff]/);
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      const list = shownPage(page, 'ExpressTable');
      await shows(list.getByRole('columnheader').last());
      expect((await list.getByRole('columnheader').allInnerTexts()).join(' ')).not.toMatch(
        /[\u4e00-\u9fff]/,
      );
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      const drawer = page.getByRole('dialog', { name: 'Settings' });
      await shows(drawer.getByRole('switch').first());
      expect((await drawer.innerText()).replace('简体中文', '')).not.toMatch(/[\u4e00-\u9fff]/);
    },
  );
});
