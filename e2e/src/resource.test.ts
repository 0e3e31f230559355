import type { BrowserContext, Locator, Page, Request } from 'playwright-core';
import { describe, expect } from 'vitest';
import { arrives, gone, hrefOf, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { notice, shownPage } from './shell.ts';

// Tests the parts that every page of a resource uses (list, record, form and job) with an imitated
// server that answers as each test needs. Their behaviour with the real server is in lists.test.ts.

const path = '/model/cargos';
const list = (page: Page): Locator => shownPage(page, 'CargoTable');
const dataRows = (page: Page): Locator => list(page).locator('[data-row]');
const focused = (what: Locator): Promise<void> =>
  expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);

const time = '2026-03-02T02:00:00.000Z';
const cargo = (id: number) => ({
  id,
  name: `品名 ${id}`,
  type: 1,
  provider: 'jdl',
  priority: id,
  banned: 0,
  banned_reason: '',
  used_count: 0,
  status: 1,
  version: 1,
  created_at: time,
  updated_at: time,
});
const total = 45;

type Answer = { status: number; data: unknown; message: string };
const answered = (data: unknown): Answer => ({ status: 200, data, message: '' });
const failed = (status: number, code: string, more: object = {}): Answer => ({
  status,
  data: { code, params: {}, request_id: 'request-1', ...more },
  message: code,
});

/**
 * Returns a page of the 45 goods kinds in the requested sort order, or one goods kind by its id. A
 * cursor is the number of rows before the next page.
 */
const goods = (request: Request): Answer => {
  const { pathname, searchParams } = new URL(request.url());
  const id = /\/cargos\/(\d+)$/.exec(pathname)?.[1];
  if (id !== undefined)
    return Number(id) > total ? failed(404, 'not_found') : answered(cargo(Number(id)));
  const size = Number(searchParams.get('page_size') ?? 20);
  const before = Number(
    searchParams.get('cursor') ?? (Number(searchParams.get('page') ?? 1) - 1) * size,
  );
  const all = Array.from({ length: total }, (_, index) => cargo(index + 1));
  const sorted = (searchParams.get('sort') ?? '-priority').startsWith('-') ? all.toReversed() : all;
  const end = before + size;
  return answered({
    items: sorted.slice(before, end),
    total,
    total_is_capped: 0,
    next_cursor: end < total ? String(end) : null,
  });
};

/**
 * Imitates the endpoints below /api/arco/cargos and /api/arco/jobs, and records every request. Each
 * request gets the response that `answer` returns, or else a list of 45 goods kinds.
 */
const withGoods = (
  answer: (request: Request) => Answer | undefined | Promise<Answer | undefined> = () => undefined,
) => {
  const requests: Request[] = [];
  return {
    requests,
    before: (context: BrowserContext) =>
      context.route(/\/api\/arco\/(?:cargos|jobs|bulk\/preview)/, async (route) => {
        requests.push(route.request());
        await route.fulfill({ json: (await answer(route.request())) ?? goods(route.request()) });
      }),
  };
};

describe('a list', () => {
  inBrowser(
    'a list is paged and sorted by its address, its footer and its headings, and names its order',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path, ...withGoods() });
      await shows(dataRows(page).nth(19));
      const heading = (name: string): Locator => list(page).getByRole('columnheader', { name });
      expect(await heading('优先级').getAttribute('aria-sort')).toBe('descending');
      await heading('优先级').getByRole('button').press('Enter');
      await arrives(page, `${path}?sort=priority`);
      expect(await heading('优先级').getAttribute('aria-sort')).toBe('ascending');
      await shows(dataRows(page).first().getByText('品名 1', { exact: true }));
      const foot = list(page).getByRole('navigation', { name: '分页' });
      await foot.getByRole('button', { name: '下一页' }).click();
      await arrives(page, `${path}?sort=priority&page=2`);
      await shows(dataRows(page).first().getByText('品名 21', { exact: true }));
      await heading('名称').getByRole('button').click();
      // A change of the sort order returns to the first page.
      await expect.poll(() => hrefOf(page)).not.toContain('page=2');
    },
  );

  inBrowser(
    'a list that cannot be read shows the reason with the request’s id, and reads again on request',
    async ({ open }) => {
      let away = true;
      const { page } = await open({
        role: 'super',
        path,
        ...withGoods(() => (away ? failed(500, 'internal') : undefined)),
      });
      const panel = list(page).getByRole('alert');
      await shows(panel.getByText('request-1'));
      away = false;
      await panel.getByRole('button', { name: '重试' }).click();
      await shows(dataRows(page).first());
      await gone(panel);
    },
  );

  inBrowserDaily(
    'a list offers all matching rows once a page is chosen, sends them as a filter, and keeps the selection if the server refuses',
    async ({ open }) => {
      const { requests, before } = withGoods((request) => {
        if (request.url().endsWith('/bulk/preview'))
          return {
            status: 200,
            data: { total, tried: total, ready: total, changes: [], skipped: [] },
            message: '',
          };
        return request.method() === 'POST' ? failed(409, 'selection_changed') : undefined;
      });
      const { page } = await open({ role: 'super', path: `${path}?type=1`, before });
      await shows(dataRows(page).first());
      await list(page).getByRole('checkbox', { name: '选择本页' }).check();
      const bar = list(page).getByRole('region', { name: '选择' });
      await bar.getByRole('button', { name: /45/ }).click();
      await bar.getByRole('button', { name: '停用' }).click();
      const preview = page.getByRole('dialog', { name: /^停用 45 条/ });
      await preview.getByRole('button', { name: '停用' }).click();
      await shows(preview.getByRole('alert'));
      const sent = (path: string) =>
        requests
          .find((request) => request.method() === 'POST' && request.url().endsWith(path))
          ?.postDataJSON();
      expect(sent('/bulk/preview')).toEqual({
        list: 'cargos',
        action: 'disable',
        filter: { type: '1' },
      });
      expect(sent('/cargos/bulk')).toEqual({
        action: 'disable',
        filter: { type: '1' },
        expected: total,
      });
      await page.keyboard.press('Escape');
      await shows(bar.getByText(/45/).first());
    },
  );
});

describe('a record', () => {
  inBrowserDaily(
    'a record is changed by j and k, keeps its tab meanwhile, and leaves its list shown if it does not exist',
    async ({ open }) => {
      const { page } = await open({ role: 'super', path: `${path}?id=40`, ...withGoods() });
      const sheet = page.getByRole('dialog');
      await shows(sheet.getByRole('heading', { name: '品名 40' }));
      await sheet.getByRole('tab', { name: '变更记录' }).click();
      await arrives(page, `${path}?id=40&view=audit`);
      await page.keyboard.press('j');
      await arrives(page, `${path}?id=39&view=audit`);
      await page.keyboard.press('k');
      await shows(sheet.getByRole('heading', { name: '品名 40' }));
      await page.keyboard.press('Escape');
      await arrives(page, path);
      await page.evaluate((hash) => void (window.location.hash = hash), `${path}?id=99`);
      await shows(page.getByRole('dialog').getByRole('alert').getByText('not_found'));
      await page.keyboard.press('Escape');
      await gone(page.getByRole('dialog'));
      await shows(dataRows(page).first());
    },
  );
});

describe('a form', () => {
  inBrowserDaily(
    'a form shows the server’s error at its field, focuses it, and sends once however often it is submitted',
    async ({ open }) => {
      let answer: (value: Answer) => void = () => undefined;
      const { requests, before } = withGoods((request) =>
        request.method() === 'POST'
          ? new Promise<Answer>((resolve) => (answer = resolve))
          : undefined,
      );
      const sent = (): Request[] => requests.filter((request) => request.method() === 'POST');
      const { page } = await open({ role: 'super', path: `${path}?form=new`, before });
      const sheet = page.getByRole('dialog', { name: '新建物品' });
      const name = sheet.getByRole('textbox', { name: '名称' });
      await name.fill('文件');
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => sent().length).toBe(1);
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('Enter');
      answer(failed(422, 'invalid_input', { fields: { name: { code: 'taken', params: {} } } }));
      await focused(name);
      expect(await name.getAttribute('aria-invalid')).toBe('true');
      expect(sent().length).toBe(1);
      await name.fill('文件资料');
      await expect.poll(() => name.getAttribute('aria-invalid')).not.toBe('true');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent().length).toBe(2);
      answer(answered({ ...cargo(46), name: '文件资料' }));
      await shows(notice(page, '文件资料'));
      await gone(sheet);
    },
  );
});

describe('a dialog that is sent', () => {
  inBrowser(
    'a dialog keeps its text and its key until the server accepts it, shows a refusal at its field, and is sent once at a time',
    async ({ open, allow }) => {
      allow(/withdrawals|ERR_FAILED/);
      const sent: Request[] = [];
      let answer: (value: Answer | null) => void = () => undefined;
      const before = (context: BrowserContext): Promise<unknown> =>
        context.route('**/withdrawals', async (route) => {
          sent.push(route.request());
          const value = await new Promise<Answer | null>((resolve) => (answer = resolve));
          await (value === null ? route.abort() : route.fulfill({ json: value }));
        });
      const { page } = await open({ role: 'station', path: '/model/statements', before });
      await page.getByRole('button', { name: '申请提现' }).click();
      const dialog = page.getByRole('dialog', { name: '申请提现' });
      const amount = dialog.getByRole('textbox', { name: '金额' });
      const note = dialog.getByRole('textbox', { name: '说明' });
      const ready = (): Promise<void> =>
        expect.poll(() => dialog.locator('[aria-busy=true]').count()).toBe(0);
      const submitTwice = (): Promise<void> =>
        dialog.locator('form').evaluate((form: HTMLFormElement) => {
          form.requestSubmit();
          form.requestSubmit();
        });
      await amount.fill('12.5');
      await note.fill('月底提现');
      await submitTwice();
      await expect.poll(() => sent.length).toBe(1);
      answer(null);
      await shows(dialog.getByText('网络不通'));
      expect([await amount.inputValue(), await note.inputValue()]).toEqual(['12.5', '月底提现']);
      await ready();
      await submitTwice();
      await expect.poll(() => sent.length).toBe(2);
      answer(failed(422, 'invalid_input', { fields: { amount: { code: 'too_big', params: {} } } }));
      await expect.poll(() => amount.getAttribute('aria-invalid')).toBe('true');
      expect(await note.getAttribute('aria-invalid')).not.toBe('true');
      await gone(dialog.getByText('网络不通'));
      await ready();
      await submitTwice();
      await expect.poll(() => sent.length).toBe(3);
      answer(answered({ id: 1 }));
      await gone(dialog);
      const keys = sent.map((request) => request.headers()['idempotency-key']);
      expect(new Set(keys).size).toBe(1);
      expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(sent.length).toBe(3);
    },
  );
});

describe('a job', () => {
  const job = (status: string, done: number) => ({
    id: 7,
    kind: 'cargos.disable',
    status,
    total: 3,
    done,
    ok: done,
    skipped: 0,
    failed: 0,
    reason: status === 'failed' ? { code: 'internal', params: {} } : null,
    file: null,
    created_at: time,
    started_at: time,
    finished_at: status === 'running' ? null : time,
    groups: [],
    results: { items: [], total: 0, total_is_capped: 0, next_cursor: null },
  });

  inBrowserDaily(
    'a job is followed until it ends, refreshes its list, and its failed rows can be retried',
    async ({ open }) => {
      let state = job('running', 1);
      const { requests, before } = withGoods((request) => {
        if (!request.url().includes('/jobs/')) return undefined;
        return request.method() === 'POST' ? answered({ job_id: 8, total: 2 }) : answered(state);
      });
      const { page } = await open({ role: 'super', path: `${path}?job=7`, before });
      const sheet = page.getByRole('dialog', { name: '批量处理' });
      const bar = sheet.getByRole('progressbar');
      await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('33');
      const readings = requests.filter((request) => request.url().includes('/cargos')).length;
      state = job('failed', 2);
      await shows(sheet.getByRole('button', { name: '重试失败的 1 条' }));
      await expect
        .poll(() => requests.filter((request) => request.url().includes('/cargos')).length)
        .toBeGreaterThan(readings);
      await sheet.getByRole('button', { name: '重试失败的 1 条' }).click();
      await arrives(page, `${path}?job=8`);
    },
  );
});
