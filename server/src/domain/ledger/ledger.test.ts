import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { at, dearer, holdOf, next, openMoney, price, meta } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import {
  adjustment,
  approve,
  carrierFee,
  carrierPaid,
  charge,
  chargeDifference,
  changeHold,
  decline,
  hold,
  ledgerTasks,
  payout,
  post,
  prove,
  refund,
  releaseHold,
  requestAdjustment,
  requestWithdrawal,
  reverse,
  topUp,
} from './ledger.ts';
import type { Share } from './ledger.ts';
import type { Difference } from './movements.ts';

let app: TestApp;
let { tx, fill, stationRow, charged } = {} as ReturnType<typeof openMoney>;
beforeAll(async () => {
  app = await createTestApp();
  ({ tx, fill, stationRow, charged } = openMoney(app));
});
afterAll(() => app.close());

const jobsOf = async (station_id: number): Promise<number> => {
  const client = await app.db.client();
  const { rowCount } = await client
    .query(`select 1 from graphile_worker.jobs where key = $1`, [`release_on_hold:${station_id}`])
    .finally(() => client.release());
  return rowCount!;
};
const clearJobs = async (): Promise<void> => {
  const client = await app.db.client();
  await client.query('delete from graphile_worker._private_jobs').finally(() => client.release());
};

describe('a cause', () => {
  it('that is repeated by anybody at any time returns the first result and posts nothing', async () => {
    const station_id = await addStation(app.db);
    const input = { station_id, amount: 500, description: '', ...meta() };
    const first = await tx((t) => topUp(t, input));
    expect(await tx((t) => topUp(t, { ...input, at: new Date(), by: 7 }))).toBe(first);
    expect((await stationRow(station_id)).money).toBe(500);
  });

  it('with other content is refused', async () => {
    const station_id = await addStation(app.db);
    const input = { station_id, amount: 500, description: '', ...meta() };
    await tx((t) => topUp(t, input));
    await expect(tx((t) => topUp(t, { ...input, amount: 501 }))).rejects.toThrow(/used with other content/);
    await expect(tx((t) => adjustment(t, input))).rejects.toThrow(/used with other content/);
  });

  it('may be used again after a refusal for a low balance', async () => {
    const station_id = await addStation(app.db);
    const input = holdOf(station_id, next());
    expect(await tx((t) => hold(t, input))).toEqual({ ok: false, missing_amount: 1800 });
    await fill(station_id, 1800);
    expect(await tx((t) => hold(t, input))).toMatchObject({ ok: true });
  });

  it('a cause is required', async () => {
    const station_id = await addStation(app.db);
    await expect(tx((t) => topUp(t, { station_id, amount: 5, description: '', at, by: null, cause: '' }))).rejects.toThrow(/without a cause/);
  });

  it('posted by twenty transactions at once is posted once', async () => {
    const station_id = await addStation(app.db);
    const input = { station_id, amount: 500, description: '', ...meta() };
    const ids = await Promise.all(Array.from({ length: 20 }, () => tx((t) => topUp(t, input))));
    expect(new Set(ids).size).toBe(1);
    expect((await stationRow(station_id)).money).toBe(500);
  });

  it('of a no-op stays a no-op', async () => {
    const { station: station_id, express_id } = await charged();
    const noOp = { express_id, station_id, amount_total: 0, ...meta() };
    expect(await tx((t) => carrierFee(t, noOp))).toMatchObject({ transfer_id: null });
    await tx((t) => carrierFee(t, { ...noOp, amount_total: 1500, ...meta() }));
    expect(await tx((t) => carrierFee(t, noOp))).toMatchObject({ transfer_id: null });
  });
});

describe('an invalid movement', () => {
  it('an invalid movement is refused and stores nothing', async () => {
    const station_id = await addStation(app.db);
    const { express_id, parent } = await charged();
    await fill(station_id, 100_000);
    const chargeWith = (shares: Share[]) => async (t: Tx) => {
      const id = next();
      await hold(t, holdOf(station_id, id));
      await charge(t, { express_id: id, attempt: 1, delivery_id: null, price, shares, ...meta() });
    };
    const amount = (value: number) => (t: Tx) => topUp(t, { station_id, amount: value, description: '', ...meta() });
    const differing = (changes: Partial<Difference>) => (t: Tx) =>
      chargeDifference(t, {
        express_id,
        type: 'reweigh',
        price_before: dearer,
        price_after: price,
        shares_before: [{ station_id: parent, amount: 94 }],
        shares_after: [],
        ...meta(),
        ...changes,
      });
    const nonsense: [string, RegExp, (t: Tx) => Promise<unknown>][] = [
      ['a top-up of nothing', /not an amount to move/, amount(0)],
      ['a negative top-up', /not an amount to move/, amount(-5)],
      ['half a fen', /invalid input syntax for type bigint/, amount(0.5)],
      ['no number', /not an amount to move/, amount(Number.NaN)],
      ['an adjustment of nothing', /not an amount to move/, (t) => adjustment(t, { station_id, amount: 0, description: '', ...meta() })],
      ['a station that is not there', /station 999999 does not exist/, (t) => topUp(t, { station_id: 999_999, amount: 5, description: '', ...meta() })],
      ['a price that does not add up', /not a price/, (t) => hold(t, { ...holdOf(station_id, next()), price: { ...price, post_amount: 1 } })],
      ['a negative price', /not a price/, (t) => hold(t, { ...holdOf(station_id, next()), price: { ...price, pre_amount: 0, post_amount: -300 } })],
      [
        'a second open hold',
        /ledger_holds_one_open/,
        async (t) => {
          const id = next();
          await hold(t, holdOf(station_id, id));
          await hold(t, holdOf(station_id, id, 2));
        },
      ],
      ['a release of what was never held', /was never held/, (t) => releaseHold(t, { express_id: 999_999, attempt: 1, ...meta() })],
      [
        'a charge of another attempt',
        /was never held in attempt 2/,
        (t) => charge(t, { express_id, attempt: 2, delivery_id: null, price, shares: [], ...meta() }),
      ],
      ['a release of what was charged', /is charged/, (t) => releaseHold(t, { express_id, attempt: 1, ...meta() })],
      ['a second first charge', /is charged/, (t) => charge(t, { express_id, attempt: 1, delivery_id: null, price, shares: [], ...meta() })],
      [
        'a charge after a charge of another attempt',
        /ledger_transfers_first_charge/,
        async (t) => {
          await hold(t, holdOf(station_id, express_id, 2));
          await charge(t, { express_id, attempt: 2, delivery_id: null, price, shares: [], ...meta() });
        },
      ],
      ['another price for a hold that ended', /is charged/, (t) => changeHold(t, { express_id, attempt: 1, price, ...meta() })],
      ['shares above the price', /not shares of 1800/, chargeWith([{ station_id: parent, amount: 1801 }])],
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
      ['a share of nobody', /station 999999 does not exist/, chargeWith([{ station_id: 999_999, amount: 1 }])],
      ['a difference to what was not charged', /was charged .* not/, differing({ price_before: price })],
      ['a difference to shares that were not had', /the shares of parcel .* were/, differing({ shares_before: [] })],
      [
        'a payout for what was never ordered',
        /was never held/,
        (t) => payout(t, { express_id: 999_999, amount: 5, limit_amount: 5, description: '', ...meta() }),
      ],
      ['a payment of nothing to the carrier', /not an amount to move/, (t) => carrierPaid(t, { amount: 0, ...meta() })],
    ];
    for (const [name, why, attempt] of nonsense) await expect(tx(attempt), name).rejects.toThrow(why);
    expect((await prove(app, { full: true, at })).breaks).toEqual([]);
  });

  it('returns an error code if a user can cause it', async () => {
    const station_id = await addStation(app.db);
    const held = next();
    await fill(station_id, 9000);
    await tx((t) => hold(t, holdOf(station_id, held)));
    await expect(tx((t) => refund(t, { express_id: held, amount: 5, description: '', ...meta() }))).rejects.toMatchObject({
      code: 'parcel_not_charged',
    });
    await expect(tx((t) => reverse(t, { express_id: held, reason: '', ...meta() }))).rejects.toMatchObject({ code: 'parcel_not_charged' });
    const { express_id } = await charged();
    await expect(tx((t) => refund(t, { express_id, amount: 1971, description: '', ...meta() }))).rejects.toMatchObject({
      code: 'refund_too_large',
      params: { left_amount: 1970 },
    });
  });
});

describe('a request', () => {
  it('posts nothing until a second person approves it, and is decided once', async () => {
    const station_id = await addStation(app.db);
    await fill(station_id, 5000);
    const requested = await tx((t) => requestWithdrawal(t, { station_id, amount: 3000, description: '', ...meta(1) }));
    if (!requested.ok) throw new Error('refused');
    const statement_id = requested.statement_id!;
    expect((await stationRow(station_id)).money).toBe(5000);
    await expect(tx((t) => approve(t, { statement_id, ...meta(1) }))).rejects.toMatchObject({ code: 'second_person_required' });
    await expect(tx((t) => decline(t, { statement_id, reason: '', ...meta(1) }))).rejects.toMatchObject({ code: 'second_person_required' });
    expect(await tx((t) => approve(t, { statement_id, ...meta(2) }))).toMatchObject({ ok: true, statement_id });
    expect((await stationRow(station_id)).money).toBe(2000);
    await expect(tx((t) => decline(t, { statement_id, reason: '', ...meta(2) }))).rejects.toMatchObject({ code: 'statement_not_pending' });
  });

  it('above the available balance is refused at once, and stays pending if the balance falls later', async () => {
    const station_id = await addStation(app.db, { fixed_freeze: 1000, has_amount: 0 });
    await fill(station_id, 5000);
    expect(await tx((t) => requestWithdrawal(t, { station_id, amount: 4001, description: '', ...meta(1) }))).toEqual({ ok: false, missing_amount: 1 });
    const requested = await tx((t) => requestWithdrawal(t, { station_id, amount: 4000, description: '', ...meta(1) }));
    await tx((t) => adjustment(t, { station_id, amount: -10, description: '', ...meta() }));
    const statement_id = requested.ok ? requested.statement_id! : 0;
    expect(await tx((t) => approve(t, { statement_id, ...meta(2) }))).toEqual({ ok: false, missing_amount: 10 });
    await fill(station_id, 10);
    expect(await tx((t) => approve(t, { statement_id, ...meta(2) }))).toMatchObject({ ok: true });
  });

  it('stores who decided and why', async () => {
    const station_id = await addStation(app.db);
    const statement_id = await tx((t) => requestAdjustment(t, { station_id, amount: -5, description: 'wrong', ...meta(1) }));
    await tx((t) => decline(t, { statement_id, reason: 'no proof', ...meta(2) }));
    const { rows } = await tx((t) => sql`select status, decided_by, decision_reason, seq, balance from statements where id = ${statement_id}`.execute(t));
    expect(rows).toEqual([{ status: 'declined', decided_by: 2, decision_reason: 'no proof', seq: null, balance: null }]);
  });

  it('that does not exist is a 404', async () => {
    await expect(tx((t) => approve(t, { statement_id: 999_999, ...meta(2) }))).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the entries of a transfer', () => {
  it('the entries of a transfer are numbered from one', async () => {
    await charged();
    const { rows } = await tx((t) =>
      sql<{ numbers: number[] }>`select distinct array_agg(no order by no) as numbers from ledger_entries group by transfer_id order by 1`.execute(t),
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map(({ numbers }) => numbers)).toEqual(rows.map(({ numbers }) => numbers.map((_, at) => at + 1)));
  });
});

describe('a refund', () => {
  it('has the parcel’s waybill, which the requester need not know', async () => {
    const { express_id } = await charged();
    const id = await tx((t) => refund(t, { express_id, amount: 5, description: '', ...meta() }));
    expect((await tx((t) => sql`select delivery_id from statements where id = ${id}`.execute(t))).rows).toEqual([{ delivery_id: 'JD1' }]);
  });
});

describe('a rise of the available balance', () => {
  it('queues one release job for the station, in its transaction', async () => {
    const station = await addStation(app.db);
    await fill(station, 2000);
    expect(await jobsOf(station)).toBe(1);
    await fill(station, 2000);
    expect(await jobsOf(station)).toBe(1);
    await clearJobs();
    await tx(async (t) => {
      await fill(station, 0).catch(() => {});
      await topUp(t, { station_id: station, amount: 5, description: '', ...meta() });
      throw new Error('undone');
    }).catch(() => {});
    expect(await jobsOf(station)).toBe(0);
  });

  it('a rise of the available balance is caused by a release, a refund, a lower price or a share, not by a hold or a charge', async () => {
    const { parent, station, express_id } = await charged();
    await clearJobs();
    const other = next() + 6_000_000;
    await tx((t) => hold(t, holdOf(station, other)));
    expect(await jobsOf(station)).toBe(0);
    await tx((t) => releaseHold(t, { express_id: other, attempt: 1, ...meta() }));
    expect(await jobsOf(station)).toBe(1);
    await clearJobs();
    await tx((t) =>
      chargeDifference(t, {
        express_id,
        type: 'reweigh',
        price_before: dearer,
        price_after: price,
        shares_before: [{ station_id: parent, amount: 94 }],
        shares_after: [{ station_id: parent, amount: 95 }],
        ...meta(),
      }),
    );
    expect([await jobsOf(station), await jobsOf(parent)]).toEqual([1, 1]);
    await clearJobs();
    await tx((t) => refund(t, { express_id, amount: 5, description: '', ...meta() }));
    expect([await jobsOf(station), await jobsOf(parent)]).toEqual([1, 0]);
    await clearJobs();
    await tx((t) => reverse(t, { express_id, reason: '', ...meta() }));
    expect([await jobsOf(station), await jobsOf(parent)]).toEqual([1, 0]);
  });
});

describe('a batch', () => {
  it('posts a parcel’s whole life in one call by the same rules', async () => {
    const station_id = await addStation(app.db);
    const express_id = next() + 7_000_000;
    const again = { movement: 'top_up', station_id, amount: 5000, description: '', ...meta() } as const;
    const outcomes = await tx((t) =>
      post(t, [
        { movement: 'hold', ...holdOf(station_id, express_id) },
        again,
        { movement: 'hold', ...holdOf(station_id, express_id) },
        { movement: 'charge', express_id, attempt: 1, delivery_id: 'JD', price: dearer, shares: [], ...meta() },
        { movement: 'carrier_fee', express_id, station_id, amount_total: 1500, ...meta() },
        { movement: 'carrier_fee', express_id, station_id, amount_total: 1400, ...meta() },
        { movement: 'difference', type: 'reweigh', express_id, price_before: dearer, price_after: price, shares_before: [], shares_after: [], ...meta() },
        again,
        { movement: 'refund', express_id, amount: 100, description: '', ...meta() },
        { movement: 'reversal', express_id, reason: '', ...meta() },
      ]),
    );
    expect(outcomes.map((one) => (one.ok ? one.transfer_id !== null : one.missing_amount))).toEqual([
      1800,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(outcomes[7]).toEqual(outcomes[1]);
    expect(await stationRow(station_id)).toEqual({ money: 5000, freeze: 0, available: 5000 });
    expect((await prove(app, { full: true, at })).breaks).toEqual([]);
  });

  it('larger than one insert decides a request once', async () => {
    const station_id = await addStation(app.db);
    await fill(station_id, 4_000);
    const requested = await tx((t) => requestWithdrawal(t, { station_id, amount: 3_000, description: '', ...meta(1) }));
    const statement_id = requested.ok ? requested.statement_id! : 0;
    const more = Array.from({ length: 410 }, () => ({ movement: 'top_up', station_id, amount: 10, description: '', ...meta() }) as const);
    const outcomes = await tx((t) => post(t, [{ movement: 'approve', statement_id, ...meta(2) }, ...more]));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(await stationRow(station_id)).toEqual({ money: 5_100, freeze: 0, available: 5_100 });
    expect((await prove(app, { full: true, at })).breaks).toEqual([]);
  });

  it('that fails in the middle stores nothing', async () => {
    const station_id = await addStation(app.db);
    await expect(
      tx((t) =>
        post(t, [
          { movement: 'top_up', station_id, amount: 5000, description: '', ...meta() },
          { movement: 'reversal', express_id: 999_999, reason: '', ...meta() },
        ]),
      ),
    ).rejects.toThrow();
    expect((await stationRow(station_id)).money).toBe(0);
    expect(await tx((t) => post(t, []))).toEqual([]);
  });
});

describe('a period', () => {
  it('a period is the month of posting in Shanghai', async () => {
    const station_id = await addStation(app.db);
    const before = await tx((t) => topUp(t, { station_id, amount: 1, description: '', ...meta(), at: new Date('2026-03-31T15:59:59.999Z') }));
    const after = await tx((t) => topUp(t, { station_id, amount: 1, description: '', ...meta(), at: new Date('2026-03-31T16:00:00Z') }));
    const { rows } = await tx((t) => sql<{ period: string }>`select period from statements where id in (${before}, ${after}) order by id`.execute(t));
    expect(rows.map(({ period }) => period)).toEqual(['2026-03', '2026-04']);
  });
});

describe('the platform’s chain', () => {
  it('links transfers of no station and no parcel at night', async () => {
    const context = { job_id: '1', attempt: 1, last: false, planned: false, log: silentLog() };
    await tx((t) => carrierPaid(t, { amount: 1500, ...meta() }));
    await ledgerTasks.ledger_platform_chain(app, undefined as never, context);
    await tx((t) => carrierPaid(t, { amount: 700, ...meta() }));
    await ledgerTasks.ledger_platform_chain(app, undefined as never, context);
    await ledgerTasks.ledger_platform_chain(app, undefined as never, context);
    const { rows } = await tx((t) => sql<{ seq: number }>`select seq from ledger_chain where station_id = 0 order by seq`.execute(t));
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
    await ledgerTasks.ledger_proof_nightly(app, undefined as never, context);
    const { rows: proofs } = await tx((t) => sql`select whole, breaks from ledger_proofs order by id desc limit 1`.execute(t));
    expect(proofs).toEqual([{ whole: 1, breaks: [] }]);
    await ledgerTasks.ledger_proof_new(app, undefined as never, context);
    expect((await tx((t) => sql`select whole from ledger_proofs order by id desc limit 1`.execute(t))).rows).toEqual([{ whole: 0 }]);
  });
});
