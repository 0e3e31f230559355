import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { arrives, gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { copiedText } from './clipboard.ts';
import { mainMenu, notice } from './shell.ts';

/**
 * Calculates one-time codes as described in RFC 6238, independently of the server's code. `steps` =
 * 0 returns the code of the present 30 seconds. `steps` = 1 returns the next code, which the server
 * already accepts.
 */
const totp = (secret: string, steps = 0): string => {
  const bits = [...secret]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeUInt32BE(Math.floor(Date.now() / 30_000) + steps, 4);
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = mac.at(-1)! % 16;
  const number =
    ((mac[offset]! % 128) * 2 ** 24 +
      mac[offset + 1]! * 2 ** 16 +
      mac[offset + 2]! * 2 ** 8 +
      mac[offset + 3]!) %
    1_000_000;
  return String(number).padStart(6, '0');
};

const logIn = async (page: Page, username: string, password: string): Promise<void> => {
  await page.getByRole('textbox', { name: '用户名' }).fill(username);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
};
const enterCode = async (page: Page, code: string): Promise<void> => {
  await page.getByRole('textbox', { name: '验证码' }).fill(code);
  await page.getByRole('button', { name: '登录', exact: true }).click();
};
const leave = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: new RegExp(name) }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await shows(page.getByRole('heading', { name: '登录', exact: true }));
};

describe('people', () => {
  inBrowser(
    'a new account gets a password that is shown once, changes it first, turns on two-factor authentication, and is logged out when disabled',
    async ({ open, allow }) => {
      allow(/400|401|403|422/);
      const username = `wang.${Date.now().toString(36)}`;
      const own = 'tulip river seven';

      // The station manager creates a clerk, and sees the clerk's password only once.
      const { page: boss } = await open({ role: 'station', path: '/system/users' });
      await boss.getByRole('button', { name: '新建账号' }).click();
      const form = boss.getByRole('dialog', { name: '新建账号' });
      await form.getByRole('textbox', { name: '用户名' }).fill('ab');
      await form.getByRole('button', { name: '保存', exact: true }).click();
      await shows(form.getByText('请填 3–64 个字母、数字或 . _ @ -').first());
      await form.getByRole('textbox', { name: '用户名' }).fill(username);
      await form.getByRole('textbox', { name: '姓名' }).fill('王小明');
      await form.getByRole('button', { name: '保存', exact: true }).click();
      const passwordDialog = boss.getByRole('dialog', { name: `${username} 的一次性密码` });
      await shows(passwordDialog);
      const first = await passwordDialog.locator('code').innerText();
      await passwordDialog.getByRole('button', { name: '已保存' }).click();
      await gone(passwordDialog);
      expect(await boss.content()).not.toContain(first);

      // At the first login the clerk must change the password, and can open no other page.
      const { page } = await open();
      await logIn(page, username, first);
      await shows(page.getByRole('heading', { name: '请先修改密码' }));
      expect(await violationsOf(page)).toEqual([]);
      await page.goto('/#/model/expresses');
      await page.reload();
      await shows(page.getByRole('heading', { name: '请先修改密码' }));
      expect(await mainMenu(page).count()).toBe(0);
      const change = page.getByRole('form', { name: '修改密码' });
      const submit = change.getByRole('button', { name: '修改并继续' });
      const fill = async (password: string): Promise<void> => {
        await change.getByLabel('当前密码').fill(first);
        await change.getByLabel('新密码', { exact: false }).first().fill(password);
        await change.getByLabel('确认新密码').fill(password);
        await submit.click();
      };
      await fill('short');
      await shows(change.getByText('至少 10 个字符'));
      await fill('iloveyou2025');
      await shows(change.getByText('密码过于常见，请更换'));
      await fill(`${username}1`);
      await shows(change.getByText('密码不能与用户名相同'));
      await fill(first);
      await shows(change.getByText('新密码不能与当前密码相同'));
      await fill(own);
      await shows(mainMenu(page));
      await arrives(page, '/model/expresses');

      // Sets up two-factor authentication on the profile page.
      await page.getByRole('button', { name: /王小明/ }).click();
      await page.getByRole('menuitem', { name: '个人资料' }).click();
      await arrives(page, '/system/profile');
      await page.getByRole('button', { name: '开启两步验证' }).click();
      const proof = page.getByRole('dialog', { name: '请先验证身份' });
      await proof.getByLabel('当前密码').fill('wrong');
      await proof.getByRole('button', { name: '下一步' }).click();
      await shows(proof.getByText('密码不正确'));
      await proof.getByLabel('当前密码').fill(own);
      await proof.getByRole('button', { name: '下一步' }).click();
      const scan = page.getByRole('dialog', { name: '绑定验证器' });
      await shows(scan.getByRole('img', { name: '两步验证的二维码' }));
      const secret = (await scan.locator('code').innerText()).replaceAll(' ', '');
      await scan.getByRole('textbox', { name: '验证码' }).fill(totp(secret));
      await scan.getByRole('button', { name: '开启', exact: true }).click();
      const codes = page.getByRole('dialog', { name: '恢复码' });
      await shows(codes);
      const recovery = await codes.locator('code').allInnerTexts();
      expect(recovery).toHaveLength(10);
      await codes.getByRole('button', { name: '复制全部' }).click();
      expect(await copiedText(page)).toBe(recovery.join('\n'));
      await codes.getByRole('button', { name: '已保存' }).click();
      await shows(page.getByText('剩余恢复码 10 个'));
      expect(await violationsOf(page)).toEqual([]);

      // The login asks for a verification code. Each code and each recovery code can be used only
      // once.
      await leave(page, '王小明');
      await logIn(page, username, own);
      const code = totp(secret, 1);
      await enterCode(page, code);
      await shows(mainMenu(page));
      await leave(page, '王小明');
      await logIn(page, username, own);
      await enterCode(page, code);
      await shows(page.getByText('验证码不正确或已用过，请输入新的验证码'));
      await enterCode(page, recovery[0]!);
      await shows(mainMenu(page));
      await leave(page, '王小明');
      await logIn(page, username, own);
      await enterCode(page, recovery[0]!);
      await shows(page.getByText('验证码不正确或已用过，请输入新的验证码'));
      await enterCode(page, recovery[1]!.toLowerCase());
      await shows(mainMenu(page));

      // The station manager disables the clerk. The clerk's next request ends in a logout, and it
      // may be sent before the next click.
      await boss.getByRole('switch', { name: `${username}：启用` }).click();
      await shows(notice(boss, `${username} 已停用`));
      // Ignores a failure to open the page, because the browser may already be loading the login
      // page.
      await goTo(page, '/model/store').catch(() => undefined);
      await shows(page.getByRole('heading', { name: '登录', exact: true }));
      await logIn(page, username, own);
      await shows(page.getByText('账号已停用，请联系管理员'));
    },
  );

  inBrowser(
    'a second factor that an account must have is set up before any other screen is shown',
    async ({ open }) => {
      const personal = '**/api/arco/personal';
      const { page, context } = await open({
        role: 'user',
        path: '/model/expresses',
        before: (context) =>
          context.route(personal, async (route) => {
            const answer = await route.fetch();
            const body = (await answer.json()) as { data: object };
            const data = { ...body.data, needs_second_factor: 1 };
            await route.fulfill({ response: answer, json: { ...body, data } });
          }),
      });
      await shows(page.getByRole('heading', { name: '请先设置两步验证' }));
      expect(await mainMenu(page).count()).toBe(0);
      await page.getByRole('button', { name: '开启两步验证' }).click();
      await shows(page.getByRole('dialog', { name: '请先验证身份' }));
      expect(await violationsOf(page)).toEqual([]);
      await context.unroute(personal);
    },
  );

  inBrowserDaily(
    'users see their own devices, end one, and change name and picture',
    async ({ open, allow }) => {
      allow(/401/);
      const { page } = await open({ role: 'partner', path: '/system/profile' });
      const { page: phone } = await open({
        role: 'partner',
        path: '/dashboard/workplace',
        width: 390,
        height: 844,
      });
      await shows(phone.getByRole('heading', { name: '工作台' }));
      await page.reload();
      const devices = page.getByRole('region', { name: '登录设备' });
      await shows(devices.getByText('本机'));
      await devices
        .getByRole('button', { name: /^强制下线/ })
        .first()
        .click();
      await shows(notice(page, '已下线'));
      await page.getByRole('textbox', { name: '所在地' }).fill('广州');
      await page.locator('input[type=file]').setInputFiles({
        name: 'face.png',
        mimeType: 'image/png',
        buffer: Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
          'base64',
        ),
      });
      await shows(page.getByRole('button', { name: '移除头像' }));
      await page.getByRole('button', { name: '保存', exact: true }).click();
      await shows(notice(page, '资料已保存'));
      await page.reload();
      await shows(page.getByRole('img', { name: '头像' }));
      expect(await page.getByRole('textbox', { name: '所在地' }).inputValue()).toBe('广州');
      await page.getByRole('button', { name: '移除头像' }).click();
      await page.getByRole('textbox', { name: '所在地' }).fill('示例');
      await page.getByRole('button', { name: '保存', exact: true }).click();
      await shows(notice(page, '资料已保存'));
    },
  );
});
