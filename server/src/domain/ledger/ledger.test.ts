import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { at, dearer, holdOf, next, openMoney, price, meta } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import {
  adjustment,
  approve,
  carrierFee,
  carrierPaid,
  chargeDifference,
  decline,
  hold,
  ledgerTasks,
  post,
  prove,
  refund,
  releaseHold,
  requestAdjustment,
  requestWithdrawal,
  reverse,
  topUp,
} from './ledger.ts';
import { runHandler } from '#testing/run-handler.ts';

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

describe('the cause of a ledger movement', () => {
  it('a ledger movement with a cause that was used before returns the first result and posts nothing', async () => {
    const station_id = await addStation(app.db);
    const input = { station_id, amount: 500, description: '', ...meta() };
    const first = await tx((work) => topUp(work, input));
    expect(await tx((work) => topUp(work, { ...input, at: new Date(), by: 7 }))).toBe(first);
    expect((await stationRow(station_id)).money).toBe(500);
  });

  it('a ledger movement is refused if its cause was used before with other content', async () => {
    const station_id = await addStation(app.db);
    const input = { station_id, amount: 500, description: '', ...meta() };
    await tx((work) => topUp(work, input));
    await expect(tx((work) => topUp(work, { ...input, amount: 501 }))).rejects.toThrow(
      /used with other content/,
    );
    await expect(tx((work) => adjustment(work, input))).rejects.toThrow(/used with other content/);
  });

  it('a hold that was refused for a low balance can be posted later with the same cause', async () => {
    const station_id = await addStation(app.db);
    const input = holdOf(station_id, next());
    expect(await tx((work) => hold(work, input))).toEqual({ ok: false, missing_amount: 1800 });
    await fill(station_id, 1800);
    expect(await tx((work) => hold(work, input))).toMatchObject({ ok: true });
  });

  it('a ledger movement without a cause is refused', async () => {
    const station_id = await addStation(app.db);
    await expect(
      tx((work) =>
        topUp(work, { station_id, amount: 5, description: '', at, by: null, cause: '' }),
      ),
    ).rejects.toThrow(/without a cause/);
  });

  it('a ledger movement is posted once if twenty concurrent transactions post it with the same cause', async () => {
    const station_id = await addStation(app.db);
    const input = { station_id, amount: 500, description: '', ...meta() };
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => tx((work) => topUp(work, input))),
    );
    expect(new Set(ids).size).toBe(1);
    expect((await stationRow(station_id)).money).toBe(500);
  });

  it('a ledger movement that posted nothing the first time posts nothing when it is repeated with the same cause', async () => {
    const { station: station_id, express_id } = await charged();
    const noOp = { express_id, station_id, amount_total: 0, ...meta() };
    expect(await tx((work) => carrierFee(work, noOp))).toMatchObject({ transfer_id: null });
    await tx((work) => carrierFee(work, { ...noOp, amount_total: 1500, ...meta() }));
    expect(await tx((work) => carrierFee(work, noOp))).toMatchObject({ transfer_id: null });
  });
});

describe('a withdrawal request', () => {
  it('a withdrawal request posts nothing until a second person approves it, and can be decided only once', async () => {
    const station_id = await addStation(app.db);
    await fill(station_id, 5000);
    const requested = await tx((work) =>
      requestWithdrawal(work, { station_id, amount: 3000, description: '', ...meta(1) }),
    );
    if (!requested.ok) throw new Error('refused');
    const statement_id = requested.statement_id!;
    expect((await stationRow(station_id)).money).toBe(5000);
    await expect(tx((work) => approve(work, { statement_id, ...meta(1) }))).rejects.toMatchObject({
      code: 'second_person_required',
    });
    await expect(
      tx((work) => decline(work, { statement_id, reason: '', ...meta(1) })),
    ).rejects.toMatchObject({ code: 'second_person_required' });
    expect(await tx((work) => approve(work, { statement_id, ...meta(2) }))).toMatchObject({
      ok: true,
      statement_id,
    });
    expect((await stationRow(station_id)).money).toBe(2000);
    await expect(
      tx((work) => decline(work, { statement_id, reason: '', ...meta(2) })),
    ).rejects.toMatchObject({ code: 'statement_not_pending' });
  });

  it('a withdrawal above the available balance is refused when it is requested, and cannot be approved while the balance is too low', async () => {
    const station_id = await addStation(app.db, { fixed_freeze: 1000, has_amount: 0 });
    await fill(station_id, 5000);
    expect(
      await tx((work) =>
        requestWithdrawal(work, { station_id, amount: 4001, description: '', ...meta(1) }),
      ),
    ).toEqual({ ok: false, missing_amount: 1 });
    const requested = await tx((work) =>
      requestWithdrawal(work, { station_id, amount: 4000, description: '', ...meta(1) }),
    );
    await tx((work) => adjustment(work, { station_id, amount: -10, description: '', ...meta() }));
    const statement_id = requested.ok ? requested.statement_id! : 0;
    expect(await tx((work) => approve(work, { statement_id, ...meta(2) }))).toEqual({
      ok: false,
      missing_amount: 10,
    });
    await fill(station_id, 10);
    expect(await tx((work) => approve(work, { statement_id, ...meta(2) }))).toMatchObject({
      ok: true,
    });
  });

  it('a declined request stores who decided it and why', async () => {
    const station_id = await addStation(app.db);
    const statement_id = await tx((work) =>
      requestAdjustment(work, { station_id, amount: -5, description: 'wrong', ...meta(1) }),
    );
    await tx((work) => decline(work, { statement_id, reason: 'no proof', ...meta(2) }));
    const { rows } = await tx((work) =>
      sql`select status, decided_by, decision_reason, seq,
      balance from statements where id = ${statement_id}`.execute(work.tx),
    );
    expect(rows).toEqual([
      { status: 'declined', decided_by: 2, decision_reason: 'no proof', seq: null, balance: null },
    ]);
  });

  it('approving a request that does not exist returns 404', async () => {
    await expect(
      tx((work) => approve(work, { statement_id: 999_999, ...meta(2) })),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the entries of a transfer', () => {
  it('the entries of each ledger transfer are numbered from one without gaps', async () => {
    await charged();
    const { rows } = await tx((work) =>
      sql<{ numbers: number[] }>`select distinct array_agg(no order by no) as numbers
        from ledger_entries group by transfer_id order by 1`.execute(work.tx),
    );
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map(({ numbers }) => numbers)).toEqual(
      rows.map(({ numbers }) => numbers.map((_, at) => at + 1)),
    );
  });
});

describe('a refund in the ledger', () => {
  it('a refund is stored with its parcel’s waybill, although the request does not contain the waybill', async () => {
    const { express_id } = await charged();
    const id = await tx((work) =>
      refund(work, { express_id, amount: 5, description: '', ...meta() }),
    );
    expect(
      (
        await tx((work) =>
          sql`select delivery_id from statements
      where id = ${id}`.execute(work.tx),
        )
      ).rows,
    ).toEqual([{ delivery_id: 'JD1' }]);
  });
});

describe('a posting that raises the available balance', () => {
  it('a posting that raises the available balance queues, in the same transaction, one job to release the station’s parcels on hold', async () => {
    const station = await addStation(app.db);
    await fill(station, 2000);
    expect(await jobsOf(station)).toBe(1);
    await fill(station, 2000);
    expect(await jobsOf(station)).toBe(1);
    await clearJobs();
    await tx(async (work) => {
      await fill(station, 0).catch(() => {});
      await topUp(work, { station_id: station, amount: 5, description: '', ...meta() });
      throw new Error('undone');
    }).catch(() => {});
    expect(await jobsOf(station)).toBe(0);
  });

  it('a job to release parcels on hold is queued after a released hold, refund, lower price or higher profit share, not after a hold or charge', async () => {
    const { parent, station, express_id } = await charged();
    await clearJobs();
    const other = next() + 6_000_000;
    await tx((work) => hold(work, holdOf(station, other)));
    expect(await jobsOf(station)).toBe(0);
    await tx((work) => releaseHold(work, { express_id: other, attempt: 1, ...meta() }));
    expect(await jobsOf(station)).toBe(1);
    await clearJobs();
    await tx((work) =>
      chargeDifference(work, {
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
    await tx((work) => refund(work, { express_id, amount: 5, description: '', ...meta() }));
    expect([await jobsOf(station), await jobsOf(parent)]).toEqual([1, 0]);
    await clearJobs();
    await tx((work) => reverse(work, { express_id, reason: '', ...meta() }));
    expect([await jobsOf(station), await jobsOf(parent)]).toEqual([1, 0]);
  });
});

describe('a batch of ledger movements', () => {
  it('posting all ledger movements of a parcel in one batch has the same result as single calls', async () => {
    const station_id = await addStation(app.db);
    const express_id = next() + 7_000_000;
    const again = {
      movement: 'top_up',
      station_id,
      amount: 5000,
      description: '',
      ...meta(),
    } as const;
    const outcomes = await tx((work) =>
      post(work, [
        { movement: 'hold', ...holdOf(station_id, express_id) },
        again,
        { movement: 'hold', ...holdOf(station_id, express_id) },
        {
          movement: 'charge',
          express_id,
          attempt: 1,
          delivery_id: 'JD',
          price: dearer,
          shares: [],
          ...meta(),
        },
        { movement: 'carrier_fee', express_id, station_id, amount_total: 1500, ...meta() },
        { movement: 'carrier_fee', express_id, station_id, amount_total: 1400, ...meta() },
        {
          movement: 'difference',
          type: 'reweigh',
          express_id,
          price_before: dearer,
          price_after: price,
          shares_before: [],
          shares_after: [],
          ...meta(),
        },
        again,
        { movement: 'refund', express_id, amount: 100, description: '', ...meta() },
        { movement: 'reversal', express_id, reason: '', ...meta() },
      ]),
    );
    expect(outcomes.map((one) => (one.ok ? one.transfer_id !== null : one.missing_amount))).toEqual(
      [1800, true, true, true, true, true, true, true, true, true],
    );
    expect(outcomes[7]).toEqual(outcomes[1]);
    expect(await stationRow(station_id)).toEqual({ money: 5000, freeze: 0, available: 5000 });
    expect((await prove(app, { full: true, at })).breaks).toEqual([]);
  });

  it('a withdrawal request is approved once even if its batch has more ledger movements than one insert can hold', async () => {
    const station_id = await addStation(app.db);
    await fill(station_id, 4_000);
    const requested = await tx((work) =>
      requestWithdrawal(work, { station_id, amount: 3_000, description: '', ...meta(1) }),
    );
    const statement_id = requested.ok ? requested.statement_id! : 0;
    const more = Array.from(
      { length: 410 },
      () => ({ movement: 'top_up', station_id, amount: 10, description: '', ...meta() }) as const,
    );
    const outcomes = await tx((work) =>
      post(work, [{ movement: 'approve', statement_id, ...meta(2) }, ...more]),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(await stationRow(station_id)).toEqual({ money: 5_100, freeze: 0, available: 5_100 });
    expect((await prove(app, { full: true, at })).breaks).toEqual([]);
  });

  it('if one ledger movement of a batch fails, no movement of the batch is stored', async () => {
    const station_id = await addStation(app.db);
    await expect(
      tx((work) =>
        post(work, [
          { movement: 'top_up', station_id, amount: 5000, description: '', ...meta() },
          { movement: 'reversal', express_id: 999_999, reason: '', ...meta() },
        ]),
      ),
    ).rejects.toThrow();
    expect((await stationRow(station_id)).money).toBe(0);
    expect(await tx((work) => post(work, []))).toEqual([]);
  });
});

describe('the month of a ledger entry', () => {
  it('a ledger entry belongs to the month of its posting in Shanghai', async () => {
    const station_id = await addStation(app.db);
    const before = await tx((work) =>
      topUp(work, {
        station_id,
        amount: 1,
        description: '',
        ...meta(),
        at: new Date('2026-03-31T15:59:59.999Z'),
      }),
    );
    const after = await tx((work) =>
      topUp(work, {
        station_id,
        amount: 1,
        description: '',
        ...meta(),
        at: new Date('2026-03-31T16:00:00Z'),
      }),
    );
    const { rows } = await tx((work) =>
      sql<{ period: string }>`select period from statements
      where id in (${before}, ${after}) order by id`.execute(work.tx),
    );
    expect(rows.map(({ period }) => period)).toEqual(['2026-03', '2026-04']);
  });
});

describe('the platform’s chain', () => {
  it('a nightly task links transfers that have neither a station nor a parcel to the platform’s hash chain', async () => {
    await tx((work) => carrierPaid(work, { amount: 1500, ...meta() }));
    await runHandler(ledgerTasks, 'ledger_platform_chain', app);
    await tx((work) => carrierPaid(work, { amount: 700, ...meta() }));
    await runHandler(ledgerTasks, 'ledger_platform_chain', app);
    await runHandler(ledgerTasks, 'ledger_platform_chain', app);
    const { rows } = await tx((work) =>
      sql<{ seq: number }>`select seq from ledger_chain
      where station_id = 0 order by seq`.execute(work.tx),
    );
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
    await runHandler(ledgerTasks, 'ledger_proof_nightly', app);
    const { rows: proofs } = await tx((work) =>
      sql`select whole, breaks from ledger_proofs
      order by id desc limit 1`.execute(work.tx),
    );
    expect(proofs).toEqual([{ whole: 1, breaks: [] }]);
    await runHandler(ledgerTasks, 'ledger_proof_new', app);
    expect(
      (
        await tx((work) =>
          sql`select whole from ledger_proofs order by id desc
      limit 1`.execute(work.tx),
        )
      ).rows,
    ).toEqual([{ whole: 0 }]);
  });
});
