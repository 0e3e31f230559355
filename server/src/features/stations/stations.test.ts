import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { MovePreview, Station } from '@waystation/contract/network/station.ts';
import type { Usage } from '@waystation/contract/base/usage.ts';
import { sql } from '#platform/db/db.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

interface Listed {
  items: Station[];
  total: number;
  sums: { money: number; freeze: number; available: number };
}
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
const list = async (who: string, query = ''): Promise<Listed> =>
  (await ask<Listed>(who, 'GET', `${base}${query}`)).data;
const read = async (id: number): Promise<Station> =>
  (await ask('super', 'GET', `${base}/${id}`)).data;

let made = 0;
/** Creates a station for the test, as super. */
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

describe('the list of stations', () => {
  it('the list of stations is a tree whose root is the top station that the user sees', async () => {
    const rows = (await list('super', '?page_size=200')).items;
    expect(rows.find(({ id }) => id === idOf('keji'))).toMatchObject({
      level: 3,
      parent_id: idOf('nanshan'),
      children: 0,
      customer_code: '',
    });
    const partner = (await list('partner', '?page_size=200')).items;
    expect(partner.map(({ id }) => id).toSorted()).toEqual(
      ['south', 'nanshan', 'keji', 'tianhe'].map(idOf).toSorted(),
    );
    expect(partner.find(({ id }) => id === idOf('south'))).toMatchObject({
      level: 1,
      parent_id: null,
      parent_name: null,
      children: 2,
    });
    const own = (await list('station')).items;
    expect(own).toMatchObject([
      { id: idOf('nanshan'), level: 1, parent_id: null, parent_name: null, children: 0 },
    ]);
    expect([...partner, ...own].every((row) => !('customer_code' in row))).toBe(true);
  });

  it('the list of stations sums the whole filtered set, on any page', async () => {
    await system.topUp('tianhe', 12_300);
    const whole = await list('partner', '?page_size=200');
    const page = await list('partner', '?page_size=1&sort=-available');
    expect(page.items).toHaveLength(1);
    expect(page.sums).toEqual(whole.sums);
    expect(whole.sums.money).toBe(whole.items.reduce((sum, { money }) => sum + money, 0));
    expect(page.items[0]!.available).toBe(
      Math.max(...whole.items.map(({ available }) => available)),
    );
  });

  it('the list of stations is filtered by name, place in the tree, flags, money and inactivity', async () => {
    const silent = await add(idOf('tianhe'), {
      name: '静默站',
      has_amount: 0,
      reason: '月结',
      allow_print: 0,
    });
    const ids = async (who: string, query: string) =>
      (await list(who, query)).items.map(({ id }) => id);
    expect(await ids('super', '?q=静默')).toEqual([silent.id]);
    expect(await ids('super', `?parent_id=${idOf('tianhe')}`)).toEqual([silent.id]);
    expect(await ids('partner', '?top=1')).toEqual([idOf('south')]);
    expect(await ids('partner', '?has_amount=0')).toEqual([silent.id]);
    expect(await ids('partner', '?allow_print=0&enable_profit=0')).toEqual([silent.id]);
    expect(await ids('partner', '?available_from=12000&available_to=12300')).toEqual([
      idOf('tianhe'),
    ]);
    expect(await ids('partner', '?low=1')).not.toContain(silent.id);
    expect(await ids('partner', '?negative=1')).toEqual([]);
    expect(await ids('partner', '?silent_days=3')).toHaveLength(5);
    expect((await ask<Problem>('super', 'GET', `${base}?sort=customer_code`)).status).toBe(400);
  });

  it('the list of stations is searched by a carrier account’s code for the office alone', async () => {
    const [merchant] = await rowsOf(
      system,
      sql<{ customer_code: string }>`select customer_code
      from merchants limit 1`,
    );
    const station = await add(idOf('south'), { customer_code: merchant!.customer_code });
    expect(station.customer_code).toBe(merchant!.customer_code);
    expect(
      (await list('admin', `?q=${merchant!.customer_code}`)).items.map(({ id }) => id),
    ).toEqual([station.id]);
    expect((await list('partner', `?q=${merchant!.customer_code}`)).items).toEqual([]);
  });
});

describe('a station’s money', () => {
  it('a station’s balance cannot be set by a call that changes the station', async () => {
    const money = { money: 999, freeze: 999, available: 999 };
    const station = await add(null, money);
    expect(station).toMatchObject({ money: 0, freeze: 0, available: 0 });
    expect(
      (await edit('super', station.id, { ...money, address: '示例路1号' })).data,
    ).toMatchObject({
      address: '示例路1号',
      money: 0,
      freeze: 0,
      available: 0,
    });
  });

  it('a station’s balance keeps its reserve unused', async () => {
    const station = await add(null, { fixed_freeze: 5_000 });
    expect(station.available).toBe(-5_000);
    expect(await problems(edit('super', station.id, { fixed_freeze: -1 }))).toEqual({
      fixed_freeze: 'too_small',
    });
  });
});

describe('the terms of a station', () => {
  it('the terms of a station below its own are set by a partner, except those reserved for administrators', async () => {
    const { status, data } = await ask('partner', 'POST', base, {
      name: '伙伴新站',
      discount: 9_000,
      sender_phone: '138 0000 1099',
      province: '广东',
      city: '深圳',
      county: '福田',
    });
    expect(status).toBe(200);
    expect(data).toMatchObject({
      parent_id: idOf('south'),
      level: 2,
      project_id: (await read(idOf('south'))).project_id,
      sender_phone: '13800001099',
      county: '福田区',
      province: '广东省',
    });
    expect(
      (
        await edit('partner', data.id, {
          name: '伙伴新站二',
          profit: 300,
          enable_profit: 1,
          allow_print: 0,
        })
      ).data,
    ).toMatchObject({ profit: 300 });
    expect(
      await problems(
        edit('partner', data.id, {
          has_amount: 0,
          fixed_freeze: 1,
          low_balance: 1,
          customer_code: 'x',
          project_id: null,
          reason: 'x',
        }),
      ),
    ).toEqual({
      has_amount: 'field_not_yours',
      fixed_freeze: 'field_not_yours',
      low_balance: 'field_not_yours',
      customer_code: 'field_not_yours',
      project_id: 'field_not_yours',
    });
    expect(
      await problems(ask('partner', 'POST', base, { name: '另一站', fixed_freeze: 0 })),
    ).toEqual({ fixed_freeze: 'field_not_yours' });
    expect(
      await problems(ask('partner', 'POST', base, { name: '另一站', parent_id: idOf('pudong') })),
    ).toEqual({ parent_id: 'not_found' });
  });

  it('a station’s own terms are editable only in the sender', async () => {
    for (const [who, key] of [['partner', 'south'] as const, ['station', 'nanshan'] as const]) {
      const { sender_name } = await read(idOf(key));
      expect(
        (await edit(who, idOf(key), { sender_name: '新发件人', sender_phone: '0755-26000000' }))
          .data,
      ).toMatchObject({ sender_name: '新发件人' });
      expect(
        await problems(edit(who, idOf(key), { sender_name, discount: 1, address: 'x' })),
      ).toEqual({
        discount: 'field_not_yours',
        address: 'field_not_yours',
      });
    }
    expect(
      (await ask('partner', 'POST', `${base}/${idOf('south')}/status`, { status: 0 })).status,
    ).toBe(403);
    expect((await move('partner', idOf('south'), null)).status).toBe(403);
    expect(
      (await ask('station', 'POST', `${base}/${idOf('nanshan')}/status`, { status: 0 })).status,
    ).toBe(403);
    expect((await edit('station', idOf('keji'), { sender_name: 'x' })).status).toBe(404);
    expect((await edit('partner', idOf('pudong'), { sender_name: 'x' })).status).toBe(404);
  });

  it('a station’s refused input names every invalid field', async () => {
    const station = await add(null);
    const [{ id: closed } = { id: 0 }] = await rowsOf(
      system,
      sql<{ id: number }>`insert into projects (name,
      status) values ('停用方案', 0) returning id`,
    );
    expect(
      await problems(
        edit('admin', station.id, {
          has_amount: 0,
          project_id: closed,
          customer_code: 'NOBODY',
          province: '广东',
          city: '上海',
        }),
      ),
    ).toEqual({
      reason: 'required',
      project_id: 'project_disabled',
      customer_code: 'merchant_unknown',
      city: 'division_city_unknown',
    });
    expect(
      await problems(
        edit('admin', station.id, { sender_phone: '123', name: ' ', discount: 0, profit: 10_001 }),
      ),
    ).toEqual({
      sender_phone: 'phone_invalid',
      name: 'required',
      discount: 'too_small',
      profit: 'too_big',
    });
    expect(
      await problems(edit('admin', station.id, { name: (await read(idOf('tianhe'))).name })),
    ).toEqual({ name: 'name_unavailable' });
  });

  it('a conflicting change of a station returns 409 with the newer row, without hidden fields', async () => {
    const station = await add(idOf('south'));
    await edit('super', station.id, { address: '先到' });
    const { status, data } = await ask<Problem>('partner', 'PATCH', `${base}/${station.id}`, {
      version: 1,
      address: '后到',
    });
    expect(status).toBe(409);
    expect(data.current).toMatchObject({ address: '先到', version: 2 });
    expect(data.current).not.toHaveProperty('customer_code');
  });

  it('the terms of a station leave one audit row per change with the values before and after', async () => {
    const station = await add(null);
    await edit('admin', station.id, { has_amount: 0, reason: '月结客户' });
    await ask('admin', 'POST', `${base}/${station.id}/status`, { status: 0, reason: '撤站' });
    expect(await audits(station.id)).toMatchObject([
      { action: 'create', account_name: 'super' },
      {
        action: 'edit',
        account_name: 'admin',
        changes: { has_amount: [1, 0] },
        reason: '月结客户',
      },
      { action: 'disable', account_name: 'admin', changes: { status: [1, 0] }, reason: '撤站' },
    ]);
  });
});

describe('a discount', () => {
  it('a discount is neither better than the parent’s nor worse than a child’s, unless super confirms; an unset one is not compared', async () => {
    const top = await add(null, { discount: 8_000 });
    const child = await add(top.id, { discount: 8_500 });
    expect(await problems(edit('admin', child.id, { discount: 7_900 }))).toEqual({
      discount: 'discount_better_than_parent',
    });
    expect(await problems(edit('admin', top.id, { discount: 8_600 }))).toEqual({
      discount: 'discount_worse_than_child',
    });
    expect((await edit('super', child.id, { discount: 7_900 })).status).toBe(200);
    // A value that super allowed does not prevent changes of other fields.
    expect(
      (await edit('admin', child.id, { northeast_discount: 9_000, address: 'x' })).status,
    ).toBe(200);
    expect((await edit('admin', child.id, { discount: null })).status).toBe(200);
    expect(
      await problems(move('admin', (await add(null, { discount: 7_000 })).id, top.id)),
    ).toEqual({ parent_id: 'discount_better_than_parent' });
  });

  it('a discount that a partner sets is not better than its own under any template of the scheme', async () => {
    const child = await add(idOf('south'), { project_id: (await read(idOf('south'))).project_id });
    expect(
      await problems(edit('partner', child.id, { discount: 7_400, northeast_discount: 7_900 })),
    ).toEqual({
      discount: 'discount_better_than_parent',
      northeast_discount: 'discount_better_than_parent',
    });
    const below = await add(child.id);
    expect(await problems(edit('partner', below.id, { discount: 7_400 }))).toEqual({
      discount: 'discount_better_than_own',
    });
    expect(
      (await edit('partner', below.id, { discount: 7_500, northeast_discount: 8_000 })).status,
    ).toBe(200);
  });
});

describe('profit rates', () => {
  it('profit rates are refused if those of any chain through the station exceed 100 %, including stations above the partner', async () => {
    const top = await add(null);
    const mid = await add(top.id, { profit: 6_000, enable_profit: 1 });
    const leaf = await add(mid.id, { profit: 4_000, enable_profit: 1 });
    expect(await problems(edit('admin', leaf.id, { profit: 4_001 }))).toEqual({
      profit: 'share_rates_too_high',
    });
    expect(await problems(edit('admin', mid.id, { profit: 6_001 }))).toEqual({
      profit: 'share_rates_too_high',
    });
    expect((await edit('admin', mid.id, { profit: 10_000, enable_profit: 0 })).status).toBe(200);
    expect(await problems(edit('admin', mid.id, { enable_profit: 1 }))).toEqual({
      profit: 'share_rates_too_high',
    });
    await move('super', idOf('south'), leaf.id);
    const child = await add(idOf('south'));
    await edit('super', idOf('south'), { profit_limit: 10_000 });
    expect(await problems(edit('partner', child.id, { profit: 6_001, enable_profit: 1 }))).toEqual({
      profit: 'share_rates_too_high',
    });
    expect((await edit('partner', child.id, { profit: 6_000, enable_profit: 1 })).status).toBe(200);
    await edit('super', idOf('south'), { profit_limit: 500 });
    await move('super', idOf('south'), null);
  });
});

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

  it('moving a station hides it from one partner and shows it to the other on the next request', async () => {
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

describe('the price for a station', () => {
  it('the price for a station is quoted by its stored terms, and by unsaved ones', async () => {
    const quote = (who: string, id: number, body: object = {}) =>
      ask<{
        quotes: { post_amount: number; cheapest: number }[];
        weight: number;
        receive_province: string;
      }>(who, 'POST', `${base}/${id}/price-preview`, body);
    const { data } = await quote('station', idOf('nanshan'));
    const shown = await ask<{ quotes: { post_amount: number }[] }>(
      'station',
      'POST',
      '/api/arco/expresses/quote',
      {
        sender_province: '广东省',
        sender_city: '深圳市',
        receive_province: '广东省',
        receive_city: '广州市',
        weight: 1_000,
      },
    );
    expect(data).toMatchObject({ weight: 1_000, receive_province: '广东省' });
    // The preview proposes none.
    expect(data.quotes).toEqual(shown.data.quotes.map((one) => ({ ...one, proposed: 0 })));
    const trial = await quote('partner', idOf('nanshan'), {
      discount: 10_000,
      weight: 2_000,
      receive_province: '上海市',
    });
    expect(trial.data.quotes[0]!.post_amount).toBeGreaterThan(data.quotes[0]!.post_amount);
    expect(await problems(quote('partner', idOf('nanshan'), { project_id: null }))).toEqual({
      project_id: 'field_not_yours',
    });
    expect((await quote('super', idOf('nanshan'), { project_id: null })).data.quotes).toEqual([]);
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

  it('a disabled station logs its users out on their next request, keeps them out, and takes no orders', async () => {
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

  it('a disabled station includes its descendants only on request', async () => {
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

  it('a disabled station releases none of its parcels on hold, whatever money comes, until it is enabled again', async () => {
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
    'a disabled station does not stop another one on hold: %s releases its parcels',
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
