import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { MovePreview, Station } from '@waystation/contract/network/station.ts';
import type { Usage } from '@waystation/contract/base/usage.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

interface Problem {
  code: string;
  fields?: Record<string, { code: string; params?: Record<string, string | number> }>;
  current?: Station;
}

const base = '/api/arco/stations';
let system: TestSystem;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  system = await openTestSystem();
  for (const name of ['super', 'admin', 'partner', 'station', 'clerk'])
    tokens[name] = await system.login(name);
});
afterAll(() => system.close());

const idOf = (key: string): number => system.station(key).id;
const ask = <T = Station>(
  who: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<T>> => system.call<T>(tokens[who]!, method, path, body);
const read = async (id: number): Promise<Station> =>
  (await ask('super', 'GET', `${base}/${id}`)).data;

let made = 0;
/** Creates a station for the test as a super admin. */
const add = async (
  parent_id: number | null,
  terms: Record<string, unknown> = {},
): Promise<Station> => {
  const { status, data } = await ask('super', 'POST', base, {
    name: `测试站 ${++made}`,
    parent_id,
    ...terms,
  });
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
};
const edit = async (
  who: string,
  id: number,
  changes: Record<string, unknown>,
): Promise<Answer<Station>> =>
  ask(who, 'PATCH', `${base}/${id}`, { version: (await read(id)).version, ...changes });
const problems = async (answer: Promise<Answer<unknown>>): Promise<Record<string, string>> => {
  const { data } = await answer;
  return Object.fromEntries(
    Object.entries((data as Problem).fields ?? {}).map(([field, { code }]) => [field, code]),
  );
};
const move = async (who: string, id: number, parent_id: number | null): Promise<Answer<Station>> =>
  ask(who, 'POST', `${base}/${id}/move`, { parent_id, version: (await read(id)).version });
const audits = (id: number) =>
  rowsOf(
    system,
    sql<{
      action: string;
      account_name: string;
      changes: object;
      reason: string;
    }>`select action, account_name, changes, reason from audit_log where subject = 'stations'
      and subject_id = ${id} and station_id = ${id} order by id`,
  );

describe('moving a station', () => {
  it('moving a station below itself is refused, and the preview shows the effects of a move', async () => {
    const [a, b] = [await add(null), await add(null)];
    const child = await add(a.id, {
      profit: 1_000,
      enable_profit: 1,
      project_id: (await read(idOf('south'))).project_id,
      discount: 9_000,
    });
    const leaf = await add(child.id);
    for (const parent of [child.id, leaf.id])
      expect(await problems(move('super', child.id, parent))).toEqual({
        parent_id: 'parent_circular',
      });
    const preview = (parent_id: number | null) =>
      ask<MovePreview>('super', 'POST', `${base}/${child.id}/move-preview`, { parent_id });
    expect((await preview(leaf.id)).data).toMatchObject({
      stations: 2,
      problems: [{ code: 'parent_circular' }],
      after: { links: [] },
    });
    const { data } = await preview(b.id);
    expect(data).toMatchObject({
      stations: 2,
      accounts: 0,
      problems: [],
      before: { links: [{ parent_name: a.name }] },
      after: { links: [{ parent_name: b.name }] },
    });
    expect(data.after.links[0]!.amount).toBe(Math.round(data.post_amount! / 10));
    expect((await preview(null)).data.after).toEqual({
      links: [],
      platform_amount: data.post_amount,
    });
    expect((await read(child.id)).parent_id).toBe(a.id);
    expect((await move('super', child.id, b.id)).data).toMatchObject({
      parent_id: b.id,
      version: 2,
    });
    expect((await audits(child.id)).at(-1)).toMatchObject({
      action: 'move',
      changes: { parent_id: [a.id, b.id] },
    });
    expect(
      (
        await ask<Problem>('super', 'POST', `${base}/${child.id}/move`, {
          parent_id: a.id,
          version: 1,
        })
      ).status,
    ).toBe(409);
  });

  it('a station moved to another network is hidden from its former partner at the next request, and visible again after moving back', async () => {
    const station = await add(idOf('tianhe'));
    expect((await ask('partner', 'GET', `${base}/${station.id}`)).status).toBe(200);
    await move('super', station.id, idOf('pudong'));
    expect((await ask('partner', 'GET', `${base}/${station.id}`)).status).toBe(404);
    expect(
      (await ask('partner', 'POST', `${base}/${station.id}/status`, { status: 0 })).status,
    ).toBe(404);
    await move('super', station.id, idOf('tianhe'));
    expect((await ask('partner', 'GET', `${base}/${station.id}`)).status).toBe(200);
    expect(await problems(move('partner', station.id, idOf('pudong')))).toEqual({
      parent_id: 'not_found',
    });
    expect(await problems(move('partner', station.id, null))).toEqual({ parent_id: 'required' });
    expect((await move('partner', station.id, idOf('south'))).status).toBe(200);
  });

  it('moving two stations below each other at once creates no circle', async () => {
    const [a, b] = [await add(null), await add(null)];
    const done = await Promise.all([move('super', a.id, b.id), move('admin', b.id, a.id)]);
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});

describe('a disabled station', () => {
  let station: Station;
  let account = 0;
  beforeEach(async () => {
    const like = await read(idOf('tianhe'));
    station = await add(idOf('south'), {
      project_id: like.project_id,
      discount: 8_800,
      province: like.province,
      city: like.city,
      county: like.county,
    });
    const username = `worker${++account}`;
    await rowsOf(
      system,
      sql`insert into accounts (username, role, station_id, password_hash)
        select ${username}, 'user', ${station.id}, password_hash from accounts
        where username = 'clerk'`,
    );
    tokens['worker'] = await system.login(username);
  });
  const order = (who: string) =>
    system.call<Express & Problem>(
      { token: tokens[who]!, headers: { 'idempotency-key': `stations-${++made}` } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ ...(who !== 'worker' && { station_id: station.id }) }),
    );
  const switched = (status: 0 | 1, more: object = {}) =>
    ask('partner', 'POST', `${base}/${station.id}/status`, { status, ...more });
  const stateOf = async (id: number) =>
    (
      await rowsOf(
        system,
        sql<{ state_code: number }>`select state_code
    from expresses where id = ${id}`,
      )
    )[0]!.state_code;

  it('if a station is disabled, its users are logged out at their next request and cannot log in, and its orders are refused', async () => {
    expect((await ask('worker', 'GET', '/api/arco/personal')).status).toBe(200);
    expect((await ask<Usage>('partner', 'GET', `${base}/${station.id}/usage`)).data.items).toEqual([
      { what: 'accounts', count: 1 },
    ]);
    await switched(0);
    expect((await ask('worker', 'GET', '/api/arco/personal')).status).toBe(401);
    expect(
      await rowsOf(
        system,
        sql`select 1 from sessions s
      join accounts a on a.id = s.account_id
      where a.station_id = ${station.id}`,
      ),
    ).toEqual([]);
    const { status, data } = await system.call<Problem>(null, 'POST', '/api/arco/login/password', {
      username: `worker${account}`,
      password: system.app.config.demoPassword,
    });
    expect([status, data.code]).toEqual([403, 'station_disabled']);
    expect((await order('super')).data).toMatchObject({ code: 'station_disabled' });
  });

  it('disabling a station disables its descendants only on request', async () => {
    const child = await add(station.id);
    const deeper = await add(child.id);
    await switched(0);
    expect([(await read(child.id)).status, (await read(deeper.id)).status]).toEqual([1, 1]);
    await switched(1);
    await switched(0, { with_children: 1 });
    expect([
      (await read(station.id)).status,
      (await read(child.id)).status,
      (await read(deeper.id)).status,
    ]).toEqual([0, 0, 0]);
    expect((await audits(deeper.id)).at(-1)).toMatchObject({
      action: 'disable',
      account_name: 'partner',
    });
  });

  it('after a top-up, the on-hold parcels of a disabled station are ordered only when the station is enabled again', async () => {
    const { data: parcel } = await order('worker');
    expect(parcel.state_code).toBe(10);
    await switched(0);
    await system.call(
      { token: tokens['super']!, headers: { 'idempotency-key': `stations-${++made}` } },
      'POST',
      `${base}/${station.id}/top-ups`,
      { amount: 100_000 },
    );
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1
      from graphile_worker._private_jobs where key like 'release_on_hold:%'`,
          )
        ).length === 0,
    );
    expect(await stateOf(parcel.id)).toBe(10);
    await switched(1);
    await eventually(async () => (await stateOf(parcel.id)) === 100);
  });

  it.each([
    ['a lower reserve', { fixed_freeze: 100_000 }, { fixed_freeze: 0 }],
    ['a balance check that is switched off', {}, { has_amount: 0, reason: '月结' }],
  ])(
    'parcels on hold of a station are released by %s, although another station is disabled',
    async (_, before, after) => {
      await edit('super', station.id, before);
      if ('fixed_freeze' in before)
        await system.call(
          { token: tokens['super']!, headers: { 'idempotency-key': `stations-${++made}` } },
          'POST',
          `${base}/${station.id}/top-ups`,
          { amount: 50_000 },
        );
      const { data: parcel } = await order('worker');
      expect(parcel.state_code).toBe(10);
      expect((await edit('super', station.id, after)).status).toBe(200);
      await eventually(async () => (await stateOf(parcel.id)) === 100);
    },
  );
});
