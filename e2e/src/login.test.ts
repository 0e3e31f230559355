import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { languagesOf } from './daily.ts';
import { logOut, mainMenu } from './shell.ts';
import { password } from './wire.ts';

const username = (page: Page) => page.getByRole('textbox', { name: '用户名' });
const secret = (page: Page) => page.getByLabel('密码', { exact: true });
const submit = (page: Page) => page.getByRole('button', { name: '登录', exact: true });

/**
 * For each button and field, its vertical position and those of its texts that are cut or wrapped.
 */
const placesOf = (page: Page): Promise<unknown[]> =>
  page.locator('button, input').evaluateAll((all) =>
    all.map((each) => [
      each.getBoundingClientRect().y,
      ...Array.from(each.querySelectorAll('strong, code, small'))
        .filter((text) => text.scrollWidth > text.clientWidth + 1 || text.clientHeight > 24)
        .map((text) => text.textContent),
    ]),
  );

/** Answers every login with this status and body. */
const answering =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (context: BrowserContext): Promise<unknown> =>
    context.route('**/api/arco/login/password', (route) =>
      route.fulfill({ status, headers, json: body }),
    );
const failure = (status: number, code: string, params: object = {}) => ({
  status,
  data: { code, params, request_id: 'req-1' },
  message: code,
});

describe('the login page (requirements §5, §8)', () => {
  inBrowser(
    'the login page lets a demo account in with one click and Enter, and opens the Workplace',
    async ({ open }) => {
      const { page } = await open();
      await shows(page.getByRole('heading', { name: '登录', exact: true }));
      await page.getByRole('button', { name: /clerk/ }).click();
      await expect
        .poll(async () => [await username(page).inputValue(), await secret(page).inputValue()])
        .toEqual(['clerk', password]);
      await page.keyboard.press('Enter');
      await arrives(page, '/dashboard/workplace');
      await shows(mainMenu(page));
      await expect
        .poll(() => page.evaluate(() => localStorage.getItem('token')))
        .toMatch(/^[\w-]{40,}$/);
    },
  );

  inBrowser(
    'the login page asks for username and password in the words of the specification, at the field',
    async ({ open }) => {
      const { page } = await open({ language: 'en-US' });
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await shows(page.getByText('Username cannot be empty'));
      await shows(page.getByText('Password cannot be empty'));
      await expect
        .poll(() =>
          page
            .getByLabel('Username', { exact: true })
            .evaluate((field) => field === document.activeElement),
        )
        .toBe(true);
      await page.getByLabel('Username', { exact: true }).fill('clerk');
      await page.keyboard.press('Enter');
      await shows(page.getByText('Password cannot be empty'));
      await expect.poll(() => page.getByText('Username cannot be empty').count()).toBe(0);
      await expect
        .poll(() => page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid'))
        .toBe('true');
    },
  );

  inBrowser(
    'a failed login shows "Login error, refresh and try again" with the reason, stores no token, and distinguishes a wrong password from a network failure',
    async ({ open, allow }) => {
      allow(/status of 400/, /ERR_(FAILED|CONNECTION)/);
      const { page, context } = await open({ language: 'en-US' });
      await shows(page.getByRole('button', { name: /clerk/ }));
      const before = await placesOf(page);
      await page.getByLabel('Username', { exact: true }).fill('clerk');
      await page.getByLabel('Password', { exact: true }).fill('not-the-password');
      await page.keyboard.press('Enter');
      const alert = page.getByRole('alert');
      await shows(alert.getByText('Login error, refresh and try again'));
      // Each text of a demo account fits on one line. No element moves when the error appears.
      expect(before.every((place) => (place as unknown[]).length === 1)).toBe(true);
      expect(await placesOf(page)).toEqual(before);
      await shows(alert.getByText(/username or password/i));
      await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBe(null);
      await expect
        .poll(() =>
          page
            .getByLabel('Password', { exact: true })
            .evaluate((field) => field === document.activeElement),
        )
        .toBe(true);
      await context.route('**/api/arco/login/password', (route) => route.abort());
      await page.keyboard.press('Enter');
      await shows(alert.getByText(/Network Error/));
    },
  );

  inBrowserDaily(
    'a login whose answer has no token shows an error, and stores none',
    async ({ open }) => {
      const { page } = await open({
        language: 'en-US',
        before: answering(200, { status: 200, data: {}, message: '' }),
      });
      await page.getByRole('button', { name: /clerk/ }).click();
      await page.keyboard.press('Enter');
      await shows(page.getByRole('alert').getByText(/holds no access token/));
      await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBe(null);
    },
  );

  inBrowser(
    'the login page explains an ended session, and counts down after too many tries',
    async ({ open, allow }) => {
      allow(/status of 4\d\d/);
      const { page, context } = await open({
        before: answering(403, failure(403, 'account_disabled')),
      });
      await page.getByRole('button', { name: /clerk/ }).click();
      await page.keyboard.press('Enter');
      await shows(page.getByRole('alert').getByText('登录出错，请刷新重试'));
      expect((await page.getByRole('alert').innerText()).length).toBeGreaterThan(
        '登录出错，请刷新重试'.length,
      );
      await context.unroute('**/api/arco/login/password');
      await answering(429, failure(429, 'too_many_attempts', { seconds: 2 }), {
        'retry-after': '2',
      })(context);
      await submit(page).click();
      await shows(page.getByRole('button', { name: /请等待 \d 秒/ }));
      await shows(submit(page));
    },
  );

  inBrowser(
    'the login page asks for the verification code when the server requires it',
    async ({ open, allow }) => {
      allow(/status of 400/);
      const { page } = await open({
        before: answering(400, failure(400, 'second_factor_required')),
      });
      await page.getByRole('button', { name: /clerk/ }).click();
      await page.keyboard.press('Enter');
      await shows(page.getByRole('textbox', { name: '验证码' }));
    },
  );

  inBrowser('the login sends one request however often its button is pressed', async ({ open }) => {
    let requests = 0;
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { page } = await open({
      before: (context) =>
        context.route('**/api/arco/login/password', async (route) => {
          requests += 1;
          await held;
          await route.continue();
        }),
    });
    await page.getByRole('button', { name: /clerk/ }).click();
    await page.keyboard.press('Enter');
    await shows(page.getByRole('button', { name: '正在登录' }));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: '正在登录' }).click({ force: true });
    release();
    await arrives(page, '/dashboard/workplace');
    expect(requests).toBe(1);
  });

  inBrowser(
    'the login page shows and hides the password, warns of caps lock, and remembers the username but never the password',
    async ({ open }) => {
      const { page } = await open();
      await username(page).fill('clerk');
      await secret(page).fill(password);
      await page.getByRole('button', { name: '显示密码' }).click();
      await expect.poll(() => secret(page).getAttribute('type')).toBe('text');
      await page.getByRole('button', { name: '隐藏密码' }).click();
      await expect.poll(() => secret(page).getAttribute('type')).toBe('password');
      await secret(page).evaluate((field) =>
        field.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: true } as KeyboardEventInit),
        ),
      );
      await shows(page.getByText('大写锁定已打开'));
      await page.getByRole('checkbox', { name: '记住用户名' }).check();
      await submit(page).click();
      await arrives(page, '/dashboard/workplace');
      await logOut(page);
      await shows(page.getByText('已退出登录。'));
      await expect.poll(() => username(page).inputValue()).toBe('clerk');
      await expect.poll(() => secret(page).inputValue()).toBe('');
      await expect
        .poll(() =>
          page.evaluate((words) => JSON.stringify(localStorage).includes(words), password),
        )
        .toBe(false);
    },
  );

  inBrowserDaily(
    'the login page switches language and theme before the login',
    async ({ open }) => {
      const { page } = await open();
      await page.getByRole('button', { name: 'English' }).click();
      await shows(page.getByRole('heading', { name: 'Log in' }));
      await page.getByRole('button', { name: 'Switch to dark' }).click();
      await expect
        .poll(() => page.evaluate(() => document.documentElement.dataset['theme']))
        .toBe('dark');
      await page.reload();
      await shows(page.getByRole('heading', { name: 'Log in' }));
      await expect
        .poll(() => page.evaluate(() => document.documentElement.dataset['theme']))
        .toBe('dark');
    },
  );

  for (const language of languagesOf('en-US'))
    inBrowser(
      `the login page shows every demo account without scrolling at 1366 × 768 (${language})`,
      async ({ open }) => {
        const { page } = await open({ language, width: 1366, height: 768 });
        const last = page.getByRole('button', { name: /clerk/ });
        await shows(last);
        const { y = 768, height = 0 } = (await last.boundingBox()) ?? {};
        expect(y + height).toBeLessThanOrEqual(768);
        expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(768);
      },
    );

  inBrowserDaily(
    'the login page fetches nothing of the console before the user begins to type',
    async ({ open }) => {
      const { page } = await open();
      await shows(page.getByText('服务正常'));
      const bytes = (): Promise<number> =>
        page.evaluate(() =>
          (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).reduce(
            (sum, { encodedBodySize }) => sum + encodedBodySize,
            0,
          ),
        );
      await expect.poll(() => bytes()).toBeLessThan(90_000);
      const light = await bytes();
      await username(page).fill('c');
      await expect.poll(bytes).toBeGreaterThan(light + 120_000);
    },
  );
});
