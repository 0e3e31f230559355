import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { itDaily } from '#testing/slices.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { startWorkerProcess } from '#testing/worker-process.ts';
import { billOf, storeBill } from './reconciliation.ts';

const scope = systemScope('test');
let system: TestSystem;
let by: number;
beforeAll(async () => {
  system = await openTestSystem();
  by = system.network.office;
  await system.carrier.control('POST', 'settings', { push: { on: false } });
  await system.topUp('nanshan', 10_000_000);
});
afterAll(() => system.close());

const keep = (
  period: string,
  lines: readonly string[],
  header = '运单号,重量,金额,费用类型',
): Promise<number> =>
  system.app.db.tx(scope, async (work) => {
    const file = { name: 'bill.csv', bytes: Buffer.from([header, ...lines].join('\n')) };
    return (
      await storeBill(work, {
        period,
        provider: 'jdl',
        weight_tolerance: 500,
        amount_tolerance: 10,
        file,
        by,
      })
    ).id;
  });
const billIn = (id: number) => system.app.db.tx(scope, (work) => billOf(work, id));
const matched = async (id: number): Promise<number> => {
  await eventually(async () => ['ready', 'settled'].includes((await billIn(id)).status));
  return id;
};

describe('a worker that is killed while it reads a carrier bill', () => {
  const count = 4_500;
  const client = async (query: string, id: number): Promise<pg.Client> => {
    const other = new pg.Client(system.database.owner);
    await other.connect();
    await other.query('begin');
    await other.query(query, [id]);
    return other;
  };
  /** Starts a worker, blocks it when the bill has reached this progress, and kills it then. */
  const killAt = async (id: number, so_far: ReturnType<typeof sql<boolean>>): Promise<void> => {
    const worker = await startWorkerProcess(system);
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from reconciliations
      where id = ${id} and ${so_far}`,
          )
        ).length > 0,
    );
    const other = await client('select 1 from reconciliations where id = $1 for update', id);
    await worker.kill();
    await other.end();
  };

  // This test runs only daily, because domain/express/crash.test.ts runs every time and also kills
  // a worker.
  itDaily(
    'a worker that is killed while a bill is read and matched neither repeats nor loses a line',
    async () => {
      await system.worker.stop();
      const id = await keep(
        '2025-07',
        Array.from({ length: count }, (_, n) => `JDX7${String(n).padStart(9, '0')},1,0.01,运费`),
      );
      await killAt(id, sql<boolean>`rows_read >= 1000`);
      await killAt(id, sql<boolean>`understood >= 1000`);
      system.worker = await system.startWorker();
      await matched(id);
      const [lines] = await rowsOf(
        system,
        sql<{
          n: number;
          first: number;
          last: number;
          waybills: number;
        }>`select count(*) as n, min(no) as first, max(no) as last,
        count(distinct delivery_id) as waybills
        from reconciliation_rows where reconciliation_id = ${id}`,
      );
      expect(lines).toEqual({ n: count, first: 1, last: count, waybills: count });
      expect(await billIn(id)).toMatchObject({
        rows_read: count,
        rows_total: count,
        theirs_amount: count,
      });
    },
  );

  it('a carrier bill fails, and is not read a third time, if the worker was killed twice while it read the bill', async () => {
    await system.worker.stop();
    const [twice, once] = [
      await keep('2025-08', ['JDX8000000001,1,0.01,运费']),
      await keep('2025-08', ['JDX8000000002,1,0.01,运费']),
    ];
    await rowsOf(
      system,
      sql`update reconciliations set read_tries = case id
      when ${twice} then 2 else 1 end where id in (${twice}, ${once})`,
    );
    system.worker = await system.startWorker();
    await matched(once);
    expect(
      await eventually(async () => (await billIn(twice)).status === 'failed' && billIn(twice)),
    ).toMatchObject({ reason: { code: 'file_reader_gone' } });
  });
});
