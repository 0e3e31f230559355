import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { arrives, gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { notice, shownPage } from './shell.ts';
import { wireAs, wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

interface Made {
  id: number;
  name: string;
  version: number;
}

/**
 * A name with a random ending, because the network may already have stations with other endings.
 */
const called = (word: string): string => `${word}${Math.random().toString(36).slice(2, 7)}`;
const add = (
  wire: Wire,
  name: string,
  parent_id: number | null,
  more: object = {},
): Promise<Made> => wire.post<Made>('/api/arco/stations', { name, parent_id, ...more });

describe('the network of stations', () => {
  inBrowser(
    'several stations get a price in one step, after a preview of the changes and of skipped stations with their reasons',
    async ({ open }) => {
      const wire = await wireOf('admin');
      const stamp = called('批价');
      const [first, second] = [
        await add(wire, `${stamp}一`, null),
        await add(wire, `${stamp}二`, null, { discount: 8_800 }),
      ];
      const { page } = await open({
        role: 'admin',
        path: `/model/stations?q=${encodeURIComponent(stamp)}`,
      });
      const screen = shownPage(page, 'StationTable');
      await shows(screen.getByRole('button', { name: second.name, exact: true }));
      await screen.getByRole('checkbox', { name: '选择本页' }).check();
      await shows(
        screen
          .getByRole('region', { name: '选择' })
          .getByText('已选 2 条 · 余额 ¥0.00 · 冻结 ¥0.00 · 可用 ¥0.00'),
      );
      await screen
        .getByRole('region', { name: '选择' })
        .getByRole('button', { name: '批量定价' })
        .click();
      const dialog = page.getByRole('dialog', { name: '批量定价 2 条' });
      await shows(dialog.getByText('请填写要更改的内容。'));
      await dialog.getByLabel('折扣', { exact: true }).fill('8.8');
      await shows(dialog.getByText('将处理 1 条'));
      await shows(dialog.getByText('折扣：按模板 → 8.8 折（88%）'));
      await shows(dialog.getByText('1 条：方案和折扣已是如此，无需更改'));
      expect(await violationsOf(page)).toEqual([]);
      expect(
        (await wire.get<{ discount: number | null }>(`/api/arco/stations/${first.id}`)).discount,
      ).toBeNull();
      await dialog.getByRole('button', { name: '批量定价' }).click();
      const job = page.getByRole('dialog', { name: '批量处理' });
      await expect
        .poll(() => job.getByRole('tab').allInnerTexts())
        .toEqual(['全部\n2', '成功\n1', '跳过\n1', '失败\n0']);
      expect(
        (await wire.get<{ discount: number | null }>(`/api/arco/stations/${first.id}`)).discount,
      ).toBe(8_800);
    },
  );

  inBrowserDaily(
    'the network is built as a tree with the keyboard’s arrows through it; a station is not moved below itself',
    async ({ open }) => {
      const wire = await wireOf('super');
      const [top, other] = [
        await add(wire, called('甲站'), null),
        await add(wire, called('乙站'), null),
      ];
      const { page } = await open({ role: 'super', path: '/model/stations' });
      const screen = shownPage(page, 'StationTable');
      const tree = screen.getByRole('treegrid');
      const row = (name: string) =>
        tree.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) });

      await screen.getByRole('button', { name: `${top.name} 的更多操作` }).click();
      await page.getByRole('menuitem', { name: '新建下级' }).click();
      const form = page.getByRole('dialog', { name: `新建下级 · ${top.name}` });
      const name = called('丙站');
      await form.getByLabel('名称').fill(name);
      await form.getByLabel('折扣', { exact: true }).fill('88');
      await shows(form.getByText('请填 0.001–10 折，如 8.5'));
      await form.getByLabel('折扣', { exact: true }).fill('8.8');
      await shows(form.getByText('即标价的 88%'));
      await page.keyboard.press('Control+Enter');
      await gone(form);
      await shows(notice(page, `已新建 ${name}`));

      await shows(row(name));
      expect(await row(name).getAttribute('aria-level')).toBe('2');
      await row(top.name).focus();
      await page.keyboard.press('ArrowRight');
      await expect
        .poll(() => row(name).evaluate((element) => element === document.activeElement))
        .toBe(true);
      await page.keyboard.press('ArrowLeft');
      await expect
        .poll(() => row(top.name).evaluate((element) => element === document.activeElement))
        .toBe(true);
      await page.keyboard.press('ArrowLeft');
      await gone(row(name));

      await screen.getByRole('button', { name: `${top.name} 的更多操作` }).click();
      await page.getByRole('menuitem', { name: '变更上级' }).click();
      const dialog = page.getByRole('dialog', { name: `变更 ${top.name} 的上级` });
      const parent = dialog.getByRole('combobox', { name: '新上级' });
      const choose = async (wanted: string): Promise<void> => {
        await parent.fill(wanted);
        await page.getByRole('option', { name: wanted }).click();
      };
      await choose(name);
      await shows(dialog.getByText('不能变更上级：上级不能是网点自身或其下级'));
      await choose(other.name);
      await shows(dialog.getByText('将同时变更 2 个网点、0 个账号。'));
      await dialog.getByRole('button', { name: '变更上级' }).click();
      await gone(dialog);
      await expect
        .poll(
          async () =>
            (await wire.get<{ parent_id: number }>(`/api/arco/stations/${top.id}`)).parent_id,
        )
        .toBe(other.id);

      // The row's actions open the lists of the station's records.
      for (const [action, name, place] of [
        ['查看运单', 'ExpressTable', '/model/expresses'],
        ['查看账单', 'StatementTable', '/model/statements'],
        ['查看账号', 'AccountTable', '/system/users'],
      ] as const) {
        await page.goto('/#/model/stations');
        await screen.getByRole('button', { name: `${other.name} 的更多操作` }).click();
        await page.getByRole('menuitem', { name: action }).click();
        await arrives(page, `${place}?station_id=${other.id}`);
        await shows(
          shownPage(page, name)
            .getByRole('button', { name: new RegExp(other.name) })
            .first(),
        );
      }
    },
  );

  inBrowser(
    'a partner sees its descendants and nothing of a sibling, whose link returns 404',
    async ({ open, allow }) => {
      const wire = await wireOf('super');
      const [sister] = (
        await wire.get<{ items: Made[] }>(
          `/api/arco/stations?q=${encodeURIComponent('示例上海浦东站')}`,
        )
      ).items;
      allow(/404/);
      const { page } = await open({ role: 'partner', path: `/model/stations?id=${sister!.id}` });
      await shows(page.getByRole('dialog').getByText('记录不存在，或无权查看'));
      expect(await page.getByRole('dialog').getByRole('tab').count()).toBe(0);
      await page.keyboard.press('Escape');
      const tree = shownPage(page, 'StationTable').getByRole('treegrid');
      await shows(tree.getByRole('row').filter({ hasText: '示例深圳南山站' }));
      expect(await tree.getByText('示例上海浦东站').count()).toBe(0);
      expect(await tree.getByRole('columnheader', { name: '商家账号' }).count()).toBe(0);
    },
  );

  inBrowserDaily(
    'a station’s price is shown by its own discount and by one that is tried',
    async ({ open }) => {
      const wire = await wireOf('station');
      const [own] = (await wire.get<{ items: Made[] }>('/api/arco/stations')).items;
      const { page } = await open({
        role: 'station',
        path: `/model/stations?id=${own!.id}&view=price`,
      });
      const drawer = page.getByRole('dialog');
      const cheapest = drawer.getByRole('listitem').filter({ hasText: '最低价' });
      await shows(cheapest.getByText('网点折扣 8.5 折', { exact: false }));
      const price = await cheapest.locator('summary').innerText();
      expect(price).toMatch(/¥\s*\d+\.\d\d/);
      await drawer.getByLabel('试算折扣').fill('10');
      await expect.poll(() => cheapest.locator('summary').innerText()).not.toBe(price);
    },
  );

  inBrowserDaily(
    'a clerk of a disabled station is logged out by the next click',
    async ({ open, allow }) => {
      const wire = await wireOf('super');
      const station = await add(wire, called('丁站'), null);
      const username = called('clerk-');
      const firstPassword = 'Kept-in-a-drawer-42';
      const password = 'Only-the-clerk-knows-42';
      await wire.post('/api/arco/users', {
        username,
        password: firstPassword,
        role: 'user',
        station_id: station.id,
      });
      // A new station manager must first change the password.
      await (
        await wireAs(username, firstPassword)
      ).post('/api/arco/personal/password', { current: firstPassword, password });
      const { page: clerk, context } = await open();
      // Blocks live events and polls, so that the clerk's browser gets no news before the click.
      const clicked = Promise.withResolvers<void>();
      let held = false;
      allow(/401/, /403/, /ERR_FAILED/);
      await context.route('**/api/arco/events*', (route) => route.abort('failed'));
      await context.route('**/api/arco/**', async (route) => {
        if (held) await clicked.promise;
        return route.fallback();
      });
      await clerk.getByRole('textbox', { name: '用户名' }).fill(username);
      await clerk.getByLabel('密码', { exact: true }).fill(password);
      await clerk.keyboard.press('Enter');
      await arrives(clerk, '/dashboard/workplace');
      // Waits until the page is shown, because the test must not delay the requests that the page
      // needs.
      await shows(clerk.getByRole('link', { name: '运单管理' }).first());
      held = true;

      const { page } = await open({
        role: 'super',
        path: `/model/stations?q=${encodeURIComponent(station.name)}`,
      });
      await page.getByRole('switch', { name: `${station.name}：启用` }).click();
      const dialog = page.getByRole('dialog', { name: `停用 ${station.name}` });
      await shows(dialog.getByText('账号 1 个', { exact: false }));
      await dialog.getByRole('button', { name: '停用' }).click();
      await shows(notice(page, `${station.name} 已停用`));

      await clerk.getByRole('link', { name: '运单管理' }).first().click();
      clicked.resolve();
      await shows(clerk.getByRole('textbox', { name: '用户名' }));
      await clerk.getByRole('textbox', { name: '用户名' }).fill(username);
      await clerk.getByLabel('密码', { exact: true }).fill(password);
      await clerk.keyboard.press('Enter');
      await shows(clerk.getByText('网点已停用，请联系管理员'));
    },
  );
});
