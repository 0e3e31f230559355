import type { Page } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { withDaily } from './daily.ts';
import { mayOpen, screens } from './screen-table.ts';
import type { ScreenRow } from './screen-table.ts';
import { shownPage } from './shell.ts';
import { unknownOrder } from './ordered-parcel.ts';
import { wireOf } from './wire.ts';

// Numbers in lists must be completely visible (requirements §10.15). The tests measure this in the
// browser, in both languages.

/** The lists that have rows in the demo. */
const lists = (role: 'super' | 'partner' | 'station'): ScreenRow[] =>
  screens.filter((screen) => /Table$|^AuditLog$/.test(screen.name) && mayOpen(screen, role));

/**
 * The width in pixels of the widest common scroll bar. It must be subtracted, because the tests'
 * browser draws no scroll bars.
 */
const scrollBar = 17;

interface Measured {
  /** The number of pixels by which the list is wider than the space beside a scroll bar. */
  over: number;
  /** Cells whose numbers are wider than the cell. */
  cut: string[];
  /** The titles of columns that do not fit. */
  titles: string[];
  /**
   * The names that are cut: those of stations, and those of recipients if they have at most three
   * characters.
   */
  names: string[];
}

const measure = (page: Page, name: string): Promise<Measured> =>
  shownPage(page, name).evaluate((root, bar) => {
    const box = root.querySelector<HTMLElement>('[role=grid], [role=treegrid]')!.parentElement!;
    box.style.width = `${box.clientWidth - bar}px`;
    const cells = [...box.querySelectorAll<HTMLElement>('[role=gridcell], [role=columnheader]')];
    // Matches an amount of money anywhere in a cell, or any number in a right-aligned cell. A cell
    // with a list of changes does not match, even if it ends with a number.
    const holdsNumber = (element: HTMLElement): boolean =>
      element.matches('[data-money], [data-align=end]') ||
      element.querySelector('[data-money]') !== null ||
      /^[^；;]*¥[\d,.]+[^；;\d]{0,12}$/.test(element.innerText.trim());
    const clips = (cell: HTMLElement): boolean =>
      [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
        (element) =>
          element.scrollWidth > element.clientWidth &&
          getComputedStyle(element).overflowX !== 'visible' &&
          holdsNumber(element),
      );
    // Compares positions, because text aligned to the right overflows on the left. The scroll width
    // does not include the left side.
    const overflows = (cell: HTMLElement): boolean => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
      return inner.left < outer.left - 1 || inner.right > outer.right + 1;
    };
    const heads = [...box.querySelectorAll<HTMLElement>('[role=columnheader]')];
    const station = heads.findIndex((head) =>
      /^station(?:_name)?$/.test(head.dataset['key'] ?? ''),
    );
    const ofStations = [...box.querySelectorAll<HTMLElement>('[data-row]')].flatMap((row) => {
      const cell = row.querySelectorAll('[role=gridcell]')[station];
      return cell ? [...cell.querySelectorAll<HTMLElement>('[title]')] : [];
    });
    const measured = {
      over: Math.max(
        0,
        Math.round(Number.parseFloat(box.style.getPropertyValue('--width'))) - box.clientWidth,
        box.scrollWidth - box.clientWidth,
      ),
      cut: [
        ...new Set(
          cells
            .filter(clips)
            .map((cell) => `${cell.innerText.trim()} (${cell.scrollWidth} > ${cell.clientWidth})`),
        ),
      ],
      titles: cells
        .filter((cell) => cell.matches('[role=columnheader]') && overflows(cell))
        .map((cell) => cell.innerText.trim()),
      names: [
        ...[...box.querySelectorAll<HTMLElement>('[data-person]')].filter(
          (name) => name.innerText.length <= 3,
        ),
        ...ofStations,
      ]
        .filter((name) => name.scrollWidth > name.clientWidth)
        .map((name) => name.innerText),
    };
    box.style.width = '';
    return measured;
  }, scrollBar);

/**
 * Waits until the fonts are loaded, all requests have ended, and the widths no longer change. Rows
 * and counts that arrive later make columns wider.
 */
const settled = async (page: Page, name: string): Promise<void> => {
  const drawing = (): Promise<string> =>
    shownPage(page, name).evaluate(async (root) => {
      await document.fonts.ready;
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const cells = [...root.querySelectorAll('[role=gridcell], [role=columnheader]')];
      const busy =
        document.fonts.status === 'loading' || root.querySelector('[aria-busy=true]') !== null;
      return JSON.stringify([
        busy,
        root.clientWidth,
        cells.map((cell) => Math.round(cell.getBoundingClientRect().width * 10)),
        cells.map((cell) => cell.textContent),
      ]);
    });
  let before = '';
  await expect
    .poll(async () => {
      const [last, next] = [before, await drawing()];
      before = next;
      return next.startsWith('[false') && next === last;
    })
    .toBe(true);
};

describe('a list at 1440 pixels (requirements §10.15)', () => {
  // Creates a hand-over and an order with an unknown outcome, because the demo contains neither.
  beforeAll(async () => {
    await (await wireOf('station')).post('/api/arco/handovers', { provider: 'jdl' });
    await unknownOrder(await wireOf('user'));
  });

  for (const [role, language] of withDaily(
    [['super', 'zh-CN']] as const,
    [
      ['super', 'en-US'],
      ['station', 'zh-CN'],
      ['partner', 'en-US'],
      ['partner', 'zh-CN'],
      ['station', 'en-US'],
    ] as const,
  ))
    inBrowser(
      `a list at 1440 pixels fits its default columns for ${role} in ${language}, and clips no number, no title, no station and no short name`,
      async ({ open }) => {
        const { page } = await open({ role, language, path: '/dashboard/workplace' });
        const faults: Record<string, Measured> = {};
        for (const screen of lists(role)) {
          await goTo(page, screen.path);
          const rows = shownPage(page, screen.name).locator('[data-row]');
          await shows(rows.first());
          await settled(page, screen.name);
          const found = await measure(page, screen.name);
          if (found.over > 0 || found.cut.length + found.titles.length + found.names.length > 0)
            faults[screen.name] = found;
        }
        expect(faults, JSON.stringify(faults)).toEqual({});
      },
    );
});

describe('what the state of a parcel asks for (requirements §10.15)', () => {
  for (const language of ['zh-CN', 'en-US'] as const)
    inBrowserDaily(
      `every action of a parcel’s state has its room in the column of actions in ${language}`,
      async ({ open }) => {
        const { page } = await open({ role: 'super', language, path: '/model/expresses' });
        const list = shownPage(page, 'ExpressTable');
        const [print, ...others] = {
          'zh-CN': ['打印', '下单', '重试', '处理'],
          'en-US': ['Print', 'Order', 'Retry', 'Handle'],
        }[language];
        const action = list
          .locator('[role=gridcell]:last-child')
          .getByRole('button', { name: print!, exact: true })
          .first();
        await shows(action);
        await settled(page, 'ExpressTable');
        // The test writes the texts of all buttons into the page, because few networks have parcels
        // in every state.
        const beyond = await action.evaluate(
          (button, words) =>
            words.filter((word) => {
              button.textContent = word;
              const cell = button.closest('[role=gridcell]')!;
              return [...cell.querySelectorAll('*')].some(
                (part) => part.getBoundingClientRect().right > cell.getBoundingClientRect().right,
              );
            }),
          others,
        );
        expect(beyond).toEqual([]);
      },
    );
});

describe('a list that scrolls sideways (requirements §10.15)', () => {
  inBrowserDaily(
    'a list that scrolls sideways blanks the numbers that a pinned column covers by half, and shows them once they are whole',
    async ({ open }) => {
      const { page } = await open({
        role: 'super',
        width: 800,
        path: '/model/expresses?tab=signed',
      });
      const list = shownPage(page, 'ExpressTable');
      await shows(list.locator('[data-row]').nth(3));
      /**
       * The position of the amount column, which lies between the fixed columns, and whether its
       * numbers are visible.
       */
      const look = () =>
        list.evaluate((root) => {
          const cell = (name: string) =>
            root
              .querySelector<HTMLElement>(`[role=columnheader][data-key=${name}]`)!
              .getBoundingClientRect();
          const at = [...root.querySelectorAll('[role=columnheader][data-key]')].findIndex((each) =>
            each.matches('[data-key=amount]'),
          );
          const cells = [...root.querySelectorAll<HTMLElement>('[data-row]')].map(
            (row) => [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].slice(-count())[at]!,
          );
          function count(): number {
            return root.querySelectorAll('[role=columnheader][data-key]').length;
          }
          return {
            left: cell('amount').left,
            right: cell('amount').right,
            from: cell('number').right,
            seen: cells.map((each) => getComputedStyle(each).visibility),
          };
        });
      const scrollTo = (left: number) =>
        list.evaluate(
          (root, to) => root.querySelector('[role=grid]')!.parentElement!.scrollTo({ left: to }),
          left,
        );
      const { left, right, from } = await look();
      await scrollTo((left + right) / 2 - from);
      await expect.poll(async () => new Set((await look()).seen)).toEqual(new Set(['hidden']));
      await scrollTo(left - from);
      await expect.poll(async () => new Set((await look()).seen)).toEqual(new Set(['visible']));
    },
  );

  inBrowserDaily('the price editor’s tools take two rows at 1440 in English', async ({ open }) => {
    const { items } = await (
      await wireOf('super')
    ).get<{ items: [{ id: number }] }>('/api/arco/vouchers?page_size=1');
    const { page } = await open({
      role: 'super',
      path: `/model/vouchers?edit=${items[0].id}`,
      language: 'en-US',
      width: 1440,
      height: 900,
    });
    const tools = page.getByRole('toolbar', { name: 'Table tools' });
    await shows(tools);
    const tops = await tools
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(2);
  });
});
