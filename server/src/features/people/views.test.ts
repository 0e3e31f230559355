import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SavedView } from '@waystation/contract/views.ts';
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

type Refused = { code: string; fields?: Record<string, { code: string }>; current?: { title: string } };
const save = <T = SavedView>(token: string, body: object = {}) =>
  api.call<T>(token, 'POST', '/api/arco/views', { list: 'expresses', title: '今天失败的', search: { tab: 'failed', page_size: '50' }, ...body });
const titles = async (token: string, list = 'expresses') =>
  (await api.call<{ items: SavedView[] }>(token, 'GET', `/api/arco/views?list=${list}`)).data.items.map(({ title, mine }) => [title, mine]);

describe('a saved view', () => {
  it('keeps the list’s address and its columns, and is its owner’s alone', async () => {
    const { data } = await save(tokens.clerk, { columns: { hidden: ['goods'] } });
    expect(data).toMatchObject({
      title: '今天失败的',
      search: { tab: 'failed', page_size: '50' },
      columns: { hidden: ['goods'] },
      shared_with: null,
      mine: 1,
      version: 1,
    });
    expect([await titles(tokens.clerk), await titles(tokens.station), await titles(tokens.clerk, 'cargos')]).toEqual([[['今天失败的', 1]], [], []]);
    expect((await api.call(tokens.super, 'PATCH', `/api/arco/views/${data.id}`, { version: 1, title: 'x' })).status).toBe(404);
    expect((await api.call(tokens.super, 'POST', `/api/arco/views/${data.id}/remove`, {})).status).toBe(404);
  });

  it('a saved view is shared with one role, by the office alone, and cannot be changed by those who see it', async () => {
    const { data } = await save(tokens.admin, { title: '全网异常', shared_with: 'station' });
    expect(await titles(tokens.station)).toEqual([['全网异常', 0]]);
    expect(await titles(tokens.partner)).toEqual([]);
    expect((await api.call(tokens.station, 'PATCH', `/api/arco/views/${data.id}`, { version: 1, title: 'x' })).status).toBe(404);
    const refused = await save<Refused>(tokens.partner, { title: 'mine', shared_with: 'user' });
    expect(refused.data.fields).toEqual({ shared_with: { code: 'view_share_forbidden' } });
  });

  it('a saved view is renamed against its version, with a unique title, and removed', async () => {
    const first = (await save(tokens.super, { title: 'A' })).data;
    await save(tokens.super, { title: 'B' });
    const edit = (version: number, title: string) => api.call<Refused & SavedView>(tokens.super, 'PATCH', `/api/arco/views/${first.id}`, { version, title });
    expect((await edit(1, 'b')).data.fields).toEqual({ title: { code: 'taken' } });
    expect((await edit(1, 'C')).data).toMatchObject({ title: 'C', version: 2 });
    const conflict = await edit(1, 'D');
    expect({ status: conflict.status, current: conflict.data.current?.title }).toEqual({ status: 409, current: 'C' });
    await api.call(tokens.super, 'POST', `/api/arco/views/${first.id}/remove`, {});
    expect(await titles(tokens.super)).toEqual([['B', 1]]);
    const actions = await api.rows(
      sql<{ action: string }>`select action from audit_log where subject = 'saved_views' and subject_id = ${first.id} order by id`,
    );
    expect(actions.map(({ action }) => action)).toEqual(['create', 'edit', 'remove']);
  });

  it('a saved view is at most 8 KiB, and a person has at most 50 of one list', async () => {
    expect((await save<Refused>(tokens.partner, { title: 'big', search: { q: 'x'.repeat(9_000) } })).data.fields).toEqual({
      search: { code: 'view_too_large' },
    });
    for (let n = 0; n < 50; n++) expect((await save(tokens.partner, { title: `view ${n}` })).status).toBe(200);
    expect((await save<Refused>(tokens.partner, { title: 'one more' })).data.code).toBe('views_too_many');
    expect((await save(tokens.partner, { list: 'statements' })).status).toBe(200);
  });
});
