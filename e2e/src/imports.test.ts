import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { pasteText } from './clipboard.ts';
import { cellsOf } from './harness/workbook-cells.ts';
import { shownPage } from './shell.ts';
import { wireOf } from './wire.ts';
import { workbookOf } from './workbook.ts';
import { titles, line, uploadFile, uploadSheet } from './import-sheets.ts';

const isFocused = (element: Locator): Promise<void> =>
  expect.poll(() => element.evaluate((one) => one === document.activeElement)).toBe(true);

describe('an import', () => {
  inBrowserDaily(
    'unknown goods offer the nearest by name or none, and the office makes them on the way, for every row that names them',
    async ({ open }) => {
      const goods = `示例乐器 ${Date.now() % 100_000}`;
      const { page } = await open({ role: 'admin', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      await page.locator('input[type=file]').setInputFiles({
        name: `乐器 ${Date.now()}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(
          [titles.join(','), line({ 物品: goods }), line({ 物品: goods })].join('\n'),
        ),
      });
      const upload = page.getByRole('dialog');
      await upload.getByRole('combobox', { name: /网点/ }).fill('示例深圳南山');
      await page.getByRole('option').first().click();
      await upload.getByRole('button', { name: '上传', exact: true }).click();
      await shows(screen.getByRole('radio', { name: '有误 2' }));
      await isFocused(screen.getByRole('grid', { name: '表格内容' }));
      await page.keyboard.press('F8');
      await shows(screen.getByRole('button', { name: `新建物品“${goods}”` }));
      expect(await screen.getByRole('button', { name: /Alt 1$/ }).count()).toBe(0);
      await screen.getByRole('button', { name: `新建物品“${goods}”` }).click();
      const dialog = page.getByRole('dialog', { name: '新建物品' });
      await dialog.getByRole('button', { name: '新建物品' }).click();
      await gone(dialog);
      await gone(screen.getByRole('radio', { name: /^有误/ }));
      // The correction can be undone.
      await shows(screen.getByRole('button', { name: '撤销' }));
    },
  );

  inBrowser(
    'an import of a sheet is repaired and ordered by keyboard, and its unordered rows come back as a sheet',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      const twin = line();
      const lines = [
        twin,
        line({ 手机: '1.39E+10' }),
        line({ 物品: '文献' }),
        line({ '重量(kg)': '500g' }),
        line({ 收件地址: '朝阳区示例路 6 号' }),
        twin,
        line({ '重量(kg)': '' }),
      ];
      await uploadSheet(page, lines);
      const grid = screen.getByRole('grid', { name: '表格内容' });
      await shows(grid);
      await shows(screen.getByRole('radio', { name: '有误 4' }));
      // The grid gets the focus after the sheet was read.
      await isFocused(grid);
      await page.keyboard.press('F8');
      await shows(screen.getByText('末几位已丢失').first());
      await page.keyboard.type('13900139002');
      await page.keyboard.press('Enter');
      await shows(screen.getByRole('radio', { name: '有误 3' }));
      await expect
        .poll(() => grid.evaluate((element) => element === document.activeElement))
        .toBe(true);
      // Undoes and redoes the edit.
      await page.keyboard.press('Control+z');
      await shows(screen.getByRole('radio', { name: '有误 4' }));
      await page.keyboard.press('Control+Shift+z');
      await shows(screen.getByRole('radio', { name: '有误 3' }));
      // Undo and redo have selected the changed cell.
      await page.keyboard.press('ArrowDown');
      // Several cities have a county of this name, and a key chooses one of them. The next error
      // after that is a missing weight.
      await page.keyboard.press('F8');
      await shows(screen.getByRole('button', { name: '采用“北京市” Alt 1' }));
      await page.keyboard.press('Alt+1');
      await shows(screen.getByRole('radio', { name: '有误 2' }));
      await page.keyboard.press('F8');
      await shows(screen.getByText('必填').first());
      await page.keyboard.type('2');
      await page.keyboard.press('Enter');
      await shows(screen.getByRole('radio', { name: '有误 1' }));
      await shows(grid.getByText('请核对'));
      await page.keyboard.press('F9');
      await shows(screen.getByText('还有 1 行有误，不会下单'));
      await shows(screen.getByRole('button', { name: /^全部下单 6 单/ }));
      await page.keyboard.press('F10');
      await shows(screen.getByText('已下单 6 单'));
      const download = page.waitForEvent('download');
      await screen.getByRole('button', { name: '下载未下单的行' }).click();
      expect((await download).suggestedFilename()).toMatch(/^未下单-\d+\.xlsx$/);
      await screen.getByRole('button', { name: '修改其余的行' }).click();
      await isFocused(grid);
      await page.keyboard.press('F8');
      await shows(screen.getByRole('button', { name: /Alt 1$/ }));
      await page.keyboard.press('Alt+1');
      await gone(screen.getByRole('radio', { name: /^有误/ }));
      await page.keyboard.press('F9');
      await shows(screen.getByRole('button', { name: /^全部下单 1 单/ }));
      await page.keyboard.press('F10');
      await shows(screen.getByText('已下单 7 单'));
    },
  );
});

interface Parcel {
  id: number;
  thr_order_id: string;
  state_code: number;
  post_amount: number;
}

describe('rows that were not ordered', () => {
  inBrowserDaily(
    'unordered rows are corrected in their own file, uploaded again and ordered one time; all parcels before pickup are cancelled from the import',
    async ({ open }) => {
      const wire = await wireOf('user');
      const ledger = await wireOf('station');
      /**
       * The amount by which ordering these parcels lowered the available balance. It is summed from
       * the parcels, because other journeys order from the same wallet.
       */
      const taken = async (parcels: readonly Parcel[]): Promise<number> => {
        const lines = parcels.map(({ id }) =>
          ledger.get<{ items: { amount: number; freeze_amount: number }[] }>(
            `/api/arco/statements?express_id=${id}`,
          ),
        );
        return (await Promise.all(lines))
          .flatMap(({ items }) => items)
          .reduce((sum, { amount, freeze_amount }) => sum + freeze_amount - amount, 0);
      };
      const parcelsOf = async (id: string): Promise<Parcel[]> =>
        (
          await wire.get<{ items: Parcel[] }>(
            `/api/arco/expresses?import_id=${id}&page_size=100&fields=thr_order_id`,
          )
        ).items;
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      const idOf = (): string => /[?&]id=(\d+)/.exec(page.url())![1]!;
      const order = async (orders: number): Promise<void> => {
        await shows(screen.getByRole('grid', { name: '表格内容' }));
        await page.keyboard.press('F9');
        await shows(screen.getByRole('button', { name: new RegExp(`^全部下单 ${orders} 单`) }));
        await page.keyboard.press('F10');
        await shows(screen.getByText(`已下单 ${orders} 单`));
      };
      await uploadSheet(page, [
        line(),
        line(),
        line(),
        line(),
        line({ 物品: '文献' }),
        line({ '重量(kg)': '' }),
      ]);
      await order(4);
      const first = idOf();
      const download = page.waitForEvent('download');
      await screen.getByRole('button', { name: '下载未下单的行' }).click();
      const saved = join(await mkdtemp(join(tmpdir(), 'waystation-')), 'left.xlsx');
      await (await download).saveAs(saved);
      const [head, ...left] = cellsOf(await readFile(saved));
      expect([head, left.length]).toEqual([[...titles, '失败原因'], 2]);
      const mended = left.map((cells) =>
        cells.map((cell, at) =>
          head![at] === '物品' ? '文件' : head![at] === '重量(kg)' ? '2' : cell,
        ),
      );
      await goTo(page, '/model/import?form=new');
      const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
      await uploadFile(page, {
        name: '未下单.xlsx',
        mimeType,
        buffer: workbookOf([head!, ...mended]),
      });
      await order(2);
      const second = idOf();
      const settled = async (): Promise<Parcel[]> => [
        ...(await parcelsOf(first)),
        ...(await parcelsOf(second)),
      ];
      await expect
        .poll(async () => (await settled()).map(({ state_code }) => state_code))
        .toEqual(Array.from({ length: 6 }, () => 100));
      const held = (await settled()).reduce((sum, { post_amount }) => sum + post_amount, 0);
      expect(await taken(await settled())).toBe(held);
      await goTo(page, `/model/import?id=${first}`);
      await screen.getByRole('link', { name: '取消未揽收的运单' }).click();
      const dialog = page.getByRole('dialog');
      await shows(dialog.getByText('将取消 4 单'));
      await dialog.getByRole('button', { name: '信息有误' }).click();
      await dialog.getByRole('button', { name: '取消运单' }).click();
      await expect
        .poll(async () => (await parcelsOf(first)).map(({ state_code }) => state_code))
        .toEqual([500, 500, 500, 500]);
      const rest = (await parcelsOf(second)).reduce((sum, { post_amount }) => sum + post_amount, 0);
      await expect.poll(async () => taken(await settled())).toBe(rest);
      expect(new Set((await settled()).map(({ thr_order_id }) => thr_order_id)).size).toBe(6);
    },
  );
});

describe('the columns of an import', () => {
  inBrowser(
    'the rows of an import are read below the chosen row of titles, with the first rows as they result',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      const rows = [
        '姓名,电话,说明',
        '甲栏,乙栏,丙栏,丁栏',
        '李雷,13900139000,上海市浦东新区示例路 1 号,2',
        '韩梅,13900139001,上海市浦东新区示例路 2 号,3',
      ];
      await uploadFile(page, {
        name: `标题 ${Date.now()}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(`${rows.join('\n')}\n,,,${Date.now()}`),
      });
      await shows(screen.getByText('各列是什么'));
      await screen.getByRole('combobox', { name: '标题行' }).click();
      await page.getByRole('option', { name: '第 2 行：甲栏 · 乙栏 · 丙栏 · 丁栏' }).click();
      const sample = screen.getByRole('region', { name: '前几行的识别结果' });
      await shows(screen.getByTitle('甲栏', { exact: true }));
      await shows(sample.getByRole('cell', { name: '浦东新区' }).first());
      await screen.getByRole('textbox', { name: '物品' }).fill('文件');
      await shows(sample.getByRole('cell', { name: '文件' }).first());
      await screen.getByRole('combobox', { name: '“丁栏”的含义' }).click();
      await page.getByRole('option', { name: '重量（kg）' }).click();
      await shows(sample.getByRole('cell', { name: '3', exact: true }));
      await screen.getByRole('button', { name: '按此匹配' }).click();
      const grid = screen.getByRole('grid', { name: '表格内容' });
      await shows(grid.getByRole('gridcell', { name: '韩梅' }));
      await shows(screen.getByRole('radio', { name: '全部 3' }));
    },
  );

  inBrowserDaily(
    'cells copied from a spreadsheet and pasted into the dialog become the rows of an import',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      await shows(page.getByRole('dialog'));
      const cells = [titles, line().split(','), line().split(',')]
        .map((row) => row.join('\t'))
        .join('\n');
      await pasteText(page, cells);
      await shows(page.getByRole('dialog').getByText('粘贴的表格.csv'));
      await page.keyboard.press('Enter');
      await shows(screen.getByRole('radio', { name: '全部 2' }));
    },
  );
});

describe('a file that was imported before', () => {
  inBrowserDaily(
    'a file that was imported before opens its earlier import by Enter, and is imported again only by a button of its own',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/model/import?form=new' });
      const screen = shownPage(page, 'ExpressImport');
      const idOf = (): string => /[?&]id=(\d+)/.exec(page.url())![1]!;
      const file = {
        name: `同一文件 ${Date.now()}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from([titles.join(','), line()].join('\n')),
      };
      const upload = async (): Promise<void> => {
        await goTo(page, '/model/import?form=new');
        await page.locator('input[type=file]').setInputFiles(file);
        await expect
          .poll(() =>
            page
              .getByRole('dialog')
              .getByRole('button', { name: '上传', exact: true })
              .evaluate((button) => button === document.activeElement),
          )
          .toBe(true);
        await page.keyboard.press('Enter');
      };
      await upload();
      await shows(screen.getByRole('grid', { name: '表格内容' }));
      const first = idOf();
      await upload();
      await shows(page.getByRole('dialog').getByText(/该文件已于 .* 导入（待下单，已下单 0 单）/));
      const earlier = page.getByRole('dialog').getByRole('button', { name: '打开原来的导入' });
      await expect
        .poll(() => earlier.evaluate((button) => button === document.activeElement))
        .toBe(true);
      await page.keyboard.press('Enter');
      await shows(screen.getByRole('grid', { name: '表格内容' }));
      expect(idOf()).toBe(first);
      await upload();
      await page.getByRole('dialog').getByRole('button', { name: '仍重新导入' }).click();
      await shows(screen.getByRole('grid', { name: '表格内容' }));
      expect(idOf()).not.toBe(first);
    },
  );
});
