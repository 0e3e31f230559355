import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { watchPlans } from '#testing/plans.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { markRepeats } from './repeats.ts';

const scope = systemScope('test');
const now = new Date('2026-03-02T04:00:00Z');
const rows = 20;
let app: TestApp;
let plans: ReturnType<typeof watchPlans>;
let owner: ReturnType<typeof openOwner>;
let [station_id, user_id, import_id] = [0, 0, 0];

beforeAll(async () => {
  app = await createTestApp();
  plans = watchPlans(app);
  owner = openOwner(app);
  station_id = await addStation(app.db);
  user_id = await addAccount(app.db, 'user', station_id);
  import_id = await sheet();
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/** An import with `rows` rows that have unique order numbers and recipients. */
const sheet = (): Promise<number> =>
  owner.tx(scope, async (work) => {
    const { rows: made } = await sql<{ id: number }>`insert into imports (station_id, user_id,
      file_name, file_type, file_bytes, file_hash, status, created_at)
      values (${station_id}, ${user_id}, 'f', 'csv', 1, gen_random_uuid()::text::bytea,
        'checking', ${now}) returning id`.execute(work.tx);
    const { id } = made[0]!;
    await sql`insert into import_rows (import_id, no, line, cells, fields, key, mark)
      select ${id}, n, n, '[]', jsonb_build_object('thr_order_id', 'TB/' || n,
        'receive_phone', '139' || lpad(n::text, 8, '0'), 'receive_name', '张三', 'goods',
        '茶叶'),
        decode(lpad(to_hex(n), 64, '0'), 'hex'), 'ok'
          from generate_series(1, ${rows}::int) n`.execute(work.tx);
    return id;
  });

/**
 * Adds parcels of the station, a few of them with the import's order numbers and recipients, and
 * other waiting imports.
 */
const grow = async (from: number, to: number): Promise<void> => {
  await owner.tx(scope, (work) =>
    sql`insert into expresses (station_id, user_id, order_id, thr_order_id, receive_name,
      receive_phone, goods, state_code, created_at)
      select ${station_id}, ${user_id}, 'O' || n, 'TB/' || n, '张三',
        '139' || lpad(n::text, 8, '0'), '茶叶', 100, ${now}
        from generate_series(${from + 1}::int, ${to}::int) n`.execute(work.tx),
  );
  for (let n = from; n < to; n += 100) await sheet();
  await owner.pool.query('vacuum analyze expresses, express_keys, imports, import_rows');
};

const readRows = async (): Promise<number> => {
  const found = await plans.readBy(() =>
    app.db.tx(scope, (work) => markRepeats(work, { import_id, station_id, now })),
  );
  return found.reduce((sum, plan) => sum + plan.rows, 0);
};

describe('the comparison of an import with what its station ordered and imported', () => {
  it('the check of an import finds parcels that were ordered before, and reads no more rows among 4,000 parcels than among 1,000', async () => {
    await grow(0, 1_000);
    const few = await readRows();
    const { rows: said } = await app.db.tx(scope, (work) =>
      sql<{ codes: string[] }>`select array(select p -> 'reason' ->> 'code'
        from jsonb_array_elements(problems) p order by 1) as codes
        from import_rows where import_id = ${import_id} order by no`.execute(work.tx),
    );
    expect(said.map(({ codes }) => codes)).toEqual(
      Array.from({ length: rows }, () => ['import_order_elsewhere', 'import_ordered_before']),
    );
    await grow(1_000, 4_000);
    const many = await readRows();
    expect(many, `${few} rows of 1,000 parcels, ${many} of 4,000`).toBeLessThan(few + 60);
  });
});
