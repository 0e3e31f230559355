import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { inBrowser, shows } from './browser.ts';
import { mainMenu, notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

const page = (of: Page): Locator => shownPage(of, 'PersonalData');

describe('Personal data', () => {
  inBrowser(
    'a super finds the names of a phone and exports what is held of one of them',
    async ({ open }) => {
      // Clerks see whole phones of their own station.
      const { items } = await (
        await wireOf('user')
      ).get<{ items: { receive_phone: string; receive_name: string }[] }>(
        '/api/arco/expresses?tab=signed&page_size=1',
      );
      const { receive_phone, receive_name } = items[0]!;
      const { page: super_ } = await open({ role: 'super' });
      await mainMenu(super_).getByRole('link', { name: '个人信息' }).click();
      await shows(page(super_).getByRole('heading', { name: '个人信息', level: 1 }));
      await page(super_).getByRole('button', { name: '查找' }).click();
      await shows(page(super_).getByText('必填'));
      await page(super_).getByLabel('手机号').fill(receive_phone);
      await page(super_).getByLabel('申请人或用途').fill('工单 1024');
      await page(super_).getByRole('button', { name: '查找' }).click();
      const first = page(super_).getByRole('checkbox', { name: receive_name }).first();
      await shows(first);
      expect(await violationsOf(super_)).toEqual([]);
      await page(super_).getByRole('button', { name: '导出所选' }).click();
      await shows(page(super_).getByText('请选择姓名'));
      await first.click();
      const [download] = await Promise.all([
        super_.waitForEvent('download'),
        page(super_).getByRole('button', { name: '导出 1 个姓名' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^personal-data-\d+\.zip$/);
      await shows(notice(super_, /^已导出/));
    },
  );

  inBrowser('an admin has no Personal data', async ({ open }) => {
    const { page: admin } = await open({ role: 'admin', path: '/dashboard/workplace' });
    await shows(mainMenu(admin).getByRole('link', { name: '操作日志' }));
    expect(await mainMenu(admin).getByRole('link', { name: '个人信息' }).count()).toBe(0);
  });
});
