import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostViews } from '@waystation/contract/base/limits.ts';
import type { SavedView } from '@waystation/contract/shell/views.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
});
afterAll(() => api.close());

type Refused = {
  code: string;
  fields?: Record<string, { code: string }>;
  current?: { title: string };
};
const save = <T = SavedView>(token: string, body: object = {}) =>
  api.call<T>(token, 'POST', '/api/arco/views', {
    list: 'expresses',
    title: '今天失败的',
    search: { tab: 'failed', page_size: '50' },
    ...body,
  });
const titles = async (token: string, list = 'expresses') =>
  (
    await api.call<{ items: SavedView[] }>(token, 'GET', `/api/arco/views?list=${list}`)
  ).data.items.map(({ title, mine }) => [title, mine]);

describe('a saved view', () => {
  it('a saved view stores the list’s filters and columns, and is visible only to its owner', async () => {
    const { data } = await save(tokens.clerk, { columns: { hidden: ['goods'] } });
    expect(data).toMatchObject({
      title: '今天失败的',
      search: { tab: 'failed', page_size: '50' },
      columns: { hidden: ['goods'] },
      shared_with: null,
      mine: 1,
      version: 1,
    });
    expect([
      await titles(tokens.clerk),
      await titles(tokens.station),
      await titles(tokens.clerk, 'cargos'),
    ]).toEqual([[['今天失败的', 1]], [], []]);
    expect(
      (
        await api.call(tokens.super, 'PATCH', `/api/arco/views/${data.id}`, {
          version: 1,
          title: 'x',
        })
      ).status,
    ).toBe(404);
    expect(
      (await api.call(tokens.super, 'POST', `/api/arco/views/${data.id}/remove`, {})).status,
    ).toBe(404);
  });

  it('only administrators can share a saved view with a role, and its readers cannot change the view', async () => {
    const { data } = await save(tokens.admin, { title: '全网异常', shared_with: 'station' });
    expect(await titles(tokens.station)).toEqual([['全网异常', 0]]);
    expect(await titles(tokens.partner)).toEqual([]);
    expect(
      (
        await api.call(tokens.station, 'PATCH', `/api/arco/views/${data.id}`, {
          version: 1,
          title: 'x',
        })
      ).status,
    ).toBe(404);
    const refused = await save<Refused>(tokens.partner, { title: 'mine', shared_with: 'user' });
    expect(refused.data.fields).toEqual({ shared_with: { code: 'view_share_forbidden' } });
  });

  it('a saved view can be renamed and removed; a taken title is refused, and an outdated version returns 409', async () => {
    const first = (await save(tokens.super, { title: 'A' })).data;
    await save(tokens.super, { title: 'B' });
    const edit = (version: number, title: string) =>
      api.call<Refused & SavedView>(tokens.super, 'PATCH', `/api/arco/views/${first.id}`, {
        version,
        title,
      });
    expect((await edit(1, 'b')).data.fields).toEqual({ title: { code: 'taken' } });
    expect((await edit(1, 'C')).data).toMatchObject({ title: 'C', version: 2 });
    const conflict = await edit(1, 'D');
    expect({ status: conflict.status, current: conflict.data.current?.title }).toEqual({
      status: 409,
      current: 'C',
    });
    await api.call(tokens.super, 'POST', `/api/arco/views/${first.id}/remove`, {});
    expect(await titles(tokens.super)).toEqual([['B', 1]]);
    const actions = await api.rows(
      sql<{ action: string }>`select action from audit_log where subject = 'saved_views'
        and subject_id = ${first.id} order by id`,
    );
    expect(actions.map(({ action }) => action)).toEqual(['create', 'edit', 'remove']);
  });

  it('a saved view is at most 8 KiB, and a user can have at most 50 saved views of one list', async () => {
    expect(
      (await save<Refused>(tokens.partner, { title: 'big', search: { q: 'x'.repeat(9_000) } })).data
        .fields,
    ).toEqual({
      search: { code: 'view_too_large', params: { limit: 8 } },
    });
    for (let n = 0; n < 50; n++)
      expect((await save(tokens.partner, { title: `view ${n}` })).status).toBe(200);
    expect((await save<Refused>(tokens.partner, { title: 'one more' })).data.code).toBe(
      'views_too_many',
    );
    expect((await save(tokens.partner, { list: 'statements' })).status).toBe(200);
  });

  it('a saved view of an unknown list is refused', async () => {
    for (const list of ['nothing', 'expresses2', 'constructor'])
      expect((await save<Refused>(tokens.station, { list })).data.fields, list).toEqual({
        list: { code: 'list_unknown', params: { list } },
      });
    for (const list of ['imports', 'reconciliations', 'bill_rows', 'contacts'])
      expect((await save(tokens.station, { list })).status, list).toBe(200);
  });

  it('a user has at most 200 saved views of all lists together', async () => {
    await api.rows(sql`delete from saved_views
      where account_id = (select id from accounts where username = 'admin')`);
    await api.rows(sql`insert into saved_views (account_id, list, title, search)
      select a.id, l, 'view ' || n, '{}' from accounts a,
        unnest(array['expresses', 'statements', 'prints', 'audit']) l,
        generate_series(1, 50) n
      where a.username = 'admin' and not (l = 'audit' and n = 50)`);
    expect((await save(tokens.admin, { list: 'stations' })).status).toBe(200);
    const { status, data } = await save<Refused>(tokens.admin, { list: 'users' });
    expect([status, data]).toMatchObject([
      422,
      { code: 'too_many_views', params: { limit: mostViews } },
    ]);
  });
});
