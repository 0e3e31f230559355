import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Station } from '@waystation/contract/network/station.ts';
import { sql } from '#platform/db/db.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
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

describe('the list of stations', () => {
  it('the list of stations is a tree whose root is the highest station that the user may see', async () => {
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

  it('the sums of the list of stations include all stations that match the filter, not only those of the page', async () => {
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

  it('administrators can search the list of stations by the code of a carrier account, and partners cannot', async () => {
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
  it('a station’s balance cannot be set by creating or editing the station', async () => {
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

  it('a station’s reserve is subtracted from its available balance', async () => {
    const station = await add(null, { fixed_freeze: 5_000 });
    expect(station.available).toBe(-5_000);
    expect(await problems(edit('super', station.id, { fixed_freeze: -1 }))).toEqual({
      fixed_freeze: 'too_small',
    });
  });
});

describe('the terms of a station', () => {
  it('a partner can set the terms of a station below its own, except the terms reserved for administrators', async () => {
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

  it('a station manager and a partner can change only the sender of their own station, and no other terms', async () => {
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

  it('refused terms of a station are reported with every invalid field', async () => {
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

  it('a change of a station with an outdated version returns 409 and the current row, but not the fields hidden from the user', async () => {
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

  it('each change of a station’s terms adds one audit row with the values before and after', async () => {
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
