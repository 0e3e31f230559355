import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as ledger from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { act, addStation, all, openWorld, settleWorld } from '#testing/histories/world.ts';
import type { World } from '#testing/histories/world.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await createTestApp();
  world = await openWorld(app);
});
afterAll(() => app.close());

interface Node {
  discount: number;
  earns?: boolean;
  profit?: number;
  fixed?: number;
}

/**
 * Adds a chain of stations in which each station is the parent of the next. Returns their ids. The
 * last station orders the parcel.
 */
const chain = async (way: 1 | 2 | 3, nodes: Node[]): Promise<number[]> => {
  const ids: number[] = [];
  for (const { discount, earns = true, profit = 0, fixed = 0 } of nodes)
    ids.push(
      await addStation(world, {
        parent: ids.at(-1) ?? null,
        frozen: 0,
        reserve: 0,
        checked: false,
        discount,
        northeast: null,
        way,
        earns,
        profit,
        fixed,
        money: 0,
      }),
    );
  return ids;
};

/**
 * A parcel to Shanghai with an insurance fee of 1.00 yuan. Its list freight is 12.00 yuan for the
 * first kilogram and 2.00 yuan for each further kilogram.
 */
const order = async (station: number, kilograms: number): Promise<number> => {
  const known = {
    to: 'shanghai' as const,
    weight: kilograms * 1_000,
    re_weight: null,
    jd_weight: null,
    jd_volume: null,
    length: 0,
    width: 0,
    height: 0,
    pieces: 1,
  };
  const { id } = await act(world, {
    op: 'order',
    station,
    known: { ...known, value: 50_000, surcharges: {} },
    promise: 'ed-m-0001',
    answers: [],
  });
  await settleWorld(world, []);
  return id;
};

const weigh = async (
  parcel: number,
  grams: number,
  surcharges: Record<string, number> = {},
): Promise<void> => {
  await act(world, {
    op: 'measure',
    parcel,
    measures: { weight: grams, volume: null, fee: { amount: 700, surcharges }, back: 0 },
  });
  await settleWorld(world, [parcel]);
};

const statementsOf = async (ids: number[]): Promise<number[]> => {
  const { rows } = await app.db.tx(all, (work) =>
    sql<{ money: number }>`select money
    from stations where id = any(${ids}) order by id`.execute(work.tx),
  );
  return rows.map(({ money }) => money);
};

describe('profit shares', () => {
  it.each([
    // Five kilograms cost a freight of 20.00 yuan, at 85 % 17.00 yuan. All percentages are
    // calculated from this amount. The station pays 18.00 yuan.
    {
      name: 'by percentage',
      way: 1,
      nodes: [
        { discount: 7_000 },
        { discount: 8_000, profit: 500 },
        { discount: 8_500, profit: 1_000 },
      ],
      five: [85, 170, -1_800],
      seven: [102, 204, -2_140],
    },
    {
      name: 'by fixed sums',
      way: 2,
      nodes: [
        { discount: 7_000 },
        { discount: 8_000, fixed: 100 },
        { discount: 8_500, fixed: 250 },
      ],
      five: [100, 250, -1_800],
      seven: [100, 250, -2_140],
    },
    // 80 % of 20.00 yuan is 16.00 yuan, 70 % is 14.00 yuan. The parent pays less than its child,
    // and each share is this difference.
    {
      name: 'by the difference of what child and parent pay',
      way: 3,
      nodes: [{ discount: 7_000 }, { discount: 8_000 }, { discount: 8_500 }],
      five: [200, 100, -1_800],
      seven: [240, 120, -2_140],
    },
    {
      name: 'by difference, none where the parent pays more',
      way: 3,
      nodes: [{ discount: 7_000 }, { discount: 9_000 }, { discount: 8_500 }],
      five: [400, 0, -1_800],
      seven: [480, 0, -2_140],
    },
    {
      name: 'by fixed sums, cut to what is left',
      way: 2,
      nodes: [
        { discount: 7_000 },
        { discount: 8_000, fixed: 500 },
        { discount: 8_500, fixed: 1_500 },
      ],
      five: [200, 1_500, -1_800],
      seven: [500, 1_500, -2_140],
    },
    {
      name: 'of the links alone that earn',
      way: 1,
      nodes: [
        { discount: 7_000 },
        { discount: 8_000, profit: 500 },
        { discount: 8_500, profit: 1_000, earns: false },
      ],
      five: [85, 0, -1_800],
      seven: [102, 0, -2_140],
    },
  ] as const)(
    'profit shares $name are posted with the charge, follow each price to the fen, and are returned by a reversal',
    async ({ way, nodes, five, seven }) => {
      const ids = await chain(way, [...nodes]);
      const parcel = await order(ids.at(-1)!, 5);
      await weigh(parcel, 5_000);
      expect(await statementsOf(ids)).toEqual(five);
      await weigh(parcel, 6_400);
      expect(await statementsOf(ids)).toEqual(seven);
      // A surcharge is not shared.
      await weigh(parcel, 6_400, { QLHCF: 300 });
      expect(await statementsOf(ids)).toEqual([...seven.slice(0, -1), seven.at(-1)! - 300]);
      await weigh(parcel, 5_000);
      expect(await statementsOf(ids)).toEqual(five);
      await app.db.tx(all, (work) =>
        ledger.reverse(work, {
          express_id: parcel,
          reason: 'lost',
          cause: `reversal ${parcel}`,
          at: app.clock.now(),
          by: 1,
        }),
      );
      expect(await statementsOf(ids)).toEqual(ids.map(() => 0));
      await weigh(parcel, 9_000);
      expect(await statementsOf(ids)).toEqual(ids.map(() => 0));
    },
  );

  it('profit shares are calculated with the rates that were valid when the parcel was ordered', async () => {
    const ids = await chain(1, [{ discount: 7_000 }, { discount: 8_500, profit: 1_000 }]);
    const before = await order(ids[1]!, 5);
    await act(world, {
      op: 'terms',
      station: ids[1]!,
      rates: { discount: 9_500, northeast: null, earns: true, profit: 2_000, fixed: 0 },
    });
    const after = await order(ids[1]!, 5);
    await weigh(before, 5_000);
    expect(await statementsOf(ids)).toEqual([170, -1_800]);
    await weigh(after, 5_000);
    expect(await statementsOf(ids)).toEqual([170 + 380, -1_800 - 2_000]);
  });
});
