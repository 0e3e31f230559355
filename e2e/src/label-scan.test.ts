import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { inBrowser, inBrowserDaily, shows } from './browser.ts';
import { inLanguageOf } from './daily.ts';
import { orderedParcel } from './ordered-parcel.ts';
import { withPrintComponent } from './print-component.ts';
import { scan } from './scanner.ts';
import { mainMenu, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

interface Parcel {
  id: number;
  delivery_id: string;
  order_id: string;
  print_count: number;
}
interface Printed {
  to_verify: number;
  verified_at: string | null;
  print_count: number;
}

const ordered = async (): Promise<Parcel> => {
  const wire = await wireOf('user');
  const { id } = await orderedParcel(wire);
  return wire.get<Parcel>(`/api/arco/expresses/${id}`);
};
const recordsOf = async ({ delivery_id }: Parcel): Promise<Printed[]> =>
  (await (await wireOf('station')).get<{ items: Printed[] }>(`/api/arco/prints?q=${delivery_id}`))
    .items;

const byComponent = JSON.stringify({ driver: 'component', printer: '', format: '76x130' });
const answer = (page: Page) => shownPage(page, 'LabelScan').locator('output').first();

const languages = [
  {
    language: 'zh-CN',
    theme: 'light',
    width: 1440,
    scanIt: '已打印，请扫描面单',
    remembered: '此面单尚未核对，请扫描',
    wrong: '面单不符',
    order: '这是订单号，不是面单',
    verified: '面单正确',
    before: '面单已打印过',
    unknown: '未知单号',
    reason: '补打原因',
    copy: '补打一份',
    failed: '未打印',
    failedLast: '上次打印失败，是否再打印？',
    again: '再次打印',
    offline: '未核对',
    verify: '稍后核对',
  },
  {
    language: 'en-US',
    theme: 'dark',
    width: 390,
    scanIt: 'Printed: scan the label',
    remembered: 'Not verified yet: scan this label',
    wrong: 'Wrong label',
    order: 'An order number, not a label',
    verified: 'Label verified',
    before: 'Label already printed',
    unknown: 'Unknown number',
    reason: 'Reason',
    copy: 'Print another copy',
    failed: 'Not printed',
    failedLast: 'Last print failed; print again?',
    again: 'Print again',
    offline: 'Not verified',
    verify: 'Verify later',
  },
] as const;

// Every run tests English with the dark theme on a phone. The daily run tests Chinese too.
for (const words of inLanguageOf('en-US', languages))
  inBrowser(
    `a scan prints its label once, a wrong label is refused, and the label is verified after a reload and an outage, in ${words.language}`,
    async ({ open, allow }) => {
      const { component, before } = await withPrintComponent();
      allow(/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/);
      try {
        const [parcel, other] = [await ordered(), await ordered()];
        const { page, context } = await open({
          role: 'user',
          path: '/model/prints/scan',
          ...words,
          before: async (coming) => {
            await before(coming);
            await coming.addInitScript((value) => {
              if (location.protocol !== 'about:')
                localStorage.setItem('waystation-workstation', value);
            }, byComponent);
          },
        });
        const shown = shownPage(page, 'LabelScan');
        await shows(shown.getByRole('heading', { level: 1 }));
        // The page first shows a label of an earlier journey that waits for verification. The test
        // leaves it for later.
        const later = shown.getByRole('button', { name: words.verify, exact: true });
        if (await later.isVisible()) await later.click();
        expect(await violationsOf(page)).toEqual([]);
        await scan(page, 'JDVE99999999999');
        await shows(answer(page).getByText(words.unknown));
        await scan(page, parcel.order_id);
        await shows(answer(page).getByText(words.scanIt));
        expect((await component.printed()).length).toBe(1);
        await scan(page, other.delivery_id, { end: 'Tab' });
        await shows(answer(page).getByText(words.wrong));
        expect(await violationsOf(page)).toEqual([]);
        await scan(page, parcel.order_id);
        await shows(answer(page).getByText(words.order));
        await page.reload();
        await shows(answer(page).getByText(words.remembered));
        await context.setOffline(true);
        await scan(page, `${parcel.delivery_id}-1-1-`);
        await shows(answer(page).getByText(words.offline, { exact: true }));
        await context.setOffline(false);
        await scan(page, `${parcel.delivery_id}-1-1-`);
        await shows(answer(page).getByText(words.verified));
        expect((await recordsOf(parcel))[0]).toMatchObject({ to_verify: 1, print_count: 1 });
        expect((await recordsOf(parcel))[0]!.verified_at).not.toBeNull();
        await scan(page, parcel.delivery_id);
        await shows(answer(page).getByText(words.before));
        expect((await component.printed()).length).toBe(1);
        await shown.getByRole('textbox', { name: words.reason }).fill('卡纸');
        expect(await violationsOf(page)).toEqual([]);
        await shown.getByRole('button', { name: words.copy }).click();
        await shows(answer(page).getByText(words.scanIt));
        expect((await component.printed()).length).toBe(2);
        await scan(page, `${parcel.delivery_id}-1-1-`);
        await shows(answer(page).getByText(words.verified));
        await component.failNext('缺纸');
        await scan(page, other.order_id);
        await shows(answer(page).getByText(words.failed, { exact: true }));
        await shows(answer(page).getByText(/缺纸/));
        await scan(page, other.delivery_id);
        await shows(answer(page).getByText(words.failedLast));
        await shown.getByRole('button', { name: words.again }).click();
        await shows(answer(page).getByText(words.scanIt));
        await scan(page, `${other.delivery_id}-1-1-`);
        await shows(answer(page).getByText(words.verified));
      } finally {
        component.close();
      }
    },
  );

inBrowserDaily(
  'bench mode opens scan to label, where a scan prints and does not open the parcel',
  async ({ open }) => {
    const { component, before } = await withPrintComponent();
    try {
      const parcel = await ordered();
      const { page } = await open({
        role: 'user',
        path: '/model/store',
        before: async (coming) => {
          await before(coming);
          await coming.addInitScript((value) => {
            if (location.protocol !== 'about:')
              localStorage.setItem('waystation-workstation', value);
          }, byComponent);
        },
      });
      await shows(mainMenu(page));
      await page.keyboard.press('Alt+b');
      await page.locator('[data-bench]').getByRole('button', { name: '扫描打单' }).click();
      const shown = shownPage(page, 'LabelScan');
      await shows(shown.getByRole('heading', { level: 1 }));
      const later = shown.getByRole('button', { name: '稍后核对', exact: true });
      if (await later.isVisible()) await later.click();
      await scan(page, parcel.delivery_id);
      await shows(answer(page).getByText('已打印，请扫描面单'));
      expect(await page.getByRole('dialog').filter({ visible: true }).count()).toBe(0);
      await scan(page, parcel.delivery_id);
      await shows(answer(page).getByText('此运单号刚才用于打印'));
      await scan(page, `${parcel.delivery_id}-1-1-`);
      await shows(answer(page).getByText('面单正确'));
      await page.keyboard.press('Alt+b');
      await shows(mainMenu(page));
    } finally {
      component.close();
    }
  },
);
