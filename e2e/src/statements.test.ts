import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { copiedText } from './clipboard.ts';
import { banner, notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

describe('billing (requirements §2, StatementTable)', () => {
  inBrowser(
    'a station requests its money, the office approves it, and the totals agree to the fen',
    async ({ open, allow }) => {
      allow(/422/);
      // An amount that other runs are unlikely to use.
      const yuan = `12.${String((Date.now() % 90) + 10)}`;
      const { page: station } = await open({ role: 'station', path: '/model/statements' });
      const lines = shownPage(station, 'StatementTable');
      await shows(lines.getByText(/期初 ¥.* = 期末 ¥/));
      await lines.getByRole('button', { name: '申请提现' }).click();
      const dialog = station.getByRole('dialog', { name: '申请提现' });
      await dialog.getByRole('textbox', { name: '金额' }).fill('99999999');
      await dialog.getByRole('button', { name: '申请提现' }).click();
      await shows(dialog.getByText(/可用余额不足，还差 ¥/));
      await dialog.getByRole('textbox', { name: '金额' }).fill(yuan);
      await dialog.getByRole('button', { name: '申请提现' }).click();
      await shows(notice(station, '已提交提现申请'));
      await shows(lines.getByRole('row').filter({ hasText: '待审批' }).filter({ hasText: yuan }));

      const { page: admin } = await open({
        role: 'admin',
        path: '/model/statements?status=pending',
      });
      const requests = shownPage(admin, 'StatementTable');
      await requests
        .getByRole('row')
        .filter({ hasText: yuan })
        .getByRole('button', { name: /^批准/ })
        .click();
      await admin
        .getByRole('alertdialog', { name: /批准 .* 的提现/ })
        .getByRole('button', { name: '批准' })
        .click();
      await shows(notice(admin, '已批准并入账'));

      await lines.getByRole('button', { name: '刷新' }).click();
      await shows(
        lines
          .getByRole('row')
          .filter({ hasText: `−¥${yuan}` })
          .filter({ hasText: '已入账' }),
      );
      const strip = await lines.getByText(/期初 ¥/).innerText();
      const [opening, gained, spent, closing] = Array.from(
        strip.matchAll(/¥([\d,]+\.\d\d)/g),
        ([, yuan]) => Math.round(Number(yuan!.replaceAll(',', '')) * 100),
      );
      expect(opening! + gained! - spent!).toBe(closing!);
    },
  );

  inBrowserDaily(
    'a station requests a top-up beside the office’s account, pays by its reference, and withdraws another request',
    async ({ open }) => {
      const yuan = `34.${String((Date.now() % 90) + 10)}`;
      const { page: station } = await open({ role: 'station', path: '/model/statements' });
      const lines = shownPage(station, 'StatementTable');
      const request = async (amount: string): Promise<string> => {
        await lines.getByRole('button', { name: '申请充值' }).click();
        const dialog = station.getByRole('dialog', { name: '申请充值' });
        await dialog.getByRole('textbox', { name: '金额' }).fill(amount);
        await dialog.getByRole('button', { name: '申请充值' }).click();
        const done = station.getByRole('dialog', { name: '已提交充值申请' });
        const reference = await done.getByText(/^CZ\d{8}-\d/).innerText();
        await done.getByRole('button', { name: '关闭' }).last().click();
        return /^CZ\d{8}-\d/.exec(reference)![0];
      };
      const reference = await request(yuan);
      const { page: admin } = await open({
        role: 'admin',
        path: `/model/statements?q=${reference}`,
      });
      const found = shownPage(admin, 'StatementTable').getByRole('row').filter({ hasText: yuan });
      await found.waitFor();
      // Selects the row, approves it and confirms, by keyboard only.
      await admin.keyboard.press('j');
      await admin.locator('[data-current]').waitFor();
      await admin.keyboard.press('a');
      await admin.getByRole('alertdialog', { name: /批准 .* 的充值/ }).waitFor();
      await admin.keyboard.press('Enter');
      await shows(notice(admin, '已批准并入账'));

      await request(`5${yuan}`);
      const row = lines.getByRole('row').filter({ hasText: `5${yuan}` });
      await row.getByRole('button', { name: /^撤回/ }).click();
      await station
        .getByRole('alertdialog', { name: /撤回充值/ })
        .getByRole('button', { name: '撤回' })
        .click();
      await shows(notice(station, '已撤回申请'));
      await lines.getByRole('button', { name: '刷新' }).click();
      await shows(
        lines
          .getByRole('row')
          .filter({ hasText: `5${yuan}` })
          .filter({ hasText: '已撤回' }),
      );
    },
  );

  inBrowserDaily(
    'a partner takes every statement of a month of its tree as one file',
    async ({ open }) => {
      const { page } = await open({ role: 'partner', path: '/model/statements' });
      const lines = shownPage(page, 'StatementTable');
      await lines.getByRole('button', { name: '下载全部对账单' }).click();
      const dialog = page.getByRole('dialog', { name: '下载全部对账单' });
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: '生成并下载' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^statements-\d{4}-\d{2}\.zip$/);
      await shows(notice(page, /^已导出 statements-/));
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  );

  inBrowser(
    'every line opens its entries, which balance, with the proof of their hashes',
    async ({ open }) => {
      const { page } = await open({ role: 'admin', path: '/model/statements?type=charge' });
      const lines = shownPage(page, 'StatementTable');
      // The test first selects two transactions, and then all transactions that match. In both
      // cases their sum is shown beside their number.
      for (const at of [1, 2]) await lines.getByRole('row').nth(at).getByRole('checkbox').check();
      const moved = await lines
        .getByRole('row')
        .locator('[data-money]')
        .filter({ hasText: /^−/ })
        .allInnerTexts();
      const fen = (text: string): number =>
        Math.round(Number(text.replace('−¥', '-').replaceAll(',', '')) * 100);
      const bar = lines.getByRole('region', { name: '选择' });
      const sum = /已选 2 条 · 余额变动 (\S+)/.exec(await bar.innerText())?.[1];
      expect(
        moved
          .map(fen)
          .flatMap((first, at) => moved.slice(at + 1).map((second) => first + fen(second))),
      ).toContain(fen(sum!));
      await bar.getByRole('button', { name: '取消选择' }).click();
      // A waybill number is copied by keyboard without opening the row's drawer.
      const copy = lines
        .getByRole('row')
        .nth(1)
        .getByRole('button', { name: /^复制 JD/ });
      await copy.press('Enter');
      await expect.poll(() => copiedText(page)).toMatch(/^JD\w+$/);
      expect(await copy.getAttribute('aria-label')).toBe(`复制 ${await copiedText(page)}`);
      expect(await page.getByRole('dialog').count()).toBe(0);
      await lines
        .getByRole('row')
        .nth(1)
        .getByRole('button', { name: '扣费', exact: true })
        .click();
      const drawer = page.getByRole('dialog', { name: /^扣费/ });
      await drawer.getByRole('tab', { name: '分录与校验' }).click();
      await shows(drawer.getByText('本笔哈希: 校验通过'));
      await shows(drawer.getByText(/哈希链第 \d+ 条: 校验通过/));
      const [, debit, credit] = await drawer
        .getByRole('row', { name: /^合计/ })
        .locator('th, td')
        .allInnerTexts();
      expect(debit).toBe(credit);
      await drawer.getByRole('button', { name: '查看计费明细' }).click();
      await shows(page.getByRole('dialog').getByRole('tab', { name: '价格', selected: true }));
    },
  );

  inBrowser(
    'a re-weighed parcel’s difference is explained in one click: weights and price before and after',
    async ({ open }) => {
      const { page } = await open({ role: 'station', path: '/model/statements?type=reweigh' });
      const row = shownPage(page, 'StatementTable').getByRole('row').nth(1);
      const amount = await row
        .getByText(/^[−+]¥/)
        .first()
        .innerText();
      await row.getByRole('button', { name: /^计费明细/ }).click();
      const drawer = page.getByRole('dialog', { name: /^复重差额/ });
      await shows(drawer.getByRole('tab', { name: '计费明细', selected: true }));
      const [, before, after, difference] = await drawer
        .getByRole('row', { name: /^应付/ })
        .first()
        .locator('th, td')
        .allInnerTexts();
      const fen = (yuan: string): number =>
        Math.round(Number(yuan.replaceAll(/[¥,+\s]/g, '').replace('−', '-')) * 100);
      expect(fen(after!) - fen(before!)).toBe(fen(difference!));
      expect(fen(difference!)).toBe(-fen(amount));
      await shows(drawer.getByText(/承运商称重 .*计 /).first());
      await drawer.getByRole('button', { name: '查看计费明细' }).click();
      const parcel = page
        .getByRole('dialog')
        .filter({ has: page.getByRole('tab', { name: '价格' }) });
      await parcel.getByRole('tab', { name: '资金' }).click();
      // The amounts of the parcel's transactions add up to its price.
      await shows(parcel.getByText(/^各笔扣费与差额合计 ¥.*，与应付一致。/));
    },
  );

  inBrowserDaily(
    'a station’s money tab has its figures, its lines, and the permitted actions',
    async ({ open }) => {
      const { page } = await open({ role: 'station', path: '/model/stations?id=2&view=money' });
      const drawer = page.getByRole('dialog', { name: /南山站/ });
      await shows(drawer.getByText('可用 = 余额 − 冻结 − 预留金额'));
      const figures = await drawer.getByRole('definition').allInnerTexts();
      const [money, frozen, reserve, available] = figures.map((yuan) =>
        Math.round(Number(yuan.replaceAll(/[¥,\s]/g, '').replace('−', '-')) * 100),
      );
      expect(money! - frozen! - reserve!).toBe(available!);
      // A term shows its explanation when it is pressed, on the key `?`, and while the pointer is
      // over it. Escape closes the explanation and keeps the drawer open.
      const word = drawer.getByRole('button', { name: '冻结', exact: true });
      const sentence = page.getByRole('status').filter({ hasText: '已下单、尚未计费的运单' });
      await word.click();
      await shows(sentence);
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await gone(sentence);
      await word.focus();
      await page.keyboard.press('?');
      await shows(sentence);
      expect(await word.getAttribute('title')).toContain('已下单、尚未计费的运单');
      await page.keyboard.press('Escape');
      await shows(word);
      await shows(drawer.getByRole('button', { name: '申请提现' }));
      expect(await drawer.getByRole('button', { name: '充值', exact: true }).count()).toBe(0);
      await drawer.getByRole('button', { name: '月度对账单' }).click();
      await shows(shownPage(page, 'StatementTable').getByRole('region', { name: /对账单$/ }));
    },
  );

  inBrowser(
    'a station downloads its month and confirms it, and the office sees which stations have',
    async ({ open }) => {
      // Finds a month that the station has not confirmed yet, because other tests may have
      // confirmed some months.
      const wire = await wireOf('station');
      const { station_id } = await wire.get<{ station_id: number }>('/api/arco/personal');
      const now = new Date(Date.now() + 8 * 3_600_000);
      const months = Array.from({ length: 12 }, (_, back) =>
        new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - back, 1))
          .toISOString()
          .slice(0, 7),
      );
      let period = '';
      for (const month of months) {
        const { confirmation } = await wire.get<{ confirmation: object | null }>(
          `/api/arco/stations/${station_id}/statement/summary?period=${month}`,
        );
        if (confirmation === null && period === '') period = month;
      }
      const { page } = await open({ role: 'station', path: `/model/statements?period=${period}` });
      const lines = shownPage(page, 'StatementTable');
      const month = lines.getByRole('region', { name: new RegExp(`${period} 月度对账单`) });
      for (const kind of ['PDF', 'XLSX']) {
        const download = page.waitForEvent('download');
        await month.getByRole('button', { name: `下载月度对账单 ${kind}` }).click();
        expect((await download).suggestedFilename()).toBe(
          `statement-${station_id}-${period}.${kind.toLowerCase()}`,
        );
      }
      await month.getByRole('button', { name: '对账确认' }).click();
      const dialog = page.getByRole('dialog', { name: `确认 ${period} 月度对账单` });
      await dialog.getByRole('textbox', { name: '备注' }).fill('确认无误');
      await dialog.getByRole('button', { name: '对账确认' }).click();
      await shows(month.getByText(/示例站长 已于 .* 确认/));

      const { page: admin } = await open({
        role: 'admin',
        path: `/model/statements?confirmations=${period}`,
      });
      const { items } = await (
        await wireOf('admin')
      ).get<{ items: { station_id: number }[] }>(`/api/arco/periods/${period}/confirmations`);
      const drawer = admin.getByRole('dialog', { name: '对账确认情况' });
      await shows(drawer.getByRole('row', { name: /南山站/ }).filter({ hasText: '示例站长' }));
      expect(await drawer.getByRole('row').count()).toBe(items.length + 1);
    },
  );

  inBrowserDaily(
    'a station that fails the ledger check shows it on every screen of its money; a ledger that does not balance is shown to everyone',
    async ({ open }) => {
      const { page } = await open({
        role: 'admin',
        path: '/model/statements?station_id=2',
        before: async (context) => {
          await context.route('**/api/arco/ledger/standing', (route) =>
            route.fulfill({
              json: { status: 200, data: { stopped: 1, blocked: 0 }, message: 'ok' },
            }),
          );
          await context.route(/\/api\/arco\/stations\/2$/, async (route) => {
            const answer = await route.fetch();
            const body = (await answer.json()) as { data: object };
            await route.fulfill({
              response: answer,
              json: { ...body, data: { ...body.data, blocked: 1 } },
            });
          });
        },
      });
      await shows(banner(page, '总账不平，已暂停全部收付'));
      const warning = shownPage(page, 'StatementTable')
        .getByRole('alert')
        .filter({ hasText: '账目校验未通过，已暂停收付' });
      await shows(warning);
      await warning.getByRole('button', { name: '恢复收付' }).click();
      const dialog = page.getByRole('dialog', { name: /^恢复 .* 收付$/ });
      await dialog.getByRole('textbox', { name: '处理说明' }).fill('已核对');
      await dialog.getByRole('button', { name: '恢复收付' }).click();
      await shows(notice(page, /已恢复收付/));
      await page.goto('/#/model/stations?id=2&view=money');
      await shows(
        page.getByRole('dialog', { name: /南山站/ }).getByText('账目校验未通过，已暂停收付'),
      );
    },
  );
});
