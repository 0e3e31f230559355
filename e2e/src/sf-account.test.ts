import { expect, inject } from 'vitest';
import { violationsOf } from './axe.ts';
import { inBrowser, shows } from './browser.ts';
import { wireOf } from './wire.ts';

// Sets up the second carrier completely: an account with the keys from the carrier's console, its
// connection test and its product.

const keys = {
  partnerId: 'WAYSTATIONDEMO',
  checkWord: 'democheckword00000000000000000sf',
  monthlyCard: '7551234567',
};

inBrowser(
  'an account of SF Express is made by its own fields and passes its test',
  async (visits) => {
    const { page } = await visits.open({ role: 'super', path: '/model/merchants' });
    const { carrierUrl } = inject('product');
    const wire = await wireOf('admin');
    const { items } = await wire.get<{ items: { name: string }[] }>(
      '/api/arco/merchants?page_size=50&provider=sf',
    );
    // The account's code must be unique. The account exists already if this journey has run before
    // on the same product.
    if (items.length > 0) return;
    await page.getByRole('button', { name: '新建商家账号' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('名称').fill('顺丰账号');
    await form.getByLabel('承运商').click();
    await page.getByRole('option', { name: '顺丰速运' }).click();
    await expect
      .poll(() => form.getByLabel('接口地址').inputValue())
      .toBe('https://bspgw.sf-express.com/std/service');
    await form.getByLabel('接口地址').fill(carrierUrl);
    await form.getByLabel('月结卡号 monthlyCard').fill(keys.monthlyCard);
    await form.getByLabel('顾客编码 partnerID').fill(keys.partnerId);
    await form.getByLabel('校验码 checkWord').fill(keys.checkWord);
    await form.getByLabel('寄件人').fill('示例仓库');
    await form.getByLabel('寄件电话').fill('138 0000 0001');
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    const row = page.getByRole('row', { name: /顺丰账号/ });
    await shows(row);
    await row.getByRole('button', { name: '测试连接 顺丰账号' }).click();
    await shows(page.getByText(/顺丰账号 连接正常/));
  },
);
