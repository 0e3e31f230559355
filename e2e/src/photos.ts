import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';

// Takes photographs of dialogs before and after a change (npm run photos). All are taken of one
// stored example network, with its time of creation as the present time.

/** The folder of the photographs; null if no photographs are taken. */
const folder = process.env['WAYSTATION_PHOTOS'] ?? null;
const data = process.env['WAYSTATION_E2E_DATA'];

/**
 * The time at which the first photographs of this stored network were taken. Each round uses it as
 * the present time, so that texts such as "3 hours ago" stay the same.
 */
const momentOf = (file: string): Date => {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, new Date().toISOString());
  }
  return new Date(readFileSync(file, 'utf8'));
};

export const stopClock = async (context: BrowserContext): Promise<void> => {
  if (folder !== null && data)
    await context.clock.setFixedTime(momentOf(join(data, 'photographed-at')));
};

/** True if the photographs are taken in a window of a phone's size. */
export const isNarrow = process.env['WAYSTATION_NARROW'] === '1';

/**
 * The theme and the window size of one round. In each language, the wide window has one theme and
 * the narrow window has the other, so that two rounds show all four combinations.
 */
export const roundOf = (
  language: 'zh-CN' | 'en-US',
): { theme: 'light' | 'dark'; width?: number; height?: number } => {
  const theme = folder !== null && (language === 'en-US') !== isNarrow ? 'dark' : 'light';
  return isNarrow ? { theme, width: 390, height: 844 } : { theme };
};

/** Photographs the page. `where` is the path of the photograph; digits in it are removed. */
export const photograph = async (page: Page, where: string): Promise<void> => {
  if (folder === null) return;
  mkdirSync(folder, { recursive: true });
  const name = where
    .replaceAll(/[\d.,]*\d/g, '0')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 120);
  await page.mouse.move(0, 0);
  // Uses a constructed style sheet, because the content security policy refuses the style element
  // that Playwright would add.
  await page.evaluate(() => {
    if (document.adoptedStyleSheets.length > 0) return;
    const style = new CSSStyleSheet();
    style.replaceSync(
      '* { caret-color: transparent !important; } [data-notice] { visibility: hidden; }',
    );
    document.adoptedStyleSheets = [style];
  });
  await page.screenshot({
    path: join(folder, `${name}.png`),
    animations: 'disabled',
    caret: 'initial',
  });
};
