import { describe, expect } from 'vitest';
import { arrives, goTo, hrefOf, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { withDaily } from './daily.ts';
import { mayOpen, screens, specified, specifiedRoles } from './screen-table.ts';
import { hrefsIn, mainMenu, notFound, shownPage, tabBar } from './shell.ts';

const landing = '/dashboard/workplace';

describe('routing (requirements §2, §4)', () => {
  inBrowser('the root leads to login, and once logged in to the Workplace', async ({ open }) => {
    const stranger = await open();
    await shows(stranger.page.getByRole('heading', { name: '登录', exact: true }));
    await arrives(stranger.page, '/login');
    const clerk = await open({ role: 'user' });
    await arrives(clerk.page, landing);
    await shows(shownPage(clerk.page, 'Workplace'));
  });

  inBrowser('the screen table has the specification’s paths and roles', async () => {
    for (const { name, path, roles: allowed } of screens) {
      if (!Object.hasOwn(specified, name)) continue;
      const key = name as keyof typeof specified;
      expect([name, path, allowed.toSorted()]).toEqual([
        name,
        specified[key],
        specifiedRoles[key].toSorted(),
      ]);
    }
  });

  for (const role of withDaily(
    ['user'] as const,
    ['super', 'admin', 'partner', 'station'] as const,
  ))
    inBrowser(
      `${role} opens every screen of the role, is sent from others to the first allowed one, and gets not-found elsewhere`,
      async ({ open }) => {
        const { page } = await open({ role });
        await arrives(page, landing);
        const first = screens.find((screen) => mayOpen(screen, role))!;
        for (const screen of screens) {
          await goTo(page, screen.path);
          const goal = mayOpen(screen, role) ? screen : first;
          await shows(shownPage(page, goal.name));
          expect(hrefOf(page)).toBe(goal.path);
          await expect.poll(() => page.title()).toMatch(/^.+ · 驿站 Waystation$/);
        }
        for (const [name, path] of Object.entries(specified)) {
          if (screens.some((screen) => screen.name === name)) continue;
          await goTo(page, path);
          await shows(notFound(page));
        }
        const inMenu = screens
          .filter((screen) => !screen.hidden && mayOpen(screen, role))
          .map(({ path }) => `#${path}`);
        await expect
          .poll(async () => (await hrefsIn(mainMenu(page))).toSorted())
          .toEqual(inMenu.toSorted());
      },
    );

  inBrowserDaily('a role without any screen gets not-found at every address', async ({ open }) => {
    const { page } = await open({
      role: 'user',
      before: (context) =>
        context.route('**/api/arco/personal', async (route) => {
          const answer = await route.fetch();
          const body = (await answer.json()) as { data: object };
          await route.fulfill({
            response: answer,
            json: { ...body, data: { ...body.data, role: 'stranger' } },
          });
        }),
    });
    await shows(notFound(page));
    await expect.poll(() => mainMenu(page).getByRole('link').count()).toBe(0);
  });

  inBrowser(
    'an unknown address shows not-found within the console and offers ways on',
    async ({ open }) => {
      const { page } = await open({ role: 'user', path: '/no/such/page' });
      await shows(notFound(page));
      await expect.poll(() => page.title()).toBe('页面不存在 · 驿站 Waystation');
      await expect.poll(() => tabBar(page).getByRole('link').count()).toBe(1);
      await page.getByRole('button', { name: '返回工作台' }).last().click();
      await arrives(page, landing);
    },
  );

  inBrowserDaily('/redirect/:path opens the path afresh and is never a tab', async ({ open }) => {
    const { page } = await open({ role: 'user', path: '/model/expresses' });
    const list = shownPage(page, 'ExpressTable');
    await shows(list);
    await list.evaluate((box) => box.setAttribute('data-seen', ''));
    await goTo(page, '/redirect/model/expresses?tab=signed');
    await arrives(page, '/model/expresses?tab=signed');
    await expect.poll(() => list.getAttribute('data-seen')).toBe(null);
    await expect
      .poll(() => hrefsIn(tabBar(page)))
      .toEqual([`#${landing}`, '#/model/expresses?tab=signed']);
  });

  inBrowser(
    'the wanted screen and query of a user who is not logged in pass through login and open after it',
    async ({ open }) => {
      const { page } = await open({ path: '/model/expresses?tab=signed&size=50' });
      await arrives(page, '/login?tab=signed&size=50&redirect=ExpressTable');
      await page.getByRole('button', { name: /clerk/ }).click();
      await page.getByRole('button', { name: '登录', exact: true }).click();
      await arrives(page, '/model/expresses?tab=signed&size=50');
      await shows(shownPage(page, 'ExpressTable'));
    },
  );

  inBrowserDaily('an address typed over the login page’s opens after login', async ({ open }) => {
    const { page } = await open({ path: '/login' });
    await shows(page.getByRole('button', { name: '登录', exact: true }));
    await page.evaluate(() => (window.location.hash = '#/model/expresses?tab=signed'));
    await arrives(page, '/login?tab=signed&redirect=ExpressTable');
    await page.getByRole('button', { name: /clerk/ }).click();
    await page.getByRole('button', { name: '登录', exact: true }).click();
    await arrives(page, '/model/expresses?tab=signed');
  });

  for (const foreign of withDaily(
    ['https://example.com'],
    ['//example.com/model/expresses', 'javascript:alert(1)', 'Nowhere', '/model/expresses'],
  ))
    inBrowser(`the login does not redirect to ${foreign}`, async ({ open }) => {
      const { page } = await open({ path: `/login?redirect=${encodeURIComponent(foreign)}` });
      await page.getByRole('button', { name: /clerk/ }).click();
      await page.getByRole('button', { name: '登录', exact: true }).click();
      await arrives(page, landing);
    });

  inBrowserDaily(
    'the user info is fetched before the first screen is judged, once',
    async ({ open }) => {
      const methods: string[] = [];
      const { page } = await open({
        role: 'partner',
        path: '/model/expresses',
        before: async (context) => {
          context.on(
            'request',
            (request) =>
              request.url().endsWith('/api/arco/personal') && methods.push(request.method()),
          );
        },
      });
      await shows(shownPage(page, 'ExpressTable'));
      await goTo(page, landing);
      await shows(shownPage(page, 'Workplace'));
      expect(methods).toEqual(['GET']);
    },
  );

  inBrowserDaily('login while logged in leads on to the console', async ({ open }) => {
    const { page } = await open({ role: 'user', path: '/login?redirect=ExpressTable&tab=signed' });
    await arrives(page, '/model/expresses?tab=signed');
  });
});
