import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { goTo, inBrowser, shows } from './browser.ts';
import { orderRow, store } from './ordering.ts';
import { typeFor, unique } from './typed-orders.ts';
import { wireOf } from './wire.ts';

interface Parcel {
  id: number;
  state_code: number;
  pickup_from: string | null;
  pickup_until: string | null;
}

/** Types a parcel, and waits until the carrier has answered about its two places. */
const typeAndCover = async (page: Page, name: string): Promise<void> => {
  const answered = page.waitForResponse('**/api/arco/expresses/coverage');
  await typeFor(page, name);
  await answered;
};
const pickup = (page: Page) => store(page).getByRole('combobox', { name: '上门时间' });
/** Chooses one of the offered times, and returns its words. */
const choose = async (page: Page, nth: number): Promise<string> => {
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape');
      await pickup(page).click();
      return page.getByRole('option').count();
    })
    .toBeGreaterThan(3);
  const option = page.getByRole('option').nth(nth);
  const words = (await option.innerText()).trim();
  await option.click();
  await expect.poll(() => pickup(page).innerText()).toContain(words);
  return words;
};
const parcelFor = async (name: string): Promise<Parcel> => {
  const wire = await wireOf('user');
  const { items } = await wire.get<{ items: { id: number }[] }>(
    `/api/arco/expresses?q=${encodeURIComponent(name)}`,
  );
  return wire.get<Parcel>(`/api/arco/expresses/${items[0]!.id}`);
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
      // The next parcel has no time of the one before, and none to choose before its places.
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

  inBrowser(
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
});
