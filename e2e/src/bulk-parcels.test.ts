import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { inBrowser, inBrowserDaily, shows } from './browser.ts';
import type { Visits } from './browser.ts';
import { copiedText } from './clipboard.ts';
import { draftedParcel } from './ordered-parcel.ts';
import { shownPage } from './shell.ts';
import { carrier, wireAs, wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

const secret = 'Only-the-clerk-knows-42';
const drafts = 8;
const sent = 4;

/** Creates a separate clerk, so that the list contains only the parcels of this test. */
const newClerk = async (): Promise<Wire> => {
  const manager = await wireOf('station');
  const username = `bulk-${crypto.randomUUID().slice(0, 8)}`;
  const { station_id } = await manager.get<{ station_id: number }>('/api/arco/personal');
  const first = 'Kept-in-a-drawer-42';
  await manager.post('/api/arco/users', { username, password: first, role: 'user', station_id });
  await (
    await wireAs(username, first)
  ).post('/api/arco/personal/password', { current: first, password: secret });
  return wireAs(username, secret);
};

/** Makes the simulated carrier refuse once to cancel this waybill. */
const refuseCancel = (waybill_code: string): Promise<unknown> =>
  carrier.ask('POST', 'faults', {
    kind: 'refuse',
    path: '/ecap/v1/orders/cancel',
    waybill_code,
    message: '快递员已在路上',
  });

const openList = async (open: Visits['open'], { token }: Wire, search = ''): Promise<Page> => {
  const { page } = await open({
    path: `/model/expresses${search}`,
    before: (context) =>
      context.addInitScript((own) => {
        // The blank document that is open at first has no storage.
        if (location.protocol !== 'about:') localStorage.setItem('token', own);
      }, token),
  });
  await shows(list(page).locator('[data-row]').first());
  return page;
};

const list = (page: Page): Locator => shownPage(page, 'ExpressTable');
const dialog = (page: Page): Locator => page.getByRole('dialog');

const hasFocus = (what: Locator): Promise<void> =>
  expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);

/** Opens the menu of actions on the selected rows, moves to the action of this name and runs it. */
const chooseAction = async (page: Page, name: string): Promise<void> => {
  await page.keyboard.press('b');
  const items = page.getByRole('menuitem');
  await hasFocus(items.first());
  for (const words of await items.allInnerTexts()) {
    if (words.trim() === name) break;
    await page.keyboard.press('ArrowDown');
  }
  await hasFocus(items.filter({ hasText: name }));
  await page.keyboard.press('Enter');
};

describe('many parcels at once, by keys alone', () => {
  inBrowser(
    'twelve parcels are cancelled after a preview; three that the carrier refuses are grouped by its reason and retried',
    async ({ open }) => {
      const clerk = await newClerk();
      const parcels = [];
      for (let n = 0; n < drafts + sent; n++) parcels.push(await draftedParcel(clerk));
      const ordered = parcels.slice(0, sent);
      await Promise.all(ordered.map(({ id }) => clerk.post(`/api/arco/expresses/${id}/order`, {})));
      const waybills = await Promise.all(
        ordered.map(
          async ({ id }) =>
            (await clerk.get<{ delivery_id: string }>(`/api/arco/expresses/${id}`)).delivery_id,
        ),
      );
      for (const waybill of waybills.slice(0, 3)) await refuseCancel(waybill);

      const page = await openList(open, clerk, '?size=50');
      await page.keyboard.press('Control+a');
      await shows(list(page).getByText(`已选 ${drafts + sent} 单`));
      await chooseAction(page, '批量取消');
      await shows(dialog(page).getByText(`将取消 ${drafts + sent} 单`));
      await page.keyboard.type('客户不寄了');
      await page.keyboard.press('Enter');

      const job = page.getByRole('dialog', { name: '批量处理' });
      const reasons = job.getByRole('list', { name: '原因' });
      await shows(reasons.getByText('承运商拒绝：快递员已在路上'));
      await shows(job.getByText(`已处理 ${drafts + sent} / ${drafts + sent}`, { exact: true }));
      const retry = reasons.getByRole('button', { name: '重试这 3 条' });
      await retry.focus();
      await page.keyboard.press('Enter');
      await shows(job.getByText('已处理 3 / 3', { exact: true }));
      await expect
        .poll(
          async () =>
            (await clerk.get<{ tabs: { cancelled: number } }>('/api/arco/expresses/counts')).tabs
              .cancelled,
        )
        .toBe(drafts + sent);
    },
  );

  inBrowserDaily(
    'a preview counts what is skipped by reason, and nothing begins before Enter',
    async ({ open }) => {
      const clerk = await newClerk();
      const parcels = [
        await draftedParcel(clerk),
        await draftedParcel(clerk),
        await draftedParcel(clerk),
      ];
      await clerk.post(`/api/arco/expresses/${parcels[0]!.id}/cancel`, { reason: '测试' });
      const page = await openList(open, clerk);
      await page.keyboard.press('Control+a');
      await shows(list(page).getByText('已选 3 单'));
      await chooseAction(page, '批量下单');
      await shows(dialog(page).getByText('将下单 2 单'));
      await shows(dialog(page).getByText('“已取消”的运单不能执行此操作'));
      await page.keyboard.press('Enter');
      const job = page.getByRole('dialog', { name: '批量处理' });
      await shows(job.getByText('已处理 3 / 3', { exact: true }));
      await shows(job.getByRole('tab', { name: /^成功\s*2$/ }));
      await page.keyboard.press('Escape');
      await expect
        .poll(
          async () =>
            (await clerk.get<{ tabs: { awaiting_pickup: number } }>('/api/arco/expresses/counts'))
              .tabs.awaiting_pickup,
        )
        .toBe(2);
    },
  );
});

describe('one parcel, by keys alone', () => {
  inBrowserDaily(
    'search, Down and Enter open what was found; c copies its number and e edits it',
    async ({ open }) => {
      const clerk = await newClerk();
      const { order_id } = await draftedParcel(clerk);
      await draftedParcel(clerk);
      const page = await openList(open, clerk);
      await page.keyboard.press('/');
      await hasFocus(list(page).getByRole('search').getByRole('textbox'));
      await page.keyboard.type(order_id);
      await page.keyboard.press('ArrowDown');
      const row = list(page).locator('[data-row]');
      await expect.poll(() => row.count()).toBe(1);
      await hasFocus(row);
      await page.keyboard.press('c');
      await expect.poll(() => copiedText(page)).toBe(order_id);
      await page.keyboard.press('Enter');
      await shows(page.getByRole('dialog', { name: new RegExp(order_id) }));
      await page.keyboard.press('Escape');
      await hasFocus(row);
      await page.keyboard.press('e');
      await shows(shownPage(page, 'ExpressStore'));
    },
  );

  inBrowserDaily(
    'a draft offers ordering in its row, and the keys are listed in the help',
    async ({ open }) => {
      const clerk = await newClerk();
      await draftedParcel(clerk);
      const page = await openList(open, clerk);
      await list(page)
        .locator('[data-row]')
        .first()
        .getByRole('button', { name: '下单', exact: true })
        .focus();
      await page.keyboard.press('Enter');
      await expect
        .poll(
          async () =>
            (await clerk.get<{ tabs: { awaiting_pickup: number } }>('/api/arco/expresses/counts'))
              .tabs.awaiting_pickup,
        )
        .toBe(1);
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await shows(list(page).getByText('已选 1 单'));
      await page.keyboard.press('?');
      const help = page.getByRole('dialog');
      for (const words of ['批量操作', '复制运单号', '修改', '打印'])
        await shows(help.getByText(words, { exact: true }).first());
    },
  );

  inBrowserDaily(
    'the timeline has the carrier’s reports, prices, billing lines and changes by people; an edit opens the parcel before it',
    async ({ open }) => {
      const manager = await wireOf('station');
      const { id } = await draftedParcel(manager);
      await manager.ask('PATCH', `/api/arco/expresses/${id}`, { version: 1, remark: '轻放' });
      await manager.post(`/api/arco/expresses/${id}/order`, {});
      await expect
        .poll(
          async () =>
            (await manager.get<{ state_code: number }>(`/api/arco/expresses/${id}`)).state_code,
        )
        .toBe(100);
      const { page } = await open({
        role: 'station',
        path: `/model/expresses?id=${id}&view=timeline`,
      });
      const timeline = page.getByRole('dialog').getByRole('list', { name: '时间线' });
      const entries = timeline.getByRole('listitem');
      for (const kind of ['计价', '资金', '操作'])
        await shows(entries.filter({ hasText: kind }).first());
      const kinds = page.getByRole('group', { name: '显示内容' });
      await kinds.getByRole('button', { name: '操作' }).focus();
      await page.keyboard.press('Enter');
      const edit = entries.filter({ hasText: '修改' }).first();
      await edit.locator('summary').focus();
      await page.keyboard.press('Enter');
      await shows(edit.getByText('轻放'));
    },
  );
});
