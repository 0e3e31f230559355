import { describe, expect } from 'vitest';
import { goTo, gone, inBrowser, shows } from './browser.ts';
import { inLanguageOf } from './daily.ts';
import { pageButton } from './shell.ts';
import { wireOf } from './wire.ts';

describe('an adjustment', () => {
  for (const { language, words, tab } of inLanguageOf('zh-CN', [
    { language: 'zh-CN', words: '调账', tab: '资金' },
    { language: 'en-US', words: 'Adjust', tab: 'Money' },
  ] as const))
    inBrowser(
      `an adjustment is requested without a station and for one, in ${language}`,
      async ({ open }) => {
        const { page } = await open({ role: 'super', path: '/model/statements', language });
        await pageButton(page, 'StatementTable', words).click();
        const dialog = page.getByRole('dialog', { name: words });
        await shows(dialog);
        await dialog.getByRole('button', { name: words, exact: true }).click();
        // If no field is filled in, the dialog shows errors and stays open.
        await expect.poll(() => dialog.locator('[aria-invalid=true]').count()).toBeGreaterThan(1);
        await page.keyboard.press('Escape');
        await gone(dialog);
        const { items } = await (
          await wireOf('super')
        ).get<{ items: { id: number }[] }>('/api/arco/stations?page_size=1');
        await goTo(page, `/model/stations?id=${items[0]!.id}`);
        const drawer = page.getByRole('dialog').last();
        await drawer.getByRole('tab', { name: tab, exact: true }).click();
        await drawer.getByRole('button', { name: words, exact: true }).click();
        await shows(page.getByRole('dialog', { name: words, exact: true }));
      },
    );
});
