import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/envelope.ts';
import type { ImportRow } from '@waystation/contract/import.ts';
import { mostImportRowsAtOnce } from '@waystation/contract/limits.ts';
import { sql } from '#platform/db/db.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  imports = await openImports(system);
});
afterAll(() => system.close());

const many = mostImportRowsAtOnce + 100;
const manyLines = (): string[][] => Array.from({ length: many }, () => imports.line());

/** A price for the goods of a sheet that the station's scheme does not offer any more. */
const withoutScheme = async <T>(work: () => Promise<T>): Promise<T> => {
  const station = system.station('nanshan').id;
  const [before] = await rowsOf(system, sql<{ project_id: number }>`select project_id from stations where id = ${station}`);
  await rowsOf(system, sql`update stations set project_id = null where id = ${station}`);
  try {
    return await work();
  } finally {
    await rowsOf(system, sql`update stations set project_id = ${before!.project_id} where id = ${station}`);
  }
};

describe('a refused row', () => {
  it('that a bulk edit changes is checked and loses the reason of its refusal', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line(), imports.line({ 物品: '没有这种' })));
    await imports.refuse(id, 1, 2);
    await imports.edit(id, { action: 'set', field: 'weight', value: '3' });
    const rows = await imports.rows(id);
    expect(rows.map(({ mark, reason, values }) => [mark, reason, values.weight])).toEqual([
      ['ok', null, '3'],
      ['error', null, '3'],
    ]);
  });

  it('that an edit of more rows than are checked at once changes is checked, too; an excluded one stays excluded', async () => {
    const { id } = await imports.checked(imports.sheet(...manyLines()));
    await imports.refuse(id, 1);
    await imports.edit(id, { action: 'exclude', nos: [2] });
    await imports.edit(id, { action: 'set', field: 'weight', value: '3' });
    await imports.settled(id);
    const [refused, excluded] = await imports.rows(id);
    expect(refused).toMatchObject({ mark: 'ok', reason: null, values: { weight: '3' } });
    expect(excluded).toMatchObject({ mark: 'excluded', values: { weight: '3' } });
  });
});

describe('an excluded row', () => {
  it('stays excluded when it is edited, and is checked with the edit when it is included', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line(), imports.line({ 物品: '没有这种' })));
    await imports.edit(id, { action: 'exclude' });
    const [, before] = await imports.rows(id);
    const edited = await imports.call<{ row: ImportRow }>('PATCH', `/${id}/rows/2`, { version: before!.version, values: { goods: '文件' } });
    expect(edited.data.row).toMatchObject({ mark: 'excluded', values: { goods: '文件' } });
    await imports.edit(id, { action: 'set', field: 'weight', value: '很重', nos: [1] });
    expect((await imports.get(id)).counts).toMatchObject({ excluded: 2, error: 0 });
    await imports.edit(id, { action: 'include' });
    expect((await imports.get(id)).counts).toMatchObject({ excluded: 0, error: 1, ok: 1 });
  });
});

describe('an edit of more rows than are checked at once', () => {
  it('returns a done import to done', async () => {
    const { id } = await imports.checked(imports.sheet(...manyLines()));
    await imports.edit(id, { action: 'exclude' });
    await imports.edit(id, { action: 'include', nos: [1] });
    expect(await imports.ordered({ id })).toMatchObject({ status: 'done', counts: { ordered: 1 } });
    await imports.edit(id, { action: 'set', field: 'weight', value: '2' });
    expect(await imports.settled(id)).toMatchObject({ status: 'done', counts: { ordered: 1, excluded: many - 1 } });
  });

  it('returns a paused import to paused, with its reason, and its waiting rows can be ordered', async () => {
    const { id } = await imports.checked(imports.sheet(...manyLines()));
    await imports.edit(id, { action: 'exclude' });
    await imports.edit(id, { action: 'include', nos: [1] });
    await imports.waiting({ id });
    await rowsOf(system, sql`update imports set status = 'paused', reason = '{"code":"station_blocked"}' where id = ${id}`);
    await imports.restart();
    await imports.edit(id, { action: 'include' });
    expect(await imports.settled(id)).toMatchObject({ status: 'paused', reason: { code: 'station_blocked' }, counts: { waiting: 1, ok: many - 1 } });
    await imports.edit(id, { action: 'exclude' });
    await imports.call('POST', `/${id}/resume`, {});
    expect(await imports.settled(id)).toMatchObject({ status: 'done', counts: { ordered: 1, waiting: 0 } });
  });
});

describe('an import with rows that wait', () => {
  it('refuses another price and another confirmation until these are ordered or given up', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line(), imports.line()));
    await imports.edit(id, { action: 'exclude', nos: [2] });
    await imports.waiting({ id });
    const paused = (await imports.call('POST', `/${id}/pause`, {})).data;
    await imports.restart();
    const { import: changed } = await imports.edit(id, { action: 'include', nos: [2] });
    expect(paused.counts).toMatchObject({ waiting: 1 });
    const quote = await imports.call<FailureData>('POST', `/${id}/quote`, { version: changed.version });
    expect([quote.status, quote.data.code, quote.data.params]).toEqual([409, 'import_rows_waiting', { count: 1 }]);
    const confirm = await imports.call<FailureData>('POST', `/${id}/confirm`, { version: changed.version, expected_amount: 1, rows: 'all' });
    expect([confirm.status, confirm.data.code]).toEqual([409, 'import_rows_waiting']);
    await imports.call('POST', `/${id}/resume`, {});
    expect(await imports.settled(id)).toMatchObject({ status: 'done', counts: { ordered: 1, ok: 1 } });
    expect((await imports.ordered({ id })).counts).toMatchObject({ ordered: 2 });
  });

  it('keeps its columns once it was confirmed', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line()));
    const done = await imports.ordered({ id });
    await rowsOf(system, sql`update imports set status = 'ready' where id = ${id}`);
    const answer = await imports.call<FailureData>('POST', `/${id}/mapping`, { version: done.version, mapping: done.mapping });
    expect([answer.status, answer.data.code]).toEqual([409, 'import_row_ordered']);
  });
});

describe('a row without a price', () => {
  it('says so once, however often it is priced, and is priced once there is one', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line(), imports.line()));
    await withoutScheme(async () => {
      for (let times = 0; times < 2; times++) {
        const { version } = await imports.get(id);
        await imports.call('POST', `/${id}/quote`, { version });
        const found = await imports.until(id, ({ version: now, quote }) => now > version && quote !== null);
        expect(found).toMatchObject({ counts: { error: 2, ok: 0 }, quote: { rows: 0 } });
        expect((await imports.rows(id)).map(({ problems }) => problems.map(({ field, level }) => [field, level]))).toEqual([
          [['promise_id', 'error']],
          [['promise_id', 'error']],
        ]);
      }
    });
    const { version } = await imports.get(id);
    await imports.call('POST', `/${id}/quote`, { version });
    const found = await imports.until(id, ({ version: now, quote }) => now > version && quote !== null);
    expect(found).toMatchObject({ counts: { ok: 2, error: 0 }, quote: { rows: 2 } });
    expect((await imports.rows(id)).map(({ problems, mark }) => [mark, problems])).toEqual([
      ['ok', []],
      ['ok', []],
    ]);
  });
});
