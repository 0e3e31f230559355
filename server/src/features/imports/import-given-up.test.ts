import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostImportRowsAtOnce } from '@waystation/contract/base/limits.ts';
import { systemScope } from '#platform/db/scope.ts';
import { tasks } from '#tasks.ts';
import { handlerOf } from '#testing/run-handler.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { runTask } from '#testing/run-task.ts';

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  imports = await openImports(system);
});
afterAll(() => system.close());

/** Abandons a job of an import, as happens after its last failed attempt. */
const abandonJobOn = (task: string, import_id: number): Promise<void> =>
  system.app.db.tx(systemScope('test'), (work) =>
    handlerOf(tasks, task).abandon(work, { import_id }),
  );

describe('an import whose pricing job is abandoned', () => {
  it('abandoning the pricing job of an import shows a notice, and a new request prices the import', async () => {
    const { id, version } = await imports.checked(imports.sheet(imports.line()));
    await system.worker.stop();
    await imports.call('POST', `/${id}/quote`, { version });
    await abandonJobOn('quote_import', id);
    expect(await imports.get(id)).toMatchObject({
      status: 'ready',
      quote: null,
      reason: { code: 'import_pricing_interrupted' },
    });
    const { version: now } = await imports.get(id);
    expect((await imports.call('POST', `/${id}/quote`, { version: now })).data.reason).toBeNull();
    await imports.restart();
    expect(await imports.until(id, ({ quote }) => quote !== null)).toMatchObject({
      reason: null,
      quote: { rows: 1 },
    });
  });

  it('if an import was already priced, abandoning its pricing job adds no notice to the import', async () => {
    const { id } = await imports.priced(await imports.checked(imports.sheet(imports.line())));
    await abandonJobOn('quote_import', id);
    expect(await imports.get(id)).toMatchObject({ reason: null, quote: { rows: 1 } });
  });
});

describe('an import whose check is abandoned', () => {
  it('assigning the columns again repeats the abandoned check of an import without ordered rows', async () => {
    await system.worker.stop();
    const { id } = await imports.upload(imports.sheet(imports.line(), imports.line()));
    await runTask(system.app, 'read_import', { import_id: id });
    await abandonJobOn('check_import', id);
    const found = await imports.get(id);
    await imports.restart();
    expect(found).toMatchObject({ status: 'ready', counts: { refused: 2, ok: 0 } });
    expect(
      (
        await imports.call('POST', `/${id}/mapping`, {
          version: found.version,
          mapping: found.mapping,
        })
      ).status,
    ).toBe(200);
    expect(await imports.settled(id)).toMatchObject({
      status: 'ready',
      counts: { refused: 0, ok: 2 },
    });
    expect((await imports.rows(id)).map(({ reason }) => reason)).toEqual([null, null]);
  });

  it('abandoning the check of an import keeps its orders and edits, and refuses the unchecked rows until they are included again', async () => {
    const rows = mostImportRowsAtOnce + 100;
    const { id } = await imports.checked(
      imports.sheet(...Array.from({ length: rows }, () => imports.line())),
    );
    await imports.edit(id, { action: 'exclude' });
    await imports.edit(id, { action: 'include', nos: [1] });
    await imports.ordered({ id });
    await imports.edit(id, {
      action: 'include',
      nos: Array.from({ length: rows - 2 }, (_, at) => at + 2),
    });
    await imports.settled(id);
    await system.worker.stop();
    await imports.edit(id, { action: 'set', field: 'weight', value: '3' });
    await abandonJobOn('check_import', id);
    expect(await imports.get(id)).toMatchObject({
      status: 'done',
      counts: { ordered: 1, refused: rows - 2, excluded: 1, ok: 0 },
    });
    const [, second] = await imports.rows(id);
    expect(second).toMatchObject({ mark: 'refused', reason: { code: 'import_check_interrupted' } });
    await imports.restart();
    await imports.edit(id, { action: 'include', marks: ['refused'] });
    expect(await imports.settled(id)).toMatchObject({
      status: 'done',
      counts: { ordered: 1, ok: rows - 2, excluded: 1, refused: 0 },
    });
    expect((await imports.rows(id))[1]).toMatchObject({ reason: null, values: { weight: '3' } });
  });
});
