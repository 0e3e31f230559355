import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { startProduct } from './harness/start-product.ts';

// Vitest's global setup for the whole run. It starts the complete product, in the same way as `npm
// start`, and one Chromium.

/** The URLs of the programs that were started for the tests. */
export interface Product {
  /** The URL of the console and its API, without a slash at the end. */
  url: string;
  /** The URL of the carrier simulator. */
  carrierUrl: string;
  /** The folder of the product's data. */
  data: string;
  /** The URL of the one browser to which every test file connects. */
  browser: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    product: Product;
  }
}

const root = join(import.meta.dirname, '..', '..');
/**
 * Settings for a simulated carrier whose clock stands still unless a test advances it, and which
 * produces no random events.
 */
const settings = {
  // This number is large enough for every state, station and page, and small enough to be created
  // in seconds.
  WAYSTATION_DEMO_PARCELS: process.env['WAYSTATION_E2E_PARCELS'] ?? '1500',
  SIM_PAUSED: '1',
  SIM_RATES: 'none',
  // The server compares each response with its schema, as it does in development.
  WAYSTATION_CHECK_ANSWERS: '1',
};

const startBrowser = async (): Promise<BrowserServer> => {
  const { findChromium } = (await import(
    pathToFileURL(join(root, 'launch', 'chromium.mjs')).href
  )) as { findChromium: () => Promise<string> };
  return chromium.launchServer({
    executablePath: await findChromium(),
    headless: process.env['WAYSTATION_VISIBLE'] !== '1',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Without this option, a large picture crashes the browser if the shared memory is small, for
      // example in a container.
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
      // Runs all pages in one process, because the process keeps the compiled scripts.
      '--renderer-process-limit=1',
    ],
  });
};

/**
 * Starts the product and the browser, and returns the function that ends them. WAYSTATION_E2E may
 * contain a running Product as JSON. That product is used instead, which helps while a test is
 * being written.
 */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const running = process.env['WAYSTATION_E2E'];
  if (running) return void project.provide('product', JSON.parse(running) as Product);
  const [product, browser] = await Promise.allSettled([
    startProduct({ name: 'e2e', env: settings, kept: process.env['WAYSTATION_E2E_DATA'] }),
    startBrowser(),
  ]);
  const stop = async (): Promise<void> => {
    if (browser.status === 'fulfilled') await browser.value.close();
    if (product.status === 'fulfilled') await product.value.stop();
  };
  if (product.status === 'rejected' || browser.status === 'rejected') {
    await stop();
    throw product.status === 'rejected'
      ? product.reason
      : (browser as PromiseRejectedResult).reason;
  }
  const { url, carrierUrl, data } = product.value;
  project.provide('product', { url, carrierUrl, data, browser: browser.value.wsEndpoint() });
  return stop;
};
