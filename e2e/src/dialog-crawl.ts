import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { arrangedTitles } from './arranged-dialogs.ts';
import { lostOf, violationsOf } from './axe.ts';
import { goTo, hrefOf, shows } from './browser.ts';
import type { Visits } from './browser.ts';
import { bringHands } from './dialog-hands.ts';
import type { Box } from './dialog-hands.ts';
import { patternsOf, titleKeys } from './dialog-titles.ts';
import type { Language } from './dialog-titles.ts';
import { limitMs } from './harness/limits.ts';
import { isNarrow, photograph, roundOf, stopClock } from './photos.ts';
import { mayOpen, screens } from './screen-table.ts';
import { shownPage } from './shell.ts';
import type { Role } from './wire.ts';

// The crawl presses every button of every page, including those in its rows, in the tabs of its
// opened records, and in its menus. It inspects everything that opens. Each record is opened twice:
// by a press in its list, and by its URL. Reads reach the server; every write is answered with 409.
// The crawl leaves out the cases in `elsewhere`, dialogs that open from a dialog, and the dialogs
// around the pages (settings, palette, shortcuts). It tries at most four kinds of rows. It leaves
// out content that only an admin, partner or clerk sees.

/** Matches calls whose method is not GET although they only read. */
const reads = /\/(?:quote|parse|preview|check|compare|impact|menu|login\/password)(?:\?|$)/;

const withoutWrites = (context: BrowserContext): Promise<unknown> =>
  context.route('**/api/**', (route) => {
    const request = route.request();
    if (request.method() === 'GET' || reads.test(request.url())) return route.fallback();
    return route.fulfill({
      status: 409,
      json: {
        status: 409,
        data: { code: 'state_forbids', params: { state: '—' }, request_id: 'crawl' },
        message: '',
      },
    });
  });

/** For each page, the URL queries with which it shows other rows or another part. */
const variants: Record<string, readonly string[]> = {
  ExpressTable: [
    '?tab=draft',
    '?tab=on_hold',
    '?tab=awaiting_pickup',
    '?tab=in_transit',
    '?tab=failed',
  ],
  StatementTable: ['?status=pending', '?type=top_up'],
  Reconciliations: ['?view=months'],
};

/**
 * The screens on which a station has actions that an administrator does not have. On its other
 * screens, an administrator has everything that the station has.
 */
const ofStations: ReadonlySet<string> = new Set(['Workplace', 'StationTable', 'StatementTable']);

/**
 * The titles of the dialogs that the crawl does not reach. Each is given with the row or window
 * that it needs and with the test that opens it.
 */
const elsewhere: Readonly<Record<string, string>> = {
  'statements.confirm_title': 'a month that a station has not confirmed: statements.test.ts',
  'shell.loading': 'only while a record is read',
  'expresses.waybill.title': 'a parcel of two waybills: carrier-truth.test.ts',
  'common.print.sheet_title': 'labels on a started sheet of A4: printing.test.ts',
  'inbox.title': 'the frame around the pages: inbox.test.ts',
  'statements.top_up_requested': 'a request that was sent: statements.test.ts',
  'stations.setup_title': 'a station that is being set up: station-setup.test.ts',
  'people.invited_title': 'an account invited by a link: invitation.test.ts',
  'people.link_title': 'an account that has not accepted yet: invitation.test.ts',
  'people.codes_title': 'people.test.ts, after two-factor authentication was turned on',
  'people.scan_title': 'people.test.ts, after one’s password',
  'people.issued_title': 'people.test.ts, after the reset',
  'projects.compare': 'two schemes: network-schemes.test.ts',
  'reconciliations.accept': 'a bill: month-end.test.ts',
  'reconciliations.accept_title': 'a bill: month-end.test.ts',
  'reconciliations.discard_title': 'a bill: month-end.test.ts',
  'reconciliations.dispute': 'a bill: month-end.test.ts',
  'reconciliations.dispute_title': 'a bill: month-end.test.ts',
  'reconciliations.pay_title': 'a bill: month-end.test.ts',
  'reconciliations.reopen_title': 'a closed month: month-end.test.ts',
  'reconciliations.tolerances': 'a bill: month-end.test.ts',
  'statements.unblock_title': 'a station that is stopped: statements.test.ts',
  'statements.withdraw': 'a station with a bank account: statements.test.ts',
  'stations.enable_title': 'a station that is disabled: stations.test.ts',
  'vouchers.add_city': 'the price editor: freight.test.ts',
  'vouchers.impact.title': 'the price editor: freight.test.ts',
  'vouchers.publish_title': 'the price editor: freight.test.ts',
  'vouchers.senders': 'the price editor: freight.test.ts',
  'vouchers.versions': 'the price editor: freight.test.ts',
};

interface Crawl {
  page: Page;
  /** The role and language of this round, as text. */
  round: string;
  name: string;
  /** The URL of the screen or record that is crawled. */
  href: string;
  /** The URLs of records that were opened by pressing a row. */
  records: Set<string>;
  titles: Set<string>;
  faults: string[];
  /** A description of the last press. It is part of the text of a failure. */
  at: { where: string };
  /** The elements already pressed on this screen, whatever query its URL had. */
  done: Record<Box, Set<string>>;
  /** Resolves when no fetch is pending. */
  quiet: () => Promise<void>;
  /** The number of requests that were started so far. */
  begun: () => number;
  /** Opens the record again after a button has left or closed it. */
  reopen: () => Promise<void>;
}

const openNow = (page: Page): Promise<number> => page.evaluate(() => window.hands.open());

/**
 * Counts the pending requests. The stream of events is ignored, because it never ends. While a
 * request is pending, a dialog may still open.
 */
const watchFetches = (page: Page): Pick<Crawl, 'quiet' | 'begun'> => {
  const under = new Set<unknown>();
  let begun = 0;
  let wake: (() => void) | null = null;
  page.on('request', (request) => {
    if (request.url().includes('/api/arco/events')) return;
    begun += 1;
    under.add(request);
  });
  const over = (request: unknown): void => {
    under.delete(request);
    if (under.size === 0) wake?.();
  };
  page.on('requestfinished', over);
  page.on('requestfailed', over);
  const quiet = (): Promise<void> =>
    under.size === 0 ? Promise.resolve() : new Promise((resolve) => (wake = resolve));
  return { quiet, begun: () => begun };
};

/** Waits until the page is idle. */
const atRest = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done())));

const yes = (): boolean => true;
const no = (): boolean => false;

/**
 * Runs an action. Returns true if it opened a dialog, either immediately or after the answers to
 * its requests.
 */
const opens = async (
  { page, quiet, begun }: Crawl,
  before: number,
  act: () => Promise<boolean>,
): Promise<boolean> => {
  const begunBefore = begun();
  if (await act()) return true;
  // When the page is at rest, it has sent all its requests. When it is at rest a second time, their
  // responses have been rendered.
  await atRest(page);
  await quiet();
  await atRest(page);
  const opened = await page.evaluate(async (most) => {
    for (let drawn = 0; drawn < 3 && window.hands.open() <= most; drawn += 1)
      await new Promise((done) => requestAnimationFrame(done));
    return window.hands.open() > most;
  }, before);
  // Waits a little longer, because on a busy machine loaded code may run long after its file has
  // arrived.
  return (
    opened ||
    (begun() > begunBefore &&
      (await page
        .waitForFunction((most) => window.hands.open() > most, before, {
          timeout: limitMs(1_000),
          polling: 'raf',
        })
        .then(yes, no)))
  );
};

const until = (page: Page, most: number): Promise<unknown> =>
  page
    .waitForFunction((open) => window.hands.open() <= open, most, {
      timeout: limitMs(5_000),
      polling: 'raf',
    })
    .catch(() => null);

const ready = async (page: Page, name: string): Promise<void> => {
  const shown = shownPage(page, name);
  await shows(shown.getByRole('heading', { level: 1 }).first());
  await expect.poll(() => shown.locator('[aria-busy=true]').count(), { interval: 50 }).toBe(0);
};

/**
 * Closes dialogs with Escape until only `open` of them remain, and returns to the crawled screen if
 * the URL has changed.
 */
const back = async (state: Crawl, open: number): Promise<void> => {
  const { page, name, href, faults, at } = state;
  for (let tries = 0; tries < 3 && (await openNow(page)) > open; tries += 1) {
    await page.keyboard.press('Escape');
    await until(page, open);
  }
  const stays = (await openNow(page)) > open;
  if (stays) {
    faults.push(`${at.where}: is not left by Escape`);
    await page.reload();
  }
  if (stays || (open === 0 && hrefOf(page) !== href)) {
    await goTo(page, href);
    await ready(page, name);
  }
};

/**
 * Checks the dialog, menu or drawer that was just opened. Then crawls everything that opens from
 * it.
 */
const look = async (state: Crawl, from: Box): Promise<void> => {
  const { page, titles, faults, at } = state;
  await settled(page);
  // The focus moves only after the opening animation has ended.
  await page
    .waitForFunction(() => window.hands.standing()?.fault === null, undefined, {
      timeout: limitMs(5_000),
      polling: 'raf',
    })
    .catch(() => null);
  const standing = await page.evaluate(() => window.hands.standing());
  // Nothing is open if a menu item has led to another page, or if a question was closed
  // automatically.
  if (standing === null) return;
  const { title, fault } = standing;
  titles.add(title);
  await photograph(page, `${state.round} ${at.where}`);
  if (fault !== null) faults.push(`${at.where}: “${title}” ${fault}`);
  for (const found of [
    ...(await violationsOf(page)),
    ...(await lostOf(page)).map((element) => `out of reach: ${element}`),
  ])
    faults.push(`${at.where}: “${title}” ${found}`);
  if (from === 'dialog' || !(await page.evaluate(() => window.hands.isRecord()))) return;
  // If the record has its own URL, the whole record is crawled later. Otherwise it is crawled here.
  if (hrefOf(page) === state.href) await record(state);
  else state.records.add(hrefOf(page));
};

const settled = (page: Page): Promise<unknown> =>
  page
    .waitForFunction(() => !window.hands.waits(), undefined, {
      timeout: limitMs(5_000),
      polling: 'raf',
    })
    .catch(() => null);

const openRecord = async ({ page, href, quiet }: Crawl): Promise<boolean> => {
  await goTo(page, href);
  await page
    .waitForFunction(() => window.hands.open() > 0, undefined, {
      timeout: limitMs(5_000),
      polling: 'raf',
    })
    .catch(() => null);
  await quiet();
  await settled(page);
  return (await openNow(page)) > 0;
};

const showTab = async ({ page, quiet }: Crawl, tab: number): Promise<void> => {
  await page.evaluate((index) => window.hands.pressTab(index), tab);
  await quiet();
  await settled(page);
};

/** Presses everything in an open record, on each of its tabs. */
const record = async (state: Crawl): Promise<void> => {
  const tabs = await state.page.evaluate(() => window.hands.tabs());
  for (let tab = 0; tab < Math.max(tabs, 1); tab += 1) {
    const onTab = async (): Promise<void> => {
      if (tab > 0) await showTab(state, tab);
    };
    await onTab();
    const reopen = async (): Promise<void> => {
      if (!/[?&](?:id|month)=/.test(state.href)) return;
      await openRecord(state);
      await onTab();
    };
    await crawl({ ...state, reopen }, 'dialog');
  }
};

/** Presses every button on the page or in the dialog. */
const crawl = async (state: Crawl, box: Box): Promise<void> => {
  const { page, name, at } = state;
  const done = state.done[box];
  const base = await openNow(page);
  const under = at.where;
  for (const called of await page.evaluate(([from, screen]) => window.hands.names(from, screen), [
    box,
    name,
  ] as const)) {
    const kind = called.replaceAll(/(?:WS|JD)?\d[\d.,]*/g, '#');
    if (done.has(kind)) continue;
    done.add(kind);
    at.where = `${under} › ${called}`;
    const press = (): Promise<boolean> =>
      opens(state, base, () =>
        page.evaluate(([from, screen, button]) => window.hands.press(from, screen, button), [
          box,
          name,
          called,
        ] as const),
      );
    if (await press()) await pressed(state, box, base, press);
    // An open list of options is not a dialog. It is closed, because it would otherwise stay above
    // the next element.
    else if (await page.getByRole('listbox').first().isVisible())
      await page.keyboard.press('Escape');
    await back(state, base);
    at.where = under;
    if ((await openNow(page)) < base) await state.reopen();
  }
};

/**
 * Handles the result of a press that opened something. If a menu was opened, its items are then
 * pressed one by one.
 */
const pressed = async (
  state: Crawl,
  box: Box,
  base: number,
  press: () => Promise<boolean>,
): Promise<void> => {
  const { page, at } = state;
  const items = await page.evaluate(() => window.hands.items());
  if (items.length === 0) return look(state, box);
  const under = at.where;
  const done = state.done[box];
  let open = true;
  await photograph(page, `${state.round} ${under}`);
  for (const item of items) {
    if (done.has(`menu › ${item}`)) continue;
    done.add(`menu › ${item}`);
    if (!open && !(await press())) return;
    open = false;
    at.where = `${under} › ${item}`;
    if (
      await opens(state, base, () =>
        page.evaluate((wanted) => window.hands.pressItem(wanted), item),
      )
    )
      await look(state, box);
    await back(state, base);
  }
};

const crawlScreen = async (state: Crawl): Promise<void> => {
  const { page, name, href, at } = state;
  at.where = href;
  await goTo(page, href);
  await ready(page, name);
  at.where = `${href} › row`;
  if (await opens(state, 0, () => page.evaluate((screen) => window.hands.pressRow(screen), name)))
    await look(state, 'page');
  await back(state, 0);
  at.where = href;
  await page.evaluate((screen) => window.hands.choose(screen), name);
  await crawl(state, 'page');
  for (const address of [...state.records].slice(0, 1)) {
    at.where = address;
    const here = { ...state, href: address };
    if (await openRecord(here)) await look(here, 'page');
    else state.faults.push(`${address}: nothing opened`);
    await back(state, 0);
  }
};

/** Crawls all screens that a role may open. */
const crawlScreens = async (
  page: Page,
  language: Language,
  role: Role,
  seen: { titles: Set<string>; faults: string[] },
): Promise<void> => {
  const at = { where: '' };
  const { faults } = seen;
  page.on('pageerror', (error) => faults.push(`${at.where}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 409/.test(message.text()))
      faults.push(`${at.where}: ${message.text().slice(0, 300)}`);
  });
  const fetches = watchFetches(page);
  for (const { name, path } of screens.filter(
    (screen) => mayOpen(screen, role) && (role === 'super' || ofStations.has(screen.name)),
  )) {
    const done = { page: new Set<string>(), dialog: new Set<string>() };
    for (const variant of ['', ...(variants[name] ?? [])])
      await crawlScreen({
        page,
        round: `${language} ${role}`,
        name,
        href: path + variant,
        records: new Set(),
        done,
        at,
        ...fetches,
        reopen: () => Promise.resolve(),
        ...seen,
      });
  }
};

/**
 * Crawls all screens of the two roles with the most content. A screen that both roles have is
 * crawled once.
 */
export const everyDialog =
  (language: Language) =>
  async ({ open, allow }: Visits): Promise<void> => {
    allow(/status of 409/);
    const seen = { titles: new Set<string>(), faults: [] as string[] };
    for (const role of ['super', 'station'] as const) {
      const { page } = await open({
        role,
        language,
        ...roundOf(language),
        before: (context) =>
          Promise.all([withoutWrites(context), bringHands(context), stopClock(context)]),
      });
      await crawlScreens(page, language, role, seen);
    }
    expect(seen.faults).toEqual([]);
    // Skips the check for missing dialogs on a phone, because a phone offers fewer actions and its
    // rows have no buttons.
    if (isNarrow) return;
    const missing = [...(await patternsOf(language, titleKeys()))].filter(
      ([key, pattern]) =>
        !(key in elsewhere) &&
        !arrangedTitles.has(key) &&
        ![...seen.titles].some((title) => pattern.test(title)),
    );
    expect(missing.map(([key]) => key)).toEqual([]);
  };
