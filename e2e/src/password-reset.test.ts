import type { Page } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { violationsOf } from './axe.ts';
import { inBrowser, shows } from './browser.ts';
import { limitMs } from './harness/limits.ts';
import { mainMenu } from './shell.ts';
import { wireAs, wireOf } from './wire.ts';

const [first, fresh] = ['tulip river seven', 'maple harbour nine'];

interface Mail {
  to: string[];
  subject: string;
  text: string;
}
const mailsTo = async (address: string): Promise<Mail[]> => {
  const answer = await fetch(`${inject('product').carrierUrl}/mail/list`);
  const { mails } = (await answer.json()) as { mails: Mail[] };
  return mails.filter(({ to }) => to.includes(address));
};

/** Creates a clerk with a mailbox, to which the link for a forgotten password is sent. */
const clerkWithMailbox = async (name: string): Promise<string> => {
  const address = `${name}@example.com`;
  const station = await wireOf('station');
  const { invitation } = await station.post<{ invitation: { token: string } }>('/api/arco/users', {
    username: name,
    role: 'user',
    invite: 1,
  });
  const { token } = invitation;
  await station.post('/api/arco/invitations/accept', { token, password: first });
  const clerk = await wireAs(name, first);
  const channels = '/api/arco/notices/channels';
  const { channel } = await clerk.post<{ channel: { id: number } }>(channels, {
    kind: 'mail',
    address,
    name: '邮箱',
    language: 'zh',
    kinds: [],
    pace: 'daily',
    daily_hour: 9,
    quiet_from: null,
    quiet_to: null,
  });
  const code = /\d{6}/.exec((await mailsTo(address))[0]!.subject)![0];
  await clerk.post(`${channels}/${channel.id}/confirm`, { code, password: first });
  return address;
};

const logIn = async (page: Page, password: string): Promise<void> => {
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
};

describe('a forgotten password', () => {
  inBrowser(
    'a person has a link mailed from the login page, sets a password and logs in',
    async ({ open, allow }) => {
      allow(/400/);
      const name = `zhao.${Date.now().toString(36)}`;
      const address = await clerkWithMailbox(name);
      const { page } = await open({ path: '/login' });
      await page.getByRole('button', { name: '忘记密码？' }).click();
      await shows(page.getByRole('heading', { name: '重设密码' }));
      await page.getByRole('textbox', { name: '用户名' }).fill(name);
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: '发送链接' }).click();
      await shows(page.getByText(/链接已发送，30 分钟内有效/));
      expect(await violationsOf(page)).toEqual([]);
      const links = async () =>
        (await mailsTo(address)).flatMap(({ text }) => /https?:\S+/.exec(text)?.[0] ?? []);
      await expect.poll(async () => (await links()).length, { timeout: limitMs(15_000) }).toBe(1);
      const href = new URL((await links())[0]!).hash;
      await page.evaluate((to) => void (window.location.hash = to), href);
      await shows(page.getByRole('heading', { name: '设置密码' }));
      await page.getByLabel('新密码', { exact: true }).fill(fresh);
      await page.getByRole('button', { name: '设置密码' }).click();
      await shows(page.getByText('密码已设置，请登录。'));
      await page.getByRole('button', { name: '去登录' }).click();
      await logIn(page, fresh);
      await shows(mainMenu(page));
      await expect.poll(async () => (await mailsTo(address))[0]?.subject).toMatch(/密码已更改/);
    },
  );
});
