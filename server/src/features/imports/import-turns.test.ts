import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Import } from '@waystation/contract/imports/import.ts';
import { removeOldImports } from '#domain/imports/imports.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import { inflatingWorkbook } from '#testing/workbooks.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { runTask } from '#testing/run-task.ts';

let system: TestSystem;
let clerk: TestImports;
let other: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  await system.worker.stop();
  clerk = await openImports(system);
  other = await openImports(system, 'admin');
});
afterAll(() => system.close());

const large = (): File =>
  clerk.sheet(...Array.from({ length: 1_000 }, () => clerk.line({ 详细地址: '路'.repeat(30) })));
const waiting = async ({ id }: Pick<Import, 'id'>) =>
  (
    await rowsOf<{ queue_name: string; priority: number }>(
      system,
      sql`select queue_name, priority from graphile_worker.jobs
        where key = ${`read_import:${id}`}`,
    )
  )[0]!;

describe('imports that wait to be read', () => {
  it('the more imports an account and its station uploaded shortly before, cancelled ones included, the longer the next import waits', async () => {
    const first = await clerk.upload(large());
    const second = await clerk.upload(large());
    expect([await waiting(first), await waiting(second)]).toEqual([
      { queue_name: 'read_workbook', priority: 10 },
      { queue_name: 'read_workbook', priority: 12 },
    ]);
    expect(
      (await clerk.call('POST', `/${second.id}/cancel`, { version: second.version })).status,
    ).toBe(200);
    const third = await clerk.upload(large());
    expect((await waiting(third)).priority).toBe(14);
    const foreign = await other.upload(large(), { station_id: String(system.station('keji').id) });
    expect(await waiting(foreign)).toEqual({ queue_name: 'read_workbook', priority: 10 });
  });

  it('a small import is read in another queue than large imports', async () => {
    expect((await waiting(await clerk.upload(clerk.sheet(clerk.line())))).queue_name).toBe(
      'read_small_workbook',
    );
  });
});

describe('an import whose turn to be read has come', () => {
  const read = (id: number, small?: 1): Promise<void> =>
    runTask(system.app, 'read_import', { import_id: id, ...(small && { small }) });
  const lockJob = (id: number): Promise<unknown> =>
    rowsOf(
      system,
      sql`update graphile_worker._private_jobs
      set locked_at = clock_timestamp(), locked_by = 'a worker'
      where key = ${`read_import:${id}`}`,
    );
  const freeJobs = (): Promise<unknown> =>
    rowsOf(
      system,
      sql`update graphile_worker._private_jobs
      set locked_at = null, locked_by = null where key like 'read_import:%'`,
    );

  it('an import is read only after earlier imports of the same account, and does not wait for imports of other accounts', async () => {
    const first = await clerk.upload(large());
    const second = await clerk.upload(clerk.sheet(clerk.line()));
    const foreign = await other.upload(other.sheet(other.line()), {
      station_id: String(system.station('keji').id),
    });
    for (const { id } of [first, second, foreign]) await lockJob(id);
    await read(second.id, 1);
    await read(foreign.id, 1);
    expect([(await clerk.get(second.id)).status, (await other.get(foreign.id)).status]).toEqual([
      'reading',
      'checking',
    ]);
    const [next] = await rowsOf(
      system,
      sql<{
        waits: boolean;
        queue_name: string;
      }>`select run_at > created_at as waits, queue_name from graphile_worker.jobs
        where key = ${`read_import:${second.id}`}`,
    );
    expect(next).toEqual({ waits: true, queue_name: 'read_small_workbook' });
    await read(first.id);
    await lockJob(second.id);
    await read(second.id, 1);
    expect([(await clerk.get(first.id)).status, (await clerk.get(second.id)).status]).toEqual([
      'checking',
      'checking',
    ]);
    await freeJobs();
  });

  it('a small import file that becomes large when unpacked is moved to the queue for large imports', async () => {
    const bomb = inflatingWorkbook('spaces', 20);
    expect(bomb.length).toBeLessThan(64 * 1024);
    const sheet = await clerk.upload(new File([new Uint8Array(bomb)], 'small.xlsx'));
    expect((await waiting(sheet)).queue_name).toBe('read_small_workbook');
    await read(sheet.id, 1);
    expect((await waiting(sheet)).queue_name).toBe('read_workbook');
    expect((await clerk.get(sheet.id)).status).toBe('reading');
    await read(sheet.id);
    expect(await clerk.get(sheet.id)).toMatchObject({
      status: 'failed',
      reason: { code: 'file_empty' },
    });
  });
});

describe('an import without parcels', () => {
  it('an import without parcels is removed seven days after it failed or was cancelled, or ninety days if it waits for its user', async () => {
    const statuses = ['failed', 'cancelled', 'mapping'] as const;
    const ids: number[] = [];
    for (const status of statuses) {
      const { id } = await clerk.upload(clerk.sheet(clerk.line({ 物品: status })));
      await rowsOf(
        system,
        sql`update imports
        set status = ${status}, updated_at = now() - interval '7 days 1 minute'
        where id = ${id}`,
      );
      ids.push(id);
    }
    const left = async (days: number): Promise<number[]> => {
      await system.app.db.tx(systemScope('test'), (work) =>
        removeOldImports(work, new Date(Date.now() + days * 86_400_000), 5_000),
      );
      return (
        await rowsOf(
          system,
          sql<{ id: number }>`select id from imports
        where id = any(${ids}) order by id`,
        )
      ).map(({ id }) => id);
    };
    expect(await left(-1)).toEqual(ids);
    expect(await left(0)).toEqual([ids[2]]);
    expect(await left(82)).toEqual([ids[2]]);
    expect(await left(83)).toEqual([]);
  });
});
