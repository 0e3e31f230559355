import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { goTo, inBrowser, shows } from './browser.ts';
import { mayOpen, screens } from './screen-table.ts';
import type { ScreenRow } from './screen-table.ts';
import { shownPage } from './shell.ts';

// Numbers are read whole (requirements §10.15): measured in the browser, in both languages.

/** Lists whose rows the demo has. */
const lists = (role: 'super' | 'partner' | 'user'): ScreenRow[] => screens.filter((screen) => /Table$|^AuditLog$/.test(screen.name) && mayOpen(screen, role));

/** The widest usual one; the browser of the tests draws none. */
const scrollBar = 17;

interface Measured {
  /** Pixels by which the list is wider than its box, beside which a scroll bar stands on most machines. */
  over: number;
  /** Cells whose numbers are wider than they. */
  cut: string[];
}

const measure = (page: Page, name: string): Promise<Measured> =>
  shownPage(page, name).evaluate((root, bar) => {
    const box = root.querySelector<HTMLElement>('[role=grid], [role=treegrid]')!.parentElement!;
    const cells = [...box.querySelectorAll<HTMLElement>('[role=gridcell], [role=columnheader]')];
    // A sum wherever it stands in its cell; another number at the end of its cell. A list of changes in words is no number, whatever it ends with.
    const holdsNumber = (element: HTMLElement): boolean =>
      element.matches('[data-money], [data-align=end]') ||
      element.querySelector('[data-money]') !== null ||
      /^[^；;]*¥[\d,.]+[^；;\d]{0,12}$/.test(element.innerText.trim());
    const clips = (cell: HTMLElement): boolean =>
      [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
        (element) => element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== 'visible' && holdsNumber(element),
      );
    return {
      over: Math.max(0, Math.round(Number.parseFloat(box.style.getPropertyValue('--width'))) + bar - box.clientWidth, box.scrollWidth - box.clientWidth),
      cut: [...new Set(cells.filter(clips).map((cell) => `${cell.innerText.trim()} (${cell.scrollWidth} > ${cell.clientWidth})`))],
    };
  }, scrollBar);

describe('a list at 1440 pixels (requirements §10.15)', () => {
  for (const role of ['super', 'partner', 'user'] as const)
    for (const language of ['zh-CN', 'en-US'] as const)
      inBrowser(
        `fits its default columns for ${role} in ${language}, and cuts no number`,
        async ({ open }) => {
          const { page } = await open({ role, language, path: '/dashboard/workplace' });
          const found: Record<string, Measured> = {};
          for (const screen of lists(role)) {
            await goTo(page, screen.path);
            const rows = shownPage(page, screen.name).locator('[data-row]');
            await shows(rows.first());
            found[screen.name] = await measure(page, screen.name);
          }
          expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, { over: 0, cut: [] }])));
        },
        120_000,
      );
});
