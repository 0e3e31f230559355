/**
 * Measures seven tasks of a working day by keyboard only. Compares the time of each task with its
 * limit.
 */
import type { Browser, Page } from 'playwright-core';
import { agreeingBill, monthBefore, monthOf, parcelsOf } from '@waystation/e2e/carrier-bill.ts';
import { workbookOf } from '@waystation/e2e/workbook.ts';
import { openPage } from '#browser/chromium.ts';
import { handOn } from '#browser/hand.ts';
import type { Hand } from '#browser/hand.ts';
import { pause } from '#browser/program.ts';
import { askApi, orderParcels, orderedPhone } from './orders.ts';
import type { Place } from './orders.ts';
import { messySheet } from './sheet.ts';

const timeoutMs = 60_000;
const mostStops = 80;

/** The URLs and tokens with which the demo's users work. */
export interface Desks {
  clerk: Place;
  partner: Place;
  admin: Place;
  super: Place;
}

interface Task {
  name: string;
  goalMs: number;
  run: (browser: Browser, desks: Desks) => Promise<{ total: number; waited: number; keys: number }>;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Opens a page and measures the tasks that are done on it. */
const measured = async (
  browser: Browser,
  place: Place,
  path: string,
  work: (page: Page, hand: Hand) => Promise<void>,
) => {
  const { page, close } = await openPage(browser, { throttled: false, token: place.token });
  await page.addInitScript(() => {
    localStorage.setItem(
      'waystation-workstation',
      JSON.stringify({ driver: 'pdf', format: '76x130' }),
    );
    Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false });
  });
  await page
    .context()
    .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: place.url });
  await page.goto(`${place.url}/#${path}`);
  const hand = handOn(page);
  const from = { at: 0 };
  try {
    await work(page, {
      ...hand,
      // The measured time begins with the first key press.
      decide: () => ((from.at ||= performance.now()), hand.decide()),
    });
    return { total: performance.now() - from.at, waited: hand.waited(), keys: hand.keys() };
  } finally {
    await close();
  }
};

/**
 * Presses Tab until the focused element matches the selector. With the key `Shift+Tab` the focus
 * moves backwards.
 */
const tabTo = async (page: Page, hand: Hand, selector: string, key = 'Tab'): Promise<void> => {
  for (let stops = 0; stops < mostStops; stops++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector))
      return;
    await hand.press(key);
  }
  throw new Error(`${key} does not reach ${selector} within ${mostStops} stops`);
};

const valueIs = (page: Page, name: string, value: string): Promise<unknown> =>
  page.waitForFunction(
    ([field, wanted]) =>
      (document.querySelector(`[name="${field}"]`) as HTMLInputElement | null)?.value === wanted,
    [name, value] as const,
    { timeout: timeoutMs, polling: 'raf' },
  );
const shown = (page: Page, words: string | RegExp): Promise<void> =>
  page.getByText(words).first().waitFor({ timeout: timeoutMs });

const wrongDistrict: Task = {
  name: 'wrong district corrected and ordered',
  goalMs: 10_000,
  run: (browser, { clerk }) =>
    measured(browser, clerk, '/model/store', async (page, hand) => {
      await page.waitForFunction(
        () => (document.querySelector('[name="sender.name"]') as HTMLInputElement | null)?.value,
      );
      await page.locator('[name="goods"]').click();
      await page.getByRole('option', { name: '文件' }).click();
      await page.getByRole('textbox', { name: '粘贴整段收件信息，回车识别' }).focus();
      const text = '王建国 13900139002 广东省深圳市天河区体育西路103号';
      await page.evaluate((value) => navigator.clipboard.writeText(value), text);
      await hand.decide();
      await hand.press('ControlOrMeta+v');
      await hand.press('Enter');
      await hand.wait(() => shown(page, '“天河区”不在深圳市，而在 广州'));
      await hand.decide();
      await hand.press('1');
      await hand.wait(() => valueIs(page, 'receiver.place', '广东省 / 广州市 / 天河区'));
      await hand.wait(() =>
        page
          .waitForFunction(
            () => (document.activeElement as HTMLInputElement | null)?.name !== 'receiver.place',
            undefined,
            { timeout: 2_000 },
          )
          .catch(() => tabTo(page, hand, '[name="weight"]')),
      );
      await tabTo(page, hand, '[name="weight"]');
      await hand.type('1.2');
      await hand.press('F8');
      await hand.wait(() => valueIs(page, 'receiver.name', ''));
    }),
};

const findAndPrint: Task = {
  name: 'parcel found by the last digits of a phone, and printed',
  goalMs: 9_000,
  run: async (browser, { clerk }) => {
    await orderParcels(clerk, 1, `stopwatch-${Date.now()}`);
    const tail = orderedPhone.slice(-4);
    return measured(browser, clerk, '/model/expresses', async (page, hand) => {
      await page.locator('[data-row]').first().waitFor({ timeout: timeoutMs });
      await hand.decide();
      await hand.press('/');
      await hand.type(tail);
      await hand.press('Enter');
      await hand.wait(() => page.waitForURL(new RegExp(`q=${tail}`), { timeout: timeoutMs }));
      await hand.wait(() => page.locator('[data-row]').first().waitFor({ timeout: timeoutMs }));
      await hand.decide();
      await hand.press('ArrowDown');
      const file = page.waitForEvent('download', { timeout: timeoutMs });
      await hand.press('p');
      await hand.wait(() => file);
    });
  },
};

const messy: Task = {
  name: 'messy sheet of 60 rows repaired and ordered',
  goalMs: 90_000,
  run: (browser, { clerk }) =>
    measured(browser, clerk, '/model/import?form=new', (page, hand) => messySheet(page, hand)),
};

const fallingStation: Task = {
  name: 'a partner’s falling station opened at its reason, and acted on',
  goalMs: 10_000,
  run: (browser, { partner }) =>
    measured(browser, partner, '/dashboard/workplace', async (page, hand) => {
      await page.locator('[data-fallen]').waitFor({ timeout: timeoutMs });
      await hand.decide();
      await hand.press('s');
      await hand.decide();
      await hand.press('Enter');
      // The person reads the reason and runs the action that the dialog offers for it.
      const act = page.getByRole('dialog').locator('a:focus');
      await hand.wait(() => act.waitFor({ timeout: timeoutMs }));
      const next = await act.getAttribute('href');
      await hand.decide();
      await hand.press('Enter');
      if (!next!.startsWith('tel:'))
        await hand.wait(() => page.waitForURL(`${partner.url}/${next!}`, { timeout: timeoutMs }));
    }),
};

/** Closes the earlier months. Each month without a bill gets a reason for it. */
const closeEarlier = async (admin: Place, month: string): Promise<void> => {
  const { items } = await askApi<{
    items: {
      period: string;
      status: string;
      missing_bills: { merchant_id: number; reason: string | null }[];
    }[];
  }>(admin, '/periods');
  for (const { period, status, missing_bills } of items.toReversed()) {
    if (period >= month || status === 'closed') continue;
    for (const { merchant_id, reason } of missing_bills)
      if (reason === null)
        await askApi(admin, `/periods/${period}/missing-bills`, { merchant_id, reason: '示例' });
    await askApi(admin, `/periods/${period}/close`, {});
  }
};

/**
 * Uploads a bill with 15 lines that match no parcel. A person must therefore decide about each
 * line.
 */
const uploadBill = async (admin: Place, month: string): Promise<number> => {
  const wire = { get: <T>(path: string) => askApi<T>(admin, path.replace('/api/arco', '')) };
  const all = await parcelsOf(wire, month);
  const file = agreeingBill(month, all, 15);
  const form = new FormData();
  form.set('period', month);
  form.set('provider', 'jdl');
  form.set('file', new File([new Uint8Array(file.buffer)], file.name));
  const answer = await fetch(`${admin.url}/api/arco/reconciliations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  const { id } = ((await answer.json()) as { data: { id: number } }).data;
  for (const until = Date.now() + timeoutMs; Date.now() < until; await pause(300)) {
    const { status } = await askApi<{ status: string }>(admin, `/reconciliations/${id}`);
    if (status !== 'ready') continue;
    // Lines that match no parcel of ours always need a decision. They do not count as the person's
    // work.
    const rest = { decision: 'open', bucket: 'only_ours' };
    const query = new URLSearchParams({ ...rest, page_size: '1' });
    const { total } = await askApi<{ total: number }>(
      admin,
      `/reconciliations/${id}/rows?${query}`,
    );
    if (total > 0)
      await askApi(admin, `/reconciliations/${id}/accept`, { filter: rest, expected: total });
    return id;
  }
  throw new Error('the bill was not read');
};

const decideAndClose: Task = {
  name: '15 lines decided and the month closed',
  goalMs: 60_000,
  run: async (browser, { admin }) => {
    const month = monthBefore(monthOf(new Date()));
    await closeEarlier(admin, month);
    const id = await uploadBill(admin, month);
    return measured(
      browser,
      admin,
      `/system/reconciliations?id=${id}&decision=open`,
      async (page, hand) => {
        await page.locator('[role=row][data-row]').nth(14).waitFor({ timeout: timeoutMs });
        await tabTo(page, hand, '[role=row][data-row]');
        for (let line = 0; line < 15; line++) {
          await hand.decide();
          await hand.press('a');
        }
        await hand.wait(() =>
          page.getByText('已处理', { exact: true }).first().waitFor({ timeout: timeoutMs }),
        );
        await tabTo(page, hand, '[aria-label="返回账单列表"]', 'Shift+Tab');
        await hand.press('Enter');
        await tabTo(page, hand, `[aria-label="结账 ${month}"]`);
        await hand.press('Enter');
        await hand.wait(() => shown(page, `结账并锁定 ${month}`));
        await hand.decide();
        await hand.press('Control+Enter');
        await hand.wait(() => shown(page, `${month} 已结账并锁定`));
      },
    );
  },
};

const provinces =
  '北京 天津 河北 山西 内蒙古 辽宁 吉林 黑龙江 上海 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 广西 海南 重庆 四川 贵州 云南 西藏 陕西 甘肃 青海 宁夏 新疆'.split(
    ' ',
  );

const foreignPrices: Task = {
  name: 'template from a foreign price list of 31 rows',
  goalMs: 60_000,
  run: async (browser, { admin }) => {
    const { id } = await askApi<{ id: number }>(admin, '/vouchers', {
      name: `秒表 ${Date.now()}`,
      provider: 'jdl',
      promise_id: 'ed-m-0001',
    });
    const rows = provinces.map((name, at) => [String(2 + (at % 5)), name, String(8 + (at % 7))]);
    return measured(browser, admin, `/model/vouchers?edit=${id}`, async (page, hand) => {
      const open = page.getByRole('button', { name: '导入价目表' });
      await open.waitFor({ timeout: timeoutMs });
      await hand.decide();
      for (
        let stops = 0;
        !(await open.evaluate((one) => one === document.activeElement));
        stops++
      ) {
        if (stops > mostStops) throw new Error('Tab does not reach the import of price lists');
        await hand.press('Tab');
      }
      await hand.press('Enter');
      const dialog = page.getByRole('dialog', { name: '导入价目表' });
      await dialog.locator('input[type=file]').setInputFiles({
        name: '报价.xlsx',
        mimeType: 'application/octet-stream',
        buffer: workbookOf([['续重单价', '目的地', '首重价'], ...rows]),
      });
      await hand.press('Control+Enter');
      await hand.wait(() =>
        dialog.getByLabel('首重（kg）', { exact: true }).waitFor({ timeout: timeoutMs }),
      );
      await hand.decide();
      for (const [name, text] of [
        ['首重（kg）', '1'],
        ['续重单位（kg）', '1'],
        ['续重上限（kg）', '50'],
      ] as const) {
        const field = dialog.getByLabel(name, { exact: true });
        for (
          let stops = 0;
          !(await field.evaluate((one) => one === document.activeElement));
          stops++
        ) {
          if (stops > mostStops) throw new Error(`Tab does not reach ${name}`);
          await hand.press('Tab');
        }
        await hand.type(text);
      }
      await hand.press('Enter');
      const take = dialog.getByRole('button', { name: /^采用 \d+ 处改动$/ });
      await hand.wait(() => take.waitFor({ timeout: timeoutMs }));
      await hand.decide();
      await hand.press('Control+Enter');
      await hand.wait(() => dialog.waitFor({ state: 'detached', timeout: timeoutMs }));
    });
  },
};

const sendStatements: Task = {
  name: 'statements of a month sent to all stations',
  goalMs: 10_000,
  run: (browser, { super: office }) =>
    measured(browser, office, '/system/reconciliations', async (page, hand) => {
      const month = monthBefore(monthOf(new Date()));
      await page.locator(`[data-month="${month}"]`).waitFor({ timeout: timeoutMs });
      await hand.decide();
      const name = page.getByRole('button', { name: `${month} 账期明细` });
      for (let presses = 0; presses < 5; presses++) {
        if (await name.evaluate((one) => one === document.activeElement)) break;
        await hand.press('m');
        // The page handles a single key only after a short delay, because the next key of a scan
        // may follow.
        await hand.wait(() => pause(60));
      }
      await hand.press('Enter');
      const remind = page.getByRole('button', { name: /^提醒 \d+ 个未确认网点$/ });
      await hand.wait(() => remind.waitFor({ timeout: timeoutMs }));
      await hand.decide();
      await hand.press('r');
      await hand.wait(() =>
        page.waitForFunction(() => document.activeElement?.matches('[data-remind]'), undefined, {
          timeout: timeoutMs,
        }),
      );
      await hand.press('Enter');
      await hand.wait(() => shown(page, /^已提醒 \d+ 个网点/));
    }),
};

const tasks = [
  wrongDistrict,
  findAndPrint,
  messy,
  fallingStation,
  decideAndClose,
  foreignPrices,
  sendStatements,
];

/**
 * Prints one line for each task, with the measured time and the limit. If a task cannot be done by
 * keyboard, the line contains the reason. `words` selects tasks by their names; if it is empty, all
 * tasks are run.
 */
export const stopwatch = async (
  browser: Browser,
  desks: Desks,
  words: readonly string[] = [],
): Promise<boolean> => {
  let isKept = true;
  for (const { name, goalMs, run } of tasks) {
    if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
    try {
      const { total, waited, keys } = await run(browser, desks);
      isKept &&= total < goalMs;
      console.log(
        `stopwatch ${name}: ${seconds(total)}, of which ${seconds(waited)} waiting for the machine; ${keys} keys (< ${seconds(goalMs)}) ${total < goalMs ? 'ok' : 'MISSED'}`,
      );
    } catch (error) {
      isKept = false;
      console.log(
        `stopwatch ${name}: not done (< ${seconds(goalMs)}) MISSED: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
      );
    }
  }
  return isKept;
};
