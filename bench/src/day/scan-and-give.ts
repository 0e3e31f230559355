/**
 * Measures two tasks with a scanner only: the time from a scan to the label on a print component,
 * and scans into a hand-over.
 */
import type { Browser, Page } from 'playwright-core';
import { withPrintComponent } from '@waystation/e2e/print-component.ts';
import { scan } from '@waystation/e2e/scanner.ts';
import { openPage } from '#browser/chromium.ts';
import { askApi, orderParcels } from './orders.ts';
import type { Place } from './orders.ts';

const timeoutMs = 30_000;
const many = 20;
const goalMs = 2_000;
const workstation = JSON.stringify({ driver: 'component', printer: '', format: '76x130' });

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;

/** Returns the milliseconds from the first key press of a scan until the page shows this text. */
const timed = async (page: Page, number: string, words: string): Promise<number> => {
  const from = performance.now();
  await scan(page, number);
  await page
    .locator('output')
    .filter({ hasText: words })
    .filter({ hasText: number })
    .first()
    .waitFor({ timeout: timeoutMs });
  return performance.now() - from;
};

const line = (name: string, times: readonly number[]): boolean => {
  const slow = p95(times);
  console.log(
    `${name}: p95 ${Math.round(slow)} ms of ${times.length} (≤ ${goalMs} ms) ${slow <= goalMs ? 'ok' : 'MISSED'}`,
  );
  return slow <= goalMs;
};

/**
 * Measures three tasks: printing twenty labels, scanning them for verification, and handing their
 * parcels over to a courier.
 */
export const scanAndGive = async (browser: Browser, place: Place): Promise<boolean> => {
  const parcels = await orderParcels(place, many, '88664433');
  const { component, before } = await withPrintComponent();
  const { page, close } = await openPage(browser, { throttled: false, token: place.token });
  try {
    await before(page.context());
    await page.context().addInitScript((value) => {
      if (location.protocol !== 'about:') localStorage.setItem('waystation-workstation', value);
    }, workstation);
    await page.goto(`${place.url}/#/model/prints/scan`);
    await page.reload();
    await page.getByRole('textbox', { name: '扫描单号' }).waitFor({ timeout: timeoutMs });
    const printed: number[] = [];
    const verified: number[] = [];
    for (const { delivery_id } of parcels) {
      printed.push(await timed(page, delivery_id, '已打印，请扫描面单'));
      verified.push(await timed(page, `${delivery_id}-1-1-`, '面单正确'));
    }
    const jobs = await component.printed();
    if (jobs.length !== many) throw new Error(`${jobs.length} of ${many} labels were printed`);
    const visit = await askApi<{ id: number }>(place, '/handovers', { provider: 'jdl' });
    await page.goto(`${place.url}/#/model/handovers/visit?id=${visit.id}`);
    await page.locator('[data-figure="given"]').waitFor({ timeout: timeoutMs });
    const given: number[] = [];
    for (const { delivery_id } of parcels) given.push(await timed(page, delivery_id, '已交'));
    return [
      line('scan to print job', printed),
      line('label scanned back', verified),
      line('scan into a hand-over', given),
    ].every(Boolean);
  } finally {
    component.close();
    await close();
  }
};
