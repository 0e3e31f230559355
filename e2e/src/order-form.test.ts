import type { BrowserContext, Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { pasteText } from './clipboard.ts';
import { languagesOf } from './daily.ts';
import { parcelOf, printedParcel } from './ordered-parcel.ts';
import { orderRow, orderedWaybill, orderBar, prices, receiver, store } from './ordering.ts';
import { wireOf } from './wire.ts';

/**
 * Delays the responses to all matching requests. Each call of `release` lets one response through,
 * in the order of the requests.
 */
const held = async (
  context: BrowserContext,
  url: string,
  method: string,
): Promise<{ waiting: () => number; release: () => Promise<void> }> => {
  const routes: Route[] = [];
  let open = false;
  await context.route(url, async (route) => {
    if (open || route.request().method() !== method) return route.fallback();
    routes.push(route);
  });
  return {
    waiting: () => routes.length,
    release: async () => {
      open = true;
      await Promise.all(routes.splice(0).map((route) => route.continue()));
    },
  };
};

const pasteBox = (page: Page) =>
  receiver(page).getByRole('textbox', { name: '粘贴整段收件信息，回车识别' });
const paste = async (page: Page, text: string): Promise<void> => {
  await pasteBox(page).fill(text);
  await pasteBox(page).press('Enter');
};
const focusedName = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? null);
const yuanOf = (fen: number): string =>
  (fen / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
const field = (page: Page, name: string) => store(page).locator(`[name="${name}"]`);
const chooseGoods = async (page: Page, name = '文件'): Promise<void> => {
  await store(page).getByRole('combobox', { name: '物品' }).click();
  await page.getByRole('option', { name }).click();
};
const customer = '赵靐芳 13900139000 上海市浦东新区世纪大道100号';

describe('the order form', () => {
  inBrowserDaily(
    'an answer of the station’s sender during recognition is not lost, so that the price appears',
    async ({ open }) => {
      const holding: {
        options?: Awaited<ReturnType<typeof held>>;
        parse?: Awaited<ReturnType<typeof held>>;
      } = {};
      const { page } = await open({
        role: 'user',
        path: '/model/store',
        before: async (context) => {
          holding.options = await held(context, '**/api/arco/expresses/options*', 'GET');
          holding.parse = await held(context, '**/api/arco/address/parse', 'POST');
        },
      });
      await paste(page, customer);
      await expect.poll(() => holding.parse!.waiting()).toBe(1);
      await holding.options!.release();
      await expect.poll(() => field(page, 'sender.name').inputValue()).not.toBe('');
      await field(page, 'weight').fill('4.3');
      await holding.parse!.release();
      await expect.poll(() => field(page, 'receiver.name').inputValue()).toBe('赵靐芳');
      expect(await field(page, 'weight').inputValue()).toBe('4.3');
      expect(await field(page, 'sender.name').inputValue()).not.toBe('');
      await shows(prices(page).getByRole('table', { name: '计费明细' }));
    },
  );

  inBrowser(
    'an order sent by F8 right after typing waits for the price of the typed content',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      await paste(page, customer);
      await chooseGoods(page);
      await field(page, 'weight').fill('2');
      await shows(prices(page).getByRole('table', { name: '计费明细' }));
      const quotes = await held(context, '**/api/arco/expresses/quote', 'POST');
      const orders = await held(context, '**/api/arco/expresses', 'POST');
      await field(page, 'weight').fill('9');
      await page.keyboard.press('F8');
      await expect.poll(() => quotes.waiting()).toBeGreaterThan(0);
      expect(orders.waiting()).toBe(0);
      await quotes.release();
      await expect.poll(() => orders.waiting()).toBe(1);
      await orders.release();
      await orderedWaybill(page);
      await expect.poll(() => store(page).getByRole('alert').count()).toBe(0);
    },
  );

  inBrowserDaily(
    'recognition leads to the first empty required field, and a pin is set by keyboard',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      await expect.poll(() => field(page, 'sender.name').inputValue()).not.toBe('');
      await paste(page, customer);
      await expect.poll(() => focusedName(page)).toBe('goods');
      await page.keyboard.type('文件');
      await page.keyboard.press('Enter');
      await field(page, 'weight').fill('1.5');
      await page.keyboard.press('Alt+p');
      await shows(store(page).getByRole('button', { name: '下单后清空重量（kg）', pressed: true }));
      await page.keyboard.press('F8');
      await orderedWaybill(page);
      // Goods are pinned by default and kept after an order, so that only the receiver is missing
      // now.
      await expect.poll(() => field(page, 'weight').inputValue()).toBe('1.5');
      expect(await field(page, 'goods').inputValue()).toBe('文件');
      await field(page, 'weight').fill('');
      await paste(page, customer);
      await expect.poll(() => focusedName(page)).toBe('weight');
    },
  );

  inBrowser(
    'a recipient pasted into any field of the receiver is read as a whole, and F8 meanwhile orders the read recipient',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      await chooseGoods(page);
      await field(page, 'weight').fill('1.5');
      const parse = await held(context, '**/api/arco/address/parse', 'POST');
      await field(page, 'receiver.phone').focus();
      await pasteText(page, '孙红梅 13900139077 上海市浦东新区世纪大道107号');
      await expect.poll(() => parse.waiting()).toBe(1);
      expect(await field(page, 'receiver.phone').inputValue()).toBe('');
      await page.keyboard.press('F8');
      await parse.release();
      await shows(orderRow(page, '孙红梅'));
      await orderedWaybill(page);
      // A pasted text that fits only the focused field is not distributed over other fields.
      await field(page, 'receiver.address').focus();
      await pasteText(page, '世纪大道108号');
      await expect.poll(() => field(page, 'receiver.address').inputValue()).toBe('世纪大道108号');
    },
  );

  inBrowserDaily(
    'an earlier parcel to the same phone is named before ordering, and the usual weight comes by one key',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      await chooseGoods(page);
      const phone = `139${String(Date.now()).slice(-8)}`;
      await paste(page, `周红梅 ${phone} 上海市浦东新区世纪大道109号`);
      await expect.poll(() => field(page, 'receiver.name').inputValue()).toBe('周红梅');
      await field(page, 'weight').fill('2.7');
      await page.keyboard.press('F8');
      const waybill = await orderedWaybill(page);
      await paste(page, `吴红梅 ${phone} 上海市浦东新区世纪大道110号`);
      const notice = receiver(page).getByText(/已寄给此电话（周红梅）/);
      await shows(notice);
      await shows(notice.getByRole('link', { name: new RegExp(waybill) }));
      await field(page, 'weight').press('ArrowDown');
      await expect.poll(() => field(page, 'weight').inputValue()).toBe('2.7');
    },
  );

  inBrowserDaily(
    'the carrier’s answer about the address is shown before ordering: reachable with its times, or why not',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      await chooseGoods(page);
      await field(page, 'weight').fill('1.5');
      await paste(page, '郑红梅 13900139078 上海市浦东新区世纪大道111号');
      await shows(prices(page).getByText(/承运商可送达 · .+ → /));
      await shows(
        prices(page)
          .getByText(/\d\d:\d\d 送达/)
          .first(),
      );
      await field(page, 'receiver.address').fill('超区路1号');
      await shows(prices(page).getByText(/超出承运商服务范围 · .*超区/));
    },
  );

  inBrowserDaily(
    'a county name that several cities have is selected by a number key',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      await expect.poll(() => field(page, 'sender.name').inputValue()).not.toBe('');
      await paste(page, '1. 李四 13900139001 朝阳区建国路88号');
      await expect.poll(() => field(page, 'receiver.name').inputValue()).toBe('李四');
      await expect.poll(() => focusedName(page)).toBe('receiver.place');
      await shows(receiver(page).getByRole('button', { name: /1 北京市 \/ 朝阳区/ }));
      await page.keyboard.press('1');
      await expect.poll(() => field(page, 'receiver.place').inputValue()).toBe('北京市 / 朝阳区');
      await expect.poll(() => focusedName(page)).toBe('goods');
    },
  );
});

for (const language of languagesOf('en-US'))
  inBrowser(
    `the order form’s bar on a phone has its amounts in one row and every button in another (${language})`,
    async ({ open }) => {
      const { page } = await open({
        role: 'user',
        path: '/model/store',
        language,
        width: 390,
        height: 844,
      });
      const bar = page.getByRole('region', { name: /^(?:应付与下单|Due and order)$/ });
      await shows(bar);
      const rows = await bar.locator('p, button').evaluateAll((all) =>
        all.map((one) => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          return left >= 0 && right <= 390 ? Math.round((top + bottom) / 2) : 'cut';
        }),
      );
      expect([rows.length, new Set(rows).size, rows.includes('cut')]).toEqual([5, 2, false]);
    },
  );

describe('editing a parcel that the carrier has', () => {
  inBrowser(
    'an edit of a parcel that the carrier has counts the held amount, shows locked fields, returns to the list and offers a reprint',
    async ({ open }) => {
      const wire = await wireOf('user');
      const parcel = await printedParcel(wire);

      const { page } = await open({
        role: 'user',
        path: `/model/expresses?tab=awaiting_pickup&id=${parcel.id}`,
      });
      const drawer = page.getByRole('dialog', { name: /待揽收/ });
      await drawer.getByRole('button', { name: '修改' }).click();
      await shows(store(page).getByRole('heading', { level: 1, name: /^编辑运单 / }));
      await expect.poll(() => field(page, 'goods').isDisabled()).toBe(true);
      await shows(store(page).getByRole('region', { name: '物品' }).getByText('不能修改'));
      const after = orderBar(page).getByText('下单后可用').locator('..');
      const { available } = (
        await wire.get<{ station: { available: number } }>('/api/arco/expresses/options')
      ).station;
      // The form still contains the parcel without changes. Its price is held already, so the
      // balance after saving is the present available balance.
      await expect.poll(() => after.innerText()).toContain(yuanOf(available));
      await field(page, 'remark').fill('轻放');
      await page.keyboard.press('F8');
      await arrives(page, `/model/expresses?tab=awaiting_pickup&id=${parcel.id}&reprint=1`);
      const offer = drawer.getByRole('button', { name: '补打面单' });
      await shows(offer);
      await offer.click();
      await shows(page.getByRole('textbox', { name: '补打原因' }));
    },
  );
});

describe('a station that may not print', () => {
  inBrowserDaily(
    'a station without the right to print has it disabled with the reason on the order form, in the list and in the drawer',
    async ({ open }) => {
      const wire = await wireOf('super');
      const own = (
        await (await wireOf('user')).get<{ station: { id: number } }>('/api/arco/expresses/options')
      ).station.id;
      interface Parcel {
        id: number;
        delivery_id: string;
        station_id: number;
        station_name: string;
      }
      const stations = await wire.get<{ items: { id: number; available: number }[] }>(
        '/api/arco/stations?page_size=200',
      );
      const other = stations.items.find(({ id, available }) => id !== own && available > 100_00)!;
      // Creates a new parcel, because other journeys pick up and cancel the parcels of the demo.
      const { id } = await parcelOf(wire, other.id);
      const read = (): Promise<Parcel & { state_code: number }> =>
        wire.get(`/api/arco/expresses/${id}`);
      await expect.poll(async () => (await read()).state_code).toBe(100);
      const parcel = await read();
      const mayPrint = async (allow_print: 0 | 1): Promise<void> => {
        // Repeats the request, because another journey may change the station at the same time.
        await expect
          .poll(async () => {
            const path = `/api/arco/stations/${parcel.station_id}`;
            const { version } = await wire.get<{ version: number }>(path);
            return (await wire.ask('PATCH', path, { version, allow_print })).status;
          })
          .toBe(200);
      };
      await mayPrint(0);
      try {
        const { page } = await open({
          role: 'super',
          // The parcel is searched by its number, because newer parcels of the station may fill the
          // first page.
          path: `/model/expresses?id=${parcel.id}&q=${parcel.delivery_id}`,
        });
        const reason = '该网点未开通打印，请联系管理员';
        // The open drawer hides the list from screen readers.
        const inList = page
          .locator(`[data-row="${parcel.id}"]`)
          .getByRole('button', { name: /^打印/, includeHidden: true });
        await expect.poll(() => inList.isDisabled()).toBe(true);
        const drawer = page.getByRole('dialog', { name: /待揽收/ });
        await drawer.getByRole('button', { name: /的更多操作$/ }).click();
        const print = page.getByRole('menuitem', { name: /^打印/ });
        await shows(page.getByText(reason).first());
        await shows(print);
        await page.keyboard.press('Escape');
        await goTo(page, '/model/store');
        const picker = store(page).getByRole('combobox', { name: '网点' });
        await picker.fill(parcel.station_name);
        await page.getByRole('option', { name: parcel.station_name }).first().click();
        await shows(store(page).getByText(reason));
        expect(await store(page).getByRole('button', { name: '下单并打印' }).isDisabled()).toBe(
          true,
        );
      } finally {
        await mayPrint(1);
      }
    },
  );
});
