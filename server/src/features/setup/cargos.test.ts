import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cargo, CargoSheet } from '@waystation/contract/parcels/cargo.ts';
import { businessDay } from '#platform/clock.ts';
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
const create = <T = Cargo>(body: object): Promise<Answer<T>> =>
  system.call<T>(admin, 'POST', base, { type: 1, provider: 'jdl', ...body });
const list = async (query = ''): Promise<Cargo[]> =>
  (await system.call<{ items: Cargo[] }>(admin, 'GET', `${base}?page_size=200${query}`)).data.items;
const draft = (goods: string) =>
  system.call(
    { token: clerk, headers: { 'idempotency-key': 'fireworks-draft' } },
    'POST',
    '/api/arco/expresses',
    exampleOrder({ goods, draft: 1 }),
  );

describe('goods kinds', () => {
  it('goods kinds have unique names per carrier, ignoring case', async () => {
    expect((await create({ name: 'Tea', provider: 'jdl' })).status).toBe(200);
    expect((await create<Failed>({ name: 'tea', provider: 'jdl' })).data).toMatchObject({
      code: 'invalid_input',
      fields: { name: { code: 'taken' } },
    });
    expect((await create({ name: 'tea', provider: 'sf' })).status).toBe(200);
  });

  it('goods kinds show how often they were shipped in the last 30 days', async () => {
    const { data } = await create({ name: '茶具' });
    expect(data.used_count).toBe(0);
    for (const at of [1, 2])
      await system.call(
        { token: clerk, headers: { 'idempotency-key': `tea-set-number-${at}` } },
        'POST',
        '/api/arco/expresses',
        { draft: 1, goods: '茶具' },
      );
    expect((await list('&q=茶具')).map(({ used_count }) => used_count)).toEqual([2]);
    expect((await list('&sort=-used_count'))[0]).toMatchObject({ name: '茶具', used_count: 2 });
    expect((await system.call(admin, 'GET', `${base}/${data.id}/usage`)).data).toEqual({
      items: [{ what: 'parcels', count: 2 }],
    });
  });

  it('goods kinds are found by part of the name and by the pinyin initials of the name', async () => {
    await create({ name: '雷达天线' });
    const found = async (q: string): Promise<string[]> =>
      (await list(`&q=${encodeURIComponent(q)}`)).map(({ name }) => name);
    for (const q of ['天线', 'ldtx', 'TX', 'dt']) expect(await found(q), q).toEqual(['雷达天线']);
    expect(await found('ldtxx')).toEqual([]);
  });

  it('a change of a goods kind with an outdated version returns 409 and the current values', async () => {
    const { data } = await create({ name: '瓷器' });
    await system.call(admin, 'PATCH', `${base}/${data.id}`, { version: data.version, type: 4 });
    const late = await system.call<Failed & { current: Cargo }>(
      admin,
      'PATCH',
      `${base}/${data.id}`,
      { version: data.version, name: '陶器' },
    );
    expect(late).toMatchObject({
      status: 409,
      data: {
        code: 'version_conflict',
        current: { name: '瓷器', type: 4, version: data.version + 1 },
      },
    });
  });

  it('a banned goods kind requires a reason, and an order with these goods is refused with that reason', async () => {
    expect((await create<Failed>({ name: '烟花', banned: 1 })).data.fields).toEqual({
      banned_reason: { code: 'banned_reason_required' },
    });
    expect((await create({ name: '烟花', banned: 1, banned_reason: '易燃易爆' })).status).toBe(200);
    const { data } = await system.call<{ cargos: object[] }>(
      clerk,
      'GET',
      '/api/arco/expresses/options',
    );
    expect(data.cargos).toContainEqual(
      expect.objectContaining({ name: '烟花', banned: 1, banned_reason: '易燃易爆' }),
    );
    const refused = await system.call<Failed>(
      { token: clerk, headers: { 'idempotency-key': 'fireworks-ordered' } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ goods: '烟花' }),
    );
    expect(refused.data.fields).toEqual({
      goods: { code: 'cargo_banned', params: { goods: '烟花', text: '易燃易爆' } },
    });
    expect((await draft('烟花')).status).toBe(200);
  });

  it('the last goods kind that a carrier may ship can be neither banned nor removed', async () => {
    const rows = await list('&provider=sf');
    expect(rows.length).toBe(1);
    const { id, version } = rows[0]!;
    expect(
      (await system.call<Failed>(admin, 'POST', `${base}/${id}/status`, { status: 0 })).data.code,
    ).toBe('last_cargo');
    expect(
      (
        await system.call<Failed>(admin, 'PATCH', `${base}/${id}`, {
          version,
          banned: 1,
          banned_reason: 'x',
        })
      ).data.code,
    ).toBe('last_cargo');
    await create({ name: '茶叶', provider: 'sf' });
    expect(
      (await system.call<Cargo>(admin, 'POST', `${base}/${id}/status`, { status: 0 })).data.status,
    ).toBe(0);
  });
});

describe('uploading a sheet of goods kinds', () => {
  const read = (
    content: string | Uint8Array<ArrayBuffer>,
    name = '物品.csv',
    language = 'zh',
  ): Promise<Answer<CargoSheet & Failed>> => {
    const form = new FormData();
    form.set('language', language);
    form.set('file', new File([content], name));
    return system.call(admin, 'POST', `${base}/sheet`, form);
  };
  const rowsOfSheet = ({ data }: Answer<CargoSheet>) =>
    data.rows.map(({ values, version }) => ({ ...values, version }));
  const send = (rows: object[], key: string) =>
    system.call<{ created: number; changed: number; unchanged: number } & Failed>(
      { token: admin, headers: { 'idempotency-key': key } },
      'POST',
      `${base}/import`,
      { rows },
    );

  it('an uploaded sheet of goods kinds shows new, changed and unchanged rows; empty cells keep values, and a repeat changes nothing', async () => {
    await create({ name: '紫砂壶', priority: 7, type: 4 });
    await create({ name: '茶盘' });
    const before = await list();
    const sheet = await read(
      '名称,类型,优先级,禁止寄递,禁寄原因\n紫砂壶,,9,,\n茶盘,普通货物,,否,\n鞭炮,,,是,易燃易爆\n',
    );
    expect(sheet.data).toMatchObject({ problems_total: 0 });
    expect(
      sheet.data.rows.map(({ line, state, values: { name, type, priority } }) => ({
        line,
        state,
        name,
        type,
        priority,
      })),
    ).toEqual([
      { line: 2, state: 'changed', name: '紫砂壶', type: 4, priority: 9 },
      { line: 3, state: 'unchanged', name: '茶盘', type: 1, priority: 0 },
      { line: 4, state: 'new', name: '鞭炮', type: 1, priority: 0 },
    ]);
    expect(await list()).toEqual(before);
    const rows = rowsOfSheet(sheet);
    for (const _ of [1, 2])
      expect((await send(rows, 'goods-sheet-number-1')).data).toEqual({
        created: 1,
        changed: 1,
        unchanged: 1,
      });
    expect((await list('&q=紫砂壶'))[0]).toMatchObject({ priority: 9, type: 4, version: 2 });
    expect((await list('&q=茶盘'))[0]).toMatchObject({ version: 1 });
    const since = businessDay(new Date());
    const { data: log } = await system.call<{ items: { action: string }[] }>(
      admin,
      'GET',
      `/api/arco/audit?subject=cargos&page_size=3&at_from=${since}`,
    );
    expect(log.items.map(({ action }) => action)).toEqual(['import', 'create', 'edit']);
    expect(await send(rows, 'goods-sheet-number-2')).toMatchObject({
      status: 409,
      data: { code: 'cargos_changed' },
    });
  });

  it.each(['zh', 'en'] as const)(
    'an unchanged export of goods kinds changes nothing when it is uploaded, in either language (%s)',
    async (language) => {
      const titles = {
        zh: '名称 优先级 类型 承运商 禁止寄递 禁寄原因 状态 近30天 ID'.split(' '),
        en: [
          'Name',
          'Priority',
          'Type',
          'Carrier',
          'May not be shipped',
          'Reason',
          'Status',
          'Last 30 days',
          'ID',
        ],
      }[language];
      const keys = 'name priority type provider banned banned_reason status used_count id'.split(
        ' ',
      );
      const file = await fetch(`${system.url}/api/arco/exports`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          list: 'cargos',
          filters: {},
          format: 'xlsx',
          language,
          columns: keys.map((key, at) => ({ key, title: titles[at] })),
        }),
      });
      const { data } = await read(new Uint8Array(await file.arrayBuffer()), 'x.xlsx', language);
      expect(data).toMatchObject({ problems: [], problems_total: 0 });
      expect(data.rows).toHaveLength((await list()).length);
      expect(data.rows.filter(({ state }) => state !== 'unchanged')).toEqual([]);
    },
  );

  it('if an uploaded sheet of goods kinds has wrong cells, the response lists each wrong cell with the reason, and contains no rows', async () => {
    const { data } = await read(
      '品名,类型,承运商,优先级,禁寄,状态,产地\n,9,,,,,\n甲,干货,,,,,\n乙,10,圆通,10000,也许,坏,\n丙,,,,,,\n丙,,,,,,\n丁,,,,是,,\n',
    );
    expect(data.rows).toEqual([]);
    expect(
      data.problems.map(({ line, column, reason }) => `${column}${line} ${reason.code}`),
    ).toEqual([
      'G1 cargo_sheet_title_unknown',
      'A2 cargo_sheet_name',
      'B3 cargo_sheet_type',
      'B4 cargo_sheet_type',
      'C4 cargo_sheet_provider',
      'D4 cargo_sheet_priority',
      'E4 cargo_sheet_flag',
      'F4 cargo_sheet_status',
      'A6 cargo_sheet_repeated',
    ]);
    expect((await read('名称,禁寄\n丁,是\n')).data).toMatchObject({
      rows: [],
      problems: [{ line: 2, reason: { code: 'cargo_sheet_reason' } }],
    });
  });

  it('a sheet of goods kinds is refused if it has more than 1,000 rows, has no name column, or disables all kinds of a carrier', async () => {
    const many = (count: number) =>
      `名称\n${Array.from({ length: count }, (_, at) => `货 ${at}`).join('\n')}`;
    expect((await read(many(1_000))).data.rows).toHaveLength(1_000);
    expect((await read(many(1_001))).data.fields).toEqual({
      file: { code: 'cargo_sheet_too_many_rows', params: { limit: 1_000 } },
    });
    expect((await read(many(3_000))).data.fields).toEqual({
      file: { code: 'cargo_sheet_too_many_rows', params: { limit: 1_000 } },
    });
    expect((await read('型号\n1')).data.fields).toMatchObject({
      file: { code: 'cargo_sheet_titles' },
    });
    expect((await read('名称\n')).data.fields).toMatchObject({
      file: { code: 'cargo_sheet_empty' },
    });
    const every = (await list()).map(({ name, provider }) => `${name},${provider},停用`).join('\n');
    expect((await read(`名称,承运商,状态\n${every}`)).data.code).toBe('last_cargo');
  });
});
