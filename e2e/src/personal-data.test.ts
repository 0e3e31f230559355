import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { inBrowser, inBrowserDaily, shows } from './browser.ts';
import { mainMenu, notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

const page = (of: Page): Locator => shownPage(of, 'PersonalData');

describe('Personal data', () => {
  inBrowserDaily(
    'a super finds the names of a phone and exports what is held of one of them',
    async ({ open }) => {
      // Clerks see the complete phone numbers in the parcels of their own station.
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

  inBrowser(
    'a super requests an erasure, an admin approves it, and the list shows it erased',
    async ({ open }) => {
      const contact = { name: '待删除甲', phone: '13577776666' };
      await (
        await wireOf('user')
      ).post('/api/arco/contacts', {
        kind: 'receive',
        ...contact,
        province: '上海市',
        city: '上海市',
        county: '浦东新区',
        address: '测试路1号',
      });
      const { page: super_ } = await open({ role: 'super', path: '/system/personal-data' });
      const search = async () => {
        await page(super_).getByLabel('手机号').fill(contact.phone);
        await page(super_).getByLabel('姓名', { exact: true }).fill(contact.name);
        await page(super_).getByLabel('申请人或用途').fill('工单 2048');
        await page(super_).getByRole('button', { name: '查找' }).click();
      };
      await search();
      await page(super_).getByRole('checkbox', { name: contact.name }).click();
      await page(super_).getByRole('button', { name: '删除个人信息…' }).click();
      const asked = super_.getByRole('dialog', { name: '删除个人信息' });
      await shows(asked.getByText('联系人 1 条'));
      await shows(asked.getByText('承运商自己保存的信息'));
      expect(await violationsOf(super_)).toEqual([]);
      await asked.getByLabel('您的密码').fill('waystation-demo');
      await asked.getByRole('button', { name: '申请删除' }).click();
      await shows(notice(super_, /^已申请/));
      await shows(page(super_).getByRole('button', { name: /^撤回/ }));
      expect(await page(super_).getByRole('button', { name: /^批准/ }).count()).toBe(0);

      const { page: admin } = await open({ role: 'admin', path: '/system/personal-data' });
      expect(await page(admin).getByRole('button', { name: '查找' }).count()).toBe(0);
      await page(admin)
        .getByRole('button', { name: /^批准并删除: 待删除甲/ })
        .click();
      const approved = admin.getByRole('dialog', { name: '批准删除个人信息' });
      await approved.getByLabel('您的密码').fill('waystation-demo');
      expect(await violationsOf(admin)).toEqual([]);
      await approved.getByRole('button', { name: '批准并删除' }).click();
      await shows(notice(admin, /^已批准/));
      await shows(page(admin).getByText('已删除', { exact: true }).first());
      expect(await page(admin).getByText(contact.name).count()).toBe(0);
      await search();
      await shows(page(super_).getByText('未找到此号码的记录'));
      await shows(page(super_).getByText(/此号码和姓名的信息已于/));
    },
  );
});
