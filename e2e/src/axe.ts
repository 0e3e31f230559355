import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Found {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** What axe finds on the page as it stands, one line an element: every rule of WCAG 2.2 A and AA, and axe's best practices. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (where: Document, options: object) => Promise<{ violations: Found[] }> } };
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    return (await axe.run(document, { runOnly, resultTypes: ['violations'] })).violations;
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help} — ${html.slice(0, 300)} — ${failureSummary ?? ''}`),
  );
};

/** Elements with words or controls that lie outside the window and cannot be scrolled to within a box of their own. */
export const lostOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element: Element | null): boolean => {
      for (let box = element; box !== null && box !== document.documentElement; box = box.parentElement) {
        const { overflowX, position } = getComputedStyle(box);
        if ((overflowX === 'auto' || overflowX === 'scroll') && box.scrollWidth > box.clientWidth && !box.matches('[data-page]')) return true;
        if (position === 'fixed') return false;
      }
      return false;
    };
    const isHidden = (element: Element): boolean =>
      element.closest('.sr-only, [aria-hidden=true]') !== null || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const lost = [...document.querySelectorAll('h1, h2, p, a, button, input, textarea, td, th, dt, dd, label, summary')].filter((element) => {
      if (isHidden(element)) return false;
      const { left, right, width: wide, height } = element.getBoundingClientRect();
      return wide > 1 && height > 1 && (right > width + 1 || left < -1) && !scrolls(element);
    });
    const sideways = [document.documentElement, ...document.querySelectorAll('[data-page]')].filter(
      (box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1,
    );
    return [...lost, ...sideways].map((element) => element.outerHTML.slice(0, 200));
  });
