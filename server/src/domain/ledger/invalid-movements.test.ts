import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Work } from '#platform/db/db.ts';
import { at, dearer, holdOf, next, openMoney, price, meta } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import {
  adjustment,
  carrierPaid,
  charge,
  chargeDifference,
  changeHold,
  hold,
  payout,
  prove,
  refund,
  releaseHold,
  reverse,
  topUp,
} from './ledger.ts';
import type { Share } from './ledger.ts';
import type { Difference } from './movements.ts';

let app: TestApp;
let { tx, fill, charged } = {} as ReturnType<typeof openMoney>;
beforeAll(async () => {
  app = await createTestApp();
  ({ tx, fill, charged } = openMoney(app));
});
afterAll(() => app.close());

describe('an invalid movement', () => {
  it('an invalid ledger movement is refused and stores nothing', async () => {
    const station_id = await addStation(app.db);
    const { express_id, parent } = await charged();
    await fill(station_id, 100_000);
    const chargeWith = (shares: Share[]) => async (work: Work) => {
      const id = next();
      await hold(work, holdOf(station_id, id));
      await charge(work, {
        express_id: id,
        attempt: 1,
        delivery_id: null,
        price,
        shares,
        ...meta(),
      });
    };
    const amount = (value: number) => (work: Work) =>
      topUp(work, { station_id, amount: value, description: '', ...meta() });
    const differing = (changes: Partial<Difference>) => (work: Work) =>
      chargeDifference(work, {
        express_id,
        type: 'reweigh',
        price_before: dearer,
        price_after: price,
        shares_before: [{ station_id: parent, amount: 94 }],
        shares_after: [],
        ...meta(),
        ...changes,
      });
    const nonsense: [string, RegExp, (work: Work) => Promise<unknown>][] = [
      ['a top-up of nothing', /not an amount to move/, amount(0)],
      ['a negative top-up', /not an amount to move/, amount(-5)],
      ['half a fen', /invalid input syntax for type bigint/, amount(0.5)],
      ['no number', /not an amount to move/, amount(Number.NaN)],
      [
        'an adjustment of nothing',
        /not an amount to move/,
        (work) => adjustment(work, { station_id, amount: 0, description: '', ...meta() }),
      ],
      [
        'a station that is not there',
        /station 999999 does not exist/,
        (work) => topUp(work, { station_id: 999_999, amount: 5, description: '', ...meta() }),
      ],
      [
        'a price that does not add up',
        /not a price/,
        (work) =>
          hold(work, { ...holdOf(station_id, next()), price: { ...price, post_amount: 1 } }),
      ],
      [
        'a negative price',
        /not a price/,
        (work) =>
          hold(work, {
            ...holdOf(station_id, next()),
            price: { ...price, pre_amount: 0, post_amount: -300 },
          }),
      ],
      [
        'a second open hold',
        /ledger_holds_one_open/,
        async (work) => {
          const id = next();
          await hold(work, holdOf(station_id, id));
          await hold(work, holdOf(station_id, id, 2));
        },
      ],
      [
        'a release of what was never held',
        /was never held/,
        (work) => releaseHold(work, { express_id: 999_999, attempt: 1, ...meta() }),
      ],
      [
        'a charge of another attempt',
        /was never held in attempt 2/,
        (work) =>
          charge(work, { express_id, attempt: 2, delivery_id: null, price, shares: [], ...meta() }),
      ],
      [
        'a release of what was charged',
        /is charged/,
        (work) => releaseHold(work, { express_id, attempt: 1, ...meta() }),
      ],
      [
        'a second first charge',
        /is charged/,
        (work) =>
          charge(work, { express_id, attempt: 1, delivery_id: null, price, shares: [], ...meta() }),
      ],
      [
        'a charge after a charge of another attempt',
        /ledger_transfers_first_charge/,
        async (work) => {
          await hold(work, holdOf(station_id, express_id, 2));
          await charge(work, {
            express_id,
            attempt: 2,
            delivery_id: null,
            price,
            shares: [],
            ...meta(),
          });
        },
      ],
      [
        'another price for a hold that ended',
        /is charged/,
        (work) => changeHold(work, { express_id, attempt: 1, price, ...meta() }),
      ],
      [
        'shares above the price',
        /not shares of 1800/,
        chargeWith([{ station_id: parent, amount: 1801 }]),
      ],
      ['a share of its own', /not shares/, chargeWith([{ station_id, amount: 1 }])],
      [
        'two shares of one',
        /not shares/,
        chargeWith([
          { station_id: parent, amount: 1 },
          { station_id: parent, amount: 1 },
        ]),
      ],
      ['a negative share', /not shares/, chargeWith([{ station_id: parent, amount: -1 }])],
      [
        'a share of nobody',
        /station 999999 does not exist/,
        chargeWith([{ station_id: 999_999, amount: 1 }]),
      ],
      [
        'a difference to what was not charged',
        /was charged .* not/,
        differing({ price_before: price }),
      ],
      [
        'a difference to shares that were not had',
        /the shares of parcel .* were/,
        differing({ shares_before: [] }),
      ],
      [
        'a payout for what was never ordered',
        /was never held/,
        (work) =>
          payout(work, {
            express_id: 999_999,
            amount: 5,
            limit_amount: 5,
            description: '',
            ...meta(),
          }),
      ],
      [
        'a payment of nothing to the carrier',
        /not an amount to move/,
        (work) => carrierPaid(work, { amount: 0, ...meta() }),
      ],
    ];
    for (const [name, why, attempt] of nonsense)
      await expect(tx(attempt), name).rejects.toThrow(why);
    expect((await prove(app, { full: true, at })).breaks).toEqual([]);
  });

  it('an invalid ledger movement that a user can cause returns an error code', async () => {
    const station_id = await addStation(app.db);
    const held = next();
    await fill(station_id, 9000);
    await tx((work) => hold(work, holdOf(station_id, held)));
    await expect(
      tx((work) => refund(work, { express_id: held, amount: 5, description: '', ...meta() })),
    ).rejects.toMatchObject({
      code: 'parcel_not_charged',
    });
    await expect(
      tx((work) => reverse(work, { express_id: held, reason: '', ...meta() })),
    ).rejects.toMatchObject({ code: 'parcel_not_charged' });
    const { express_id } = await charged();
    await expect(
      tx((work) => refund(work, { express_id, amount: 1971, description: '', ...meta() })),
    ).rejects.toMatchObject({
      code: 'refund_too_large',
      params: { left_amount: 1970 },
    });
  });
});
