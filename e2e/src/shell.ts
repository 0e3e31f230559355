import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { arrives, gone } from './browser.ts';

// Functions that find the parts of the console by their names, in Chinese unless a test passes
// another language. Menu and tabs are also found behind an open drawer, which hides them from
// screen readers.

export const mainMenu = (page: Page): Locator =>
  page.getByRole('navigation', { name: '主菜单', includeHidden: true });
export const tabBar = (page: Page): Locator =>
  page.getByRole('navigation', { name: '打开的页面', includeHidden: true });
export const tab = (page: Page, title: string): Locator =>
  tabBar(page).getByRole('link', { name: title });
/** The shown page. The element of each page is named after its screen. */
export const shownPage = (page: Page, name: string): Locator =>
  page.locator(`[data-page="${name}"]`);
/**
 * A button of the page itself. Lists are excluded, because rows created by other journeys may
 * contain a button of the same name.
 */
export const pageButton = (page: Page, screen: string, name: string): Locator =>
  shownPage(page, screen)
    .getByRole('button', { name, exact: true })
    .and(page.locator(':not(:is([role=grid], [role=treegrid]) *)'));
export const notFound = (page: Page): Locator => page.getByRole('heading', { name: '页面不存在' });
export const settingsDrawer = (page: Page): Locator => page.getByRole('dialog', { name: '设置' });
export const palette = (page: Page): Locator => page.getByRole('dialog', { name: '搜索与命令' });
/** The short notices that appear at the top and in the corner. */
export const notice = (page: Page, words: string | RegExp): Locator =>
  page.locator('[data-notice]').filter({ hasText: words });
/**
 * The notice at the top of the console, for example that the browser is offline or that a new
 * version exists.
 */
export const banner = (page: Page, words: string | RegExp): Locator =>
  page.getByRole('status').filter({ hasText: words });

export const openSettings = async (page: Page): Promise<Locator> => {
  await page.getByRole('button', { name: '设置', exact: true }).click();
  const drawer = settingsDrawer(page);
  await drawer.waitFor();
  return drawer;
};

/** Opens the context menu of a tab and picks an entry. */
export const pickFromTab = async (page: Page, title: string, entry: string): Promise<void> => {
  await tab(page, title).click({ button: 'right' });
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
};

/**
 * Closes the tab of the page after the check. axe would otherwise read this hidden page too, and
 * the browser would render it again at each change of size.
 */
export const closeTab = async (page: Page): Promise<void> => {
  await page.keyboard.press('Alt+w');
  await arrives(page, '/dashboard/workplace');
};

export const tabTitles = (page: Page): Promise<string[]> =>
  tabBar(page).getByRole('link').allInnerTexts();

/** The `href`s of all links inside the element, in order. */
export const hrefsIn = (box: Locator): Promise<(string | null)[]> =>
  box.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')));

/**
 * The button with the user's name in the navbar. The rest of the page is excluded, because rows of
 * lists may contain the same name.
 */
export const profileButton = (page: Page): Locator =>
  page
    .getByRole('button', { name: /示例/ })
    .and(page.locator('[aria-haspopup=menu]:not(:is([role=grid], [role=treegrid]) *)'));

export const logOut = async (page: Page): Promise<void> => {
  await profileButton(page).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
};

/** Chooses an option of a select by its text. */
export const choose = async (field: Locator, option: string | RegExp): Promise<void> => {
  await field.click();
  await field.page().getByRole('option', { name: option, exact: true }).click();
};

/** Opens the palette by its shortcut, and types this text into its field. */
export const openPalette = async (page: Page, typed: string): Promise<void> => {
  await gone(palette(page));
  await page.keyboard.press('Control+k');
  const box = palette(page).getByRole('combobox');
  await box.fill(typed);
  await expect.poll(() => box.evaluate((element) => element.matches(':focus'))).toBe(true);
};
