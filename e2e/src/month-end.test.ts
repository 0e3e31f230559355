import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, hrefOf, inBrowser, shows } from './browser.ts';
import { billOf, monthBefore, monthOf, parcelsOf, planted } from './carrier-bill.ts';
import type { Parcel } from './carrier-bill.ts';
import { limitMs } from './harness/limits.ts';
import { choose, notice, shownPage } from './shell.ts';
import { carrier, wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

interface Month {
  period: string;
  status: 'open' | 'closed';
  entries: number;
  sum: number;
  reconciliations: number;
}

const monthsOf = async (wire: Wire): Promise<Month[]> =>
  (await wire.get<{ items: Month[] }>('/api/arco/periods')).items;

/**
 * Finds the latest month that has ended and has no carrier bill. A retry finds an earlier month,
 * because the first attempt has uploaded a bill.
 */
const monthToClose = async (admin: Wire, other: Wire): Promise<string> => {
  const months = await monthsOf(admin);
  for (const { period, status } of months)
    if (status === 'closed')
      await other.post(`/api/arco/periods/${period}/reopen`, { reason: 'another try' });
  const last = monthBefore(monthOf(new Date()));
  return months.find(({ period, reconciliations }) => period <= last && reconciliations === 0)!
    .period;
};

interface Open extends Month {
  missing_bills: { merchant_id: number; name: string; reason: string | null }[];
}
/** The open months before this month, earliest first. */
const earlierMonths = async (wire: Wire, month: string): Promise<Open[]> =>
  ((await monthsOf(wire)) as Open[])
    .filter(({ period, status }) => period < month && status === 'open')
    .toReversed();

/**
 * Closes the months before this one. The first of them is closed on the screen, and each carrier
 * account without a bill gets a reason there.
 */
const closeEarlier = async (
  page: Page,
  screen: Locator,
  wire: Wire,
  month: string,
): Promise<void> => {
  const [first, ...others] = await earlierMonths(wire, month);
  if (!first) return;
  await shows(screen.getByRole('button', { name: `结账 ${first.period}` }));
  const all = screen.getByRole('button', { name: /^全部 \d+ 个账期/ });
  if (await all.isVisible()) await all.click();
  const row = screen
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `${month} 账期明细` }) });
  await shows(row.getByText(`请先结账 ${first.period}`));
  expect(await screen.getByRole('button', { name: /^结账 / }).count()).toBe(1);
  const dialog = (period: string): Locator => page.getByRole('dialog', { name: `结账 ${period}` });
  await screen.getByRole('button', { name: `结账 ${first.period}` }).click();
  for (const { name } of first.missing_bills.filter(({ reason }) => reason === null)) {
    await shows(dialog(first.period).getByText(/无账单，请上传账单或填写原因/));
    const account = dialog(first.period).getByRole('listitem').filter({ hasText: name });
    await account.getByRole('textbox', { name: '无账单的原因' }).fill('示例：开通前的月份');
    await account.getByRole('button', { name: '保存原因' }).click();
    await shows(account.getByText('示例：开通前的月份'));
  }
  await dialog(first.period)
    .getByRole('button', { name: `结账并锁定 ${first.period}` })
    .click();
  await shows(notice(page, `${first.period} 已结账并锁定`));
  for (const { period, missing_bills } of others) {
    for (const { merchant_id } of missing_bills)
      await wire.post(`/api/arco/periods/${period}/missing-bills`, {
        merchant_id,
        reason: '示例：开通前的月份',
      });
    await wire.post(`/api/arco/periods/${period}/close`, {});
  }
};

const bucketTab = (screen: Locator, name: string): Locator =>
  screen.getByRole('tab', { name: new RegExp(`^${name}`) });

/**
 * Waits until the job that was just started has succeeded for all its rows. Then closes the job's
 * dialog.
 */
const succeeds = async (page: Page, rows: number): Promise<void> => {
  const job = page.getByRole('dialog', { name: '批量处理' });
  await expect
    .poll(() => job.getByRole('tab', { name: /^成功/ }).innerText())
    .toBe(`成功\n${rows}`);
  await shows(job.getByText(`已处理 ${rows} / ${rows}`, { exact: true }));
  await job.getByRole('button', { name: '关闭' }).click();
  await gone(job);
};

const isHeld = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

/** Makes the simulated carrier report three kilograms more for an old parcel. */
const weighAgain = async (parcel: Parcel): Promise<void> => {
  const somebody = {
    name: '示例收件人',
    mobile: '13900000000',
    address: '上海市浦东新区世纪大道100号',
  };
  const { delivery_id, order_id, customer_code, weight, jd_weight, picked_up_at } = parcel;
  const past = { state: 'delivered', state_at: picked_up_at, created_at: picked_up_at };
  const order = {
    order_id,
    waybill_code: delivery_id,
    customer_code,
    weight,
    again_weight: jd_weight,
    sender: somebody,
    receiver: somebody,
    ...past,
  };
  const { rejected } = await carrier.ask<{ rejected: unknown[] }>('POST', 'orders/seed', {
    orders: [order],
  });
  expect(rejected).toEqual([]);
  await carrier.ask('POST', `orders/${delivery_id}/facts`, { weight: jd_weight! + 3_000 });
  await carrier.ask('POST', `orders/${delivery_id}/events`, {
    category: 510,
    state: '10034',
    title: '妥投',
    remark: '重量更正',
  });
  await carrier.ask('POST', 'pushes/settle', { within_ms: limitMs(20_000) });
};

describe('month end', () => {
  inBrowser(
    'the carrier’s bill is read, every planted difference is in its bucket, all are decided, the month is closed, and a later re-weigh posts into the next',
    async ({ open, allow }) => {
      allow(/409/);
      const [wire, other] = [await wireOf('admin'), await wireOf('super')];
      const month = await monthToClose(wire, other);
      const bill = billOf(month, await parcelsOf(wire, month));
      const { page } = await open({ role: 'admin', path: '/system/reconciliations' });
      const screen = shownPage(page, 'Reconciliations');

      // Uploads the bill and assigns the column of amounts.
      await screen.getByRole('button', { name: '上传账单' }).first().click();
      const upload = page.getByRole('dialog', { name: '上传账单' });
      await upload.locator('input[type=file]').setInputFiles(bill.file);
      await choose(upload.getByLabel('账期'), month);
      await upload.getByRole('button', { name: '上传并读取' }).click();
      await gone(upload);
      const amount = screen.getByLabel('结算 的含义');
      await expect.poll(() => amount.or(bucketTab(screen, '全部')).first().isVisible()).toBe(true);
      if (await amount.isVisible()) {
        await choose(amount, '金额（必填）');
        await screen.getByRole('button', { name: '开始比对' }).click();
        await gone(amount);
      }
      await page.reload();

      // Each group of lines has the planted number of lines.
      await expect.poll(() => bucketTab(screen, '全部').isVisible()).toBe(true);
      for (const [name, count] of Object.entries(bill.buckets))
        expect(await bucketTab(screen, name).innerText(), name).toMatch(
          new RegExp(`^${name}\\n${count.toLocaleString('en')}\\n`),
        );
      const differences = Object.entries(bill.buckets).reduce(
        (sum, [name, count]) => sum + (name === '一致' ? 0 : count),
        0,
      );
      expect(await bucketTab(screen, '全部').innerText()).toMatch(`待处理 ${differences} `);

      // Opens and closes the other dialogs that apply to the whole bill.
      for (const [button, title] of [
        ['登记付款', /^登记付款$/],
        ['容差', /^容差$/],
        ['作废', /^作废/],
      ] as const) {
        await screen.getByRole('button', { name: button, exact: true }).click();
        await shows(page.getByRole('dialog', { name: title }));
        await page.keyboard.press('Escape');
        await gone(page.getByRole('dialog', { name: title }));
      }

      // Accepts all lines within tolerance together. A preview is shown first.
      await page.reload();
      const many = screen.getByRole('button', { name: `容差内全部认可（${bill.within}）` });
      await expect.poll(() => many.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      const accept = page.getByRole('dialog', { name: `认可 ${bill.within} 行` });
      await shows(accept.getByRole('row', { name: /^重量不符 20/ }));
      await shows(accept.getByRole('row', { name: /^金额不符 12 — \+¥0\.84/ }));
      await accept.getByRole('button', { name: `认可 ${bill.within} 行` }).click();
      await succeeds(page, bill.within);
      await isHeld(page);

      // Disputes the lines of the group "repeated" together, with one reason and by keyboard only.
      await bucketTab(screen, '重复').click();
      await shows(screen.getByRole('heading', { name: '重复' }));
      await expect
        .poll(() => screen.locator('[role=row][data-row]').count())
        .toBe(planted.duplicate);
      await screen.getByLabel('选择本页').check();
      await screen.locator('[role=row][data-row]').first().focus();
      await page.keyboard.press('d');
      const dispute = page.getByRole('dialog', { name: `对 ${planted.duplicate} 行提出异议` });
      await dispute.getByRole('textbox', { name: '原因' }).fill('同一运单重复计费');
      await dispute.getByRole('button', { name: '提出异议' }).click();
      await succeeds(page, planted.duplicate);
      // The bill opened with the filter "undecided". All lines are decided now, so the list is
      // empty.
      expect(hrefOf(page)).toContain('decision=open');
      await screen.getByRole('button', { name: '清除筛选' }).first().click();

      // Before the dispute, a notice reports that lines that are already disputed will be skipped.
      await screen.getByLabel('选择本页').check();
      await screen.locator('[role=row][data-row]').first().focus();
      await page.keyboard.press('d');
      const again = page.getByRole('dialog', { name: '异议', exact: true });
      await shows(again.getByText(`${planted.duplicate} 行：已提出异议，原因不变`));
      expect(await violationsOf(page)).toEqual([]);
      await again.getByRole('button', { name: '取消' }).click();
      await screen.getByRole('button', { name: '取消选择' }).click();
      const [list] = await Promise.all([
        page.waitForEvent('download'),
        screen.getByRole('button', { name: `下载异议清单（${planted.duplicate}）` }).click(),
      ]);
      expect(list.suggestedFilename()).toMatch(/\.xlsx$/);

      // Decides one line with a key, which moves the focus to the next line. Then decides all other
      // lines together.
      await bucketTab(screen, '仅承运商').click();
      await expect.poll(() => screen.locator('[role=row][data-row]').count()).toBe(planted.extra);
      await screen.locator('[role=row][data-row]').first().focus();
      await page.keyboard.press('a');
      await shows(screen.locator('[role=row][data-row]').first().getByText('已认可'));
      expect(
        await screen
          .locator('[role=row][data-row]')
          .nth(1)
          .evaluate((row) => row === document.activeElement),
      ).toBe(true);
      await bucketTab(screen, '全部').click();
      await screen.getByRole('combobox', { name: '处理' }).click();
      await page.getByRole('option', { name: '待处理' }).click();
      const rest = differences - bill.within - planted.duplicate - 1;
      await shows(screen.getByText(new RegExp(`^共 ${rest} 条`)));
      await screen.getByLabel('选择本页').check();
      await screen.getByRole('button', { name: `选择全部 ${rest} 条` }).click();
      await screen.getByRole('button', { name: '认可', exact: true }).click();
      await page
        .getByRole('dialog', { name: `认可 ${rest} 行` })
        .getByRole('button', { name: `认可 ${rest} 行` })
        .click();
      await succeeds(page, rest);
      // The list of lines is empty now, so another element of the page must have the focus.
      await isHeld(page);
      await shows(screen.getByText('已处理', { exact: true }));

      // Closes the month: its accounts sum to zero, and it accepts no further postings.
      await screen.getByRole('button', { name: '返回账单列表' }).click();
      await closeEarlier(page, screen, wire, month);
      await screen.getByRole('button', { name: '刷新' }).first().click();
      await screen.getByRole('button', { name: `结账 ${month}` }).click();
      const close = page.getByRole('dialog', { name: `结账 ${month}` });
      // The row of sums shows equal amounts for debit and credit.
      await shows(close.getByRole('row', { name: /^合计 (¥[\d,.]+) \1$/ }));
      // The key Ctrl+Enter confirms the dialog, although the dialog has no field.
      await shows(close.getByRole('button', { name: `结账并锁定 ${month}` }));
      await page.keyboard.press('Control+Enter');
      await shows(notice(page, `${month} 已结账并锁定`));
      const row = screen
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: `${month} 账期明细` }) });
      await shows(row.getByText('已结账'));

      // The drawer of the month shows the confirmations and can remind the stations. A second
      // reminder on the same day is refused.
      await row.getByRole('button', { name: `${month} 账期明细` }).click();
      const record = page.getByRole('dialog', { name: `${month} 账期` });
      const checks = record.getByRole('list', { name: '结账检查' });
      await shows(checks.getByText('差异均已处理'));
      await shows(record.getByRole('heading', { name: '结账后的变动' }));
      await shows(checks.getByRole('link', { name: /个有账单的网点中/ }));
      const remind = record.getByRole('button', { name: /^提醒 \d+ 个未确认网点$/ });
      await shows(remind);
      await page.keyboard.press('r');
      await expect.poll(() => remind.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await shows(notice(page, /^已提醒 \d+ 个网点/));
      await shows(record.getByText(/提醒了 \d+ 个网点/));
      await record.getByRole('button', { name: /^提醒 \d+ 个未确认网点$/ }).click();
      await shows(notice(page, /每天最多提醒一次/));
      await page.keyboard.press('Escape');
      await gone(record);
      await shows(row.getByText('平衡 ¥0.00'));
      const closed = (await monthsOf(wire)).find(({ period }) => period === month)!;

      // If a parcel without a bill line is weighed again, the re-weigh is posted to the open month.
      // If a line of the parcel was accepted, the accepted amounts are kept beside the carrier's
      // new amounts.
      await weighAgain(bill.unbilled);
      const linesOf = ({ id }: Parcel): Promise<{ items: { type: string; period: string }[] }> =>
        wire.get(`/api/arco/statements?express_id=${id}&type=reweigh&page_size=5`);
      await expect
        .poll(async () => (await linesOf(bill.unbilled)).items[0]?.period)
        .toBe(monthOf(new Date()));
      const before = (await linesOf(bill.agreed)).items.length;
      await weighAgain(bill.agreed);
      const { items: bills } = await wire.get<{ items: { id: number }[] }>(
        `/api/arco/reconciliations?period=${month}`,
      );
      const saysOtherwise = async (): Promise<unknown> =>
        (
          await wire.get<{ items: { express_id: number }[] }>(
            `/api/arco/reconciliations/${bills[0]!.id}/rows?bucket=otherwise`,
          )
        ).items.map(({ express_id }) => express_id);
      await expect.poll(saysOtherwise).toEqual([bill.agreed.id]);
      expect((await linesOf(bill.agreed)).items.length).toBe(before);
      expect((await monthsOf(wire)).find(({ period }) => period === month)).toEqual(closed);

      // The user who closed the month cannot reopen it; another user can.
      await row.getByRole('button', { name: `${month} 反结账` }).click();
      const reopen = page.getByRole('dialog', { name: `${month} 反结账` });
      await shows(reopen.getByText('此账期由您结账，须由另一人反结账。'));
      await reopen.getByRole('button', { name: '取消' }).click();
      await other.post(`/api/arco/periods/${month}/reopen`, { reason: '示例：补录' });
      await screen.getByRole('button', { name: '刷新' }).first().click();
      await shows(row.getByText('未结账'));
      for (const { period, status } of await monthsOf(wire))
        if (status === 'closed')
          await other.post(`/api/arco/periods/${period}/reopen`, { reason: '示例：补录' });
    },
  );
});
