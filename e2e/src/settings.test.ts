import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { copiedText } from './clipboard.ts';
import { mainMenu, notice, openSettings, settingsDrawer, tabBar } from './shell.ts';
import { wireOf } from './wire.ts';

const stored = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('waystation-settings') ?? '{}'));
const rootAttribute = (page: Page, name: string): Promise<string | null> =>
  page.evaluate((name) => document.documentElement.getAttribute(name), name);
const primary = (page: Page): Promise<string> =>
  page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--primary').trim().toUpperCase(),
  );

describe('the settings drawer (requirements §2, §9)', () => {
  inBrowserDaily(
    'the settings drawer is 300 px wide, shows everything on by default, and version 1.0.1',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      const drawer = await openSettings(page);
      expect((await drawer.boundingBox())!.width).toBe(300);
      for (const name of ['导航栏', '菜单栏', '多页签', '页脚'])
        await expect
          .poll(() => drawer.getByRole('switch', { name, exact: true }).isChecked())
          .toBe(true);
      for (const name of [/色弱模式/, /使用服务端菜单/])
        await expect.poll(() => drawer.getByRole('switch', { name }).isChecked()).toBe(false);
      await expect
        .poll(() => drawer.getByRole('spinbutton', { name: /菜单宽度/ }).inputValue())
        .toBe('220');
      await shows(drawer.getByText('设置版本 1.0.1'));
      await expect.poll(() => primary(page)).toBe('#165DFF');
    },
  );

  inBrowser(
    'the settings hide menu, tab bar and footer and show them again at once, without a reload',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      await page.evaluate(() => document.body.setAttribute('data-same-document', ''));
      const drawer = await openSettings(page);
      for (const [name, part] of [
        ['菜单栏', mainMenu(page)],
        ['多页签', tabBar(page)],
        ['页脚', page.getByRole('contentinfo', { includeHidden: true })],
      ] as const) {
        await shows(part);
        await drawer.getByRole('switch', { name, exact: true }).click();
        await gone(part);
        await drawer.getByRole('switch', { name, exact: true }).click();
        await shows(part);
      }
      await expect.poll(() => page.locator('body[data-same-document]').count()).toBe(1);
    },
  );

  inBrowserDaily(
    'the settings have a floating button only while the navbar is hidden; cancel closes it, and applied settings stay',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      const drawer = await openSettings(page);
      await drawer.getByRole('switch', { name: '导航栏', exact: true }).click();
      await gone(page.getByRole('banner'));
      await drawer.getByRole('button', { name: '取消' }).click();
      await gone(drawer);
      const buttons = page.getByRole('button', { name: '设置', exact: true });
      await expect.poll(() => buttons.count()).toBe(1);
      await page.reload();
      await buttons.click();
      await settingsDrawer(page).getByRole('switch', { name: '导航栏', exact: true }).click();
      await shows(page.getByRole('banner'));
      await settingsDrawer(page).getByRole('button', { name: '取消' }).click();
      await gone(settingsDrawer(page));
      await expect.poll(() => buttons.count()).toBe(1);
      await expect
        .poll(() =>
          page.getByRole('banner').getByRole('button', { name: '设置', exact: true }).count(),
        )
        .toBe(1);
    },
  );

  inBrowserDaily('the settings offer light, dark and the system’s theme', async ({ open }) => {
    const { page } = await open({ role: 'user', theme: 'system', systemTheme: 'dark' });
    await shows(mainMenu(page));
    await expect.poll(() => rootAttribute(page, 'data-theme')).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => rootAttribute(page, 'data-theme')).toBe('light');
    const drawer = await openSettings(page);
    await drawer.getByText('深色', { exact: true }).click();
    await expect.poll(() => rootAttribute(page, 'data-theme')).toBe('dark');
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe('rgb(23, 23, 26)');
    await page.reload();
    await expect.poll(() => rootAttribute(page, 'data-theme')).toBe('dark');
    await openSettings(page);
    await drawer.getByText('浅色', { exact: true }).click();
    await expect.poll(() => rootAttribute(page, 'data-theme')).toBe('light');
  });

  inBrowserDaily(
    'the settings invert the whole page by 80 % for weak colours, and restore it without a trace',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      const drawer = await openSettings(page);
      const filter = (): Promise<string> =>
        page.evaluate(() => getComputedStyle(document.documentElement).filter);
      await drawer.getByRole('switch', { name: /色弱模式/ }).click();
      await expect.poll(filter).toBe('invert(0.8)');
      await expect
        .poll(() => page.evaluate(() => getComputedStyle(document.body).filter))
        .toBe('none');
      await page.reload();
      await expect.poll(() => filter()).toBe('invert(0.8)');
      await openSettings(page);
      await drawer.getByRole('switch', { name: /色弱模式/ }).click();
      await expect.poll(filter).toBe('none');
      await expect.poll(() => rootAttribute(page, 'data-color-weak')).toBe(null);
    },
  );

  inBrowserDaily(
    'the settings change the theme colour at once and warn if white text is unreadable on it',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      const drawer = await openSettings(page);
      await drawer.getByRole('button', { name: '绿', exact: true }).click();
      await expect.poll(() => primary(page)).toBe('#007A38');
      await shows(drawer.getByText(/^#007A38，与白字对比度/));
      await drawer.getByLabel('自选颜色').fill('#ffd400');
      await shows(drawer.getByText(/仅 1\.\d（至少 4\.5）/));
      const solid = await page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--primary-solid').trim(),
      );
      expect(solid).not.toBe('#ffd400');
    },
  );

  inBrowserDaily(
    'the settings limit the menu’s width to between 160 and 400 px',
    async ({ open }) => {
      const { page } = await open({ role: 'user' });
      const drawer = await openSettings(page);
      const field = drawer.getByRole('spinbutton', { name: /菜单宽度/ });
      const width = async (): Promise<number> =>
        (await page
          .getByRole('complementary', { name: '侧栏', includeHidden: true })
          .boundingBox())!.width;
      for (const [typed, becomes] of [
        ['300', 300],
        ['999', 400],
        ['12', 160],
      ] as const) {
        await field.fill(typed);
        await field.press('Enter');
        await expect.poll(width).toBe(becomes);
      }
    },
  );

  inBrowserDaily('the settings are copied as JSON and reset', async ({ open }) => {
    const { page } = await open({ role: 'user', theme: 'dark', settings: { menuWidth: 260 } });
    const drawer = await openSettings(page);
    await drawer.getByRole('button', { name: '复制' }).click();
    await shows(notice(page, '设置已复制'));
    const copied = JSON.parse(await copiedText(page)) as Record<string, unknown>;
    expect(copied).toMatchObject({
      navbar: true,
      menu: true,
      footer: true,
      tabBar: true,
      theme: 'dark',
      colorWeak: false,
      themeColor: '#165DFF',
      menuWidth: 260,
      menuFromServer: false,
      version: '1.0.1',
    });
    await drawer.getByRole('button', { name: '恢复默认' }).click();
    await expect.poll(() => stored(page)).toMatchObject({ theme: 'system', menuWidth: 220 });
    expect(
      (await page.getByRole('complementary', { name: '侧栏', includeHidden: true }).boundingBox())!
        .width,
    ).toBe(220);
  });

  inBrowser(
    'settings are stored in the browser and, per user, on the server: another device starts with them',
    async ({ open }) => {
      const admin = await wireOf('admin');
      await admin.post('/api/arco/preferences', { name: 'settings', value: null });
      const here = await open({ role: 'admin', keepsSettings: true });
      const drawer = await openSettings(here.page);
      const sent = here.page.waitForResponse(
        (response) =>
          response.url().endsWith('/preferences') && response.request().method() === 'POST',
      );
      await drawer.getByRole('switch', { name: '页脚', exact: true }).click();
      await expect.poll(() => stored(here.page)).toMatchObject({ footer: false });
      await sent;
      const there = await open({ role: 'admin', keepsSettings: true });
      await shows(mainMenu(there.page));
      await gone(there.page.getByRole('contentinfo', { includeHidden: true }));
      const other = await open({ role: 'partner', keepsSettings: true });
      await shows(other.page.getByRole('contentinfo', { includeHidden: true }));
      await admin.post('/api/arco/preferences', { name: 'settings', value: null });
    },
  );
});
