import { describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { languagesOf } from './daily.ts';
import { store } from './ordering.ts';
import { palette, shownPage } from './shell.ts';

describe('dialogs and forms (requirements §10.15)', () => {
  for (const language of languagesOf('en-US'))
    inBrowser(
      `a dialog in ${language} starts in its first field, keeps its buttons apart and gives the focus back when it is left`,
      async ({ open }) => {
        const { page } = await open({
          role: 'super',
          language,
          path: '/model/expresses?tab=signed',
        });
        const list = shownPage(page, 'ExpressTable');
        await shows(list.locator('[data-row]').nth(2));
        const button = list.getByRole('button', { name: /^(导出|Export)$/ });
        await button.focus();
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: /^(导出|Export)$/ });
        await expect
          .poll(() =>
            dialog.evaluate(
              (box) =>
                document.activeElement?.matches('input, select, textarea') === true &&
                box.contains(document.activeElement),
            ),
          )
          .toBe(true);
        const boxes = await dialog
          .locator('[data-part=footer] button')
          .evaluateAll((all) =>
            all
              .map((each) => each.getBoundingClientRect())
              .map(({ left, right }) => ({ left, right })),
          );
        expect(boxes[1]!.left - boxes[0]!.right).toBeGreaterThanOrEqual(8);
        await page.keyboard.press('Escape');
        await gone(dialog);
        await expect
          .poll(() => button.evaluate((element) => element === document.activeElement))
          .toBe(true);
      },
    );

  for (const language of languagesOf('zh-CN'))
    inBrowserDaily(`a day is typed as 2026-11-22 in ${language}`, async ({ open }) => {
      const { page } = await open({ role: 'super', language, path: '/model/expresses' });
      const list = shownPage(page, 'ExpressTable');
      await list
        .getByRole('button', { name: /^(创建日期|Created|Ordered)/ })
        .first()
        .click();
      const from = page.getByRole('textbox', { name: /^(从|From)$/ });
      expect(await from.getAttribute('placeholder')).toBe('YYYY-MM-DD');
      await from.pressSequentially('2026-11-22');
      await expect.poll(() => page.url()).toContain('created_from=2026-11-22');
      await from.fill('2026-11-31');
      await expect.poll(() => from.getAttribute('aria-invalid')).toBe('true');
      expect(page.url()).toContain('created_from=2026-11-22');
    });

  for (const language of languagesOf('en-US'))
    inBrowserDaily(
      `a day is chosen by keyboard from our own calendar in ${language}, and the focus returns to its button`,
      async ({ open }) => {
        const { page } = await open({
          role: 'super',
          language,
          path: '/model/expresses?created_from=2026-11-22',
        });
        await shownPage(page, 'ExpressTable')
          .getByRole('button', { name: /^(创建日期|Created|Ordered)/ })
          .first()
          .click();
        const button = page.getByRole('button', { name: /^(打开日历|Open calendar)$/ }).first();
        await button.press('Enter');
        const calendar = page.getByRole('dialog', { name: /^(日历|Calendar)$/ });
        await shows(calendar.getByRole('grid', { name: /^(2026年11月|November 2026)$/ }));
        expect(await violationsOf(page)).toEqual([]);
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('PageUp');
        await shows(calendar.getByRole('grid', { name: /^(2026年10月|October 2026)$/ }));
        await page.keyboard.press('Enter');
        await gone(calendar);
        await expect.poll(() => page.url()).toContain('created_from=2026-10-15');
        await expect
          .poll(() => button.evaluate((element) => element === document.activeElement))
          .toBe(true);
        await button.press('Enter');
        await shows(calendar);
        await page.keyboard.press('Escape');
        await gone(calendar);
        await shows(page.getByRole('textbox', { name: /^(从|From)$/ }));
      },
    );

  for (const language of languagesOf('zh-CN'))
    inBrowserDaily(
      `a day and time are typed as 2026-11-22 18:30 in ${language}; text that is none keeps the form from saving`,
      async ({ open }) => {
        const { page } = await open({ role: 'super', language, path: '/model/merchants?form=new' });
        const form = page.getByRole('dialog').first();
        const ends = form.getByRole('textbox', { name: /^(令牌到期|Token expires)/ });
        await ends.fill('2026-11-22 18:3');
        await expect.poll(() => ends.getAttribute('aria-invalid')).toBe('true');
        await page.keyboard.press('Control+Enter');
        await shows(
          form
            .getByText(
              /^(请按 2026-11-22 18:30 的格式填写日期和时间|Enter day and time as 2026-11-22 18:30)$/,
            )
            .first(),
        );
        await ends.fill('202611221830');
        await ends.blur();
        await expect.poll(() => ends.inputValue()).toBe('2026-11-22 18:30');
        expect(await ends.getAttribute('aria-invalid')).toBeNull();
        await form.getByRole('button', { name: /^(打开日历|Open calendar)$/ }).click();
        await page
          .getByRole('dialog', { name: /^(日历|Calendar)$/ })
          .getByRole('button', { name: /^(2026年11月3日|Tuesday, November 3)/ })
          .click();
        await expect.poll(() => ends.inputValue()).toBe('2026-11-03 18:30');
      },
    );

  inBrowser(
    'at 1024 × 768 the price and the order buttons stay in view while the form is scrolled',
    async ({ open }) => {
      const { page } = await open({ role: 'user', width: 1024, height: 768, path: '/model/store' });
      const order = store(page).getByRole('button').filter({ hasText: 'F8' });
      const price = store(page).getByRole('region', { name: '价格' });
      await shows(order);
      const inView = async (): Promise<boolean> => {
        const box = (await order.boundingBox())!;
        const { y } = (await price.boundingBox())!;
        return box.y >= 0 && box.y + box.height <= 768 && y >= 0 && y < 768;
      };
      await expect.poll(inView).toBe(true);
      await store(page).getByRole('textbox', { name: '备注' }).scrollIntoViewIfNeeded();
      await page.mouse.move(400, 500);
      await page.mouse.wheel(0, 2_000);
      await expect.poll(inView).toBe(true);
    },
  );

  inBrowserDaily(
    'a page that focuses its field below an open dialog does not take the next keys',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const paste = page.getByRole('textbox', { name: /粘贴/, includeHidden: true }).first();
      await shows(paste);
      await page.keyboard.press('Control+k');
      await palette(page).getByRole('combobox').fill('深');
      await paste.evaluate((field: HTMLElement) => field.focus());
      await page.keyboard.insertText('色');
      await shows(palette(page).getByRole('option', { name: /深色/, selected: true }));
      expect(await paste.inputValue()).toBe('');
      await page.keyboard.press('Escape');
      await gone(palette(page));
      await paste.evaluate((field: HTMLElement) => field.blur());
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: /快捷键/ });
      await shows(sheet);
      const focused = (): Promise<boolean> =>
        sheet.evaluate((dialog) => dialog.contains(document.activeElement));
      await expect.poll(focused).toBe(true);
      await paste.evaluate((field: HTMLElement) => field.focus());
      expect(await focused()).toBe(true);
    },
  );
});
