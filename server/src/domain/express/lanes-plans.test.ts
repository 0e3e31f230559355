import { afterAll, beforeAll, expect, it } from 'vitest';
import { leastLaneParcels } from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { watchPlans } from '#testing/plans.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { hoursOfStation, lanesOf } from './lanes.ts';

const scope = systemScope('test');
const at = new Date('2026-03-02T03:59:00Z');
const products = [
  { provider: 'jdl', promise_id: 'p' },
  { provider: 'sf', promise_id: 'q' },
] as const;
const lanes = Array.from({ length: 1_000 }, (_, n) => ({
  sender_city: `示例${n}市`,
  receive_province: '上海市',
}));
let app: TestApp;
let plans: ReturnType<typeof watchPlans>;
let owner: ReturnType<typeof openOwner>;

beforeAll(async () => {
  app = await createTestApp();
  plans = watchPlans(app);
  owner = openOwner(app);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

it('reading the average delivery times of 1,000 lanes takes at most 12 times as many steps as reading those of 100 lanes', async () => {
  const station_id = await addStation(app.db);
  const others = [await addStation(app.db), await addStation(app.db), await addStation(app.db)];
  await owner.tx(scope, (work) =>
    sql`insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time)
      select s, express_lane_key(w.provider, w.promise_id, '示例' || n || '市', '上海市'),
        business_day(${at}) - 1, ${leastLaneParcels}::int, ${leastLaneParcels}::int * 1800, 0, 0
      from unnest(${[station_id, ...others]}::bigint[]) s, generate_series(0, 999) n,
        (values ('jdl', 'p'), ('sf', 'q')) w (provider, promise_id)`.execute(work.tx),
  );
  await owner.pool.query('vacuum analyze express_lanes');
  const stepsOf = async (count: number): Promise<number> => {
    const read = (): Promise<unknown> =>
      app.db.tx(scope, async (work) => {
        const hoursOf = await hoursOfStation(work, products, lanes.slice(0, count), {
          at,
          station_id,
        });
        expect(hoursOf({ ...products[1], ...lanes[count - 1]! })).toBe(30);
      });
    return (await plans.readBy(read)).reduce((sum, { steps }) => sum + steps, 0);
  };
  const few = await stepsOf(100);
  const many = await stepsOf(1_000);
  expect(many, `${few} rows of 100 lanes, ${many} of 1,000`).toBeLessThanOrEqual(few * 12);
});

it('for the average hours of a lane, a quote and the automatic product choice read hardly more rows with 1,200 stations than with 400', async () => {
  const station_id = await addStation(app.db);
  await owner.tx(scope, (work) =>
    sql`insert into stations (name) select 'on a lane ' || n
      from generate_series(1, 1200) n`.execute(work.tx),
  );
  const places = { sender_city: '深圳市', receive_province: '上海市' };
  const stepsOf = async (stations: number): Promise<number[]> => {
    await owner.tx(scope, async (work) => {
      await sql`delete from express_lanes`.execute(work.tx);
      await sql`insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time)
        select s.id, express_lane_key('jdl', 'p', '深圳市', '上海市'), business_day(${at}) - d,
          1, 1800, 1, 1
        from (select id from stations order by id desc limit ${stations}) s,
          generate_series(0, 30) d`.execute(work.tx);
    });
    await owner.pool.query('vacuum analyze express_lanes');
    const read = async (run: () => Promise<unknown>): Promise<number> =>
      (await plans.readBy(run)).reduce((sum, { steps }) => sum + steps, 0);
    return [
      await read(() =>
        app.db.tx(scope, async (work) => {
          const laneOf = await lanesOf(work, products, places, { at, reader: work });
          expect(laneOf(products[0])).toEqual({
            of: 'network',
            average_hours: 30,
            on_time_rate: 10_000,
          });
        }),
      ),
      await read(() =>
        app.db.tx(scope, async (work) => {
          const hoursOf = await hoursOfStation(work, products, [places], { at, station_id });
          expect(hoursOf({ ...products[0], ...places })).toBe(30);
        }),
      ),
    ];
  };
  const few = await stepsOf(400);
  const many = await stepsOf(1_200);
  for (const [no, steps] of many.entries())
    expect(steps, `${few} rows of 400 stations, ${many} of 1,200`).toBeLessThan(few[no]! * 1.5);
});
