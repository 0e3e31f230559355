import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { BrowserContext, Locator, Page, Request } from 'playwright-core';
import { describe, expect, inject } from 'vitest';
import { gone, inBrowser, inBrowserDaily, shows } from './browser.ts';
import type { Coming, Visits } from './browser.ts';
import { shownPage } from './shell.ts';
import { wireAs, wireOf } from './wire.ts';
import type { Wire } from './wire.ts';

/**
 * A request for live events, either an open stream or a single poll. `after` is the id of the last
 * event received before it.
 */
interface Asked {
  streams: boolean;
  after: string | null;
}

/** Collects the requests for live events of all windows of the browser. */
const eventsAsked = (context: BrowserContext): Asked[] => {
  const asked: Asked[] = [];
  context.on('request', (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname !== '/api/arco/events') return;
    const headers = request.headers();
    asked.push({
      streams: headers['accept'] === 'text/event-stream',
      after: headers['last-event-id'] ?? null,
    });
  });
  return asked;
};

const secret = 'Only-the-clerk-knows-42';

interface Clerk {
  username: string;
  token: string;
  wire: Wire;
}

/** Creates a new clerk, so that the list contains no orders of other tests. */
const newClerk = async (): Promise<Clerk> => {
  const manager = await wireOf('station');
  const username = `listener-${crypto.randomUUID().slice(0, 8)}`;
  const { station_id } = await manager.get<{ station_id: number }>('/api/arco/personal');
  const first = 'Kept-in-a-drawer-42';
  await manager.post('/api/arco/users', { username, password: first, role: 'user', station_id });
  await (
    await wireAs(username, first)
  ).post('/api/arco/personal/password', { current: first, password: secret });
  return {
    username,
    token: (await wireAs(username, secret)).token,
    wire: await wireAs(username, secret),
  };
};

/**
 * Opens the clerk's parcel list. No parcel in it waits for the carrier, so the page does not poll
 * the list.
 */
const openParcels = async (
  open: Visits['open'],
  { token }: Clerk,
  coming: Coming = {},
): Promise<{ page: Page; context: BrowserContext; asked: Asked[] }> => {
  let asked: Asked[] = [];
  const { page, context } = await open({
    path: '/model/expresses',
    ownProfile: true,
    ...coming,
    before: async (opened) => {
      asked = eventsAsked(opened);
      await opened.addInitScript((own) => {
        // The blank document that is open at first has no storage.
        if (location.protocol === 'about:') return;
        if (sessionStorage.getItem('arrived') === null) localStorage.setItem('token', own);
        sessionStorage.setItem('arrived', '1');
      }, token);
      await opened.route(/\/api\/arco\/expresses\?/, (route) =>
        route.continue({ url: `${route.request().url()}&tab=signed` }),
      );
      await coming.before?.(opened);
    },
  });
  return { page, context, asked };
};

const newParcel = async (wire: Wire): Promise<void> =>
  void (await wire.post('/api/arco/expresses', { draft: 1 }));
const list = (page: Page): Locator => shownPage(page, 'ExpressTable');
/** Waits until the list receives live events. Earlier events would not be announced. */
const isListening = (page: Page): Promise<void> =>
  list(page).locator('span[role=status]').first().waitFor({ state: 'attached' });
const pill = (page: Page, count: number): Locator =>
  list(page).getByRole('button', { name: `${count} 单新运单` });
const openStreams = (asked: readonly Asked[]): number =>
  asked.filter(({ streams }) => streams).length;

/**
 * Waits until the window receives the stream of events, because the stream contains only events
 * after its start. The test asks the window through the channel that the browser's windows use.
 */
const hears = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const lock = (await navigator.locks.query()).held?.find(({ name }) =>
          name?.startsWith('waystation-live'),
        );
        if (lock?.name === undefined) return 'off';
        const channel = new BroadcastChannel(lock.name);
        const mode = new Promise((resolve) => {
          channel.addEventListener('message', ({ data }) => resolve(data.mode));
          // real delay: a window without a stream sends no answer, so the wait must end
          setTimeout(() => resolve('off'), 500);
        });
        channel.postMessage({ ask: true });
        return mode.finally(() => channel.close());
      }),
    )
    .toBe('stream');

/** Starts a proxy before the product; a test can cut its connections. */
const openProxy = async (): Promise<{ url: string; cut(): void; restore(): Promise<void> }> => {
  const { hostname, port } = new URL(inject('product').url);
  const sockets = new Set<Socket>();
  let server: Server;
  const listen = (at: number): Promise<number> =>
    new Promise((resolve) => {
      server = createServer((near) => {
        const far = connect(Number(port), hostname);
        for (const [one, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(one);
          one.on('error', () => {}).on('close', () => other.destroy());
          one.pipe(other);
        }
      });
      server.listen(at, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const own = await listen(0);
  return {
    url: `http://127.0.0.1:${own}`,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    restore: async () => void (await listen(own)),
  };
};

describe('live events', () => {
  inBrowser(
    'two windows of a browser share one connection, and the second goes on without a gap when the first closes',
    async ({ open }) => {
      const clerk = await newClerk();
      const { page, context, asked } = await openParcels(open, clerk);
      await hears(page);
      expect(openStreams(asked)).toBe(1);
      const second = await context.newPage();
      await second.goto('/#/model/expresses');
      await shows(list(second));
      await second.waitForFunction(async () =>
        (await navigator.locks.query()).pending?.some(({ name }) =>
          name?.startsWith('waystation-live'),
        ),
      );
      await isListening(second);
      await newParcel(clerk.wire);
      await shows(pill(page, 1));
      await shows(pill(second, 1));
      expect(asked).toEqual([{ streams: true, after: null }]);
      await page.close();
      await newParcel(clerk.wire);
      await shows(pill(second, 2));
      expect(asked).toEqual([
        { streams: true, after: null },
        { streams: true, after: expect.any(String) },
      ]);
      await pill(second, 2).click();
      await gone(pill(second, 2));
    },
  );

  inBrowserDaily(
    'a filtered list counts the new parcels that match its filter, and shows them on request',
    async ({ open }) => {
      const clerk = await newClerk();
      const { page, context, asked } = await openParcels(open, clerk);
      await hears(page);
      expect(openStreams(asked)).toBe(1);
      // From here on, the requests of the lists are no longer intercepted.
      await context.unrouteAll();
      const [drafts, signed] = [await context.newPage(), await context.newPage()];
      await drafts.goto('/#/model/expresses?tab=draft');
      await signed.goto('/#/model/expresses?tab=signed');
      for (const one of [drafts, signed]) {
        await shows(list(one));
        await one.waitForFunction(async () =>
          (await navigator.locks.query()).pending?.some(({ name }) =>
            name?.startsWith('waystation-live'),
          ),
        );
      }
      await newParcel(clerk.wire);
      await newParcel(clerk.wire);
      await shows(pill(drafts, 2));
      await shows(pill(page, 2));
      expect(
        await list(signed)
          .getByRole('button', { name: /单新运单/ })
          .count(),
      ).toBe(0);
      await pill(drafts, 2).click();
      await gone(pill(drafts, 2));
      expect(await list(drafts).locator('[data-row]').count()).toBe(2);
    },
  );

  inBrowserDaily(
    'a parcel that is ordered while a list is being read is announced once it is there',
    async ({ open }) => {
      const clerk = await newClerk();
      const { page, context } = await openParcels(open, clerk);
      await hears(page);
      const second = await context.newPage();
      let answer!: () => void;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      await second.route(/\/api\/arco\/expresses\?/, async (route) => {
        const response = await route.fetch({ url: `${route.request().url()}&tab=signed` });
        await answered;
        await route.fulfill({ response });
      });
      const isRead = second.waitForRequest(/\/api\/arco\/expresses\?/);
      await second.goto('/#/model/expresses');
      await isRead;
      await second.waitForFunction(async () =>
        (await navigator.locks.query()).pending?.some(({ name }) =>
          name?.startsWith('waystation-live'),
        ),
      );
      await isListening(second);
      await newParcel(clerk.wire);
      await shows(pill(page, 1));
      answer();
      await shows(pill(second, 1));
    },
  );

  inBrowserDaily('a broken connection resumes without loss or repeat', async ({ open, allow }) => {
    allow(/ERR_(CONNECTION|EMPTY|INCOMPLETE|SOCKET)/);
    const clerk = await newClerk();
    const proxy = await openProxy();
    try {
      const { page, asked } = await openParcels(open, clerk, { base: proxy.url });
      await hears(page);
      expect(openStreams(asked)).toBe(1);
      await newParcel(clerk.wire);
      await shows(pill(page, 1));
      proxy.cut();
      await newParcel(clerk.wire);
      await newParcel(clerk.wire);
      await proxy.restore();
      await shows(pill(page, 3));
      expect(openStreams(asked)).toBeGreaterThan(1);
    } finally {
      proxy.cut();
    }
  });

  inBrowserDaily(
    'a browser without a stream polls for events, and does not keep its session alive by it',
    async ({ open, allow }) => {
      allow(/status of 429/);
      const clerk = await newClerk();
      const refusal = {
        status: 429,
        data: { code: 'too_many_streams', params: { limit: 4 }, request_id: 'r' },
        message: '',
      };
      const { page } = await openParcels(open, clerk, {
        before: (context) =>
          context.route('**/api/arco/events*', (route) =>
            route.request().headers()['accept'] === 'text/event-stream'
              ? route.fulfill({ status: 429, json: refusal })
              : route.continue(),
          ),
      });
      const polled = await page.waitForResponse(
        (response) => response.url().includes('/api/arco/events') && response.status() === 200,
      );
      expect(await polled.request().headerValue('x-background')).toBe('1');
      await newParcel(clerk.wire);
      await shows(pill(page, 1));
    },
  );

  inBrowserDaily(
    'a session ended elsewhere logs its browser out, and the next user of the same tab receives events',
    async ({ open, allow }) => {
      allow(/status of 401/);
      const clerk = await newClerk();
      const next = await newClerk();
      const { page, asked } = await openParcels(open, clerk);
      await hears(page);
      expect(openStreams(asked)).toBe(1);
      await fetch(new URL('/api/arco/logout', page.url()), {
        method: 'POST',
        headers: { authorization: `Bearer ${clerk.token}` },
      });
      const username = page.getByRole('textbox', { name: '用户名' });
      await shows(username);
      asked.length = 0;
      await username.fill(next.username);
      await page.getByLabel('密码', { exact: true }).fill(secret);
      await page.keyboard.press('Enter');
      await shows(list(page));
      await hears(page);
      expect(openStreams(asked)).toBe(1);
      await newParcel(clerk.wire);
      await newParcel(next.wire);
      await shows(pill(page, 1));
    },
  );
});
