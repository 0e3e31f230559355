import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';

const page = '/api/arco/expresses?page_size=50&fields=jd_amount';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi({ processes: 2 });
  tokens = await api.loginAll();
  await api.rows(
    sql`insert into expresses (station_id, user_id, order_id, receive_phone, state_code)
      select s.id, (select min(id) from accounts), 'A' || s.id, '13800000001', 100
      from stations s`,
  );
});
afterAll(() => api.close());

interface Page {
  items: { order_id: string; jd_amount?: number | null; phones_shown: 0 | 1 }[];
  code?: string;
}

/** Reads the page twice, because two calls in a row go to the two server processes. */
const pages = async (token: string): Promise<{ status: number; data: Page }[]> => [
  await api.call<Page>(token, 'GET', page),
  await api.call<Page>(token, 'GET', page),
];

const changed = (change: ReturnType<typeof sql<object>>): Promise<object[]> => api.rows(change);

describe('the rights of a caller', () => {
  it.each([
    [
      'a station whose account becomes a partner’s',
      sql<object>`update accounts
      set role = 'partner' where username = 'station'`,
    ],
    [
      'a station whose account becomes another station’s',
      sql<object>`update accounts set station_id = (select max(id) from stations),
        role = 'station' where username = 'station'`,
    ],
  ])(
    '%s gets the rows that its new rights allow at the next call, in every server process',
    async (_, change) => {
      const before = await pages(tokens.station);
      await changed(change);
      const after = await pages(tokens.station);
      const fresh = await pages(await api.login('station'));
      expect(after.map(({ data }) => data)).toEqual(fresh.map(({ data }) => data));
      expect(after[0]!.data).not.toEqual(before[0]!.data);
      expect(after[0]!.data).toEqual(after[1]!.data);
    },
  );

  it('if a station leaves a partner’s tree, the partner’s next call no longer returns the rows of that station, in every server process', async () => {
    const before = await pages(tokens.partner);
    expect(before[0]!.data.items.length).toBeGreaterThan(1);
    await changed(sql`update stations set parent_id = null
      where parent_id = (select station_id from accounts where username = 'partner')`);
    for (const { data } of await pages(tokens.partner))
      expect(data.items.length).toBeLessThan(before[0]!.data.items.length);
  });

  it('after an admin account becomes a clerk’s account, its next call no longer returns the carrier cost', async () => {
    expect((await pages(tokens.admin))[0]!.data.items[0]).toHaveProperty('jd_amount');
    await changed(sql`update accounts set role = 'user',
      station_id = (select min(id) from stations) where username = 'admin'`);
    for (const { status, data } of await pages(tokens.admin))
      expect([status, data.items.filter((row) => 'jd_amount' in row)]).toEqual([200, []]);
  });

  it.each([
    [
      'whose password has to change',
      sql<object>`update accounts set must_change = 1
      where username = 'clerk'`,
      403,
    ],
    [
      'whose account is disabled',
      sql<object>`update accounts set status = 0
      where username = 'clerk'`,
      401,
    ],
  ])(
    'a clerk %s is refused at the next call in every server process, even if the call has an invalid filter',
    async (_, change, status) => {
      await changed(sql`update accounts set status = 1, must_change = 0
      where username = 'clerk'`);
      expect((await pages(tokens.clerk)).map((answer) => answer.status)).toEqual([200, 200]);
      await changed(change);
      expect((await pages(tokens.clerk)).map((answer) => answer.status)).toEqual([status, status]);
      for (let turn = 0; turn < 2; turn++)
        expect((await api.call(tokens.clerk, 'GET', `${page}&tab=none`)).status).toBe(status);
    },
  );

  it('a session that was idle for too long is refused at the next call', async () => {
    expect((await pages(tokens.super)).map(({ status }) => status)).toEqual([200, 200]);
    api.clock.advance(31 * 60_000);
    expect((await pages(tokens.super)).map(({ status }) => status)).toEqual([401, 401]);
  });
});
