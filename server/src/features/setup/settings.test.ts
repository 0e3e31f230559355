import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SettingRow } from '@waystation/contract/shell/setting-calls.ts';
import { settingNames, settings } from '@waystation/contract/shell/settings.ts';
import type { SettingName } from '@waystation/contract/shell/settings.ts';
import { createApi } from '#api.ts';
import { recordSetup } from '#domain/second-person/second-person.ts';
import { applyRaises } from './settings.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { readSetting } from '#platform/settings.ts';
import { scope } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const day = 24 * 3_600_000;
let app: TestApp;
let http: FastifyInstance;

interface Person {
  id: number;
}
const people: Record<string, Person> = {};

interface Answer<T> {
  status: number;
  data: T & {
    code?: string;
    params?: Record<string, unknown>;
    fields?: Record<string, unknown>;
    current?: SettingRow;
  };
}

const call = async <T>(
  who: string,
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  payload?: object,
): Promise<Answer<T>> => {
  const token = await app.db.tx(scope, (work) =>
    openSession(work, {
      account_id: people[who]!.id,
      address: '',
      user_agent: '',
      now: app.clock.now(),
      limits: app.config.session,
    }),
  );
  const answer = await http.inject({
    method,
    url: `/api/arco/settings${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, data: answer.json<{ data: Answer<T>['data'] }>().data };
};
const shown = async (name: SettingName): Promise<SettingRow> =>
  (await call<{ items: SettingRow[] }>('boss', 'GET', '')).data.items.find(
    (row) => row.name === name,
  )!;
const change = async (name: SettingName, value: unknown): Promise<Answer<SettingRow>> =>
  call('boss', 'PATCH', `/${name}`, { value, version: (await shown(name)).version });
const rows = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await app.db.tx(scope, (work) => text.execute(work.tx))).rows;
const openAlerts = (): Promise<{ params: Record<string, unknown> }[]> =>
  rows(sql<{ params: Record<string, unknown> }>`select params from alerts
    where code = 'limit_raise_waits' and closed_at is null order by id`);

beforeAll(async () => {
  app = await createTestApp();
  http = await createApi(app, { checkOutput: true });
  for (const [name, role] of Object.entries({ boss: 'super', admin: 'admin', tied: 'admin' }))
    people[name] = { id: await addAccount(app.db, role) };
  await app.db.tx(scope, (work) =>
    recordSetup(work, {
      account_id: people['tied']!.id,
      by: people['boss']!.id,
      what: ['role'],
      at: app.clock.now(),
    }),
  );
});
afterAll(async () => {
  await http.close();
  await app.close();
});

it('only super admins can read and change settings, each of which has a value and a version', async () => {
  const { data } = await call<{ items: SettingRow[] }>('boss', 'GET', '');
  expect(data.items.map(({ name }) => name)).toEqual(settingNames);
  expect(data.items[0]).toEqual({
    name: 'northeast_provinces',
    value: settings.northeast_provinces.default,
    version: 0,
    updated_at: null,
    username: null,
    raise: null,
  });
  expect((await call('admin', 'GET', '')).status).toBe(403);
  expect((await call('admin', 'PATCH', '/max_weight', { value: 1_000, version: 0 })).status).toBe(
    403,
  );
});

it('a setting changes at once with an audit row, and a value outside its bounds or an outdated version is refused', async () => {
  expect(await change('max_weight', 1_000)).toMatchObject({
    status: 200,
    data: { value: 1_000, version: 1 },
  });
  expect(await change('max_weight', 1_000_000)).toMatchObject({
    status: 200,
    data: { value: 1_000_000, version: 2 },
  });
  for (const value of [999, 1_000_001, 1.5, '5000'])
    expect((await change('max_weight', value)).data.fields, String(value)).toMatchObject({
      value: { params: { min: 1_000, max: 1_000_000 } },
    });
  expect((await change('proof_time', '24:00')).data.fields).toHaveProperty('value');
  expect(await change('proof_time', '23:59')).toMatchObject({ data: { value: '23:59' } });
  expect(await change('northeast_provinces', ['210000'])).toMatchObject({
    data: { value: ['210000'] },
  });
  expect(await call('boss', 'PATCH', '/max_weight', { value: 2_000, version: 1 })).toMatchObject({
    status: 409,
    data: { code: 'version_conflict', current: { value: 1_000_000, version: 2 } },
  });
  expect(
    await rows(sql`select changes from audit_log where subject = 'settings' order by id
    limit 1`),
  ).toEqual([{ changes: { max_weight: [50_000, 1_000] } }]);
});

it('changing the payment account shows the new account to stations and raises an alert for another administrator', async () => {
  const account = '户名：示例物流\n账号：0000 1111';
  expect((await change('payment_account', '长'.repeat(301))).data.fields).toHaveProperty('value');
  expect(await change('payment_account', ` ${account} `)).toMatchObject({
    data: { value: account, raise: null },
  });
  people['station'] = { id: await addAccount(app.db, 'station', await addStation(app.db)) };
  expect(await call('station', 'GET', '/payment-account')).toMatchObject({
    status: 200,
    data: { text: account },
  });
  expect(
    await rows(sql`select account_id from alerts where code = 'payment_account_changed'
    and closed_at is null`),
  ).toEqual([{ account_id: people['boss']!.id }]);
});

it('adding a known fee code raises an alert for another administrator, and removing a code does not', async () => {
  const announced = () =>
    rows(sql`select account_id, params from alerts where code = 'fee_codes_added' order by id`);
  expect(await change('known_fee_codes', 'QIPSF\nwaji')).toMatchObject({ status: 200 });
  expect(await announced()).toMatchObject([
    {
      account_id: people['boss']!.id,
      params: { codes: 'QIPSF, WAJI', count: 2 },
    },
  ]);
  await change('known_fee_codes', 'WAJI');
  await change('known_fee_codes', 'waji, ');
  expect(await announced()).toHaveLength(1);
  await change('known_fee_codes', Array.from({ length: 12 }, (_, no) => `A${no}`).join('、'));
  expect((await announced())[1]).toMatchObject({
    params: { codes: 'A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11', count: 12 },
  });
  const long = Array.from({ length: 25 }, (_, no) => `LONGCODE${no}`);
  await change('known_fee_codes', long.join(','));
  expect((await announced())[2]).toMatchObject({
    params: { codes: `${long.slice(0, 11).join(', ')}, …`, count: 25 },
  });
  await change('known_fee_codes', 'X'.repeat(200));
  expect((await announced())[3]).toMatchObject({
    params: { codes: `${'X'.repeat(120)}…`, count: 1 },
  });
});

it('a lower money limit applies at once; a higher limit applies 24 hours later and raises an alert', async () => {
  expect(await change('top_up_limit', 4_000_000)).toMatchObject({
    data: { value: 4_000_000, raise: null },
  });
  expect(await change('top_up_limit', 4_000_001)).toMatchObject({
    data: {
      value: 4_000_000,
      raise: { amount_after: 4_000_001, effective_at: '2026-03-03T02:00:00.000Z' },
    },
  });
  expect(await openAlerts()).toMatchObject([
    { params: { before_amount: 4_000_000, after_amount: 4_000_001, time: '2026-03-03 10:00' } },
  ]);
  app.clock.advance(day - 1);
  await applyRaises(app);
  expect((await shown('top_up_limit')).value).toBe(4_000_000);
  app.clock.advance(1);
  await applyRaises(app);
  expect(await shown('top_up_limit')).toMatchObject({ value: 4_000_001, raise: null });
  expect(
    await rows(sql`select 1 as n from audit_log
    where action = 'apply_raise'`),
  ).toHaveLength(1);
});

it.each([
  ['charge_weight_times', [2, 3, 4], { code: 'count_limit_raise_waits', params: { after: 4 } }],
  [
    'charge_weight_over',
    [2_000, 3_000, 4_000],
    { code: 'weight_limit_raise_waits', params: { before_weight: 2_000, after_weight: 4_000 } },
  ],
  [
    'charge_least_amount',
    [500, 600, 700],
    { code: 'limit_raise_waits', params: { before_amount: 500, after_amount: 700 } },
  ],
] as const)(
  'a lower limit %s of a carrier’s charges applies at once, and a higher limit applies when a second person confirms it',
  async (name, [low, withdrawn, high], alert) => {
    expect(await change(name, low)).toMatchObject({ data: { value: low, raise: null } });
    const first = (await change(name, withdrawn)).data;
    expect(first).toMatchObject({ value: low, raise: { amount_after: withdrawn } });
    const { raise } = (await change(name, high)).data;
    expect(
      await rows(sql`select code, params from alerts where closed_at is null
        and (params ->> 'raise_id')::bigint = ${raise!.id}`),
    ).toMatchObject([alert]);
    expect((await call('boss', 'POST', `/raises/${raise!.id}/confirm`, {})).status).toBe(403);
    expect((await shown(name)).value).toBe(low);
    expect((await call('admin', 'POST', `/raises/${raise!.id}/confirm`, {})).status).toBe(200);
    expect((await shown(name)).value).toBe(high);
  },
);

it.each([
  ['audit_days', [4_000, 365]],
  ['closed_alert_days', [400, 90]],
  ['carrier_push_days', [200, 90]],
] as const)(
  'a longer retention of evidence (%s) applies at once; a shorter one applies after 24 hours or a second person’s confirmation, and raises an alert',
  async (name, [more, fewer]) => {
    expect(await change(name, more)).toMatchObject({ data: { value: more, raise: null } });
    expect((await change(name, 89)).data.fields).toHaveProperty('value');
    const first = (await change(name, fewer)).data;
    expect(first).toMatchObject({ value: more, raise: { amount_after: fewer } });
    expect(
      await rows(sql`select code, account_id, params from alerts where closed_at is null
        and (params ->> 'raise_id')::bigint = ${first.raise!.id}`),
    ).toMatchObject([
      {
        code: 'shorter_retention_waits',
        account_id: people['boss']!.id,
        params: { before: more, after: fewer },
      },
    ]);
    expect((await call('boss', 'POST', `/raises/${first.raise!.id}/confirm`, {})).status).toBe(403);
    expect((await call('tied', 'POST', `/raises/${first.raise!.id}/cancel`, {})).status).toBe(200);
    await change(name, fewer);
    app.clock.advance(day - 1);
    await applyRaises(app);
    expect((await shown(name)).value).toBe(more);
    app.clock.advance(1);
    await applyRaises(app);
    expect(await shown(name)).toMatchObject({ value: fewer, raise: null });
    expect(await change(name, more)).toMatchObject({ data: { value: more, raise: null } });
    const { raise } = (await change(name, fewer)).data;
    expect((await call('admin', 'POST', `/raises/${raise!.id}/confirm`, {})).status).toBe(200);
    expect((await shown(name)).value).toBe(fewer);
    const actions = await rows(sql<{ action: string }>`select action from audit_log
      where subject = 'settings' and changes ? ${name} order by id`);
    expect(actions.map(({ action }) => action)).toEqual(
      'edit request_cut cancel_cut request_cut apply_cut edit request_cut confirm_cut'.split(' '),
    );
  },
);

it('a higher money limit applies at once if an independent second person raises it', async () => {
  const { raise } = (await change('given_alone_limit', 60_000)).data;
  const confirm = (who: string) => call(who, 'POST', `/raises/${raise!.id}/confirm`, {});
  expect(await confirm('boss')).toMatchObject({
    status: 403,
    data: { code: 'second_person_required' },
  });
  expect(await confirm('tied')).toMatchObject({
    status: 403,
    data: { code: 'second_person_tied' },
  });
  expect(await confirm('admin')).toMatchObject({ status: 200 });
  expect(await app.db.tx(scope, (work) => readSetting(work, 'given_alone_limit'))).toBe(60_000);
  expect(await confirm('admin')).toMatchObject({
    status: 409,
    data: { code: 'raise_not_waiting' },
  });
});

it('a planned increase of a money limit is dropped if an administrator withdraws it or another change replaces it', async () => {
  const first = (await change('given_alone_limit', 70_000)).data.raise!;
  expect((await call('tied', 'POST', `/raises/${first.id}/cancel`, {})).status).toBe(200);
  const second = (await change('given_alone_limit', 80_000)).data.raise!;
  const third = (await change('given_alone_limit', 90_000)).data.raise!;
  expect((await call('admin', 'POST', `/raises/${second.id}/confirm`, {})).data.code).toBe(
    'raise_not_waiting',
  );
  expect((await shown('given_alone_limit')).raise).toMatchObject({
    id: third.id,
    amount_after: 90_000,
  });
  expect(await change('given_alone_limit', 50_000)).toMatchObject({
    data: { value: 50_000, raise: null },
  });
  app.clock.advance(2 * day);
  await applyRaises(app);
  expect((await shown('given_alone_limit')).value).toBe(50_000);
});
