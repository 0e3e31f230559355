import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as ledger from '#domain/ledger/ledger.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { act, addStation, all, openWorld, settleWorld } from '#testing/histories/world.ts';
import type { World } from '#testing/histories/world.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { queueRelease } from './express.ts';

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await createTestApp();
  world = await openWorld(app);
});
afterAll(() => app.close());

const plain = {
  parent: null,
  frozen: 0,
  reserve: 0,
  checked: true,
  discount: 10_000,
  northeast: null,
  way: 1,
  earns: false,
  profit: 0,
  fixed: 0,
  money: 0,
} as const;
const nothing = {
  re_weight: null,
  jd_weight: null,
  jd_volume: null,
  length: 0,
  width: 0,
  height: 0,
  pieces: 1,
  value: 0,
  surcharges: {},
};

const tx = <T>(run: (work: Work) => Promise<T>): Promise<T> => app.db.tx(all, run);
let causes = 0;
const meta = (by = 1) => ({ cause: `waiting ${++causes}`, at: app.clock.now(), by });

/**
 * A parcel to Shanghai at list price: 12.00 yuan for the first kilogram and 2.00 yuan for each
 * further kilogram.
 */
const order = async (station: number, kilograms: number): Promise<number> => {
  const known = { ...nothing, to: 'shanghai' as const, weight: kilograms * 1_000 };
  const { id } = await act(world, {
    op: 'order',
    station,
    known,
    promise: 'ed-m-0001',
    answers: [],
  });
  await settleWorld(world, []);
  return id;
};
const statesOf = async (...ids: number[]): Promise<number[]> => {
  const { rows } = await tx((work) =>
    sql<{ state_code: number }>`select state_code
    from expresses where id = any(${ids}) order by id`.execute(work.tx),
  );
  return rows.map(({ state_code }) => state_code);
};
const weigh = async (parcel: number, grams: number): Promise<void> => {
  await act(world, {
    op: 'measure',
    parcel,
    measures: { weight: grams, volume: null, fee: null, back: 0 },
  });
  await settleWorld(world, [parcel]);
};

interface Case {
  /** The station's money when its orders are placed, and the part of it in reserve. */
  money: number;
  reserve?: number;
  /** Runs before the parcels on hold are created; its result is passed to `rise`. */
  first?: (station: number) => Promise<number>;
  rise: (station: number, first: number) => Promise<unknown>;
}

/** Each case raises the balance by 12.00 yuan or a little more. */
const causesOfRise: Record<string, Case> = {
  'a top-up': {
    money: 0,
    rise: (station_id) =>
      tx((work) => ledger.topUp(work, { station_id, amount: 1_200, description: '', ...meta() })),
  },
  'an adjustment': {
    money: 0,
    rise: (station_id) =>
      tx((work) =>
        ledger.adjustment(work, { station_id, amount: 1_200, description: '', ...meta() }),
      ),
  },
  'an adjustment that a second person approves': {
    money: 0,
    rise: async (station_id) => {
      const statement_id = await tx((work) =>
        ledger.requestAdjustment(work, { station_id, amount: 1_200, description: '', ...meta(1) }),
      );
      await settleWorld(world, []);
      await tx((work) => ledger.approve(work, { statement_id, ...meta(2) }));
    },
  },
  'a hold given back': {
    money: 1_200,
    first: (station) => order(station, 1),
    rise: (_, first) => act(world, { op: 'cancel', parcel: first, result: 'cancelled' }),
  },
  'a refund': {
    money: 1_200,
    first: (station) => order(station, 1).then((id) => weigh(id, 1_000).then(() => id)),
    rise: (_, first) =>
      tx((work) =>
        ledger.refund(work, { express_id: first, amount: 1_200, description: '', ...meta() }),
      ),
  },
  'an insurance payout': {
    money: 1_200,
    first: (station) => order(station, 1),
    rise: (_, first) =>
      tx((work) =>
        ledger.payout(work, {
          express_id: first,
          amount: 1_200,
          limit_amount: 10_000,
          description: '',
          ...meta(),
        }),
      ),
  },
  'a reversal': {
    money: 1_200,
    first: (station) => order(station, 1).then((id) => weigh(id, 1_000).then(() => id)),
    rise: (_, first) =>
      tx((work) => ledger.reverse(work, { express_id: first, reason: 'no', ...meta() })),
  },
  'a charge below what was held': {
    money: 2_400,
    first: (station) => order(station, 7),
    rise: (_, first) => weigh(first, 1_000),
  },
  'a weight that the carrier corrects down': {
    money: 2_400,
    first: (station) => order(station, 7).then((id) => weigh(id, 7_000).then(() => id)),
    rise: (_, first) => weigh(first, 1_000),
  },
  'a parcel before pickup that is weighed lighter': {
    money: 2_400,
    first: (station) => order(station, 7),
    rise: (_, first) => act(world, { op: 'reweigh', parcel: first, grams: 1_000 }),
  },
  'a smaller reserve': {
    money: 1_200,
    reserve: 1_200,
    rise: (station) => act(world, { op: 'reserve', station, reserve: 0, checked: true }),
  },
  'a check that is switched off': {
    money: 0,
    rise: (station) => act(world, { op: 'reserve', station, reserve: 0, checked: false }),
  },
  'a share of what a station below is charged': {
    money: 0,
    rise: async (station) => {
      const child = await addStation(world, {
        ...plain,
        parent: station,
        checked: false,
        way: 2,
        earns: true,
        fixed: 1_200,
      });
      await weigh(await order(child, 5), 5_000);
    },
  },
};

describe('parcels on hold', () => {
  it.each(Object.entries(causesOfRise))(
    'parcels on hold are released after %s, the oldest first and as far as the balance covers them',
    async (_, { money, reserve = 0, first, rise }) => {
      const station = await addStation(world, { ...plain, money, reserve });
      const before = first ? await first(station) : 0;
      const [eldest, heavy, youngest] = [
        await order(station, 1),
        await order(station, 40),
        await order(station, 1),
      ];
      expect(await statesOf(eldest, heavy, youngest)).toEqual([10, 10, 10]);
      await rise(station, before);
      await settleWorld(world, []);
      const unlimited =
        (
          await tx((work) =>
            sql<{ has_amount: number }>`select has_amount from stations
          where id = ${station}`.execute(work.tx),
          )
        ).rows[0]!.has_amount === 0;
      expect(await statesOf(eldest, heavy, youngest)).toEqual(
        unlimited ? [100, 100, 100] : [100, 10, 10],
      );
    },
  );

  it('parcels on hold are not checked while the balance has not risen', async () => {
    const station = await addStation(world, { ...plain, money: 100 });
    const waits = await order(station, 1);
    await tx((work) =>
      ledger.adjustment(work, { station_id: station, amount: -50, description: '', ...meta() }),
    );
    const { rows } = await tx((work) =>
      sql`select 1 from graphile_worker._private_jobs
      where key = ${`release_on_hold:${station}`}`.execute(work.tx),
    );
    expect(rows).toEqual([]);
    expect(await statesOf(waits)).toEqual([10]);
  });

  it('parcels on hold remain on hold if the available balance does not cover them when they are checked', async () => {
    const station = await addStation(world, { ...plain, money: 100 });
    const waits = await order(station, 1);
    await tx((work) => queueRelease(work, station));
    await settleWorld(world, []);
    expect(await statesOf(waits)).toEqual([10]);
  });
});

describe('a hundred concurrent orders of one station', () => {
  it('of a hundred concurrent orders, as many are placed as the balance covers; the others wait on hold and show the missing amount', async () => {
    const station = await addStation(world, { ...plain, money: 37 * 1_200 + 1_199 });
    const wide = openDb({
      connection: { ...app.owner, user: 'waystation_app' },
      max: 100,
      log: silentLog(),
    });
    const hands = { ...world, app: { ...app, db: wide }, desk: { ...world.desk, db: wide } };
    try {
      // Opens all connections first, a few at a time, so that the hundred orders really run
      // simultaneously.
      const clients: Awaited<ReturnType<typeof wide.client>>[] = [];
      while (clients.length < 100)
        clients.push(...(await Promise.all(Array.from({ length: 10 }, () => wide.client()))));
      for (const client of clients) client.release();
      const known = { ...nothing, to: 'shanghai' as const, weight: 1_000 };
      await Promise.all(
        Array.from({ length: 100 }, () =>
          act(hands, { op: 'order', station, known, promise: 'ed-m-0001', answers: [] }),
        ),
      );
    } finally {
      await wide.close();
    }
    const { rows } = await tx((work) =>
      sql<{ state_code: number; n: number; reason: unknown }>`select state_code,
        count(*) as n, min(state_reason::text)::jsonb as reason from expresses
        where station_id = ${station} group by 1 order by 1`.execute(work.tx),
    );
    expect(rows).toEqual([
      { state_code: 10, n: 63, reason: { code: 'balance_too_low', params: { missing_amount: 1 } } },
      { state_code: 20, n: 37, reason: null },
    ]);
    const { rows: sums } = await tx((work) =>
      sql`select "freeze", available from stations
      where id = ${station}`.execute(work.tx),
    );
    expect(sums).toEqual([{ freeze: 37 * 1_200, available: 1_199 }]);
  });
});
