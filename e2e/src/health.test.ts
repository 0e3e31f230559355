import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { plantFailedJob } from './planted-job.ts';
import { mainMenu, notice, shownPage } from './shell.ts';

const page = (of: Page): Locator => shownPage(of, 'Health');
const row = (of: Page, id: number): Locator => page(of).locator(`[data-job="${id}"]`);

describe('System health', () => {
  inBrowser(
    'a super sees what is not well first, retries one failed job and gives up another with a reason',
    async ({ open }) => {
      const given = await plantFailedJob('run_user_job', { job_id: 987_654 }, 'no such job');
      const deciding = await plantFailedJob(
        'cancel_parcel',
        { express_id: 987_654 },
        'planted failure',
      );
      const retried = await plantFailedJob(
        'ask_trace',
        { express_id: 987_654 },
        'connection to 13800138000 lost',
      );
      const { page: super_ } = await open({ role: 'super' });
      await mainMenu(super_).getByRole('link', { name: '系统状态' }).click();
      await shows(page(super_).getByRole('heading', { name: '系统状态', level: 1 }));
      await shows(page(super_).getByText(/\d+ 项需要处理/));
      await shows(page(super_).getByText(/个后台任务失败并停止/));
      await page(super_).getByRole('button', { name: '查看失败任务' }).click();
      await shows(row(super_, retried).getByText('connection to *** lost'));
      expect(await violationsOf(super_)).toEqual([]);

      await row(super_, retried).getByRole('button', { name: /^重试/ }).click();
      await shows(notice(super_, '已重新排队'));
      await gone(row(super_, retried));
      // A button of the next row now has the focus.
      await expect
        .poll(() => super_.evaluate(() => document.activeElement?.closest('[data-job]') !== null))
        .toBe(true);

      await row(super_, given).getByRole('button', { name: /^放弃/ }).click();
      const dialog = super_.getByRole('dialog', { name: '放弃任务“批量操作和导出”' });
      await shows(dialog.getByText('发起人已看到失败，可以重新发起；放弃只移除此任务。'));
      await dialog.getByRole('button', { name: '放弃', exact: true }).click();
      await shows(dialog.getByText('必填'));
      await dialog.getByRole('textbox').fill('任务已不存在');
      await dialog.getByRole('button', { name: '放弃', exact: true }).click();
      await shows(notice(super_, '任务已放弃'));
      await gone(row(super_, given));

      // A failed job that decides about money cannot be discarded, and has a link to its parcel.
      await shows(row(super_, deciding).getByText(/不能放弃/));
      await shows(row(super_, deciding).getByRole('link', { name: '打开运单' }));
      expect(await row(super_, deciding).getByRole('button', { name: /^放弃/ }).count()).toBe(0);
      await row(super_, deciding).getByRole('button', { name: /^重试/ }).click();
      await gone(row(super_, deciding));
    },
  );

  inBrowserDaily('an admin has no System health', async ({ open }) => {
    const { page: admin } = await open({ role: 'admin', path: '/dashboard/workplace' });
    await shows(mainMenu(admin).getByRole('link', { name: '操作日志' }));
    expect(await mainMenu(admin).getByRole('link', { name: '系统状态' }).count()).toBe(0);
  });
});
