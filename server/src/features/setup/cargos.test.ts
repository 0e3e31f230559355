import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cargo } from '@waystation/contract/cargo.ts';
import { exampleOrder, openTestSystem } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let admin: string;
let clerk: string;
beforeAll(async () => {
  system = await openTestSystem();
  admin = await system.login('admin');
  clerk = await system.login('clerk');
});
afterAll(() => system.close());

interface Failed {
  code: string;
  fields?: Record<string, { code: string; params?: object }>;
}
const base = '/api/arco/cargos';
const create = <T = Cargo>(body: object): Promise<Answer<T>> => system.call<T>(admin, 'POST', base, { type: 1, provider: 'jdl', ...body });
const list = async (query = ''): Promise<Cargo[]> => (await system.call<{ items: Cargo[] }>(admin, 'GET', `${base}?page_size=200${query}`)).data.items;
const draft = (goods: string) => system.call(clerk, 'POST', '/api/arco/expresses', exampleOrder({ goods, draft: 1 }), { 'idempotency-key': 'fireworks-draft' });

describe('goods kinds', () => {
  it('goods kinds are called differently with each carrier, whatever their letters’ case', async () => {
    expect((await create({ name: 'Tea', provider: 'jdl' })).status).toBe(200);
    expect((await create<Failed>({ name: 'tea', provider: 'jdl' })).data).toMatchObject({ code: 'invalid_input', fields: { name: { code: 'taken' } } });
    expect((await create({ name: 'tea', provider: 'sf' })).status).toBe(200);
  });

  it('say how often they were shipped in the last 30 days', async () => {
    const { data } = await create({ name: '茶具' });
    expect(data.used_count).toBe(0);
    for (const at of [1, 2])
      await system.call(clerk, 'POST', '/api/arco/expresses', { draft: 1, goods: '茶具' }, { 'idempotency-key': `tea-set-number-${at}` });
    expect((await list('&q=茶具')).map(({ used_count }) => used_count)).toEqual([2]);
    expect((await list('&sort=-used_count'))[0]).toMatchObject({ name: '茶具', used_count: 2 });
    expect((await system.call(admin, 'GET', `${base}/${data.id}/usage`)).data).toEqual({ items: [{ what: 'parcels', count: 2 }] });
  });

  it('return the first save’s values to the second one', async () => {
    const { data } = await create({ name: '瓷器' });
    await system.call(admin, 'PATCH', `${base}/${data.id}`, { version: data.version, type: 4 });
    const late = await system.call<Failed & { current: Cargo }>(admin, 'PATCH', `${base}/${data.id}`, { version: data.version, name: '陶器' });
    expect(late).toMatchObject({ status: 409, data: { code: 'version_conflict', current: { name: '瓷器', type: 4, version: data.version + 1 } } });
  });

  it('that are banned say why, and an order with them is refused with it', async () => {
    expect((await create<Failed>({ name: '烟花', banned: 1 })).data.fields).toEqual({ banned_reason: { code: 'banned_reason_required' } });
    expect((await create({ name: '烟花', banned: 1, banned_reason: '易燃易爆' })).status).toBe(200);
    const { data } = await system.call<{ cargos: object[] }>(clerk, 'GET', '/api/arco/expresses/options');
    expect(data.cargos).toContainEqual(expect.objectContaining({ name: '烟花', banned: 1, banned_reason: '易燃易爆' }));
    const refused = await system.call<Failed>(clerk, 'POST', '/api/arco/expresses', exampleOrder({ goods: '烟花' }), {
      'idempotency-key': 'fireworks-ordered',
    });
    expect(refused.data.fields).toEqual({ goods: { code: 'cargo_banned', params: { goods: '烟花', text: '易燃易爆' } } });
    expect((await draft('烟花')).status).toBe(200);
  });

  it('keep the last of a carrier that may be shipped', async () => {
    const rows = await list('&provider=sf');
    expect(rows.length).toBe(1);
    const { id, version } = rows[0]!;
    expect((await system.call<Failed>(admin, 'POST', `${base}/${id}/status`, { status: 0 })).data.code).toBe('last_cargo');
    expect((await system.call<Failed>(admin, 'PATCH', `${base}/${id}`, { version, banned: 1, banned_reason: 'x' })).data.code).toBe('last_cargo');
    await create({ name: '茶叶', provider: 'sf' });
    expect((await system.call<Cargo>(admin, 'POST', `${base}/${id}/status`, { status: 0 })).data.status).toBe(0);
  });
});
