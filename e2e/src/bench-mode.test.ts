import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, inBrowserDaily, shows } from './browser.ts';
import { store } from './ordering.ts';
import { scan } from './scanner.ts';
import { mainMenu, notice } from './shell.ts';
import { pasteBox, weightField } from './typed-orders.ts';
import { wireOf } from './wire.ts';

interface Parcel {
  delivery_id: string;
}

const signed = async (): Promise<string[]> =>
  (
    await (
      await wireOf('user')
    ).get<{ items: Parcel[] }>('/api/arco/expresses?tab=signed&page_size=3')
  ).items.map(({ delivery_id }) => delivery_id);

const bench = (page: Page) => page.locator('[data-bench]');
const drawerOf = (page: Page, waybill: string) =>
  page.getByRole('dialog', { name: new RegExp(waybill) });

/** Returns to the order form with the console's shortcut keys. */
const backToStore = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.locator('[role=dialog][aria-modal=true]').filter({ visible: true }).count())
    .toBe(0);
  for (const key of ['g', 'o']) await page.keyboard.press(key);
  await shows(pasteBox(page));
};

describe('bench mode', () => {
  inBrowserDaily(
    'a scan opens its parcel whatever has the focus, leaves no trace in a field, and an error stays until a key',
    async ({ open }) => {
      const [first, second, third] = await signed();
      const { page } = await open({ role: 'user', path: '/model/store' });
      await shows(mainMenu(page));
      const remark = store(page).getByRole('textbox', { name: '备注' });
      await remark.fill('轻放');
      await page.keyboard.press('Alt+b');
      await shows(bench(page).getByRole('button', { name: /^退出工位模式/ }));
      await gone(mainMenu(page));
      await scan(page, first!);
      await shows(drawerOf(page, first!));
      await backToStore(page);
      await expect.poll(() => remark.inputValue()).toBe('轻放');
      await pasteBox(page).focus();
      await scan(page, second!, { composing: true });
      await shows(drawerOf(page, second!));
      // A button of the drawer has the focus now. The scanner reads the upper bar code of a label
      // and sends Tab at the end.
      await scan(page, `${third}-1-1-`, { end: 'Tab' });
      await shows(drawerOf(page, third!));
      await scan(page, 'JDVE99999999999');
      await shows(notice(page, '未找到 JDVE99999999999'));
      // real delay: the notice must not disappear without the user
      await page.evaluate(() => new Promise((later) => setTimeout(later, 3_500)));
      expect(await notice(page, '未找到 JDVE99999999999').count()).toBe(1);
      await backToStore(page);
      await gone(notice(page, '未找到 JDVE99999999999'));
      await expect.poll(() => pasteBox(page).inputValue()).toBe('');
      await page.reload();
      await shows(bench(page).getByRole('button', { name: /^退出工位模式/ }));
      await page.keyboard.press('Alt+b');
      await gone(bench(page));
      await shows(mainMenu(page));
    },
  );

  inBrowserDaily(
    'a scale fills in each weight once it is stable, and nobody types it meanwhile',
    async ({ open }) => {
      const { page } = await open({
        role: 'user',
        path: '/model/store',
        before: (before) =>
          before.addInitScript(() => {
            let write: (text: string) => void = () => {};
            const readable = new ReadableStream({
              start: (stream) => {
                write = (text) => stream.enqueue(new TextEncoder().encode(text));
                Object.assign(window, { endScale: () => stream.close() });
              },
            });
            const port = {
              readable,
              open: () => Promise.resolve(),
              close: () => Promise.resolve(),
            };
            Object.assign(window, { weigh: (text: string) => write(text) });
            Object.defineProperty(navigator, 'serial', {
              value: {
                requestPort: () => Promise.resolve(port),
                getPorts: () => Promise.resolve([]),
              },
            });
          }),
      });
      const weigh = (text: string): Promise<void> =>
        page.evaluate(
          (line) => (window as unknown as { weigh: (text: string) => void }).weigh(line),
          text,
        );
      await shows(weightField(page));
      await page.keyboard.press('Alt+b');
      await shows(page.getByRole('button', { name: /^连接电子秤/ }));
      await page.keyboard.press('Alt+s');
      await shows(bench(page).getByText('未稳定'));
      await weigh('US,GS,+  1.190kg\r\n');
      await shows(bench(page).getByText('1.190 kg'));
      expect(await weightField(page).inputValue()).toBe('');
      await weigh('ST,GS,+  1.250kg\r\n');
      await expect.poll(() => weightField(page).inputValue()).toBe('1.25');
      expect(
        await weightField(page).evaluate((field) => (field as HTMLInputElement).readOnly),
      ).toBe(true);
      await weigh('US,GS,+  0.400kg\r\nST,GS,+  0.000kg\r\nST,GS,+  2.000kg\r\n');
      await expect.poll(() => weightField(page).inputValue()).toBe('2');
      await page.evaluate(() => (window as unknown as { endScale: () => void }).endScale());
      await shows(bench(page).getByText('电子秤已断开'));
      await weightField(page).fill('3');
      expect(await weightField(page).inputValue()).toBe('3');
    },
  );
});
