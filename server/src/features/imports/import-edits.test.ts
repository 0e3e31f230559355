import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import {
  mostImportRowsAtOnce,
  mostImportStepRows,
  mostImportSteps,
} from '@waystation/contract/base/limits.ts';
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

/** Runs `work` while the station has no freight scheme, so that its rows get no price. */
const withoutScheme = async <T>(work: () => Promise<T>): Promise<T> => {
  const station = system.station('nanshan').id;
  const [before] = await rowsOf(
    system,
    sql<{ project_id: number }>`select project_id
    from stations where id = ${station}`,
  );
  await rowsOf(system, sql`update stations set project_id = null where id = ${station}`);
  try {
    return await work();
  } finally {
    await rowsOf(
      system,
      sql`update stations set project_id = ${before!.project_id}
      where id = ${station}`,
    );
  }
};

describe('editing a refused import row', () => {
  it('a bulk edit of a refused import row checks the row again and removes the reason of its refusal', async () => {
    const { id } = await imports.checked(
      imports.sheet(imports.line(), imports.line({ 物品: '没有这种' })),
    );
    await imports.refuse(id, 1, 2);
    await imports.edit(id, { action: 'set', field: 'weight', value: '3' });
    const rows = await imports.rows(id);
    expect(rows.map(({ mark, reason, values }) => [mark, reason, values.weight])).toEqual([
      ['ok', null, '3'],
      ['error', null, '3'],
    ]);
  });

  it('an edit of very many import rows also checks a refused row again, while an excluded row stays excluded', async () => {
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

describe('editing an excluded import row', () => {
  it('an edited import row stays excluded if it was excluded before, and its edited text is checked when the row is included', async () => {
    const { id } = await imports.checked(
      imports.sheet(imports.line(), imports.line({ 物品: '没有这种' })),
    );
    await imports.edit(id, { action: 'exclude' });
    const [, before] = await imports.rows(id);
    const edited = await imports.call<{ row: ImportRow }>('PATCH', `/${id}/rows/2`, {
      version: before!.version,
      values: { goods: '文件' },
    });
    expect(edited.data.row).toMatchObject({ mark: 'excluded', values: { goods: '文件' } });
    await imports.edit(id, { action: 'set', field: 'weight', value: '很重', nos: [1] });
    expect((await imports.get(id)).counts).toMatchObject({ excluded: 2, error: 0 });
    await imports.edit(id, { action: 'include' });
    expect((await imports.get(id)).counts).toMatchObject({ excluded: 0, error: 1, ok: 1 });
  });
});

describe('an edit of more import rows than are checked at once', () => {
  it('a done import returns to “done” after an edit of very many rows', async () => {
    const { id } = await imports.checked(imports.sheet(...manyLines()));
    await imports.edit(id, { action: 'exclude' });
    await imports.edit(id, { action: 'include', nos: [1] });
    expect(await imports.ordered({ id })).toMatchObject({ status: 'done', counts: { ordered: 1 } });
    await imports.edit(id, { action: 'set', field: 'weight', value: '2' });
    expect(await imports.settled(id)).toMatchObject({
      status: 'done',
      counts: { ordered: 1, excluded: many - 1 },
    });
  });

  it('a paused import stays paused with its reason after an edit of very many rows, and its waiting rows can still be ordered', async () => {
    const { id } = await imports.checked(imports.sheet(...manyLines()));
    await imports.edit(id, { action: 'exclude' });
    await imports.edit(id, { action: 'include', nos: [1] });
    await imports.waiting({ id });
    await rowsOf(
      system,
      sql`update imports
      set status = 'paused', reason = '{"code":"station_blocked"}' where id = ${id}`,
    );
    await imports.restart();
    await imports.edit(id, { action: 'include' });
    expect(await imports.settled(id)).toMatchObject({
      status: 'paused',
      reason: { code: 'station_blocked' },
      counts: { waiting: 1, ok: many - 1 },
    });
    await imports.edit(id, { action: 'exclude' });
    await imports.call('POST', `/${id}/resume`, {});
    expect(await imports.settled(id)).toMatchObject({
      status: 'done',
      counts: { ordered: 1, waiting: 0 },
    });
  });
});

describe('an import with rows that wait to be ordered', () => {
  it('an import with waiting rows cannot be priced or confirmed again until these rows are ordered or abandoned', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line(), imports.line()));
    await imports.edit(id, { action: 'exclude', nos: [2] });
    await imports.waiting({ id });
    const paused = (await imports.call('POST', `/${id}/pause`, {})).data;
    await imports.restart();
    const { import: changed } = await imports.edit(id, { action: 'include', nos: [2] });
    expect(paused.counts).toMatchObject({ waiting: 1 });
    const quote = await imports.call<FailureData>('POST', `/${id}/quote`, {
      version: changed.version,
    });
    expect([quote.status, quote.data.code, quote.data.params]).toEqual([
      409,
      'import_rows_waiting',
      { count: 1 },
    ]);
    const confirm = await imports.call<FailureData>('POST', `/${id}/confirm`, {
      version: changed.version,
      expected_amount: 1,
      rows: 'all',
    });
    expect([confirm.status, confirm.data.code]).toEqual([409, 'import_rows_waiting']);
    await imports.call('POST', `/${id}/resume`, {});
    expect(await imports.settled(id)).toMatchObject({
      status: 'done',
      counts: { ordered: 1, ok: 1 },
    });
    expect((await imports.ordered({ id })).counts).toMatchObject({ ordered: 2 });
  });

  it('the columns of an import cannot be assigned again after a row was ordered', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line()));
    const done = await imports.ordered({ id });
    await rowsOf(system, sql`update imports set status = 'ready' where id = ${id}`);
    const answer = await imports.call<FailureData>('POST', `/${id}/mapping`, {
      version: done.version,
      mapping: done.mapping,
    });
    expect([answer.status, answer.data.code]).toEqual([409, 'import_row_ordered']);
  });
});

describe('an import row without a price', () => {
  it('an import row without a price shows one error however often the import is priced, and is priced when a price exists', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line(), imports.line()));
    await withoutScheme(async () => {
      for (let times = 0; times < 2; times++) {
        const { version } = await imports.get(id);
        await imports.call('POST', `/${id}/quote`, { version });
        const found = await imports.until(
          id,
          ({ version: now, quote }) => now > version && quote !== null,
        );
        expect(found).toMatchObject({ counts: { error: 2, ok: 0 }, quote: { rows: 0 } });
        expect(
          (await imports.rows(id)).map(({ problems }) =>
            problems.map(({ field, level }) => [field, level]),
          ),
        ).toEqual([[['promise_id', 'error']], [['promise_id', 'error']]]);
      }
    });
    const { version } = await imports.get(id);
    await imports.call('POST', `/${id}/quote`, { version });
    const found = await imports.until(
      id,
      ({ version: now, quote }) => now > version && quote !== null,
    );
    expect(found).toMatchObject({ counts: { ok: 2, error: 0 }, quote: { rows: 2 } });
    expect((await imports.rows(id)).map(({ problems, mark }) => [mark, problems])).toEqual([
      ['ok', []],
      ['ok', []],
    ]);
  });
});

interface Stepped {
  changed: number;
  first: { no: number; field: string | null } | null;
  import: Import;
}

describe('undoing the last edits of an import', () => {
  const step = async (id: number, direction: 'undo' | 'redo'): Promise<Stepped> => {
    const answer = await imports.call<Stepped>('POST', `/${id}/${direction}`, {
      version: (await imports.get(id)).version,
    });
    expect(answer.status).toBe(200);
    return answer.data;
  };
  const texts = async (id: number) =>
    (await imports.rows(id)).map(({ values, mark }) => [values.goods, values.weight, mark]);

  it('each import edit can be undone and redone, whether it changes one cell, many rows or excluded rows', async () => {
    const { id } = await imports.checked(
      imports.sheet(imports.line({ 物品: '没有这种' }), imports.line()),
    );
    const start = await texts(id);
    const [row] = await imports.rows(id);
    await imports.call('PATCH', `/${id}/rows/1`, {
      version: row!.version,
      values: { goods: '文件' },
    });
    await imports.edit(id, { action: 'set', field: 'weight', value: '3' });
    await imports.edit(id, { action: 'exclude', nos: [2] });
    const end = await texts(id);
    expect(end).toEqual([
      ['文件', '3', 'ok'],
      ['文件', '3', 'excluded'],
    ]);
    expect(await imports.get(id)).toMatchObject({ undo_steps: 3, redo_steps: 0 });
    expect(await step(id, 'undo')).toMatchObject({
      changed: 1,
      first: { no: 2, field: null },
      import: { undo_steps: 2, redo_steps: 1 },
    });
    expect(await step(id, 'undo')).toMatchObject({ changed: 2, first: { no: 1, field: 'weight' } });
    expect(await step(id, 'undo')).toMatchObject({
      changed: 1,
      first: { no: 1, field: 'goods' },
      import: { undo_steps: 0, redo_steps: 3, counts: { error: 1 } },
    });
    expect(await texts(id)).toEqual(start);
    expect(await imports.recounted(id)).toEqual({ error: 1, ok: 1 });
    for (let times = 0; times < 3; times++) await step(id, 'redo');
    expect(await texts(id)).toEqual(end);
    expect(await imports.get(id)).toMatchObject({
      undo_steps: 3,
      redo_steps: 0,
      counts: { ok: 1, excluded: 1 },
    });
    const nothing = await imports.call<FailureData>('POST', `/${id}/redo`, {
      version: (await imports.get(id)).version,
    });
    expect([nothing.status, nothing.data.code]).toEqual([409, 'import_nothing_to_redo']);
  });

  it('undoing an import edit restores the row’s refusal, and after a new edit the undone edits can no longer be redone', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line(), imports.line()));
    await imports.refuse(id, 1);
    await imports.edit(id, { action: 'set', field: 'weight', value: '3', nos: [1] });
    await step(id, 'undo');
    expect((await imports.rows(id))[0]).toMatchObject({
      mark: 'refused',
      reason: { code: 'price_changed' },
      values: { weight: '1.5' },
    });
    await imports.edit(id, { action: 'set', field: 'weight', value: '4', nos: [2] });
    expect(await imports.get(id)).toMatchObject({ undo_steps: 1, redo_steps: 0 });
  });

  it('an import edit that changes nothing keeps the import’s price, and undone edits can still be redone', async () => {
    // The second row repeats the first, so that its mark depends on another row.
    const same = imports.line({ 详细地址: '世纪大道900号' });
    const { id } = await imports.checked(imports.sheet(same, same));
    await imports.edit(id, { action: 'set', field: 'weight', value: '3', nos: [1] });
    await imports.edit(id, { action: 'exclude', nos: [2] });
    for (const _ of [1, 2]) await step(id, 'undo');
    const before = await texts(id);
    const { version } = await imports.get(id);
    const steps = { undo_steps: 0, redo_steps: 2, version };
    // Changes without effect are: the same text in one cell or in many, replacing a text that does
    // not occur, including rows that are already included, and excluding no rows.
    const changeRow = async (change: object) => {
      const [, row] = await imports.rows(id);
      const { data } = await imports.call<object>('PATCH', `/${id}/rows/2`, {
        version: row!.version,
        ...change,
      });
      expect(data).toMatchObject({
        undo_steps: 0,
        redo_steps: 2,
        import_version: version,
        touched: [],
      });
      expect(await imports.get(id)).toMatchObject(steps);
    };
    await changeRow({ values: { weight: '1.5' } });
    await changeRow({ excluded: 0 });
    expect((await imports.rows(id)).map(({ mark }) => mark)).toEqual(['ok', 'warning']);
    for (const edit of [
      { action: 'set', field: 'weight', value: '1.5' },
      { action: 'replace', field: 'goods', find: '没有这种', value: '文件' },
      { action: 'include' },
      { action: 'exclude', marks: ['error'] },
    ]) {
      await imports.edit(id, edit);
      expect(await imports.get(id)).toMatchObject(steps);
    }
    // A priced row keeps its price, so that the sheet can be ordered as it was shown.
    const { quote } = await imports.priced({ id });
    const [, row] = await imports.rows(id);
    await imports.call('PATCH', `/${id}/rows/2`, {
      version: row!.version,
      values: { weight: '1.5' },
    });
    expect((await imports.rows(id))[1]!.version).toBe(row!.version);
    expect(await imports.get(id)).toMatchObject({
      quote: { rows: 2, post_amount: quote!.post_amount },
    });
    expect(
      (
        await rowsOf(
          system,
          sql<{ no: number }>`select no from import_prices
      where import_id = ${id} order by no`,
        )
      ).map(({ no }) => no),
    ).toEqual([1, 2]);
    for (const _ of [1, 2]) await step(id, 'redo');
    expect(await texts(id)).not.toEqual(before);
    expect(await imports.get(id)).toMatchObject({ undo_steps: 2, redo_steps: 0 });
    await imports.edit(id, { action: 'exclude', nos: [2] });
    expect(await imports.get(id)).toMatchObject({ undo_steps: 2, redo_steps: 0 });
  });

  it('a large import edit is undone in the background, and ordered rows do not change', async () => {
    const { id } = await imports.checked(imports.sheet(...manyLines()));
    await imports.edit(id, { action: 'set', field: 'weight', value: '3' });
    await imports.settled(id);
    await imports.edit(id, { action: 'exclude' });
    await imports.edit(id, { action: 'include', nos: [1] });
    await imports.ordered({ id });
    await step(id, 'undo');
    expect(await step(id, 'undo')).toMatchObject({
      changed: many - 1,
      import: { status: 'checking' },
    });
    await imports.settled(id);
    expect(await step(id, 'undo')).toMatchObject({ changed: many - 1 });
    const found = await imports.settled(id);
    expect(found).toMatchObject({
      status: 'done',
      undo_steps: 0,
      redo_steps: 3,
      counts: { ordered: 1, ok: many - 1 },
    });
    expect((await texts(id)).slice(0, 2)).toEqual([
      ['文件', '3', 'ordered'],
      ['文件', '1.5', 'ok'],
    ]);
    expect(await imports.recounted(id)).toEqual({ ordered: 1, ok: many - 1 });
  });

  it('the last hundred edits of an import can be undone, with at most 100,000 changed rows in total', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line(), imports.line()));
    await imports.edit(id, { action: 'set', field: 'weight', value: '2' });
    await rowsOf(
      system,
      sql`update import_steps set rows = ${mostImportStepRows - 1}
      where import_id = ${id}`,
    );
    await imports.edit(id, { action: 'set', field: 'weight', value: '3', nos: [1] });
    expect(await imports.get(id)).toMatchObject({ undo_steps: 2 });
    await imports.edit(id, { action: 'set', field: 'weight', value: '4', nos: [1] });
    expect(await imports.get(id)).toMatchObject({ undo_steps: 2 });
    await rowsOf(
      system,
      sql`insert into import_steps (import_id, step, rows)
      select ${id}, 3 + n, 1 from generate_series(1, ${mostImportSteps}) n`,
    );
    await rowsOf(
      system,
      sql`update imports set edit_step = ${3 + mostImportSteps}
      where id = ${id}`,
    );
    await imports.edit(id, { action: 'set', field: 'weight', value: '5', nos: [1] });
    expect(await imports.get(id)).toMatchObject({ undo_steps: mostImportSteps });
  });
});
