import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leastKeptWindows } from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openOwner } from '#testing/money.ts';
import { watchPlans } from '#testing/plans.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { keptWindowsOf } from './kept-windows.ts';

const scope = systemScope('test');
const now = new Date('2026-03-02T03:59:00Z');
/** 09:00 to 11:00 in Shanghai, on the day before `now`. */
const from = new Date('2026-03-01T01:00:00Z');
const until = new Date('2026-03-01T03:00:00Z');
let app: TestApp;
let plans: ReturnType<typeof watchPlans>;
let owner: ReturnType<typeof openOwner>;
let [station_id, sister_id, user_id, voucher_id] = [0, 0, 0, 0];
let numbers = 0;

beforeAll(async () => {
  app = await createTestApp();
  plans = watchPlans(app);
  owner = openOwner(app);
  voucher_id = await owner.tx(scope, async (work) => {
    await sql`insert into promises (provider, promise_id, promise_name, cutoff_time)
      values ('jdl', 'ed-m-0001', '特快', '18:00')`.execute(work.tx);
    const { rows } = await sql<{ id: number }>`insert into vouchers (name, provider, promise_id,
      weight) values ('kept windows', 'jdl', 'ed-m-0001', '{}') returning id`.execute(work.tx);
    return rows[0]!.id;
  });
});
beforeEach(async () => {
  station_id = await addStation(app.db);
  sister_id = await addStation(app.db);
  user_id = await addAccount(app.db, 'user', station_id);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

interface Parcels {
  station?: number;
  provider?: string;
  ordered_at?: Date | null;
  /** Moves the window of the test by this number of days and hours. */
  days?: number;
  hours?: number;
  /** Minutes from the end of the window to the pickup. */
  picked?: number;
  /** Minutes from the end of the window to the request to cancel. */
  cancelled?: number;
}

/** Adds this number of parcels with a pickup window; returns their ids. */
const add = async (count: number, parcels: Parcels = {}): Promise<number[]> => {
  const { station = station_id, provider = 'jdl', ordered_at = from } = parcels;
  const { days = 0, hours = 0, picked = null, cancelled = null } = parcels;
  const moved = sql`${days}::int * interval '1 day' + ${hours}::int * interval '1 hour'`;
  const end = sql`${until}::timestamptz + ${moved}`;
  return owner.tx(scope, async (work) => {
    const { rows } = await sql<{ id: number }>`insert into expresses (station_id, user_id,
      order_id, provider, state_code, created_at, ordered_at, pickup_from, pickup_until,
      picked_up_at, cancel_requested_at)
      select ${station}, ${user_id}, 'K' || ${(numbers += count)}::int || '-' || n, ${provider},
        case when ${cancelled}::int is not null then 500 when ${picked}::int is not null then 200
          else 100 end, ${from}, ${ordered_at}::timestamptz, ${from}::timestamptz + ${moved}, ${end},
        ${end} + ${picked}::int * interval '1 minute',
        ${end} + ${cancelled}::int * interval '1 minute'
      from generate_series(1, ${count}::int) n returning id`.execute(work.tx);
    return rows.map(({ id }) => id);
  });
};
/**
 * Adds parcels that were moved to the window of the next day. The move was requested `asked`
 * minutes after the end of the former window.
 */
const move = async (
  count: number,
  asked: number,
  { days = 0, ...parcels }: Parcels = {},
): Promise<number[]> => {
  const ids = await add(count, { days: days + 1, ...parcels });
  await owner.tx(scope, (work) =>
    sql`insert into express_edits (express_id, station_id, account_id, status, request, changes,
        terms, voucher_id, voucher_no, created_at, settled_at, left_from, left_until)
      select e.id, e.station_id, e.user_id, 'done', '', '{}', '{}', ${voucher_id}, 1,
        e.pickup_until - interval '1 day' + ${asked}::int * interval '1 minute', ${now},
        e.pickup_from - interval '1 day', e.pickup_until - interval '1 day'
      from expresses e where e.id = any(${ids}::bigint[])`.execute(work.tx),
  );
  return ids;
};

/** Records a hand-over in which the courier got a parcel. */
const give = (express_id: number, scanned_at = now) =>
  owner.tx(scope, async (work) => {
    const of = sql`${station_id}::bigint, 'jdl', ${user_id}::bigint`;
    await sql`insert into handovers (station_id, provider, user_id, opened_at)
      values (${of}, ${now}) on conflict do nothing`.execute(work.tx);
    await sql`insert into handover_scans (handover_id, station_id, user_id, scan_id, scanned_by, at,
        number, result, express_id, delivery_id, package_no, package_count)
      select id, station_id, user_id, gen_random_uuid(), user_id, ${scanned_at}, 'K', 'given',
        ${express_id}, 'K', 1, 1
      from handovers where (station_id, provider, user_id) = (${of})`.execute(work.tx);
  });
const kept = async (starts_at = from, ends_at = until) => {
  const keptOf = await app.db.tx(scope, (work) =>
    keptWindowsOf(work, { station_id, provider: 'jdl' }, now),
  );
  return keptOf(starts_at, ends_at);
};

describe('counting the pickup windows that a carrier kept or missed at a station', () => {
  it('a pickup window counts as kept if the parcel is picked up at most one hour after the window, otherwise as missed', async () => {
    await add(7, { picked: -30 });
    await add(2, { picked: 60 });
    await add(1, { picked: 61 });
    await add(3);
    expect(await kept()).toEqual({ kept: 9, missed: 4 });
  });

  it('a parcel cancelled before the end of its pickup window is not counted; a parcel cancelled after the end counts as a missed window', async () => {
    await add(10, { picked: 0 });
    await add(5, { cancelled: -1 });
    await add(2, { cancelled: 30 });
    expect(await kept()).toEqual({ kept: 10, missed: 2 });
  });

  it('a pickup window that was changed after its end counts as missed, and the new window is counted separately', async () => {
    await add(10, { picked: 0 });
    await move(2, 0);
    await move(3, 30, { days: -1, picked: 0 });
    await move(1, 30, { days: -1 });
    expect(await kept()).toEqual({ kept: 13, missed: 7 });
  });

  it('a pickup window that was changed before its end is counted neither as kept nor as missed', async () => {
    await add(10, { picked: 0 });
    await move(3, -1);
    await move(3, -120);
    await move(3, -2_000, { days: -1, picked: 0 });
    expect(await kept()).toEqual({ kept: 13, missed: 0 });
  });

  it('a pickup window that was changed does not count as missed if the pickup or the hand-over to the courier happened in it', async () => {
    await add(10, { picked: 0 });
    await move(2, 5, { days: -1, picked: 60 - 1_440 });
    await move(1, 5, { days: -1, picked: 61 - 1_440 });
    const [early, late] = await move(2, 5, { days: -1, picked: 0 });
    await give(early!, new Date('2026-02-28T04:00:00Z'));
    await give(late!, new Date('2026-02-28T04:01:00Z'));
    expect(await kept()).toEqual({ kept: 15, missed: 2 });
  });

  it('the count of kept pickup windows excludes changed windows of another carrier, station or hour, and those older than thirty days', async () => {
    await add(10, { picked: 0 });
    await move(3, 5, { provider: 'sf' });
    await move(3, 5, { station: sister_id });
    await move(3, 5, { hours: 2, days: -1 });
    await move(3, 5, { days: -31, picked: 0 });
    expect(await kept()).toEqual({ kept: 10, missed: 0 });
  });

  it('a parcel that was handed over to the courier does not count as a missed pickup window', async () => {
    await add(9, { picked: 0 });
    const [given] = await add(1);
    await give(given!);
    expect(await kept()).toEqual({ kept: 10, missed: 0 });
  });

  it('the count of kept windows excludes windows of other hours, carriers and stations, old and future windows, and orders never sent', async () => {
    await add(10, { picked: 0 });
    await add(3, { hours: 2 });
    await add(3, { provider: 'sf' });
    await add(3, { station: sister_id });
    await add(3, { days: -30 });
    await add(3, { days: 1 });
    await add(3, { ordered_at: null });
    await add(1, { days: -28 });
    expect(await kept()).toEqual({ kept: 10, missed: 1 });
    expect(await kept(from, new Date(until.getTime() + 3_600_000))).toBeNull();
  });

  it.each([
    [leastKeptWindows, 60],
    [leastKeptWindows, 80],
    [1_520, 95],
  ])(
    'the exact counts of kept and missed pickup windows are shown for %i parcels of which %i percent are kept',
    async (count, rate) => {
      const picked = (count * rate) / 100;
      const moved = (count - picked) / 2;
      await add(picked, { picked: -10 });
      await add(count - picked - moved);
      await move(moved, 5);
      await move(count, -5);
      expect(await kept()).toEqual({ kept: picked, missed: count - picked });
    },
  );

  it(`no share of kept pickup windows is shown for fewer than ${leastKeptWindows} parcels with windows at the same hours`, async () => {
    await add(leastKeptWindows - 1, { picked: 0 });
    expect(await kept()).toBeNull();
    await add(1);
    expect(await kept()).toEqual({ kept: leastKeptWindows - 1, missed: 1 });
  });

  it('the share of kept pickup windows uses the newest 2,000 windows and window changes, and reads no more rows for 30,000 parcels than for 6,000', async () => {
    const read = async (): Promise<number> => {
      await owner.pool.query('vacuum analyze expresses, express_edits, handover_scans');
      const found = await plans.readBy(() => kept());
      return found.reduce((sum, plan) => sum + plan.rows, 0);
    };
    await add(3_000, { picked: 0 });
    await add(3_000, { station: sister_id });
    await move(2_500, 5, { picked: 0 });
    const few = await read();
    await add(12_000, { days: -1 });
    await add(12_000, { station: sister_id, days: -1 });
    await move(5_000, 5, { station: sister_id });
    await move(5_000, -5);
    const many = await read();
    expect(many, `${few} rows of 6,000 parcels, ${many} of 30,000`).toBeLessThanOrEqual(few + 60);
    expect(await kept()).toEqual({ kept: 2_000, missed: 2_000 });
  });
});
