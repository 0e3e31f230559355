import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { violationsOf } from './axe.ts';
import { inBrowserDaily, shows } from './browser.ts';
import { notice, shownPage } from './shell.ts';

const page = (of: Page) => shownPage(of, 'Profile');
interface Mail {
  to: string[];
  subject: string;
  text: string;
}

describe('notification channels', () => {
  inBrowserDaily(
    'a station manager adds a mailbox by the code that is sent to it, tests and removes it',
    async ({ open, allow }) => {
      // The server answers 422 to a wrong code.
      allow(/status of 422/);
      const address = `wang${Date.now()}@example.com`;
      const mails = async (): Promise<Mail[]> =>
        (
          (await (await fetch(`${inject('product').carrierUrl}/mail/list`)).json()) as {
            mails: Mail[];
          }
        ).mails.filter(({ to }) => to.includes(address));
      const { page: station } = await open({ role: 'station', path: '/system/profile' });
      await page(station).getByRole('button', { name: '新建渠道' }).click();
      const dialog = station.getByRole('dialog');
      await dialog.getByRole('button', { name: '发送验证码' }).click();
      await shows(dialog.getByText('必填').first());
      const name = `邮箱 ${Date.now() % 100_000}`;
      await dialog.getByLabel('邮箱地址').fill(address);
      await dialog.getByLabel('名称').fill(name);
      expect(await violationsOf(station)).toEqual([]);
      await dialog.getByRole('button', { name: '发送验证码' }).click();
      await shows(dialog.getByText(/验证码已发送至 w\*\*\*@example\.com/));
      await dialog.getByLabel('验证码').fill('12345');
      await dialog.getByRole('button', { name: '验证', exact: true }).click();
      await shows(dialog.getByText('验证码错误或已过期'));
      await dialog.getByText(/用此邮箱重设/).click();
      await dialog.getByRole('textbox', { name: '当前密码' }).fill('waystation-demo');
      expect(await violationsOf(station)).toEqual([]);
      const [sent] = await mails();
      await dialog.getByLabel('验证码').fill(/\d{6}/.exec(sent!.subject)![0]);
      await dialog.getByRole('button', { name: '验证', exact: true }).click();
      await shows(notice(station, `已开始向“${name}”发送通知`));
      await shows(page(station).getByText(/可重设密码/));
      await page(station)
        .getByRole('button', { name: `发送测试 ${name}` })
        .click();
      await shows(notice(station, '测试消息已送达'));
      expect((await mails())[0]?.text).toContain(name);
      await page(station)
        .getByRole('button', { name: `预览 ${name}` })
        .click();
      await shows(dialog.getByText('按当前收件箱生成，不会发送。'));
      expect(await violationsOf(station)).toEqual([]);
      await dialog.getByRole('button', { name: '关闭' }).last().click();
      await page(station)
        .getByRole('button', { name: `移除 ${name}` })
        .click();
      await station.getByRole('alertdialog').getByRole('button', { name: '移除' }).click();
      await expect.poll(() => page(station).getByText(name).count()).toBe(0);
    },
  );
});
