import type { Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { gone, goTo, inBrowserDaily, shows } from './browser.ts';
import { mayOpen, screens } from './screen-table.ts';
import { closeTab, shownPage } from './shell.ts';
import { unique } from './typed-orders.ts';
import { password, wireOf } from './wire.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * The names of fields that have one of several known values. A newer server may send values that
 * are not known here.
 */
const kinds = new Set(
  (
    'status kind type provider state_code bucket decision driver result exception stopped_by ' +
    'events scopes pace offer_rule because error source confirming phase format percent_type'
  ).split(' '),
);

const isMadeOf = (value: Json): boolean =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Replaces a value with an unknown value of the same type. Keeps flags and empty values. */
const unknownOf = (value: Json): Json => {
  if (typeof value === 'string') return value === '' ? value : 'unknown_value';
  if (typeof value === 'number') return value > 1 ? 777 : value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return [...value, 'unknown_value'];
  return value;
};

const withUnknown = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withUnknown);
  if (!isMadeOf(value)) return value;
  return Object.fromEntries(
    Object.entries(value as Record<string, Json>).map(([key, one]) => [
      key,
      kinds.has(key) && !isMadeOf(one) ? unknownOf(one) : withUnknown(one),
    ]),
  );
};

/**
 * True if a response is about the session or the settings. These responses are not changed, because
 * the console would otherwise show nothing.
 */
const isOfSession = (url: string): boolean =>
  /\/(user|login|preferences|about|events|permission|menu)\b/.test(url);

const answerUnknown = async (route: Route): Promise<void> => {
  const request = route.request();
  if (request.method() !== 'GET' || isOfSession(request.url())) return route.continue();
  const response = await route.fetch();
  if (!(response.headers()['content-type'] ?? '').includes('json'))
    return route.fulfill({ response });
  const body = (await response.json()) as { data: Json };
  await route.fulfill({ response, json: { ...body, data: withUnknown(body.data) } });
};

/**
 * The screens whose lists have rows that can be opened, each with the endpoint that returns the
 * rows. The first row is opened too.
 */
const sources: Readonly<Record<string, string>> = {
  ExpressTable: 'expresses',
  PrintTable: 'prints',
  HandoverTable: 'handovers',
  OutcomeTable: 'outcomes',
  StatementTable: 'statements',
  StationTable: 'stations',
  MerchantTable: 'merchants',
  CargoTable: 'cargos',
  VoucherTable: 'vouchers',
  ProjectTable: 'projects',
  PromiseTable: 'promises',
  ContactTable: 'contacts',
  AccountTable: 'users',
  AuditLog: 'audit',
};

describe('values of a newer server (requirements §8)', () => {
  inBrowserDaily(
    'every screen and its drawer show a value that they do not know, instead of breaking',
    async ({ open }) => {
      const office = await wireOf('super');
      const owner = await wireOf('admin');
      const hook = await owner.post<{ webhook: { id: number } }>('/api/arco/webhooks', {
        name: unique(),
        url: 'https://hooks.example.invalid/',
        events: ['parcel.signed'],
        station_id: null,
        with_below: 0,
        password,
      });
      const { page } = await open({
        role: 'super',
        before: (context) => context.route('**/api/arco/**', answerUnknown),
      });
      const broken: Record<string, string> = {};
      page.on('pageerror', (error) => {
        broken[page.url().replace(/^.*#/, '')] = error.message;
      });
      const look = async (name: string, path: string): Promise<void> => {
        await goTo(page, path);
        const heading = /[?&]id=/.test(path)
          ? page.getByRole('dialog').getByRole('heading', { level: 2 })
          : shownPage(page, name).getByRole('heading', { level: 1 });
        await shows(heading.first());
        const busy = page.locator('[aria-busy=true]:visible, [role=progressbar]:visible');
        await expect.poll(() => busy.count()).toBe(0);
        for (const text of await shownPage(page, name).locator('pre').allInnerTexts())
          if (/^\w*Error: /.test(text)) broken[path] = text;
      };
      for (const { name, path } of screens.filter((one) => mayOpen(one, 'super') && !one.hidden)) {
        await look(name, path);
        const source = sources[name];
        const { items } = source
          ? await office.get<{ items: { id: number }[] }>(`/api/arco/${source}?page_size=1`)
          : { items: [] };
        const record =
          name === 'Integrations' ? `?of=webhooks&id=${hook.webhook.id}` : `?id=${items[0]?.id}`;
        if (items[0] || name === 'Integrations') {
          await look(name, `${path}${record}`);
          await goTo(page, path);
          await gone(page.getByRole('dialog'));
        }
        if (name !== 'Workplace') await closeTab(page);
      }
      await owner.post(`/api/arco/webhooks/${hook.webhook.id}/remove`, {});
      expect(broken, JSON.stringify(broken, null, 1)).toEqual({});
    },
  );
});
