import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostImportRows } from '@waystation/contract/base/limits.ts';
import { markRepeats } from '#domain/imports/repeats.ts';
import type { Changed } from '#domain/imports/repeats.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  imports = await openImports(system);
});
afterAll(() => system.close());

const large = 20_000;
/**
 * Adds rows to a checked import, as if a large sheet had just been read, when the table has no
 * statistics yet. Two of each thousand rows are equal.
 */
const grow = (id: number) =>
  rowsOf(
    system,
    sql`insert into import_rows (import_id, no, line, cells, fields, key)
      select ${id}, n, n + 1, '[]',
      jsonb_build_object('receive_phone', (13700000000 + n)::text, 'receive_name',
        '示例收件人', 'goods', '文件', 'thr_order_id', 'L-' || n),
      sha256(convert_to(case n % 1000 when 500 then n + 1 else n end::text, 'UTF8'))
        from generate_series(2, ${large}) n`,
  );

describe('an import of too many rows', () => {
  it('an import with too many rows stores none of them, and titles and the lines above them are not counted', async () => {
    const line = '甲,1,乙\n';
    const sheet = (rows: number): File =>
      new File([`六月\n\n收件人,手机,地址\n${line.repeat(rows)}`], '表.csv');
    const found = await imports.checked(sheet(mostImportRows + 1));
    expect(found).toMatchObject({
      status: 'failed',
      reason: { code: 'file_too_long', params: { limit: mostImportRows } },
      rows_read: 0,
    });
    const { id } = await imports.upload(sheet(mostImportRows));
    await imports.until(id, ({ rows_read, status }) => rows_read > 0 && status === 'reading');
    await imports.call('POST', `/${id}/cancel`, {});
  });
});

describe('an import of many rows', () => {
  it('the repeated rows of a large import are found before the SQL statement timeout, even if the database has no planner statistics', async () => {
    const { id } = await imports.checked(imports.sheet(imports.line()));
    await grow(id);
    const compared = { import_id: id, station_id: system.station('nanshan').id, now: new Date() };
    const touched = await system.app.db.tx(systemScope('test'), (work) =>
      markRepeats(work, compared),
    );
    expect(touched.rows).toBe(large / 1_000);
    expect(touched.first[0]).toEqual({ no: 501, mark: 'warning' });
    const [row] = (
      await imports.call<{ items: { problems: object[] }[] }>('GET', `/${id}/rows?nos=501`)
    ).data.items;
    expect(row!.problems).toEqual([
      {
        field: null,
        level: 'warning',
        reason: { code: 'import_repeats_row', params: { line: 501 } },
      },
    ]);
  });

  it('order numbers repeated between two large imports are found, and found quickly for one changed row', async () => {
    const ids = [
      await imports.checked(imports.sheet(imports.line())),
      await imports.checked(imports.sheet(imports.line())),
    ].map(({ id }) => id);
    for (const id of ids) await grow(id);
    const station_id = system.station('nanshan').id;
    const mark = (changed: Changed | null) =>
      system.app.db.tx(systemScope('test'), (work) =>
        markRepeats(work, { import_id: ids[1]!, station_id, now: new Date() }, changed),
      );
    expect((await mark(null)).rows).toBe(large - 1);
    await rowsOf(
      system,
      sql`update import_rows set problems = '[]', mark = 'ok'
      where import_id = ${ids[1]!}`,
    );
    expect(await mark({ keys: [], orders: ['l-77', undefined] })).toEqual({
      rows: 1,
      first: [{ no: 77, mark: 'warning' }],
    });
  });
});
