import { describe, expect } from 'vitest';
import { gone, goTo, inBrowserDaily, shows } from './browser.ts';
import { shownPage } from './shell.ts';
import { line, titles, uploadFile, uploadSheet } from './import-sheets.ts';
import { workbookOf } from './workbook.ts';

describe('the grid of an import', () => {
  inBrowserDaily(
    'the grid of an import leads to an error beyond the columns of the sheet, and excludes and includes a row by a key',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      await uploadSheet(page, [line(), line({ 物品: '文献' })]);
      const grid = screen.getByRole('grid', { name: '表格内容' });
      await shows(screen.getByRole('radio', { name: '有误 1' }));
      await grid.focus();
      await page.keyboard.press('F8');
      await page.keyboard.press('Control+Delete');
      await shows(screen.getByRole('radio', { name: '不下单 1' }));
      await gone(screen.getByRole('radio', { name: /^有误/ }));
      await gone(grid.locator('[aria-invalid]'));
      await page.keyboard.press('Control+Delete');
      await shows(screen.getByRole('radio', { name: '有误 1' }));
      await shows(grid.locator('[aria-invalid]'));
      // A row of the sheet whose sender is in another city and has no county.
      const sent = (at: string): string =>
        [
          `寄件人,寄件电话,寄件省份,${titles.join(',')}`,
          `示例寄件人,13900139009,${at},${line()}`,
        ].join('\n');
      await goTo(page, '/model/import?form=new');
      await uploadFile(page, {
        name: `寄件 ${Date.now()}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(sent('北京市')),
      });
      await shows(screen.getByRole('radio', { name: '有误 1' }));
      await grid.focus();
      // The sheet has no column for either of these two fields.
      for (const [field, title, text] of [
        ['sender_city', '寄件市', '北京市'],
        ['sender_county', '寄件区县', '朝阳区'],
      ] as const) {
        await page.keyboard.press('F8');
        await shows(grid.getByRole('columnheader', { name: title }));
        await page.keyboard.press('Enter');
        await page.keyboard.insertText(text);
        await page.keyboard.press('Enter');
        await expect.poll(() => grid.locator(`#cell-1-${field}`).textContent()).toBe(text);
      }
      await gone(screen.getByRole('radio', { name: /^有误/ }));
    },
  );

  inBrowserDaily(
    'the grid of an import acts on the row of a key pressed before marks and rows have been read',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      let letGo: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      for (const part of ['marks', 'rows?*'])
        await page.route(`**/api/arco/imports/*/${part}`, async (route) => {
          await held;
          await route.continue();
        });
      await uploadSheet(page, [line(), line({ 物品: '文献' }), line({ '重量(kg)': '' })]);
      const grid = screen.getByRole('grid', { name: '表格内容' });
      await shows(screen.getByRole('radio', { name: '有误 2' }));
      await grid.focus();
      // The keys exclude the row of the first error, and then type 12 as the weight in the row of
      // the second error.
      for (const key of ['F8', 'Control+Delete', 'F8', '1', '2']) await page.keyboard.press(key);
      expect(await grid.getAttribute('aria-busy')).toBe('true');
      letGo();
      await shows(screen.getByRole('radio', { name: '不下单 1' }));
      const editor = grid.locator('#cell-3-weight').getByRole('textbox');
      await shows(editor);
      expect(await editor.inputValue()).toBe('12');
      await page.keyboard.press('Enter');
      await gone(screen.getByRole('radio', { name: /^有误/ }));
      await expect.poll(() => grid.locator('#cell-3-weight').textContent()).toBe('12');
    },
  );

  inBrowserDaily(
    'the grid of an import shows a changed row in its place, without reading the marks of all rows again',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      await uploadSheet(page, [line(), line({ 物品: '文献' }), line({ '重量(kg)': '' })]);
      const grid = screen.getByRole('grid', { name: '表格内容' });
      await shows(screen.getByRole('radio', { name: '有误 2' }));
      await grid.focus();
      await page.keyboard.press('F8');
      await shows(screen.getByRole('button', { name: /Alt 1$/ }));
      // Records the requests that are sent after this point. The page may still load changes from
      // the end of the check.
      const reads: string[] = [];
      page.on(
        'request',
        (request) =>
          request.method() === 'GET' &&
          /\/imports\/\d+\/marks/.test(request.url()) &&
          reads.push(request.url()),
      );
      await page.keyboard.press('Alt+1');
      await shows(screen.getByRole('radio', { name: '有误 1' }));
      await page.keyboard.press('F8');
      await shows(screen.getByText('必填').first());
      await page.keyboard.type('2');
      await page.keyboard.press('Enter');
      await gone(screen.getByRole('radio', { name: /^有误/ }));
      await shows(grid.getByText('正常').nth(2));
      expect(reads).toEqual([]);
    },
  );

  inBrowserDaily(
    'the grid of an import excludes rows that a filter of the sheet hides, counts them, and includes all of them again',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      const rows = [titles, ...[line(), line(), line()].map((text) => text.split(','))];
      const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
      await uploadFile(page, {
        name: `筛选 ${Date.now()}.xlsx`,
        mimeType,
        buffer: workbookOf(rows, [2, 4]),
      });
      await screen.getByRole('button', { name: '2 个隐藏行默认不下单' }).click();
      await shows(screen.getByRole('radio', { name: '不下单 2', checked: true }));
      await shows(screen.getByText('表格中隐藏的行').first());
      await screen.getByRole('button', { name: '恢复这 2 行' }).click();
      await shows(screen.getByRole('radio', { name: '全部 3' }));
      await shows(screen.getByRole('radio', { name: '不下单 0' }));
    },
  );

  inBrowserDaily(
    'an import with errors in every row says that nothing can be ordered, and leads back',
    async ({ open, allow }) => {
      allow(/422/);
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      await uploadSheet(page, [line({ 物品: '文献' })]);
      await shows(screen.getByRole('radio', { name: '有误 1' }));
      await page.goto(page.url().replace(/([?&]id=\d+)/, '$1&view=price'));
      await shows(screen.getByText('没有可下单的行').first());
      await screen.getByRole('button', { name: '继续修改' }).click();
      await shows(screen.getByRole('grid', { name: '表格内容' }));
    },
  );
});
