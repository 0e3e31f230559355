import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Disposable, Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { ownClipboard } from './clipboard.ts';
import { isDaily } from './daily.ts';
import { limitMs } from './harness/limits.ts';
import { watch } from './trouble.ts';
import type { Trouble } from './trouble.ts';
import { isLive, login } from './wire.ts';
import type { Role } from './wire.ts';

/**
 * The state in which a visit begins. By default, the visitor is new and from China, with a wide
 * window and the light theme.
 */
export interface Coming {
  /**
   * True to use a browser profile that no other journey has used. This is needed if several windows
   * share the profile.
   */
  ownProfile?: boolean;
  /** The role whose account is logged in. No other visit uses the same session simultaneously. */
  role?: Role;
  /** The URL after `#`; the root by default. */
  path?: string;
  language?: 'zh-CN' | 'en-US';
  theme?: 'light' | 'dark' | 'system';
  /** The theme that the operating system is set to. */
  systemTheme?: 'light' | 'dark';
  width?: number;
  height?: number;
  /** The URL of a product other than the one that this run has started. */
  base?: string;
  /**
   * The settings that an earlier visit stored in the browser. Their fields are those of the
   * settings drawer.
   */
  settings?: Record<string, unknown>;
  /**
   * True to run animations normally. By default they are reduced, as a user can set in the
   * operating system.
   */
  motion?: boolean;
  /**
   * True to store the settings of this account on the server. By default each visit has settings of
   * its own, because the tests share the accounts.
   */
  keepsSettings?: boolean;
  /** Called before anything is loaded, to define answers to requests and scripts to run. */
  before?: (context: BrowserContext) => Promise<unknown>;
}

export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** The login token of this visit; null if the visitor is not logged in. */
  token: string | null;
}

export interface Visits {
  /** Opens the console in a browser profile of its own. */
  open(coming?: Coming): Promise<Visitor>;
  /**
   * Patterns of expected errors. A console line or failed request that matches a pattern does not
   * make the test fail.
   */
  allow(...patterns: RegExp[]): void;
}

let connected: Promise<Browser> | undefined;
/** One connection for all files of a worker; it ends with the worker. */
const browser = (): Promise<Browser> => (connected ??= chromium.connect(inject('product').browser));

/**
 * The login tokens of journeys that have ended. The next journeys of this worker use these tokens
 * again.
 */
const rested = new Map<Role, string[]>();

/**
 * Returns a session of the role. If an earlier journey has left a session that is still valid,
 * returns that session; otherwise logs in again.
 */
const takeSession = async (role: Role): Promise<string> => {
  const token = rested.get(role)?.pop();
  return token !== undefined && (await isLive(token)) ? token : login(role);
};

const restSession = (role: Role, token: string): void =>
  void rested.set(role, [...(rested.get(role) ?? []), token]);

/**
 * A browser profile that the journeys of this worker use one after another. Its process keeps the
 * compiled scripts, because compiling them again would be a third of the cost of a visit.
 */
interface Profile {
  /** The options with which the profile was created, as text. */
  options: string;
  /**
   * A page without scripts. It stays open, because the browser ends the process of a profile
   * without pages.
   */
  keeper: Page;
  /** The scripts that the current journey has added to the profile, in its `before` or later. */
  scripts: Disposable[];
}

/**
 * The browser profiles that later journeys use again. A profile is emptied at the end of each
 * journey.
 */
const profiles = new Map<BrowserContext, Profile>();
/** Browser profiles that no journey uses at the moment. */
const unused: BrowserContext[] = [];

/**
 * Removes all traces of a journey from its browser profile. If the journey failed, the whole
 * profile is removed.
 */
const endVisit = async (context: BrowserContext, failed: boolean): Promise<void> => {
  const profile = profiles.get(context);
  if (profile === undefined || failed) {
    profiles.delete(context);
    return context.close();
  }
  const { keeper, scripts } = profile;
  for (const page of context.pages()) if (page !== keeper) await page.close();
  for (const event of ['page', 'request', 'response'] as const) context.removeAllListeners(event);
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  for (const script of scripts.splice(0)) await script.dispose();
  await context.setOffline(false);
  await context.clearCookies();
  // After its pages are closed, the console has data only in the local storage and in cookies.
  await keeper.evaluate(() => localStorage.clear());
  unused.push(context);
};

const pictures = join(import.meta.dirname, '..', 'test-results');

/**
 * Fills the browser's storage before the first script of the first document runs. Later documents
 * of the same visit keep the changes that were made meanwhile. A `storageState` would need an
 * additional page and renderer for each visit.
 */
const fillStorage = (
  context: BrowserContext,
  origin: string,
  coming: Coming,
  token: string | null,
): Promise<unknown> => {
  const settings = { ...coming.settings, theme: coming.theme ?? 'light' };
  const kept = {
    'arco-locale': coming.language ?? 'zh-CN',
    'waystation-settings': JSON.stringify(settings),
    ...(token !== null && { token }),
  };
  return context.addInitScript(
    ([where, entries]) => {
      if (window.origin !== where || localStorage.getItem('visited') !== null) return;
      localStorage.setItem('visited', '1');
      for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value);
    },
    [new URL(origin).origin, kept] as const,
  );
};

/**
 * The code runs inside the page. A Playwright route would instead send every request of the page
 * through the test and disable the browser's cache.
 */
const forgetSettings = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const { fetch } = window;
    window.fetch = async (input, init) => {
      const { url, method } =
        input instanceof Request ? input : { url: String(input), method: init?.method };
      if (!url.endsWith('/api/arco/preferences')) return fetch(input, init);
      return Response.json({
        status: 200,
        data: (method ?? 'GET') === 'GET' ? { values: {} } : {},
        message: '',
      });
    };
  });

const newContext = async (url: string, coming: Coming): Promise<BrowserContext> => {
  const context = await (
    await browser()
  ).newContext({
    baseURL: url,
    viewport: { width: coming.width ?? 1440, height: coming.height ?? 900 },
    locale: coming.language ?? 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: coming.systemTheme ?? 'light',
    reducedMotion: coming.motion ? 'no-preference' : 'reduce',
  });
  context.setDefaultTimeout(limitMs(30_000));
  return context;
};

/**
 * Records the scripts that a journey adds, so that they can be removed after the journey. A journey
 * cannot undo a replaced clock or WebSocket, so such a profile is not used again.
 */
const noteChanges = (context: BrowserContext, scripts: Disposable[]): void => {
  const addInitScript = context.addInitScript.bind(context);
  context.addInitScript = async (...added: Parameters<typeof addInitScript>) => {
    const script = await addInitScript(...added);
    scripts.push(script);
    return script;
  };
  const alone = (): boolean => profiles.delete(context);
  const routeWebSocket = context.routeWebSocket.bind(context);
  context.routeWebSocket = (...route) => (alone(), routeWebSocket(...route));
  for (const change of ['install', 'setFixedTime', 'setSystemTime'] as const) {
    const replace = context.clock[change].bind(context.clock);
    context.clock[change] = (time) => (alone(), replace(time as Date));
  }
};

/** Returns a browser profile that contains no data of an earlier journey. */
const takeProfile = async (url: string, coming: Coming): Promise<BrowserContext> => {
  if (coming.ownProfile) return newContext(url, coming);
  const { language, width, height, systemTheme, motion } = coming;
  const options = JSON.stringify([url, language, width, height, systemTheme, motion]);
  const at = unused.findIndex((context) => profiles.get(context)?.options === options);
  const [earlier] = at < 0 ? [] : unused.splice(at, 1);
  if (earlier !== undefined) return earlier;
  const context = await newContext(url, coming);
  const keeper = await context.newPage();
  await keeper.goto('/readyz');
  const scripts: Disposable[] = [];
  noteChanges(context, scripts);
  profiles.set(context, { options, keeper, scripts });
  return context;
};

/**
 * Handles the rejections of waits that a journey started but never awaited because an earlier step
 * failed. Only the earlier failure is then reported.
 */
const ownWaits = (page: Page): void => {
  for (const name of ['waitForEvent', 'waitForRequest', 'waitForResponse'] as const) {
    const wait = page[name].bind(page) as (...words: unknown[]) => Promise<unknown>;
    const waiting = (...words: unknown[]): Promise<unknown> => {
      const found = wait(...words);
      found.catch(() => undefined);
      return found;
    };
    Object.assign(page, { [name]: waiting });
  }
};

const come = async (coming: Coming, trouble: Trouble): Promise<Visitor> => {
  const url = coming.base ?? inject('product').url;
  const token = coming.role ? await takeSession(coming.role) : null;
  const context = await takeProfile(url, coming);
  context.on('page', (page) => watch(page, trouble));
  await fillStorage(context, url, coming, token);
  await ownClipboard(context);
  if (!coming.keepsSettings) await forgetSettings(context);
  await coming.before?.(context);
  const page = await context.newPage();
  ownWaits(page);
  await page.goto(`/#${coming.path ?? '/'}`);
  return { page, context, token };
};

/**
 * Describes the URL, the focused element and the open dialogs as text. The text helps to explain
 * why a step failed.
 */
const stateOf = (page: Page): Promise<string> =>
  page
    .evaluate(() => {
      const dialogs = [...document.querySelectorAll('[role=dialog]')]
        .filter((dialog) => dialog.checkVisibility())
        .map((dialog) => dialog.textContent.slice(0, 80));
      const focused = document.activeElement?.cloneNode(false) as Element | undefined;
      return `at ${location.hash}, focus on ${focused?.outerHTML.slice(0, 160)}, dialogs: ${dialogs.join(' | ') || 'none'}`;
    })
    .catch(() => 'page closed');

/**
 * Runs one test with its own browser profiles. The test fails if an assertion fails. It also fails
 * at any unexpected console error or warning, page error or failed request.
 */
export const inBrowser = (name: string, run: (visits: Visits) => Promise<void>): void => {
  test(name, async ({ task }) => {
    const trouble: Trouble = { seen: [], allowed: [] };
    const visitors: Visitor[] = [];
    const sessions = new Map<string, Role>();
    let passed = false;
    const open = async (coming: Coming = {}): Promise<Visitor> => {
      const visitor = await come(coming, trouble);
      const { context, token } = visitor;
      visitors.push(visitor);
      if (coming.role && token !== null) {
        sessions.set(token, coming.role);
        context.on('request', (request) => {
          if (request.url().endsWith('/logout')) sessions.delete(token);
        });
      }
      return visitor;
    };
    try {
      await run({ open, allow: (...patterns) => trouble.allowed.push(...patterns) });
      expect(
        trouble.seen.filter((line) => !trouble.allowed.some((pattern) => pattern.test(line))),
      ).toEqual([]);
      passed = true;
    } catch (error) {
      mkdirSync(pictures, { recursive: true });
      for (const [index, { page }] of visitors.entries())
        await page
          .screenshot({ path: join(pictures, `${task.id}-${index}.png`) })
          .catch(() => null);
      const states = await Promise.all(visitors.map(({ page }) => stateOf(page)));
      throw Object.assign(error as Error, {
        message: `${(error as Error).message}\n(pictures: test-results/${task.id}-*.png; browser: ${trouble.seen.join(' | ') || 'quiet'}; ${states.join('; ')})`,
      });
    } finally {
      for (const { context } of visitors) await endVisit(context, !passed);
      for (const [token, role] of sessions) restSession(role, token);
    }
  });
};

/**
 * Declares a journey that runs only in the daily run (docs/testing.md, "What `npm test` leaves to
 * the daily run").
 */
export const inBrowserDaily: typeof inBrowser = (name, run) => {
  if (isDaily) inBrowser(name, run);
};

/** Waits until the element is visible. */
export const shows = (what: Locator): Promise<void> => what.waitFor({ state: 'visible' });
/** Waits until the element is not visible any more. */
export const gone = (what: Locator): Promise<void> => what.waitFor({ state: 'hidden' });

/** The part of the URL after `#`. */
export const hrefOf = (page: Page): string => new URL(page.url()).hash.slice(1);
/** Waits until the page has this URL. */
export const arrives = (page: Page, href: string): Promise<void> =>
  expect.poll(() => hrefOf(page)).toBe(href);
/**
 * Opens another URL of the console by changing the part after `#`, so that no new document is
 * loaded.
 */
export const goTo = (page: Page, href: string): Promise<void> =>
  page.evaluate((hash) => void (window.location.hash = hash), href);
