import { describe, expect } from 'vitest';
import { arrives, inBrowserDaily, shows } from './browser.ts';
import { mainMenu } from './shell.ts';
import { scan } from './scanner.ts';
import { wireOf } from './wire.ts';

interface Parcel {
  id: number;
  delivery_id: string;
}
const signed = async (): Promise<Parcel[]> =>
  (
    await (
      await wireOf('user')
    ).get<{ items: Parcel[] }>('/api/arco/expresses?tab=signed&page_size=3')
  ).items;

describe('a label that is scanned', () => {
  inBrowserDaily(
    'each code of a label opens its parcel outside of fields, where the scanner ends with Enter or Tab',
    async ({ open }) => {
      const [first, second, third] = (await signed()) as [Parcel, Parcel, Parcel];
      const { page } = await open({ role: 'user' });
      await shows(mainMenu(page));
      const opens = async (
        text: string,
        { delivery_id }: Parcel,
        end: 'Enter' | 'Tab',
      ): Promise<void> => {
        await scan(page, text, { end });
        await shows(page.getByRole('dialog', { name: new RegExp(delivery_id) }));
        await page.keyboard.press('Escape');
        await expect
          .poll(() =>
            page.locator('[role=dialog][aria-modal=true]').filter({ visible: true }).count(),
          )
          .toBe(0);
      };
      await opens(`${first.delivery_id}-1-1-`, first, 'Enter');
      // The row of the opened parcel has the focus now. The Enter at the end of the next scan must
      // not act on this row.
      await opens(second.delivery_id, second, 'Enter');
      await opens(first.delivery_id, first, 'Tab');
      await opens(`https://carrier.example/w/${third.delivery_id}`, third, 'Enter');
    },
  );

  inBrowserDaily(
    'a scan that ends with Tab is searched at once in a search box, which keeps the focus',
    async ({ open }) => {
      const [first, second] = (await signed()) as [Parcel, Parcel];
      const { page } = await open({ role: 'user', path: '/model/expresses' });
      const box = page.getByRole('search').getByRole('textbox');
      await box.focus();
      await scan(page, `${first.delivery_id}-1-1-`, { end: 'Tab' });
      await expect.poll(() => page.url()).toContain(`q=${first.delivery_id}`);
      await expect
        .poll(() =>
          page
            .getByRole('row')
            .filter({ hasText: first.delivery_id.slice(-3) })
            .count(),
        )
        .toBeGreaterThan(0);
      expect(await box.evaluate((input) => document.activeElement === input)).toBe(true);
      await page.goto(page.url().replace(/#.*/, '#/dashboard/workplace'));
      const find = page.getByRole('textbox', { name: '查找运单' });
      await find.focus();
      await scan(page, second.delivery_id, { end: 'Tab' });
      await arrives(page, `/model/expresses?q=${second.delivery_id}`);
      // Pressing Tab by hand moves the focus to the next control, as usual.
      await box.focus();
      await page.keyboard.press('Tab');
      expect(await box.evaluate((input) => document.activeElement === input)).toBe(false);
    },
  );
});
