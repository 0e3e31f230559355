import type { Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { violationsOf } from './axe.ts';
import { goTo, inBrowserDaily, shows } from './browser.ts';
import type { Visits } from './browser.ts';
import { printings, withoutPrinter } from './printer.ts';
import { shownPage } from './shell.ts';
import { carrier, wireAs, wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

// A parcel of the second carrier at a station, from choosing the pickup window to the first report
// of the carrier. Each part runs in one language.

const product = { provider: 'sf', promise_id: '2' };
const password = 'A-parcel-by-another-47';

/**
 * Makes sure that an SF account exists and that its pushes reach the product. sf-account.test.ts
 * may have created the account already.
 */
const accountOf = async (office: Wire): Promise<void> => {
  const { keys } = await carrier.ask<{ keys: Record<string, string>[] }>('GET', 'sf/keys');
  const [key] = keys;
  const known = await office.get<{ items: { id: number }[] }>(
    '/api/arco/merchants?page_size=50&provider=sf',
  );
  const { id } =
    known.items[0] ??
    (await office.post<{ id: number }>('/api/arco/merchants', {
      name: '顺丰账号',
      provider: 'sf',
      customer_code: key!['monthly_card'],
      app_key: key!['partner_id'],
      app_secret: key!['check_word'],
      base_url: inject('product').carrierUrl,
      sender_name: '示例仓库',
      sender_phone: '13800000001',
    }));
  await office.ask('POST', `/api/arco/merchants/${id}/default`, {});
  const { path } = await office.post<{ path: string }>(
    `/api/arco/merchants/${id}/push-address`,
    {},
  );
  await carrier.ask('POST', 'sf/partner', {
    partner_id: key!['partner_id'],
    callback_url: `${inject('product').url}${path}`,
  });
};

/**
 * Creates a freight scheme that contains only SF's product. Other journeys are not offered this
 * product.
 */
const schemeOf = async (office: Wire, name: string): Promise<number> => {
  await office.ask('POST', '/api/arco/promises', {
    ...product,
    promise_name: '顺丰标快',
    cutoff_time: '18:00',
  });
  const templates = await office.get<{ items: { id: number }[] }>(
    '/api/arco/vouchers?page_size=1&provider=jdl',
  );
  const { weight } = await office.get<{ weight: object }>(
    `/api/arco/vouchers/${templates.items[0]!.id}`,
  );
  const voucher = await office.post<{ id: number }>('/api/arco/vouchers', {
    name,
    ...product,
    weight,
  });
  await office.post(`/api/arco/vouchers/${voucher.id}/publish`, { version: 1 });
  const scheme = await office.post<{ id: number }>('/api/arco/projects', {
    name,
    voucher_ids: [voucher.id],
  });
  return scheme.id;
};

/** Creates a clerk of a new station whose parcels are ordered with SF. */
const newClerk = async (): Promise<Wire> => {
  const office = await wireOf('super');
  const name = `顺丰站 ${crypto.randomUUID().slice(0, 8)}`;
  await accountOf(office);
  const { id: station_id } = await office.post<{ id: number }>('/api/arco/stations', {
    name,
    project_id: await schemeOf(office, name),
    province: '广东省',
    city: '深圳市',
    county: '南山区',
    address: '示例高新路7号',
    sender_name: name,
    sender_phone: '13800001017',
  });
  await office.post(`/api/arco/stations/${station_id}/top-ups`, { amount: 100_000 });
  const username = `sf-${crypto.randomUUID().slice(0, 8)}`;
  const first = 'Kept-in-a-drawer-42';
  await office.post('/api/arco/users', { username, password: first, role: 'user', station_id });
  await (
    await wireAs(username, first)
  ).post('/api/arco/personal/password', { current: first, password });
  return wireAs(username, password);
};

const texts = {
  'zh-CN': {
    paste: '粘贴整段收件信息，回车识别',
    goods: '物品',
    file: '文件',
    weight: '重量（kg）',
    pickup: '上门时间',
    awaiting: '待揽收',
    collected: '已揽收',
    print: '打印 1 单',
  },
  'en-US': {
    more: /^More for/,
    pickup: 'Pickup',
    cancel: 'Cancel parcel',
    wrong: 'Wrong details',
    cancelled: 'Cancelled',
  },
} as const;

interface Parcel {
  id: number;
  delivery_id: string;
  provider: string;
  state_code: number;
  pickup_from: string | null;
  print_count: number;
}

const openAs = async (
  open: Visits['open'],
  { token }: Wire,
  coming: Parameters<Visits['open']>[0],
): Promise<Page> => {
  const { page } = await open({
    ...coming,
    before: async (context) => {
      await withoutPrinter(context);
      await context.addInitScript((own) => {
        // The blank document that is open at first has no storage.
        if (location.protocol !== 'about:') localStorage.setItem('token', own);
      }, token);
    },
  });
  return page;
};

const parcelOf = async (clerk: Wire): Promise<Parcel | undefined> => {
  const { items } = await clerk.get<{ items: { id: number }[] }>('/api/arco/expresses');
  return items[0] && clerk.get<Parcel>(`/api/arco/expresses/${items[0].id}`);
};
const now = async (clerk: Wire): Promise<Parcel> => (await parcelOf(clerk))!;

/** Chooses one of the offered pickup windows, and returns its text. */
const chooseVisit = async (page: Page, field: Locator, nth: number): Promise<string> => {
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape');
      await field.click();
      return page.getByRole('option').count();
    })
    .toBeGreaterThan(2);
  const option = page.getByRole('option').nth(nth);
  const words = (await option.innerText()).trim();
  await option.click();
  await expect.poll(() => field.innerText()).toContain(words);
  return words;
};

inBrowserDaily(
  'a station orders by SF Express with a chosen visit, prints the label and sees a push move the parcel',
  async ({ open }) => {
    await carrier.reachNow();
    const clerk = await newClerk();
    const t = texts['zh-CN'];
    const page = await openAs(open, clerk, { path: '/model/store' });
    const store = shownPage(page, 'ExpressStore');
    const box = store.getByRole('textbox', { name: t.paste });
    await box.fill('赵靐芳 13900139000 上海市浦东新区世纪大道100号');
    await box.press('Enter');
    await store.getByRole('combobox', { name: t.goods }).click();
    await page.getByRole('option', { name: t.file }).click();
    await store.getByRole('textbox', { name: t.weight }).fill('1');
    await shows(store.getByText('顺丰标快').first());
    const words = await chooseVisit(page, store.getByRole('combobox', { name: t.pickup }), -1);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('F8');
    await expect.poll(async () => (await parcelOf(clerk))?.state_code).toBe(100);
    const parcel = await now(clerk);
    expect(parcel).toMatchObject({ provider: 'sf', pickup_from: expect.any(String) });
    expect(parcel.delivery_id).toMatch(/^SF\d{13}$/);

    await goTo(page, `/model/expresses?id=${parcel.id}`);
    await shows(page.getByRole('dialog').getByText(words));
    expect(await violationsOf(page)).toEqual([]);
    await goTo(page, '/model/expresses');
    const list = shownPage(page, 'ExpressTable');
    const row = list.locator(`[data-row="${parcel.id}"]`);
    await shows(row.getByText(t.awaiting).first());
    await row.getByRole('checkbox').check();
    await list.getByRole('button', { name: t.print }).click();
    await expect.poll(() => printings(page)).toBe(1);
    await expect.poll(async () => (await now(clerk)).print_count).toBe(1);

    await carrier.ask('POST', `sf/orders/${parcel.delivery_id}/jump`, { to: '50' });
    await expect.poll(async () => (await now(clerk)).state_code).toBe(200);
    await goTo(page, `/model/expresses?id=${parcel.id}`);
    await shows(page.getByRole('dialog').getByText(t.collected).first());
  },
);

inBrowserDaily(
  'an order at SF Express gets another visit and is cancelled there, in English',
  async ({ open }) => {
    await carrier.reachNow();
    const clerk = await newClerk();
    const t = texts['en-US'];
    const { station } = await clerk.get<{ station: Record<string, string> }>(
      '/api/arco/expresses/options',
    );
    const place = (side: string, of: Record<string, string>) =>
      Object.fromEntries(Object.entries(of).map(([name, value]) => [`${side}_${name}`, value]));
    const { province, city, county, address, sender_name, sender_phone } = station;
    const sides = {
      ...place('sender', { province: province!, city: city!, county: county!, address: address! }),
      ...place('receive', {
        province: '上海市',
        city: '上海市',
        county: '浦东新区',
        address: '世纪大道100号',
      }),
      sender_phone,
      receive_phone: '13900139000',
    };
    const { pickup_windows } = await clerk.post<{
      pickup_windows: { starts_at: string; ends_at: string }[];
    }>('/api/arco/expresses/coverage', { ...product, fresh: 1, ...sides });
    const [first] = pickup_windows;
    await clerk.post('/api/arco/expresses', {
      ...sides,
      ...product,
      sender_name,
      receive_name: '赵靐芳',
      goods: '文件',
      weight: 1_000,
      package_count: 1,
      pickup_from: first!.starts_at,
      pickup_until: first!.ends_at,
    });
    await expect.poll(async () => (await parcelOf(clerk))?.state_code).toBe(100);
    const before = await now(clerk);

    const page = await openAs(open, clerk, {
      path: `/model/store?edit=${before.id}`,
      language: 'en-US',
    });
    const store = shownPage(page, 'ExpressStore');
    await chooseVisit(page, store.getByRole('combobox', { name: t.pickup }), -1);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('F8');
    await expect
      .poll(async () => (await now(clerk)).pickup_from)
      .toBe(pickup_windows.at(-1)!.starts_at);
    expect(await now(clerk)).toMatchObject({ id: before.id, state_code: 100 });

    await goTo(page, '/model/expresses');
    const row = shownPage(page, 'ExpressTable').locator(`[data-row="${before.id}"]`);
    await row.getByRole('button', { name: t.more }).click();
    await page.getByRole('menuitem', { name: t.cancel }).click();
    const dialog = page.getByRole('dialog', { name: /^Cancel/ });
    await dialog.getByRole('button', { name: t.wrong }).click();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: t.cancel }).click();
    await expect.poll(async () => (await now(clerk)).state_code).toBe(500);
    await shows(row.getByText(t.cancelled).first());
    expect(await carrier.ask('GET', `sf/orders/${before.delivery_id}`)).toMatchObject({
      cancelled: true,
    });
  },
);
