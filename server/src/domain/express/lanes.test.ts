import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leastLaneParcels } from '@waystation/contract/base/limits.ts';
import { createRowHours } from '#domain/imports/row-offer.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { ownerRows } from '#testing/owner-rows.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { hoursOfStation } from './lanes.ts';

let system: TestSystem;
/** A partner's station, two stations below it, and stations outside the partner's tree. */
let partner: number;
let own: number;
let sister: number;
let foreign: number[];

const made = async (name: string, parent_id: number | null): Promise<number> => {
  const token = await system.login('admin');
  const body = { name, ...(parent_id !== null && { parent_id }) };
  const { data } = await system.call<{ id: number }>(token, 'POST', '/api/arco/stations', body);
  return data.id;
};

beforeAll(async () => {
  system = await openTestSystem();
  partner = await made('用时伙伴', null);
  own = await made('用时网点', partner);
  sister = await made('用时姐妹', partner);
  foreign = [];
  for (const name of ['甲', '乙', '丙']) foreign.push(await made(`用时${name}`, null));
});
beforeEach(() => ownerRows(system, sql`delete from express_lanes`));
afterAll(() => system.close());

const product = { provider: 'jdl', promise_id: 'p' } as const;
const lane = { sender_city: '深圳市', receive_province: '上海市' };
const other = { sender_city: '深圳市', receive_province: '北京市' };
interface Step {
  signed?: number;
  hours?: number;
  due?: number;
  on?: typeof lane;
}
const add = (station: number, { signed = 0, hours = 0, due = 0, on = lane }: Step) =>
  rowsOf(
    system,
    sql`insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time)
      values (${station}, express_lane_key('jdl', 'p', ${on.sender_city}, ${on.receive_province}),
        business_day(now()) - 1, ${signed}, ${signed * hours * 60}, ${due}, ${due})`,
  );
const hoursOf = async (station_id: number, lanes = [lane]): Promise<(number | null)[]> => {
  const read = await system.app.db.tx(systemScope('test'), (work) =>
    hoursOfStation(work, [product], lanes, { at: new Date(), station_id }),
  );
  return lanes.map((one) => read({ ...product, ...one }));
};

describe('the average delivery time by which a station’s rule compares products', () => {
  it('a station’s own average hours on a lane are used if the parcels of other stations have a promised time but no delivery hours', async () => {
    await add(own, { signed: leastLaneParcels, hours: 30 });
    for (const station of foreign) await add(station, { due: 30 });
    expect(await hoursOf(own)).toEqual([30]);
  });

  it('a station sees the network’s average time on a lane only if the average includes at least three stations that its partner cannot see', async () => {
    await add(own, { signed: leastLaneParcels, hours: 30 });
    await add(partner, { signed: 20, hours: 50 });
    await add(sister, { signed: 20, hours: 50 });
    await add(foreign[0]!, { signed: 20, hours: 50 });
    // The partner could calculate another station's figure by subtracting the parcels of the three
    // stations that it sees.
    expect(await hoursOf(own)).toEqual([30]);
    await add(foreign[1]!, { signed: 20, hours: 50 });
    await add(foreign[2]!, { signed: 20, hours: 50 });
    expect(await hoursOf(own)).toEqual([47]);
    // More than half of the parcels hidden from the partner belong to one station.
    await add(foreign[2]!, { signed: 21, hours: 50 });
    expect(await hoursOf(own)).toEqual([30]);
  });

  it('a station with too few parcels on a lane shows no average delivery time if it may not see the network’s average', async () => {
    await add(own, { signed: leastLaneParcels - 1, hours: 30 });
    await add(sister, { signed: 100, hours: 50 });
    expect(await hoursOf(own)).toEqual([null]);
  });

  it('the average hours of several lanes are returned in the order of the requested lanes', async () => {
    await add(own, { signed: leastLaneParcels, hours: 30 });
    await add(own, { signed: leastLaneParcels, hours: 60, on: other });
    expect(await hoursOf(own, [lane, other, { ...lane, sender_city: '佛山市' }])).toEqual([
      30,
      60,
      null,
    ]);
    expect(await hoursOf(own, [])).toEqual([]);
  });

  it('the average hours of a lane are read from the database once per import, although several parts of the import use the lane', async () => {
    await add(own, { signed: leastLaneParcels, hours: 30 });
    await add(own, { signed: leastLaneParcels, hours: 60, on: other });
    const station = { id: own, offer_rule: 'fastest' as const, allow_select: 1 as const };
    const rows = (...lanes: (typeof lane)[]) =>
      lanes.map((one) => ({ ...one, promise_id: '' })) as never[];
    const read = await system.app.db.tx(systemScope('test'), async (work) => {
      const hoursOfRows = createRowHours(work, [product] as never[], { station, at: new Date() });
      const first = await hoursOfRows(rows(lane));
      await sql`insert into express_lanes (station_id, lane, day, signed, minutes, due, on_time)
        select station_id, lane, day, signed, minutes * 2, 0, 0 from express_lanes`.execute(
        work.tx,
      );
      const second = await hoursOfRows(rows(lane, other));
      return [first(lane as never), second(lane as never), second(other as never)].map((of) =>
        of(product as never),
      );
    });
    expect(read).toEqual([30, 30, 90]);
  });
});
