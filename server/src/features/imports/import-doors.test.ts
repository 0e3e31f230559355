import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { mostImportCellChars } from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  imports = await openImports(system);
});
afterAll(() => system.close());

const lines = (count: number, changes = {}): string[][] =>
  Array.from({ length: count }, () => imports.line(changes));

describe('checking an import again', () => {
  it('if goods are added after an import, the rows with exactly this name become valid, and other rows, texts, prices and undo steps stay the same', async () => {
    const { id } = await imports.checked(
      imports.sheet(
        imports.line({ 物品: '示例唢' }),
        imports.line({ 物品: '示例唢呐' }),
        imports.line({ 物品: '示例唢' }),
        imports.line({ 物品: '示例唢' }),
      ),
    );
    await imports.edit(id, { action: 'exclude', nos: [4] });
    await imports.refuse(id, 3);
    await rowsOf(
      system,
      sql`insert into cargos (name, type, provider) values ('示例唢', 1, 'jdl')`,
    );
    const before = await imports.get(id);
    const told = await imports.rows(id);
    const again = () =>
      imports.call<{ changed: number; import: Import }>('POST', `/${id}/edits`, {
        // An outdated version, as after a colleague's edit, is accepted, because a recheck changes
        // no text.
        version: before.version - 1,
        action: 'recheck',
        field: 'goods',
        find: '示例唢',
      });
    const { data } = await again();
    expect(data.changed).toBe(1);
    expect(data.import).toMatchObject({
      undo_steps: before.undo_steps,
      redo_steps: before.redo_steps,
    });
    const rows = await imports.rows(id);
    expect(rows.map(({ mark }) => mark)).toEqual(['ok', 'error', 'refused', 'excluded']);
    expect(rows.slice(1)).toEqual(told.slice(1));
    expect((await again()).data.changed).toBe(0);
  });
});

describe('an import edit that makes texts longer', () => {
  const replace = async (id: number, find: string, value: string) =>
    imports.call<FailureData & { changed: number }>('POST', `/${id}/edits`, {
      version: (await imports.get(id)).version,
      action: 'replace',
      find,
      value,
    });

  it('an import edit up to the length limit of a cell is accepted; one character more is refused with row, length and limit', async () => {
    const { id } = await imports.checked(
      imports.sheet(...lines(3, { 详细地址: `${'路'.repeat(99)}x` })),
    );
    const bound = 'y'.repeat(mostImportCellChars - 99);
    const refused = await replace(id, 'x', `${bound}y`);
    expect([refused.status, refused.data.fields?.['value']]).toEqual([
      422,
      {
        code: 'import_cell_grows',
        params: { row: 1, characters: mostImportCellChars + 1, limit: mostImportCellChars },
      },
    ]);
    expect((await imports.rows(id)).map(({ values }) => values.receive_address?.length)).toEqual([
      100, 100, 100,
    ]);
    expect((await replace(id, 'x', bound)).data.changed).toBe(3);
    await imports.settled(id);
    expect((await imports.rows(id)).map(({ values }) => values.receive_address?.length)).toEqual([
      2_000, 2_000, 2_000,
    ]);
  });

  it('an import edit that would make texts much longer is refused before any text is built', async () => {
    const { id } = await imports.checked(imports.sheet(...lines(50, { 详细地址: 'a'.repeat(95) })));
    expect((await replace(id, 'a', 'a'.repeat(2_000))).status).toBe(422);
    expect((await replace(id, 'a', 'aaaaaaaaaaaaaaaaaaaaa')).data.changed).toBe(50);
    await imports.settled(id);
    expect((await replace(id, 'a', 'aa')).status).toBe(422);
  });

  it('an import edit may shorten texts that are longer than the present limit', async () => {
    const { id } = await imports.checked(
      imports.sheet(imports.line({ 详细地址: 'ab'.repeat(50) })),
    );
    await rowsOf(
      system,
      sql`update import_rows set edits = edits || jsonb_build_object('receive_address',
        repeat('ab', 2000)),
      "values" = "values" || jsonb_build_object('receive_address', repeat('ab', 2000))
        where import_id = ${id}`,
    );
    expect((await replace(id, 'ab', 'a')).data.changed).toBe(1);
  });
});

describe('an import whose account is disabled or moved while it orders', () => {
  const started = async (): Promise<Import> => {
    const { id } = await imports.checked(imports.sheet(...lines(200)));
    await imports.confirm(await imports.priced({ id }));
    return eventually(async () => {
      const found = await imports.get(id);
      return found.counts.ordered > 0 ? found : null;
    });
  };
  const stopped = (id: number) =>
    eventually(async () => {
      const [row] = await rowsOf(
        system,
        sql<{ status: string; reason: { code: string } | null; ordered: number }>`select status,
          reason,
          (select count(*)::int from import_rows w where w.import_id = i.id
            and w.mark = 'ordered') as ordered from imports i where id = ${id}`,
      );
      return row!.status === 'paused' ? row! : null;
    });
  const setStatus = async (status: 0 | 1): Promise<void> => {
    const [account] = await rowsOf(
      system,
      sql<{ id: number }>`select id from accounts
      where username = 'clerk'`,
    );
    await system.call(
      await system.login('super'),
      'POST',
      `/api/arco/users/${account!.id}/status`,
      { status },
    );
  };

  it('a running import is paused with the reason when its user’s account is disabled, and another user can resume it', async () => {
    const { id } = await started();
    await setStatus(0);
    const { reason, ordered } = await stopped(id);
    expect(reason).toMatchObject({ code: 'import_account_stopped' });
    // real delay: a slice that wrongly continues would order further rows
    await new Promise((later) => setTimeout(later, 300));
    expect((await stopped(id)).ordered).toBe(ordered);
    expect(ordered).toBeLessThan(200);
    const station = await openImports(system, 'station');
    expect((await station.call('POST', `/${id}/resume`, {})).status).toBe(200);
    expect(await station.until(id, ({ status }) => status === 'done')).toMatchObject({
      counts: { ordered: 200 },
    });
    await setStatus(1);
    imports = await openImports(system);
  });

  it('an import row whose order is in progress when the account is disabled is not ordered, and the import stops', async () => {
    const { id } = await imports.waiting(await imports.checked(imports.sheet(...lines(3))));
    // A lock on the station makes the order of a row wait.
    await system.app.db.tx(systemScope('test'), async (work) => {
      await sql`select 1 from stations where id = ${system.station('nanshan').id}
        for update`.execute(work.tx);
      await imports.restart();
      await eventually(
        async () =>
          (
            await rowsOf(
              system,
              sql`select 1 from pg_locks
        where not granted and locktype in ('tuple', 'transactionid')`,
            )
          ).length > 0,
      );
      await setStatus(0);
    });
    expect(await stopped(id)).toMatchObject({
      reason: { code: 'import_account_stopped' },
      ordered: 0,
    });
    await setStatus(1);
    imports = await openImports(system);
    await imports.call('POST', `/${id}/resume`, {});
    expect(await imports.until(id, ({ status }) => status === 'done')).toMatchObject({
      counts: { ordered: 3 },
    });
  });

  it('a running import is paused if the account of its user is moved to another station', async () => {
    const { id } = await started();
    const move = (key: string) =>
      rowsOf(
        system,
        sql`update accounts
      set station_id = ${system.station(key).id} where username = 'clerk'`,
      );
    await move('tianhe');
    expect((await stopped(id)).reason).toMatchObject({ code: 'import_account_stopped' });
    await move('nanshan');
  });
});
