import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '@waystation/contract/people/contact.ts';
import { mostContacts } from '@waystation/contract/base/limits.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: string;
let partner: string;
let admin: string;
beforeAll(async () => {
  system = await openTestSystem();
  [clerk, partner, admin] = (await Promise.all(
    ['clerk', 'partner', 'admin'].map((name) => system.login(name)),
  )) as [string, string, string];
});
afterAll(() => system.close());

interface Failed {
  code: string;
  fields?: Record<string, { code: string; params?: object }>;
}
const base = '/api/arco/contacts';
const person = {
  kind: 'receive',
  name: '王小明',
  phone: '138 1234 5678',
  province: '上海',
  city: '上海市',
  county: '浦东新区',
  address: '世纪大道100号',
};
const create = <T = Contact>(token: string, changes: object = {}): Promise<Answer<T>> =>
  system.call<T>(token, 'POST', base, { ...person, ...changes });
const found = async (token: string, query: string): Promise<string[]> =>
  (await system.call<{ items: Contact[] }>(token, 'GET', `${base}?${query}`)).data.items.map(
    ({ name }) => name,
  );

describe('an address book', () => {
  it('an address book normalises phones and place names, and stores equal entries only once', async () => {
    const first = await create(clerk);
    expect(first.data).toMatchObject({
      phone: '13812345678',
      province: '上海市',
      phones_shown: 1,
      station_name: '示例深圳南山站',
      status: 1,
    });
    const again = await create(clerk, { phone: '+86 13812345678', province: '上海市' });
    expect(again.data.id).toBe(first.data.id);
    expect((await create(clerk, { name: '王小红' })).data.id).not.toBe(first.data.id);
  });

  it('an address book entry with several invalid fields is refused with an error for each field', async () => {
    const { data } = await create<Failed>(clerk, { phone: '138****5678', county: '天河区' });
    expect(data.fields).toMatchObject({
      phone: { code: 'phone_masked' },
      county: { code: 'division_county_elsewhere' },
    });
  });

  it('an address book is searched by the end of a phone or a part of a name, never by the middle of a number', async () => {
    await create(clerk, { name: '李座机', phone: '0755-26001234-88' });
    expect(await found(clerk, 'q=5678')).toEqual(['王小红', '王小明']);
    expect(await found(clerk, 'q=1234')).toEqual(['李座机']);
    expect(await found(clerk, 'q=123488')).toEqual(['李座机']);
    expect(await found(clerk, 'q=1381234')).toEqual([]);
    expect(await found(clerk, 'q=小明')).toEqual(['王小明']);
    expect(await found(clerk, 'kind=sender')).toEqual([]);
  });

  const everyReader = [
    'sort=name',
    'sort=-kind',
    'sort=station_name',
    'sort=province',
    'sort=status',
    'sort=created_at',
    'province=x',
    'status=1',
    'q=5678',
    'q=x',
  ];
  it.each([
    ...everyReader.map((query) => [query, ['partner', 'admin']] as const),
    ['kind=sender', ['admin']] as const,
  ])(
    'address books of several stations are searched, sorted and filtered by a column without an index (%s, %s) within 31 days of the last change or for one station, and so are their counts',
    async (query, readers) => {
      const ask = async (token: string, range: string, path = '') => {
        const { status, data } = await system.call<Failed>(
          token,
          'GET',
          `${base}${path}?${query}${range}`,
        );
        return [status, data.fields];
      };
      const [station, today] = [
        `&station_id=${system.station('keji').id}`,
        new Date().toISOString().slice(0, 10),
      ];
      const from = (days: number): string =>
        `&updated_from=${new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)}&updated_to=${today}`;
      const refused = [422, { updated_from: { code: 'days_required', params: { days: 31 } } }];
      for (const token of readers.map((name) => ({ partner, admin })[name]))
        for (const path of query.startsWith('sort') ? [''] : ['', '/counts'])
          expect([
            await ask(token, '', path),
            await ask(token, from(31), path),
            await ask(token, from(30), path),
            await ask(token, station, path),
          ]).toEqual([refused, refused, [200, undefined], [200, undefined]]);
      expect(await ask(clerk, '')).toEqual([200, undefined]);
      if (readers.length === 1) expect(await ask(partner, '')).toEqual([200, undefined]);
    },
  );

  it('contacts of several stations are listed in pages, the last changed first, and can be filtered by kind', async () => {
    const station = system.station('keji').id;
    for (const [index, kind] of ['sender', 'receive', 'sender'].entries())
      await create(partner, { station_id: station, kind, name: `第${index}位` });
    for (const token of [partner, admin])
      for (const filter of [
        '',
        token === admin ? `&kind=sender&updated_from=${businessDay(new Date())}` : '&kind=sender',
        '&sort=updated_at',
      ]) {
        const whole = await found(token, `page_size=200${filter}`);
        const paged: string[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const query: string = `${base}?page_size=1${filter}${cursor && `&cursor=${cursor}`}`;
          const { data } = await system.call<{ items: Contact[]; next_cursor: string | null }>(
            token,
            'GET',
            query,
          );
          paged.push(...data.items.map(({ name }) => name));
          cursor = data.next_cursor;
        }
        expect(whole.length).toBeGreaterThan(1);
        expect(paged).toEqual(whole);
        expect(await found(token, `page_size=1&page=2${filter}`)).toEqual(whole.slice(1, 2));
      }
  });

  it('users of other stations cannot find a masked phone of an address book by its middle digits, or read it in a version conflict', async () => {
    const { id, version, station_id } = (await create(clerk)).data;
    for (const token of [partner, admin]) {
      for (const where of [`updated_from=${businessDay(new Date())}`, `station_id=${station_id}`]) {
        expect(await found(token, `${where}&q=5678`)).toContain('王小明');
        expect(await found(token, `${where}&q=13812345678`)).toContain('王小明');
        expect(await found(token, `${where}&q=45678`)).toEqual([]);
        expect(await found(token, `${where}&q=3488`)).toEqual([]);
      }
      const late = await system.call<{ current: Contact }>(token, 'PATCH', `${base}/${id}`, {
        version: version + 1,
        name: '王大明',
      });
      expect([late.status, late.data.current.phone]).toEqual([409, '138****5678']);
    }
    expect(await found(clerk, 'q=45678')).toContain('王小明');
  });

  it('an address book shows whole phones only to users of its station, and revealing a phone is audited', async () => {
    const id = (await create(clerk)).data.id;
    for (const token of [partner, admin]) {
      const { data } = await system.call<Contact>(token, 'GET', `${base}/${id}`);
      expect([data.phone, data.phones_shown]).toEqual(['138****5678', 0]);
    }
    expect((await system.call(admin, 'POST', `${base}/${id}/reveal`, {})).data).toEqual({
      phone: '13812345678',
    });
    const rows = await rowsOf(
      system,
      sql<{ account_name: string }>`select account_name from audit_log where action = 'reveal'
        and subject = 'contacts' and subject_id = ${id}`,
    );
    expect(rows).toEqual([{ account_name: 'admin' }]);
  });

  it('an administrator must choose the station of a new address book entry, a partner may choose a lower station, and a clerk cannot choose', async () => {
    expect((await create<Failed>(admin)).data.fields).toEqual({ station_id: { code: 'required' } });
    expect(
      (await create(admin, { station_id: system.station('pudong').id })).data.phones_shown,
    ).toBe(0);
    expect((await create(partner, { station_id: system.station('keji').id })).status).toBe(200);
    expect((await create(partner, { station_id: system.station('pudong').id })).status).toBe(404);
    expect((await create(clerk, { station_id: system.station('keji').id })).status).toBe(404);
  });

  it('a parcel accepts only address book entries of its own station, and a later change of the entry does not affect the parcel', async () => {
    const own = (await create(clerk)).data;
    const other = (await create(admin, { station_id: system.station('pudong').id })).data;
    const draft = (receive_id: number, key: string) =>
      system.call<Failed & { id: number }>(
        { token: clerk, headers: { 'idempotency-key': `contact-${key}` } },
        'POST',
        '/api/arco/expresses',
        exampleOrder({ draft: 1, receive_id, receive_name: own.name }),
      );
    expect((await draft(other.id, 'of-another')).data.fields).toEqual({
      receive_id: { code: 'not_found' },
    });
    const parcel = (await draft(own.id, 'of-my-own')).data;
    await system.call(clerk, 'PATCH', `${base}/${own.id}`, { version: own.version, name: '改名' });
    expect(
      (await system.call(clerk, 'GET', `/api/arco/expresses/${parcel.id}`)).data,
    ).toMatchObject({ receive_id: own.id, receive_name: '王小明' });
  });

  it('a full address book refuses a new entry, but still returns an existing one', async () => {
    const station_id = system.station('pudong').id;
    const kept = await create(admin, { station_id });
    await rowsOf(
      system,
      sql`insert into contacts (station_id, kind, name, phone, province, city, county,
        address)
        select ${station_id}, 'receive', '王' || n, '13900000001', '上海市', '上海市', '',
          '世纪大道'
        from generate_series(1, ${mostContacts} - 1 - (select count(*) from contacts
          where station_id = ${station_id})) n`,
    );
    expect((await create(admin, { station_id, name: '赵六' })).status).toBe(200);
    expect(await create(admin, { station_id, name: '赵七' })).toMatchObject({
      status: 409,
      data: { code: 'contact_too_many' },
    });
    expect((await create(admin, { station_id })).data.id).toBe(kept.data.id);
  });
});
