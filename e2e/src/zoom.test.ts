import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { lostOf } from './axe.ts';
import { goTo, inBrowserDaily, shows } from './browser.ts';
import { screens } from './screen-table.ts';
import { shownPage } from './shell.ts';

/** A window of 1280 × 1024 at 400 % zoom (WCAG 2.2, 1.4.10). */
const zoomed = { width: 320, height: 256 };

/** A style with the text spacing that WCAG 2.2 requires in 1.4.12. */
const spaced = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}`;

const wide = { width: 1440, height: 900 };

/**
 * The height that is left for the scrolling content between the parts that stay at the top and at
 * the bottom.
 */
const roomOf = (content: Locator): Promise<number> =>
  content.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const stuck = [...element.querySelectorAll('*')].filter(
      (part) =>
        part.checkVisibility() &&
        ['sticky', 'fixed'].includes(getComputedStyle(part).position) &&
        part.getBoundingClientRect().width > innerWidth / 2,
    );
    // Bars stay at the lower edge of the screen. Table heads are excluded, because they stay only
    // while rows of their table are visible.
    const bars = stuck
      .filter((part) => getComputedStyle(part).bottom === '0px')
      .map((part) => part.getBoundingClientRect().height);
    return Math.min(bottom, innerHeight) - top - Math.max(0, ...bars);
  });

describe('zoom and spacing', () => {
  // Both checks use the same opened screen, because opening a screen costs more than a check.
  inBrowserDaily(
    'every screen keeps half of the height for its content at 400 % zoom, and its texts and controls in reach with the spacing of WCAG 1.4.12',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: screens[0]?.path ?? '/', ...zoomed });
      const style = await page.addStyleTag({ content: spaced });
      const space = (isOn: boolean): Promise<void> =>
        style.evaluate((tag, on) => void ((tag as HTMLStyleElement).disabled = !on), isOn);
      const covered: string[] = [];
      const lost: string[] = [];
      for (const { name, path } of screens) {
        await space(false);
        await page.setViewportSize(zoomed);
        await goTo(page, path);
        await shownPage(page, name).waitFor();
        const room = await roomOf(shownPage(page, name));
        if (room < zoomed.height / 2) covered.push(`${path}: ${Math.round(room)} px`);
        await page.setViewportSize(wide);
        await space(true);
        lost.push(...(await lostOf(page)).map((element) => `${path}: ${element}`));
      }
      expect({ covered, lost }).toEqual({ covered: [], lost: [] });
    },
  );

  inBrowserDaily(
    'the columns of a list with long English names are set within the width of a phone',
    async ({ open }) => {
      const { page } = await open({
        role: 'super',
        language: 'en-US',
        path: '/model/merchants',
        width: 390,
        height: 844,
      });
      await page.getByRole('button', { name: 'Columns', exact: true }).click();
      const reset = page.getByRole('dialog').getByRole('button', { name: 'Reset to default' });
      await shows(reset);
      const { x, width } = (await reset.boundingBox())!;
      expect(x + width).toBeLessThanOrEqual(390);
    },
  );
});
