import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { arrives, gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { store } from './ordering.ts';
import {
  banner,
  logOut,
  mainMenu,
  notice,
  openPalette,
  palette,
  settingsDrawer,
  shownPage,
  tabBar,
} from './shell.ts';
import { isInPasteBox } from './typed-orders.ts';
import { wireOf } from './wire.ts';

interface Parcel {
  id: number;
  delivery_id: string;
  order_id: string;
  receive_phone: string;
}
/**
 * Finds a signed parcel whose last phone digits are unique. They must be unique, because journeys
 * order many parcels to the same phone.
 */
const signed = async (): Promise<Parcel> => {
  const wire = await wireOf('user');
  const parcels = async (tab: string): Promise<Parcel[]> =>
    (await wire.get<{ items: Parcel[] }>(`/api/arco/expresses?page_size=100${tab}`)).items;
  const ends = (await parcels('')).map(({ receive_phone }) => receive_phone.slice(-4));
  const found = (await parcels('&tab=signed')).find(
    ({ receive_phone }) => ends.filter((end) => end === receive_phone.slice(-4)).length === 1,
  );
  return found!;
};

/** Presses keys as fast as a scanner does, also on a busy machine. */
const scan = (page: Page, text: string): Promise<void> =>
  page.evaluate((keys) => {
    for (const key of [...keys, 'Enter'])
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
  }, text);

describe('from anywhere', () => {
  inBrowserDaily(
    'Ctrl K finds screens and actions by their words, with the keys alone',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await shows(mainMenu(page));
      await openPalette(page, '下单');
      await shows(palette(page).getByRole('option', { name: /在线下单/, selected: true }));
      await page.keyboard.press('Enter');
      await arrives(page, '/model/store');
      await openPalette(page, '深色');
      await shows(palette(page).getByRole('option', { name: /深色/, selected: true }));
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.evaluate(() => document.documentElement.dataset['theme']))
        .toBe('dark');
      await openPalette(page, 'settings');
      await shows(palette(page).getByRole('option', { name: /设置/, selected: true }));
      await page.keyboard.press('Enter');
      await shows(settingsDrawer(page));
      await page.keyboard.press('Escape');
      await gone(settingsDrawer(page));
      await openPalette(page, 'qqq');
      await shows(palette(page).getByText('无匹配结果'));
      await page.keyboard.press('Escape');
      await gone(palette(page));
    },
  );

  inBrowserDaily(
    'in the palette, Enter belongs to a Chinese input method while it composes; a press of an option then leaves nothing of it behind',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user' });
      const opener = page.getByRole('button', { name: /搜索单号、姓名、页面/ });
      await opener.focus();
      await page.keyboard.press('Enter');
      const input = palette(page).getByRole('combobox');
      await expect
        .poll(() => input.evaluate((element) => element === document.activeElement))
        .toBe(true);
      const all = await palette(page).getByRole('option').count();
      expect(await violationsOf(page)).toEqual([]);
      const keyboard = await context.newCDPSession(page);
      await keyboard.send('Input.imeSetComposition', {
        text: 'shezhi',
        selectionStart: 6,
        selectionEnd: 6,
      });
      await expect.poll(() => input.inputValue()).toBe('shezhi');
      await input.evaluate((element) =>
        element.dispatchEvent(
          new KeyboardEvent('keydown', {
            key: 'Enter',
            keyCode: 229,
            isComposing: true,
            bubbles: true,
            cancelable: true,
          }),
        ),
      );
      expect(await palette(page).getByRole('option').count()).toBe(all);
      await keyboard.send('Input.insertText', { text: '设置' });
      await shows(palette(page).getByRole('option', { name: /设置/, selected: true }));
      // Repeats Escape, because the input method receives the Escape that follows a composition.
      await expect
        .poll(async () => {
          await page.keyboard.press('Escape');
          return palette(page).isVisible();
        })
        .toBe(false);
      await expect
        .poll(() => opener.evaluate((element) => element === document.activeElement))
        .toBe(true);
      await page.keyboard.press('Enter');
      await expect
        .poll(() => input.evaluate((element) => element === document.activeElement))
        .toBe(true);
      await keyboard.send('Input.imeSetComposition', {
        text: 'xiadan',
        selectionStart: 6,
        selectionEnd: 6,
      });
      await palette(page)
        .getByRole('option', { name: /在线下单/ })
        .click();
      await arrives(page, '/model/store');
      await gone(palette(page));
      await page.keyboard.press('Control+k');
      await expect.poll(() => input.inputValue()).toBe('');
    },
  );

  inBrowser(
    'Ctrl K finds a parcel by waybill, order number or the end of a phone',
    async ({ open }) => {
      const parcel = await signed();
      const { page } = await open({ role: 'user' });
      await shows(mainMenu(page));
      for (const typed of [parcel.delivery_id, parcel.order_id, parcel.receive_phone.slice(-4)]) {
        await openPalette(page, typed);
        await palette(page).getByRole('option').filter({ hasText: parcel.delivery_id }).click();
        await shows(page.getByRole('dialog', { name: new RegExp(parcel.delivery_id) }));
        await page.keyboard.press('Escape');
        await goTo(page, '/dashboard/workplace');
      }
    },
  );

  inBrowserDaily(
    '? lists the keys, those of the page first; g and a letter opens a screen; keys are ignored while the user types',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await shows(mainMenu(page));
      for (const [letter, path] of [
        ['e', '/model/expresses'],
        ['w', '/dashboard/workplace'],
        ['o', '/model/store'],
      ] as const) {
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        await page.keyboard.press('g');
        await page.keyboard.press(letter);
        await arrives(page, path);
      }
      // Waits until the form has taken the focus, because keys that were pressed before would be
      // typed into the form.
      await expect.poll(() => isInPasteBox(page)).toBe(true);
      await goTo(page, '/model/expresses');
      await shows(shownPage(page, 'ExpressTable').getByRole('grid'));
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: '快捷键' });
      await shows(sheet.getByRole('heading', { name: '全局' }));
      await expect
        .poll(() => sheet.getByRole('heading', { level: 3 }).allInnerTexts())
        .toEqual(['本页', '全局']);
      await shows(sheet.getByText('搜索与命令'));
      await page.keyboard.press('Escape');
      await gone(sheet);
      const search = shownPage(page, 'ExpressTable').getByRole('textbox', { name: '搜索运单' });
      await search.focus();
      await page.keyboard.type('gw?', { delay: 60 });
      await expect.poll(() => search.inputValue()).toBe('gw?');
      await expect.poll(() => sheet.count()).toBe(0);
    },
  );

  inBrowserDaily('single keys can be turned off; those with a modifier stay', async ({ open }) => {
    const { page } = await open({ role: 'user', settings: { singleKeys: false } });
    await shows(mainMenu(page));
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.keyboard.press('Control+k');
    await shows(palette(page));
    await arrives(page, '/dashboard/workplace');
  });

  inBrowser(
    'a scanned number opens its parcel outside of input fields; an unknown one is reported',
    async ({ open }) => {
      const parcel = await signed();
      const { page } = await open({ role: 'user' });
      await shows(mainMenu(page));
      await scan(page, parcel.delivery_id);
      await shows(page.getByRole('dialog', { name: new RegExp(parcel.delivery_id) }));
      await page.keyboard.press('Escape');
      await scan(page, 'JDVE99999999999');
      await shows(notice(page, '未找到 JDVE99999999999'));
    },
  );

  inBrowserDaily(
    'the profile menu names the user and holds settings, keys and logout',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await page.getByRole('button', { name: /示例店员/ }).click();
      await shows(page.getByText('clerk · 店员 · 示例深圳南山站'));
      await page.getByRole('menuitem', { name: /快捷键/ }).click();
      await shows(page.getByRole('dialog', { name: '快捷键' }));
      await page.keyboard.press('Escape');
      await logOut(page);
      await arrives(page, '/login');
      await shows(page.getByText('已退出登录。'));
    },
  );

  inBrowserDaily('full screen can be switched on and off', async ({ open }) => {
    const { page } = await open({ role: 'user' });
    const isFull = (): Promise<boolean> => page.evaluate(() => document.fullscreenElement !== null);
    await page.getByRole('button', { name: '全屏', exact: true }).click();
    await expect.poll(isFull).toBe(true);
    await page.getByRole('button', { name: '退出全屏' }).click();
    await expect.poll(isFull).toBe(false);
  });

  inBrowserDaily(
    'a newer version is announced when the window gets the focus, and can be postponed',
    async ({ open }) => {
      const { page, context } = await open({
        role: 'user',
        before: (context) => context.clock.install(),
      });
      await shows(mainMenu(page));
      await context.route('**/build.json', (route) =>
        route.fulfill({ json: { build: 'assets/main-newer.js' } }),
      );
      await page.clock.fastForward(61_000);
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      const notification = banner(page, '有新版本，刷新后生效。');
      await shows(notification);
      await notification.getByRole('button', { name: '稍后' }).click();
      await gone(notification);
      await page.clock.fastForward(61_000);
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await shows(notification);
      await context.unroute('**/build.json');
      await notification.getByRole('button', { name: '立即刷新' }).click();
      await shows(mainMenu(page));
      await gone(notification);
    },
  );

  inBrowser(
    'an expiring session shows a warning, can be extended, and keeps the half-filled form',
    async ({ open }) => {
      const { page } = await open({
        role: 'user',
        path: '/model/store',
        before: async (context) => {
          await context.clock.install();
          await context.route('**/api/arco/about', async (route) => {
            const answer = await route.fetch();
            const body = (await answer.json()) as { data: { session: object } };
            await route.fulfill({
              response: answer,
              json: {
                ...body,
                data: { ...body.data, session: { idle_minutes: 4, absolute_hours: 12 } },
              },
            });
          });
        },
      });
      await store(page).locator('[name="receiver.name"]').fill('还没写完');
      const notification = banner(page, /长时间未操作，1:\d\d 后退出登录。填写的内容会保留。/);
      // The clock advances in steps, because each response counts as use of the session. A response
      // may come from the address book or answer a late request.
      await expect
        .poll(async () => {
          await page.clock.runFor(10_000);
          return notification.isVisible();
        })
        .toBe(true);
      await notification.getByRole('button', { name: '继续使用' }).click();
      await gone(notification);
      await expect
        .poll(() => store(page).locator('[name="receiver.name"]').inputValue())
        .toBe('还没写完');
    },
  );

  inBrowserDaily('logging out in one window ends the others', async ({ open }) => {
    const { page, context } = await open({ role: 'user' });
    const second = await context.newPage();
    await second.goto('/#/model/expresses');
    await shows(shownPage(second, 'ExpressTable'));
    await logOut(page);
    await shows(second.getByText('已在另一窗口退出登录。'));
  });

  inBrowserDaily('the footer names the version and the kind of this network', async ({ open }) => {
    const { page } = await open({ role: 'user' });
    const footer = page.getByRole('contentinfo');
    for (const words of ['驿站 Waystation', /^版本 \d+\.\d+\.\d+$/, '演示环境', '模拟承运商'])
      await shows(footer.getByText(words));
  });

  inBrowserDaily('the whole shell is operated by keyboard alone', async ({ open }) => {
    const { page } = await open();
    const focused = (): Promise<string> =>
      page.evaluate(() =>
        (
          document.activeElement?.getAttribute('aria-label') ??
          document.activeElement?.textContent ??
          ''
        ).trim(),
      );
    /** Presses Tab until an element with this name has the focus; fails if none gets it. */
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let step = 0; step < 120; step += 1) {
        await page.keyboard.press('Tab');
        if (name.test(await focused())) return;
      }
      throw new Error(`Tab never came to ${name}`);
    };
    // Logs in by keyboard.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('login-username');
    await page.keyboard.type('clerk');
    await page.keyboard.press('Tab');
    await page.keyboard.type('waystation-demo');
    await page.keyboard.press('Enter');
    await arrives(page, '/dashboard/workplace');
    // Uses the link that skips the menu and the navbar and moves to the content.
    await tabTo(/^跳到内容$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
    // Checks how the menu works by keyboard.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await tabTo(/^运单管理$/);
    await page.keyboard.press('Enter');
    await arrives(page, '/model/expresses');
    // Collapses the menu.
    await tabTo(/^收起菜单$/);
    await page.keyboard.press('Enter');
    await shows(page.getByRole('button', { name: '展开菜单' }));
    // Selects, moves and closes tabs in the tab bar by keyboard.
    await tabTo(/^工作台$/);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused()).toBe('运单管理');
    await page.keyboard.press('Delete');
    await arrives(page, '/dashboard/workplace');
    await expect.poll(() => tabBar(page).getByRole('link').count()).toBe(1);
    // Uses the menus of language and profile by keyboard.
    await tabTo(/^语言$/);
    await page.keyboard.press('Enter');
    await shows(page.getByRole('menuitem', { name: 'English' }));
    await page.keyboard.press('Escape');
    await gone(page.getByRole('menuitem', { name: 'English' }));
    // Opens the settings, changes one setting and closes them again. The focus then returns to the
    // button that opened them.
    await tabTo(/^设置$/);
    await page.keyboard.press('Enter');
    await shows(settingsDrawer(page));
    await settingsDrawer(page).getByRole('switch', { name: '页脚', exact: true }).focus();
    await page.keyboard.press('Space');
    await gone(page.getByRole('contentinfo'));
    await page.keyboard.press('Escape');
    await gone(settingsDrawer(page));
    await expect.poll(focused).toBe('设置');
    // Uses the palette and logs out, by keyboard.
    await page.keyboard.press('Control+k');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role')))
      .toBe('combobox');
    await page.keyboard.type('退出登录');
    await shows(palette(page).getByRole('option', { name: /退出登录/, selected: true }));
    await page.keyboard.press('Enter');
    await shows(page.getByText('已退出登录。'));
  });
});
