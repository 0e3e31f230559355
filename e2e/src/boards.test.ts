import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, goTo, hrefOf, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { inLanguageOf, withDaily } from './daily.ts';
import { banner, notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

const board = (page: Page): Locator => shownPage(page, 'Workplace');
const card = (page: Page, name: string): Locator => board(page).getByRole('region', { name });
const whole = (text: string): number => Number(text.replaceAll(/[^\d]/g, ''));

/** Reads the total that the parcel list shows, as in "共 16 单 · …". */
const listed = async (page: Page): Promise<number> => {
  const words = shownPage(page, 'ExpressTable').getByText(/^(?:共|至少) [\d,]+ 单/);
  await shows(words);
  return whole(/ ([\d,]+) 单/.exec(await words.innerText())![1]!);
};

/**
 * Opens a link and checks that the list then contains this number of parcels. The numbers of past
 * days do not change during the test.
 */
const opensAsMany = async (page: Page, door: Locator, count: number): Promise<void> => {
  await door.click();
  await expect.poll(() => listed(page)).toBe(count);
  await page.goto('/#/dashboard/workplace');
};

describe('the Workplace’s boards (requirements §1, §10.11)', () => {
  for (const role of withDaily(
    ['super'] as const,
    ['admin', 'partner', 'station', 'user'] as const,
  ))
    inBrowser(`every number of ${role} opens the list that it counts`, async ({ open }) => {
      const { page } = await open({ role });
      const door = board(page).getByRole('link', { name: /^已签收：昨日/ });
      await opensAsMany(page, door, whole(/ ([\d,]+) 单/.exec(await door.innerText())![1]!));
      await board(page)
        .getByRole('link', { name: /^下单失败/ })
        .first()
        .click();
      await shows(
        shownPage(page, 'ExpressTable').getByRole('tab', { name: /失败/, selected: true }),
      );
    });

  inBrowser(
    'the office looks at seven days, a day’s parcels and its billing lines',
    async ({ open }) => {
      const { page } = await open({ role: 'admin' });
      const money = card(page, '经营');
      await money.getByRole('button', { name: '近 7 日' }).click();
      await shows(money.getByRole('heading', { name: '近 7 日收入、成本与毛利' }));
      const sentence = money.getByText(/^近 7 日净收入 ¥.*毛利最高是/);
      await shows(sentence);
      await expect.poll(() => money.locator('svg path[data-unfinished]').count()).toBe(2);
      await money.getByRole('button', { name: '按天查看' }).click();
      const days = money.getByRole('region', { name: '按天查看' }).getByRole('row');
      await expect.poll(() => days.count()).toBe(9);
      // The sentence must not call today the day with the fewest parcels, because today has not
      // ended.
      const today = (await days.nth(1).getByRole('rowheader').innerText()).slice(5);
      expect(await sentence.innerText()).not.toContain(`最低是 ${today}`);
      const oldest = days.nth(7);
      const [day] = await oldest.getByRole('rowheader').allInnerTexts();
      const [parcels, lines] = [oldest.getByRole('link').first(), oldest.getByRole('link').last()];
      await opensAsMany(page, parcels, whole(await parcels.innerText()));
      await lines.click();
      const statements = shownPage(page, 'StatementTable');
      await shows(statements.getByText(/期初 ¥.* = 期末 ¥/));
      expect(page.url()).toContain(`posted_from=${day}&posted_to=${day}`);
    },
  );

  inBrowserDaily(
    'a chart says the values of a day to a pointer and, day by day, to the arrow keys; Enter opens the day’s parcels',
    async ({ open }) => {
      const { page } = await open({ role: 'admin' });
      const money = card(page, '经营');
      const [lines, bars] = [money.getByRole('slider').first(), money.getByRole('slider').last()];
      await shows(bars);
      const values = money.locator('[data-values]');
      await lines.focus();
      await shows(values);
      expect(await lines.getAttribute('aria-valuenow')).toBe('30');
      await page.keyboard.press('Home');
      await expect.poll(() => lines.getAttribute('aria-valuenow')).toBe('1');
      await page.keyboard.press('ArrowRight');
      const read = (await lines.getAttribute('aria-valuetext'))!;
      expect(read).toMatch(/^\d{4}-\d{2}-\d{2} · 净收入 .* · 承运成本 .* · 毛利 /);
      expect((await values.innerText()).split('\n').join(' · ')).toBe(read);
      const box = (await lines.boundingBox())!;
      await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2);
      await expect.poll(() => lines.getAttribute('aria-valuenow')).toBe('30');
      await page.mouse.move(0, 0);
      await gone(values);
      expect(await violationsOf(page)).toEqual([]);
      await bars.focus();
      await page.keyboard.press('ArrowLeft');
      const words = (await bars.getAttribute('aria-valuetext'))!;
      await page.keyboard.press('Enter');
      await expect.poll(() => listed(page)).toBe(whole(words.replace(/^\d{4}-\d{2}-\d{2}/, '')));
    },
  );

  inBrowserDaily(
    'a partner reaches the station that fell most by one key, its reason and the next action by Enter',
    async ({ open }) => {
      const { page } = await open({
        role: 'partner',
        before: (context) =>
          context.route('**/api/arco/workplace/stations*', async (route) => {
            const answer = await (await route.fetch()).json();
            answer.data.items[0].before.count += 1_000;
            await route.fulfill({ json: answer });
          }),
      });
      const fallen = card(page, '下级网点').getByText(/^单量下降最多/);
      await shows(fallen);
      const name = await fallen.getByRole('link').innerText();
      await page.keyboard.press('s');
      await expect
        .poll(() => fallen.getByRole('link').evaluate((one) => one === document.activeElement))
        .toBe(true);
      await page.keyboard.press('Enter');
      const drawer = page.getByRole('dialog', { name });
      const why = drawer.getByRole('region', { name: /^近 30 日 [\d,]+ 单，前期 [\d,]+ 单$/ });
      await shows(why);
      const act = why.getByRole('link').first();
      await expect.poll(() => act.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(page.url()).not.toContain('why=');
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await gone(drawer);
    },
  );

  inBrowserDaily(
    'a partner compares the stations below, and looks at those below one of them',
    async ({ open }) => {
      const { page } = await open({ role: 'partner' });
      const below = card(page, '下级网点');
      const rows = below.getByRole('row', { name: /示例/ });
      await shows(rows.first());
      const all = await rows.count();
      const before = rows.first().getByRole('link', { name: /%$/ });
      await opensAsMany(
        page,
        before,
        whole(/的 ([\d,]+) 单/.exec((await before.getAttribute('title'))!)![1]!),
      );
      await below.getByRole('button', { name: '按可用排序' }).click();
      await shows(
        below
          .getByRole('columnheader', { name: '按可用排序' })
          .and(below.locator('[aria-sort="descending"]')),
      );
      await below.getByRole('combobox', { name: '统计范围' }).click();
      await page.getByRole('option', { name: '示例深圳南山站' }).click();
      await expect.poll(() => rows.count()).toBeLessThan(all);
      await rows.first().getByRole('link', { name: /^¥/ }).first().click();
      await shows(
        shownPage(page, 'StatementTable')
          .getByText(/分润来源/)
          .first(),
      );
    },
  );

  inBrowser('an administrator runs a ledger check and sees earlier results', async ({ open }) => {
    const { page } = await open({ role: 'super' });
    const proof = card(page, '账目校验');
    await proof.getByRole('button', { name: '校验新增' }).click();
    await shows(notice(page, /校验完成，[\d,]+ 笔分录一致/));
    await shows(proof.getByText(/^增量 · 已校验 [\d,]+ 笔分录/));
    await proof.getByText(/^历史记录/).click();
    await expect.poll(() => proof.getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
    await shows(proof.getByText(/，通过$/).nth(1));
  });

  inBrowserDaily(
    'a full check under way shows how far it has come as it goes on, since when, and when the last ones were',
    async ({ open }) => {
      let rows_done = 4_200_000;
      const reads = { proofs: 0, money: 0 };
      const { page } = await open({
        role: 'super',
        before: async (context) => {
          await context.route('**/api/arco/workplace/money*', async (route) => {
            reads.money += 1;
            await route.continue();
          });
          await context.route('**/api/arco/ledger/proofs', async (route) => {
            reads.proofs += 1;
            const response = await route.fetch();
            const json = (await response.json()) as { data: { running: object | null } };
            json.data.running = {
              started_at: new Date().toISOString(),
              rows_done,
              rows_total: 10_000_000,
            };
            await route.fulfill({ response, json });
          });
        },
      });
      const proof = card(page, '账目校验');
      const percent = () =>
        proof.getByRole('progressbar', { name: '完整校验进行中' }).getAttribute('aria-valuenow');
      expect(await percent()).toBe('42');
      rows_done = 6_000_000;
      await expect.poll(percent).toBe('60');
      // The ledger check is read more often than the other cards, which are still read once a
      // minute.
      await expect.poll(() => reads.proofs).toBeGreaterThanOrEqual(4);
      expect(reads.proofs).toBeGreaterThan(reads.money + 1);
      await shows(proof.getByText(/开始$/));
      await shows(proof.getByText('上次完整校验', { exact: true }));
    },
  );

  for (const { language, total, every } of inLanguageOf('en-US', [
    {
      language: 'zh-CN',
      total: '有运单号，含已取消',
      every: '含草稿、暂挂、下单中和失败',
    },
    {
      language: 'en-US',
      total: 'waybills, incl. cancelled',
      every: 'including drafts, awaiting funds, ordering and failed',
    },
  ] as const))
    inBrowser(
      `the total of the Workplace and the whole list say in ${language} what each counts`,
      async ({ open }) => {
        const { page } = await open({ role: 'admin', language, path: '/dashboard/workplace' });
        const tile = board(page).getByRole('link').filter({ hasText: total });
        await shows(tile);
        expect(await tile.locator('xpath=..').getAttribute('title')).toContain(
          language === 'zh-CN' ? '有运单号' : 'with a waybill',
        );
        // The link of the tile opens the list with only the parcels that the tile counts. Without
        // filters, the list shows all parcels.
        const list = shownPage(page, 'ExpressTable');
        await tile.click();
        await shows(list.locator('[data-row]').first());
        await gone(list.getByText(every));
        await goTo(page, '/model/expresses');
        await shows(list.getByText(every));
        expect(await list.getByText(every).getAttribute('title')).toContain(
          language === 'zh-CN' ? '运单总数' : 'All parcels',
        );
      },
    );

  inBrowserDaily(
    'carriers that do not answer have a card of their own, each is named in the banner with its orders, and the account is red',
    async ({ open }) => {
      const since = new Date(Date.now() - 600_000).toISOString();
      const { items } = await (
        await wireOf('admin')
      ).get<{ items: { id: number; name: string }[] }>('/api/arco/merchants');
      const [account] = items;
      const outages = [
        { merchant_id: account!.id, provider: 'jdl', name: account!.name, since, waiting: 3 },
        { merchant_id: 99, provider: 'sf', name: '示例第二账号', since, waiting: 12 },
      ];
      const { page } = await open({
        role: 'admin',
        path: '/dashboard/workplace',
        before: async (context) => {
          await context.route('**/api/arco/outages', (route) =>
            route.fulfill({ json: { status: 200, data: { items: outages }, message: '' } }),
          );
          await context.route('**/api/arco/merchants?*', async (route) => {
            const response = await route.fetch();
            const json = (await response.json()) as { data: { items: { down_since: string }[] } };
            json.data.items[0]!.down_since = since;
            await route.fulfill({ response, json });
          });
        },
      });
      const outage = card(page, '承运商无响应');
      for (const { name, waiting } of outages) {
        const row = outage.getByRole('listitem').filter({ hasText: name });
        await shows(row.getByText(/^自 .* 起（10\s*分钟前）/));
        await shows(row.getByRole('link', { name: `${waiting} 单等待发送` }));
        await shows(
          banner(page, new RegExp(`${name}.{0,20}自 .{0,20} 起无响应，${waiting} 单等待发送`)),
        );
      }
      await shows(outage.getByText(/恢复后自动发送，不会重复下单/));
      await shows(outage.getByText(/仍未恢复请联系承运商/));
      await outage.getByRole('link', { name: '3 单等待发送' }).click();
      await expect
        .poll(() => hrefOf(page))
        .toBe(`/model/expresses?tab=ordering&merchant_id=${account!.id}`);
      await goTo(page, '/model/merchants');
      await shows(shownPage(page, 'MerchantTable').getByText('故障', { exact: true }));
    },
  );

  inBrowserDaily(
    'a failing board shows its error and leaves the others unchanged',
    async ({ open, allow }) => {
      allow(/503/);
      const { page } = await open({
        role: 'admin',
        path: '/model/expresses',
      });
      await page.route('**/api/arco/workplace/money*', (route) =>
        route.fulfill({
          status: 503,
          json: { status: 503, data: { code: 'unavailable', request_id: 'r-1' }, message: '' },
        }),
      );
      await page.goto('/#/dashboard/workplace');
      await shows(card(page, '经营').getByRole('alert'));
      await shows(card(page, '账目校验').getByRole('button', { name: '完整校验' }));
      await page.unroute('**/api/arco/workplace/money*');
      await card(page, '经营').getByRole('button', { name: '重试' }).click();
      await shows(card(page, '经营').getByText(/^近 30 日净收入/));
    },
  );

  inBrowserDaily(
    'the Workplace keeps the user’s arrangement on every device; cards that need action cannot be hidden',
    async ({ open }) => {
      const admin = await wireOf('admin');
      await admin.post('/api/arco/preferences', { name: 'workplace.cards', value: null });
      const { page } = await open({ role: 'admin', keepsSettings: true });
      const headings = (at: Page): Promise<string[]> =>
        board(at).locator('h2:not([role="dialog"] *)').allInnerTexts();
      await shows(card(page, '余额不足预警'));
      await board(page).getByRole('button', { name: '卡片布局' }).click();
      const settings = page.getByRole('dialog', { name: '卡片布局' });
      for (const name of ['待处理告警', '账目校验'])
        await expect.poll(() => settings.getByRole('checkbox', { name }).isDisabled()).toBe(true);
      await settings.getByRole('checkbox', { name: '余额不足预警' }).uncheck();
      await gone(card(page, '余额不足预警'));
      const sent = page.waitForResponse(
        (response) =>
          response.url().endsWith('/preferences') &&
          // Waits for the request that contains the order of cards. The earlier request, which hid
          // a card, may still be pending.
          (response.request().postData() ?? '').includes('recent'),
      );
      await settings.getByRole('button', { name: /最近的运单/ }).press('Home');
      await expect
        .poll(async () => (await headings(page)).slice(0, 2))
        .toEqual(['最近的运单', '待处理']);
      await sent;
      const there = await open({ role: 'admin', keepsSettings: true });
      await expect
        .poll(async () => (await headings(there.page)).slice(0, 2))
        .toEqual(['最近的运单', '待处理']);
      await gone(card(there.page, '余额不足预警'));
      await settings.getByRole('button', { name: '恢复默认布局' }).click();
      await shows(card(page, '余额不足预警'));
      await expect.poll(async () => (await headings(page)).slice(0, 1)).toEqual(['待处理']);
      await admin.post('/api/arco/preferences', { name: 'workplace.cards', value: null });
    },
  );
});
