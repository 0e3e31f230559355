import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { receiver, store } from './ordering.ts';
import { choose, notice, openSettings, profileButton, shownPage, tab } from './shell.ts';

// Tests keyboard, focus and Escape of the components of ui/ on pages that contain them. How pages
// use the components is tested with the pages.

const list = (page: Page): Locator => shownPage(page, 'CargoTable');
const focused = (what: Locator): Promise<void> =>
  expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);

const isHighlighted = async (input: Locator, option: Locator): Promise<boolean> =>
  (await input.getAttribute('aria-activedescendant')) === (await option.getAttribute('id'));
const highlighted = (input: Locator, option: Locator): Promise<void> =>
  expect.poll(() => isHighlighted(input, option)).toBe(true);

const openList = async (page: Page): Promise<void> =>
  shows(list(page).locator('[data-row]').nth(1));

describe('the components', () => {
  inBrowser(
    'a sheet keeps the focus inside, asks before typed text is lost, and returns the focus to the row',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/cargos' });
      await openList(page);
      await list(page).getByRole('button', { name: '新建物品' }).focus();
      await page.keyboard.press('Enter');
      const sheet = page.getByRole('dialog', { name: '新建物品' });
      const name = sheet.getByRole('textbox', { name: '名称' });
      await focused(name);
      for (let presses = 0; presses < 20; presses += 1) {
        await page.keyboard.press('Tab');
        await expect
          .poll(() => sheet.evaluate((box) => box.contains(document.activeElement)))
          .toBe(true);
      }
      await name.fill('半截');
      await page.keyboard.press('Escape');
      const question = page.getByRole('alertdialog');
      await focused(question.getByRole('button', { name: '取消' }));
      // Pressing Escape once closes only one of two open dialogs.
      await page.keyboard.press('Escape');
      await gone(question);
      await shows(sheet);
      await page.keyboard.press('Escape');
      await question.getByRole('button').last().click();
      await gone(sheet);
      await focused(list(page).getByRole('button', { name: '新建物品' }));
    },
  );

  inBrowserDaily(
    'a record gives the focus back to its row, though a hidden page has a row of the same number',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/cargos' });
      await openList(page);
      await goTo(page, '/model/promises');
      const row = shownPage(page, 'PromiseTable').locator('[data-row="1"]');
      await row.getByRole('button').first().click();
      await shows(page.getByRole('dialog'));
      await page.keyboard.press('Escape');
      await gone(page.getByRole('dialog'));
      await focused(row);
    },
  );

  inBrowserDaily(
    'a sheet has the text colour of the page, whichever pages were shown before',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/cargos' });
      const openSheet = async (): Promise<Locator> => {
        await openList(page);
        await list(page).getByRole('button', { name: '新建物品' }).click();
        const sheet = page.getByRole('dialog');
        await focused(sheet.getByRole('textbox', { name: '名称' }));
        return sheet;
      };
      const first = await openSheet();
      await page.keyboard.press('Escape');
      await gone(first);
      // Opens a page whose style sheet is loaded after the style sheet of the dialog. The dialog
      // must look the same in this order.
      await goTo(page, '/system/reconciliations');
      await shows(
        shownPage(page, 'Reconciliations').getByRole('button', { name: '上传账单' }).first(),
      );
      await goTo(page, '/model/cargos');
      const sheet = await openSheet();
      const colour = (what: Locator): Promise<string> =>
        what.evaluate((element) => getComputedStyle(element).color);
      expect(await colour(sheet.getByRole('heading', { level: 2 }))).toBe(
        await colour(page.locator('body')),
      );
    },
  );

  inBrowserDaily('a field shows its focus once, around itself and its unit', async ({ open }) => {
    const { page } = await open({ role: 'super', path: '/model/cargos' });
    await openList(page);
    await list(page).getByRole('button', { name: '新建物品' }).click();
    // The input has no outline of its own, because a second ring inside the field's border would
    // cover the unit.
    const name = page.getByRole('dialog').getByRole('textbox', { name: '名称' });
    await focused(name);
    expect(await name.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none');
  });

  inBrowserDaily(
    'bounds of an amount among the filters have their words above them in one line',
    async ({ open }) => {
      for (const language of ['zh-CN', 'en-US'] as const) {
        const { page } = await open({ role: 'super', path: '/model/expresses', language });
        await shownPage(page, 'ExpressTable')
          .getByRole('button', { name: /^(更多筛选|More filters)$/ })
          .click();
        const bound = page.getByLabel(/^(不少于|At least)$/);
        const words = page.getByText(/^(不少于|At least)$/);
        const [field, label] = [await bound.boundingBox(), await words.boundingBox()];
        expect(label!.height).toBeLessThan(24);
        expect(field!.y).toBeGreaterThanOrEqual(label!.y + label!.height);
      }
    },
  );

  inBrowserDaily('a sheet opens again with its tab; a menu and a list do not', async ({ open }) => {
    const { page } = await open({ role: 'super', path: '/model/cargos' });
    await openList(page);
    await list(page).locator('[data-row]').first().dblclick();
    const sheet = page.getByRole('dialog');
    await shows(sheet);
    await goTo(page, '/model/guarantees');
    await shows(shownPage(page, 'GuaranteeTable').locator('[data-row]').first());
    await gone(sheet);
    await page.goBack();
    await shows(sheet);
    await page.keyboard.press('Escape');
    await gone(sheet);
    await list(page).getByRole('combobox', { name: '每页条数' }).click();
    await shows(page.getByRole('option').first());
    await goTo(page, '/model/guarantees');
    await gone(page.getByRole('option').first());
    await page.goBack();
    await openList(page);
    expect(await page.getByRole('option').count()).toBe(0);
  });

  inBrowserDaily(
    'a menu begins on its first entry, is walked by arrows, and closes by Escape, Tab and a second press',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/cargos' });
      await openList(page);
      const items = page.getByRole('menuitem');
      await tab(page, '物品管理').click({ button: 'right' });
      await focused(items.first());
      await page.keyboard.press('ArrowDown');
      await focused(items.nth(1));
      await page.keyboard.press('Escape');
      await gone(items.first());
      const profile = profileButton(page);
      await profile.click();
      await focused(items.first());
      await page.keyboard.press('Tab');
      await gone(items.first());
      await focused(profile);
      await profile.click();
      await shows(items.first());
      await profile.click();
      await gone(items.first());
    },
  );

  inBrowserDaily(
    'a dialog that a menu opens has the focus at each opening, and gives it back to the button of the menu',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/projects' });
      const more = shownPage(page, 'ProjectTable')
        .getByRole('button', { name: /的更多操作$/ })
        .first();
      for (const _ of ['loaded now', 'loaded before']) {
        await more.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('menuitem', { name: '复制' }).focus();
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog');
        await shows(dialog);
        await expect
          .poll(() => dialog.evaluate((element) => element.contains(document.activeElement)))
          .toBe(true);
        await page.keyboard.press('Escape');
        await gone(dialog);
        await focused(more);
      }
    },
  );

  inBrowser(
    'a select opens by arrow, chooses by Enter, keeps its value after Escape, and leaves its dialog open',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/cargos?form=new' });
      const sheet = page.getByRole('dialog');
      const select = sheet.getByRole('combobox', { name: '类型' });
      await choose(select, '冷藏');
      await expect.poll(() => select.innerText()).toBe('冷藏');
      await focused(select);
      await page.keyboard.press('ArrowDown');
      await focused(page.getByRole('option', { name: '冷藏' }));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Escape');
      await gone(page.getByRole('option').first());
      await focused(select);
      expect(await select.innerText()).toBe('冷藏');
      await shows(sheet);
      await page.keyboard.press('ArrowDown');
      await focused(page.getByRole('option', { name: '冷藏' }));
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => select.innerText()).toBe('冷冻');
    },
  );

  inBrowserDaily('a switch, a radio group and a notice work by keyboard', async ({ open }) => {
    const { page } = await open({ role: 'user' });
    const drawer = await openSettings(page);
    const footer = drawer.getByRole('switch', { name: '页脚', exact: true });
    await footer.focus();
    await page.keyboard.press(' ');
    await expect.poll(() => footer.isChecked()).toBe(false);
    const density = drawer.getByRole('radiogroup', { name: '表格行高' });
    await density.getByRole('radio', { checked: true }).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => density.getByRole('radio').last().isChecked()).toBe(true);
    await focused(density.getByRole('radio').last());
    await drawer.getByRole('button', { name: '复制' }).click();
    await shows(notice(page, '设置已复制'));
    await page.keyboard.press('Escape');
    await gone(drawer);
    await focused(page.getByRole('button', { name: '设置', exact: true }));
  });

  inBrowserDaily(
    'a combobox filters by what is typed, picks by Enter, and keeps its value and the focus on Escape',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/store' });
      const station = store(page).getByRole('combobox', { name: '网点' });
      const options = page.getByRole('listbox', { name: '网点' }).getByRole('option');
      await station.focus();
      await page.keyboard.press('ArrowDown');
      await shows(options.nth(1));
      await focused(station);
      // The full input of the library has replaced the simple input. Typing continues in the full
      // input.
      const label = await options.nth(1).locator('span').first().innerText();
      await page.keyboard.type(label);
      await expect.poll(() => options.count()).toBe(1);
      await highlighted(station, options);
      await page.keyboard.press('Enter');
      await gone(options.first());
      await focused(station);
      expect(await station.inputValue()).toBe(label);
      expect(await station.getAttribute('aria-expanded')).toBe('false');
      const chosen = page.getByRole('option', { name: label, selected: true });
      // Shortly after a search, the select requests all stations again. The list then contains the
      // chosen station and all other stations.
      await expect
        .poll(async () => {
          await page.keyboard.press('Escape');
          await page.keyboard.press('ArrowDown');
          await shows(chosen);
          return [(await options.count()) > 1, await isHighlighted(station, chosen)];
        })
        .toEqual([true, true]);
      await station.fill('没有这样的网点');
      await shows(options.filter({ hasText: '无匹配选项' }));
      await page.keyboard.press('Escape');
      await gone(options.first());
      await focused(station);
      expect(await station.inputValue()).toBe(label);
    },
  );

  inBrowserDaily(
    'text that is confirmed before a combobox’s options have come picks its option when they come',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const goods = store(page).getByRole('combobox', { name: '物品' });
      let release = (): void => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/api/arco/expresses/options*', async (route) => {
        await released;
        await route.continue();
      });
      await page.reload();
      await goods.focus();
      await page.keyboard.type('文件');
      await page.keyboard.press('Enter');
      release();
      await expect.poll(() => goods.getAttribute('aria-expanded')).toBe('false');
      expect(await goods.inputValue()).toBe('文件');
      await page.keyboard.press('ArrowDown');
      await highlighted(
        goods,
        page
          .getByRole('listbox', { name: '物品' })
          .getByRole('option', { name: '文件', selected: true }),
      );
    },
  );

  inBrowserDaily(
    'Enter picks the typed option of a combobox in the moment when its list is first drawn',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/store' });
      const goods = store(page).getByRole('combobox', { name: '物品' });
      await expect
        .poll(() => store(page).locator('[name="sender.name"]').inputValue())
        .not.toBe('');
      await goods.focus();
      // An observer presses the key immediately after the input was replaced, because a user would
      // be too slow.
      await goods.evaluate((before) => {
        new MutationObserver((_, observer) => {
          const input = document.querySelector<HTMLInputElement>('input[name=goods]');
          if (!input || input === before) return;
          observer.disconnect();
          input.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
          );
        }).observe(document.body, { childList: true, subtree: true });
      });
      await page.keyboard.insertText('文件');
      await expect.poll(() => goods.getAttribute('aria-expanded')).toBe('false');
      expect(await goods.inputValue()).toBe('文件');
    },
  );

  inBrowserDaily(
    'an option of a combobox that is pressed during a Chinese composition leaves no composed text in the input',
    async ({ open }) => {
      const { page, context } = await open({ role: 'super', path: '/model/store' });
      const station = store(page).getByRole('combobox', { name: '网点' });
      const option = page.getByRole('listbox', { name: '网点' }).getByRole('option').nth(1);
      await station.click();
      await shows(option);
      const label = await option.locator('span').first().innerText();
      const keyboard = await context.newCDPSession(page);
      await station.selectText();
      await keyboard.send('Input.imeSetComposition', {
        text: 'ni',
        selectionStart: 2,
        selectionEnd: 2,
      });
      await expect.poll(() => station.inputValue()).toBe('ni');
      await page.getByRole('option', { name: label }).click();
      await gone(option);
      await expect.poll(() => station.inputValue()).toBe(label);
      await focused(station);
    },
  );

  inBrowser(
    'an address is found by pinyin in our order, picked by Enter, and chosen in columns by arrows; Escape closes them',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: '/model/store' });
      const place = receiver(page).getByRole('combobox', { name: '省 / 市 / 区县' });
      const options = page.getByRole('listbox', { name: '省 / 市 / 区县' }).getByRole('option');
      await place.focus();
      await page.keyboard.type('gd ns');
      // Equal matches keep the official order: Guangzhou before Shenzhen.
      await expect
        .poll(async () => (await options.allInnerTexts()).slice(0, 2))
        .toEqual(['广东省 / 广州市 / 南沙区', '广东省 / 深圳市 / 南山区']);
      await page.keyboard.press('ArrowDown');
      await highlighted(place, options.nth(1));
      await page.keyboard.press('Enter');
      await gone(options.first());
      await focused(place);
      expect(await place.inputValue()).toBe('广东省 / 深圳市 / 南山区');
      await place.selectText();
      await page.keyboard.type('gz ns');
      await shows(options.first());
      await page.keyboard.press('Enter');
      await gone(options.first());
      expect(await place.inputValue()).toBe('广东省 / 广州市 / 南沙区');
      await page.keyboard.press('ArrowDown');
      await shows(page.getByRole('listbox', { name: '区县' }));
      await page.keyboard.press('ArrowDown');
      await focused(
        page
          .getByRole('listbox', { name: '省', exact: true })
          .getByRole('option', { name: '广东省' }),
      );
      await page.keyboard.press('Escape');
      await gone(page.getByRole('listbox', { name: '省', exact: true }));
      expect(await place.inputValue()).toBe('广东省 / 广州市 / 南沙区');
    },
  );
});
