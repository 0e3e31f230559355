import type { Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import {
  orderBar,
  orderRow,
  orderRows,
  orderedWaybill,
  orders,
  prices,
  receiver,
  store,
} from './ordering.ts';
import {
  gate,
  isInPasteBox,
  nameField,
  parcelsFor,
  typeFor,
  unique,
  watchOrders,
  weightField,
} from './typed-orders.ts';
import { logOut, notice } from './shell.ts';
import { draftedParcel } from './ordered-parcel.ts';
import { carrier, wireOf } from './wire.ts';
import { storedReceiver } from './stored-draft.ts';

describe('the queue of orders', () => {
  inBrowser(
    'F8 frees the form at once while its order waits for the price, which the order then expects',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const [quoted, ordered] = [gate(), gate()];
      await context.route('**/api/arco/expresses/quote', async (route) => {
        await quoted.opened;
        await route.continue();
      });
      const sent = await watchOrders(context, async (route) => {
        await ordered.opened;
        await route.continue();
      });
      const name = unique();
      await typeFor(page, name);
      await page.keyboard.press('F8');
      await expect.poll(() => nameField(page).inputValue()).toBe('');
      expect(await isInPasteBox(page)).toBe(true);
      await shows(orderRow(page, name).getByText('等待报价'));
      expect(sent).toEqual([]);
      quoted.open();
      await shows(orderRow(page, name).getByText('正在提交'));
      await expect.poll(() => sent.length).toBe(1);
      expect(sent[0]!.body).toMatchObject({
        wait: 0,
        receive_name: name,
        expected_amount: expect.any(Number) as number,
      });
      const next = unique();
      await typeFor(page, next);
      ordered.open();
      await orderedWaybill(page);
      expect(await nameField(page).inputValue()).toBe(next);
      await shows(orderRow(page, name).getByText('待揽收'));
    },
  );

  inBrowserDaily('an order without a price in time is priced by the server', async ({ open }) => {
    const { page, context } = await open({ role: 'user', path: '/model/store' });
    await typeFor(page, unique());
    await shows(prices(page).getByRole('table', { name: '计费明细' }));
    await prices(page).getByRole('radio').first().check();
    await page.keyboard.press('F8');
    await orderedWaybill(page);
    const closed = gate();
    await context.route('**/api/arco/expresses/quote', async (route) => {
      await closed.opened;
      await route.abort().catch(() => undefined);
    });
    const sent = await watchOrders(context, (route) => route.continue());
    const name = unique();
    await typeFor(page, name, '7.7');
    await page.keyboard.press('F8');
    await shows(orderRow(page, name).getByText('待揽收'));
    expect(sent).toHaveLength(1);
    expect(sent[0]!.body).not.toHaveProperty('expected_amount');
  });

  inBrowser('a double press and a double click are one order', async ({ open }) => {
    const { page, context } = await open({ role: 'user', path: '/model/store' });
    const sent = await watchOrders(context, (route) => route.continue());
    const [pressed, clicked] = [unique(), unique()];
    await typeFor(page, pressed);
    await page.evaluate(() => {
      for (let press = 0; press < 3; press++)
        document.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'F8', bubbles: true, cancelable: true }),
        );
    });
    await orderedWaybill(page);
    await expect.poll(() => store(page).getByText('还有').count()).toBe(0);
    await typeFor(page, clicked);
    await orderBar(page)
      .getByRole('button', { name: /^下单 F8/ })
      .dblclick();
    await shows(orderRow(page, clicked).getByText('待揽收'));
    expect(sent).toHaveLength(2);
    expect([await parcelsFor(pressed), await parcelsFor(clicked)]).toEqual([1, 1]);
  });

  inBrowser(
    'an order whose answer is lost is sent again with its key after a reload, and is one parcel',
    async ({ open, allow }) => {
      allow(/ERR_|request failed|Failed to load/);
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      let isDown = true;
      const sent = await watchOrders(context, async (route, no) => {
        // The first order reaches the server, but the server's response is lost.
        if (no === 1) await route.fetch();
        if (isDown) await route.abort('connectionreset');
        else await route.continue();
      });
      const name = unique();
      await typeFor(page, name);
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('尚未收到结果，正在自动重试，不会重复下单'));
      await page.reload();
      await shows(orderRow(page, name).getByText('正在提交'));
      expect(await nameField(page).inputValue()).toBe('');
      isDown = false;
      await shows(orderRow(page, name).getByText('待揽收'));
      expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
      expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(await parcelsFor(name)).toBe(1);
    },
  );

  inBrowserDaily(
    'without a network the orders wait in the queue and go out when it is back',
    async ({ open, allow }) => {
      allow(/ERR_|request failed|Failed to load/);
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const name = unique();
      await typeFor(page, name);
      await context.setOffline(true);
      await page.keyboard.press('F8');
      await expect.poll(() => nameField(page).inputValue()).toBe('');
      await shows(orderRow(page, name).getByText(/网络不通|尚未收到结果/));
      await context.setOffline(false);
      await shows(orderRow(page, name).getByText('待揽收'));
      expect(await parcelsFor(name)).toBe(1);
    },
  );

  inBrowserDaily(
    'two windows of one user show one queue, and the same form in both is one order',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const sent = await watchOrders(context, (route) => route.continue());
      const name = unique();
      await typeFor(page, name);
      await shows(prices(page).getByRole('table', { name: '计费明细' }));
      await expect.poll(() => storedReceiver(page)).toBe(name);
      const other = await context.newPage();
      await other.goto('/#/model/store');
      await expect.poll(() => nameField(other).inputValue()).toBe(name);
      await page.keyboard.press('F8');
      await shows(orderRow(other, name));
      await expect.poll(() => nameField(other).inputValue()).toBe('');
      await shows(orderRow(other, name).getByText('待揽收'));
      await shows(orderRow(page, name).getByText('待揽收'));
      expect(sent).toHaveLength(1);
      expect(await parcelsFor(name)).toBe(1);
    },
  );

  inBrowserDaily(
    'the queue goes on while another page is shown, and the navbar counts its open orders',
    async ({ open }) => {
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const answered = gate();
      await watchOrders(context, async (route) => {
        await answered.opened;
        await route.continue();
      });
      const name = unique();
      await typeFor(page, name);
      await page.keyboard.press('F8');
      await shows(orderRow(page, name));
      await goTo(page, '/model/expresses');
      const pill = page.getByRole('link', { name: '下单中 1 单' });
      await shows(pill);
      answered.open();
      await gone(pill);
      await goTo(page, '/model/store');
      await shows(orderRow(page, name).getByText('待揽收'));
    },
  );

  inBrowserDaily(
    'an order whose field the server refuses comes back as it was typed, with the focus there, and another receiver keeps it in the queue',
    async ({ open, allow }) => {
      allow(/422/);
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const name = unique();
      await watchOrders(context, (route, no) =>
        route.continue(
          no === 1
            ? {
                postData: JSON.stringify({
                  ...(route.request().postDataJSON() as object),
                  receive_phone: '139',
                }),
              }
            : {},
        ),
      );
      await typeFor(page, name);
      await page.keyboard.press('F8');
      const phone = receiver(page).getByRole('combobox', { name: '电话' });
      await expect.poll(() => phone.getAttribute('aria-invalid')).toBe('true');
      expect(await phone.evaluate((field) => field === document.activeElement)).toBe(true);
      expect([await nameField(page).inputValue(), await weightField(page).inputValue()]).toEqual([
        name,
        '1',
      ]);
      expect(await orderRow(page, name).count()).toBe(0);
      // The user continues to type. Neither the typed text nor the focus is lost.
      const meanwhile = unique();
      await typeFor(page, meanwhile);
      await shows(orderRow(page, name).getByText('未提交'));
      await page.keyboard.press('Alt+q');
      await page.keyboard.press('2');
      await expect.poll(() => nameField(page).inputValue()).toBe(name);
      await shows(orderRow(page, meanwhile).getByText('未提交'));
      await phone.fill('13900139000');
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('待揽收'));
      expect([await parcelsFor(name), await parcelsFor(meanwhile)]).toEqual([1, 0]);
      await page.keyboard.press('Alt+q');
      await page.keyboard.press('1');
      await shows(orderRow(page, meanwhile).getByText('待揽收'));
    },
  );

  inBrowser('a changed price is ordered by one key in its row', async ({ open, allow }) => {
    allow(/422/);
    const { page, context } = await open({ role: 'user', path: '/model/store' });
    const name = unique();
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
    await typeFor(page, name);
    await page.keyboard.press('F8');
    await shows(orderRow(page, name).getByText(/价格已由/));
    await page.keyboard.press('Alt+q');
    await page.keyboard.press('1');
    await shows(orderRow(page, name).getByText('待揽收'));
    expect(await parcelsFor(name)).toBe(1);
  });

  inBrowserDaily(
    'an order that was not sent before a logout waits for its user as a draft',
    async ({ open, allow }) => {
      allow(/ERR_|request failed|Failed to load/);
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const closed = gate();
      await context.route('**/api/arco/expresses/quote', async (route) => {
        await closed.opened;
        await route.continue().catch(() => undefined);
      });
      const sent = await watchOrders(context, (route) => route.continue());
      const name = unique();
      await typeFor(page, name);
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('等待报价'));
      await weightField(page).fill('');
      await logOut(page);
      await shows(page.getByText('已退出登录。'));
      await page.getByRole('button', { name: /clerk/ }).click();
      closed.open();
      await page.keyboard.press('Enter');
      await shows(page.getByRole('link', { name: '1 单待处理' }));
      await goTo(page, '/model/store');
      await shows(orderRow(page, name).getByText('未提交'));
      expect(sent).toEqual([]);
      await page.keyboard.press('Alt+q');
      await page.keyboard.press('1');
      await shows(orderRow(page, name).getByText('待揽收'));
      expect(await parcelsFor(name)).toBe(1);
    },
  );

  inBrowserDaily(
    'a refusal of the carrier is explained in its row, and its parcel opens in the form',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const name = unique();
      await typeFor(page, name);
      // For the carrier simulator, an address that contains 超区 is outside the carrier's area.
      await receiver(page).getByRole('textbox', { name: '详细地址' }).fill('世纪大道100号超区');
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText(/超区|不在/));
      await page.keyboard.press('Alt+q');
      await page.keyboard.press('1');
      await shows(store(page).getByRole('heading', { level: 1, name: /^编辑运单 / }));
      const address = receiver(page).getByRole('textbox', { name: '详细地址' });
      await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
      await address.fill('世纪大道101号');
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('待揽收'));
      expect(await parcelsFor(name)).toBe(1);
    },
  );

  inBrowserDaily(
    'an order without an answer of the carrier is asked about in its row until its outcome is known, and is one parcel',
    async ({ open }) => {
      await carrier.reachNow();
      const { id, order_id } = await draftedParcel(await wireOf('user'));
      for (const kind of ['error_before', 'drop_after', 'drop_before'])
        await carrier.ask('POST', 'faults', { kind, path: '/ecap/v1/orders/create', order_id });
      const { page } = await open({ role: 'user', path: `/model/store?edit=${id}` });
      await shows(store(page).getByRole('heading', { level: 1, name: /^编辑运单 / }));
      await page.keyboard.press('F8');
      await shows(orderRows(page).first().getByText('下单中', { exact: true }));
      await expect.poll(() => nameField(page).inputValue()).toBe('');
      await page.reload();
      await expect.poll(() => orderRows(page).first().innerText()).toContain('待揽收');
      const { orders: known } = await carrier.ask<{ orders: unknown[] }>(
        'GET',
        `orders?order_id=${order_id}`,
      );
      expect(known).toHaveLength(1);
    },
  );

  inBrowser(
    'labels ordered with F9 wait until one key prints them in one file',
    async ({ open, allow }) => {
      const { page, context } = await open({
        role: 'user',
        path: '/model/store',
        before: (before) =>
          before.addInitScript(() => {
            const { get } = Object.getOwnPropertyDescriptor(
              HTMLIFrameElement.prototype,
              'contentWindow',
            )!;
            Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
              get(this: HTMLIFrameElement) {
                return this.ariaHidden === 'true' ? { print: () => undefined } : get!.call(this);
              },
            });
          }),
      });
      const printed: unknown[] = [];
      await context.route('**/api/arco/labels', async (route) => {
        printed.push((route.request().postDataJSON() as { ids: unknown }).ids);
        await route.continue();
      });
      for (const name of [unique(), unique()]) {
        await typeFor(page, name);
        await page.keyboard.press('F9');
        await shows(orderRow(page, name).getByText('待揽收'));
      }
      const ready = orders(page).getByRole('button', { name: /^待打印 2 单/ });
      await shows(ready);
      expect(printed).toEqual([]);
      allow(/\/api\/arco\/labels/);
      await page.route('**/api/arco/labels', (route) => route.abort('connectionfailed'), {
        times: 1,
      });
      await page.keyboard.press('F10');
      await shows(page.getByText(/网络不通/).first());
      await shows(ready);
      await page.keyboard.press('F10');
      await expect.poll(() => printed.length).toBe(1);
      expect(printed[0]).toHaveLength(2);
      await gone(ready);
      expect(await orderRows(page).count()).toBeGreaterThanOrEqual(2);
    },
  );

  inBrowserDaily(
    'a draft and a change whose answers are lost are one draft and one change, and the user need not wait for them',
    async ({ open, allow }) => {
      allow(/ERR_|request failed|Failed to load/);
      const { page, context } = await open({ role: 'user', path: '/model/store' });
      const lostOnce = async (route: Route, no: number): Promise<void> => {
        if (no > 1) return route.continue();
        // The first order reaches the server, but the server's response is lost.
        await route.fetch();
        await route.abort('connectionreset');
      };
      const drafts = await watchOrders(context, lostOnce);
      const changes: string[] = [];
      await context.route('**/api/arco/expresses/*', async (route) => {
        if (route.request().method() !== 'PATCH') return route.fallback();
        changes.push(route.request().headers()['idempotency-key']!);
        await lostOnce(route, changes.length);
      });
      const name = unique();
      await typeFor(page, name);
      await page.keyboard.press('ControlOrMeta+s');
      await expect.poll(() => nameField(page).inputValue()).toBe('');
      await shows(orderRow(page, name).getByText('草稿'));
      expect(await parcelsFor(name)).toBe(1);
      expect(new Set(drafts.map(({ key }) => key)).size).toBe(1);
      await orderRow(page, name).getByRole('button', { name: /^修改/ }).click();
      await shows(store(page).getByRole('heading', { level: 1, name: /^编辑运单 / }));
      await weightField(page).fill('3.5');
      await page.keyboard.press('F8');
      await shows(orderRow(page, name).getByText('待揽收'));
      expect(changes.length).toBeGreaterThan(1);
      expect(new Set(changes).size).toBe(1);
      const { items } = await (
        await wireOf('user')
      ).get<{ items: { weight: number }[] }>(`/api/arco/expresses?q=${encodeURIComponent(name)}`);
      expect(items).toMatchObject([{ weight: 3_500 }]);
    },
  );

  inBrowserDaily(
    'a change that another user’s overtook comes back with the typed text, which a reload keeps and which never becomes a new order',
    async ({ open, allow }) => {
      allow(/409|ERR_|Failed to load|request failed/);
      const wire = await wireOf('user');
      const draft = await draftedParcel(wire);
      const { page } = await open({ role: 'user', path: `/model/store?edit=${draft.id}` });
      const remark = store(page).getByRole('textbox', { name: '备注' });
      await shows(store(page).getByRole('heading', { level: 1, name: /^编辑运单 / }));
      await remark.fill('轻放');
      await page.reload();
      await shows(store(page).getByRole('heading', { level: 1, name: /^编辑运单 / }));
      await expect.poll(() => remark.inputValue()).toBe('轻放');
      const { version } = await wire.get<{ version: number }>(`/api/arco/expresses/${draft.id}`);
      expect(
        (
          await wire.ask('PATCH', `/api/arco/expresses/${draft.id}`, {
            version,
            description: '易碎',
          })
        ).status,
      ).toBe(200);
      await page.keyboard.press('ControlOrMeta+s');
      await shows(notice(page, '运单已被他人修改'));
      await goTo(page, '/model/store');
      const row = orders(page).getByRole('listitem').filter({ hasText: '运单已被他人修改' });
      // The request for the parcel fails, so the change stays in the queue.
      await page.route(
        `**/api/arco/expresses/${draft.id}`,
        (route) => route.abort('connectionfailed'),
        { times: 1 },
      );
      await row.getByRole('button', { name: /^修改/ }).click();
      await shows(page.getByText(/网络不通/).first());
      await shows(row);
      await row.getByRole('button', { name: /^修改/ }).click();
      await expect.poll(() => remark.inputValue()).toBe('轻放');
      await gone(row);
      // F8 is pressed while the parcel is still being loaded into the form. After the parcel is
      // loaded, the change is saved, and no new parcel is created.
      const read = Promise.withResolvers<void>();
      await page.route(`**/api/arco/expresses/${draft.id}`, async (route) => {
        if (route.request().method() === 'GET') await read.promise;
        return route.fallback();
      });
      await page.reload();
      await shows(nameField(page));
      const pressed: string[] = [];
      page.on(
        'request',
        (request) =>
          void (
            request.method() !== 'GET' &&
            /expresses/.test(request.url()) &&
            pressed.push(request.method())
          ),
      );
      await page.keyboard.press('ControlOrMeta+s');
      read.resolve();
      await expect
        .poll(
          async () =>
            (await wire.get<{ remark: string }>(`/api/arco/expresses/${draft.id}`)).remark,
        )
        .toBe('轻放');
      expect(pressed.filter((method) => method === 'POST')).toEqual([]);
      // The change is discarded. Its content must not become a new order.
      await goTo(page, `/model/store?edit=${draft.id}`);
      await store(page).getByRole('button', { name: '放弃修改' }).click();
      await expect.poll(() => nameField(page).inputValue()).toBe('');
    },
  );
});
