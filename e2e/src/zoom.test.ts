import { describe, expect } from 'vitest';
import { lostOf } from './axe.ts';
import { goTo, inBrowser, shows } from './browser.ts';
import { screens } from './screen-table.ts';
import { shownPage } from './shell.ts';

/** A window of 1280 × 1024 at 400 % zoom (WCAG 2.2, 1.4.10). */
const zoomed = { width: 320, height: 256 };

/** The spacing that WCAG 2.2 names in 1.4.12. */
const spaced = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}`;

describe('zoom and spacing', () => {
  inBrowser(
    'every screen keeps at least half of the height for its content, whatever stays in place',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: screens[0]?.path ?? '/', ...zoomed });
      const covered: string[] = [];
      for (const { name, path } of screens) {
        await goTo(page, path);
        await shownPage(page, name).waitFor();
        const room = await shownPage(page, name).evaluate((content) => {
          const { top, bottom } = content.getBoundingClientRect();
          const stuck = [...content.querySelectorAll('*')].filter(
            (element) =>
              element.checkVisibility() &&
              ['sticky', 'fixed'].includes(getComputedStyle(element).position) &&
              element.getBoundingClientRect().width > innerWidth / 2,
          );
          // Bars stay at the lower edge; heads of tables stay only while their rows are in view.
          const bars = stuck
            .filter((element) => getComputedStyle(element).bottom === '0px')
            .map((element) => element.getBoundingClientRect().height);
          return Math.min(bottom, innerHeight) - top - Math.max(0, ...bars);
        });
        if (room < zoomed.height / 2) covered.push(`${path}: ${Math.round(room)} px`);
      }
      expect(covered).toEqual([]);
    },
  );

  inBrowser(
    'every screen keeps its texts and controls in reach with the text spacing of WCAG 1.4.12',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: screens[0]?.path ?? '/' });
      await page.addStyleTag({ content: spaced });
      const lost: string[] = [];
      for (const { name, path } of screens) {
        await goTo(page, path);
        await shownPage(page, name).waitFor();
        lost.push(...(await lostOf(page)).map((element) => `${path}: ${element}`));
      }
      expect(lost).toEqual([]);
    },
  );

  inBrowser(
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
