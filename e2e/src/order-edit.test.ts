import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { draftedParcel } from './ordered-parcel.ts';
import { orderRow, orderRows, store } from './ordering.ts';
import { storedReceiver } from './stored-draft.ts';
import { notice } from './shell.ts';
import { nameField, parcelsFor, typeFor, unique, watchOrders } from './typed-orders.ts';
import { wireOf } from './wire.ts';

interface Read {
  version: number;
  receive_name: string;
  remark: string;
  state_code: number;
}

const remarkField = (page: Page) => store(page).getByRole('textbox', { name: '备注' });
const editing = (page: Page) => store(page).getByRole('heading', { level: 1, name: /^编辑运单 / });
/** Makes the next request for this parcel fail. */
const unreadable = (page: Page, id: number) =>
  page.route(`**/api/arco/expresses/${id}`, (route) => route.abort('connectionfailed'), {
    times: 1,
  });

describe('an edit that is left for another parcel', () => {
  inBrowser(
    'an edit goes on if the parcel of the new address cannot be read or there is none, and never becomes a new order',
    async ({ open, allow }) => {
      allow(/ERR_|Failed to load|request failed/);
      const wire = await wireOf('user');
      const [edited, other] = [await draftedParcel(wire), await draftedParcel(wire)];
      const { page, context } = await open({
        role: 'user',
        path: `/model/store?edit=${edited.id}`,
      });
      const created = await watchOrders(context, (route) => route.continue());
      await shows(editing(page));
      await remarkField(page).fill('轻放');
      for (const address of [`/model/store?edit=${other.id}`, `/model/store?copy=${other.id}`]) {
        await unreadable(page, other.id);
        const failed = page.waitForEvent('requestfailed', (request) =>
          request.url().endsWith(`/${other.id}`),
        );
        await goTo(page, address);
        await failed;
        await arrives(page, `/model/store?edit=${edited.id}`);
      }
      await goTo(page, '/model/store');
      await arrives(page, `/model/store?edit=${edited.id}`);
      await shows(editing(page));
      expect(await remarkField(page).inputValue()).toBe('轻放');
      await page.reload();
      await shows(editing(page));
      expect(await remarkField(page).inputValue()).toBe('轻放');
      expect(await storedReceiver(page)).not.toBe(await nameField(page).inputValue());
      expect(await orderRows(page).filter({ hasText: '未提交' }).count()).toBe(0);
      await page.keyboard.press('F8');
      await expect
        .poll(async () => (await wire.get<Read>(`/api/arco/expresses/${edited.id}`)).state_code)
        .toBe(100);
      expect((await wire.get<Read>(`/api/arco/expresses/${edited.id}`)).remark).toBe('轻放');
      expect(created).toEqual([]);
    },
  );

  inBrowserDaily(
    'an edit left for another parcel waits in the queue, and text typed where that parcel cannot be read is another order',
    async ({ open, allow }) => {
      allow(/409|ERR_|Failed to load|request failed/);
      const wire = await wireOf('user');
      const [edited, overtaken] = [await draftedParcel(wire), await draftedParcel(wire)];
      const { page } = await open({ role: 'user', path: `/model/store?edit=${overtaken.id}` });
      await shows(editing(page));
      await remarkField(page).fill('轻放');
      const { version } = await wire.get<Read>(`/api/arco/expresses/${overtaken.id}`);
      await wire.ask('PATCH', `/api/arco/expresses/${overtaken.id}`, {
        version,
        description: '易碎',
      });
      await page.keyboard.press('ControlOrMeta+s');
      await shows(notice(page, '运单已被他人修改'));
      await goTo(page, `/model/store?edit=${edited.id}`);
      await shows(editing(page));
      const refused = orderRows(page).filter({ hasText: '运单已被他人修改' });
      await shows(refused);
      await remarkField(page).fill('勿压');
      const before = await wire.get<Read>(`/api/arco/expresses/${edited.id}`);
      await unreadable(page, overtaken.id);
      await refused.getByRole('button', { name: /^修改/ }).click();
      await shows(notice(page, '网络不通'));
      await arrives(page, '/model/store');
      await gone(editing(page));
      const next = unique();
      await typeFor(page, next);
      await page.keyboard.press('F8');
      await shows(orderRow(page, next).getByText('待揽收'));
      expect(await parcelsFor(next)).toBe(1);
      expect(await wire.get<Read>(`/api/arco/expresses/${edited.id}`)).toMatchObject({
        version: before.version,
        receive_name: before.receive_name,
      });
      // If the parcel is opened by its URL, the form shows it without the refused change. The
      // refused change waits in its own row of the queue.
      await goTo(page, `/model/store?edit=${overtaken.id}`);
      await shows(editing(page));
      expect(await remarkField(page).inputValue()).toBe('');
      await shows(refused);
      await refused.getByRole('button', { name: /^修改/ }).click();
      await expect.poll(() => remarkField(page).inputValue()).toBe('轻放');
      await gone(refused);
      // The other edit, which the user left unsent, is still in the queue after a reload.
      await page.reload();
      await shows(editing(page));
      const left = orderRows(page).filter({ hasText: '未提交' });
      await expect.poll(() => left.count()).toBe(2);
      await left.last().getByRole('button', { name: /^修改/ }).click();
      await expect.poll(() => remarkField(page).inputValue()).toBe('勿压');
    },
  );

  inBrowserDaily(
    'an edit left for a returned new order waits in the queue, and is not overwritten by it',
    async ({ open, allow }) => {
      allow(/422/);
      const wire = await wireOf('user');
      const edited = await draftedParcel(wire);
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      await watchOrders(context, (route, no) =>
        route.continue(
          no === 1
            ? {
                postData: JSON.stringify({
                  ...(route.request().postDataJSON() as object),
                  expected_amount: 1,
                }),
              }
            : {},
        ),
      );
      const name = unique();
      await typeFor(page, name);
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText(/价格已由/));
      await goTo(page, `/model/store?edit=${edited.id}`);
      await shows(editing(page));
      await remarkField(page).fill('勿压');
      const before = await wire.get<Read>(`/api/arco/expresses/${edited.id}`);
      await orderRow(page, name).getByRole('button', { name: /^修改/ }).click();
      await expect.poll(() => nameField(page).inputValue()).toBe(name);
      await arrives(page, '/model/store');
      await gone(editing(page));
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('待揽收'));
      expect(await parcelsFor(name)).toBe(1);
      expect((await wire.get<Read>(`/api/arco/expresses/${edited.id}`)).version).toBe(
        before.version,
      );
      await orderRows(page)
        .filter({ hasText: '未提交' })
        .getByRole('button', { name: /^修改/ })
        .click();
      await shows(editing(page));
      await expect.poll(() => remarkField(page).inputValue()).toBe('勿压');
    },
  );
});
