import { expect } from 'vitest';
import { gone, inBrowser, shows } from './browser.ts';
import { notice } from './shell.ts';
import { wireOf } from './wire.ts';

interface Left {
  refundable_amount: number;
  payout_left_amount: number;
  alone_left_amount: number;
}

const yuan = (fen: number): string =>
  `¥${(fen / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;

inBrowser(
  'the office refunds and pays out on the parcel’s Money tab, sees the remaining amounts and the requests for a second person, and the Log tab names the actor',
  async ({ open }) => {
    const office = await wireOf('admin');
    const { items } = await office.get<{ items: { id: number; post_amount: number }[] }>(
      '/api/arco/expresses?tab=signed&page_size=50',
    );
    const lefts = async (id: number): Promise<Left> =>
      (await office.get<{ left: Left }>(`/api/arco/expresses/${id}/statements`)).left;
    // Finds a parcel of a station whose money no other test changes. The parcel must have an amount
    // left to refund and a larger amount left to pay out.
    let id = 0;
    for (const parcel of items.toReversed()) {
      const left = await lefts(parcel.id);
      if (left.refundable_amount >= 200 && left.payout_left_amount > left.refundable_amount) {
        ({ id } = parcel);
        break;
      }
    }
    const before = await lefts(id);
    const { page } = await open({
      role: 'admin',
      path: `/model/expresses?tab=signed&id=${id}&view=money`,
    });
    const drawer = page.getByRole('dialog').first();
    await shows(drawer.getByText(`最多可退 ${yuan(before.refundable_amount)}`));
    await drawer.getByRole('button', { name: '退款' }).click();
    const dialog = page.getByRole('dialog', { name: '退款' });
    const amount = dialog.getByRole('textbox', { name: '金额（元）' });
    await expect
      .poll(() => amount.evaluate((input) => input === document.activeElement))
      .toBe(true);
    // One fen more than the amount that is left.
    await amount.fill(((before.refundable_amount + 1) / 100).toFixed(2));
    await dialog.getByRole('textbox', { name: '原因' }).fill('外箱破损');
    await page.keyboard.press('Control+Enter');
    await shows(dialog.getByText(`不能超过 ${yuan(before.refundable_amount)}`));
    await amount.fill('1');
    await page.keyboard.press('Control+Enter');
    await shows(notice(page, '已退款 ¥1.00'));
    await gone(dialog);
    await shows(drawer.getByText(`最多可退 ${yuan(before.refundable_amount - 100)}`));

    await page.route(`**/api/arco/expresses/${id}/statements`, async (route) => {
      // Changes the response, as if today's limit for amounts without a second person were almost
      // used up.
      const answer = await route.fetch();
      const json = (await answer.json()) as { data: { left: Left } };
      json.data.left.alone_left_amount = 50;
      await route.fulfill({ response: answer, json });
    });
    await page.reload();
    await drawer.getByRole('button', { name: '理赔' }).click();
    const claim = page.getByRole('dialog', { name: '理赔' });
    await claim.getByRole('textbox', { name: '金额（元）' }).fill('0.51');
    await shows(claim.getByText('超过本人今日可直接办理的 ¥0.50，提交后须由另一人批准。'));
    await claim.getByRole('textbox', { name: '金额（元）' }).fill('0.50');
    await gone(claim.getByText(/^超过本人今日/));
    await page.keyboard.press('Escape');

    await drawer.getByRole('tab', { name: '变更记录' }).click();
    const entry = drawer.getByRole('listitem').filter({ hasText: '退款' }).first();
    await shows(entry.getByText('admin', { exact: true }));
    await shows(entry.getByText('原因：外箱破损'));
    await shows(entry.getByText('¥1.00'));
  },
);
