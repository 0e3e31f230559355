import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { shows } from './browser.ts';
import { shownPage } from './shell.ts';

/** The texts that the test types, as a clerk does, to order one parcel. */
export interface Typed {
  /** The text as the customer wrote it. */
  paste: string;
  goods?: string;
  /** The weight in kg. */
  weight: string;
  pieces?: string;
  /** Declared value in yuan. */
  insured?: string;
  /** The station to choose first, for a role that orders for several stations. */
  station?: string;
}

export const store = (page: Page): Locator => shownPage(page, 'ExpressStore');
export const receiver = (page: Page): Locator =>
  store(page).getByRole('region', { name: '收件人' });
export const prices = (page: Page): Locator => store(page).getByRole('region', { name: '价格' });
/** The bar with the amounts and the order buttons. */
export const orderBar = (page: Page): Locator =>
  store(page).getByRole('region', { name: /^(?:应付与下单|Due and order)$/ });

/**
 * Types a parcel as a clerk does (paste and Enter, goods, weight) and waits until its price is
 * shown.
 */
export const typeParcel = async (page: Page, typed: Typed): Promise<void> => {
  const screen = store(page);
  if (typed.station !== undefined) {
    const picker = screen.getByRole('combobox', { name: '网点' });
    await picker.fill(typed.station);
    await screen.page().getByRole('option', { name: typed.station }).click();
  }
  const box = screen.getByRole('textbox', { name: '粘贴整段收件信息，回车识别' });
  await box.fill(typed.paste);
  await box.press('Enter');
  await expect
    .poll(() => receiver(page).getByRole('combobox', { name: '姓名' }).inputValue())
    .not.toBe('');
  await screen.getByRole('combobox', { name: '物品' }).click();
  await page.getByRole('option', { name: typed.goods ?? '文件' }).click();
  await screen.getByRole('textbox', { name: '重量（kg）' }).fill(typed.weight);
  if (typed.pieces !== undefined)
    await screen.getByRole('textbox', { name: '件数' }).fill(typed.pieces);
  if (typed.insured !== undefined)
    await screen.getByRole('textbox', { name: '声明价值（元）' }).fill(typed.insured);
  await shows(prices(page).getByRole('table', { name: '计费明细' }));
};

/** The orders in the queue that are pending, refused or just completed; newest first. */
export const orders = (page: Page): Locator =>
  store(page).getByRole('region', { name: '最近下单' });
export const orderRows = (page: Page): Locator => orders(page).getByRole('listitem');
export const orderRow = (page: Page, name: string): Locator =>
  orderRows(page).filter({ hasText: name });

/** Waits until the carrier has accepted the newest order, and returns its waybill number. */
export const orderedWaybill = async (page: Page): Promise<string> => {
  const number = orderRows(page).first().getByRole('link');
  await expect
    .poll(async () => (await number.count()) > 0 && (await number.getAttribute('title')))
    .toMatch(/JDVE\d+/);
  return /JDVE\d+/.exec((await number.getAttribute('title'))!)![0];
};
