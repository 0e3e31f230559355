/**
 * Measures the printing of 200 labels by keyboard. Labels are printed as one PDF whose codes are
 * read back, and on a print component. The component works, fails at one label, or is absent.
 */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { barcodesOf } from '@waystation/e2e/label-reading.ts';
import { withPrintComponent } from '@waystation/e2e/print-component.ts';
import { openPage } from '#browser/chromium.ts';
import { handOn } from '#browser/hand.ts';
import type { Hand } from '#browser/hand.ts';
import { orderParcels } from './orders.ts';
import type { Place } from './orders.ts';

const timeoutMs = 180_000;
const many = 200;
const few = 20;
const goalMs = 60_000;
/** The milliseconds that a label printer needs to print a label of 130 mm. */
const labelMs = 600;
const address = 'ws://localhost:9113';

type Parcel = Awaited<ReturnType<typeof orderParcels>>[number];

interface Done {
  total: number;
  waited: number;
  keys: number;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const line = (name: string, { total, waited, keys }: Done): string =>
  `${name}: ${seconds(total)}, of which ${seconds(waited)} waiting for the machine; ${keys} keys`;

/**
 * Opens the list of these parcels on a computer that saves labels as PDF. The browser's print
 * dialog cannot be answered here.
 */
const openList = async (
  browser: Browser,
  place: Place,
  {
    tag,
    driver,
    before,
  }: { tag: string; driver: 'pdf' | 'component'; before?: (page: Page) => Promise<unknown> },
) => {
  const opened = await openPage(browser, { throttled: false, token: place.token });
  const { page } = opened;
  await page.addInitScript(
    (settings) => {
      localStorage.setItem('waystation-workstation', settings);
      Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false });
    },
    JSON.stringify({ driver, format: '76x130' }),
  );
  await before?.(page);
  await page.goto(`${place.url}/#/model/expresses?q=${tag}&size=${many}`);
  await page.locator('[data-row]').first().waitFor({ timeout: timeoutMs });
  return opened;
};

/** Waits for the counts in the preview. Then selects and prints all parcels on the page. */
const printAll = async (page: Page, hand: Hand, count: number): Promise<void> => {
  await hand.decide();
  await hand.press('ControlOrMeta+a');
  await hand.press('p');
  await hand.wait(() =>
    page.getByText(`将打印 ${count} 单`, { exact: true }).first().waitFor({ timeout: timeoutMs }),
  );
  await hand.decide();
  await hand.press('Enter');
};

const sameOrder = (read: readonly string[], parcels: readonly Parcel[], what: string): void => {
  const wanted = parcels.map(({ delivery_id }) => delivery_id);
  const wrong = wanted.findIndex((number, at) => read[at] !== number);
  if (read.length !== wanted.length || wrong !== -1)
    throw new Error(
      `${what}: ${read.length} labels, the ${wrong + 1}. is ${read[wrong]} and not ${wanted[wrong]}`,
    );
};

/**
 * Prints one PDF in the order of the list. To read back the codes on each page, it uses a program
 * that shares no code with the drawing of labels.
 */
const asPdf = async (browser: Browser, place: Place): Promise<Done> => {
  const tag = `8801${Date.now()}`;
  const parcels = await orderParcels(place, many, tag);
  const { page, close } = await openList(browser, place, { tag, driver: 'pdf' });
  const hand = handOn(page);
  const from = performance.now();
  const saved = page.waitForEvent('download', { timeout: timeoutMs });
  await printAll(page, hand, many);
  let file = '';
  await hand.wait(async () => {
    file = await (await saved).path();
  });
  const total = performance.now() - from;
  const pages = await barcodesOf(await readFile(file));
  const whole = pages.filter((codes) => codes.length === 2 && codes[0] === `${codes[1]}-1-1-`);
  if (whole.length !== many) throw new Error(`${whole.length} of ${many} labels have both codes`);
  sameOrder(
    whole.map((codes) => codes[1]!),
    parcels,
    'the PDF',
  );
  await close();
  return { total, waited: hand.waited(), keys: hand.keys() };
};

interface OnComponent extends Done {
  /** The number of labels that were printed. */
  printed: number;
}

/**
 * Prints on the print component, which needs some time for each label. If `failing` is true, the
 * component refuses the first label. Enter in the result dialog then prints that label again.
 */
const onComponent = async (
  browser: Browser,
  place: Place,
  failing: boolean,
): Promise<OnComponent> => {
  const { component, before } = await withPrintComponent(labelMs);
  try {
    const tag = `8802${Date.now()}`;
    const parcels = await orderParcels(place, few, tag);
    const { page, close } = await openList(browser, place, {
      tag,
      driver: 'component',
      before: (opened) => before(opened.context()),
    });
    if (failing) await component.failNext('缺纸');
    const hand = handOn(page);
    const from = performance.now();
    await printAll(page, hand, few);
    if (failing) {
      await hand.wait(() =>
        page
          .getByRole('dialog', { name: '打印结果' })
          .getByText(parcels[0]!.delivery_id)
          .waitFor({ timeout: timeoutMs }),
      );
      await hand.decide();
      await hand.press('Enter');
    }
    const count = failing ? 1 : few;
    await hand.wait(() =>
      page.getByText(`已提交打印 ${count} 单`).first().waitFor({ timeout: timeoutMs }),
    );
    const total = performance.now() - from;
    const printed = new Set((await component.printed()).map(({ data }) => data)).size;
    await close();
    return { total, waited: hand.waited(), keys: hand.keys(), printed };
  } finally {
    component.close();
  }
};

/**
 * Prints the labels as PDF because the print component is absent. A notice on the page reports
 * this.
 */
const withoutComponent = async (browser: Browser, place: Place): Promise<Done> => {
  const tag = `8803${Date.now()}`;
  const parcels = await orderParcels(place, few, tag);
  const { page, close } = await openList(browser, place, {
    tag,
    driver: 'component',
    before: (opened) => opened.context().routeWebSocket(address, (socket) => void socket.close()),
  });
  const hand = handOn(page);
  const from = performance.now();
  const saved = page.waitForEvent('download', { timeout: timeoutMs });
  await printAll(page, hand, few);
  let file = '';
  await hand.wait(async () => {
    file = await (await saved).path();
    await page.getByText('已改用 PDF 打印。').waitFor({ timeout: timeoutMs });
  });
  const total = performance.now() - from;
  sameOrder(
    (await barcodesOf(await readFile(file))).map((codes) => codes[1] ?? ''),
    parcels,
    'the PDF in place of the component',
  );
  await close();
  return { total, waited: hand.waited(), keys: hand.keys() };
};

/** Prints the measured figures for many labels. Returns false if a goal was missed. */
export const printMany = async (browser: Browser, place: Place): Promise<boolean> => {
  const batch = await asPdf(browser, place);
  console.log(
    `${line(`batch print of ${many}, each code read back in the order of the list`, batch)} (< ${seconds(goalMs)}) ${batch.total < goalMs ? 'ok' : 'MISSED'}`,
  );
  const present = await onComponent(browser, place, false);
  const failing = await onComponent(browser, place, true);
  console.log(
    line(
      `print component, ${few} labels of ${seconds(labelMs)}, ${present.printed} came out`,
      present,
    ),
  );
  console.log(
    line(
      `print component that fails on one of ${few}, printed again by Enter, ${failing.printed} came out`,
      failing,
    ),
  );
  console.log(
    line(
      `no print component: ${few} labels as PDF, with a notice`,
      await withoutComponent(browser, place),
    ),
  );
  return batch.total < goalMs && present.printed === few && failing.printed === few;
};
