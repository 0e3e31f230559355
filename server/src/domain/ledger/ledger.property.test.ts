import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { Failure } from '#platform/fail.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addModelStation, apply, newModel } from '#testing/ledger-model.ts';
import type { Expected, Model, ModelLine } from '#testing/ledger-model.ts';
import { rounds, seedOr } from '#testing/slices.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { post, prove } from './ledger.ts';
import type { LedgerPrice, Movement, Outcome, Share } from './ledger.ts';

/** The number of histories; LEDGER_SEEDS=10000 runs more of them. */
const seeds = Number(process.env['LEDGER_SEEDS'] ?? rounds(20, 1_000));
const firstSeed = Number(process.env['LEDGER_SEED'] ?? seedOr(1));

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const scope = systemScope('property');
const at = new Date('2026-03-02T10:00:00+08:00');

/** A random step; its meaning depends on the steps so far. */
interface Step {
  what: number;
  which: number;
  amount: number;
  insured: number;
  rate: number;
  share: number;
  /** The number of movements in one call. */
  together: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.integer({ min: 0, max: 99 }),
  which: fc.nat(10_000),
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 10_000_000_000 }) },
  ),
  insured: fc.integer({ min: 0, max: 300 }),
  rate: fc.constantFrom(10_000, 8_500, 1),
  share: fc.integer({ min: 0, max: 100 }),
  together: fc.integer({ min: 1, max: 6 }),
});

const history = fc.record({
  stations: fc.array(
    fc.record({ reserve: fc.constantFrom(0, 0, 500), checked: fc.constantFrom(true, true, false) }),
    { minLength: 2, maxLength: 5 },
  ),
  steps: fc.array(step, { minLength: 30, maxLength: 90 }),
});

const priceOf = ({ amount, insured, rate }: Step): LedgerPrice => {
  const discount_amount = amount - Math.floor((amount * rate + 5_000) / 10_000);
  return {
    pre_amount: amount + insured,
    discount: rate,
    discount_amount,
    guarantee_amount: insured,
    post_amount: amount + insured - discount_amount,
  };
};

const answerOf = (outcome: Outcome): Expected =>
  !outcome.ok
    ? `lacks ${outcome.missing_amount}`
    : outcome.transfer_id === null
      ? 'no-op'
      : 'posted';

let causes = 0;
let parcels = 0;

class World {
  readonly model: Model = newModel();
  /** The ids of the stations from the top station down; each station is the parent of the next. */
  readonly stations: number[] = [];
  readonly parcels: number[] = [];
  readonly requests: number[] = [];
  waiting: { movement: Movement; expected: Expected }[] = [];
  done: { movement: Movement; outcome: Outcome }[] = [];
  dirty = new Set<number>();

  async grow(reserve: number, checked: boolean): Promise<void> {
    const id = await addStation(app.db, {
      parent_id: this.stations.at(-1) ?? null,
      fixed_freeze: reserve,
      has_amount: checked ? 1 : 0,
    });
    this.stations.push(id);
    addModelStation(this.model, id, reserve, checked);
  }

  /** Profit shares of the stations above a station, which together do not exceed the price. */
  sharesOf(station: number, { share }: Step, price: LedgerPrice): Share[] {
    const above = this.stations.slice(0, this.stations.indexOf(station)).toReversed();
    let left = price.post_amount - price.guarantee_amount;
    return above.map((station_id) => {
      const amount = Math.min(left, Math.floor((left * share) / 250));
      left -= amount;
      return { station_id, amount };
    });
  }

  /** The ledger movement of a step; null if the step causes no movement in the present state. */
  movementOf(s: Step): Movement | null {
    const meta = { cause: `step ${++causes}`, at, by: (s.which % 3) + 1 };
    const station_id = this.stations[s.which % this.stations.length]!;
    const express_id = this.parcels[s.which % Math.max(1, this.parcels.length)];
    const statement_id = this.requests[s.which % Math.max(1, this.requests.length)];
    const price = priceOf(s);
    const amount = Math.max(1, s.amount);
    if (s.what < 10)
      return { movement: 'top_up', station_id, amount: amount * 10, description: '', ...meta };
    if (s.what < 35)
      return {
        movement: 'hold',
        station_id,
        express_id: ++parcels,
        attempt: 1,
        delivery_id: null,
        order_id: `WS${parcels}`,
        price,
        ...meta,
      };
    if (s.what < 40 && statement_id !== undefined)
      return { movement: 'approve', statement_id, ...meta };
    if (s.what < 42 && statement_id !== undefined)
      return { movement: 'decline', statement_id, reason: 'no', ...meta };
    if (s.what < 46)
      return {
        movement: 'request',
        type: 'withdrawal',
        station_id,
        amount,
        description: '',
        ...meta,
      };
    if (s.what < 49)
      return {
        movement: 'request',
        type: 'adjustment',
        station_id,
        amount: s.share % 2 ? amount : -amount,
        description: '',
        ...meta,
      };
    if (s.what < 52)
      return {
        movement: 'adjustment',
        station_id,
        amount: s.share % 2 ? amount : -amount,
        description: '',
        ...meta,
      };
    if (s.what < 53) return { movement: 'carrier_paid', amount, ...meta };
    return express_id === undefined ? null : this.ofParcel(s, express_id, price, meta);
  }

  ofParcel(
    s: Step,
    express_id: number,
    price: LedgerPrice,
    meta: { cause: string; at: Date; by: number },
  ): Movement | null {
    const parcel = this.model.parcels.get(express_id);
    if (!parcel) return null;
    const { attempt, station } = parcel;
    const shares_after = this.sharesOf(station, s, price);
    const amount = Math.max(1, s.amount);
    if (s.what < 58)
      return {
        movement: 'carrier_fee',
        express_id,
        station_id: station,
        amount_total: s.amount,
        ...meta,
      };
    if (s.what < 61)
      return {
        movement: 'payout',
        express_id,
        amount,
        limit_amount: Number.MAX_SAFE_INTEGER,
        description: '',
        ...meta,
      };
    if (s.what < 65)
      return {
        movement: 'refund',
        express_id,
        amount: Math.ceil(amount / 4),
        description: '',
        ...meta,
      };
    if (s.what < 68) return { movement: 'reversal', express_id, reason: '', ...meta };
    if (s.what < 73 && parcel.held)
      return { movement: 'change_hold', express_id, attempt, price, ...meta };
    if (s.what < 77 && parcel.held) return { movement: 'release', express_id, attempt, ...meta };
    if (s.what < 80 && parcel.released && !parcel.charged)
      return {
        movement: 'hold',
        station_id: station,
        express_id,
        attempt: attempt + 1,
        delivery_id: null,
        order_id: '',
        price,
        ...meta,
      };
    if (!parcel.charged)
      return parcel.held || parcel.released
        ? {
            movement: 'charge',
            express_id,
            attempt,
            delivery_id: 'JD',
            price,
            shares: shares_after,
            ...meta,
          }
        : null;
    const shares_before = [...parcel.charged.shares].map(([station_id, share]) => ({
      station_id,
      amount: share,
    }));
    return {
      movement: 'difference',
      type: s.share % 2 ? 'reweigh' : 'surcharge',
      express_id,
      price_before: parcel.charged.price,
      price_after: price,
      shares_before,
      shares_after,
      ...meta,
    };
  }

  async take(s: Step): Promise<void> {
    // A decision about a request waits until the request is stored and has an id.
    if (s.what >= 35 && s.what < 49) await this.flush();
    const repeat = s.what === 99 ? this.done[s.which % Math.max(1, this.done.length)] : undefined;
    if (repeat) return this.repeat(repeat);
    const movement = this.movementOf(s);
    if (!movement) return;
    const expected = apply(this.model, movement);
    if (movement.movement === 'hold' && expected === 'posted' && movement.attempt === 1)
      this.parcels.push(movement.express_id);
    if (expected.startsWith('fails')) return this.fails(movement, expected);
    this.waiting.push({ movement, expected });
    if (this.waiting.length >= s.together || movement.movement === 'request') await this.flush();
  }

  async flush(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    const outcomes = await app.db.tx(scope, (work) =>
      post(
        work,
        waiting.map(({ movement }) => movement),
      ),
    );
    expect(outcomes.map(answerOf)).toEqual(waiting.map(({ expected }) => expected));
    for (const [index, { movement }] of waiting.entries()) {
      const outcome = outcomes[index]!;
      if (!outcome.ok) continue;
      this.done.push({ movement, outcome });
      if (
        movement.movement === 'request' &&
        (movement.type === 'withdrawal' || movement.type === 'adjustment')
      ) {
        this.requests.push(outcome.statement_id!);
        this.model.requests.set(outcome.statement_id!, {
          station: movement.station_id,
          type: movement.type,
          amount: movement.amount,
          by: movement.by,
        });
      }
    }
  }

  async fails(movement: Movement, expected: Expected): Promise<void> {
    await this.flush();
    const error: unknown = await app.db
      .tx(scope, (work) => post(work, [movement]))
      .catch((thrown: unknown) => thrown);
    expect(error instanceof Failure && `fails ${error.code}`).toBe(expected);
  }

  async repeat({ movement, outcome }: { movement: Movement; outcome: Outcome }): Promise<void> {
    await this.flush();
    expect(
      await app.db.tx(scope, (work) =>
        post(work, [{ ...movement, at: new Date(), by: 9 } as Movement]),
      ),
    ).toEqual([outcome]);
    if ('amount' in movement) {
      const other = app.db.tx(scope, (work) =>
        post(work, [{ ...movement, amount: movement.amount + 1 }]),
      );
      await expect(other).rejects.toThrow(/used with other content/);
    }
  }

  /**
   * The amounts that this history added to the platform's accounts. All histories share these
   * accounts.
   */
  async platform(): Promise<Record<string, number>> {
    const ids = this.done.flatMap(({ outcome }) =>
      outcome.ok && outcome.transfer_id !== null ? [outcome.transfer_id] : [],
    );
    const { rows } = await app.db.tx(scope, (work) =>
      sql<{
        account: string;
        amount: number;
      }>`select account, sum(amount)::bigint as amount from ledger_entries
        where station_id is null and transfer_id = any(${ids}) group by 1`.execute(work.tx),
    );
    return {
      cash: 0,
      revenue: 0,
      carrier_cost: 0,
      carrier_payable: 0,
      ...Object.fromEntries(rows.map(({ account, amount }) => [account, amount])),
    };
  }

  async compare(): Promise<void> {
    await this.flush();
    const { rows } = await app.db.tx(scope, (work) =>
      sql<{
        id: number;
        money: number;
        freeze: number;
        available: number;
      }>`select id, money, "freeze", available from stations
        where id = any(${this.stations})`.execute(work.tx),
    );
    for (const row of rows) {
      const station = this.model.stations.get(row.id)!;
      expect(row).toEqual({
        id: row.id,
        money: station.money,
        freeze: station.frozen,
        available: station.money - station.frozen - station.reserve,
      });
      const { rows: lines } = await app.db.tx(scope, (work) =>
        sql<
          ModelLine & { seq: number }
        >`select type, status, amount, freeze_amount, profit, balance, available, seq
          from statements where station_id = ${row.id} and seq is not null
          order by seq`.execute(work.tx),
      );
      expect(lines).toEqual(station.lines.map((line, index) => ({ ...line, seq: index + 1 })));
    }
    expect(await this.platform()).toEqual(this.model.platform);
    expect((await prove(app, { full: false, at })).breaks).toEqual([]);
  }
}

describe('random histories of a network', () => {
  it(`random histories leave the balances that a plain model calculates, and a valid ledger (${seeds} from seed ${firstSeed} on)`, async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ stations, steps }) => {
        const world = new World();
        for (const { reserve, checked } of stations) await world.grow(reserve, checked);
        for (const one of steps) await world.take(one);
        await world.compare();
      }),
      {
        numRuns: seeds,
        seed: firstSeed,
        endOnFailure: process.env['LEDGER_SHRINK'] === undefined,
      },
    );
    expect((await prove(app, { full: true, at })).breaks).toEqual([]);
  });
});
