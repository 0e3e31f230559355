import type { BrowserContext, Page, Route } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { arrives, gone, goTo, hrefOf, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { copiedText } from './clipboard.ts';
import { store } from './ordering.ts';
import { banner, mainMenu, shownPage, tab, tabTitles } from './shell.ts';

const listPath = '**/api/arco/expresses?*';
const list = (page: Page) => shownPage(page, 'ExpressTable');
const rows = (page: Page) => list(page).locator('[data-row]');
const failed = (status: number, code: string) => ({
  status,
  data: { code, params: {}, request_id: 'req-4711' },
  message: code,
});
const title = '登录';

/**
 * Opens the list while its request fails in the given way, and checks that the error is shown. Then
 * the request succeeds, and a retry shows the rows.
 */
const failingList = (how: (route: Route) => Promise<void>, language?: 'en-US') => ({
  role: 'user' as const,
  path: '/model/expresses',
  ...(language && { language }),
  before: (context: BrowserContext) => context.route(listPath, how),
});
const retried = async (page: Page): Promise<void> => {
  await page.context().unroute(listPath);
  await list(page)
    .getByRole('alert')
    .getByRole('button', { name: /重试|Retry/ })
    .click();
  await shows(rows(page).first());
};

describe('errors (requirements §8)', () => {
  inBrowser(
    'a body whose status is not 200 fails the call, whatever the HTTP status: text, code, request id and a retry',
    async ({ open }) => {
      const { page } = await open(
        failingList((route) =>
          route.fulfill({ status: 200, json: failed(409, 'version_conflict') }),
        ),
      );
      const alert = list(page).getByRole('alert');
      await shows(alert.getByText('version_conflict'));
      await shows(alert.getByText('req-4711'));
      await alert.getByRole('button', { name: '复制错误码与请求编号' }).click();
      await shows(alert.getByText('已复制'));
      await expect.poll(() => copiedText(page)).toBe('version_conflict req-4711');
      await retried(page);
    },
  );

  inBrowserDaily(
    'an HTTP error with an envelope is worded by its code, one without by "Request failed with status code"',
    async ({ open, allow }) => {
      allow(/50\d/);
      const { page } = await open(
        failingList(
          (route) => route.fulfill({ status: 500, json: failed(500, 'internal') }),
          'en-US',
        ),
      );
      const alert = list(page).getByRole('alert');
      await shows(alert.getByText('req-4711'));
      await page.context().unroute(listPath);
      await page.context().route(listPath, (route) =>
        route.fulfill({
          status: 501,
          body: 'proxy says no',
          headers: { 'x-request-id': 'req-9' },
        }),
      );
      await alert.getByRole('button', { name: 'Retry' }).click();
      await shows(alert.getByText('Request failed with status code 501'));
      await shows(alert.getByText('req-9'));
      await retried(page);
    },
  );

  inBrowserDaily(
    'a network failure is shown after two automatic retries',
    async ({ open, allow }) => {
      allow(/ERR_FAILED/);
      let tries = 0;
      const { page } = await open(
        failingList((route) => {
          tries += 1;
          return route.abort();
        }, 'en-US'),
      );
      await shows(
        list(page)
          .getByRole('alert')
          .getByText(/^Network Error/),
      );
      expect(tries).toBe(3);
      await retried(page);
    },
  );

  inBrowser(
    '401 of many requests at once logs out once: token, tabs and menu removed, address kept, reason shown at the login',
    async ({ open, allow }) => {
      allow(/status of 401/);
      const waiting: (() => void)[] = [];
      let documents = 0;
      const { page } = await open({
        role: 'super',
        path: '/model/expresses?id=700&view=price',
        settings: { menuFromServer: true },
        keepsSettings: true,
        before: async (context) => {
          context.on('request', (request) => request.isNavigationRequest() && (documents += 1));
          await context.route(/\/api\/(arco\/(?!about|personal|login)|user)/, async (route) => {
            // Delays every answer until four requests wait for one. All four then fail
            // simultaneously.
            await new Promise<void>((resolve) => {
              waiting.push(resolve);
              if (waiting.length >= 4) for (const go of waiting) go();
            });
            await route
              .fulfill({ status: 401, json: failed(401, 'not_logged_in') })
              .catch(() => null);
          });
        },
      });
      await shows(page.getByText('登录已失效，请重新登录。未提交的内容已保留。'));
      expect(waiting.length).toBeGreaterThanOrEqual(4);
      expect(documents).toBe(2);
      expect(hrefOf(page)).toBe('/login?id=700&view=price&redirect=ExpressTable');
      await expect
        .poll(() =>
          page.evaluate(() => [
            localStorage.getItem('token'),
            sessionStorage.getItem('waystation-tabs'),
          ]),
        )
        .toEqual([null, null]);
      await page.reload();
      await shows(page.getByRole('heading', { name: title }));
      await expect.poll(() => page.getByText('登录已失效').count()).toBe(0);
    },
  );

  inBrowser(
    'a form half filled at the end of the session is restored for the same user only',
    async ({ open, allow }) => {
      allow(/status of 401/);
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const name = store(page).locator('[name="receiver.name"]');
      await name.fill('半截姓名');
      await context.route('**/api/arco/address/parse', (route) =>
        route.fulfill({ status: 401, json: failed(401, 'not_logged_in') }),
      );
      const box = store(page).getByRole('textbox', { name: '粘贴整段收件信息，回车识别' });
      await box.fill('某某 13900139000');
      await box.press('Enter');
      await shows(page.getByText('登录已失效，请重新登录。未提交的内容已保留。'));
      await context.unroute('**/api/arco/address/parse');
      await page.getByRole('button', { name: /clerk/ }).click();
      await page.keyboard.press('Enter');
      await arrives(page, '/model/store');
      await expect.poll(() => name.inputValue()).toBe('半截姓名');
      await page.evaluate(() => localStorage.removeItem('token'));
      await page.reload();
      await page.getByRole('button', { name: /^站长/ }).click();
      await page.keyboard.press('Enter');
      await arrives(page, '/model/store');
      await shows(store(page).getByRole('heading', { level: 1 }));
      await expect.poll(() => name.inputValue()).toBe('');
    },
  );

  inBrowserDaily(
    'user info that fails logs out at once and leads to login',
    async ({ open, allow }) => {
      allow(/status of 500/, /answer: 500/);
      const { page } = await open({
        role: 'user',
        path: '/model/expresses',
        before: (context) =>
          context.route('**/api/arco/personal', (route) =>
            route.fulfill({ status: 500, json: failed(500, 'internal') }),
          ),
      });
      await shows(page.getByText('无法获取用户信息，请重新登录。'));
      await arrives(page, '/login?redirect=ExpressTable');
      await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBe(null);
    },
  );

  inBrowserDaily(
    'an unreachable server shows a banner, and the console continues once it is back',
    async ({ open, allow }) => {
      allow(/503/);
      const { page, context } = await open({
        role: 'user',
        before: (context) =>
          context.route('**/api/arco/personal', (route) =>
            route.fulfill({ status: 503, json: failed(503, 'unavailable') }),
          ),
      });
      await shows(banner(page, '服务暂时无响应，正在重试。'));
      await context.unroute('**/api/arco/personal');
      await shows(mainMenu(page));
      await gone(banner(page, '服务暂时无响应'));
    },
  );

  inBrowserDaily(
    'user info counts as failed after 30 s without an answer',
    async ({ open, allow }) => {
      allow(/503/);
      const { page } = await open({
        role: 'user',
        before: async (context) => {
          await context.clock.install();
          await context.route('**/api/arco/personal', (route) =>
            route.fulfill({ status: 503, json: failed(503, 'unavailable') }),
          );
        },
      });
      await shows(banner(page, '服务暂时无响应，正在重试。'));
      await page.clock.fastForward(27_000);
      await shows(banner(page, '服务暂时无响应，正在重试。'));
      await page.clock.fastForward(5_000);
      await shows(page.getByText('无法获取用户信息，请重新登录。'));
    },
  );

  inBrowser(
    'offline shows a banner; open pages stay readable and typed input stays',
    async ({ open, allow }) => {
      allow(/ERR_INTERNET_DISCONNECTED/);
      const { page, context } = await open({ role: 'user', path: '/model/expresses?tab=signed' });
      await shows(rows(page).first());
      await goTo(page, '/model/store');
      await store(page).locator('[name="receiver.name"]').fill('断网也在');
      await context.setOffline(true);
      await shows(banner(page, '网络已断开。已打开的内容仍可查看，填写的内容会保留。'));
      await tab(page, '运单管理').click();
      await shows(rows(page).first());
      await tab(page, '在线下单').click();
      await expect
        .poll(() => store(page).locator('[name="receiver.name"]').inputValue())
        .toBe('断网也在');
      await context.setOffline(false);
      await gone(banner(page, '网络已断开'));
    },
  );

  inBrowser(
    'a page that throws shows its error with a next step and affects no other page',
    async ({ open }) => {
      const { page } = await open({
        role: 'user',
        path: '/model/store',
        before: (context) =>
          context.route(listPath, (route) =>
            route.fulfill({
              json: { status: 200, data: { items: [null], total: 1 }, message: '' },
            }),
          ),
      });
      await store(page).locator('[name="receiver.name"]').fill('安然无恙');
      await goTo(page, '/model/expresses');
      const alert = list(page).getByRole('alert');
      await shows(alert.getByText('“运单管理”出错，请重新加载'));
      await shows(list(page).getByText('技术细节'));
      await tab(page, '在线下单').click();
      await expect
        .poll(() => store(page).locator('[name="receiver.name"]').inputValue())
        .toBe('安然无恙');
      await tab(page, '运单管理').click();
      await retried(page);
    },
  );

  inBrowserDaily('a page that throws can be left by its tab', async ({ open }) => {
    const { page } = await open({
      role: 'user',
      path: '/model/expresses',
      before: (context) =>
        context.route(listPath, (route) =>
          route.fulfill({
            json: { status: 200, data: { items: [null], total: 1 }, message: '' },
          }),
        ),
    });
    await list(page).getByRole('alert').getByRole('button', { name: '关闭' }).click();
    await arrives(page, '/dashboard/workplace');
    await expect.poll(() => tabTitles(page)).toEqual(['工作台']);
  });

  inBrowserDaily(
    'code that cannot be fetched, of a page or of the console, shows an error and offers a reload',
    async ({ open, allow }) => {
      allow(/ERR_FAILED/, /preload|dynamically imported/);
      const { page } = await open({
        role: 'user',
        before: (context) => context.route('**/assets/store-*.js', (route) => route.abort()),
      });
      await mainMenu(page).getByRole('link', { name: '在线下单' }).click();
      await shows(page.getByText('页面文件已更新或网络不通，请刷新页面'));
      await shows(mainMenu(page));
      // Only the files listed in the HTML can be loaded. Requests for all other files fail.
      const named = await (await fetch(`${inject('product').url}/`)).text();
      const fetched = (address: URL): boolean =>
        /\/assets\/[^/]+\.js$/.test(address.pathname) && !named.includes(address.pathname);
      const stranger = await open({
        before: (context) => context.route(fetched, (route) => route.abort()),
      });
      await shows(stranger.page.getByRole('heading', { name: '驿站加载失败' }));
      await stranger.context.unroute(fetched);
      await stranger.page.getByRole('button', { name: '刷新' }).click();
      await shows(stranger.page.getByRole('heading', { name: title }));
    },
  );

  inBrowserDaily('a logout without a response still logs the user out', async ({ open }) => {
    const { page } = await open({
      role: 'user',
      before: (context) => context.route('**/api/arco/logout', () => new Promise<void>(() => {})),
    });
    await page.getByRole('button', { name: /示例店员/ }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await shows(page.getByText('已退出登录。'));
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBe(null);
  });
});
