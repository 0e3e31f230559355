import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { mainMenu, notice, openSettings, shownPage } from './shell.ts';

const titles = (page: Page): Promise<string[]> =>
  mainMenu(page).getByRole('link', { includeHidden: true }).allInnerTexts();
const widthOf = async (page: Page): Promise<number> =>
  (await page.getByRole('complementary', { name: '侧栏' }).boundingBox())!.width;

describe('the menu (requirements §2)', () => {
  inBrowserDaily(
    'the menu folds to icons by a button, stays usable, and is still folded after a reload',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await shows(mainMenu(page));
      await expect.poll(() => widthOf(page)).toBe(220);
      await page.getByRole('button', { name: '收起菜单' }).click();
      await expect.poll(() => widthOf(page)).toBe(48);
      await page.reload();
      await shows(page.getByRole('button', { name: '展开菜单' }));
      await expect.poll(() => widthOf(page)).toBe(48);
      await mainMenu(page).getByRole('link', { name: '运单管理' }).click();
      await arrives(page, '/model/expresses');
      await page.getByRole('button', { name: '展开菜单' }).click();
      await expect.poll(() => widthOf(page)).toBe(220);
    },
  );

  inBrowserDaily(
    'the menu is walked with the arrow keys and opened with Enter',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      const links = mainMenu(page).getByRole('link');
      await links.first().focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await arrives(page, '/model/expresses');
      await expect.poll(() => links.nth(1).getAttribute('aria-current')).toBe('page');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await expect
        .poll(() => links.last().evaluate((link) => link === document.activeElement))
        .toBe(true);
    },
  );

  inBrowser(
    'the menu is a drawer on a phone, which closes when a screen is picked',
    async ({ open }) => {
      const { page } = await open({ role: 'user', width: 390, height: 844 });
      const button = page.getByRole('button', { name: '打开菜单' });
      await button.click();
      const drawer = page.getByRole('dialog', { name: '驿站' });
      await drawer.getByRole('link', { name: '运单管理' }).click();
      await arrives(page, '/model/expresses');
      await gone(drawer);
      await button.click();
      await shows(drawer);
      await page.keyboard.press('Escape');
      await gone(drawer);
      await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
    },
  );

  inBrowserDaily(
    'the menu comes from the server when the setting is on, with a notice for loading and one for success',
    async ({ open }) => {
      let answer = (): void => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      const { page } = await open({
        role: 'user',
        before: (context) =>
          context.route('**/api/user/menu', async (route) => {
            await answered;
            await route.continue();
          }),
      });
      await shows(mainMenu(page).getByRole('link').last());
      const local = await titles(page);
      const drawer = await openSettings(page);
      await drawer.getByRole('switch', { name: /使用服务端菜单/ }).click();
      await shows(notice(page, '正在从服务器获取菜单'));
      answer();
      await shows(notice(page, '菜单已更新'));
      await expect.poll(() => titles(page)).toEqual(local);
      await shows(mainMenu(page).getByRole('region', { name: '运单', includeHidden: true }));
      await page.reload();
      await shows(notice(page, '菜单已更新'));
    },
  );

  inBrowserDaily(
    'the server’s menu keeps its order and omits screens that the role may not see or that do not exist',
    async ({ open }) => {
      const node = (name: string, order: number, children: object[] = []): object => ({
        path: name,
        name,
        meta: { locale: name === 'ours' ? '本部' : '', icon: '', order, roles: [] },
        children,
      });
      const data = [
        node('ours', 2, [node('ExpressStore', 2), node('ExpressTable', 1), node('Elsewhere', 3)]),
        node('Workplace', 1),
      ];
      const { page } = await open({
        role: 'user',
        settings: { menuFromServer: true },
        before: (context) =>
          context.route('**/api/user/menu', (route) =>
            route.fulfill({ json: { status: 200, data, message: '' } }),
          ),
      });
      await shows(page.getByRole('region', { name: '本部' }));
      await expect.poll(() => titles(page)).toEqual(['工作台', '运单管理', '在线下单']);
    },
  );

  inBrowserDaily(
    'the menu stays the local one, with the reason, if the server’s cannot be read',
    async ({ open, allow }) => {
      allow(/500/);
      const { page } = await open({
        role: 'user',
        before: (context) =>
          context.route('**/api/user/menu', (route) =>
            route.fulfill({
              status: 500,
              json: { status: 500, data: { code: 'internal', request_id: 'r-1' }, message: '' },
            }),
          ),
      });
      await shows(mainMenu(page).getByRole('link').last());
      const local = await titles(page);
      const drawer = await openSettings(page);
      await drawer.getByRole('switch', { name: /使用服务端菜单/ }).click();
      await shows(notice(page, /获取菜单失败，继续使用本地菜单/));
      await expect.poll(() => titles(page)).toEqual(local);
      await drawer.getByRole('button', { name: '关闭' }).click();
      await mainMenu(page).getByRole('link', { name: '运单管理' }).click();
      await shows(shownPage(page, 'ExpressTable'));
    },
  );
});
