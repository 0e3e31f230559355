import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '@waystation/contract/people/contact.ts';
import type { FoundGroups } from '@waystation/contract/shell/global-search.ts';
import { searchLimit } from '@waystation/contract/shell/search.ts';
import { sql } from '#platform/db/db.ts';
import { exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';
import { fillPinyin } from './fill-pinyin.ts';

let system: TestSystem;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  system = await openTestSystem();
  for (const name of ['super', 'partner', 'station', 'clerk'])
    tokens[name] = await system.login(name);
  for (const key of ['nanshan', 'tianhe', 'pudong']) await fillStation(key);
});
afterAll(() => system.close());

const call = <T>(who: string, path: string): Promise<Answer<T>> =>
  system.call<T>(tokens[who]!, 'GET', path);
const search = async (who: string, q: string): Promise<FoundGroups> => {
  const { status, data } = await call<FoundGroups>(
    who,
    `/api/arco/search?q=${encodeURIComponent(q)}`,
  );
  expect(status).toBe(200);
  return data;
};
/** The number of results in each group that has results. */
const counted = async (who: string, q: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(await search(who, q)).flatMap(([group, found]) =>
      found === undefined || found.items.length === 0 ? [] : [[group, found.items.length]],
    ),
  );
const nameOf = async (key: string): Promise<string> => {
  const [station] = await rowsOf<{ name: string }>(
    system,
    sql`select name from stations where id = ${system.station(key).id}`,
  );
  return station!.name;
};
const addContact = async (key: string, changes: object = {}): Promise<Contact> => {
  const { status, data } = await system.call<Contact>(
    tokens['super']!,
    'POST',
    '/api/arco/contacts',
    {
      station_id: system.station(key).id,
      kind: 'receive',
      name: '单小明',
      phone: '13812345678',
      province: '上海市',
      city: '上海市',
      county: '浦东新区',
      address: '世纪大道100号',
      ...changes,
    },
  );
  expect(status).toBe(200);
  return data;
};

/** Adds a contact, an account, an import and a parcel to a station, each with 查找 in its name. */
const fillStation = async (key: string): Promise<void> => {
  const { id } = system.station(key);
  await addContact(key);
  await addContact(key, { name: `查找${key}` });
  await rowsOf(
    system,
    sql`insert into accounts (username, nickname, role, station_id, password_hash)
      values (${`${key}-find`}, '查找员', 'user', ${id}, '')`,
  );
  await rowsOf(
    system,
    sql`insert into imports (station_id, user_id, file_name, file_type, file_bytes, file_hash,
      status) select ${id}, a.id, '查找.xlsx', 'xlsx', 1, '', 'done' from accounts a
        where a.username = ${key === 'nanshan' ? 'clerk' : `${key}-find`}`,
  );
  await system.call(
    {
      token: tokens[key === 'nanshan' ? 'clerk' : 'super']!,
      headers: { 'idempotency-key': `find-${key}-parcel` },
    },
    'POST',
    '/api/arco/expresses',
    exampleOrder({
      draft: 1,
      receive_name: '查找',
      thr_order_id: `FIND-${key}-1`,
      ...(key !== 'nanshan' && { station_id: id }),
    }),
  );
};

describe('a global search', () => {
  it('the global search returns only groups whose screens the user may open', async () => {
    const groupsOf = async (who: string) => Object.keys(await search(who, '查找'));
    const everyone = ['parcels', 'contacts', 'imports'];
    const managers = ['parcels', 'stations', 'accounts', 'contacts', 'statements', 'imports'];
    expect((await groupsOf('clerk')).toSorted()).toEqual(everyone.toSorted());
    expect((await groupsOf('station')).toSorted()).toEqual(managers.toSorted());
    expect((await groupsOf('partner')).toSorted()).toEqual(managers.toSorted());
    expect((await groupsOf('super')).toSorted()).toEqual(
      [...managers, 'bills', 'templates'].toSorted(),
    );
  });

  it('the global search finds parcels, people, contacts and imports by name, but only those of stations within the user’s scope', async () => {
    expect(await counted('clerk', '查找')).toEqual({ parcels: 1, contacts: 1, imports: 1 });
    expect(await counted('station', '查找')).toEqual({
      parcels: 1,
      accounts: 1,
      contacts: 1,
      imports: 1,
    });
    expect(await counted('partner', '查找')).toEqual({
      parcels: 2,
      accounts: 2,
      contacts: 2,
      imports: 2,
    });
    expect(await counted('super', '查找')).toEqual({
      parcels: 3,
      accounts: 3,
      contacts: 3,
      imports: 3,
    });
    for (const q of ['FIND-tianhe-1', 'tianhe-find', '查找tianhe', await nameOf('tianhe')])
      expect(await counted('station', q)).toEqual({});
    expect(await counted('station', 'FIND-nanshan-1')).toEqual({ parcels: 1 });
    expect(await counted('partner', await nameOf('pudong'))).toEqual({});
  });

  it('a clerk’s global search finds no parcels or imports of colleagues, and no transactions', async () => {
    await rowsOf(
      system,
      sql`update imports set user_id = (select id from accounts where username = 'station')
        where station_id = ${system.station('nanshan').id}`,
    );
    expect(await counted('clerk', '查找')).toEqual({ parcels: 1, contacts: 1 });
    expect(await counted('station', '查找')).toMatchObject({ imports: 1 });
  });

  it('the global search finds a parcel by its waybill number for the station above, and not for a sister station', async () => {
    for (const key of ['nanshan', 'tianhe']) await system.topUp(key, 1_000);
    const [line] = await rowsOf<{ id: number; seq: string }>(
      system,
      sql`select id from statements where type = 'top_up' and station_id = ${system.station('tianhe').id}
        order by id desc limit 1`,
    );
    await rowsOf(
      system,
      sql`update expresses set delivery_id = 'FINDW1' where thr_order_id = 'FIND-tianhe-1'`,
    );
    expect(line).toBeDefined();
    expect(await counted('partner', 'FINDW1')).toMatchObject({ parcels: 1 });
    expect(await counted('station', 'FINDW1')).toEqual({});
  });

  it('in the global search, administrators find carrier bills by file name or month, and freight templates by name', async () => {
    await rowsOf(
      system,
      sql`insert into reconciliations (period, provider, file_name, file_type, file_bytes,
        file_hash, status, weight_tolerance, amount_tolerance)
        values ('2026-01', 'jdl', '京东账单.xlsx', 'xlsx', 1, '', 'discarded', 0, 0)`,
    );
    const { bills } = await search('super', '2026-01');
    expect(bills?.items).toMatchObject([{ file_name: '京东账单.xlsx', period: '2026-01' }]);
    expect(await counted('super', '账单.xlsx')).toMatchObject({ bills: 1 });
    const listed = await call<{ items: object[] }>('super', '/api/arco/reconciliations?q=2026-01');
    expect(listed.data.items).toHaveLength(1);
    const [template] = await rowsOf<{ name: string }>(
      system,
      sql`select name from vouchers order by id limit 1`,
    );
    const { templates } = await search('super', template!.name.slice(0, 2));
    expect(templates?.items.map(({ name }) => name)).toContain(template!.name);
  });
});

describe('a search by pinyin', () => {
  const initials = ['sxm', 'dxm', 'xm', 'danxiaoming', "shan'xiao", 'XIAO'];
  it.each(initials)('a contact is found by %s', async (q) => {
    const { contacts } = await search('clerk', q);
    expect(contacts?.items.map(({ name }) => name)).toEqual(['单小明']);
    const { data } = await call<{ items: Contact[] }>(
      'clerk',
      `/api/arco/contacts?q=${encodeURIComponent(q)}`,
    );
    expect(data.items.map(({ name }) => name)).toEqual(['单小明']);
  });

  it('a renamed contact is found by its new name and no longer by its old name', async () => {
    const { id, version } = await addContact('nanshan', { name: '欧阳修', phone: '13800000077' });
    const change = { name: '司马光', version };
    await system.call(tokens['super']!, 'PATCH', `/api/arco/contacts/${id}`, change);
    expect(await counted('clerk', 'oyx')).toEqual({});
    expect(await counted('clerk', '欧阳')).toEqual({});
    expect(await counted('clerk', 'smg')).toEqual({ contacts: 1 });
  });

  it('after a contact is renamed to another name with the same pinyin, the pinyin search finds the contact immediately', async () => {
    const { id, version } = await addContact('nanshan', { name: '钟离昧', phone: '13800000078' });
    await system.call(tokens['super']!, 'PATCH', `/api/arco/contacts/${id}`, {
      name: '钟离眛',
      version,
    });
    expect(await counted('clerk', 'zhonglimei')).toEqual({ contacts: 1 });
  });

  it('names stored without pinyin are found by pinyin after the next run of the pinyin task', async () => {
    await rowsOf(system, sql`update contacts set name = '诸葛亮' where name = '查找nanshan'`);
    await rowsOf(
      system,
      sql`update stations set name = '绿洲驿站' where id = ${system.station('nanshan').id}`,
    );
    expect(await counted('station', 'zgl')).toEqual({});
    expect(await counted('station', '诸葛')).toEqual({ contacts: 1 });
    await fillPinyin(system.app);
    expect(await counted('station', 'zgl')).toEqual({ contacts: 1 });
    expect(await counted('station', 'lvzhou')).toEqual({ stations: 1 });
    expect(await counted('station', 'czy')).toMatchObject({ accounts: 1 });
    const { rows } = await system.app.db.pool.query<{ left: number }>(
      `select ${['contacts', 'stations', 'accounts', 'vouchers'].map((table) => `(select count(*)::int from ${table} where pinyin is null)`).join(' + ')} as left`,
    );
    expect(rows).toEqual([{ left: 0 }]);
  });
});

describe('pinyin that a background task adds', () => {
  const keysOf = (id: number) =>
    rowsOf<{ kind: number; key: string }>(
      system,
      sql`select kind, key from contact_keys where contact_id = ${id} order by kind, key`,
    );

  it('the background task stores the same pinyin keys of a contact as saving the contact does, whether it runs in one slice or several', async () => {
    const { id } = await addContact('nanshan', { name: '端木赐', phone: '13800000088' });
    await rowsOf(
      system,
      sql`with added as (
          insert into contacts (station_id, kind, name, phone, province, city, county, address)
            select station_id, kind, name, phone, province, city, county, address
            from contacts, generate_series(1, 301) where id = ${id} returning 1)
        select count(*) from added`,
    );
    await fillPinyin(system.app);
    const expected = await keysOf(id);
    expect(expected.map(({ key }) => key)).toEqual(expect.arrayContaining(['端木赐', 'dmc']));
    const copies = await rowsOf<{ id: number }>(
      system,
      sql`select id from contacts where phone = '13800000088' and id <> ${id} order by id`,
    );
    expect(copies).toHaveLength(301);
    for (const at of [0, 149, 150, 300])
      expect(await keysOf(copies[at]!.id), `the ${at}th`).toEqual(expected);
    await rowsOf(system, sql`update contacts set pinyin = null where id = ${id}`);
    expect((await keysOf(id)).map(({ key }) => key)).not.toContain('dmc');
    await fillPinyin(system.app);
    expect(await keysOf(id)).toEqual(expected);
  });
});

describe('phones in a search', () => {
  it('the global search finds a phone of another station by its last four digits or in full only, and shows it masked', async () => {
    const phonesOf = async (who: string, q: string) =>
      (await search(who, q)).contacts!.items.map(({ phone }) => phone);
    expect(await phonesOf('clerk', '345678')).toEqual(['13812345678', '13812345678']);
    expect(await phonesOf('super', '5678')).toEqual(Array.from({ length: 5 }, () => '138****5678'));
    expect(await phonesOf('super', '45678')).toEqual([]);
    expect(await phonesOf('super', '1381234')).toEqual([]);
    expect(await phonesOf('super', '13812345678')).toHaveLength(5);
  });

  it('a complete phone searched among parcels and contacts is counted and audited once an hour, and above the limit the search is refused', async () => {
    const searches = () =>
      rowsOf(
        system,
        sql`select 1 from audit_log where action = 'search_phone'
        and account_name = 'partner'`,
      );
    const before = (await searches()).length;
    for (let time = 0; time < 2; time++) await search('partner', '138 1234 5678');
    expect((await searches()).length).toBe(before + 1);
    await rowsOf(
      system,
      sql`insert into settings (name, value) values ('phone_searches_per_hour', '2')
        on conflict (name) do update set value = excluded.value`,
    );
    await search('partner', '13900000002');
    const { status, data } = await call<{ code: string }>(
      'partner',
      '/api/arco/search?q=13900000003',
    );
    expect([status, data.code]).toEqual([429, 'too_many_phone_searches']);
  });
});

describe('full-width characters in a search', () => {
  it('a name with full-width characters is found, and full-width letters and digits of a search are read as half-width', async () => {
    await addContact('nanshan', { name: '蓝鲸（北京）Ａ座', phone: '13700000055' });
    for (const q of ['（北', '鲸（北京）', 'Ａ座', 'ｌｊ', 'ｂｅｉｊｉｎｇ'])
      expect(await counted('clerk', q), q).toEqual({ contacts: 1 });
    expect(await counted('clerk', '１３７０００００0５５')).toEqual({ contacts: 1 });
    await rowsOf(
      system,
      sql`update stations set name = '绿洲（南）站' where id = ${system.station('nanshan').id}`,
    );
    await fillPinyin(system.app);
    for (const q of ['ｌｚｎ', '洲（南'])
      expect(await counted('station', q), q).toMatchObject({ stations: 1 });
  });
});

describe('the limits of the global search', () => {
  it('the global search returns at most five results per group, and shows if there are more', async () => {
    for (let n = 0; n < 6; n++)
      await addContact('nanshan', { name: `多人${n}`, phone: `1370000000${n}` });
    expect((await search('clerk', '多人')).contacts).toMatchObject({ more: 1 });
    expect((await search('clerk', '多人')).contacts!.items).toHaveLength(5);
    expect((await search('clerk', '多人3')).contacts).toMatchObject({ more: 0 });
  });

  it('the global search finds an import file by name even if 2,100 imports are newer', async () => {
    await rowsOf(
      system,
      sql`insert into imports (station_id, user_id, file_name, file_type, file_bytes, file_hash,
        status, created_at)
        select ${system.station('tianhe').id}, a.id, case n when 0 then '去年八月.xlsx' else 'x' end,
          'xlsx', 1, convert_to(n::text, 'UTF8'), 'done', now() + n * interval '1 second'
        from accounts a, generate_series(0, 2100) n where a.username = 'tianhe-find'`,
    );
    for (const who of ['partner', 'super'])
      expect(await counted(who, '年八月'), who).toEqual({ imports: 1 });
    expect(await counted('station', '年八月')).toEqual({});
  });

  it('the global search refuses one character and a text above the limit, and accepts the longest text', async () => {
    const codeOf = async (q: string) => {
      const { status, data } = await call<{ code: string; fields?: object }>(
        'clerk',
        `/api/arco/search?q=${encodeURIComponent(q)}`,
      );
      return [status, JSON.stringify(data)] as const;
    };
    expect(await codeOf('王')).toEqual([422, expect.stringContaining('too_short')]);
    expect((await codeOf(' 王 '))[0]).toBe(422);
    expect(await codeOf('王'.repeat(searchLimit.characters + 1))).toEqual([
      422,
      expect.stringContaining('search_too_long'),
    ]);
    expect((await codeOf('王'.repeat(searchLimit.characters)))[0]).toBe(200);
  });

  it.each(['%%', '__', '\\\\', `' or 1=1 --`, '\u{10ffff}\u{10ffff}', '*)(', '$$'])(
    'the global search finds no row for the hostile text %s',
    async (q) => {
      expect(await counted('super', q)).toEqual({});
    },
  );

  it('a contact whose name contains % or _ is found by typing these characters', async () => {
    await addContact('nanshan', { name: '百分%_号', phone: '13700000099' });
    expect(await counted('clerk', '%_号')).toEqual({ contacts: 1 });
    expect(await counted('clerk', '分%_')).toEqual({ contacts: 1 });
  });
});
