import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { goTo, inBrowser, inBrowserDaily, shows } from './browser.ts';
import { withDaily } from './daily.ts';
import { shownPage } from './shell.ts';
import { wireOf } from './wire.ts';
import type { Role } from './wire.ts';

// Tests that every field of the contract and of requirements §3 is shown on a screen (requirements
// §10.15). The tests read the fields from these two, so that they fail if a new field is not shown.

const root = join(import.meta.dirname, '..', '..');

const contract = async (file: string, name: string): Promise<string[]> => {
  const module = (await import(
    pathToFileURL(join(root, 'contract', 'src', file.replace(/ts$/, 'schema.ts'))).href
  )) as Record<string, { shape: object }>;
  return Object.keys(module[name]!.shape);
};

/** The names of an entity's fields, read from the lines of requirements §3 with these numbers. */
const specified = (...rows: string[]): string[] => {
  const lines = readFileSync(join(root, 'docs', 'requirements.md'), 'utf8').split('\n');
  return rows.flatMap((row) => {
    const line = lines.find((one) => one.startsWith(`- ${row} `))!;
    const fields = line.slice(line.indexOf(': '), line.lastIndexOf(' ['));
    return Array.from(fields.matchAll(/`(\w+)`/g), ([, name]) => name!);
  });
};

/**
 * Fields that are never shown, because they describe an edit of the row or the user who reads it.
 */
const never = new Set(['version', 'phones_shown']);

/** The names of the fields that the open drawer shows on any of its tabs. */
const shownIn = async (page: Page): Promise<Set<string>> => {
  const drawer = page.getByRole('dialog');
  await shows(drawer.locator('[data-field]').first());
  return new Set(
    await drawer
      .locator('[data-field]')
      .evaluateAll((all) =>
        all.flatMap((each) => (each as HTMLElement).dataset['field']!.split(' ')),
      ),
  );
};

const firstId = async (role: Role, path: string): Promise<number> =>
  (await (await wireOf(role)).get<{ items: { id: number }[] }>(`/api/arco/${path}`)).items[0]!.id;

/**
 * A record that this test opens. `apart` contains the fields that the drawer does not show under
 * their own names, each with the place where it is shown.
 */
interface Entity {
  screen: string;
  list: string;
  file: string;
  name: string;
  rows: string[];
  apart?: Record<string, string>;
}

const entities: Record<string, Entity> = {
  goods: {
    screen: '/model/cargos',
    list: 'cargos',
    file: 'parcels/cargo.ts',
    name: 'cargo',
    rows: ['3.11'],
  },
  insurance: {
    screen: '/model/guarantees',
    list: 'guarantees',
    file: 'money/guarantee.ts',
    name: 'guarantee',
    rows: ['3.8'],
  },
  'carrier account': {
    screen: '/model/merchants',
    list: 'merchants',
    file: 'network/merchant.ts',
    name: 'merchant',
    rows: ['3.9'],
    apart: {
      secret_tails: 'the facts of each secret',
      customer_code_fixed: 'the form, which locks the code',
    },
  },
  'freight scheme': {
    screen: '/model/projects',
    list: 'projects',
    file: 'network/project.ts',
    name: 'projectDetails',
    rows: ['3.12'],
  },
  'delivery time': {
    screen: '/model/promises',
    list: 'promises',
    file: 'parcels/promise.ts',
    name: 'promise',
    rows: ['3.13'],
  },
  statement: {
    screen: '/model/statements',
    list: 'statements',
    file: 'money/statement.ts',
    name: 'statement',
    rows: ['3.14'],
  },
  station: {
    screen: '/model/stations',
    list: 'stations',
    file: 'network/station.ts',
    name: 'station',
    rows: ['3.15'],
  },
  'freight template': {
    screen: '/model/vouchers',
    list: 'vouchers',
    file: 'money/voucher.ts',
    name: 'voucher',
    rows: ['3.16'],
  },
  account: {
    screen: '/system/users',
    list: 'users',
    file: 'people/account.ts',
    name: 'account',
    rows: [],
    apart: { avatar: 'a picture of its owner’s own profile', created_at: 'registered_at' },
  },
};

describe('every field is on a screen (requirements §10.15)', () => {
  inBrowser(
    'every field of each record that super opens is shown beside its list',
    async ({ open }) => {
      const missing: Record<string, string[]> = {};
      const { page } = await open({ role: 'super', path: '/dashboard/workplace' });
      for (const [what, { screen, list, file, name, rows, apart = {} }] of Object.entries(
        entities,
      )) {
        await goTo(page, `${screen}?id=${await firstId('super', list)}`);
        const shown = await shownIn(page);
        const wanted = new Set([...specified(...rows), ...(await contract(file, name))]);
        missing[what] = [...wanted].filter(
          (field) => !shown.has(field) && !never.has(field) && !Object.hasOwn(apart, field),
        );
        await page.keyboard.press('Escape');
        await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      }
      expect(missing).toEqual(Object.fromEntries(Object.keys(entities).map((what) => [what, []])));
    },
  );

  inBrowserDaily('every field of the user is shown on the profile', async ({ open }) => {
    const { page } = await open({ role: 'station', path: '/system/profile' });
    const profile = shownPage(page, 'Profile');
    await shows(profile.locator('[data-field]').first());
    const shown = new Set(
      await profile
        .locator('[data-field], input[name]')
        .evaluateAll((all) =>
          all.flatMap((each) =>
            ((each as HTMLElement).dataset['field'] ?? (each as HTMLInputElement).name).split(' '),
          ),
        ),
    );
    // `must_change` and `needs_second_factor` lead to a page that is shown before all others.
    // `storage_key` is a secret that no screen shows.
    const elsewhere = new Set(['must_change', 'needs_second_factor', 'storage_key']);
    const wanted = new Set([
      ...specified('3.1'),
      ...(await contract('people/session.ts', 'currentUser')),
    ]);
    expect([...wanted].filter((field) => !shown.has(field) && !elsewhere.has(field))).toEqual([]);
  });

  for (const role of withDaily(['super'] as const, ['partner', 'user'] as const))
    inBrowser(
      `every field of a parcel that ${role} receives is in its details, a column, and in an export`,
      async ({ open }) => {
        const wire = await wireOf(role);
        const id = await firstId(role, 'expresses?tab=signed');
        const answered = await wire.get<Record<string, unknown>>(`/api/arco/expresses/${id}`);
        const known = new Set([
          ...specified('3.2', '3.3', '3.4', '3.5', '3.6', '3.7'),
          ...(await contract('parcels/express.ts', 'express')),
        ]);
        const wanted = [...known].filter(
          (field) => Object.hasOwn(answered, field) && !never.has(field),
        );
        expect(Object.keys(answered).filter((field) => !known.has(field))).toEqual([]);
        if (role === 'super')
          expect([...known].filter((field) => !Object.hasOwn(answered, field))).toEqual([]);

        const { page } = await open({ role, path: `/model/expresses?id=${id}&view=details` });
        const details = page.getByRole('dialog').locator('[data-field]');
        await shows(details.first());
        const facts = new Map(
          await details.evaluateAll((all) =>
            all.map(
              (each) =>
                [(each as HTMLElement).dataset['field']!, (each as HTMLElement).innerText] as const,
            ),
          ),
        );
        // Fields without a column of their own. A name is shown in the column of its id, and a
        // reason in the column of its text.
        const beside: Record<string, string> = {
          station_name: 'station_id',
          user_nickname: 'user_id',
          promise_name: 'promise_id',
          cancel_nickname: 'cancel_uid',
          print_nickname: 'print_uid',
          project_name: 'project_id',
          voucher_name: 'voucher_id',
          state_reason: 'state_remark',
          weight_reason: 'weight_message',
          // The chosen account is shown beside the account that the order uses.
          chosen_code: 'customer_code',
        };
        expect(wanted.filter((field) => !facts.has(beside[field] ?? field))).toEqual([]);
        const empty = (value: unknown): boolean =>
          value === null ||
          value === '' ||
          value === 0 ||
          (Array.isArray(value) && value.length === 0);
        expect(
          wanted.filter(
            (field) => !empty(answered[field]) && facts.get(beside[field] ?? field) === '—',
          ),
        ).toEqual([]);
        for (const [name, of] of Object.entries(beside))
          if (name.endsWith('_name') && typeof answered[name] === 'string')
            expect(facts.get(of)).toContain(answered[name]);
        await page.keyboard.press('Escape');

        const list = shownPage(page, 'ExpressTable');
        await list.getByRole('button', { name: '列设置' }).click();
        const settings = page.getByRole('dialog', { name: '列设置' });
        const columns = await settings.getByRole('checkbox').count();
        expect(columns).toBeGreaterThanOrEqual(35);
        await settings.getByRole('button', { name: '跟单' }).click();
        await shows(list.getByRole('columnheader', { name: '预分拣结果' }));
        await page.keyboard.press('Escape');

        // By default a clerk is not allowed to export.
        if (role === 'user')
          return void expect(await list.getByRole('button', { name: '导出' }).count()).toBe(0);
        await list.getByRole('button', { name: '导出' }).click();
        const dialog = page.getByRole('dialog', { name: '导出' });
        await dialog.getByRole('button', { name: /^全部 \d+ 个字段$/ }).click();
        const exportRequest = page.waitForRequest((request) =>
          request.url().endsWith('/api/arco/exports'),
        );
        await dialog.getByRole('button', { name: '导出', exact: true }).click();
        const exported = new Set(
          (
            JSON.parse((await exportRequest).postData()!) as { columns: { key: string }[] }
          ).columns.map(({ key }) => key),
        );
        // These fields contain objects. The exported columns contain their texts, except that only
        // the drawer shows the label data and only the form shows the chosen account.
        const structured = new Set(['state_reason', 'weight_reason', 'print_data', 'chosen_code']);
        expect(wanted.filter((field) => !exported.has(field) && !structured.has(field))).toEqual(
          [],
        );
      },
    );
});
