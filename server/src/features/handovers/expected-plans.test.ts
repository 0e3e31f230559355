import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectedOf, missingOf } from '#domain/handovers/handovers.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { watchPlans } from '#testing/plans.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let owner: Db;
let plans: ReturnType<typeof watchPlans>;
let station: number;
let user: number;

beforeAll(async () => {
  app = await createTestApp();
  plans = watchPlans(app);
  owner = openOwner(app);
  station = await addStation(app.db);
  user = await addAccount(app.db, 'user', station);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/** Parcels of the station up to `size`: forty that await pickup, all others are signed for. */
const fill = async (from: number, size: number): Promise<void> => {
  await owner.tx(systemScope('fill'), (work) =>
    sql`insert into expresses (station_id, user_id, order_id, delivery_id, provider, state_code,
      post_amount, weight, created_at)
      select ${station}, ${user}, 'H' || n, 'H' || n, case when n % 4 = 0 then 'sf' else 'jdl' end,
        case when n <= 40 then 100 else 300 end, 100, 100, now() - n * interval '1 minute'
      from generate_series(${from + 1}::int, ${size}::int) n`.execute(work.tx),
  );
  await owner.pool.query('vacuum analyze expresses, handovers, handover_scans');
};

it('a hand-over reads only the parcels that await pickup, and no more rows among 8,000 parcels than among 2,000', async () => {
  const read: number[] = [];
  for (const [from, size] of [
    [0, 2_000],
    [2_000, 8_000],
  ] as const) {
    await fill(from, size);
    const visit = { station_id: station, provider: 'jdl', only_user_id: null } as const;
    const found = await plans.readBy(() =>
      app.db.tx(systemScope('test'), async (work) => {
        expect(await expectedOf(work, visit)).toEqual({
          missing: 30,
          missing_parcels: 30,
          is_capped: 0,
        });
        expect((await missingOf(work, visit)).items).toHaveLength(30);
      }),
    );
    read.push(found.reduce((sum, { rows }) => sum + rows, 0));
  }
  const [few, many] = read;
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThanOrEqual(few! + 10);
});
