/**
 * Measures the web console on a phone with slow 4G and an empty browser cache: the time of the
 * first paint, and the time when the first list is shown.
 */
import type { Browser } from 'playwright-core';
import { openPage, startBrowser } from './browser/chromium.ts';
import { startProduct } from './browser/product.ts';
import { median, runBench } from './browser/program.ts';

/** The limit in milliseconds for the first paint. */
const threshold = 1_500;
const minutes = 5;
const rounds = 5;
/**
 * The values of Chromium's preset "Slow 4G": the latency in ms, and the throughput in bytes per
 * second.
 */
const line = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 180_000,
  uploadThroughput: 84_375,
};
const slowdown = 4;

interface Times {
  paint: number;
  list: number;
}

const visit = async (
  browser: Browser,
  { base, token }: { base: string; token: string },
): Promise<Times> => {
  const { page, cdp, close } = await openPage(browser, { throttled: false, token });
  try {
    await page.setViewportSize({ width: 390, height: 844 });
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', line);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(`${base}/#/model/expresses`, { waitUntil: 'commit' });
    await page.waitForFunction(
      () => document.querySelectorAll('[data-page] [data-row]').length > 3,
      null,
      { timeout: 60_000, polling: 'raf' },
    );
    return await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
      list: performance.now(),
    }));
  } finally {
    await close();
  }
};

await runBench('phone', minutes, async () => {
  const browser = await startBrowser();
  const product = await startProduct('phone', { parcels: 500 });
  await visit(browser, product);
  const times: Times[] = [];
  for (let round = 0; round < rounds; round++) times.push(await visit(browser, product));
  const paint = median(times.map((one) => one.paint));
  const ok = paint <= threshold;
  console.log(
    `phone on slow 4G first paint ${(paint / 1000).toFixed(2)} s (≤ ${(threshold / 1000).toFixed(2)}) ${ok ? 'ok' : 'MISSED'}`,
  );
  console.log(
    `   medians of ${rounds}: first list ${(median(times.map((one) => one.list)) / 1000).toFixed(2)} s; slowest paint ${(Math.max(...times.map((one) => one.paint)) / 1000).toFixed(2)} s`,
  );
  return ok;
});
