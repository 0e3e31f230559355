import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { inBrowser, inBrowserDaily, shows } from './browser.ts';
import { orderRow, orderedWaybill, receiver, store } from './ordering.ts';
import {
  nameField,
  parcelsFor,
  pasteBox,
  unique,
  watchOrders,
  weightField,
} from './typed-orders.ts';

const placeField = (page: Page) => receiver(page).getByRole('combobox', { name: '省 / 市 / 区县' });
const focusedName = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? null);
const paste = async (page: Page, text: string): Promise<void> => {
  await pasteBox(page).fill(text);
  await pasteBox(page).press('Enter');
};

describe('a place that does not fit on the order form', () => {
  inBrowser(
    'a district of another city is marked at the field before ordering, and its repairs are chosen by number keys',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const sent = await watchOrders(context, (route) => route.continue());
      const name = unique();
      await paste(page, `${name} 13900139000 广东省深圳市天河区体育西路101号`);
      await shows(receiver(page).getByText('“天河区”不在深圳市，而在 广州'));
      await expect.poll(() => focusedName(page)).toBe('receiver.place');
      await shows(receiver(page).getByRole('button', { name: '1 广东省 / 广州市 / 天河区' }));
      await shows(receiver(page).getByRole('button', { name: /^2 广东省 \/ 深圳市 \/ / }));
      await store(page).getByRole('combobox', { name: '物品' }).click();
      await page.getByRole('option', { name: '文件' }).click();
      await weightField(page).fill('2');
      await page.keyboard.press('F8');
      await expect.poll(() => focusedName(page)).toBe('receiver.place');
      expect([await nameField(page).inputValue(), await weightField(page).inputValue()]).toEqual([
        name,
        '2',
      ]);
      expect(sent).toEqual([]);
      await page.keyboard.press('1');
      await expect.poll(() => placeField(page).inputValue()).toBe('广东省 / 广州市 / 天河区');
      await expect.poll(() => placeField(page).getAttribute('aria-invalid')).toBe(null);
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('待揽收'));
      await orderedWaybill(page);
      expect(sent[0]!.body).toMatchObject({
        receive_city: '广州市',
        receive_county: '天河区',
        receive_address: '体育西路101号',
      });
      expect(await parcelsFor(name)).toBe(1);
    },
  );

  inBrowserDaily(
    'a former name of several present districts offers them, and the key leads on to the next empty field',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      await paste(page, `${unique()} 13900139000 河北省石家庄市桥东区建设大街1号`);
      await shows(receiver(page).getByText(/“桥东区”是旧名，现为 长安区 \/ 桥西区/));
      await expect.poll(() => focusedName(page)).toBe('receiver.place');
      await page.keyboard.press('2');
      await expect.poll(() => placeField(page).inputValue()).toBe('河北省 / 石家庄市 / 桥西区');
      await expect.poll(() => focusedName(page)).toBe('goods');
    },
  );
});
