import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
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

interface Changed {
  row: ImportRow;
  touched: { no: number; mark: string }[];
  counts: Import['counts'];
  import_version: number;
}
const change = async (id: number, no: number, input: object): Promise<Changed> => {
  const { version } = (await imports.rows(id))[no - 1]!;
  const answer = await imports.call<Changed>('PATCH', `/${id}/rows/${no}`, { version, ...input });
  expect(answer.status).toBe(200);
  return answer.data;
};
/** Compares the stored counts, except zeros, with the counts of the rows. */
const expectCounted = async (id: number, when: string): Promise<void> => {
  const { counts } = await imports.get(id);
  expect(Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0)), when).toEqual(
    await imports.recounted(id),
  );
};

describe('the counts of an import', () => {
  it('the counts of an import equal the marks of its rows after every change', async () => {
    const twin = imports.line();
    const { id } = await imports.checked(
      imports.sheet(
        twin,
        twin,
        imports.line({ 物品: '没有这种' }),
        imports.line({ '重量(kg)': '500g' }),
        imports.line(),
      ),
    );
    await expectCounted(id, 'checked');
    await change(id, 3, { values: { goods: '文件' } });
    await expectCounted(id, 'corrected');
    await change(id, 1, { excluded: 1 });
    await expectCounted(id, 'excluded, so that its twin repeats nothing');
    await imports.edit(id, { action: 'set', field: 'weight', value: '很重', nos: [4, 5] });
    await expectCounted(id, 'edited together');
    await imports.edit(id, { action: 'exclude', marks: ['error'] });
    await expectCounted(id, 'excluded together');
    await imports.refuse(id, 2);
    await rowsOf(
      system,
      sql`update imports set counts = counts || '{"ok": 1, "refused": 1}'
      where id = ${id}`,
    );
    await imports.edit(id, { action: 'include' });
    await expectCounted(id, 'included');
    await imports.waiting({ id });
    await expectCounted(id, 'confirmed');
    await imports.call('POST', `/${id}/cancel`, {});
    await imports.restart();
    await expectCounted(id, 'cancelled');
    const { id: other } = await imports.checked(
      imports.sheet(imports.line(), imports.line({ 手机: '1' })),
    );
    await imports.ordered({ id: other });
    await expectCounted(other, 'ordered');
    await imports.call('POST', `/${other}/mapping`, { version: 1, mapping: {} });
    await expectCounted(other, 'refused to change');
  });

  it('a change of one import row adjusts the import’s counts by the difference, and does not count the other rows again', async () => {
    const { id } = await imports.checked(
      imports.sheet(imports.line(), imports.line({ 物品: '没有这种' })),
    );
    await rowsOf(
      system,
      sql`update imports
      set counts = counts || '{"ok": 90000, "error": 9000}' where id = ${id}`,
    );
    const { counts } = await change(id, 2, { values: { goods: '文件' } });
    expect(counts).toMatchObject({ ok: 90_001, error: 8_999 });
  });
});

describe('an edit of one import row', () => {
  it('an edit of one import row returns the row, the marks of the rows that repeated it, and the import’s next version', async () => {
    const twin = imports.line();
    const { id } = await imports.checked(imports.sheet(twin, twin, imports.line()));
    const { version } = await imports.get(id);
    const changed = await change(id, 1, { values: { goods: '服装' } });
    expect(changed).toMatchObject({
      row: { no: 1, values: { goods: '服装' } },
      touched: [{ no: 2, mark: 'ok' }],
      import_version: version + 1,
    });
    expect(
      (await imports.call<{ marks: string; version: number }>('GET', `/${id}/marks`)).data,
    ).toMatchObject({ version: version + 1 });
  });
});
