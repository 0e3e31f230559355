import * as z from 'zod/mini';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '@waystation/contract/people/contact.ts';
import { fillPath } from '@waystation/contract/base/endpoint.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { routes } from '#routes.ts';
import { failureOf } from '#testing/parcel-client.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: string;
let station: string;
let partner: string;
let admin: string;
let superuser: string;
beforeAll(async () => {
  system = await openTestSystem({ config: { poolSize: 16 } });
  [clerk, station, partner, admin, superuser] = (await Promise.all(
    ['clerk', 'station', 'partner', 'admin', 'super'].map((name) => system.login(name)),
  )) as [string, string, string, string, string];
});
afterAll(() => system.close());

const base = '/api/arco/expresses';
interface Found {
  items: Express[];
  total: number;
  missing: string[];
}
const search = (token: string, q: string): Promise<Answer<Found>> =>
  system.call<Found>(token, 'GET', `${base}?q=${encodeURIComponent(q)}`);
let drafts = 0;
const draftOf = async (fields: object): Promise<Express> =>
  (
    await system.call<Express>(
      { token: clerk, headers: { 'idempotency-key': `search-draft-${++drafts}` } },
      'POST',
      base,
      exampleOrder({ draft: 1, ...fields }),
    )
  ).data;
const idsOf = async (token: string, q: string): Promise<number[]> =>
  (await search(token, q)).data.items.map(({ id }) => id);

/** Makes every search wait until `open` is called. */
const blockSearches = async (): Promise<{
  waiting: () => Promise<number>;
  open: () => Promise<void>;
}> => {
  const client = await system.app.db.client();
  await client.query('begin; lock table express_keys in access exclusive mode');
  return {
    waiting: async () =>
      (
        await rowsOf(
          system,
          sql<{ n: number }>`select count(*) as n from pg_locks
        where relation = 'express_keys'::regclass and not granted`,
        )
      )[0]!.n,
    open: async () => {
      await client.query('rollback');
      client.release();
    },
  };
};

describe('the length of a search', () => {
  it('a search text of 100 characters is accepted, and a text of 101 characters is refused with the limit', async () => {
    expect((await search(clerk, '深'.repeat(100))).status).toBe(200);
    const refused = await search(clerk, '深'.repeat(101));
    expect([refused.status, failureOf(refused)]).toMatchObject([
      422,
      { code: 'search_too_long', params: { limit: 100, numbers: 2_000 } },
    ]);
    expect(refused.message).toContain('100');
  });

  it('a search of 2,000 numbers is accepted, and a search of 2,001 numbers is refused with the limit', async () => {
    const numbers = Array.from(
      { length: 2_001 },
      (_, at) => `JDVE2${String(at).padStart(10, '0')}`,
    );
    expect((await search(clerk, numbers.slice(1).join('\n'))).data.missing).toHaveLength(2_000);
    expect(failureOf(await search(clerk, numbers.join('\n')))).toMatchObject({
      code: 'too_many_numbers',
      params: { limit: 2_000, count: 2_001 },
    });
  });

  it('the length of a search text has the same limit in every list, export and bulk action', async () => {
    const lists = routes.filter(
      ({ endpoint }) =>
        endpoint.method === 'GET' &&
        endpoint.input instanceof z.ZodMiniObject &&
        Object.hasOwn(endpoint.input.shape, 'q'),
    );
    expect(lists.length).toBeGreaterThan(12);
    const long = encodeURIComponent('深'.repeat(101));
    for (const { endpoint } of lists) {
      const path = fillPath(endpoint.path, { id: 1 });
      expect([
        path,
        failureOf(await system.call(superuser, 'GET', `${path}?q=${long}`)).code,
      ]).toEqual([path, 'search_too_long']);
    }
    const filters = { q: '深'.repeat(101) };
    const file = {
      list: 'expresses',
      format: 'csv',
      language: 'zh',
      columns: [{ key: 'id', title: 'id' }],
      filters,
    };
    expect(failureOf(await system.call(superuser, 'POST', '/api/arco/exports', file)).code).toBe(
      'search_too_long',
    );
  });
});

describe('long words and several words in a parcel search', () => {
  it('a long word in a parcel search must match completely; a match of only its beginning is not enough', async () => {
    const name = '广东省深圳市南山区示例科技有限公司华南运营中心第三仓库收货部门';
    const parcel = await draftOf({ receive_name: name });
    expect(await idsOf(clerk, name)).toEqual([parcel.id]);
    expect(await idsOf(clerk, name.slice(3, 30))).toEqual([parcel.id]);
    expect(await idsOf(clerk, `${name.slice(0, 20)}别${name.slice(21)}`)).toEqual([]);
    // This text has the same pairs of characters in another order.
    expect(await idsOf(clerk, '南山区深圳市')).toEqual([]);
  });

  it('a parcel search for several words and numbers finds only parcels that match all of them', async () => {
    const parcel = await draftOf({ receive_name: '欧阳娜娜', thr_order_id: 'T-2026-77' });
    expect(await idsOf(clerk, '欧阳 t-2026-77')).toEqual([parcel.id]);
    expect(await idsOf(clerk, `欧阳 ${parcel.order_id.slice(-6)}`)).toEqual([parcel.id]);
    expect(await idsOf(clerk, '欧阳 T-2026-78')).toEqual([]);
  });
});

describe('a search that is slow in the database', () => {
  it('a slow search returns 503 search_too_slow with Retry-After, and its database query is cancelled', async () => {
    const before = system.app.config.listTimeoutMs;
    const block = await blockSearches();
    try {
      system.app.config.listTimeoutMs = 100;
      const slow = await search(clerk, '张三');
      expect([slow.status, failureOf(slow).code, slow.headers.get('retry-after')]).toEqual([
        503,
        'search_too_slow',
        '5',
      ]);
      expect(await block.waiting()).toBe(0);
    } finally {
      system.app.config.listTimeoutMs = before;
      await block.open();
    }
    expect((await search(clerk, '张三')).status).toBe(200);
  });

  it('a slow search is cancelled in the database when its caller disconnects', async () => {
    system.app.config.listTimeoutMs = 30_000;
    const block = await blockSearches();
    const gone = new AbortController();
    const search = fetch(`${system.url}${base}?q=${encodeURIComponent('张三')}`, {
      headers: { authorization: `Bearer ${clerk}` },
      signal: gone.signal,
    });
    await eventually(async () => (await block.waiting()) === 1);
    gone.abort();
    await expect(search).rejects.toThrow(/abort/i);
    await eventually(async () => (await block.waiting()) === 0);
    await block.open();
  });

  it('an account’s slow searches run four at a time, sixteen more wait and others are refused; other accounts are not delayed', async () => {
    system.app.config.listTimeoutMs = 30_000;
    const block = await blockSearches();
    const answers = Array.from({ length: 21 }, () => search(clerk, '张三'));
    const refused = await Promise.race(answers);
    expect([refused.status, failureOf(refused)]).toMatchObject([
      429,
      { code: 'too_many_searches', params: { limit: 4 } },
    ]);
    expect(refused.headers.get('retry-after')).toBe('1');
    await eventually(async () => (await block.waiting()) === 4);
    expect((await system.call(station, 'GET', base)).status).toBe(200);
    expect((await system.call(clerk, 'GET', '/api/arco/personal')).status).toBe(200);
    expect(await block.waiting()).toBe(4);
    await block.open();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
  });
});

describe('a search through an export or a bulk action', () => {
  it('searches of an account’s exports and bulk actions count toward its four slow searches, and end with 503 if the database is slow', async () => {
    const before = system.app.config.listTimeoutMs;
    system.app.config.listTimeoutMs = 30_000;
    const filters = { q: '张三' };
    const file = {
      list: 'expresses',
      format: 'csv',
      language: 'zh',
      columns: [{ key: 'id', title: 'id' }],
      filters,
    };
    const exported = () => system.call(clerk, 'POST', '/api/arco/exports', file);
    const chosen = () =>
      system.call(clerk, 'POST', `${base}/bulk`, { action: 'order', filter: filters, expected: 0 });
    let block = await blockSearches();
    const answers: Promise<{ status: number }>[] = Array.from({ length: 21 }, (_, index) =>
      index % 2 === 0 ? exported() : chosen(),
    );
    expect((await Promise.race(answers)).status).toBe(429);
    await eventually(async () => (await block.waiting()) === 4);
    await block.open();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200 || status === 422)).toHaveLength(20);
    block = await blockSearches();
    system.app.config.listTimeoutMs = 100;
    expect([(await exported()).status, failureOf(await chosen()).code]).toEqual([
      503,
      'search_too_slow',
    ]);
    system.app.config.listTimeoutMs = before;
    await block.open();
  });
});

const audits = (username: string) =>
  rowsOf(
    system,
    sql<{ subject: string; changes: object }>`select subject, changes from audit_log
      where action = 'search_phone' and account_name = ${username} order by id`,
  );

describe('a search for complete phones', () => {
  const phones = { receive_phone: '13911110001', sender_phone: '0755-26001234' };
  let parcel: Express;
  beforeAll(async () => {
    parcel = await draftOf(phones);
  });

  it('complete phones pasted into the parcel list find parcels of the user’s own station; those of other stations are reported as missing', async () => {
    const pasted = '13911110001 13911110009';
    for (const token of [clerk, station]) {
      const { data } = await search(token, pasted);
      expect([data.items.map(({ id }) => id), data.missing]).toEqual([
        [parcel.id],
        ['13911110009'],
      ]);
    }
    for (const token of [partner, admin, superuser]) {
      expect((await search(token, pasted)).data).toMatchObject({
        items: [],
        missing: pasted.split(' '),
      });
      expect((await search(token, `13911110001 ${parcel.order_id}`)).data).toMatchObject({
        items: [{ id: parcel.id }],
        missing: ['13911110001'],
      });
      expect(await idsOf(token, `13911110001 张三`)).toEqual([]);
    }
    expect(await idsOf(clerk, '13911110001 张三')).toEqual([parcel.id]);
  });

  it('a search for a complete phone finds parcels of other stations, and is audited once an hour with the phone masked', async () => {
    expect(await idsOf(admin, '13911110001')).toEqual([parcel.id]);
    expect(await idsOf(admin, '139 1111 0001')).toEqual([parcel.id]);
    expect(await idsOf(admin, '0755-26001234')).toContain(parcel.id);
    expect(await idsOf(admin, '13911110002')).toEqual([]);
    expect(await audits('admin')).toEqual(
      ['139****0001', '0755-****1234', '139****0002'].map((phone) => ({
        subject: 'expresses',
        changes: { phone: [null, phone] },
      })),
    );
    expect(await idsOf(station, '13911110001')).toEqual([parcel.id]);
    expect(await audits('station')).toEqual([]);
    const { data } = await system.call<{ items: { changes: object }[] }>(
      superuser,
      'GET',
      `/api/arco/audit?action=search_phone&at_from=${businessDay(new Date())}`,
    );
    expect(JSON.stringify(data)).not.toContain('13911110001');
  });

  it('an account can search for complete phone numbers of other stations at most sixty times an hour', async () => {
    const { rows } = await system.app.db.tx({ kind: 'all', why: 'test' }, (work) =>
      sql<{ n: number }>`with account as (select id from accounts where username = 'partner'),
        filled as (
        insert into phone_searches (account_id, hour, digest)
          select id, date_trunc('hour', ${system.app.clock.now()}::timestamptz), 'test ' || n
          from account, generate_series(1, 59) n returning 1)
        select count(*) as n from filled`.execute(work.tx),
    );
    expect(rows).toEqual([{ n: 59 }]);
    expect(await idsOf(partner, '13911110001')).toEqual([parcel.id]);
    expect(await idsOf(partner, '13911110001')).toEqual([parcel.id]);
    const refused = await search(partner, '13911110003');
    expect([refused.status, failureOf(refused)]).toMatchObject([
      429,
      { code: 'too_many_phone_searches', params: { limit: 60 } },
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(
      failureOf(
        await system.call(
          partner,
          'GET',
          `/api/arco/contacts?q=13911110003&updated_from=${businessDay(new Date())}`,
        ),
      ).code,
    ).toBe('too_many_phone_searches');
    expect(await idsOf(partner, '0001')).toContain(parcel.id);
    expect((await search(station, '13911110003')).status).toBe(200);
    const { station_id: own } = (
      await system.call<{ station_id: number }>(partner, 'GET', '/api/arco/personal')
    ).data;
    expect(
      (await system.call(partner, 'GET', `/api/arco/expresses?q=13911110003&station_id=${own}`))
        .status,
    ).toBe(200);
    expect(
      (
        await system.call(
          partner,
          'GET',
          `/api/arco/expresses?q=13911110003&station_id=${parcel.station_id}`,
        )
      ).status,
    ).toBe(429);
  });

  it('contacts are found by complete phones under the same rules as parcels', async () => {
    const person = {
      kind: 'receive',
      name: '王小明',
      phone: '13911110005',
      province: '上海市',
      city: '上海市',
      county: '浦东新区',
      address: '世纪大道100号',
    };
    expect((await system.call(clerk, 'POST', '/api/arco/contacts', person)).status).toBe(200);
    const found = async (token: string, q: string): Promise<string[]> =>
      (
        await system.call<{ items: Contact[] }>(
          token,
          'GET',
          `/api/arco/contacts?updated_from=${businessDay(new Date())}&q=${encodeURIComponent(q)}`,
        )
      ).data.items.map(({ name }) => name);
    expect(await found(clerk, '13911110005 13911110006')).toEqual(['王小明']);
    expect(await found(admin, '13911110005 13911110006')).toEqual([]);
    expect(await found(admin, '139 1111 0005')).toEqual(['王小明']);
    expect((await audits('admin')).at(-1)).toEqual({
      subject: 'contacts',
      changes: { phone: [null, '139****0005'] },
    });
  });

  it('a parcel search for digits finds the end of a landline number, not its area code', async () => {
    expect(await idsOf(clerk, '1234')).toContain(parcel.id);
    expect(await idsOf(clerk, '26001234')).toContain(parcel.id);
    expect(await idsOf(clerk, '0755')).not.toContain(parcel.id);
  });
});
