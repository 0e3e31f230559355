import { describe, expect } from 'vitest';
import { orderOutcomes } from '@waystation/contract/parcels/order-outcome.ts';
import { violationsOf } from './axe.ts';
import { goTo, inBrowserDaily, shows } from './browser.ts';
import { unknownOrder } from './ordered-parcel.ts';
import { shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

describe('an order whose outcome is unknown (requirements §10.14.14)', () => {
  inBrowserDaily(
    'its page says what happens next while the carrier does not answer, and why it is certain once it does',
    async ({ open }) => {
      const [clerk, admin] = [await wireOf('user'), await wireOf('admin')];
      const { id, order_id } = await unknownOrder(clerk);
      const attempts = async () =>
        (
          await admin.get<{ attempts: { outcome: { is_open: number } }[] }>(
            orderOutcomes.path.replace('{id}', String(id)),
          )
        ).attempts;
      await expect.poll(async () => (await attempts()).length).toBe(1);
      const { page } = await open({ role: 'admin', path: '/model/outcomes' });
      const list = shownPage(page, 'OutcomeTable');
      const row = list.locator('[data-row]').filter({ hasText: order_id });
      await shows(row);
      await row.getByRole('button', { name: order_id, exact: true }).click();
      const shown = shownPage(page, 'OutcomePage');
      await shows(shown.getByRole('heading', { name: `订单 ${order_id} 的结果` }));
      await shows(shown.getByText('内容可能已发出').first());
      await shows(shown.getByText(/自 .* 起冻结 .*仍在冻结/));
      await expect.poll(async () => (await attempts())[0]!.outcome.is_open).toBe(0);
      await shows(shown.getByText(/^结果确定：以相同内容再次请求，承运商返回了此订单的运单号/));
      await shown.locator('[data-kind="call"] summary').first().click();
      await shows(shown.getByRole('region', { name: '发出的内容' }).getByText(order_id));
      expect(await violationsOf(page)).toEqual([]);
      // The tab with the calls to the carrier has a link to the outcome of the order.
      await goTo(page, `/model/expresses?id=${id}&view=calls`);
      await page.getByRole('dialog').first().getByRole('link', { name: '下单结果的经过' }).click();
      await shows(shown.getByRole('heading', { name: `订单 ${order_id} 的结果` }));
    },
  );
});
