import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { gone, hrefOf, inBrowserDaily, shows } from './browser.ts';
import { monthOf } from './carrier-bill.ts';
import { shownPage } from './shell.ts';
import { wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

interface Bill {
  id: number;
  status: string;
}

/**
 * Uploads a bill of this month with this number of lines. The waybill numbers in the lines do not
 * exist in the product.
 */
const strangeBill = async (wire: Wire, count: number): Promise<number> => {
  const tag = Date.now().toString().slice(-8);
  const lines = Array.from({ length: count }, (_, index) => `JDVE7${tag}${index},1.2,8.80`);
  const form = new FormData();
  form.append('period', monthOf(new Date()));
  form.append('provider', 'jdl');
  form.append('file', new File([['运单号,重量,金额', ...lines].join('\n')], `示例-${tag}.csv`));
  const response = await fetch(`${inject('product').url}/api/arco/reconciliations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${wire.token}`, 'idempotency-key': crypto.randomUUID() },
    body: form,
  });
  const { data } = (await response.json()) as { data: Bill };
  const status = async (): Promise<string> =>
    (await wire.get<Bill>(`/api/arco/reconciliations/${data.id}`)).status;
  await expect.poll(status).toBe('ready');
  return data.id;
};

/**
 * Accepts lines of the bill through the API, as another user would do, and waits until the job has
 * ended.
 */
const accept = async (wire: Wire, bill: number, lines: object): Promise<void> => {
  const { job_id } = await wire.post<{ job_id: number }>(
    `/api/arco/reconciliations/${bill}/accept`,
    lines,
  );
  const status = async (): Promise<string> =>
    (await wire.get<{ status: string }>(`/api/arco/jobs/${job_id}`)).status;
  await expect.poll(status).toBe('done');
};

/**
 * Accepts the lines that are still undecided, so that they do not prevent the closing of the month
 * in other tests.
 */
const decideRest = async (wire: Wire, bill: number): Promise<void> => {
  const { total } = await wire.get<{ total: number }>(
    `/api/arco/reconciliations/${bill}/rows?decision=open&page_size=1`,
  );
  if (total > 0) await accept(wire, bill, { filter: { decision: 'open' }, expected: total });
};

const pathOf = (bill: number, filter = ''): string =>
  `/system/reconciliations?id=${bill}&bucket=only_theirs${filter}`;
const rowsOf = (screen: Locator): Locator => screen.locator('[role=row][data-row]');
const isFocused = (row: Locator) =>
  expect.poll(() => row.evaluate((one) => one === document.activeElement)).toBe(true);
/**
 * Waits longer than the page waits after a key for a scan to continue, and longer than a job needs
 * to start.
 */
// real delay: a key press that has no effect cannot be noticed otherwise
const settled = (page: Page): Promise<void> => page.waitForTimeout(1_500);

describe('the keys that decide lines', () => {
  inBrowserDaily(
    'a line that the user did not step to, or that is disputed, is accepted by key only after a preview; a held key decides once',
    async ({ open }) => {
      const wire = await wireOf('admin');
      const bill = await strangeBill(wire, 4);
      const { page } = await open({ role: 'admin', path: pathOf(bill) });
      const rows = rowsOf(shownPage(page, 'Reconciliations'));
      await expect.poll(() => rows.count()).toBe(4);

      // While a key is held down, its repeats must not decide further lines.
      await rows.nth(0).focus();
      await page.keyboard.down('a');
      await isFocused(rows.nth(1));
      for (let repeat = 0; repeat < 3; repeat++) await page.keyboard.down('a');
      await page.keyboard.up('a');
      await shows(rows.nth(0).getByText('已认可'));
      await settled(page);
      await shows(rows.nth(1).getByText('待处理'));

      await rows.nth(2).focus();
      await page.keyboard.press('d');
      const dispute = page.getByRole('dialog', { name: '对 1 行提出异议' });
      await dispute.getByRole('textbox', { name: '原因' }).fill('示例：重复计费');
      await dispute.getByRole('button', { name: '提出异议' }).click();
      await shows(rows.nth(2).getByText('有异议'));
      const job = page.getByRole('dialog', { name: '批量处理' });
      await job.getByRole('button', { name: '关闭' }).click();
      await gone(job);

      // After the last line is decided, the focus stays on it, so that a second press of the key
      // does not decide another line.
      await rows.nth(3).focus();
      await page.keyboard.press('a');
      // real delay: two keys within 35 ms would count as a scan
      await page.waitForTimeout(100);
      await page.keyboard.press('a');
      await shows(rows.nth(3).getByText('已认可'));
      await page.keyboard.press('a');
      await settled(page);
      await isFocused(rows.nth(3));
      await shows(rows.nth(2).getByText('有异议'));

      // If the line is disputed, the key that accepts a line first shows a preview.
      await page.keyboard.press('k');
      await isFocused(rows.nth(2));
      await page.keyboard.press('a');
      const preview = page.getByRole('dialog', { name: '认可 1 行' });
      await shows(preview);
      await preview.getByRole('button', { name: '取消' }).click();
      await gone(preview);
      await shows(rows.nth(2).getByText('有异议'));
      await decideRest(wire, bill);
    },
  );

  inBrowserDaily(
    'the keyboard stays where it was when a colleague decides the line under it, and the line in its place is previewed first',
    async ({ open }) => {
      const wire = await wireOf('admin');
      const bill = await strangeBill(wire, 30);
      const { page } = await open({
        role: 'admin',
        path: pathOf(bill, '&decision=open'),
        height: 700,
      });
      const rows = rowsOf(shownPage(page, 'Reconciliations'));
      const focused = page.locator('[role=row][data-row]:focus');
      const idOf = async (row: Locator): Promise<number> =>
        Number(await row.getAttribute('data-row'));
      await expect.poll(() => rows.count()).toBeGreaterThan(8);
      await rows.nth(0).focus();
      await page.keyboard.press('End');
      await isFocused(rows.last());
      const last = await idOf(rows.last());
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => idOf(focused)).not.toBe(last);
      const lost = await idOf(focused);
      await accept(wire, bill, { ids: [lost] });
      await page.keyboard.press('r');
      await expect.poll(() => page.locator(`[data-row="${lost}"]`).count()).toBe(0);
      await expect.poll(() => idOf(focused)).toBe(last);
      const inView = await focused.evaluate((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      });
      expect(inView).toBe(true);
      await page.keyboard.press('a');
      const preview = page.getByRole('dialog', { name: '认可 1 行' });
      await shows(preview);
      await preview.getByRole('button', { name: '取消' }).click();
      await gone(preview);
      await settled(page);
      expect(await page.locator(`[data-row="${last}"]`).count()).toBe(1);

      // The user moves the focus back to the line with keys. The line can then be decided like any
      // other line.
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => idOf(focused)).not.toBe(last);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => idOf(focused)).toBe(last);
      await page.keyboard.press('a');
      await expect.poll(() => page.locator(`[data-row="${last}"]`).count()).toBe(0);
      await decideRest(wire, bill);
    },
  );

  inBrowserDaily(
    'a bill opens from the list on its undecided lines, with its name and actions in one row at 1366 in English',
    async ({ open }) => {
      const wire = await wireOf('admin');
      const bill = await strangeBill(wire, 3);
      const { page } = await open({
        role: 'admin',
        path: '/system/reconciliations',
        language: 'en-US',
        width: 1366,
        height: 768,
      });
      const screen = shownPage(page, 'Reconciliations');
      await screen.locator(`[data-row="${bill}"]`).getByRole('button').first().click();
      await shows(screen.getByText('Open', { exact: true }).first());
      expect(hrefOf(page)).toMatch(
        new RegExp(`id=${bill}.*decision=open|decision=open.*id=${bill}`),
      );
      const head = screen.locator('h1').locator('xpath=..');
      await shows(head.getByRole('button', { name: 'Tolerances' }));
      const middles = await head.locator('h1, button').evaluateAll((all) =>
        all.map((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return Math.round((top + bottom) / 4);
        }),
      );
      expect(new Set(middles).size).toBe(1);
      // On a phone every sum is shown in full.
      await page.setViewportSize({ width: 390, height: 844 });
      const cut = await screen
        .locator('dl dd')
        .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
      expect([await screen.locator('dl dd').count(), cut]).toEqual([6, 0]);
      await decideRest(wire, bill);
    },
  );
});
