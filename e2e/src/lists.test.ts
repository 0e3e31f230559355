import { text as textOf } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { violationsOf } from './axe.ts';
import { arrives, gone, hrefOf, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { choose, notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

// Tests the behaviour that all lists and forms share (docs/web.md), with the goods screen as the
// example.

interface Cargo {
  id: number;
  name: string;
  priority: number;
  type: number;
  status: number;
  version: number;
}

const path = '/model/cargos';
let office: Wire;
/**
 * A part of every name that a test creates. Each attempt has its own stamp, so that a retry does
 * not find the records of the first attempt.
 */
let stamp = '';
beforeAll(async () => {
  office = await wireOf('super');
});
beforeEach(() => {
  stamp = Date.now().toString(36);
});

const make = (name: string, more: object = {}): Promise<Cargo> =>
  office.post<Cargo>('/api/arco/cargos', {
    name: `${name} ${stamp}`,
    type: 1,
    provider: 'jdl',
    ...more,
  });
const read = (id: number): Promise<Cargo> => office.get<Cargo>(`/api/arco/cargos/${id}`);

const list = (page: Page): Locator => shownPage(page, 'CargoTable');
const row = (page: Page, name: string): Locator =>
  list(page).getByRole('row').filter({ hasText: name });
const field = (page: Page, name: string): Locator =>
  page.getByRole('dialog').getByRole('textbox', { name });
const search = (page: Page): Locator =>
  list(page).getByRole('searchbox').or(list(page).getByRole('search').getByRole('textbox'));
/** The titles of the columns in their order, without the column of checkboxes. */
const titles = async (page: Page): Promise<string[]> =>
  (await list(page).getByRole('columnheader').allInnerTexts())
    .map((text) => text.trim())
    .filter(Boolean);
const pick = async (page: Page, filter: string, value: string): Promise<void> => {
  await list(page).getByRole('combobox', { name: filter }).click();
  await page.getByRole('option', { name: value, exact: true }).click();
};
/**
 * The URL of the list with a search for this name and this test's stamp, because the demo has many
 * goods.
 */
const found = (name: string): string =>
  `${path}?q=${new URLSearchParams({ q: `${name} ${stamp}` }).toString().slice(2)}`;

describe('a list (requirements §10.11)', () => {
  inBrowser(
    'a list has its filters in the address, shows each as a chip, and keeps them after a reload',
    async ({ open }) => {
      const cargo = await make('箱子', { status: 0, type: 7 });
      const { page } = await open({ role: 'admin', path });
      await shows(list(page).getByRole('row').nth(1));
      await pick(page, '状态', '停用');
      await pick(page, '类型', '冷藏');
      await arrives(page, `${path}?status=0&type=7`);
      await shows(row(page, cargo.name));
      await page.reload();
      await shows(row(page, cargo.name));
      expect(
        await list(page)
          .getByRole('button', { name: /^移除筛选/ })
          .allInnerTexts(),
      ).toEqual(['类型\n冷藏', '状态\n停用']);
      await list(page).getByRole('button', { name: '移除筛选：状态 停用' }).click();
      await arrives(page, `${path}?type=7`);
      await page.keyboard.press('/');
      await expect
        .poll(() => search(page).evaluate((input) => input === document.activeElement))
        .toBe(true);
      await page.keyboard.type('没有这种物品');
      await shows(list(page).getByText('无符合条件的记录'));
      await list(page).getByRole('button', { name: '清除筛选' }).last().click();
      await arrives(page, path);
      expect(await search(page).inputValue()).toBe('');
    },
  );

  inBrowserDaily(
    'a list keeps a user’s hidden, moved and widened columns, on every device',
    async ({ open }) => {
      await office.post('/api/arco/preferences', { name: 'columns.cargos', value: null });
      const { page } = await open({ role: 'super', path, keepsSettings: true });
      await list(page).getByRole('button', { name: '列设置' }).click();
      const panel = page.getByRole('dialog', { name: '列设置' });
      await panel.getByRole('checkbox', { name: '类型' }).uncheck();
      await panel.getByRole('button', { name: /^移动 状态/ }).focus();
      for (let at = 0; at < 3; at += 1) await page.keyboard.press('ArrowUp');
      const kept = page.waitForResponse(
        (response) =>
          response.url().endsWith('/preferences') &&
          (response.request().postData() ?? '').includes('240'),
      );
      await panel.getByRole('spinbutton', { name: '承运商：宽度（像素）' }).fill('240');
      await kept;
      await page.reload();
      await expect
        .poll(() => titles(page))
        .toEqual([
          '名称',
          '优先级',
          '状态',
          '承运商',
          '寄递',
          '近 30 天',
          '创建时间',
          '更新时间',
          '操作',
        ]);
      const head = list(page).getByRole('columnheader', { name: '承运商' });
      expect(Math.round((await head.boundingBox())!.width)).toBe(240);
      const { x, y, width, height } = (await head.boundingBox())!;
      await page.mouse.move(x + width - 3, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width + 37, y + height / 2, { steps: 4 });
      await page.mouse.up();
      await expect.poll(async () => Math.round((await head.boundingBox())!.width)).toBe(280);
      await list(page).getByRole('button', { name: '列设置' }).click();
      const reset = page.waitForResponse(
        (response) =>
          response.url().endsWith('/preferences') &&
          (response.request().postData() ?? '').includes('null'),
      );
      await panel.getByRole('button', { name: '恢复默认' }).click();
      expect((await titles(page))[2]).toBe('类型');
      await reset;
    },
  );

  inBrowserDaily('a list saves its filters as a view, which a role can share', async ({ open }) => {
    const { page } = await open({ role: 'super', path: `${path}?status=1&sort=name` });
    const views = list(page).getByRole('navigation', { name: '视图' });
    await views.getByRole('button', { name: '保存为视图' }).click();
    await field(page, '视图名称').fill(`可用 ${stamp}`);
    await choose(page.getByRole('combobox', { name: '共享给' }), '管理员');
    await page.keyboard.press('Control+Enter');
    await shows(views.getByRole('button', { name: new RegExp(`可用 ${stamp}$`) }));
    await views.getByRole('button', { name: '全部' }).click();
    await arrives(page, path);
    const { page: other } = await open({ role: 'admin', path });
    await list(other)
      .getByRole('navigation', { name: '视图' })
      .getByRole('button', { name: `可用 ${stamp}` })
      .click();
    await expect.poll(() => hrefOf(other)).toMatch(/status=1&sort=name&saved=\d+/);
    await views.getByRole('button', { name: new RegExp(`可用 ${stamp}$`) }).click();
    await views.getByRole('button', { name: /更多操作/ }).click();
    await page.getByRole('menuitem', { name: '删除视图' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: '删除视图' }).click();
    await gone(views.getByRole('button', { name: new RegExp(`可用 ${stamp}$`) }));
  });

  inBrowserDaily(
    'a list acts on many rows in the background and shows the result of each',
    async ({ open }) => {
      const [first, second] = [
        await make('甲', { provider: 'sf', priority: 2 }),
        await make('乙', { provider: 'sf', priority: 1 }),
      ];
      const others = (
        await office.get<{ items: Cargo[] }>('/api/arco/cargos?provider=sf&status=1&page_size=200')
      ).items;
      for (const { id } of others)
        if (id !== first.id && id !== second.id)
          await office.post(`/api/arco/cargos/${id}/status`, { status: 0 });
      const { page } = await open({ role: 'admin', path: `${path}?provider=sf&status=1` });
      await shows(row(page, second.name));
      await list(page).getByRole('checkbox', { name: '选择本页' }).check();
      await list(page)
        .getByRole('region', { name: '选择' })
        .getByRole('button', { name: '停用' })
        .click();
      const preview = page.getByRole('dialog', { name: '停用 2 条' });
      await shows(preview.getByText('将处理 1 条'));
      await shows(preview.getByText('1 条：这是该承运商最后一个可用的物品，不能停用'));
      // The name appears twice in the preview: in the list of the first selected rows, and next to
      // the reason.
      await shows(preview.getByText(/^[甲乙] /).first());
      expect(await violationsOf(page)).toEqual([]);
      expect(
        (await Promise.all([read(first.id), read(second.id)])).map(({ status }) => status),
      ).toEqual([1, 1]);
      await preview.getByRole('button', { name: '停用' }).click();
      const job = page.getByRole('dialog', { name: '批量处理' });
      await shows(job.getByRole('button', { name: '重试失败的 1 条' }));
      expect(await job.getByRole('tab').allInnerTexts()).toEqual([
        '全部\n2',
        '成功\n1',
        '跳过\n0',
        '失败\n1',
      ]);
      await job.getByRole('tab', { name: /^失败/ }).click();
      await shows(
        job
          .getByRole('list', { name: '原因' })
          .getByText('这是该承运商最后一个可用的物品，不能停用'),
      );
      await shows(job.getByRole('cell', { name: '这是该承运商最后一个可用的物品，不能停用' }));
      expect(
        (await Promise.all([read(first.id), read(second.id)]))
          .map(({ status }) => status)
          .toSorted(),
      ).toEqual([0, 1]);
      const [before] = [hrefOf(page)];
      await job.getByRole('button', { name: '重试失败的 1 条' }).click();
      await expect.poll(() => hrefOf(page)).not.toBe(before);
      await shows(job.getByRole('button', { name: '重试失败的 1 条' }));
      await page.keyboard.press('Escape');
      await expect.poll(() => list(page).getByRole('row').count()).toBe(2);
    },
  );

  inBrowser('a list exports the shown rows and columns in the shown order', async ({ open }) => {
    await make('导出甲', { priority: 1 });
    await make('导出乙', { priority: 2, type: 8 });
    const { page } = await open({ role: 'admin', path: `${path}?q=${stamp}&sort=priority` });
    await shows(row(page, '导出乙'));
    await list(page).getByRole('button', { name: '列设置' }).click();
    const panel = page.getByRole('dialog', { name: '列设置' });
    for (const hidden of ['寄递', '近 30 天', '创建时间', '更新时间'])
      await panel.getByRole('checkbox', { name: hidden }).uncheck();
    await page.keyboard.press('Escape');
    await list(page).getByRole('button', { name: /导出$/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'CSV' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: '导出' }).click(),
    ]);
    const lines = (await textOf(await download.createReadStream()))
      .replace('\uFEFF', '')
      .trim()
      .split(/\r?\n/);
    expect(lines).toEqual([
      '名称,优先级,类型,承运商,状态',
      expect.stringMatching(/^导出甲 \S+,1,普通货物,.+,启用$/),
      expect.stringMatching(/^导出乙 \S+,2,冷冻,.+,启用$/),
    ]);
  });

  inBrowser(
    'a list disables a row at once and enables it again within the time of its notice',
    async ({ open }) => {
      const cargo = await make('开关');
      const { page } = await open({ role: 'admin', path: found('开关') });
      await row(page, cargo.name).getByRole('switch').click();
      await shows(notice(page, `${cargo.name} 已停用`));
      expect((await read(cargo.id)).status).toBe(0);
      await notice(page, `${cargo.name} 已停用`).getByRole('button', { name: '撤销' }).click();
      await expect.poll(async () => (await read(cargo.id)).status).toBe(1);
      await expect
        .poll(() => row(page, cargo.name).getByRole('switch').getAttribute('aria-checked'))
        .toBe('true');
      await row(page, cargo.name).getByRole('button', { name: cargo.name, exact: true }).click();
      const drawer = page.getByRole('dialog', { name: cargo.name });
      await drawer.getByRole('tab', { name: '变更记录' }).click();
      await expect
        .poll(() =>
          drawer.getByRole('list', { name: '变更记录' }).locator('strong').allInnerTexts(),
        )
        .toEqual(['启用', '停用', '新建']);
      expect(await violationsOf(page)).toEqual([]);
    },
  );

  inBrowserDaily('a list orders rows as a user moves them, by keys alone', async ({ open }) => {
    const [low, high] = [
      await make('低', { priority: 9_001 }),
      await make('高', { priority: 9_002 }),
    ];
    const { page } = await open({ role: 'admin', path: `${path}?arrange=1` });
    const drawer = page.getByRole('dialog', { name: '调整顺序' });
    await drawer.getByRole('button', { name: new RegExp(`^移动 ${low.name}`) }).focus();
    await page.keyboard.press('ArrowUp');
    await drawer.getByRole('button', { name: '保存' }).click();
    await gone(drawer);
    expect((await read(low.id)).priority).toBeGreaterThan((await read(high.id)).priority);
  });
});
