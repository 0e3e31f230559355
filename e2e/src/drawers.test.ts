import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, goTo, inBrowserDaily, shows } from './browser.ts';
import { closeTab, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

/** Lists whose rows open a drawer, with the endpoint that returns their rows. */
const lists: Readonly<Record<string, string>> = {
  '/model/expresses?tab=signed': '/api/arco/expresses?tab=signed',
  '/system/contacts': '/api/arco/contacts',
  '/model/cargos': '/api/arco/cargos',
  '/model/guarantees': '/api/arco/guarantees',
  '/model/merchants': '/api/arco/merchants',
  '/model/projects': '/api/arco/projects',
  '/model/vouchers': '/api/arco/vouchers',
  '/model/promises': '/api/arco/promises',
  '/model/stations': '/api/arco/stations',
  '/model/statements?type=charge': '/api/arco/statements?type=charge',
  '/system/audit': '/api/arco/audit',
  '/system/users': '/api/arco/users',
};

describe('drawers (requirements §10.15)', () => {
  // look.test.ts tests the light theme. The dark theme has this test of its own, because links
  // within text have less contrast on a dark background.
  inBrowserDaily(
    'the drawers have no finding of axe on any tab in the dark theme',
    async ({ open }) => {
      const office = await wireOf('super');
      const { page } = await open({ role: 'super', path: '/dashboard/workplace', theme: 'dark' });
      const faults: Record<string, string[]> = {};
      for (const [path, source] of Object.entries(lists)) {
        const { items } = await office.get<{ items: { id: number }[] }>(
          `${source}${source.includes('?') ? '&' : '?'}page_size=1`,
        );
        await goTo(page, `${path}${path.includes('?') ? '&' : '?'}id=${items[0]!.id}`);
        const drawer = page.getByRole('dialog');
        await shows(drawer.getByRole('heading', { level: 2 }).first());
        await expect.poll(() => drawer.locator('[aria-busy=true]').count()).toBe(0);
        const tabs = await drawer.getByRole('tab').all();
        for (const tab of tabs.length > 0 ? tabs : [null]) {
          await tab?.click();
          await expect
            .poll(() => drawer.locator('[aria-busy=true], [role=progressbar]').count())
            .toBe(0);
          const found = await violationsOf(page);
          if (found.length > 0) faults[`${path} ${(await tab?.innerText()) ?? ''}`] = found;
        }
        await page.keyboard.press('Escape');
        await expect.poll(() => drawer.count()).toBe(0);
        await closeTab(page);
      }
      expect(faults, JSON.stringify(faults, null, 1)).toEqual({});
    },
  );

  inBrowserDaily('a drawer that opens closes the list of a select below it', async ({ open }) => {
    const [{ id }] = (
      await (await wireOf('super')).get<{ items: [{ id: number }] }>('/api/arco/cargos?page_size=1')
    ).items;
    const { page } = await open({ role: 'super', path: '/model/cargos' });
    await shownPage(page, 'CargoTable').getByRole('combobox', { name: '每页条数' }).click();
    await shows(page.getByRole('option', { name: '50 条/页' }));
    await goTo(page, `/model/cargos?id=${id}`);
    await shows(page.getByRole('dialog').getByRole('tab').first());
    await gone(page.getByRole('option', { name: '50 条/页' }));
  });

  inBrowserDaily('a billing line’s drawer draws its tabs once they are known', async ({ open }) => {
    const [{ id }] = (
      await (
        await wireOf('super')
      ).get<{ items: [{ id: number }] }>('/api/arco/statements?type=charge&page_size=1')
    ).items;
    const read = Promise.withResolvers<void>();
    const { page } = await open({
      role: 'super',
      path: `/model/statements?id=${id}&view=why`,
      before: (context) =>
        context.route(/\/statements\/\d+/, async (route) => (await read.promise, route.continue())),
    });
    const drawer = page.getByRole('dialog');
    await shows(drawer.getByRole('status', { name: '正在加载' }));
    expect(await drawer.getByRole('tab').count()).toBe(0);
    read.resolve();
    await shows(drawer.getByRole('tab', { name: '计费明细', selected: true }));
    expect(await drawer.getByRole('tab').count()).toBe(3);
  });
});
