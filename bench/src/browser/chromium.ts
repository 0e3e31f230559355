import { chromium } from 'playwright-core';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { atEnd } from './program.ts';

/**
 * The performance limits apply to a computer that is four times slower than this one. Its network
 * has 10 Mbit/s in both directions and no added latency.
 */
const slowdown = 4;
const bytesPerSecond = 10_000_000 / 8;

/**
 * The viewport is high enough for twenty rows of each compared product, so that every product draws
 * the same number of rows.
 */
const viewport = { width: 1440, height: 1400 };

export const startBrowser = async (): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
    // Another handler receives the signal. It ends the browser and everything else in the right
    // order.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  atEnd(() => browser.close());
  return browser;
};

export interface OpenPage {
  page: Page;
  cdp: CDPSession;
  close: () => Promise<void>;
}

/**
 * Opens a browser page with empty storage and in Chinese. The login `token`, if given, is written
 * to its local storage.
 */
export const openPage = async (
  browser: Browser,
  { throttled, token }: { throttled: boolean; token?: string },
): Promise<OpenPage> => {
  const context = await browser.newContext({
    viewport,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  if (throttled) {
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }
  if (token !== undefined)
    await page.addInitScript((value) => window.localStorage.setItem('token', value), token);
  return { page, cdp, close: () => context.close() };
};
