import { printings, withoutPrinter } from './printer.ts';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { barcodesOf, labelAnswer } from './label-reading.ts';
import { parcelOf } from './ordered-parcel.ts';
import {
  orderedWaybill,
  orders,
  orderBar,
  prices,
  receiver,
  store,
  typeParcel,
} from './ordering.ts';
import { mainMenu, notice, shownPage } from './shell.ts';
import { carrier, wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

/**
 * Records every PDF of labels that the page loads. This is needed because the body of such a
 * response cannot be read a second time.
 */
const keepLabels = async (context: BrowserContext): Promise<Uint8Array[]> => {
  const kept: Uint8Array[] = [];
  await context.route('**/api/arco/labels', async (route) => {
    const answer = await route.fetch();
    kept.push((await labelAnswer(await answer.body(), answer.headers()['content-type']!)).file);
    await route.fulfill({ response: answer });
  });
  return kept;
};

/**
 * Finds the drawer of a parcel by the parcel's state. If a preview of a label covers the drawer and
 * hides it from screen readers, it is still found.
 */
const parcelDrawer = (page: Page, state: string | RegExp = ''): Locator =>
  page.getByRole('dialog', { name: state, includeHidden: true });
const fact = (drawer: Locator, name: string): Promise<string> =>
  drawer
    .locator('dl > div')
    .filter({ has: drawer.page().getByText(name, { exact: true }) })
    .locator('dd')
    .innerText();
const rowsOf = async (table: Locator): Promise<string[][]> => {
  const rows = await table.locator('tbody').getByRole('row').all();
  return Promise.all(rows.map((row) => row.getByRole('cell').allInnerTexts()));
};

interface Waiting {
  id: number;
  post_amount: number;
  created_at: string;
}

/**
 * Creates a station of the partner without money, so that its orders become parcels on hold.
 * Returns functions to read its available balance and its parcels on hold, oldest first. Example
 * stations are not used, because other journeys advance the simulator's clock. The simulator's
 * messages then change the parcels and balances of those stations.
 */
const emptyStation = async (office: Wire) => {
  const partner = await wireOf('partner');
  const name = `空余额站 ${crypto.randomUUID().slice(0, 8)}`;
  const { id: station_id } = await partner.post<{ id: number }>('/api/arco/stations', {
    name,
    province: '广东省',
    city: '深圳市',
    county: '南山区',
    address: '示例高新路5号',
    sender_name: name,
    sender_phone: '13800001015',
  });
  return {
    name,
    station_id,
    available: async (): Promise<number> =>
      (await office.get<{ available: number }>(`/api/arco/stations/${station_id}`)).available,
    queue: async (): Promise<Waiting[]> => {
      const answer = await office.get<{ items: Waiting[] }>(
        `/api/arco/expresses?tab=on_hold&station_id=${station_id}&page_size=50`,
      );
      return answer.items.toSorted(
        (a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id,
      );
    },
  };
};

const yuan = (fen: number): string => `¥${(fen / 100).toFixed(2)}`;

describe('the main job', () => {
  inBrowser(
    'a clerk pastes an address, orders and prints; the parcel is signed for, charged and proved',
    async ({ open }) => {
      await carrier.reachNow();
      const { page, context } = await open({ before: withoutPrinter });
      const labels = await keepLabels(context);
      await page.getByRole('button', { name: /clerk/ }).click();
      await page.keyboard.press('Enter');
      await arrives(page, '/dashboard/workplace');

      await mainMenu(page).getByRole('link', { name: '在线下单' }).click();
      await typeParcel(page, {
        paste: '赵靐芳 13900139000 上海市浦东新区世纪大道100号',
        weight: '4.3',
        insured: '500',
      });
      const read = (name: string, role: 'textbox' | 'combobox' = 'textbox') =>
        receiver(page).getByRole(role, { name }).inputValue();
      expect([
        await read('姓名', 'combobox'),
        await read('电话', 'combobox'),
        await read('省 / 市 / 区县', 'combobox'),
        await read('详细地址'),
      ]).toEqual(['赵靐芳', '13900139000', '上海市 / 浦东新区', '世纪大道100号']);
      const reasons = prices(page).getByRole('table', { name: '计费明细' });
      for (const rule of [/^申报重量/, /^首重/, /^1 kg 以上/, /^网点折扣/, /^保价/, /^应付/])
        await shows(reasons.getByRole('rowheader', { name: rule }));
      const quoted = (
        await reasons.getByRole('row', { name: /^应付/ }).getByRole('cell').last().innerText()
      ).trim();

      await page.keyboard.press('F8');
      const waybill = await orderedWaybill(page);
      const latest = orders(page);
      await shows(latest.getByText('待揽收'));
      await shows(latest.getByText(quoted));
      expect(
        await receiver(page)
          .getByRole('textbox', { name: '粘贴整段收件信息，回车识别' })
          .evaluate((box) => box === document.activeElement),
      ).toBe(true);

      await latest.getByRole('link').first().click();
      const parcel = parcelDrawer(page, waybill);
      await parcel.getByRole('button', { name: '预览面单' }).click();
      const preview = page.getByRole('dialog', { name: /面单预览/ });
      await shows(preview.locator('iframe'));
      expect(await barcodesOf(labels[0]!)).toEqual([[`${waybill}-1-1-`, waybill]]);
      await expect.poll(() => fact(parcel, '打印次数')).toBe('0');
      await preview.getByRole('button', { name: '打印' }).click();
      await shows(notice(page, '已提交打印 1 单'));
      expect(await barcodesOf(labels[1]!)).toEqual([[`${waybill}-1-1-`, waybill]]);
      await expect.poll(() => printings(page)).toBe(1);
      await expect.poll(() => fact(parcel, '打印次数')).toMatch(/^1 次，最近/);
      expect([
        await fact(parcel, '申报重量'),
        await fact(parcel, '计费重量'),
        await fact(parcel, '应付'),
      ]).toEqual(['4.3kg', '5kg', quoted]);

      await carrier.ask('POST', `orders/${waybill}/facts`, { weight: 5200 });
      await carrier.jump(waybill, 'picked_up');
      await shows(parcelDrawer(page, /已揽收/));
      await carrier.jump(waybill, 'delivered');
      await shows(parcelDrawer(page, /已签收/));
      await expect.poll(() => fact(parcel, '承运商称重')).toBe('5.2kg');
      await expect.poll(() => fact(parcel, '计费重量')).toBe('6kg');
      const charged = await fact(parcel, '应付');
      await parcel.getByRole('tab', { name: '价格' }).click();
      const compared = parcel.getByRole('table', { name: '前后对比' });
      await shows(compared);
      expect(
        (
          await compared
            .getByRole('row', { name: /^计费重量/ })
            .getByRole('cell')
            .allInnerTexts()
        ).slice(0, 2),
      ).toEqual(['5kg', '6kg']);
      expect(
        (
          await compared.getByRole('row', { name: /^应付/ }).getByRole('cell').allInnerTexts()
        ).slice(0, 2),
      ).toEqual([quoted, charged]);
      await parcel.getByRole('tab', { name: '轨迹' }).click();
      for (const node of ['揽收完成', '妥投']) await shows(parcel.getByText(node).first());
      await expect.poll(() => parcel.getByRole('tab', { name: '资金' }).count()).toBe(0);

      const id = new URLSearchParams(page.url().split('?')[1]).get('id');
      const owner = await open({ role: 'station', path: `/model/expresses?id=${id}&view=money` });
      const lines = parcelDrawer(owner.page, waybill).getByRole('table');
      await shows(lines.getByText('扣费'));
      const words = (await rowsOf(lines)).map((cells) => cells.join(' '));
      expect(words).toHaveLength(2);
      expect(words[0]).toContain(quoted);
      expect(words[1]).toContain(charged);

      const office = await open({ role: 'super' });
      await shows(shownPage(office.page, 'Workplace').getByText('校验通过，账目一致'));
      expect(await (await wireOf('super')).get('/api/arco/ledger/proof?full=1')).toMatchObject({
        ok: 1,
        breaks: [],
      });
    },
  );

  inBrowserDaily(
    'a parcel of three pieces has three labels, each with its own package number',
    async ({ open }) => {
      const { page, context } = await open({
        role: 'user',
        path: '/model/store',
        before: withoutPrinter,
      });
      const labels = await keepLabels(context);
      await typeParcel(page, {
        paste: '王五，13900139003，江苏省苏州市吴中区示例路8号',
        weight: '6',
        pieces: '3',
      });
      await page.keyboard.press('F9');
      const waybill = await orderedWaybill(page);
      await shows(orders(page).getByRole('button', { name: /^待打印 1 单/ }));
      expect(labels).toEqual([]);
      await page.keyboard.press('F10');
      await expect.poll(() => labels.length).toBe(1);
      expect(await barcodesOf(labels[0]!)).toEqual(
        [1, 2, 3].map((piece) => [`${waybill}-${piece}-3-`, waybill]),
      );
      await expect.poll(() => printings(page)).toBe(1);
    },
  );

  inBrowserDaily(
    'the amount offered for a parcel on hold releases it with earlier ones, and no later one',
    async ({ open }) => {
      const office = await wireOf('super');
      const { name, station_id, available, queue } = await emptyStation(office);
      const stateOf = async ({ id }: { id: number }): Promise<number> =>
        (await office.get<{ state_code: number }>(`/api/arco/expresses/${id}`)).state_code;
      for (let nth = 1; nth <= 3; nth++)
        expect((await parcelOf(office, station_id)).state_code).toBe(10);
      const [first, second, third] = (await queue()) as [Waiting, Waiting, Waiting];
      const needed = first.post_amount + second.post_amount - (await available());

      const { page } = await open({
        role: 'super',
        path: `/model/expresses?tab=on_hold&station_id=${station_id}`,
      });
      const list = shownPage(page, 'ExpressTable');
      await list
        .locator(`[data-row="${second.id}"]`)
        .getByRole('button', { name: `充值 ${yuan(needed)}` })
        .click();
      const dialog = page.getByRole('dialog', { name: '充值' });
      await shows(dialog.getByText('此金额含排在之前的 1 单，将按顺序一并下单。'));
      expect(await dialog.getByRole('textbox', { name: '金额（元）' }).inputValue()).toBe(
        (needed / 100).toFixed(2),
      );
      await dialog.getByRole('button', { name: `充值 ${yuan(needed)}` }).click();
      await shows(notice(page, `已为${name}充值 ${yuan(needed)}`));
      await gone(dialog);
      await expect
        .poll(async () => [await stateOf(first), await stateOf(second)])
        .toEqual([100, 100]);
      await gone(list.locator(`[data-row="${second.id}"]`));

      expect(await stateOf(third)).toBe(10);
      await shows(
        list
          .locator(`[data-row="${third.id}"]`)
          .getByRole('button', { name: `充值 ${yuan(third.post_amount - (await available()))}` }),
      );
      expect(await office.get('/api/arco/ledger/proof')).toMatchObject({ ok: 1, breaks: [] });
    },
  );

  inBrowserDaily(
    'the bar of the order form keeps what is due, what is left, what is missing and its buttons in view, in both languages and at three sizes',
    async ({ open }) => {
      const { name: station } = await emptyStation(await wireOf('super'));
      const { page } = await open({ role: 'partner', path: '/model/store' });
      await typeParcel(page, {
        station,
        paste: '孙六 13900139004 浙江省杭州市西湖区示例街1号',
        weight: '30',
      });
      await shows(orderBar(page).getByText(/余额不足，还差/));
      for (const language of ['Chinese', 'English']) {
        if (language === 'English') {
          await page.getByRole('button', { name: '语言' }).click();
          await page.getByRole('menuitem', { name: language }).click();
          await shows(orderBar(page).getByText(/^Due /));
        }
        for (const [width, height] of [
          [1366, 768],
          [1440, 900],
          [1920, 1080],
        ] as const) {
          await page.setViewportSize({ width, height });
          const parts = orderBar(page).locator('p, button');
          // The bar has six parts: the amounts, the missing amount, and four buttons. The buttons
          // clear the form, store a draft, order, and order with printing.
          expect(await parts.count()).toBe(6);
          const boxes = await parts.evaluateAll((all) =>
            all.map((one) => {
              const { left, top, right, bottom } = one.getBoundingClientRect();
              const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
              return { left, top, right, bottom, covered: !shown || !one.contains(shown) };
            }),
          );
          for (const [at, box] of boxes.entries()) {
            expect(box, `${language} ${width}: part ${at}`).toMatchObject({ covered: false });
            expect([box.left >= 0, box.right <= width, box.bottom <= height]).toEqual([
              true,
              true,
              true,
            ]);
            const met = boxes
              .slice(at + 1)
              .filter(
                (other) =>
                  box.left < other.right &&
                  other.left < box.right &&
                  box.top < other.bottom &&
                  other.top < box.bottom,
              );
            expect(met, `${language} ${width}: parts that meet part ${at}`).toEqual([]);
          }
          // The price beside the form is completely visible, and each offer is on one line.
          const panel = store(page).locator('section:has([role=radiogroup])').last();
          const hidden = (part: Locator): Promise<number> =>
            part.evaluate((one) => one.scrollHeight - one.clientHeight);
          expect([language, width, await hidden(panel.locator('xpath=..'))]).toEqual([
            language,
            width,
            0,
          ]);
          expect(
            await panel
              .locator('[role=radiogroup] label')
              .evaluateAll(
                (all) =>
                  all.filter(
                    (offer) =>
                      offer.clientHeight > 40 ||
                      offer.children[1]!.scrollWidth > offer.children[1]!.clientWidth,
                  ).length,
              ),
          ).toBe(0);
        }
      }
    },
  );

  inBrowser(
    'a parcel that the balance does not cover shows the missing amount, and is ordered automatically after the top-up',
    async ({ open }) => {
      const office = await wireOf('super');
      const { name: station, station_id, queue } = await emptyStation(office);
      // Another parcel was put on hold earlier and must be released first.
      const ahead = await parcelOf(office, station_id);
      expect(ahead.state_code).toBe(10);
      const partner = await open({ role: 'partner', path: '/model/store' });
      await typeParcel(partner.page, {
        station,
        paste: '孙六 13900139004 浙江省杭州市西湖区示例街1号',
        weight: '2',
      });
      await shows(orderBar(partner.page).getByText(/余额不足，还差/));
      await partner.page.keyboard.press('F8');
      const latest = orders(partner.page);
      await shows(latest.getByText('暂挂', { exact: true }));
      const needed = (await queue()).reduce((total, { post_amount }) => total + post_amount, 0);
      const sum = `余额不足，含之前的 1 单共差 ${yuan(needed)}`;
      await shows(latest.getByText(`${sum}。已暂挂，充值后按顺序自动下单。`));
      await latest.getByRole('link').first().click();
      const waiting = parcelDrawer(partner.page, /暂挂/);
      await shows(waiting.getByText(sum));

      const id = new URLSearchParams(partner.page.url().split('?')[1]).get('id');
      const admin = await open({ role: 'admin', path: '/model/expresses?tab=on_hold' });
      const row = shownPage(admin.page, 'ExpressTable').locator(`[data-row="${id}"]`);
      await row.getByRole('button', { name: '充值' }).click();
      const dialog = admin.page.getByRole('dialog', { name: '充值' });
      const amount = dialog.getByRole('textbox', { name: '金额（元）' });
      expect(`¥${await amount.inputValue()}`).toBe(yuan(needed));
      await amount.fill('100');
      await dialog.getByRole('button', { name: '充值 ¥100.00' }).click();
      await shows(notice(admin.page, new RegExp(`已为${station}充值 ¥100.00`)));
      await gone(dialog);

      await shows(parcelDrawer(partner.page, /待揽收/));
      await shows(parcelDrawer(partner.page, /JDVE/));
      expect(await office.get(`/api/arco/expresses/${ahead.id}`)).toMatchObject({
        state_code: 100,
      });
      expect(await (await wireOf('super')).get('/api/arco/ledger/proof')).toMatchObject({
        ok: 1,
        breaks: [],
      });
    },
  );
});
