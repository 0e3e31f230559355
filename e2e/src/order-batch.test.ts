import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { inBrowser, inBrowserDaily, shows } from './browser.ts';
import { orderRow, receiver, store } from './ordering.ts';
import {
  nameField,
  parcelsFor,
  pasteBox,
  typeFor,
  unique,
  watchOrders,
  weightField,
} from './typed-orders.ts';
import { wireOf } from './wire.ts';

describe('several people of one paste, and what the carrier takes of their texts', () => {
  inBrowser(
    'several people of one paste are checked and ordered together, and the doubtful ones stay',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const [first, second, doubtful] = [unique(), unique(), unique()];
      const lines = [
        `${first} 13900139011 上海市浦东新区世纪大道101号`,
        `${second} 13900139012 广东省广州市天河区体育西路103号`,
        `${doubtful} 13900139013 朝阳区建国路88号`,
      ];
      await pasteBox(page).fill(lines.join('\n'));
      await pasteBox(page).press('Enter');
      const batch = receiver(page).getByRole('region', { name: '3 位收件人' });
      await shows(batch);
      const goods = store(page).getByRole('combobox', { name: '物品' });
      await goods.click();
      await page.getByRole('option', { name: '文件' }).click();
      await weightField(page).fill('1');
      await batch.getByRole('textbox', { name: `${second} 的重量` }).fill('3.5');
      await shows(
        batch
          .getByRole('listitem')
          .filter({ hasText: doubtful })
          .getByText(/^请核对：/),
      );
      await shows(batch.getByRole('button', { name: '下单 2 单' }));
      await page.keyboard.press('F8');
      await shows(orderRow(page, first).getByText('待揽收'));
      await shows(orderRow(page, second).getByText('待揽收'));
      expect([
        await parcelsFor(first),
        await parcelsFor(second),
        await parcelsFor(doubtful),
      ]).toEqual([1, 1, 0]);
      const { items } = await (
        await wireOf('user')
      ).get<{ items: { weight: number }[] }>(`/api/arco/expresses?q=${encodeURIComponent(second)}`);
      expect(items[0]!.weight).toBe(3500);
      await page.reload();
      await receiver(page)
        .getByRole('button', { name: `修改 ${doubtful}` })
        .click();
      await expect.poll(() => nameField(page).inputValue()).toBe(doubtful);
    },
  );

  inBrowser(
    'a product is chosen for all people of a paste at once, and another one for one of them',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const [first, second] = [unique(), unique()];
      await pasteBox(page).fill(
        [first, second]
          .map((name, at) => `${name} 1390013902${at} 上海市浦东新区世纪大道10${at}号`)
          .join('\n'),
      );
      await pasteBox(page).press('Enter');
      const batch = receiver(page).getByRole('region', { name: '2 位收件人' });
      await shows(batch);
      const goods = store(page).getByRole('combobox', { name: '物品' });
      await goods.click();
      await page.getByRole('option', { name: '文件' }).click();
      await weightField(page).fill('1');
      const forAll = store(page).getByRole('radiogroup', { name: '时效（所有收件人）' });
      await forAll.getByRole('radio', { name: /京东标快 2 位/ }).check();
      const own = batch.getByRole('combobox', { name: `${second} 的时效` });
      await shows(own.getByText('京东标快'));
      await own.click();
      await page.getByRole('option', { name: /京东特快/ }).click();
      await shows(store(page).getByText('1 位单独选择了时效'));
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('F8');
      await shows(orderRow(page, first!).getByText('待揽收'));
      await shows(orderRow(page, second!).getByText('待揽收'));
      const wire = await wireOf('user');
      const productOf = async (name: string): Promise<string> => {
        const { items } = await wire.get<{ items: { promise_name: string }[] }>(
          `/api/arco/expresses?fields=promise_name&q=${encodeURIComponent(name)}`,
        );
        return items[0]!.promise_name;
      };
      expect([await productOf(first!), await productOf(second!)]).toEqual(['京东标快', '京东特快']);
    },
  );

  inBrowserDaily(
    'a text that the carrier refuses is marked at its field before ordering and replaced by one key, and in a list for all',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const sent = await watchOrders(context, (route) => route.continue());
      const [name, ...people] = [unique(), unique(), unique()];
      await typeFor(page, name!);
      const address = receiver(page).getByRole('textbox', { name: '详细地址' });
      await address.fill('世纪大道100号3#楼');
      await shows(receiver(page).getByText('承运商不接受以下字符：#，请替换或删除'));
      await page.keyboard.press('F8');
      await expect
        .poll(() => address.evaluate((field) => field === document.activeElement))
        .toBe(true);
      expect(sent).toEqual([]);
      await page.keyboard.press('Alt+r');
      await expect.poll(() => address.inputValue()).toBe('世纪大道100号3号楼');
      await page.keyboard.press('F8');
      await shows(orderRow(page, name!).getByText('待揽收'));
      await pasteBox(page).fill(
        people
          .map((each, at) => `${each} 1390013901${at} 上海市浦东新区世纪大道10${at}号A&B座`)
          .join('\n'),
      );
      await pasteBox(page).press('Enter');
      const batch = receiver(page).getByRole('region', { name: '2 位收件人' });
      await weightField(page).fill('1');
      await shows(batch.getByText('承运商不接受以下字符：&，请替换或删除').first());
      await batch.getByRole('button', { name: '替换字符（2 行）' }).click();
      await batch.getByRole('button', { name: '下单 2 单' }).click();
      for (const each of people) await shows(orderRow(page, each).getByText('待揽收'));
      // The two orders are sent simultaneously, so that either may arrive first.
      expect(sent.map(({ body }) => String(body['receive_address'])).toSorted()).toEqual(
        ['世纪大道100号3号楼', '世纪大道100号A＆B座', '世纪大道101号A＆B座'].toSorted(),
      );
    },
  );
});
