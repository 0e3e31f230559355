import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { watch } from './trouble.ts';
import type { Trouble } from './trouble.ts';
import { login } from './wire.ts';
import type { Role } from './wire.ts';

/** What a visitor brings along; without any of it, somebody new from China in front of a wide light screen. */
export interface Coming {
  /** Logged in with a session of its own. */
  role?: Role;
  /** The part after `#`; the root by default. */
  path?: string;
  language?: 'zh-CN' | 'en-US';
  theme?: 'light' | 'dark' | 'system';
  /** Of the operating system. */
  systemTheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** Another product than the one of this run. */
  base?: string;
  /** Kept from an earlier visit, as the settings drawer writes it. */
  settings?: Record<string, unknown>;
  /** Motion runs as designed; else it is reduced, as the operating system can ask for. */
  motion?: boolean;
  /** The server keeps and gives this account's settings; else every visit has its own, since tests share the accounts. */
  keepsSettings?: boolean;
  /** Before anything is loaded: routes to answer, scripts to run. */
  before?: (context: BrowserContext) => Promise<unknown>;
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** The token it came with; null for a stranger. */
  token: string | null;
}

export interface Visits {
  /** A browser profile of its own with the console open. */
  open(coming?: Coming): Promise<Visitor>;
  /** Trouble that this test makes on purpose: console lines and failed requests that match are no fault. */
  allow(...patterns: RegExp[]): void;
}

let connected: Promise<Browser> | undefined;
/** One connection for all files of a worker; it ends with the worker. */
const browser = (): Promise<Browser> => (connected ??= chromium.connect(inject('product').browser));

const pictures = join(import.meta.dirname, '..', 'test-results');

const storageOf = (origin: string, coming: Coming, token: string | null) => {
  const settings = { ...coming.settings, theme: coming.theme ?? 'light' };
  const localStorage = [
    { name: 'arco-locale', value: coming.language ?? 'zh-CN' },
    { name: 'waystation-settings', value: JSON.stringify(settings) },
    ...(token === null ? [] : [{ name: 'token', value: token }]),
  ];
  return { cookies: [], origins: [{ origin, localStorage }] };
};

/** Within the page: a route would send each request of the page, its files too, by way of the test, and turn the browser's cache off. */
const forgetSettings = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      const { url, method } = input instanceof Request ? input : { url: String(input), method: init?.method };
      if (!url.endsWith('/api/arco/preferences')) return fetch(input, init);
      return Response.json({ status: 200, data: (method ?? 'GET') === 'GET' ? { values: {} } : {}, message: '' });
    };
  });

const come = async (coming: Coming, trouble: Trouble): Promise<Visitor> => {
  const url = coming.base ?? inject('product').url;
  const token = coming.role ? await login(coming.role) : null;
  const context = await (
    await browser()
  ).newContext({
    baseURL: url,
    viewport: { width: coming.width ?? 1440, height: coming.height ?? 900 },
    locale: coming.language ?? 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: coming.systemTheme ?? 'light',
    reducedMotion: coming.motion ? 'no-preference' : 'reduce',
    storageState: storageOf(url, coming, token),
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(15_000);
  context.on('page', (page) => watch(page, trouble));
  if (!coming.keepsSettings) await forgetSettings(context);
  await coming.before?.(context);
  const page = await context.newPage();
  await page.goto(`/#${coming.path ?? '/'}`);
  return { page, context, token };
};

/** One test with browsers of its own. It fails for what it asserts, and for any console error or warning, page error or failed request it did not announce. */
export const inBrowser = (name: string, run: (visits: Visits) => Promise<void>, timeout?: number): void => {
  test(
    name,
    async ({ task }) => {
      const trouble: Trouble = { seen: [], allowed: [] };
      const visitors: Visitor[] = [];
      const open = async (coming: Coming = {}): Promise<Visitor> => {
        const visitor = await come(coming, trouble);
        visitors.push(visitor);
        return visitor;
      };
      try {
        await run({ open, allow: (...patterns) => trouble.allowed.push(...patterns) });
        expect(trouble.seen.filter((line) => !trouble.allowed.some((pattern) => pattern.test(line)))).toEqual([]);
      } catch (error) {
        mkdirSync(pictures, { recursive: true });
        for (const [index, { page }] of visitors.entries()) await page.screenshot({ path: join(pictures, `${task.id}-${index}.png`) }).catch(() => null);
        throw Object.assign(error as Error, {
          message: `${(error as Error).message}\n(pictures: test-results/${task.id}-*.png; browser: ${trouble.seen.join(' | ') || 'quiet'})`,
        });
      } finally {
        for (const { context } of visitors) await context.close();
      }
    },
    timeout,
  );
};

/** Waits until it is there to be seen. */
export const shows = (what: Locator): Promise<void> => what.waitFor({ state: 'visible' });
/** Waits until it cannot be seen any more. */
export const gone = (what: Locator): Promise<void> => what.waitFor({ state: 'hidden' });

/** The address behind `#`. */
export const hrefOf = (page: Page): string => new URL(page.url()).hash.slice(1);
/** Waits for the address. */
export const arrives = (page: Page, href: string): Promise<void> => expect.poll(() => hrefOf(page), { timeout: 15_000 }).toBe(href);
/** Goes on to another address of the console, as a typed hash does: without a new document. */
export const goTo = (page: Page, href: string): Promise<void> => page.evaluate((hash) => void (window.location.hash = hash), href);
