import { describe, expect } from 'vitest';
import { gone, inBrowser, shows } from './browser.ts';
import { notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';

describe('a discount', () => {
  inBrowser(
    'a discount is typed in 折, needs a confirmation below 5 折, and is a share of the list price in English',
    async ({ open }) => {
      const wire = await wireOf('super');
      const name = `折扣站 ${Date.now()}`;
      const station = await wire.post<{ id: number }>('/api/arco/stations', {
        name,
        discount: 8_500,
      });
      const rateNow = async (): Promise<number | null> =>
        (await wire.get<{ discount: number | null }>(`/api/arco/stations/${station.id}`)).discount;

      const { page } = await open({ role: 'super', path: `/model/stations?form=${station.id}` });
      const form = page.getByRole('dialog', { name: new RegExp(name) });
      const field = form.getByLabel('折扣', { exact: true });
      await expect.poll(() => field.inputValue()).toBe('8.5');
      await field.fill('0.85');
      await shows(form.getByText('即标价的 8.5%，低于 5 折'));
      await page.keyboard.press('Control+Enter');
      const question = page.getByRole('alertdialog', { name: '折扣低于 5 折，确认保存？' });
      await shows(question.getByText('折扣：0.85 折（8.5%）'));
      await question.getByRole('button', { name: '取消' }).click();
      await gone(question);
      expect(await rateNow()).toBe(8_500);
      // A rate of exactly 5 折 needs no confirmation.
      await field.fill('5');
      await field.press('Control+Enter');
      await shows(notice(page, new RegExp(name)));
      expect(await rateNow()).toBe(5_000);

      const { page: english } = await open({
        role: 'super',
        path: `/model/stations?form=${station.id}`,
        language: 'en-US',
      });
      const same = english.getByRole('dialog', { name: new RegExp(name) });
      await expect.poll(() => same.getByLabel('Discount', { exact: true }).inputValue()).toBe('50');
      await shows(same.getByText('50% of list'));
      await same.getByLabel('Discount', { exact: true }).fill('49.99');
      await english.keyboard.press('Control+Enter');
      const confirmation = english.getByRole('alertdialog', {
        name: 'Save a discount below half price?',
      });
      await shows(confirmation.getByText('Discount: 49.99% of list'));
      await confirmation.getByRole('button', { name: 'Save' }).click();
      await expect.poll(rateNow).toBe(4_999);
      await english.goto(`/#/model/stations?id=${station.id}`);
      await shows(
        shownPage(english, 'StationTable')
          .page()
          .getByRole('dialog')
          .getByText('49.99% of list')
          .first(),
      );
    },
  );
});
