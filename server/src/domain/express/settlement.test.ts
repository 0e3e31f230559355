import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { act, addStation, all, openWorld, settleWorld } from '#testing/histories/world.ts';
import type { World } from '#testing/histories/world.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { askFacts } from './ask-facts.ts';

let app: TestApp;
let world: World;
let station: number;
beforeAll(async () => {
  app = await createTestApp();
  world = await openWorld(app);
  const terms = {
    parent: null,
    frozen: 0,
    reserve: 0,
    discount: 8_500,
    northeast: null,
    way: 1,
    earns: false,
    profit: 0,
    fixed: 0,
  } as const;
  station = await addStation(world, { ...terms, checked: true, money: 100_000 });
});
afterAll(() => app.close());

const order = async (answers: ('accepted' | 'refused')[] = []): Promise<number> => {
  const known = {
    to: 'shanghai' as const,
    weight: 4_300,
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
    answers,
  });
  await settleWorld(world, []);
  return id;
};
const measure = (parcel: number, weight: number, surcharges: Record<string, number> = {}) =>
  act(world, {
    op: 'measure',
    parcel,
    measures: { weight, volume: null, fee: { amount: 900, surcharges }, back: 0 },
  });
const rows = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await app.db.tx(all, (work) => query.execute(work.tx))).rows;
const lines = (parcel: number) =>
  rows(sql<{ line: string }>`select format('%s %s', type, amount) as line from statements
    where express_id = ${parcel} order by seq`).then((found) => found.map(({ line }) => line));
const tell = (parcel: number, effect: 'picked_up' | 'signed', minutesAgo: number) => {
  const at = app.clock.now().getTime() - minutesAgo * 60_000;
  return act(world, {
    op: 'tell',
    parcel,
    reports: [{ key: `${effect} ${minutesAgo}`, at, effect, back: null }],
  });
};

describe('the weight that the carrier measured', () => {
  it('concurrent answers with the same weight post the charge of a parcel once, and every later correction posts only the price difference', async () => {
    const parcel = await order();
    const askTogether = () =>
      Promise.all(Array.from({ length: 8 }, () => askFacts(world.desk, { express_id: parcel })));
    await measure(parcel, 5_200);
    await askTogether();
    expect(await lines(parcel)).toEqual(['hold 0', 'charge -1970']);
    await measure(parcel, 6_100, { QLHCF: 300 });
    await askTogether();
    await measure(parcel, 4_000, { QLHCF: 200 });
    await askTogether();
    // The first correction is for seven kilograms and a surcharge of 3.00 yuan, the second for four
    // kilograms and a surcharge of 2.00 yuan.
    expect(await lines(parcel)).toEqual([
      'hold 0',
      'charge -1970',
      'surcharge -470',
      'surcharge 610',
    ]);
    expect(
      await rows(
        sql`select e.amount from ledger_entries e
          join ledger_transfers t on t.id = e.transfer_id where t.express_id = ${parcel}
          and e.account = 'carrier_cost'`,
      ),
    ).toEqual([{ amount: -900 }]);
  });

  it('the weight basis of a parcel shows the weight that the carrier measured and how it was rounded', async () => {
    const parcel = await order();
    const words = async () =>
      (
        await rows(sql<{ weight_message: string }>`select weight_message
      from expresses where id = ${parcel}`)
      )[0]!.weight_message;
    expect(await words()).toBe('申报重量 4.3 kg，1 kg 以上每 1 kg 进位，计 5 kg');
    await measure(parcel, 5_200);
    await settleWorld(world, [parcel]);
    expect(await words()).toBe('承运商称重 5.2 kg，1 kg 以上每 1 kg 进位，计 6 kg');
  });

  it('a parcel that moves after its cancel is charged by the carrier’s weight from the wallet, and its released hold stays released', async () => {
    const parcel = await order();
    await act(world, { op: 'cancel', parcel, result: 'cancelled' });
    await settleWorld(world, []);
    app.clock.advance(3_600_000);
    await tell(parcel, 'picked_up', 10);
    await measure(parcel, 5_200);
    await settleWorld(world, [parcel]);
    expect(await lines(parcel)).toEqual(['hold 0', 'release 0', 'charge -1970']);
    expect(
      await rows(sql`select state_code from expresses
      where id = ${parcel}`),
    ).toEqual([{ state_code: 200 }]);
  });
});

describe('carrier messages that are late or repeated', () => {
  it('a carrier message about an order that was refused and then cancelled posts nothing and raises an alert', async () => {
    const parcel = await order(['refused']);
    await act(world, { op: 'cancel', parcel, result: 'cancelled' });
    await tell(parcel, 'picked_up', 1);
    await settleWorld(world, [parcel]);
    expect(
      await rows(sql`select state_code, delivery_id from expresses
      where id = ${parcel}`),
    ).toEqual([{ state_code: 500, delivery_id: null }]);
    expect(await lines(parcel)).toEqual(['hold 0', 'release 0']);
    expect(
      await rows(sql`select code from alerts
      where express_id = ${parcel}`),
    ).toEqual([{ code: 'carrier_knows_unordered' }]);
  });

  it('the estimate is charged once even if the carrier’s messages are repeated, late or out of order', async () => {
    const parcel = await order();
    for (const [effect, minutesAgo] of [
      ['signed', 5],
      ['picked_up', 60],
      ['signed', 5],
      ['picked_up', 60],
    ] as const) {
      await tell(parcel, effect, minutesAgo);
      await settleWorld(world, [parcel]);
    }
    expect(await lines(parcel)).toEqual(['hold 0', 'charge -1800']);
    expect(
      await rows(sql`select state_code from expresses
      where id = ${parcel}`),
    ).toEqual([{ state_code: 300 }]);
  });
});
