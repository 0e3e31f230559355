import { describe, expect } from 'vitest';
import { gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { receiver, store } from './ordering.ts';
import { notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

const tail = String(Date.now()).slice(-8);
const phone = `137${tail}`;
const station = '示例深圳南山站';

/** Creates a contact of the clerk's station, which can be found only by its name. */
const kept = async (name: string): Promise<{ id: number; station_id: number }> => {
  const person = {
    kind: 'receive',
    name,
    phone: `136${tail}`,
    province: '上海市',
    city: '上海市',
    county: '浦东新区',
    address: '世纪大道200号',
  };
  return (await wireOf('user')).post('/api/arco/contacts', person);
};

describe('address books', () => {
  inBrowser(
    'a clerk keeps a recipient while ordering and finds it again by the end of the phone',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const paste = store(page).getByRole('textbox', { name: '粘贴整段收件信息，回车识别' });
      await paste.fill(`钱小芳 ${phone} 上海市浦东新区世纪大道100号`);
      await paste.press('Enter');
      await receiver(page).getByRole('button', { name: '存入地址簿' }).click();
      await shows(notice(page, '已将 钱小芳 存入地址簿'));
      await shows(receiver(page).getByText('来自地址簿'));

      await receiver(page).getByRole('textbox', { name: '详细地址' }).fill('另一条路2号');
      await shows(receiver(page).getByRole('button', { name: '存入地址簿' }));
      await receiver(page).getByRole('combobox', { name: '电话' }).fill(tail.slice(-4));
      await page.getByRole('option').filter({ hasText: phone }).click();
      await expect
        .poll(() => receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue())
        .toBe('世纪大道100号');
      expect(await receiver(page).getByRole('combobox', { name: '姓名' }).inputValue()).toBe(
        '钱小芳',
      );
      await shows(receiver(page).getByText('来自地址簿'));
    },
  );

  inBrowserDaily(
    'a suggestion pressed while a Chinese input method composes replaces the composed text, and the focus stays in the field',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const field = receiver(page).getByRole('combobox', { name: '电话' });
      await field.fill(tail.slice(-4));
      const option = page.getByRole('option').filter({ hasText: phone });
      await shows(option);
      const keyboard = await context.newCDPSession(page);
      await keyboard.send('Input.imeSetComposition', {
        text: 'ni',
        selectionStart: 2,
        selectionEnd: 2,
      });
      await expect.poll(() => field.inputValue()).toBe(`${tail.slice(-4)}ni`);
      await option.click();
      await expect
        .poll(() => receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue())
        .toBe('世纪大道100号');
      expect((await field.inputValue()).replaceAll(' ', '')).toBe(phone);
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    },
  );

  inBrowser(
    'the address books are a separate page; an administrator sees phones masked and may reveal one',
    async ({ open }) => {
      const { page } = await open({ role: 'admin', path: '/system/contacts?kind=receive' });
      const screen = shownPage(page, 'ContactTable');
      const first = screen.getByRole('row').nth(1);
      await shows(first.getByText(/^\d{3}\*{4}\d{4}$/));
      await first.getByRole('button').first().click();
      const drawer = page.getByRole('dialog').last();
      await drawer.getByRole('button', { name: '查看号码' }).click();
      await shows(drawer.getByText(/^\d{11}$/));
    },
  );

  inBrowserDaily(
    'all address books are searched within 31 days of the last change, which a chip says, and one station’s at any time',
    async ({ open }) => {
      const name = `周${tail}`;
      const { station_id } = await kept(name);
      const { page } = await open({ role: 'admin', path: '/system/contacts' });
      const screen = shownPage(page, 'ContactTable');
      const limited = screen.getByText('时间范围最多 31 天', { exact: true });
      await gone(limited);
      await screen.getByRole('textbox', { name: '搜索地址簿' }).fill(name);
      const row = screen.getByRole('row').filter({ hasText: name });
      await shows(row);
      await shows(limited);
      await goTo(page, `/system/contacts?q=${name}&station_id=${station_id}`);
      await gone(limited);
      await shows(row);
    },
  );

  inBrowserDaily(
    'a user who orders for several stations is offered the address book of the chosen one',
    async ({ open }) => {
      const name = `吴${tail}`;
      await kept(name);
      for (const role of ['super', 'partner'] as const) {
        const { page } = await open({ role, path: '/model/store' });
        await store(page).getByRole('combobox', { name: '网点' }).fill(station);
        await page.getByRole('option', { name: station }).click();
        await receiver(page).getByRole('combobox', { name: '姓名' }).fill(name);
        await page.getByRole('option').filter({ hasText: name }).click();
        await expect
          .poll(() => receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue())
          .toBe('世纪大道200号');
      }
    },
  );

  inBrowserDaily(
    'the last order to a recipient is repeated from the address book; without one it says where to choose',
    async ({ open }) => {
      const clerk = await wireOf('user');
      const { items } = await clerk.get<{
        items: { receive_name: string; receive_phone: string; goods: string }[];
      }>('/api/arco/expresses?tab=signed&page_size=1&fields=goods');
      const [last] = items;
      expect(last).toBeDefined();
      const [known, moved] = await Promise.all(
        ['世纪大道300号', '世纪大道400号'].map((address) =>
          clerk.post<{ id: number }>('/api/arco/contacts', {
            kind: 'receive',
            name: last!.receive_name,
            phone: last!.receive_phone,
            province: '上海市',
            city: '上海市',
            county: '浦东新区',
            address,
          }),
        ),
      );
      const fresh = await kept(`新客${tail}`);
      const { page } = await open({ role: 'user', path: `/system/contacts?id=${fresh.id}` });
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('button', { name: '再下一单' }).click();
      await shows(notice(page, new RegExp(`未找到寄给“新客${tail}”的运单`)));
      await goTo(page, `/system/contacts?id=${known!.id}`);
      await drawer.getByRole('button', { name: '再下一单' }).click();
      await expect
        .poll(() => receiver(page).getByRole('combobox', { name: '姓名' }).inputValue())
        .toBe(last!.receive_name);
      // The goods are those of the last order. The address is the contact's present address.
      expect(await receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue()).toBe(
        '世纪大道300号',
      );
      await shows(receiver(page).getByText('来自地址簿'));
      // The contact now has another address. An order for it is a different order, even with the
      // same goods.
      await goTo(page, `/system/contacts?id=${moved!.id}`);
      await drawer.getByRole('button', { name: '再下一单' }).click();
      await expect
        .poll(() => receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue())
        .toBe('世纪大道400号');
    },
  );
});
