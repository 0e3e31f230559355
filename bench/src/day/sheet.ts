/**
 * Measures the import of three hundred rows with fourteen kinds of faults by keyboard only. The
 * rows are read, corrected, priced, ordered and printed in the order of the file.
 */
import { readFile } from 'node:fs/promises';
import type { Browser, Page, Request } from 'playwright-core';
import { labelAnswer } from '@waystation/e2e/label-reading.ts';
import { cellsOf } from '@waystation/e2e/harness/workbook-cells.ts';
import { workbookOf } from '@waystation/e2e/workbook.ts';
import { openPage } from '#browser/chromium.ts';
import { handOn } from '#browser/hand.ts';
import type { Hand } from '#browser/hand.ts';
import { pause } from '#browser/program.ts';
import { ask, provedAfter, provedBy, troubleCarrier } from './sheet-proof.ts';
import type { Place } from './sheet-proof.ts';

const timeoutMs = 120_000;
const count = 300;

const titles = ['收件人', '手机', '收件地址', '物品', '重量(kg)', '件数', '商家订单号'] as const;
type Row = Partial<Record<(typeof titles)[number], string>>;

const tag = Date.now().toString(36);
const phoneOf = (no: number): string => `139${String(10_000_000 + no)}`;
const addressOf = (no: number): string => `上海市浦东新区示例路 ${no} 号`;

/**
 * A kind of fault in a row. It includes the text that a person types to correct the fault if no
 * suggestion helps.
 */
interface Fault {
  name: string;
  row: (no: number) => Row;
  /** The texts that a person types to correct the fault, by the name of the field. */
  typed?: Record<string, (no: number) => string>;
}

const faults: readonly Fault[] = [
  {
    name: 'a phone that lost its digits',
    row: () => ({ 手机: '1.39E+10' }),
    typed: { receive_phone: phoneOf },
  },
  {
    name: 'a phone with a digit too few',
    row: (no) => ({ 手机: phoneOf(no).slice(0, 10) }),
    typed: { receive_phone: phoneOf },
  },
  {
    name: 'a phone in full-width digits',
    row: (no) => ({
      手机: [...phoneOf(no)]
        .map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
        .join(''),
    }),
  },
  { name: 'no phone', row: () => ({ 手机: '' }), typed: { receive_phone: phoneOf } },
  { name: 'no name', row: () => ({ 收件人: '' }), typed: { receive_name: () => 'li' } },
  {
    name: 'a county that several cities have',
    row: (no) => ({ 收件地址: `朝阳区示例路 ${no} 号` }),
  },
  {
    name: 'an address without a region',
    row: (no) => ({ 收件地址: `示例路 ${no} 号` }),
    typed: {
      receive_province: () => '上海市',
      receive_city: () => '上海市',
      receive_county: () => '浦东新区',
    },
  },
  { name: 'goods that are misspelt', row: () => ({ 物品: '文献' }) },
  { name: 'no goods', row: () => ({ 物品: '' }), typed: { goods: () => '文件' } },
  { name: 'a weight in grams', row: () => ({ '重量(kg)': '500g' }) },
  { name: 'no weight', row: () => ({ '重量(kg)': '' }), typed: { weight: () => '2' } },
  {
    name: 'a weight beyond the limit',
    row: () => ({ '重量(kg)': '5000' }),
    typed: { weight: () => '5' },
  },
  { name: 'pieces in words', row: () => ({ 件数: '两箱半' }), typed: { package_count: () => '1' } },
  {
    name: 'a row that is there twice',
    row: (no) => ({
      收件人: '示例收件人 1',
      手机: phoneOf(1),
      收件地址: addressOf(1),
      商家订单号: `${tag}-${no}`,
    }),
  },
];

/** The row number of each kind of fault. The faults are spread over the sheet. */
const faultAt = new Map(faults.map((fault, at) => [20 + at * 20, fault]));

const sheet = (rows = count, at = faultAt): Buffer => {
  const lines = Array.from({ length: rows }, (_, index) => {
    const no = index + 1;
    const plain: Row = {
      收件人: `示例收件人 ${no}`,
      手机: phoneOf(no),
      收件地址: addressOf(no),
      物品: '文件',
      '重量(kg)': '1.2',
      件数: '1',
      商家订单号: `${tag}-${no}`,
    };
    const row = { ...plain, ...at.get(no)?.row(no) };
    return titles.map((title) => row[title]).join(',');
  });
  return Buffer.from([titles.join(','), ...lines].join('\n'));
};

/**
 * Returns the row and the field of the selected cell. They are read from the cell's id
 * `cell-<row>-<field>`.
 */
const cellOf = async (page: Page): Promise<{ no: number; field: string }> => {
  const id = await page.getByRole('grid').getAttribute('aria-activedescendant');
  const [, no, field] = /^cell-(\d+)-(\w+)$/.exec(id ?? '') ?? [];
  return { no: Number(no), field: field ?? '' };
};

const errorsOf = async (page: Page): Promise<number> => {
  const text = await page
    .getByRole('radio', { name: /^有误/ })
    .innerText({ timeout: 500 })
    .catch(() => '有误 0');
  return Number(/\d+/.exec(text)?.[0] ?? 0);
};

/**
 * Types a text into the cell. Latin letters and digits are entered directly. Each Chinese character
 * counts as about three key presses, because an input method needs them.
 */
const write = async (page: Page, hand: Hand, text: string): Promise<void> => {
  if (/^[ -~]+$/.test(text)) return hand.type(text);
  await hand.press('Enter');
  for (const character of text) {
    for (let key = 0; key < 3; key++) await hand.press('Shift');
    await page.keyboard.insertText(character);
  }
};

/**
 * Starts to count clicks of the mouse, and returns a function that returns their number. The page
 * must not be reloaded before that function is called.
 */
const pointerOf = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(() => {
    const counted = window as unknown as { pressed: number };
    counted.pressed = 0;
    window.addEventListener('pointerdown', () => (counted.pressed += 1), true);
  });
  return () => page.evaluate(() => (window as unknown as { pressed: number }).pressed);
};

/**
 * Goes from one error to the next. If there is a suggestion, it is applied with one key; otherwise
 * the correct text is typed.
 */
const repair = async (page: Page, hand: Hand, faultsAt = faultAt): Promise<number> => {
  let repaired = 0;
  for (; (await errorsOf(page)) > 0; repaired++) {
    if (repaired > 60)
      throw new Error(`${await errorsOf(page)} errors are left after sixty repairs`);
    const before = await page.getByRole('grid').getAttribute('aria-activedescendant');
    await hand.press('F8');
    // The wrong cell is marked only after its row has been loaded.
    await hand.wait(() =>
      page.locator('[data-active][data-level=error]').waitFor({ timeout: 5_000 }),
    );
    const { no, field } = await cellOf(page);
    await hand.decide();
    const typed = faultsAt.get(no)?.typed?.[field]?.(no);
    if (typed === undefined) {
      await hand.wait(() =>
        page
          .getByRole('button', { name: /Alt 1$/ })
          .first()
          .waitFor({ timeout: 5_000 })
          .catch(() => {
            throw new Error(
              `row ${no} has no suggestion for ${field} (${faultsAt.get(no)?.name ?? 'no fault'})`,
            );
          }),
      );
      await hand.press('Alt+1');
    } else {
      await write(page, hand, typed);
      await hand.press('Enter');
    }
    // Waits until the product has checked the row again, before it searches for the next error.
    await hand.wait(async () => {
      for (const until = Date.now() + 5_000; Date.now() < until; await pause(50)) {
        const level = await page
          .locator(`[id="cell-${no}-${field}"]`)
          .getAttribute('data-level', { timeout: 500 })
          .catch(() => null);
        if (level !== 'error') return;
      }
      throw new Error(
        `row ${no}: ${field} is still wrong after ${typed ?? 'its suggestion'} (${before ?? ''})`,
      );
    });
  }
  return repaired;
};

/**
 * Imports sixty rows, of which fourteen have a fault. The task begins with the file and ends with
 * the last order.
 */
export const messySheet = async (page: Page, hand: Hand): Promise<void> => {
  const at = new Map(faults.map((fault, place) => [4 + place * 4, fault]));
  await page.locator('input[type=file]').setInputFiles({
    name: `${tag}-messy.csv`,
    mimeType: 'text/csv',
    buffer: sheet(60, at),
  });
  await hand.decide();
  await page.getByRole('dialog').getByRole('button', { name: '上传', exact: true }).focus();
  await hand.press('Enter');
  const grid = page.getByRole('grid');
  await hand.wait(() => grid.waitFor({ timeout: timeoutMs }));
  await hand.wait(() => page.getByRole('radio', { name: /^有误/ }).waitFor({ timeout: timeoutMs }));
  await repair(page, hand, at);
  await hand.press('F9');
  await hand.wait(() =>
    page.getByRole('button', { name: /^全部下单 \d+ 单/ }).waitFor({ timeout: timeoutMs }),
  );
  await hand.decide();
  await hand.press('F10');
  await hand.wait(() =>
    page
      .getByText(/^已下单 \d+ 单/)
      .first()
      .waitFor({ timeout: timeoutMs }),
  );
};

export interface SheetDone {
  total: number;
  waited: number;
  keys: number;
  repaired: number;
  ordered: number;
  printed: number;
  refused: number;
  /** The number of rows that were requested again because their response came too late. */
  late: number;
  /**
   * The number of rows that the carrier first refused and that were then ordered from a downloaded
   * file.
   */
  again: number;
}

/** Presses Tab until the button has the focus, and then presses Enter. */
const pressButton = async (page: Page, hand: Hand, name: RegExp): Promise<void> => {
  const button = page.getByRole('button', { name }).or(page.getByRole('link', { name })).first();
  await hand.wait(() => button.waitFor({ timeout: timeoutMs }));
  await button.focus();
  await hand.press('Enter');
};

/** The number of parcels that the person cancels. */
const taken = 3;
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/**
 * Cancels three parcels. Then downloads the rows that the carrier refused, changes the name in each
 * row and uploads the file again. The product reads it with the columns of the first file, prices
 * it and orders its rows. The carrier accepts these orders.
 */
const mendAndCancel = async (
  page: Page,
  hand: Hand,
  place: Place,
  { id, refused }: { id: number; refused: number },
): Promise<{ id: number; rows: number; total: number }> => {
  await fetch(`${place.carrierUrl}/_sim/faults`, { method: 'DELETE' });
  await page.goto(
    `${place.url}/#/model/expresses?import_id=${id}&sort=created_at&tab=awaiting_pickup`,
  );
  // A reload clears every selection and closes the drawer.
  await page.reload();
  await page.locator('[data-row]').nth(taken).waitFor({ timeout: timeoutMs });
  for (let at = 0; at < taken; at++)
    await page.locator('[data-row]').nth(at).getByRole('checkbox').check();
  let from = performance.now();
  await hand.decide();
  await hand.press('b');
  await hand.wait(() => page.getByRole('menuitem').first().waitFor());
  await hand.press('ArrowUp');
  await hand.press('Enter');
  await hand.wait(() =>
    page.getByText(`将取消 ${taken} 单`).first().waitFor({ timeout: timeoutMs }),
  );
  await hand.decide();
  for (const key of ['Tab', 'Enter', 'Shift+Tab', 'Enter']) await hand.press(key);
  await hand.wait(() =>
    page.getByText(`已处理 ${taken} / ${taken}`).first().waitFor({ timeout: timeoutMs }),
  );
  let total = performance.now() - from;
  await page.goto(`${place.url}/#/model/import?id=${id}`);
  from = performance.now();
  const download = page.waitForEvent('download', { timeout: timeoutMs });
  await pressButton(page, hand, /^下载未下单的行/);
  const path = await (await download).path();
  total += performance.now() - from;
  const [head = [], ...lines] = cellsOf(await readFile(path));
  if (head.join('|') !== [...titles, '失败原因'].join('|'))
    throw new Error(`the file of what was not ordered has the titles ${head.join(', ')}`);
  if (lines.length !== refused)
    throw new Error(`${lines.length} rows came back, ${refused} were refused`);
  const silent = lines.find((line) => (line[titles.length] ?? '') === '');
  if (silent) throw new Error(`a row came back without a reason: ${silent.join(', ')}`);
  const name = head.indexOf('收件人');
  const mended = lines.map((line) =>
    Array.from(head, (_, at) => (at === name ? `${line[at] ?? ''}改` : (line[at] ?? ''))),
  );
  await page.goto(`${place.url}/#/model/import?form=new`);
  await page.locator('input[type=file]').setInputFiles({
    name: `${tag}-mended.xlsx`,
    mimeType: workbookType,
    buffer: workbookOf([head, ...mended]),
  });
  from = performance.now();
  await hand.decide();
  await hand.wait(async () => {
    await page.getByRole('dialog').getByRole('button', { name: '上传', exact: true }).click();
    await page.getByRole('grid').waitFor({ timeout: timeoutMs });
  });
  await hand.press('F9');
  await hand.wait(() =>
    page
      .getByRole('button', { name: new RegExp(`^全部下单 ${lines.length} 单`) })
      .waitFor({ timeout: timeoutMs }),
  );
  await hand.decide();
  await hand.press('F10');
  await hand.wait(() =>
    page.getByText(`已下单 ${lines.length} 单`).first().waitFor({ timeout: timeoutMs }),
  );
  total += performance.now() - from;
  return {
    id: Number(new URL(page.url().replace('#', '')).searchParams.get('id')),
    rows: lines.length,
    total,
  };
};

/**
 * Returns the parcels whose labels are in the printed file, in the order of the file. Parcels that
 * the carrier refused have no label.
 */
const printedBy = async (request: Request): Promise<number[]> => {
  const { ids } = request.postDataJSON() as { ids: number[] };
  const answer = (await request.response())!;
  const { count, failures } = (
    await labelAnswer(await answer.body(), (await answer.headerValue('content-type'))!)
  ).result;
  const printed = ids.filter((id) => !failures.some((failure) => failure.id === id));
  if (count !== printed.length) throw new Error(`${count} labels of ${printed.length} parcels`);
  return printed;
};

export const importSheet = async (browser: Browser, place: Place): Promise<SheetDone> => {
  const troubles = await troubleCarrier(place);
  const before = (await ask<{ station: { available: number } }>(place, '/expresses/options'))
    .station.available;
  const { page, close } = await openPage(browser, { throttled: false, token: place.token });
  await page.goto(`${place.url}/#/model/import?form=new`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: `${tag}.csv`, mimeType: 'text/csv', buffer: sheet() });
  const hand = handOn(page);
  const from = performance.now();
  // The time that a person needs to find the file and drop it. The dialog has no other questions.
  await hand.decide();
  await hand.wait(async () => {
    await page.getByRole('dialog').getByRole('button', { name: '上传', exact: true }).click();
    await page.getByRole('grid').waitFor({ timeout: timeoutMs });
  });
  await page.getByRole('grid').focus();
  const pointer = await pointerOf(page);
  const repaired = await repair(page, hand);
  await hand.decide();
  await hand.press('F9');
  await hand.wait(() =>
    page.getByRole('button', { name: /^全部下单/ }).waitFor({ timeout: timeoutMs }),
  );
  // The time that a person needs to compare the price with the expected price.
  await hand.decide();
  await hand.press('F10');
  await hand.wait(() =>
    page
      .getByText(/^已下单 \d+ 单/)
      .first()
      .waitFor({ timeout: timeoutMs }),
  );
  const id = Number(new URL(page.url().replace('#', '')).searchParams.get('id'));
  // The page shows the number of parcels that have no label because they still wait for the
  // carrier. This waits until the number is zero.
  await hand.wait(() =>
    page
      .getByText(/单待承运商返回/)
      .first()
      .waitFor({ state: 'hidden', timeout: timeoutMs }),
  );
  await hand.press('p');
  await hand.wait(() => page.getByRole('row').nth(2).waitFor({ timeout: timeoutMs }));
  const labels = page.waitForRequest((request) => request.url().endsWith('/api/arco/labels'), {
    timeout: 200_000,
  });
  await hand.decide();
  await hand.press('ControlOrMeta+a');
  await hand.wait(() =>
    page.getByRole('button', { name: /^选择全部/ }).waitFor({ timeout: timeoutMs }),
  );
  await hand.press('Shift+A');
  await hand.wait(() =>
    page
      .getByText(/^已选全部/)
      .first()
      .waitFor({ timeout: timeoutMs }),
  );
  await hand.press('p');
  await hand.wait(() =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: '打印', exact: true, disabled: false })
      .waitFor({ timeout: timeoutMs }),
  );
  await hand.press('Enter');
  const request = await labels;
  const total = performance.now() - from;
  const printed = await printedBy(request);
  const pressed = await pointer();
  if (pressed > 0)
    throw new Error(`the pointer was pressed ${pressed} times between the sheet and its labels`);
  const found = await provedBy(place, { id, count, before, printed, troubles });
  const mended = await mendAndCancel(page, hand, place, { id, refused: found.refused });
  await provedAfter(place, { imports: [id, mended.id], count, taken, before });
  await close();
  return {
    total: total + mended.total,
    waited: hand.waited(),
    keys: hand.keys(),
    repaired,
    ...found,
    again: mended.rows,
  };
};
