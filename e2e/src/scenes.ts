import type { Page } from 'playwright-core';
import { shows } from './browser.ts';
import type { Coming } from './browser.ts';
import { wireOf } from './wire.ts';
import type { Role } from './wire.ts';

/**
 * A screen for the tests of layout and contrast. The tests find elements by structure and not by
 * text, because they run in both languages.
 */
export interface Scene {
  name: string;
  role?: Role;
  /**
   * True if the scene is a screen that was opened normally. The test of all screens then checks
   * this screen too.
   */
  isScreen?: true;
  path: () => Promise<string>;
  before?: NonNullable<Coming['before']>;
  /** Waits until the screen is completely shown. */
  settle: (page: Page) => Promise<void>;
}

const at = (path: string) => (): Promise<string> => Promise.resolve(path);
const list = (page: Page) => page.locator('[data-page="ExpressTable"]');

/**
 * Finds a parcel that was weighed again, because its drawer has more content than the drawers of
 * other parcels.
 */
const weighedParcel = async (): Promise<string> => {
  const { items } = await (
    await wireOf('station')
  ).get<{ items: { id: number; weight: number; jd_weight: number | null }[] }>(
    '/api/arco/expresses?tab=signed&page_size=50',
  );
  const parcel =
    items.find(({ weight, jd_weight }) => jd_weight !== null && jd_weight > weight) ?? items[0]!;
  return `/model/expresses?tab=signed&id=${parcel.id}`;
};

/**
 * Stores orders of the clerk that need an action, as if an earlier visit had left them in the
 * queue.
 */
const leaveOrders: NonNullable<Coming['before']> = async (context) => {
  const { id } = await (await wireOf('user')).get<{ id: number }>('/api/arco/personal');
  const place = { province: '上海市', city: '上海市', county: '浦东新区' };
  const form = {
    receiver: {
      contact_id: null,
      name: '王五',
      phone: '13900139001',
      place,
      address: '世纪大道101号',
    },
    goods: '文件',
    weight: '1',
  };
  const entry = {
    at: Date.now(),
    form,
    input: null,
    failures: 0,
    print: false,
    parcel: null,
    problem: null,
  };
  const problem = {
    code: 'price_changed',
    params: { expected_amount: 1200, post_amount: 1428 },
    fields: {},
  };
  const left = {
    a: { ...entry, key: 'a', state: 'refused', problem },
    b: { ...entry, key: 'b', state: 'kept' },
  };
  await context.addInitScript(
    ([user, entries]) => {
      // Frames without an origin have no storage.
      if (window.origin === 'null' || window !== window.top) return;
      for (const [key, value] of Object.entries(entries))
        localStorage.setItem(`waystation-order:${user}:${key}`, JSON.stringify(value));
    },
    [id, left] as const,
  );
};

const fillOrder = async (page: Page): Promise<void> => {
  const store = page.locator('[data-page="ExpressStore"]');
  const paste = store.locator('textarea').first();
  await paste.fill('赵靐芳 13900139000 上海市浦东新区世纪大道100号');
  await paste.press('Enter');
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('[name="receiver.name"]')?.value !== '',
  );
  await store.locator('[name="goods"]').click();
  await page.getByRole('option').first().click();
  await store.locator('[name="weight"]').fill('4.3');
  await store.locator('[name="insured"]').fill('500');
  await shows(store.locator('tfoot'));
  await shows(store.locator('[data-order]').nth(1));
};

export const scenes: readonly Scene[] = [
  { name: 'login', path: at('/'), settle: (page) => shows(page.locator('#demo-accounts')) },
  {
    name: 'workplace',
    isScreen: true,
    role: 'super',
    path: at('/dashboard/workplace'),
    settle: (page) => shows(page.getByText(/^近 \d+ 日下单量|^Ordered in the last/).first()),
  },
  {
    name: 'list',
    isScreen: true,
    role: 'user',
    path: at('/model/expresses'),
    settle: (page) => shows(list(page).locator('[data-row]').nth(3)),
  },
  {
    name: 'drawer',
    role: 'station',
    path: weighedParcel,
    settle: (page) => shows(page.getByRole('dialog').locator('dl').last()),
  },
  { name: 'store', role: 'user', path: at('/model/store'), before: leaveOrders, settle: fillOrder },
  {
    name: 'settings',
    role: 'user',
    path: at('/dashboard/workplace'),
    settle: async (page) => {
      await page.getByRole('button', { name: /^(设置|Settings)$/ }).click();
      await shows(page.getByRole('dialog').getByRole('switch').first());
    },
  },
  {
    name: 'accounts',
    isScreen: true,
    role: 'super',
    path: at('/system/users'),
    settle: (page) => shows(page.locator('[data-page="AccountTable"] [data-row]').nth(3)),
  },
  {
    name: 'profile',
    isScreen: true,
    role: 'user',
    path: at('/system/profile'),
    settle: (page) => shows(page.getByText(/^(本机|This device)$/)),
  },
  {
    name: 'not-found',
    role: 'user',
    path: at('/no/such/page'),
    settle: (page) => shows(page.getByRole('heading', { level: 1 })),
  },
  {
    name: 'error',
    role: 'user',
    path: at('/model/expresses'),
    before: (context) =>
      context.route('**/api/arco/expresses?*', (route) =>
        route.fulfill({
          // The response contains a null row, which makes the page fail. No version of the server
          // sends such a row.
          json: { status: 200, data: { items: [null], total: 1 }, message: '' },
        }),
      ),
    settle: (page) => shows(list(page).getByRole('alert')),
  },
];
