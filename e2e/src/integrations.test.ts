import { stripTypeScriptTypes } from 'node:module';
import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { inBrowser, inBrowserDaily, shows } from './browser.ts';
import { mainMenu, notice, shownPage } from './shell.ts';

const page = (of: Page): Locator => shownPage(of, 'Integrations');

/** Makes a page able to import the API client that the server offers as JavaScript. */
const serveClient = async (page: Page): Promise<void> => {
  const served = await page.request.get(new URL('/docs/waystation.ts', page.url()).href);
  expect(served.status()).toBe(200);
  const body = stripTypeScriptTypes(await served.text());
  await page.route('**/waystation-client.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body }),
  );
};

/**
 * Lists parcels with the product's API client inside the page. Returns the number of rows, or the
 * status of the error. The code is a string, because a bundler would rewrite its import.
 */
const askedByClient = (page: Page, key: string): Promise<unknown> =>
  page.evaluate(`import('/waystation-client.js').then(({ Waystation, WaystationError }) =>
    new Waystation({ baseUrl: location.origin, key: ${JSON.stringify(key)} })
      .listParcels({ page_size: 1 })
      .then(({ items }) => items.length, (error) => error instanceof WaystationError && error.status))`);

describe('Integrations', () => {
  inBrowser(
    'a station manager makes a key for a clerk, uses it by the client, and revokes it',
    async ({ open, allow }) => {
      // 422 is the response to an invalid network address range. 401 is the response to the key
      // after it was revoked.
      allow(/status of 422/, /status of 401/);
      const { page: station } = await open({ role: 'station' });
      await mainMenu(station).getByRole('link', { name: '系统集成' }).click();
      await shows(page(station).getByRole('heading', { name: '系统集成', level: 1 }));
      await page(station).getByRole('button', { name: '新建密钥' }).first().click();
      const dialog = station.getByRole('dialog');
      await dialog.getByRole('button', { name: '新建密钥' }).click();
      await shows(dialog.getByText('必填').first());
      const name = `网店 ${Date.now()}`;
      await dialog.getByLabel('名称').fill(name);
      await dialog.getByLabel('账号').fill('clerk');
      await station.getByRole('option', { name: 'clerk 店员', exact: true }).click();
      expect(await dialog.getByRole('checkbox', { name: '查询账单' }).count()).toBe(0);
      const box = dialog.getByRole('checkbox', { name: '查询运单' });
      const [edge, tick] = [await box.boundingBox(), await box.locator('svg').boundingBox()];
      expect(tick!.y + tick!.height).toBeLessThanOrEqual(edge!.y + edge!.height);
      await dialog.getByLabel('允许的地址').fill('127.0.0.0/8\nshop');
      await dialog.getByLabel('当前密码').fill('wrong');
      await dialog.getByRole('button', { name: '新建密钥' }).click();
      await shows(dialog.getByText('第 2 行'));
      await dialog.getByLabel('允许的地址').fill('127.0.0.0/8');
      await dialog.getByLabel('每日下单限额').fill('500');
      await dialog.getByRole('button', { name: '新建密钥' }).click();
      await shows(dialog.getByText('密码不正确'));
      await dialog.getByLabel('当前密码').fill('waystation-demo');
      expect(await violationsOf(station)).toEqual([]);
      await dialog.getByRole('button', { name: '新建密钥' }).click();
      const key = await dialog.locator('code').textContent();
      expect(key).toMatch(/^wsk_\w{49}$/);
      await shows(dialog.getByRole('button', { name: '复制密钥' }));
      expect(await violationsOf(station)).toEqual([]);
      await dialog.getByRole('button', { name: '已保存' }).click();
      const row = page(station).getByRole('row').filter({ hasText: name });
      await shows(row.getByText('有效'));
      await serveClient(station);
      const ask = (): Promise<unknown> => askedByClient(station, key!);
      expect(await ask()).toBe(1);
      await shows(row.getByText('¥0.00 / ¥500.00'));
      await row.getByRole('button', { name: '修改限额' }).click();
      await dialog.getByLabel('每日下单限额').fill('一元');
      await dialog.getByLabel('当前密码').fill('waystation-demo');
      await dialog.getByRole('button', { name: '保存' }).click();
      await shows(dialog.getByLabel('每日下单限额').and(station.locator('[aria-invalid="true"]')));
      await dialog.getByLabel('每日下单限额').fill('0.01');
      expect(await violationsOf(station)).toEqual([]);
      await dialog.getByRole('button', { name: '保存' }).click();
      await shows(notice(station, `已修改密钥“${name}”的限额`));
      await shows(row.getByText('¥0.00 / ¥0.01'));
      await row.getByRole('button', { name: `${name} 的更多操作` }).click();
      await station.getByRole('menuitem', { name: '撤销' }).click();
      await station.getByRole('alertdialog').getByRole('button', { name: '撤销' }).click();
      await shows(notice(station, `已撤销密钥“${name}”`));
      await shows(row.getByText('已撤销'));
      expect(await ask()).toBe(401);
      expect(await violationsOf(station)).toEqual([]);
    },
  );

  inBrowserDaily(
    'a station manager sets up a webhook, follows its test, disables, enables and removes it',
    async ({ open, allow }) => {
      // The server answers 422 to a private IP address.
      allow(/status of 422/);
      const { page: station } = await open({ role: 'station', path: '/system/integrations' });
      await page(station).getByRole('radio', { name: 'Webhook' }).click();
      const create = page(station).getByRole('button', { name: '新建 Webhook' }).first();
      await create.click();
      const dialog = station.getByRole('dialog');
      const name = `网店 ${Date.now()}`;
      await dialog.getByLabel('名称').fill(name);
      await dialog.getByLabel('接收地址').fill('https://10.0.0.1/');
      await dialog.getByLabel('当前密码').fill('waystation-demo');
      await dialog.getByRole('button', { name: '新建 Webhook' }).click();
      await shows(dialog.getByText('须为公网的 https 地址，不能是 10.0.0.1'));
      await dialog.getByLabel('接收地址').fill('https://hooks.example.invalid/');
      expect(await violationsOf(station)).toEqual([]);
      await dialog.getByRole('button', { name: '新建 Webhook' }).click();
      await shows(dialog.getByRole('button', { name: '复制密钥' }));
      expect(await dialog.locator('code').textContent()).toMatch(/^whsec_[\w+/]{43}=$/);
      await dialog.getByRole('button', { name: '已保存' }).click();
      const row = page(station).getByRole('row').filter({ hasText: name });
      await row.getByRole('button', { name: '发送测试' }).click();
      await shows(notice(station, '测试事件已加入投递'));
      await row.getByRole('button', { name: '投递记录' }).click();
      const drawer = station.getByRole('dialog', { name });
      await shows(drawer.getByText(/webhook\.test .*[1-9] 次/));
      // Finds the event by its type, because the webhook also receives the events of other
      // journeys' orders.
      const sent = drawer.locator('details').filter({ hasText: '"type": "webhook.test"' });
      await sent.locator('summary').click();
      await shows(drawer.getByText('"type": "webhook.test"'));
      expect(await violationsOf(station)).toEqual([]);
      await station.keyboard.press('Escape');
      const act = async (action: string): Promise<void> => {
        await row.getByRole('button', { name: `${name} 的更多操作` }).click();
        await station.getByRole('menuitem', { name: action, exact: true }).click();
      };
      await act('停用');
      await station.getByRole('alertdialog').getByRole('button', { name: '停用' }).click();
      await shows(row.getByText('已停用'));
      await row.getByRole('button', { name: '编辑' }).click();
      await shows(dialog.getByRole('button', { name: '保存并启用' }));
      await station.keyboard.press('Escape');
      await act('启用');
      await dialog.getByLabel('当前密码').fill('waystation-demo');
      await dialog.getByRole('button', { name: '启用' }).click();
      await shows(row.getByRole('button', { name: '发送测试' }));
      await act('移除');
      await station.getByRole('alertdialog').getByRole('button', { name: '移除' }).click();
      await expect.poll(() => row.count()).toBe(0);
      expect(await violationsOf(station)).toEqual([]);
    },
  );
});
