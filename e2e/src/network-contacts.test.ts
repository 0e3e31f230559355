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
    await page.getByRole('option').filter({ hasText: phone }).click();
    await expect.poll(() => receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue()).toBe('世纪大道100号');
    expect(await receiver(page).getByRole('combobox', { name: '姓名' }).inputValue()).toBe('钱小芳');
    await shows(receiver(page).getByText('来自地址簿'));
  });

  inBrowser('a suggestion pressed while a Chinese input method composes replaces the composed text, and the focus stays in the field', async ({ open }) => {
    const { page, context } = await open({ role: 'user', path: '/model/store' });
    const field = receiver(page).getByRole('combobox', { name: '电话' });
    await field.fill(tail.slice(-4));
    const option = page.getByRole('option').filter({ hasText: phone });
    await shows(option);
    const keyboard = await context.newCDPSession(page);
    await keyboard.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    await expect.poll(() => field.inputValue()).toBe(`${tail.slice(-4)}ni`);
    await option.click();
    await expect.poll(() => receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue()).toBe('世纪大道100号');
    expect((await field.inputValue()).replaceAll(' ', '')).toBe(phone);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  inBrowser('address books are a separate page; an administrator sees phones masked and may reveal one', async ({ open }) => {
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
