import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Inbox } from '@waystation/contract/shell/inbox.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import type { StationSetup } from '@waystation/contract/network/station-setup.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { runTask } from '#testing/run-task.ts';

const base = '/api/arco/stations';
let api: TestApi;
let tokens: Tokens;
let project_id: number;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  project_id = (
    await api.rows(sql<{ id: number }>`select id from projects order by id
    limit 1`)
  )[0]!.id;
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.rows(sql`delete from inbox_notices`);
  await api.rows(sql`delete from inbox_entries`);
  await api.rows(sql`update station_setups set ended_at = now()`);
  tokens = await api.loginAll();
});

const place = { province: '广东省', city: '深圳市', county: '南山区', address: '示例路9号' };
let made = 0;
const add = async (token: string, terms: object = {}): Promise<Station> => {
  const { status, data } = await api.call<Station>(token, 'POST', base, {
    name: `新网点 ${++made}`,
    guided: 1,
    ...terms,
  });
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
};
const read = async (id: number, token = tokens.super): Promise<StationSetup> =>
  (await api.call<StationSetup>(token, 'GET', `${base}/${id}/setup`)).data;
const states = ({ steps }: StationSetup): string => steps.map(({ state }) => state[0]).join('');
const open = async (token: string): Promise<StationSetup[]> =>
  (await api.call<{ items: StationSetup[] }>(token, 'GET', `${base}/setups`)).data.items;
const run = async (...names: string[]): Promise<void> => {
  for (const name of names) await runTask(api.app, name);
};
const edit = async (id: number, values: object): Promise<void> => {
  const { version } = (await api.call<Station>(tokens.super, 'GET', `${base}/${id}`)).data;
  expect(
    (await api.call(tokens.super, 'PATCH', `${base}/${id}`, { version, ...values })).status,
  ).toBe(200);
};
const topUp = (id: number, amount: number) =>
  api.call<{ id: number; status: string }>(
    { token: tokens.super, headers: { 'idempotency-key': crypto.randomUUID() } },
    'POST',
    `${base}/${id}/top-ups`,
    { amount, description: '首次充值' },
  );
const setupEntries = async (token: string) =>
  (await api.call<Inbox>(token, 'GET', '/api/arco/inbox')).data.items.filter(
    ({ kind }) => kind === 'setup',
  );

describe('the guide of a new station', () => {
  it('a step of the new-station guide is done when its data is complete; the last step ends the guide and notifies its starter', async () => {
    const { id, name } = await add(tokens.super);
    expect(await read(id)).toMatchObject({
      station_name: name,
      started_by: 'super',
      mine: 1,
      is_open: 1,
      done: 0,
      price: null,
      parcel: null,
    });
    expect(states(await read(id))).toBe('oooooo');
    await edit(id, place);
    expect(states(await read(id))).toBe('dooooo');
    await edit(id, { project_id });
    const priced = await read(id);
    expect(states(priced)).toBe('dddooo');
    expect(priced.price).toMatchObject({ receive_province: '广东省', weight: 1_000 });
    expect(priced.price!.post_amount).toBeGreaterThan(0);
    const created = await api.call(tokens.super, 'POST', '/api/arco/users', {
      username: `manager-${id}`,
      role: 'station',
      station_id: id,
    });
    expect(created.status).toBe(200);
    expect(await read(id)).toMatchObject({ accounts: 1, username: `manager-${id}` });
    expect(states(await read(id))).toBe('ddddoo');
    await topUp(id, 100_000);
    expect(await read(id)).toMatchObject({ top_up: { amount: 100_000, requested_by: null } });
    const parcel = await api.call<{ id: number; order_id: string }>(
      tokens.super,
      'POST',
      '/api/arco/expresses',
      exampleOrder({ station_id: id, wait: 0 }),
    );
    const sent = await read(id);
    expect(states(sent)).toBe('dddddw');
    expect(sent.parcel).toEqual({
      id: parcel.data.id,
      number: parcel.data.order_id,
      state_code: 20,
    });
    await run('note_setups', 'deliver_inbox');
    expect((await setupEntries(tokens.super))[0]).toMatchObject({
      subject_id: id,
      setup: { done: 5, steps: 6, next: 'parcel', is_open: 1 },
    });

    await api.rows(sql`update expresses set delivery_id = ${`JDX${id}`}, state_code = 100
      where id = ${parcel.data.id}`);
    expect(await read(id)).toMatchObject({ done: 6, is_open: 1, parcel: { number: `JDX${id}` } });
    await run('note_setups', 'deliver_inbox');
    expect(await read(id)).toMatchObject({ done: 6, is_open: 0 });
    expect(await open(tokens.super)).toEqual([]);
    expect((await setupEntries(tokens.super))[0]).toMatchObject({
      setup: { done: 6, next: null, is_open: 0 },
    });
  });

  it('a step of a new station’s guide becomes open again if its data is removed, because the steps are not stored as flags', async () => {
    const { id } = await add(tokens.admin, { ...place, project_id });
    await api.call(tokens.super, 'POST', '/api/arco/users', {
      username: `clerk-${id}`,
      role: 'user',
      station_id: id,
    });
    expect(states(await read(id))).toBe('ddddoo');
    await api.rows(sql`update accounts set status = 0 where station_id = ${id}`);
    expect(states(await read(id))).toBe('dddooo');
    await edit(id, { project_id: null });
    expect(states(await read(id))).toBe('dooooo');
    await api.call(tokens.super, 'POST', `${base}/${id}/status`, { status: 0 });
    expect((await read(id)).steps[0]).toEqual({
      step: 'station',
      state: 'open',
      reason: { code: 'station_disabled' },
    });
  });

  it('the price step of a new station’s guide stays open and shows the reason while no delivery time has a price for the station', async () => {
    const { id } = await add(tokens.super, { ...place, project_id });
    await api.rows(sql`update merchants set status = 0`);
    expect((await read(id)).steps[2]).toMatchObject({
      step: 'price',
      state: 'open',
      reason: { code: 'no_merchant' },
    });
    await api.rows(sql`update merchants set status = 1`);
    expect((await read(id)).steps[2]!.state).toBe('done');
  });

  it('in a new station’s guide, the top-up step waits while a top-up needs approval, and is done if the station is post-paid', async () => {
    const { id } = await add(tokens.admin, { ...place, project_id });
    const { data } = await topUp(id, 5_000_001);
    expect(data.status).toBe('pending');
    const waiting = await read(id);
    expect(waiting.steps[4]).toMatchObject({ state: 'waiting' });
    expect(waiting.top_up).toEqual({ id: data.id, amount: 5_000_001, requested_by: 'super' });
    await api.call(tokens.admin, 'POST', `/api/arco/statements/${data.id}/decline`, {
      reason: '金额有误',
    });
    expect(await read(id)).toMatchObject({ top_up: null });
    await edit(id, { has_amount: 0, reason: '月结客户' });
    expect((await read(id)).steps[4]!.state).toBe('done');
  });

  it('a partner sees setup guides only of stations below its own, and does not see which administrator works on a guide', async () => {
    const own = await add(tokens.partner, place);
    expect(await read(own.id, tokens.partner)).toMatchObject({
      mine: 1,
      is_open: 1,
      started_by: 'partner',
      has_amount: 1,
    });
    const theirs = await add(tokens.super, { parent_id: api.station('nanshan').id });
    const others = await add(tokens.super, { parent_id: api.station('east').id });
    const listed = await open(tokens.partner);
    expect(
      listed.map(({ station_id, mine, started_by }) => [station_id, mine, started_by]),
    ).toEqual([
      [own.id, 1, 'partner'],
      [theirs.id, 0, null],
    ]);
    expect((await api.call(tokens.partner, 'GET', `${base}/${others.id}/setup`)).status).toBe(404);
    expect(
      (await api.call(tokens.partner, 'POST', `${base}/${others.id}/setup/end`, {})).status,
    ).toBe(404);
    expect(
      (await api.call(tokens.partner, 'POST', `${base}/${api.station('south').id}/setup`, {}))
        .status,
    ).toBe(403);
    expect((await api.call(tokens.station, 'GET', `${base}/setups`)).status).toBe(403);
  });

  it('a new station’s guide is begun once even by two users at once, ended by any user in scope, and can be begun again', async () => {
    const { id } = await add(tokens.super, { guided: 0 });
    expect(await read(id)).toMatchObject({ is_open: 0, started_by: null });
    const both = await Promise.all(
      [tokens.super, tokens.admin].map((token) =>
        api.call<StationSetup>(token, 'POST', `${base}/${id}/setup`, {}),
      ),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]!.data.started_by).toBe(both[1]!.data.started_by);
    const entries = async () =>
      (
        await api.rows(sql<{ action: string }>`select action from audit_log
        where subject = 'stations' and subject_id = ${id} order by id`)
      ).map(({ action }) => action);
    expect(await entries()).toEqual(['create', 'begin_setup']);
    await api.call(tokens.admin, 'POST', `${base}/${id}/setup/end`, {});
    await api.call(tokens.super, 'POST', `${base}/${id}/setup/end`, {});
    expect(await open(tokens.super)).toEqual([]);
    expect(
      (await api.call<StationSetup>(tokens.admin, 'POST', `${base}/${id}/setup`, {})).data,
    ).toMatchObject({ is_open: 1, started_by: 'admin', mine: 1 });
    expect(await entries()).toEqual(['create', 'begin_setup', 'end_setup', 'begin_setup']);
  });

  it('a user who leaves the guide of a new station untouched for three days is reminded, at most once in three days', async () => {
    const { id } = await add(tokens.admin);
    await run('deliver_inbox');
    const notices = async () =>
      (await setupEntries(await api.login('admin')))
        .filter(({ subject_id }) => subject_id === id)
        .reduce((sum, { count }) => sum + count, 0);
    expect(await notices()).toBe(1);
    api.clock.advance(2 * 86_400_000);
    await run('note_setups', 'deliver_inbox');
    expect(await notices()).toBe(1);
    api.clock.advance(86_400_001);
    await run('note_setups', 'note_setups', 'deliver_inbox');
    expect(await notices()).toBe(2);
  });
});
