import type { Locator, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { lostOf, violationsOf } from './axe.ts';
import { arrives, gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { notice, shownPage } from './shell.ts';
import { wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

// Tests the behaviour that all lists and forms share (docs/web.md). The goods page is used as the
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
const field = (page: Page, name: string): Locator =>
  page.getByRole('dialog').getByRole('textbox', { name });

describe('a form', () => {
  inBrowserDaily(
    'a form makes one record after another without a mouse',
    async ({ open, allow }) => {
      allow(/422/);
      const { page } = await open({ role: 'admin', path });
      await shows(list(page).getByRole('row').nth(1));
      await page.keyboard.press('n');
      await shows(field(page, '名称'));
      await page.keyboard.press('Control+Enter');
      await shows(page.getByRole('alert').getByRole('button', { name: '名称：必填' }));
      await expect
        .poll(() => field(page, '名称').evaluate((input) => input === document.activeElement))
        .toBe(true);
      await page.keyboard.type(`键一 ${stamp}`);
      await page.keyboard.press('Control+Shift+Enter');
      await shows(notice(page, `已新建 键一 ${stamp}`));
      await expect.poll(() => field(page, '名称').inputValue()).toBe('');
      await page.keyboard.type(`键一 ${stamp}`);
      await page.keyboard.press('Control+Enter');
      await shows(
        page.getByRole('alert').getByRole('button', { name: '名称：已被占用，请换一个' }),
      );
      await field(page, '名称').fill(`键二 ${stamp}`);
      await page.keyboard.press('Control+Enter');
      await gone(field(page, '名称'));
      const { items } = await office.get<{ items: Cargo[] }>(`/api/arco/cargos?q=${stamp}`);
      expect(items.map(({ name }) => name).toSorted()).toEqual([`键一 ${stamp}`, `键二 ${stamp}`]);
    },
  );

  inBrowserDaily(
    'a form asks before it discards typed input, and restores it after a reload',
    async ({ open }) => {
      const { page } = await open({ role: 'admin', path: `${path}?form=new` });
      await field(page, '名称').fill('半截');
      await page.keyboard.press('Escape');
      const question = page.getByRole('alertdialog', { name: '放弃已填写的内容' });
      await question.getByRole('button', { name: '取消' }).click();
      await gone(question);
      // Waits until the draft is stored, because it is stored only after a pause in typing.
      await expect
        .poll(() =>
          page.evaluate(() =>
            Object.keys(localStorage).some((key) => key.endsWith('form.cargos.new')),
          ),
        )
        .toBe(true);
      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload();
      await shows(page.getByText('已恢复上次未保存的内容。'));
      expect(await field(page, '名称').inputValue()).toBe('半截');
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: '放弃修改' }).click();
      await arrives(page, path);
    },
  );

  inBrowser(
    'a form shows both versions after another user saved first, and keeps the chosen values of each',
    async ({ open, allow }) => {
      allow(/409/);
      const cargo = await make('两版', { priority: 10 });
      const { page } = await open({ role: 'admin', path: `${path}?form=${cargo.id}` });
      await field(page, '名称').fill(`两版我 ${stamp}`);
      await field(page, '优先级').fill('30');
      await office.ask('PATCH', `/api/arco/cargos/${cargo.id}`, {
        version: cargo.version,
        name: `两版他 ${stamp}`,
        type: 5,
      });
      await page.keyboard.press('Control+Enter');
      const conflict = page.getByRole('region', { name: '内容冲突' });
      await shows(conflict);
      const versions = (await conflict.getByRole('row').allInnerTexts()).map((text) =>
        text.trim().split(/\s*\t\s*/),
      );
      expect(versions).toEqual([
        ['字段', '我的修改', '他人的修改'],
        ['名称', `两版我 ${stamp}`, `两版他 ${stamp}`],
        ['类型', '普通货物', '鲜活'],
        ['优先级', '30', '10'],
      ]);
      expect(await violationsOf(page)).toEqual([]);
      await conflict.getByRole('radio', { name: /^名称：采用他人的修改/ }).check();
      await conflict.getByRole('button', { name: '按选择保存' }).click();
      await gone(field(page, '名称'));
      await arrives(page, path);
      expect(await read(cargo.id)).toMatchObject({
        name: `两版他 ${stamp}`,
        type: 5,
        priority: 30,
        version: cargo.version + 2,
      });
    },
  );

  inBrowserDaily(
    'a form and its list have no finding of axe, in both themes and on a phone',
    async ({ open }) => {
      const { page } = await open({ role: 'admin', path: `${path}?status=1` });
      await shows(list(page).getByRole('switch').first());
      await list(page).getByRole('button', { name: '列设置' }).click();
      expect(await violationsOf(page)).toEqual([]);
      // Switches on striped rows, a setting that the browser stores.
      await page.evaluate(() =>
        localStorage.setItem('waystation-settings', JSON.stringify({ zebra: true })),
      );
      await page.reload();
      const ground = (at: number): Promise<string> =>
        list(page)
          .locator('[data-row]')
          .nth(at)
          .evaluate((one) => getComputedStyle(one).backgroundColor);
      await expect.poll(async () => (await ground(0)) === (await ground(1))).toBe(false);
      expect(await violationsOf(page)).toEqual([]);
      const { page: dark } = await open({ role: 'admin', path: `${path}?form=new`, theme: 'dark' });
      await field(dark, '名称').press('Control+Enter');
      await shows(dark.getByRole('alert'));
      expect(await violationsOf(dark)).toEqual([]);
      const { page: phone } = await open({
        role: 'admin',
        path: `${path}?status=1`,
        width: 390,
        height: 844,
        language: 'en-US',
      });
      await shows(list(phone).getByRole('listitem').first());
      expect(await violationsOf(phone)).toEqual([]);
      await shows(list(phone).getByRole('button', { name: 'Export' }));
      // The cards show the chosen columns.
      await list(phone).getByRole('button', { name: 'Columns' }).click();
      await phone
        .getByRole('dialog')
        .getByRole('checkbox', { name: 'Type', exact: true })
        .uncheck();
      await phone.keyboard.press('Escape');
      const terms = list(phone)
        .getByRole('list', { name: 'Goods' })
        .getByRole('listitem')
        .first()
        .getByRole('term');
      await expect.poll(() => terms.allInnerTexts()).toContain('Priority');
      expect(await terms.allInnerTexts()).not.toContain('Type');
      expect(await violationsOf(phone)).toEqual([]);
      await list(phone).getByRole('button', { name: 'New goods' }).click();
      await shows(field(phone, 'Name'));
      expect([await violationsOf(phone), await lostOf(phone)]).toEqual([[], []]);
    },
  );
});
