import { describe, expect } from 'vitest';
import { inBrowser, shows } from './browser.ts';
import { receiver, store } from './ordering.ts';
import { notice, shownPage } from './shell.ts';

const tail = String(Date.now()).slice(-8);
const phone = `137${tail}`;

describe('address books', () => {
  inBrowser('a clerk keeps a recipient while ordering and finds it again by the end of the phone', async ({ open }) => {
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
    await page.locator('li[role="option"]', { hasText: phone }).click();
    await expect.poll(() => receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue()).toBe('世纪大道100号');
    expect(await receiver(page).getByRole('combobox', { name: '姓名' }).inputValue()).toBe('钱小芳');
    await shows(receiver(page).getByText('来自地址簿'));
  });

  inBrowser('are a page of their own; the office sees phones masked and may reveal one', async ({ open }) => {
    const { page } = await open({ role: 'admin', path: '/system/contacts?kind=receive' });
    const screen = shownPage(page, 'ContactTable');
    const first = screen.getByRole('row').nth(1);
    await shows(first.getByText(/^\d{3}\*{4}\d{4}$/));
    await first.getByRole('button').first().click();
    const drawer = page.getByRole('dialog').last();
    await drawer.getByRole('button', { name: '查看号码' }).click();
    await shows(drawer.getByText(/^\d{11}$/));
  });
});
