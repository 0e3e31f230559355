import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { receiver, store } from './ordering.ts';
import { wireOf } from './wire.ts';

const create = '**/api/arco/expresses';
export const pasteBox = (page: Page) =>
  receiver(page).getByRole('textbox', { name: '粘贴整段收件信息，回车识别' });
export const nameField = (page: Page) => receiver(page).getByRole('combobox', { name: '姓名' });
export const weightField = (page: Page) => store(page).getByRole('textbox', { name: '重量（kg）' });
export const isInPasteBox = (page: Page): Promise<boolean> =>
  pasteBox(page).evaluate((box) => box === document.activeElement);

/**
 * Pastes a recipient with this name, and types the weight. The goods stay those of the first order.
 */
export const typeFor = async (page: Page, name: string, weight = '1'): Promise<void> => {
  await pasteBox(page).fill(`${name} 13900139000 上海市浦东新区世纪大道100号`);
  await pasteBox(page).press('Enter');
  await expect.poll(() => nameField(page).inputValue()).toBe(name);
  const goods = store(page).getByRole('combobox', { name: '物品' });
  if ((await goods.inputValue()) === '') {
    await goods.click();
    await page.getByRole('option', { name: '文件' }).click();
  }
  await weightField(page).fill(weight);
};

/** Collects the orders that the page sends. `handle` decides how each request is answered. */
export const watchOrders = async (
  context: BrowserContext,
  handle: (route: Route, no: number) => Promise<void>,
): Promise<{ key: string; body: Record<string, unknown> }[]> => {
  const sent: { key: string; body: Record<string, unknown> }[] = [];
  await context.route(create, async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.fallback();
    sent.push({
      key: request.headers()['idempotency-key']!,
      body: request.postDataJSON() as Record<string, unknown>,
    });
    await handle(route, sent.length);
  });
  return sent;
};

export const gate = (): { open: () => void; opened: Promise<void> } => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

/** The number of parcels on the server for the recipient with this name. */
export const parcelsFor = async (name: string): Promise<number> =>
  (
    await (
      await wireOf('user')
    ).get<{ items: unknown[] }>(`/api/arco/expresses?q=${encodeURIComponent(name)}&page_size=50`)
  ).items.length;

const [surnames, given] = [
  [...'赵钱孙李周吴郑王冯陈'],
  [...'伟芳娜敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂英华玉萍红玲辉鹏飞鑫波斌宇浩凯秀慧巧'],
];
const files = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts'))
  .toSorted();
/** The number of names that each test file may use. */
export const share = Math.floor((surnames.length * given.length ** 2) / files.length);

/**
 * The n-th unique name for a test file. Each file has its own names, because files run
 * simultaneously. The parser recognizes each name as a person's. All names have three characters,
 * so that none is part of another. Their last two characters end no name in the example network.
 */
export const nameOf = (file: string, n: number): string => {
  const at = files.indexOf(file);
  if (at < 0 || n >= share) throw new Error(`${file} has no name ${n}`);
  const no = at * share + n;
  const [first, second] = [
    Math.floor(no / surnames.length) % given.length,
    Math.floor(no / surnames.length / given.length),
  ];
  return `${surnames[no % surnames.length]}${given[first]}${given[second]}`;
};

// Each run starts at a different name, so that the names are most likely unused if the product
// keeps its data from earlier runs.
const firstDrawn = Date.now() % share;
const drawn = new Map<string, number>();
/** Returns a name that no other parcel of this run has. */
export const unique = (): string => {
  const file = basename(expect.getState().testPath!);
  const count = drawn.get(file) ?? 0;
  if (count === share) throw new Error('every name of this file is drawn');
  drawn.set(file, count + 1);
  return nameOf(file, (firstDrawn + count) % share);
};
