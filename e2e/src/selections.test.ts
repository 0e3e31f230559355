import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { copiedText } from './clipboard.ts';
import { notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

const parcels = (page: Page): Locator => shownPage(page, 'ExpressTable');
const alone = (page: Page): Promise<void> =>
  expect
    .poll(() => page.locator('[role=dialog][aria-modal=true]').filter({ visible: true }).count())
    .toBe(0);

describe('a selection', () => {
  inBrowser(
    'a selection outside of the list is named, shown and dropped, and a dialog names its first five parcels',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/expresses?tab=signed' });
      const list = parcels(page);
      await list.locator('[data-row]').nth(6).waitFor();
      for (let no = 0; no < 7; no++)
        await list.locator('[data-row]').nth(no).getByRole('checkbox').click();
      await shows(list.getByText('已选 7 单'));
      expect(await list.getByText(/不在当前列表/).count()).toBe(0);
      const { items } = await (
        await wireOf('user')
      ).get<{ items: { delivery_id: string }[] }>('/api/arco/expresses?tab=signed&page_size=7');
      await goTo(page, `/model/expresses?tab=signed&q=${items[0]!.delivery_id}`);
      await shows(list.getByText('6 单不在当前列表'));
      await list.getByRole('button', { name: '查看', exact: true }).click();
      await shows(list.getByRole('list', { name: '所选' }).getByText(items[6]!.delivery_id));
      await page.keyboard.press('b');
      await page.getByRole('menuitem', { name: '批量查询轨迹' }).click();
      const named = page
        .getByRole('dialog')
        .getByRole('list', { name: '所选' })
        .getByRole('listitem');
      await expect.poll(() => named.count()).toBe(6);
      expect(await named.first().innerText()).toContain(items[0]!.delivery_id);
      await shows(named.getByText('另有 2 条'));
      await page.keyboard.press('Escape');
      await alone(page);
      await list.getByRole('button', { name: '取消选择 (6 单不在当前列表)' }).click();
      await shows(list.getByText('已选 1 单'));
      await gone(list.getByText(/不在当前列表/));
    },
  );
});

describe('an opened parcel', () => {
  inBrowserDaily(
    'an opened parcel has the keys c, p, e and ?, which act on it and not on the chosen rows',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/expresses?tab=signed' });
      const row = parcels(page).locator('[data-row]');
      await row.nth(1).waitFor();
      await row.nth(1).getByRole('checkbox').click();
      await row.first().focus();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const drawer = page.getByRole('dialog').last();
      await shows(drawer.getByRole('tab', { name: '概览' }));
      const opened = (await drawer.getByRole('heading').first().innerText())
        .replaceAll(/[^A-Z\d]/g, '')
        .slice(0, 15);
      await page.keyboard.press('c');
      await shows(notice(page, /已复制/));
      expect(opened).toContain(await copiedText(page));
      await page.keyboard.press('?');
      await shows(page.getByRole('dialog', { name: '快捷键' }));
      await page.keyboard.press('Escape');
      await gone(page.getByRole('dialog', { name: '快捷键' }));
      await page.keyboard.press('e');
      await shows(notice(page, /不能编辑|不可编辑|已签收/));
      expect(await page.getByRole('dialog').filter({ visible: true }).count()).toBe(1);
    },
  );
});

describe('the question of an approval', () => {
  inBrowserDaily(
    'the dialog of an approval closes with its page, and approves nothing',
    async ({ open }) => {
      const yuan = `13.${String((Date.now() % 90) + 10)}`;
      const { page: station } = await open({ role: 'station', path: '/model/statements' });
      await shownPage(station, 'StatementTable').getByRole('button', { name: '申请提现' }).click();
      const dialog = station.getByRole('dialog', { name: '申请提现' });
      await dialog.getByRole('textbox', { name: '金额' }).fill(yuan);
      await dialog.getByRole('button', { name: '申请提现' }).click();
      await shows(notice(station, '已提交提现申请'));
      const { page } = await open({ role: 'admin', path: '/model/statements?status=pending' });
      const requests = shownPage(page, 'StatementTable');
      const row = requests.getByRole('row').filter({ hasText: yuan });
      await row.getByRole('button', { name: /^批准/ }).click();
      const question = page.getByRole('alertdialog', { name: /批准 .* 的提现/ });
      await shows(question);
      await page.keyboard.press('Alt+1');
      await gone(question);
      await goTo(page, '/model/statements?status=pending');
      await row.waitFor();
      await row.getByRole('button', { name: /^批准/ }).click();
      await shows(question);
      await goTo(page, '/model/statements?status=pending&type=withdrawal');
      await gone(question);
      await shows(row);
    },
  );
});

describe('the days of a list', () => {
  inBrowserDaily(
    'a list’s days are shown in a chip if a filter has cut them, and not otherwise',
    async ({ open }) => {
      const { page } = await open({ role: 'admin', path: '/model/expresses' });
      const list = parcels(page);
      await list.locator('[data-row]').first().waitFor();
      const chip = list.getByText('时间范围最多 31 天', { exact: true });
      expect(await list.getByText(/31 天/).count()).toBe(0);
      await goTo(page, '/model/expresses?sort=-post_amount');
      await shows(chip);
      await goTo(page, '/model/expresses');
      await gone(chip);
    },
  );
});
