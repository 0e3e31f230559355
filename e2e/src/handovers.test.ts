import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { dailyOr } from './daily.ts';
import { limitMs } from './harness/limits.ts';
import { orderedParcel } from './ordered-parcel.ts';
import { scan } from './scanner.ts';
import { shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

interface Parcel {
  id: number;
  delivery_id: string;
}
interface Handover {
  id: number;
  packages: number;
  missing: number;
}

const languages = [
  {
    language: 'zh-CN',
    given: '已交',
    unknown: '未知单号',
    before: '本单已交过',
    close: '关闭交接单',
    courier: '快递员',
    closed: /已关闭。/,
    offline: /暂存在此浏览器/,
  },
  {
    language: 'en-US',
    given: 'Given',
    unknown: 'Unknown number',
    before: 'Already given here',
    close: 'Close hand-over',
    courier: 'Courier',
    closed: /^Closed\./,
    offline: /kept in this browser/,
  },
] as const;

const figure = (page: Page, name: string) =>
  shownPage(page, 'HandoverPage').locator(`[data-figure="${name}"] dd`);
const answer = (page: Page) => shownPage(page, 'HandoverPage').locator('output');

/** Returns parcels of the clerk that await pickup; `count` of them are newly ordered. */
const ordered = async (count: number): Promise<Parcel[]> => {
  const wire = await wireOf('user');
  const parcels: Parcel[] = [];
  while (parcels.length < count) {
    const batch = Math.min(8, count - parcels.length);
    const made = await Promise.all(Array.from({ length: batch }, () => orderedParcel(wire)));
    for (const { id } of made) parcels.push(await wire.get<Parcel>(`/api/arco/expresses/${id}`));
  }
  return parcels;
};

const count = dailyOr(12, 40);

inBrowser(
  `${count} parcels are handed over with one missing and one foreign, offline for a while, closed and found again from the parcel`,
  async ({ open, allow }) => {
    const [words] = languages;
    const parcels = await ordered(count);
    const wire = await wireOf('user');
    const visit = await wire.post<Handover>('/api/arco/handovers', { provider: 'jdl' });
    const { page, context } = await open({
      role: 'user',
      path: `/model/handovers/visit?id=${visit.id}`,
      language: words.language,
    });
    allow(/ERR_INTERNET_DISCONNECTED/, /Failed to load resource/);
    await shows(page.getByRole('heading', { name: /交接单/ }));
    expect(await violationsOf(page)).toEqual([]);
    await scan(page, parcels[0]!.delivery_id);
    await shows(answer(page).getByText(words.given, { exact: true }));
    await scan(page, 'JDVE99999999999', { end: 'Tab' });
    await shows(answer(page).getByText(words.unknown));
    // Opens the dialog while the network works, so that its files are loaded before the network is
    // switched off.
    await page.keyboard.press('Alt+c');
    await shows(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await gone(page.getByRole('dialog'));
    await context.setOffline(true);
    for (const { delivery_id } of parcels.slice(1, -1)) await scan(page, delivery_id);
    await shows(page.getByText(words.offline));
    await context.setOffline(false);
    await expect
      .poll(() => figure(page, 'given').innerText(), { timeout: limitMs(60_000) })
      .toBe(String(visit.packages + count - 1));
    await scan(page, parcels[5]!.delivery_id);
    await shows(answer(page).getByText(words.before));
    await page.keyboard.press('Alt+c');
    const dialog = page.getByRole('dialog');
    await shows(dialog.getByText(parcels.at(-1)!.delivery_id));
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: words.courier }).fill('李师傅');
    await dialog.getByRole('button', { name: words.close }).click();
    await shows(page.getByText(words.closed));
    expect(await violationsOf(page)).toEqual([]);
    const closed = await wire.get<{ handover: Handover }>(`/api/arco/handovers/${visit.id}`);
    expect(closed.handover.packages).toBe(visit.packages + count - 1);
    expect(closed.handover.missing).toBeGreaterThan(0);
    await page.goto(`${page.url().split('#')[0]}#/model/expresses/parcel?id=${parcels[3]!.id}`);
    await shows(page.getByRole('link', { name: new RegExp(`交接单 ${visit.id}`) }));
    await shows(page.getByText(/快递员 李师傅/));
  },
);

inBrowserDaily(
  'a package whose scan begins before the page has returned the focus is given whole',
  async ({ open }) => {
    const [words] = languages;
    const [parcel] = await ordered(1);
    const wire = await wireOf('user');
    const visit = await wire.post<Handover>('/api/arco/handovers', { provider: 'jdl' });
    const { page } = await open({ role: 'user', path: `/model/handovers/visit?id=${visit.id}` });
    const field = shownPage(page, 'HandoverPage').getByRole('textbox').first();
    await shows(field);
    await field.evaluate((input: HTMLInputElement) => {
      input.blur();
      let keys = 0;
      window.addEventListener('keyup', () => {
        keys += 1;
        if (keys === 5) input.focus();
      });
    });
    await scan(page, parcel!.delivery_id);
    await shows(answer(page).getByText(words.given, { exact: true }));
    await expect.poll(() => field.inputValue()).toBe('');
  },
);

for (const words of languages)
  inBrowserDaily(
    `a hand-over is scanned on a phone, taken back and listed, in ${words.language}`,
    async ({ open }) => {
      const [parcel] = await ordered(1);
      const wire = await wireOf('user');
      const visit = await wire.post<Handover>('/api/arco/handovers', { provider: 'jdl' });
      const { page } = await open({
        role: 'user',
        path: `/model/handovers/visit?id=${visit.id}`,
        language: words.language,
        theme: 'dark',
        width: 390,
        height: 844,
      });
      await shows(figure(page, 'given'));
      await scan(page, parcel!.delivery_id);
      await shows(answer(page).getByText(words.given, { exact: true }));
      await expect.poll(() => figure(page, 'given').innerText()).toBe(String(visit.packages + 1));
      expect(await violationsOf(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      ).toBe(true);
      await page.keyboard.press('Alt+z');
      await expect.poll(() => figure(page, 'given').innerText()).toBe(String(visit.packages));
      await page.goto(`${page.url().split('#')[0]}#/model/handovers`);
      await shows(
        shownPage(page, 'HandoverTable')
          .getByText(new RegExp(`${visit.id}`))
          .first(),
      );
      expect(await violationsOf(page)).toEqual([]);
    },
  );

inBrowserDaily('the page of an unknown hand-over leads to the list', async ({ open, allow }) => {
  allow(/404/);
  const { page } = await open({ role: 'user', path: '/model/handovers/visit?id=999999999' });
  await shownPage(page, 'HandoverPage').getByRole('link', { name: '打开交接单列表' }).click();
  await shows(shownPage(page, 'HandoverTable'));
});
