import { chromium } from 'playwright-core';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { atEnd } from './program.ts';

/**
 * The machine on which the limits of performance apply: four times slower, with 10 Mbit/s in both
 * directions. The latency is that of the loopback interface.
 */
const slowdown = 4;
const bytesPerSecond = 10_000_000 / 8;

/**
 * High enough for twenty rows of each compared product, so that all of them draw the same number of
 * rows.
 */
const viewport = { width: 1440, height: 1400 };

export const startBrowser = async (): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
    // The signal is handled elsewhere, which ends the browser together with everything else, in
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
