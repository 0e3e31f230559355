import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { inBrowserDaily, shows } from './browser.ts';
import { shownPage } from './shell.ts';

/** The background, border, shadow and outline with which an element is drawn. */
const looks = (what: Locator): Promise<string> =>
  what.evaluate((element) => {
    const { backgroundColor, borderTopWidth, boxShadow, outlineWidth } = getComputedStyle(element);
    return [backgroundColor, borderTopWidth, boxShadow, outlineWidth].join(' ');
  });

describe('forced colours', () => {
  inBrowserDaily(
    'in forced colours a switch that is on, the chosen entry, the focus and each button are visible',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/stations' });
      const screen = shownPage(page, 'StationTable');
      const toggle = screen.getByRole('switch').first();
      await shows(toggle);
      await page.emulateMedia({ forcedColors: 'active' });
      // Sets the switch to a known state first, because other journeys may have disabled the first
      // station.
      const looksSet = async (checked: 'true' | 'false'): Promise<string> => {
        await toggle.evaluate((element, to) => element.setAttribute('aria-checked', to), checked);
        return looks(toggle);
      };
      expect(await looksSet('false')).not.toBe(await looksSet('true'));
      const links = page.getByRole('navigation', { name: '主菜单' }).getByRole('link');
      expect(await looks(links.and(page.locator('[aria-current]')))).not.toBe(
        await looks(links.first()),
      );
      const button = page.getByRole('button', { name: '重新加载' }).first();
      expect(await button.evaluate((one) => getComputedStyle(one).borderTopWidth)).not.toBe('0px');
      const sorted = screen.locator(':is([aria-sort=descending], [aria-sort=ascending]) button');
      const arrows = await sorted.first().evaluate((head) => ({
        words: getComputedStyle(head).color,
        fills: Array.from(head.querySelectorAll('path'), (path) => getComputedStyle(path).fill),
      }));
      // In forced colours, the arrow of the sort order must have the colour of the text. The
      // product's own colour may be invisible on the user's background.
      expect(arrows.fills.filter((fill) => fill === arrows.words).length).toBe(1);
      const search = screen.getByRole('searchbox').or(screen.getByRole('combobox')).first();
      const unfocused = await looks(search);
      await search.focus();
      expect(await looks(search)).not.toBe(unfocused);
    },
  );

  inBrowserDaily(
    'in forced colours the bars and lines of a chart and the shape of a state differ from the ground, whatever it is',
    async ({ open }) => {
      const { page } = await open({ role: 'super' });
      const board = shownPage(page, 'Workplace');
      const chart = board.getByRole('region', { name: '经营' });
      await shows(chart.locator('svg rect').first());
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ forcedColors: 'active', colorScheme });
        const ground = await page.evaluate(() => {
          const canvas = document.body.appendChild(document.createElement('i'));
          canvas.style.cssText = 'background: Canvas; color: CanvasText; forced-color-adjust: none';
          const { backgroundColor, color } = getComputedStyle(canvas);
          canvas.remove();
          return { backgroundColor, color };
        });
        const paint = (of: Locator, name: 'fill' | 'stroke' | 'color'): Promise<string> =>
          of.first().evaluate((one, key) => getComputedStyle(one)[key], name);
        expect(await paint(chart.locator('svg rect[data-strong]'), 'fill')).not.toBe(
          ground.backgroundColor,
        );
        expect(await paint(chart.locator('svg text'), 'fill')).toBe(ground.color);
        // The surface that receives the pointer is transparent.
        expect(await paint(chart.locator('svg rect[class*=catch]'), 'fill')).toBe(
          'rgba(0, 0, 0, 0)',
        );
        expect(await paint(chart.locator('svg path[class*=upper]'), 'stroke')).toBe(ground.color);
      }
    },
  );
});
