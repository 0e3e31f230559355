import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { mainMenu } from './shell.ts';

const own = 'tulip river seven';

interface Mail {
  to: string[];
  text: string;
}
const mailsTo = async (address: string): Promise<Mail[]> => {
  const answer = await fetch(`${inject('product').carrierUrl}/mail/list`);
  const { mails } = (await answer.json()) as { mails: Mail[] };
  return mails.filter(({ to }) => to.includes(address));
};
const linkIn = ({ text }: Mail): string => /https?:\S+/.exec(text)![0];
/** The part of a link after `#`, which opens the same page in the product of this run. */
const pathOf = (link: string): string => new URL(link).hash.slice(1);

const logIn = async (page: Page, password: string): Promise<void> => {
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
};

describe('invitations', () => {
  inBrowser(
    'an account is invited by a mailed link, the person sets a password once and logs in, and a replaced or used link says what to do',
    async ({ open, allow }) => {
      allow(/400|422/);
      const name = `li.${Date.now().toString(36)}`;
      const address = `${name}@example.com`;
      const { page: boss } = await open({ role: 'station', path: '/system/users' });
      await boss.getByRole('button', { name: '新建账号' }).click();
      const form = boss.getByRole('dialog', { name: '新建账号' });
      await form.getByRole('textbox', { name: '用户名' }).fill(name);
      await form.getByRole('combobox', { name: '密码' }).click();
      await boss.getByRole('option', { name: '发送邀请链接' }).click();
      await form.getByRole('textbox', { name: '邮箱' }).fill('nonsense');
      await form.getByRole('button', { name: '保存', exact: true }).click();
      await shows(form.getByText('邮箱地址有误').first());
      await form.getByRole('textbox', { name: '邮箱' }).fill(address);
      await form.getByRole('button', { name: '保存', exact: true }).click();
      const issued = boss.getByRole('dialog', { name: `${name} 的邀请链接` });
      await shows(issued.getByText('邮件已发送。'));
      const shown = await issued.locator('code').innerText();
      expect(await violationsOf(boss)).toEqual([]);
      await issued.getByRole('button', { name: '已保存' }).click();
      await gone(issued);
      expect(await boss.content()).not.toContain(shown);
      await expect.poll(async () => (await mailsTo(address)).length).toBe(1);
      const mailed = linkIn((await mailsTo(address))[0]!);
      expect(pathOf(mailed)).toBe(pathOf(shown));
      const row = boss.getByRole('row').filter({ hasText: name });
      await shows(row.getByText('已邀请'));

      // Creating a new link makes the mailed link invalid.
      await row.getByRole('button', { name }).first().click();
      const drawer = boss.getByRole('dialog', { name });
      await shows(drawer.getByText(/待接受邀请/));
      await drawer.getByRole('button', { name: '重发邀请' }).click();
      const again = boss.getByRole('dialog', { name: `向 ${name} 发送邀请链接` });
      await again.getByRole('button', { name: '发送邀请链接' }).click();
      await shows(issued);
      const second = await issued.locator('code').innerText();
      await issued.getByRole('button', { name: '已保存' }).click();

      const { page: late } = await open({ path: pathOf(mailed) });
      await shows(late.getByText(/链接无效/));
      expect(await violationsOf(late)).toEqual([]);
      await late.getByRole('button', { name: '去登录' }).click();
      await shows(late.getByRole('heading', { name: '登录', exact: true }));

      // The user opens the link in a window that shows the login page.
      await late.evaluate((href) => void (window.location.hash = href), pathOf(second));
      await shows(late.getByRole('heading', { name: '设置密码' }));
      await shows(late.getByRole('textbox', { name: '用户名' }));
      expect(await late.getByRole('textbox', { name: '用户名' }).inputValue()).toBe(name);
      expect(await violationsOf(late)).toEqual([]);
      const password = late.getByLabel('新密码', { exact: true });
      await password.fill('short');
      await late.getByRole('button', { name: '设置密码' }).click();
      await shows(late.getByText('至少 10 个字符'));
      await password.fill(own);
      await late.getByRole('button', { name: '设置密码' }).click();
      await shows(late.getByText('密码已设置，请登录。'));
      await late.getByRole('button', { name: '去登录' }).click();
      await shows(late.getByRole('heading', { name: '登录', exact: true }));
      expect(late.url()).not.toContain('token');
      expect(await late.getByRole('textbox', { name: '用户名' }).inputValue()).toBe(name);
      await logIn(late, own);
      await shows(mainMenu(late));

      // A logged-in user opens a link that was already used. The button of the error page returns
      // to the console.
      await late.evaluate((href) => void (window.location.hash = href), pathOf(second));
      await shows(late.getByText(/链接无效/));
      await late.getByRole('button', { name: '去登录' }).click();
      await shows(mainMenu(late));
    },
  );

  inBrowserDaily(
    'the page of a link is readable in English, dark and on a phone',
    async (visits) => {
      visits.allow(/400/);
      const { page } = await visits.open({
        path: `/invitation?token=${'x'.repeat(43)}`,
        language: 'en-US',
        theme: 'dark',
        width: 390,
        height: 844,
      });
      await shows(page.getByText(/used already or replaced/));
      expect(await violationsOf(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    },
  );
});
