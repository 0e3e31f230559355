import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, inBrowser, shows } from './browser.ts';
import { receiver } from './ordering.ts';
import { shownPage } from './shell.ts';

const list = '/model/expresses';
const box = (page: Page): Locator => shownPage(page, 'ExpressTable').getByRole('search').getByRole('textbox');

describe('the search of parcels (requirements §10.12)', () => {
  inBrowser('offers a pasted recipient to the order form, which reads it; nothing is searched for', async ({ open }) => {
    const { page } = await open({ role: 'user', path: list });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await box(page).fill('赵靐芳 13900139000 上海市浦东新区世纪大道100号');
    await shows(shownPage(page, 'ExpressTable').getByText('这是收件信息'));
    await shownPage(page, 'ExpressTable').getByRole('button', { name: '去下单' }).click();
    await expect.poll(() => receiver(page).getByRole('combobox', { name: '姓名' }).inputValue()).toBe('赵靐芳');
    expect(await receiver(page).getByRole('textbox', { name: '详细地址' }).inputValue()).toBe('世纪大道100号');
    expect(requests.filter((url) => url.includes('13900139000') || new URL(url).searchParams.has('q'))).toEqual([]);
    expect(page.url()).not.toContain('13900139000');
  });

  inBrowser('gives the older search up when a newer one is typed, and names the limit of a longer one', async ({ open, allow }) => {
    allow(/q=/, /ERR_ABORTED/);
    const older = encodeURIComponent('甲乙');
    const { page } = await open({ role: 'user', path: list, before: (context) => context.route(`**/expresses?*q=${older}*`, () => {}) });
    const requests = page.waitForRequest((request) => request.url().includes(older));
    await box(page).fill('甲乙');
    await requests;
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes(older));
    await box(page).fill('丙丁');
    await failed;
    await arrives(page, `${list}?q=${encodeURIComponent('丙丁')}`);
    await box(page).fill('深'.repeat(101));
    await shows(shownPage(page, 'ExpressTable').getByText('最多 100 个字符'));
  });
});
