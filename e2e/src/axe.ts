import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { limitMs } from './harness/limits.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** The rules whose result depends on the theme. */
const rulesOfTheme = ['color-contrast', 'link-in-text-block'];

const unmarkedNow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    if (document.documentElement.lang !== 'en') return [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode()) {
      const { nodeValue, parentElement } = texts.currentNode;
      if (
        /\p{Script=Han}/u.test(nodeValue ?? '') &&
        !parentElement!.closest('[lang^=zh], noscript, option, script, style, textarea')
      )
        found.push(`unmarked Chinese: ${parentElement!.outerHTML.slice(0, 300)}`);
    }
    return found;
  });

/**
 * The Chinese texts on an English page that are not marked as Chinese; axe does not check this.
 * Waits until the script that marks them has been loaded. Leaves out the options of selects and the
 * page title, because they cannot contain an element with a mark.
 */
export const unmarkedChinese = async (page: Page): Promise<string[]> => {
  for (const until = Date.now() + limitMs(5_000); ; await page.waitForTimeout(50)) {
    const found = await unmarkedNow(page);
    if (found.length === 0 || Date.now() > until) return found;
  }
};

/**
 * Checks the page with axe: with every rule of WCAG 2.2 A and AA, and with axe's best practices.
 * Returns one line for each element that violates a rule, followed by the Chinese texts that are
 * not marked as Chinese. If an open dialog hides the page from screen readers, checks only the
 * dialog, because the hidden page would take three times the processor time. `whole` checks the
 * hidden page too. `onlyTheme` checks only the rules whose result depends on the theme; the page
 * must have been checked in another theme with all rules.
 */
export const violationsOf = async (
  page: Page,
  { whole = false, onlyTheme = false }: { whole?: boolean; onlyTheme?: boolean } = {},
): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const violations = await page.evaluate(
    async (wanted) => {
      const { axe } = window as unknown as {
        axe: { run: (where: object, options: object) => Promise<{ violations: Found[] }> };
      };
      const isShown = (element: Element): boolean => element.checkVisibility();
      const isHidden = (element: Element): boolean =>
        element.closest('[aria-hidden=true]') !== null;
      const heads = [...document.querySelectorAll('h1')].filter(
        (head) => isShown(head) && head.closest('[role=dialog], [role=alertdialog]') === null,
      );
      const above = [
        ...document.querySelectorAll(
          '[role=dialog], [role=alertdialog], [role=menu], [role=listbox], [data-notice]',
        ),
      ].filter((element) => isShown(element) && !isHidden(element));
      const covered = heads.length > 0 && heads.every(isHidden) && above.length > 0;
      const where = covered && !wanted.whole ? { include: above } : document;
      const runOnly = wanted.rules
        ? { type: 'rule', values: wanted.rules }
        : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      // Voice control needs names that contain the visible text of a control; axe's rule for this
      // is off by default.
      const rules = { 'label-content-name-mismatch': { enabled: true } };
      const options = {
        runOnly,
        ...(!wanted.rules && { rules }),
        resultTypes: ['violations'],
        // Without this option, axe parses all style sheets again at each call. No requested rule
        // needs them.
        preload: { assets: ['media'] },
        selectors: false,
      };
      return (await axe.run(where, options)).violations;
    },
    { whole, rules: onlyTheme ? rulesOfTheme : undefined },
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id}: ${help} — ${html.slice(0, 300)} — ${failureSummary ?? ''}`,
    ),
  );
  return [...found, ...(await unmarkedChinese(page))];
};

/**
 * Elements with text or controls that are outside the window, and that no scrolling inside another
 * element can reach.
 */
export const lostOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element: Element | null): boolean => {
      for (
        let box = element;
        box !== null && box !== document.documentElement;
        box = box.parentElement
      ) {
        const { overflowX, position } = getComputedStyle(box);
        if (
          (overflowX === 'auto' || overflowX === 'scroll') &&
          box.scrollWidth > box.clientWidth &&
          !box.matches('[data-page]')
        )
          return true;
        if (position === 'fixed') return false;
      }
      return false;
    };
    const isHidden = (element: Element): boolean =>
      element.closest('.sr-only, [aria-hidden=true]') !== null ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const lost = [
      ...document.querySelectorAll(
        'h1, h2, p, a, button, input, textarea, td, th, dt, dd, label, summary',
      ),
    ].filter((element) => {
      if (isHidden(element)) return false;
      const { left, right, width: wide, height } = element.getBoundingClientRect();
      return wide > 1 && height > 1 && (right > width + 1 || left < -1) && !scrolls(element);
    });
    const sideways = [document.documentElement, ...document.querySelectorAll('[data-page]')].filter(
      (box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1,
    );
    return [...lost, ...sideways].map((element) => element.outerHTML.slice(0, 200));
  });
