import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, inBrowser, shows } from './browser.ts';
import { notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

interface Setup {
  station_id: number;
  done: number;
  is_open: number;
  steps: { step: string; state: string }[];
}

const called = (word: string): string => `${word}${Math.random().toString(36).slice(2, 7)}`;
const isFocused = (page: Page, name: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
/** Presses Tab until the element with this selector has the focus. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let stops = 0; stops < 60; stops++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector))
      return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
};

describe('the guide of a new station', () => {
  inBrowser(
    'the guide of a new station leads from the first key to the first parcel without the mouse, and resumes on another machine',
    async ({ open }) => {
      const name = called('向导站');
      const wire = await wireOf('super');
      const { page } = await open({ role: 'super', path: '/model/stations' });
      await shownPage(page, 'StationTable').getByRole('treegrid').getByRole('row').nth(1).waitFor();
      await page.keyboard.press('o');
      const form = page.getByRole('dialog', { name: '开通网点' });
      await shows(form);
      await expect
        .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name))
        .toBe('name');
      await page.keyboard.type(name);
      await page.keyboard.press('Control+Enter');
      await gone(form);
      const guide = page.getByRole('dialog', { name: `开通 ${name}` });
      await shows(guide.getByText('已完成 0/6'));
      // The button of the first open step has the focus. It opens the form with the fields for the
      // address and the freight scheme.
      await isFocused(page, '修改');
      const setup = (
        await wire.get<{ items: (Setup & { station_name: string })[] }>('/api/arco/stations/setups')
      ).items.find(({ station_name }) => station_name === name)!;
      const { id: project_id } = (
        await wire.get<{ items: { id: number }[] }>('/api/arco/projects?status=1')
      ).items[0]!;
      const station = await wire.get<{ version: number }>(`/api/arco/stations/${setup.station_id}`);
      const place = {
        province: '广东省',
        city: '深圳市',
        county: '南山区',
        address: '示例路9号',
        sender_name: name,
        sender_phone: '13800001099',
      };
      await wire.ask('PATCH', `/api/arco/stations/${setup.station_id}`, {
        version: station.version,
        project_id,
        ...place,
      });
      await page.close();

      const { page: other } = await open({
        role: 'super',
        path: `/model/stations?q=${encodeURIComponent(name)}`,
      });
      await shows(other.getByRole('button', { name: '开通 3/6' }));
      await other.getByRole('button', { name: '开通 3/6' }).press('Enter');
      const resumed = other.getByRole('dialog', { name: `开通 ${name}` });
      await shows(resumed.getByText(/1 kg 寄广东/));
      await isFocused(other, '新建账号');
      await other.keyboard.press('Enter');
      const account = other.getByRole('dialog', { name: '新建账号' });
      await shows(account);
      await expect
        .poll(() => other.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name))
        .toBe('username');
      await other.keyboard.type(called('manager-'));
      await other.keyboard.press('Control+Enter');
      await other.getByRole('button', { name: '已保存' }).press('Enter');
      await isFocused(other, '充值');
      await other.keyboard.press('Enter');
      const topUp = other.getByRole('dialog', { name: '充值' });
      await shows(topUp);
      await expect
        .poll(() => other.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name))
        .toBe('amount');
      await other.keyboard.type('500');
      await other.keyboard.press('Enter');
      await gone(topUp);
      await shows(notice(other, new RegExp(`已为${name}充值`)));
      await isFocused(other, '去下单');
      await other.keyboard.press('Enter');
      const store = shownPage(other, 'ExpressStore');
      await expect.poll(() => store.locator('[name="sender.name"]').inputValue()).toBe(name);
      await tabTo(other, 'textarea, input[placeholder*="粘贴"]');
      await other.keyboard.insertText('李四 13900139001 上海市浦东新区世纪大道100号');
      await other.keyboard.press('Enter');
      await expect.poll(() => store.locator('[name="receiver.name"]').inputValue()).toBe('李四');
      await store.locator('[name="goods"]').focus();
      await other.keyboard.type('文件');
      await other.getByRole('option', { name: '文件' }).waitFor();
      await other.keyboard.press('Enter');
      await store.locator('[name="weight"]').fill('1');
      await other.keyboard.press('F8');
      const parcelState = async () =>
        (await wire.get<Setup>(`/api/arco/stations/${setup.station_id}/setup`)).steps.find(
          ({ step }) => step === 'parcel',
        )!.state;
      await expect.poll(parcelState).toBe('done');
    },
  );
});
