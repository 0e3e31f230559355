import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { prices } from './ordering.ts';
import { typeFor, unique, watchOrders, weightField } from './typed-orders.ts';
import { wireOf } from './wire.ts';

interface Quoted {
  data: { quotes: Record<string, unknown>[] };
}

/**
 * Adds an offer of SF to each quote and imitates SF's coverage answers. The offer costs more than
 * the others. It cannot be ordered if the parcel weighs `tooHeavy` grams or more.
 */
const addSf = async (
  page: Page,
  answer: (route: Route) => Promise<void>,
  tooHeavy = Infinity,
): Promise<void> => {
  await page.route('**/api/arco/expresses/quote', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Quoted;
    const [first] = body.data.quotes;
    const sf = {
      provider: 'sf',
      promise_id: '2',
      promise_name: '顺丰标快',
      cheapest: 0,
      proposed: 0,
    };
    const lane = { of: 'network', average_hours: 36, on_time_rate: 9_400 };
    const dear = { post_amount: 99_900, pre_amount: 99_900, selectable: 1, reason: null };
    const { weight } = route.request().postDataJSON() as { weight: number };
    const reason = { code: 'over_weight', params: { actual_weight: '20', limit_weight: '15' } };
    const off = weight >= tooHeavy && { post_amount: null, selectable: 0, reason };
    body.data.quotes.push({ ...first, ...sf, ...dear, ...off, lane });
    await route.fulfill({ response, json: body });
  });
  await page.route('**/api/arco/expresses/coverage', (route) => {
    const { provider } = route.request().postDataJSON() as { provider: string };
    return provider === 'sf' ? answer(route) : route.fallback();
  });
};
const sfAnswer = (data: object) => ({
  json: {
    status: 200,
    message: '',
    data: {
      result: 'unknown',
      text: '',
      reason: null,
      start_station_name: '',
      end_station_name: '',
      products: [],
      pickup_windows: null,
      ...data,
    },
  },
});
const offer = (page: Page, name: RegExp) => prices(page).locator('label').filter({ hasText: name });

describe('offers of several carriers', () => {
  inBrowser(
    'offers of two carriers are listed side by side with price, arrival and kept rate; another one is chosen by an arrow key, and is never replaced when it is lost',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      await addSf(
        page,
        (route) =>
          route.fulfill(
            sfAnswer({
              result: 'reachable',
              products: [
                {
                  promise_id: '2',
                  delivery_promise_at: new Date(Date.now() + 3_600_000).toISOString(),
                },
              ],
            }),
          ),
        20_000,
      );
      const sent = await watchOrders(page.context(), (route) => route.abort());
      await typeFor(page, unique());
      const sf = offer(page, /顺丰速运 · 顺丰标快/);
      await shows(sf.getByText('最快'));
      await shows(sf.getByText('¥999.00'));
      await shows(sf.getByText('准时率 94%'));
      await shows(sf.getByText(/送达/));
      await shows(offer(page, /京东物流 · .*最低价/).first());
      await expect.poll(() => sf.getByRole('radio').isChecked()).toBe(false);
      expect(await violationsOf(page)).toEqual([]);
      // Arrow up on the first offer chooses the last offer.
      const first = prices(page).getByRole('radio').first();
      await first.check();
      await first.press('ArrowUp');
      await expect.poll(() => sf.getByRole('radio').isChecked()).toBe(true);
      // The parcel is too heavy for the chosen product. No other product may be ordered instead.
      await weightField(page).fill('20');
      await shows(prices(page).getByText(/已选的“顺丰速运 · 顺丰标快”不可用/));
      // The reason has a line of its own, so that it is shown in full.
      const why = sf.getByText(/超过上限 15 kg/);
      expect(await why.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
      await page.keyboard.press('F8');
      const take = prices(page).getByRole('button', { name: /^改用 京东物流/ });
      await expect
        .poll(() => take.evaluate((button) => button === document.activeElement))
        .toBe(true);
      expect(await violationsOf(page)).toEqual([]);
      expect(sent).toEqual([]);
      await page.keyboard.press('Enter');
      await expect.poll(() => prices(page).getByRole('radio', { checked: true }).count()).toBe(1);
      await expect.poll(() => take.count()).toBe(0);
    },
  );

  inBrowserDaily(
    'a carrier that does not answer is named in its own offers, and the other one’s times are shown',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      await addSf(page, (route) =>
        route.fulfill(sfAnswer({ reason: { code: 'carrier_silent', params: { provider: 'sf' } } })),
      );
      await typeFor(page, unique());
      await shows(offer(page, /顺丰标快/).getByText('顺丰速运暂无响应'));
      await shows(
        offer(page, /京东物流/)
          .first()
          .getByText(/送达/),
      );
    },
  );

  inBrowserDaily(
    'the price of a parcel says why the rule chose its product beside that pricing alone, not over a later one',
    async ({ open }) => {
      const wire = await wireOf('user');
      const { items } = await wire.get<{ items: { id: number; post_amount: number | null }[] }>(
        '/api/arco/expresses?page_size=100',
      );
      const { id } = items.find(({ post_amount }) => (post_amount ?? 0) > 0)!;
      const { page, context } = await open({ role: 'user', path: '/model/workplace' });
      const choice = {
        rule: 'cheapest',
        because: 'cheapest',
        offers: 2,
        provider: 'sf',
        promise_name: '顺丰标快',
        promise_name_en: '',
        average_hours: null,
        other: null,
        skipped: null,
      };
      await context.route(`**/api/arco/expresses/${id}/price`, async (route) => {
        const response = await route.fetch();
        const answer = (await response.json()) as { data: { pricings: object[] } };
        const [first] = answer.data.pricings;
        answer.data.pricings = [
          { ...first, no: 1, source: 'order', choice },
          { ...first, no: 2, source: 'edit', choice: undefined },
        ];
        await route.fulfill({ response, json: answer });
      });
      await goTo(page, `/model/expresses?id=${id}`);
      const drawer = page.getByRole('dialog').last();
      await drawer.getByRole('tab', { name: '价格', exact: true }).click();
      await shows(drawer.getByText('计价记录（2 次）'));
      const why = drawer.getByText(/^按网点规则选用 顺丰速运 · 顺丰标快/);
      expect(await why.isVisible()).toBe(false);
      await drawer.locator('summary').last().click();
      await shows(why);
    },
  );
});
