import { describe, expect } from 'vitest';
import { gone, goTo, inBrowser, shows } from './browser.ts';
import { draftedParcel, orderedParcel } from './ordered-parcel.ts';
import { notice, shownPage } from './shell.ts';
import { carrier, wireOf } from './wire.ts';

const create = '/ecap/v1/orders/create';
const trace = '/ecap/v1/orders/trace/query';

interface Parcel {
  delivery_id: string | null;
  state_code: number;
  confirming: number | null;
  waybill_claims?: { delivery_id: string; source: string }[];
}

describe('what the carrier says of a parcel (requirements §10.14)', () => {
  inBrowser('a pushed state is shown as being confirmed until the carrier’s trace confirms it', async ({ open }) => {
    await carrier.reachNow();
    const clerk = await wireOf('user');
    const { id } = await orderedParcel(clerk);
    const { delivery_id } = await clerk.get<Parcel>(`/api/arco/expresses/${id}`);
    const { page } = await open({ role: 'user', path: '/model/expresses' });
    await shows(shownPage(page, 'ExpressTable').locator('[data-row]').first());
    // The question for the trace is answered late, so that what the push says waits.
    await carrier.ask('POST', 'faults', { kind: 'slow_before', ms: 6_000, times: 2, path: trace, waybill_code: delivery_id });
    await carrier.jump(delivery_id!, 'delivered');
    await expect.poll(async () => (await clerk.get<Parcel>(`/api/arco/expresses/${id}`)).confirming, { interval: 50 }).toBe(300);
    await goTo(page, `/model/expresses?id=${id}`);
    const drawer = page.getByRole('dialog').first();
    const confirming = drawer.getByText(/^已签收（待确认） · 承运商已推送此状态/);
    await shows(confirming);
    await gone(confirming);
    await shows(drawer.getByText('已签收', { exact: true }).first());
    expect(await clerk.get<Parcel>(`/api/arco/expresses/${id}`)).toMatchObject({ state_code: 300, confirming: null });
  });

  inBrowser(
    'of two waybills for one order the office takes one on the parcel, and the other is cancelled at the carrier or stays an alert',
    async ({ open }) => {
      await carrier.reachNow();
      const [clerk, admin] = [await wireOf('user'), await wireOf('admin')];
      const { id, order_id } = await draftedParcel(clerk);
      // Stored, but the answer is lost; the repeat names another waybill than the carrier's push.
      await carrier.ask('POST', 'faults', { kind: 'drop_after', path: create, order_id });
      await carrier.ask('POST', 'faults', { kind: 'renumbered', path: create, order_id });
      await clerk.ask('POST', `/api/arco/expresses/${id}/order`, {});
      const claims = async () => (await admin.get<Parcel>(`/api/arco/expresses/${id}`)).waybill_claims ?? [];
      await expect.poll(async () => (await claims()).map(({ source }) => source).toSorted()).toEqual(['answer', 'push']);
      const pushed = (await claims()).find(({ source }) => source === 'push')!.delivery_id;
      const answered = (await claims()).find(({ source }) => source === 'answer')!.delivery_id;
      const { page } = await open({ role: 'admin', path: `/model/expresses?id=${id}` });
      const drawer = page.getByRole('dialog').first();
      await shows(drawer.getByText('承运商返回了两个运单号，请选择其一。选择前不会重复下单，也不能打印。'));
      await shows(drawer.getByRole('listitem').filter({ hasText: answered }).getByText('下单结果'));
      await drawer.getByRole('button', { name: `选用 ${pushed}` }).click();
      const question = page.getByRole('dialog', { name: `选用运单号 ${pushed}` });
      await shows(question.getByText(`将使用此运单号，并向承运商取消 ${answered}。取消不成功时会保留告警。`));
      await question.getByRole('button', { name: '选用运单号' }).click();
      await shows(notice(page, `已选用 ${pushed}`));
      await gone(drawer.getByText(/^承运商返回了两个运单号/));
      expect(await clerk.get<Parcel>(`/api/arco/expresses/${id}`)).toMatchObject({ state_code: 100, delivery_id: pushed });
      // The simulator knows nothing of the number it made up, so that cancelling it fails.
      await expect
        .poll(async () =>
          (await admin.get<{ alerts: { reason: { code: string }; express_id: number }[] }>('/api/arco/workplace')).alerts.filter(
            (alert) => alert.express_id === id,
          ),
        )
        .toMatchObject([{ reason: { code: 'waybill_left' } }]);
    },
  );
});
