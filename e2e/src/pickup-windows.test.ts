import type { Locator, Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { asOwner } from './database-owner.ts';
import { orderRow, prices, receiver, store } from './ordering.ts';
import { shownPage } from './shell.ts';
import { pasteBox, typeFor, unique, watchOrders, weightField } from './typed-orders.ts';
import { wireOf } from './wire.ts';

interface Parcel {
  id: number;
  state_code: number;
  pickup_from: string | null;
  pickup_until: string | null;
}

/** Types a parcel, and waits for the carrier's coverage answer. */
const typeAndCover = async (page: Page, name: string): Promise<void> => {
  const answered = page.waitForResponse('**/api/arco/expresses/coverage');
  await typeFor(page, name);
  await answered;
};
const pickup = (page: Page) => store(page).getByRole('combobox', { name: '上门时间' });
/** Chooses one of the offered pickup windows in a field, and returns its text. */
const chooseIn = async (page: Page, field: Locator, nth: number): Promise<string> => {
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape');
      await field.click();
      return page.getByRole('option').count();
    })
    .toBeGreaterThan(3);
  const option = page.getByRole('option').nth(nth);
  const words = (await option.innerText()).trim();
  await option.click();
  await expect.poll(() => field.innerText()).toContain(words);
  return words;
};
const choose = (page: Page, nth: number): Promise<string> => chooseIn(page, pickup(page), nth);
const parcelFor = async (name: string): Promise<Parcel> => {
  const wire = await wireOf('user');
  const { items } = await wire.get<{ items: { id: number }[] }>(
    `/api/arco/expresses?q=${encodeURIComponent(name)}`,
  );
  return wire.get<Parcel>(`/api/arco/expresses/${items[0]!.id}`);
};
/**
 * Uploads a sheet with one row for each of these people and waits until the rows have prices.
 * Returns the pickup window field of the import.
 */
const importOf = async (page: Page, names: readonly string[]): Promise<Locator> => {
  const screen = shownPage(page, 'ExpressImport');
  const titles = '收件人,手机,收件地址,物品,重量(kg)';
  const lines = names.map(
    (name, at) => `${name},1390013902${at},上海市浦东新区世纪大道20${at}号,文件,1`,
  );
  await page.locator('input[type=file]').setInputFiles({
    name: `上门 ${Date.now()}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from([titles, ...lines].join('\n')),
  });
  await page.getByRole('dialog').getByRole('button', { name: '上传', exact: true }).click();
  await screen.getByRole('button', { name: /^计价/ }).click();
  const field = screen.getByRole('combobox', { name: '京东物流上门时间（2 行）' });
  await shows(field);
  return field;
};
const facts = (page: Page) => page.getByRole('dialog');

describe('the pickup window of an order', () => {
  inBrowser(
    'a time that the carrier offers is chosen in the form, shown in the drawer, and fixed once the carrier has the parcel',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const name = unique();
      await typeAndCover(page, name);
      await shows(pickup(page).getByText('尽快'));
      const words = await choose(page, -1);
      expect(words).toMatch(/^\d\d\/\d\d \d\d:00–\d\d:00$/);
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('待揽收'));
      // The pickup window of the last parcel is not kept for the next one. No windows are offered
      // until the sender and the receiver are known.
      await expect.poll(() => pickup(page).count()).toBe(0);
      const parcel = await parcelFor(name);
      expect(parcel.pickup_from).not.toBeNull();

      await goTo(page, `/model/expresses?id=${parcel.id}`);
      await shows(facts(page).getByText(words));
      await goTo(page, `/model/store?edit=${parcel.id}`);
      await expect.poll(() => pickup(page).innerText()).toContain(words);
      await expect.poll(() => pickup(page).isDisabled()).toBe(true);
    },
  );

  inBrowserDaily(
    'an order whose time the carrier no longer has is not moved to another one: it says so, and is ordered with a present one',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const begin = new Date(Date.now() + 24 * 3_600_000);
      begin.setMinutes(7, 0, 0);
      const vanished = begin.toISOString();
      const after = new Date(begin.getTime() + 3_600_000).toISOString();
      const withVanished = async (route: Route): Promise<void> => {
        const response = await route.fetch();
        const answer = (await response.json()) as { data: { pickup_windows: object[] } };
        answer.data.pickup_windows.push({ starts_at: vanished, ends_at: after });
        await route.fulfill({ response, json: answer });
      };
      await context.route('**/api/arco/expresses/coverage', withVanished);
      const name = unique();
      await typeAndCover(page, name);
      await pickup(page).click();
      const option = page.getByRole('option').filter({ hasText: /:07–/ });
      const words = (await option.innerText()).trim();
      await option.click();
      await expect.poll(() => pickup(page).innerText()).toContain(words);
      await page.keyboard.press('F8');
      const refused = orderRow(page, name).filter({ hasText: '该时间已不可约，请重选' });
      await shows(refused);
      const parcel = await parcelFor(name);
      expect(parcel).toMatchObject({ state_code: 90, pickup_from: vanished });

      await context.unroute('**/api/arco/expresses/coverage', withVanished);
      await refused.getByRole('button', { name: /^修改/ }).click();
      await expect.poll(() => pickup(page).innerText()).toContain(words);
      const present = await choose(page, -1);
      expect(present).not.toBe(words);
      await page.keyboard.press('F8');
      await expect.poll(async () => (await parcelFor(name)).state_code).toBe(100);
      expect((await parcelFor(name)).pickup_from).not.toBe(vanished);
    },
  );

  inBrowserDaily(
    'a form that was left open asks for present times before it orders, and says that the chosen one is gone',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const sent = await watchOrders(context, (route) => route.continue());
      const name = unique();
      await typeAndCover(page, name);
      const words = await choose(page, -1);
      await page.clock.install();
      await page.clock.fastForward(6 * 60_000);
      let answered!: () => void;
      const isAnswered = new Promise<void>((resolve) => (answered = resolve));
      await context.route('**/api/arco/expresses/coverage', async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { data: { pickup_windows: object[] } };
        answer.data.pickup_windows.pop();
        await isAnswered;
        await route.fulfill({ response, json: answer });
      });
      // A key press orders the content that the form had when the key was pressed.
      await page.keyboard.press('F8');
      await shows(store(page).getByText('正在查询上门时间，完成后自动下单'));
      await weightField(page).fill('2');
      answered();
      await shows(store(page).getByText('等待期间内容有改动，未下单，请再次下单'));
      await page.keyboard.press('F8');
      await shows(prices(page).getByText('该时间已不可约，请重选'));
      await expect.poll(() => pickup(page).innerText()).toContain(words);
      expect(sent).toEqual([]);
      // The first two options are "as soon as possible" and the chosen window; the third is another
      // window.
      await choose(page, 2);
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('待揽收'));
      expect(sent).toHaveLength(1);
    },
  );

  inBrowserDaily('one time is chosen for all people of a paste', async ({ open }) => {
    const { page } = await open({ role: 'user', path: '/model/store' });
    const names = [unique(), unique()];
    await pasteBox(page).fill(
      names.map((name, at) => `${name} 1390013901${at} 上海市浦东新区世纪大道10${at}号`).join('\n'),
    );
    await pasteBox(page).press('Enter');
    const batch = receiver(page).getByRole('region', { name: '2 位收件人' });
    await shows(batch);
    const goods = store(page).getByRole('combobox', { name: '物品' });
    await goods.click();
    await page.getByRole('option', { name: '文件' }).click();
    await weightField(page).fill('1');
    await chooseIn(page, batch.getByRole('combobox', { name: '上门时间（所有收件人）' }), -1);
    expect(await pickup(page).count()).toBe(1);
    await page.keyboard.press('F8');
    for (const name of names) await shows(orderRow(page, name).getByText('待揽收'));
    const [one, other] = [await parcelFor(names[0]!), await parcelFor(names[1]!)];
    expect(one.pickup_from).not.toBeNull();
    expect(other.pickup_from).toBe(one.pickup_from);
  });

  inBrowserDaily(
    'one time is chosen for all rows of an import when it is confirmed',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const names = [unique(), unique()];
      const field = await importOf(page, names);
      await chooseIn(page, field, -1);
      await page.keyboard.press('F10');
      for (const name of names)
        await expect.poll(async () => (await parcelFor(name)).state_code).toBe(100);
      const [one, other] = [await parcelFor(names[0]!), await parcelFor(names[1]!)];
      expect(one.pickup_from).not.toBeNull();
      expect(other.pickup_from).toBe(one.pickup_from);
    },
  );

  inBrowserDaily(
    'an import is not confirmed with a time that the carrier no longer has: it says so, and is with a present one',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/import?form=new' });
      const confirmed: string[] = [];
      page.on('request', (request) => {
        if (/imports\/\d+\/confirm$/.test(request.url())) confirmed.push(request.url());
      });
      const names = [unique(), unique()];
      const field = await importOf(page, names);
      const words = await chooseIn(page, field, -1);
      await page.clock.install();
      await page.clock.fastForward(6 * 60_000);
      await context.route('**/api/arco/expresses/coverage', async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { data: { pickup_windows: object[] } };
        answer.data.pickup_windows.pop();
        await route.fulfill({ response, json: answer });
      });
      // Tells the page that the user has returned to it.
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      const screen = shownPage(page, 'ExpressImport');
      const gone = screen.getByText('该时间已不可约，请重选');
      await shows(gone);
      await page.keyboard.press('F10');
      await shows(screen.getByRole('alert').filter({ hasText: '该时间已不可约' }));
      await expect.poll(() => field.innerText()).toContain(words);
      expect(confirmed).toEqual([]);
      // The first two options are "as soon as possible" and the window chosen before; the third is
      // another window.
      await chooseIn(page, field, 2);
      await expect.poll(() => gone.count()).toBe(0);
      await page.keyboard.press('F10');
      for (const name of names)
        await expect.poll(async () => (await parcelFor(name)).state_code).toBe(100);
      expect(confirmed).toHaveLength(1);
    },
  );

  inBrowserDaily(
    'a parcel that was not picked up in its time is cancelled and ordered again with the next time, which the clerk chooses',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const name = unique();
      await typeAndCover(page, name);
      await choose(page, -1);
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('待揽收'));
      const missed = await parcelFor(name);
      await asOwner((client) =>
        client.query(
          `update expresses set pickup_from = now() - interval '4 hours',
            pickup_until = now() - interval '2 hours' where id = $1`,
          [missed.id],
        ),
      );
      const wire = await wireOf('user');
      await wire.post(`/api/arco/expresses/${missed.id}/track`, {});
      await expect
        .poll(
          async () =>
            (await wire.get<{ exception: string }>(`/api/arco/expresses/${missed.id}`)).exception,
        )
        .toBe('missed');
      await goTo(page, '/model/expresses?exception=missed');
      const row = shownPage(page, 'ExpressTable').locator(`[data-row="${missed.id}"]`);
      await row.getByRole('button', { name: /更多/ }).click();
      await page.getByRole('menuitem', { name: '取消并重新下单' }).click();
      const dialog = page.getByRole('dialog', { name: /^取消/ });
      await dialog.getByRole('button', { name: '信息有误' }).click();
      await dialog.getByRole('button', { name: '取消运单' }).click();
      const next = store(page).getByText(/^上次未上门。下一可约时段：/);
      await shows(next);
      // The form proposes the next window, but the field still shows "as soon as possible".
      await shows(pickup(page).getByText('尽快'));
      const words = (await next.innerText()).split('：')[1]!;
      await page.keyboard.press('F8');
      await shows(prices(page).getByText('请选择上门时间'));
      expect((await parcelFor(name)).id).toBe(missed.id);
      await store(page).getByRole('button', { name: '预约' }).click();
      await expect.poll(() => pickup(page).innerText()).toContain(words);
      await page.keyboard.press('F8');
      await expect.poll(async () => (await parcelFor(name)).id).not.toBe(missed.id);
      await expect.poll(async () => (await parcelFor(name)).state_code).toBe(100);
      const again = await parcelFor(name);
      expect(Date.parse(again.pickup_from!)).toBeGreaterThan(Date.now());
      await expect
        .poll(async () => (await wire.get<Parcel>(`/api/arco/expresses/${missed.id}`)).state_code)
        .toBe(500);
    },
  );
});
