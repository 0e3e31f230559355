import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { mainMenu, notice } from './shell.ts';

const row = (page: Page, name: string): Locator => page.locator(`[data-setting="${name}"]`);
const change = async (page: Page, name: string, value: string): Promise<void> => {
  await row(page, name).getByRole('button', { name: /^修改/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(value);
  await dialog.getByRole('button', { name: '保存', exact: true }).click();
};

describe('the network’s settings', () => {
  inBrowser(
    'the settings change on a screen of super; a raised money limit waits until a second person approves it',
    async ({ open, allow }) => {
      allow(/409|422/);
      const { page } = await open({ role: 'super' });
      await mainMenu(page).getByRole('link', { name: '系统设置' }).click();
      await shows(page.getByRole('heading', { name: '系统设置', level: 1 }));
      await shows(row(page, 'given_alone_limit').getByText('¥500.00'));
      await shows(
        row(page, 'northeast_provinces').getByText('辽宁、吉林、黑龙江、内蒙古、河北、天津'),
      );
      expect(await violationsOf(page)).toEqual([]);

      // A value outside the bounds is refused immediately.
      await change(page, 'proof_time', '25:00');
      await shows(page.getByRole('dialog').getByText('请填写时间，如 02:30'));
      await page.getByRole('dialog').getByRole('textbox').fill('03:15');
      await page.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click();
      await shows(row(page, 'proof_time').getByText('03:15'));

      // A raise of a limit must wait. Its requester cannot confirm it; an admin confirms it on the
      // Workplace.
      await change(page, 'top_up_day_limit', '250000');
      await shows(notice(page, /另一人可立即确认/));
      await shows(row(page, 'top_up_day_limit').getByText(/将提高到 ¥250,000.00/));
      expect(
        await row(page, 'top_up_day_limit')
          .getByRole('button', { name: /^立即生效/ })
          .count(),
      ).toBe(0);
      const { page: admin } = await open({ role: 'admin', path: '/dashboard/workplace' });
      expect(await mainMenu(admin).getByRole('link', { name: '系统设置' }).count()).toBe(0);
      const alert = admin.getByRole('listitem').filter({ hasText: '充值：单人单日限额' });
      await shows(alert.getByText(/由 ¥200000.00 提高到 ¥250000.00/));
      await alert.getByRole('button', { name: /^立即生效/ }).click();
      await shows(notice(admin, '已生效'));
      await gone(alert);
      await page.reload();
      await shows(row(page, 'top_up_day_limit').getByText('¥250,000.00', { exact: true }));
      // A change to a lower limit applies immediately.
      await change(page, 'top_up_day_limit', '200000');
      await shows(row(page, 'top_up_day_limit').getByText('¥200,000.00', { exact: true }));
      // A change to a shorter retention of evidence takes effect only at a later date. Before that
      // date, an admin withdraws the change.
      await change(page, 'audit_days', '365');
      await shows(row(page, 'audit_days').getByText(/将缩短到 365 天/));
      await admin.reload();
      const cut = admin.getByRole('listitem').filter({ hasText: '操作日志保留天数' });
      await shows(cut.getByText(/由 3650 天缩短到 365 天/));
      await cut.getByRole('button', { name: /^撤回/ }).click();
      await gone(cut);
      await page.reload();
      await shows(row(page, 'audit_days').getByText('3,650', { exact: true }));
    },
  );

  inBrowserDaily(
    'the settings limit a top-up, which then waits visibly for the approval of a second person',
    async ({ open }) => {
      const { page } = await open({ role: 'admin', path: '/model/statements' });
      // Finds the button by its title, because the buttons in the rows of top-ups have the same
      // name.
      await page.getByTitle('充值 (N)').click();
      const dialog = page.getByRole('dialog', { name: '充值' });
      await shows(dialog.getByText(/单笔超过 ¥50,000.00 或当天合计超过 ¥200,000.00/));
      await dialog.getByRole('combobox', { name: '网点' }).click();
      await page.getByRole('option', { name: /示例上海/ }).click();
      await dialog.getByRole('textbox', { name: '金额（元）' }).fill('50000.01');
      await dialog.getByRole('button', { name: /^充值 / }).click();
      await shows(notice(page, '已提交，待另一人批准'));

      const { page: boss } = await open({
        role: 'super',
        path: '/model/statements?status=pending&type=top_up',
      });
      const request = boss.getByRole('row').filter({ hasText: '50,000.01' });
      await request.getByRole('button', { name: /^驳回/ }).click();
      const why = boss.getByRole('dialog', { name: '驳回' });
      await why.getByRole('textbox').fill('重复充值');
      await why.getByRole('button', { name: '驳回' }).click();
      await gone(request);
    },
  );
});
