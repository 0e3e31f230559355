import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { inBrowser, shows } from './browser.ts';
import { shownPage } from './shell.ts';

/** The colours that a person sees of an element. */
const looks = (what: Locator): Promise<string> =>
  what.evaluate((element) => {
    const { backgroundColor, borderTopWidth, boxShadow, outlineWidth } = getComputedStyle(element);
    return [backgroundColor, borderTopWidth, boxShadow, outlineWidth].join(' ');
  });

describe('forced colours', () => {
  inBrowser(
    'in forced colours a switch that is on, the chosen entry, the focus and each button are visible',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/stations' });
      const screen = shownPage(page, 'StationTable');
      const toggle = screen.getByRole('switch').first();
      await shows(toggle);
      await page.emulateMedia({ forcedColors: 'active' });
      // Other journeys may have switched the first station off.
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
      const search = screen.getByRole('searchbox').or(screen.getByRole('combobox')).first();
      const unfocused = await looks(search);
      await search.focus();
      expect(await looks(search)).not.toBe(unfocused);
    },
  );
});
