import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, gone, goTo, hrefOf, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { orderedParcel } from './ordered-parcel.ts';
import { store } from './ordering.ts';
import { logOut, pickFromTab, shownPage, tab, tabBar, tabTitles } from './shell.ts';
import { wireOf } from './wire.ts';

const landing = '/dashboard/workplace';
const all = ['工作台', '运单管理', '在线下单'];

const openAll = async (page: Page): Promise<void> => {
  for (const [path, name] of [
    ['/model/expresses', 'ExpressTable'],
    ['/model/store', 'ExpressStore'],
  ] as const) {
    await goTo(page, path);
    await shows(shownPage(page, name).getByRole('heading', { level: 1 }));
  }
  await expect.poll(() => tabTitles(page)).toEqual(all);
};

const list = (page: Page) => shownPage(page, 'ExpressTable');
const nameField = (page: Page) =>
  store(page).getByRole('region', { name: '收件人' }).getByRole('combobox', { name: '姓名' });

describe('the tab bar (requirements §2)', () => {
  inBrowser(
    'a hidden page keeps filter, scroll, selection and half-filled forms',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/expresses?tab=signed&size=50' });
      const grid = list(page).getByRole('grid');
      await shows(grid.getByRole('row').nth(3));
      await grid.getByRole('row').nth(2).getByRole('checkbox').check();
      const box = grid.locator('..');
      await box.evaluate((element) => (element.scrollTop = 400));
      await goTo(page, '/model/store');
      await nameField(page).fill('半截姓名');
      await tab(page, '运单管理').click();
      await arrives(page, '/model/expresses?tab=signed&size=50');
      await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBe(400);
      await shows(list(page).getByText('已选 1 单'));
      await tab(page, '在线下单').click();
      await expect.poll(() => nameField(page).inputValue()).toBe('半截姓名');
    },
  );

  inBrowserDaily('an open drawer stays with its page, and is hidden with it', async ({ open }) => {
    const { page } = await open({ role: 'user', path: '/model/expresses?tab=signed' });
    await list(page).getByRole('row').nth(1).getByRole('button', { name: '详情' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('tab', { name: '轨迹' }).click();
    const href = hrefOf(page);
    expect(href).toMatch(/id=\d+&view=track/);
    await page.keyboard.press('Alt+1');
    await arrives(page, landing);
    await gone(drawer);
    await page.keyboard.press('Alt+2');
    await arrives(page, href);
    await shows(drawer.getByRole('tab', { name: '轨迹', selected: true }));
  });

  inBrowserDaily(
    'an open screen stays unchanged when it is opened again, and shows another search when that is requested',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/expresses?tab=signed' });
      await shows(list(page));
      await goTo(page, landing);
      await page
        .getByRole('navigation', { name: '主菜单' })
        .getByRole('link', { name: '运单管理' })
        .click();
      await arrives(page, '/model/expresses?tab=signed');
      await goTo(page, landing);
      await shownPage(page, 'Workplace')
        .getByRole('link', { name: /待揽收/ })
        .first()
        .click();
      await arrives(page, '/model/expresses?group=awaiting_pickup');
      await expect.poll(() => tabTitles(page)).toEqual(['工作台', '运单管理']);
    },
  );

  inBrowserDaily(
    'a page is reloaded by the button and by the context menu, and is kept afterwards',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/expresses?tab=signed' });
      const mark = () => list(page).evaluate((box) => box.setAttribute('data-seen', ''));
      const marked = () => list(page).getAttribute('data-seen');
      await shows(list(page));
      await mark();
      await tabBar(page).getByRole('button', { name: '重新加载' }).click();
      await expect.poll(marked).toBe(null);
      await mark();
      await pickFromTab(page, '运单管理', '重新加载');
      await expect.poll(marked).toBe(null);
      await mark();
      await goTo(page, landing);
      await goTo(page, '/model/expresses?tab=signed');
      await shows(list(page));
      await expect.poll(() => marked()).toBe('');
    },
  );

  inBrowserDaily(
    'a tab’s context menu closes this, left, right, others and all; the Workplace is first and stays',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      const titles = () => expect.poll(() => tabTitles(page));
      await openAll(page);
      await pickFromTab(page, '在线下单', '关闭左侧');
      await titles().toEqual(['工作台', '在线下单']);
      await pickFromTab(page, '工作台', '关闭右侧');
      await titles().toEqual(['工作台']);
      await arrives(page, landing);
      await openAll(page);
      await pickFromTab(page, '运单管理', '关闭其他');
      await titles().toEqual(['工作台', '运单管理']);
      await arrives(page, '/model/expresses');
      await pickFromTab(page, '运单管理', '关闭');
      await titles().toEqual(['工作台']);
      await openAll(page);
      await pickFromTab(page, '运单管理', '全部关闭');
      await titles().toEqual(['工作台']);
      await arrives(page, landing);
      await tab(page, '工作台').click({ button: 'right' });
      await expect
        .poll(() =>
          page.getByRole('menuitem', { name: '关闭', exact: true }).getAttribute('aria-disabled'),
        )
        .toBe('true');
      await expect.poll(() => tabBar(page).getByRole('button', { name: /^关闭/ }).count()).toBe(0);
    },
  );

  inBrowserDaily(
    'a tab closes with the cross and the middle button, shows its neighbour, and can be reopened',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await openAll(page);
      await goTo(page, '/model/expresses?tab=signed');
      await tabBar(page).getByRole('button', { name: '关闭运单管理' }).click();
      await arrives(page, '/model/store');
      await tab(page, '在线下单').click({ button: 'middle' });
      await arrives(page, landing);
      await tab(page, '工作台').click({ button: 'middle' });
      await expect.poll(() => tabTitles(page)).toEqual(['工作台']);
      await pickFromTab(page, '工作台', '恢复关闭的页面');
      await arrives(page, '/model/store');
      await pickFromTab(page, '工作台', '恢复关闭的页面');
      await arrives(page, '/model/expresses?tab=signed');
    },
  );

  inBrowserDaily(
    'the tab bar is reordered by dragging; nothing comes before the Workplace',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await openAll(page);
      const item = (title: string) => tabBar(page).getByRole('listitem').filter({ hasText: title });
      await item('在线下单').dragTo(item('运单管理'));
      await expect.poll(() => tabTitles(page)).toEqual(['工作台', '在线下单', '运单管理']);
      await item('运单管理').dragTo(item('工作台'));
      await expect.poll(() => tabTitles(page)).toEqual(['工作台', '运单管理', '在线下单']);
    },
  );

  inBrowserDaily('the tab bar lists all tabs in a menu if they do not fit', async ({ open }) => {
    const { page } = await open({ role: 'user', width: 260, height: 700 });
    await openAll(page);
    await page.getByRole('button', { name: '全部 3 个页面' }).click();
    await page.getByRole('menuitem', { name: '工作台' }).click();
    await arrives(page, landing);
  });

  inBrowserDaily(
    'the tab bar is restored after the browser reloads, each tab in its place, and removed after logout',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await openAll(page);
      await goTo(page, '/model/expresses?tab=signed');
      await shows(list(page));
      await page.reload();
      await shows(list(page));
      await expect.poll(() => tabTitles(page)).toEqual(all);
      await tab(page, '在线下单').click();
      await tab(page, '运单管理').click();
      await arrives(page, '/model/expresses?tab=signed');
      await logOut(page);
      await shows(page.getByRole('heading', { name: '登录', exact: true }));
      await page.getByRole('button', { name: /clerk/ }).click();
      await page.keyboard.press('Enter');
      await arrives(page, landing);
      await expect.poll(() => tabTitles(page)).toEqual(['工作台']);
    },
  );

  inBrowser(
    'a tab marks unsaved work, and asks before closing, reloading and logging out',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      await nameField(page).fill('没存的人');
      await shows(tab(page, '在线下单').getByText('有未保存的内容'));
      const question = page.getByRole('alertdialog', { name: '有未保存的内容' });
      const keep = async (act: () => Promise<void>): Promise<void> => {
        await act();
        await shows(question.getByText(/“在线下单”有未保存的内容/));
        await question.getByRole('button', { name: '取消' }).click();
        await gone(question);
        await expect.poll(() => nameField(page).inputValue()).toBe('没存的人');
      };
      await keep(() => tabBar(page).getByRole('button', { name: '关闭在线下单' }).click());
      await keep(() => pickFromTab(page, '在线下单', '重新加载'));
      await keep(() => logOut(page));
      await tabBar(page).getByRole('button', { name: '关闭在线下单' }).click();
      await question.getByRole('button', { name: '仍要关闭' }).click();
      await arrives(page, landing);
    },
  );

  inBrowserDaily('a hidden page does not poll', async ({ open }) => {
    await orderedParcel(await wireOf('user'));
    const requests: string[] = [];
    const { page } = await open({
      role: 'user',
      path: '/model/expresses?tab=awaiting_pickup',
      before: async (context) => {
        await context.clock.install();
        context.on(
          'request',
          (request) => /\/expresses\/\d+$/.test(request.url()) && requests.push(request.url()),
        );
      },
    });
    await list(page).getByRole('row').nth(1).getByRole('button', { name: '详情' }).click();
    await shows(page.getByRole('dialog').getByText('订单号'));
    await page.clock.runFor(3_500);
    await expect.poll(() => requests.length).toBeGreaterThan(1);
    await page.keyboard.press('Alt+1');
    await page.clock.runFor(200);
    await arrives(page, landing);
    const before = requests.length;
    await page.clock.runFor(20_000);
    expect(requests.length).toBe(before);
    await page.keyboard.press('Alt+2');
    await page.clock.runFor(4_000);
    await expect.poll(() => requests.length).toBeGreaterThan(before);
  });
});
