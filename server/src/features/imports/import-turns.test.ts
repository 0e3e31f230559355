import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Import } from '@waystation/contract/import.ts';
import { sql } from '#platform/db/db.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

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

const large = (): File => clerk.sheet(...Array.from({ length: 1_000 }, () => clerk.line({ 详细地址: '路'.repeat(30) })));
const waiting = async ({ id }: Pick<Import, 'id'>) =>
  (
    await rowsOf<{ queue_name: string; priority: number }>(
      system,
      sql`select queue_name, priority from graphile_worker.jobs where key = ${`read_import:${id}`}`,
    )
  )[0]!;

describe('sheets that wait to be read', () => {
  it('go by how many their account and station uploaded shortly before, cancelled ones too', async () => {
    const first = await clerk.upload(large());
    const second = await clerk.upload(large());
    expect([await waiting(first), await waiting(second)]).toEqual([
      { queue_name: 'read_workbook', priority: 10 },
      { queue_name: 'read_workbook', priority: 12 },
    ]);
    expect((await clerk.call('POST', `/${second.id}/cancel`, { version: second.version })).status).toBe(200);
    const third = await clerk.upload(large());
    expect((await waiting(third)).priority).toBe(14);
    const foreign = await other.upload(large(), { station_id: String(system.station('keji').id) });
    expect(await waiting(foreign)).toEqual({ queue_name: 'read_workbook', priority: 10 });
  });

  it('and are small are read beside the large ones', async () => {
    expect((await waiting(await clerk.upload(clerk.sheet(clerk.line())))).queue_name).toBe('read_small_workbook');
  });
});
