import { describe, expect } from 'vitest';
import { inBrowser, shows } from './browser.ts';
import { notice, shownPage } from './shell.ts';

describe('billing (requirements §2, StatementTable)', () => {
  inBrowser('a station asks for its money, the office approves it, and the strip closes to the fen', async ({ open, allow }) => {
    allow(/422/);
    // A sum of this run's own, whatever was asked for before.
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

    const { page: admin } = await open({ role: 'admin', path: '/model/statements?status=pending' });
    const requests = shownPage(admin, 'StatementTable');
    await requests.getByRole('row').filter({ hasText: yuan }).getByRole('button', { name: /^批准/ }).click();
    await admin
      .getByRole('dialog', { name: /批准 .* 的提现/ })
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
    const [opening, gained, spent, closing] = Array.from(strip.matchAll(/¥([\d,]+\.\d\d)/g), ([, yuan]) => Math.round(Number(yuan!.replaceAll(',', '')) * 100));
    expect(opening! + gained! - spent!).toBe(closing!);
  });

  inBrowser('every line opens its entries, which balance, with the proof of their hashes', async ({ open }) => {
    const { page } = await open({ role: 'admin', path: '/model/statements?type=charge' });
    await shownPage(page, 'StatementTable').getByRole('row').nth(1).getByRole('button', { name: '扣费', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: /^扣费/ });
    await drawer.getByRole('tab', { name: '分录与校验' }).click();
    await shows(drawer.getByText('本笔哈希: 校验通过'));
    await shows(drawer.getByText(/账链第 \d+ 环: 校验通过/));
    const [, debit, credit] = await drawer.getByRole('row', { name: /^合计/ }).locator('th, td').allInnerTexts();
    expect(debit).toBe(credit);
    await drawer.getByRole('button', { name: '查看价格依据' }).click();
    await shows(page.getByRole('dialog').getByRole('tab', { name: '价格', selected: true }));
  });
});
