import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportLists } from '#lists.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { businessDay } from '#platform/clock.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import { uncounted } from '#platform/db/paging.ts';
import { systemScope } from '#platform/db/scope.ts';
import { selectRows, walkPages } from '#platform/http/list-walk.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi } from '#testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  const tokens = await api.loginAll();
  for (let n = 0; n < 12; n++) {
    const station_id = api.station(n % 2 === 0 ? 'nanshan' : 'keji').id;
    const at = new Date(api.clock.now().getTime() + n * 1_000);
    await api.app.db.tx(systemScope('test'), (work) =>
      topUp(work, {
        station_id,
        amount: 100 + n,
        description: '',
        cause: `walk ${n}`,
        at,
        by: api.network.office,
      }),
    );
    const contact = {
      name: `联系人 ${n}`,
      phone: '13900000001',
      kind: n % 2 === 0 ? 'sender' : 'receive',
      province: '广东省',
      city: '深圳市',
      county: '南山区',
      address: `科技园 ${n} 号`,
    };
    const { status, data } = await api.call(
      n % 3 === 0 ? tokens.station : tokens.partner,
      'POST',
      '/api/arco/contacts',
      contact,
    );
    expect([status, data]).toEqual([200, expect.anything()]);
  }
});
afterAll(() => api.close());

const actorOf = async (username: string): Promise<Actor> => {
  const [account] = await api.rows(sql<{ id: number }>`select id from accounts
    where username = ${username}`);
  return (await actorOfAccount(api.app.db, account!.id))!;
};

it.each([
  ['statements', 'super', {}],
  ['statements', 'partner', { sort: 'posted_at' }],
  ['statements', 'station', { sign: 'in' }],
  ['audit', 'super', {}],
  ['audit', 'admin', { subject: 'contacts' }],
  ['contacts', 'super', { sort: 'name' }],
  ['contacts', 'partner', { sort: '-province' }],
  ['contacts', 'station', { q: '联系人' }],
] as [string, string, Record<string, unknown>][])(
  'an export of the list %s by %s with %o has the rows of the list’s pages unchanged',
  async (name, username, given) => {
    // Filters without an index are limited to a range of 31 days.
    const today = businessDay(api.clock.now());
    const days: Record<string, string> = {
      ...('sign' in given && { posted_from: today }),
      ...('subject' in given && { at_from: today }),
      ...(name === 'contacts' && username !== 'station' && { updated_from: today }),
    };
    const filters = { ...given, ...days };
    const { source } = exportLists[name]!;
    const actor = await actorOf(username);
    const pages: object[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await source.handle(
        api.app,
        actor,
        uncounted({ page_size: 5, ...filters, cursor }) as never,
      );
      pages.push(...page.items);
      cursor = page.next_cursor;
    }
    const walked: object[] = [];
    const selection = await selectRows(api.app, actor, source, { filters, most: 1_000 });
    for await (const rows of walkPages(api.app, actor, source, {
      filters,
      selection,
      fields: new Set(['id']),
    }))
      walked.push(...rows);
    expect(selection).toMatchObject({ total: pages.length, total_is_capped: 0 });
    expect(pages.length).toBeGreaterThan(3);
    expect(walked).toEqual(pages);
    expect(await selectRows(api.app, actor, source, { filters, most: 3 })).toMatchObject({
      total: 3,
      total_is_capped: 1,
    });
  },
);
