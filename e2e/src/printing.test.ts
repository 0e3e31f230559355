import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { violationsOf } from './axe.ts';
import { gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { orderedParcel } from './ordered-parcel.ts';
import { withPrintComponent } from './print-component.ts';
import { printings, withoutPrinter } from './printer.ts';
import { notice, shownPage } from './shell.ts';
import { orderRow, orderedWaybill } from './ordering.ts';
import { typeFor, unique } from './typed-orders.ts';
import { wireOf } from './wire.ts';

interface Ordered {
  id: number;
  delivery_id: string;
}

const ordered = async (count: number): Promise<Ordered[]> => {
  const clerk = await wireOf('user');
  const parcels: Ordered[] = [];
  for (let no = 0; no < count; no++) {
    const { id } = await orderedParcel(clerk);
    parcels.push({
      id,
      ...(await clerk.get<{ delivery_id: string }>(`/api/arco/expresses/${id}`)),
    });
  }
  return parcels;
};

/** The settings of the dialog as they are stored. */
const byComponent = {
  name: 'waystation-workstation',
  value: JSON.stringify({ driver: 'component', printer: '', format: '76x130' }),
};
const setUp = (page: Page): Promise<void> =>
  page.evaluate(({ name, value }) => localStorage.setItem(name, value), byComponent);
const listOf = (parcels: readonly Ordered[]): string =>
  `/model/expresses?q=${parcels.map(({ delivery_id }) => delivery_id).join('%20')}`;

/** Selects all parcels on the page and prints them, with the keyboard only. */
const printAll = async (page: Page, count: number): Promise<string[]> => {
  const list = shownPage(page, 'ExpressTable');
  await expect.poll(() => list.getByRole('row').count()).toBe(count + 1);
  const shown = await list
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.map((row) => /JDVE\d{11}/.exec(row.textContent ?? '')?.[0] ?? '').filter(Boolean),
    );
  await list.getByRole('checkbox').first().check();
  await list.getByRole('button', { name: `打印 ${count} 单` }).click();
  await page.getByRole('dialog').getByRole('button', { name: '打印', exact: true }).click();
  return shown;
};

inBrowser(
  'a workstation prints on the carrier’s component in the order of the list; failed labels are named and printed again',
  async ({ open }) => {
    const { component, before } = await withPrintComponent();
    try {
      const parcels = await ordered(3);
      const { page } = await open({
        role: 'station',
        path: '/model/prints',
        before: async (context) => {
          await before(context);
          await withoutPrinter(context);
        },
      });
      const prints = shownPage(page, 'PrintTable');
      await prints.getByRole('button', { name: '本机打印机' }).click();
      const settings = page.getByRole('dialog', { name: '本机打印机' });
      await settings.getByRole('combobox', { name: '打印方式' }).click();
      await page.getByRole('option', { name: '本地打印组件' }).click();
      await settings.getByRole('combobox', { name: '打印机', exact: true }).click();
      await page.getByRole('option', { name: '示例打印机 B' }).click();
      expect(await violationsOf(page)).toEqual([]);
      await settings.getByRole('button', { name: '检查打印组件' }).click();
      await shows(notice(page, '打印组件运行正常，打印机 2 台'));
      await settings.getByRole('textbox', { name: '向右偏移' }).fill('1.5');
      await settings.getByRole('button', { name: '保存' }).click();
      await gone(settings);

      await component.failNext('缺纸');
      await goTo(page, listOf(parcels));
      const shown = await printAll(page, 3);
      const result = page.getByRole('dialog', { name: '打印结果' });
      await shows(result.getByText(shown[0]!));
      await shows(result.getByText('缺纸'));
      expect(
        (await component.printed()).map(({ printer, offset }) => [printer, offset.left]),
      ).toEqual([
        ['示例打印机 B', 1.5],
        ['示例打印机 B', 1.5],
      ]);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await component.printed()).length).toBe(3);
      await gone(result);
      expect(await printings(page)).toBe(0);

      const office = await wireOf('super');
      const records = async () =>
        (
          await office.get<{
            items: {
              delivery_id: string;
              result: string;
              note: string;
              printer: string;
              reason: string;
            }[];
          }>(`/api/arco/prints?q=${shown.join('%20')}`)
        ).items.map(({ delivery_id, result: became, note, printer, reason }) => [
          delivery_id,
          became,
          note,
          printer,
          reason,
        ]);
      await expect.poll(records).toEqual([
        [shown[0], 'ok', '', '示例打印机 B', '上次未打出'],
        [shown[2], 'ok', '', '示例打印机 B', ''],
        [shown[1], 'ok', '', '示例打印机 B', ''],
        [shown[0], 'failed', '缺纸', '示例打印机 B', ''],
      ]);
      await goTo(page, `/model/prints?q=${shown.join('%20')}`);
      await shows(prints.getByText('打印失败：“示例打印机 B” 1/4（25%）'));
    } finally {
      component.close();
    }
  },
);

inBrowserDaily(
  'a batch that a reload interrupts offers its remaining labels again, and each label comes out one time',
  async ({ open }) => {
    const { component, before } = await withPrintComponent(700);
    try {
      const parcels = await ordered(4);
      const { page } = await open({ role: 'station', path: '/dashboard/workplace', before });
      await setUp(page);
      await page.reload();
      await goTo(page, listOf(parcels));
      const shown = await printAll(page, 4);
      await expect.poll(async () => (await component.printed()).length).toBe(2);
      await shows(page.getByText(/正在打印 [12] \/ 4/));
      await page.reload();
      await page.getByRole('button', { name: '继续打印' }).click();
      await shows(notice(page, /已提交打印 [23] 单/));
      const data = (await component.printed()).map((label) => label.data);
      // One label may be printed twice, because it was at the printer when the page was left. No
      // label is lost.
      expect(new Set(data).size).toBe(4);
      expect(data.length).toBeLessThanOrEqual(5);
      expect(shown).toHaveLength(4);
    } finally {
      component.close();
    }
  },
);

inBrowser(
  'labels without the component print as PDF with a notice; F9 leaves the label for F10 instead of opening a dialog',
  async ({ open, allow }) => {
    allow(/localhost:9113/);
    const { page } = await open({
      role: 'user',
      path: '/model/store',
      before: async (context) => {
        await context.routeWebSocket('ws://localhost:9113', (socket) => void socket.close());
        await withoutPrinter(context);
      },
    });
    await setUp(page);
    await page.reload();
    const name = unique();
    await typeFor(page, name);
    await page.keyboard.press('F9');
    await orderedWaybill(page);
    await shows(orderRow(page, name));
    await shows(page.getByText('面单已放入“待打印”，按 F10 打印。'));
    expect(await printings(page)).toBe(0);
    await page.keyboard.press('F10');
    await expect.poll(() => printings(page)).toBe(1);
    await shows(page.getByText('已改用 PDF 打印。'));
  },
);

inBrowserDaily(
  'a workstation with the component prints the label after F9 as soon as it is ready, and the focus stays in the form',
  async ({ open }) => {
    const { component, before } = await withPrintComponent();
    try {
      const { page } = await open({ role: 'user', path: '/model/store', before });
      await setUp(page);
      await page.reload();
      const name = unique();
      await typeFor(page, name);
      await page.keyboard.press('F9');
      await orderedWaybill(page);
      await expect.poll(async () => (await component.printed()).length).toBe(1);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
      await expect.poll(() => page.getByRole('button', { name: /待打印/ }).count()).toBe(0);
    } finally {
      component.close();
    }
  },
);

inBrowserDaily(
  'a batch is saved as one PDF per parcel and printed on A4 from the free place, and its records show the printers’ figures',
  async ({ open }) => {
    const parcels = await ordered(3);
    const { page } = await open({ role: 'station', path: listOf(parcels), before: withoutPrinter });
    const list = shownPage(page, 'ExpressTable');
    await expect.poll(() => list.getByRole('row').count()).toBe(4);
    await list.getByRole('checkbox').first().check();
    const saved = page.waitForEvent('download');
    await list.getByRole('button', { name: '纸张' }).click();
    await page.getByRole('menuitem', { name: '每单一个 PDF（ZIP）' }).click();
    expect((await saved).suggestedFilename()).toBe('labels-76x130.zip');
    await shows(notice(page, '已提交打印 3 单'));
    await list.getByRole('button', { name: '纸张' }).click();
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/arco/labels'));
    await page.getByRole('menuitem', { name: '按 A4（每页 4 张） 打印' }).click();
    const dialog = page.getByRole('dialog', { name: '补打面单' });
    await dialog.getByRole('textbox', { name: '补打原因' }).fill('换纸');
    await dialog.getByText('3', { exact: true }).click();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: '打印', exact: true }).click();
    expect((await sent).postDataJSON()).toMatchObject({ format: 'a4', start: 3, reason: '换纸' });
    await expect.poll(() => printings(page)).toBe(1);
    // Three labels were printed from position 3: two of them filled the first sheet and one is on
    // the second. So the next free position is 2.
    await expect
      .poll(() =>
        page.evaluate(
          () =>
            (JSON.parse(localStorage.getItem('waystation-workstation')!) as { start: number })
              .start,
        ),
      )
      .toBe(2);
    await goTo(
      page,
      `/model/prints?q=${parcels.map(({ delivery_id }) => delivery_id).join('%20')}`,
    );
    const prints = shownPage(page, 'PrintTable');
    await prints.getByRole('button', { name: '各打印机近 14 天' }).click();
    await shows(prints.getByRole('region', { name: '各打印机的失败率' }));
    expect(await violationsOf(page)).toEqual([]);
  },
);
