import { describe, expect } from 'vitest';
import { gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { draftedParcel, orderedParcel } from './ordered-parcel.ts';
import { notice, shownPage } from './shell.ts';
import { carrier, wireOf } from './wire.ts';

const create = '/ecap/v1/orders/create';
const trace = '/ecap/v1/orders/trace/query';

interface Parcel {
  delivery_id: string | null;
  state_code: number;
  confirming: number | null;
  state_reason: { code: string } | null;
  waybill_claims?: { delivery_id: string; source: string }[];
}

describe('what the carrier says of a parcel (requirements §10.14)', () => {
  inBrowserDaily(
    'a pushed state is shown as being confirmed until the carrier’s trace confirms it',
    async ({ open }) => {
      await carrier.reachNow();
      const clerk = await wireOf('user');
      const { id } = await orderedParcel(clerk);
      const { delivery_id } = await clerk.get<Parcel>(`/api/arco/expresses/${id}`);
      const { page } = await open({ role: 'user', path: '/model/expresses' });
      await shows(shownPage(page, 'ExpressTable').locator('[data-row]').first());
      // The carrier simulator delays its answer about the parcel's trace, so that the pushed report
      // stays unconfirmed for a while.
      await carrier.ask('POST', 'faults', {
        kind: 'slow_before',
        ms: 6_000,
        times: 2,
        path: trace,
        waybill_code: delivery_id,
      });
      await carrier.jump(delivery_id!, 'delivered');
      await expect
        .poll(async () => (await clerk.get<Parcel>(`/api/arco/expresses/${id}`)).confirming, {
          interval: 50,
        })
        .toBe(300);
      await goTo(page, `/model/expresses?id=${id}`);
      const drawer = page.getByRole('dialog').first();
      const confirming = drawer.getByText(/^已签收（待确认） · 承运商已推送此状态/);
      await shows(confirming);
      await gone(confirming);
      await shows(drawer.getByText('已签收', { exact: true }).first());
      expect(await clerk.get<Parcel>(`/api/arco/expresses/${id}`)).toMatchObject({
        state_code: 300,
        confirming: null,
      });
    },
  );

  inBrowser(
    'of two waybills for one order the office takes one on the parcel, and the other is cancelled at the carrier or stays an alert',
    async ({ open }) => {
      await carrier.reachNow();
      const [clerk, admin] = [await wireOf('user'), await wireOf('admin')];
      const { id, order_id } = await draftedParcel(clerk);
      // The carrier stores the order, but its response is lost. When the order is repeated, the
      // response and the carrier's pushed message contain different waybill numbers.
      await carrier.ask('POST', 'faults', { kind: 'drop_after', path: create, order_id });
      await carrier.ask('POST', 'faults', { kind: 'renumbered', path: create, order_id });
      await clerk.ask('POST', `/api/arco/expresses/${id}/order`, {});
      const claims = async () =>
        (await admin.get<Parcel>(`/api/arco/expresses/${id}`)).waybill_claims ?? [];
      await expect
        .poll(async () => (await claims()).map(({ source }) => source).toSorted())
        .toEqual(['answer', 'push']);
      const pushed = (await claims()).find(({ source }) => source === 'push')!.delivery_id;
      const answered = (await claims()).find(({ source }) => source === 'answer')!.delivery_id;
      const { page } = await open({ role: 'admin', path: `/model/expresses?id=${id}` });
      const drawer = page.getByRole('dialog').first();
      await shows(
        drawer.getByText('承运商返回了两个运单号，请选择其一。选择前不会重复下单，也不能打印。'),
      );
      await shows(drawer.getByRole('listitem').filter({ hasText: answered }).getByText('下单结果'));
      await drawer.getByRole('button', { name: `选用 ${pushed}` }).click();
      const question = page.getByRole('dialog', { name: `选用运单号 ${pushed}` });
      await shows(
        question.getByText(`将使用此运单号，并向承运商取消 ${answered}。取消不成功时会保留告警。`),
      );
      await question.getByRole('button', { name: '选用运单号' }).click();
      await shows(notice(page, `已选用 ${pushed}`));
      await gone(drawer.getByText(/^承运商返回了两个运单号/));
      expect(await clerk.get<Parcel>(`/api/arco/expresses/${id}`)).toMatchObject({
        state_code: 100,
        delivery_id: pushed,
      });
      // The simulator does not know the invented waybill number, so that cancelling it fails.
      await expect
        .poll(async () =>
          (
            await admin.get<{ alerts: { reason: { code: string }; express_id: number }[] }>(
              '/api/arco/workplace',
            )
          ).alerts.filter((alert) => alert.express_id === id),
        )
        .toMatchObject([{ reason: { code: 'waybill_left' } }]);
    },
  );

  inBrowserDaily(
    'an order whose repeat is refused is confirmed under the waybill that the carrier knows, from the alert; its clerk reads whom to ask and what a cancel does',
    async ({ open }) => {
      await carrier.reachNow();
      const [clerk, admin] = [await wireOf('user'), await wireOf('admin')];
      const { id, order_id } = await draftedParcel(clerk);
      // The carrier stores the order, but its response is lost. The carrier then refuses every
      // repetition of the order.
      await carrier.ask('POST', 'faults', { kind: 'drop_after', path: create, order_id });
      await carrier.ask('POST', 'faults', {
        kind: 'refuse',
        path: create,
        order_id,
        message: '不在服务范围',
        times: 1_000,
      });
      await clerk.ask('POST', `/api/arco/expresses/${id}/order`, {});
      const reason = async () =>
        (await clerk.get<Parcel>(`/api/arco/expresses/${id}`)).state_reason?.code;
      await expect.poll(reason).toBe('order_repeat_refused');
      const shop = await open({ role: 'user', path: `/model/expresses?id=${id}` });
      await shows(
        shop.page
          .getByRole('dialog')
          .first()
          .getByText(/不在服务范围，冻结金额保留，请联系管理员向承运商核对$/),
      );
      await shop.page.getByRole('dialog').first().getByRole('button', { name: '取消运单' }).click();
      await shows(
        shop.page
          .getByRole('dialog', { name: `取消 ${order_id}` })
          .getByText(/^承运商是否接单，待管理员核实。/),
      );

      const { page } = await open({ role: 'admin', path: '/dashboard/workplace' });
      const alert = page.getByRole('listitem').filter({ hasText: order_id });
      await alert.getByRole('link', { name: '核实并确认' }).click();
      const drawer = page.getByRole('dialog').first();
      await drawer.getByRole('button', { name: '向承运商核实' }).click();
      await shows(drawer.getByText(`承运商未接受订单 ${order_id}：不在服务范围`));
      await shows(drawer.getByText(`承运商已有此运单，属于本订单 ${order_id}。`));
      await shows(drawer.getByText('承运商已有此订单或其运单，不能解冻。'));
      await drawer.getByRole('button', { name: /^按运单号 JDVE\d+ 确认$/ }).click();
      await page
        .getByRole('dialog', { name: /^确认已接单，运单号 JDVE/ })
        .getByRole('button', { name: '确认已接单' })
        .click();
      await shows(notice(page, /已确认接单$/));
      await gone(drawer.getByRole('button', { name: '重新核实' }));
      expect(await admin.get<Parcel>(`/api/arco/expresses/${id}`)).toMatchObject({
        state_code: 100,
        delivery_id: expect.stringMatching(/^JDVE/),
      });
    },
  );
});
