import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';

// Vitest's global setup: the whole product as `npm start` brings it up, and one Chromium, both for the run.

/** Where the tests find what was started for them. */
export interface Product {
  /** Of the console and its API, without a slash at the end. */
  url: string;
  /** Of the carrier simulator. */
  carrierUrl: string;
  /** Of the one browser every test file connects to. */
  browser: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    product: Product;
  }
}

const root = join(import.meta.dirname, '..', '..');
/** A network that is kept from run to run, where one is named. */
const kept = process.env['WAYSTATION_E2E_DATA'];
const data = kept ?? join(root, '.build', `e2e-${process.pid}`);
/** Enough that every state, station and page exists; little enough that they are there in seconds. */
const parcels = Number(process.env['WAYSTATION_E2E_PARCELS'] ?? 1_500);
const startWithinMs = 120_000;
const stopWithinMs = 30_000;

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

/** `node start.mjs` with a carrier whose clock stands still until a test moves it, and in which nothing happens by chance. */
const startProduct = (port: number, carrierPort: number): ChildProcess =>
  spawn(process.execPath, ['start.mjs'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: '',
      DATABASE_URL: '',
      PORT: String(port),
      WAYSTATION_SIM_PORT: String(carrierPort),
      WAYSTATION_DATA: data,
      WAYSTATION_DEMO_PARCELS: String(parcels),
      WAYSTATION_DEMO_PASSWORD: '',
      SIM_PAUSED: '1',
      SIM_RATES: 'none',
      // So that it ends when this process has gone, however that happened.
      npm_lifecycle_event: 'start',
    },
  });

const isReady = async (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** What the product says: kept, and shown only where it did not come up. */
const listenTo = (child: ChildProcess): (() => string) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-20_000)));
  return () => output;
};

export const waitUntilReady = async (child: ChildProcess, url: string): Promise<void> => {
  const output = listenTo(child);
  const until = Date.now() + startWithinMs;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode} before it was ready:\n${output()}`);
    if (Date.now() > until) throw new Error(`the product was not ready within ${startWithinMs / 1000} s:\n${output()}`);
    await sleep(100);
  }
};

export const stopProduct = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await ended;
  clearTimeout(late);
};

const startBrowser = async (): Promise<BrowserServer> => {
  const { findChromium } = (await import(pathToFileURL(join(root, 'launch', 'chromium.mjs')).href)) as { findChromium: () => Promise<string> };
  return chromium.launchServer({
    executablePath: await findChromium(),
    headless: process.env['WAYSTATION_VISIBLE'] !== '1',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Where shared memory is small, as in a container, a large picture would end the browser.
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
    ],
  });
};

/** Starts both; what it answers ends them again. WAYSTATION_E2E (a Product as JSON) names ones that run already: for whoever writes a test. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const running = process.env['WAYSTATION_E2E'];
  if (running) return void project.provide('product', JSON.parse(running) as Product);
  mkdirSync(data, { recursive: true });
  const port = await freePort();
  const carrierPort = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startProduct(port, carrierPort);
  let browser: BrowserServer | undefined;
  const stop = async (): Promise<void> => {
    await browser?.close();
    await stopProduct(child);
    if (!kept) rmSync(data, { recursive: true, force: true });
  };
  try {
    browser = await startBrowser();
    await waitUntilReady(child, url);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('product', { url, carrierUrl: `http://127.0.0.1:${carrierPort}`, browser: browser.wsEndpoint() });
  return stop;
};
