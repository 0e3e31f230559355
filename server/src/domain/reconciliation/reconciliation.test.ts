import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockExpress, applyFacts } from '#domain/express/express.ts';
import type { ExpressRow, Facts } from '#domain/express/express-reads.ts';
import { prove } from '#domain/ledger/ledger.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { writeEqualFacts } from './equal-facts.ts';
import { markTolerated } from './matching.ts';
import { acceptLine, billOf, discardBill, storeBill, listLines } from './reconciliation.ts';

const scope = systemScope('test');
let system: TestSystem;
let by: number;
beforeAll(async () => {
  system = await openTestSystem();
  by = system.network.office;
  await system.carrier.control('POST', 'settings', { push: { on: false } });
  await system.topUp('nanshan', 10_000_000);
});
afterAll(() => system.close());

let keys = 0;
/**
 * Orders a parcel that is picked up in this month, and stores its weight and fees as a poll of the
 * carrier does.
 */
const parcelOf = async (
  month: string,
  facts: Facts,
  return_delivery_id: string | null = null,
): Promise<ExpressRow> => {
  const token = await system.login('admin');
  const { data } = await system.call<{ id: number }>(
    { token, headers: { 'idempotency-key': `bill-test-${++keys}` } },
    'POST',
    '/api/arco/expresses',
    exampleOrder({ station_id: system.station('nanshan').id }),
  );
  await eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1 from expresses
    where id = ${data.id} and state_code = 100`,
        )
      ).length > 0,
  );
  await rowsOf(
    system,
    sql`update expresses set state_code = 200, picked_up_at = ${`${month}-15T12:00:00+08:00`},
      return_delivery_id = ${return_delivery_id} where id = ${data.id}`,
  );
  await rowsOf(
    system,
    sql`insert into express_moves (express_id, station_id, from_code, to_code, cause, at)
      values (${data.id}, ${system.station('nanshan').id}, 100, 200, 'carrier', now())`,
  );
  return report(data.id, facts, 'poll');
};
const report = (id: number, facts: Facts, source: 'poll' | 'push' | 'bill'): Promise<ExpressRow> =>
  system.app.db.tx(scope, async (work) =>
    applyFacts(work, await lockExpress(work, id), facts, {
      source,
      at: new Date(),
      account_id: null,
    }),
  );

const keep = (
  period: string,
  lines: readonly string[],
  header = '运单号,重量,金额,费用类型',
): Promise<number> =>
  system.app.db.tx(scope, async (work) => {
    const file = { name: 'bill.csv', bytes: Buffer.from([header, ...lines].join('\n')) };
    return (
      await storeBill(work, {
        period,
        provider: 'jdl',
        weight_tolerance: 500,
        amount_tolerance: 10,
        file,
        by,
      })
    ).id;
  });
const billIn = (id: number) => system.app.db.tx(scope, (work) => billOf(work, id));
const matched = async (id: number): Promise<number> => {
  await eventually(async () => ['ready', 'settled'].includes((await billIn(id)).status));
  return id;
};
const linesOf = async (id: number) =>
  (await system.app.db.tx(scope, (work) => listLines(work, { id, page_size: 200 }))).items;
const accept = (id: number) =>
  system.app.db.tx(scope, (work) => acceptLine(work, id, { by, at: new Date(), note: '' }));
const costOf = async (id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ n: number }>`select coalesce(-sum(e.amount), 0)::bigint as n from ledger_entries e
        join ledger_transfers t on t.id = e.transfer_id
        where t.express_id = ${id} and e.account = 'carrier_cost'`,
    )
  )[0]!.n;

describe('several lines of one parcel in a carrier bill', () => {
  it('several bill lines with different fees for one parcel or its return are compared by their sum and accepted together', async () => {
    const parcel = await parcelOf(
      '2025-01',
      { jd_weight: 4_000, jd_amount: 2_000 },
      'JDR0000000001',
    );
    const id = await matched(
      await keep('2025-01', [
        `${parcel.delivery_id},4,15,运费`,
        `${parcel.delivery_id},,3,包装费`,
        'JDR0000000001,9,2.05,运费',
        `${parcel.delivery_id},,3,包装费`,
      ]),
    );
    const found = await linesOf(id);
    expect(
      found.map(({ bucket, our_amount, within_tolerance }) => [
        bucket,
        our_amount,
        within_tolerance,
      ]),
    ).toEqual([
      ['price_differs', 2_000, 1],
      ['price_differs', null, 1],
      ['price_differs', null, 1],
      ['duplicate', null, 0],
    ]);
    await accept(found[1]!.id);
    await expect(accept(found[0]!.id)).rejects.toMatchObject({ code: 'bill_row_decided' });
    expect([await costOf(parcel.id), (await billIn(id)).owed_amount]).toEqual([2_005, 2_005]);
  });
});

describe('a bill line whose weight differs within the tolerance', () => {
  it('a line of a carrier bill is not within the tolerance if the fee exceeds the charge limits', async () => {
    const [fair, dear] = [
      await parcelOf('2025-04', { jd_weight: 4_000, jd_amount: 2_000 }),
      await parcelOf('2025-04', { jd_weight: 4_000, jd_amount: 2_000 }),
    ];
    const id = await matched(
      await keep('2025-04', [
        `${fair.delivery_id},4.4,60,运费`,
        `${dear.delivery_id},4.4,60.01,运费`,
      ]),
    );
    const marks = async () =>
      (await linesOf(id))
        .filter(({ no }) => no !== null)
        .map(({ bucket, within_tolerance }) => [bucket, within_tolerance]);
    expect(await marks()).toEqual([
      ['weight_differs', 1],
      ['weight_differs', 0],
    ]);
    await system.app.db.tx(scope, (work) => markTolerated(work, id, 1_000, 0));
    expect((await marks()).map(([, mark]) => mark)).toEqual([1, 0]);
  });
});

describe('consecutive carrier bills', () => {
  it('a later carrier bill settles parcels missing in an earlier bill, marks repeated lines, and adds lines with new fees', async () => {
    const [late, twice] = [
      await parcelOf('2025-03', { jd_weight: 4_000, jd_amount: 1_500 }),
      await parcelOf('2025-03', { jd_weight: 4_000, jd_amount: 1_500 }),
    ];
    const first = await matched(await keep('2025-03', [`${twice.delivery_id},4,15,运费`]));
    expect((await linesOf(first)).map(({ bucket, delivery_id }) => [bucket, delivery_id])).toEqual([
      ['equal', twice.delivery_id],
      ['only_ours', late.delivery_id],
    ]);
    const later = await matched(
      await keep('2025-04', [
        `${late.delivery_id},4,15,运费`,
        `${twice.delivery_id},4,15,运费`,
        `${twice.delivery_id},,2,附加费`,
      ]),
    );
    const found = await linesOf(later);
    expect(found.map(({ bucket, problem }) => [bucket, problem?.code ?? null])).toEqual([
      ['equal', null],
      ['duplicate', 'bill_billed_before'],
      ['price_differs', null],
    ]);
    expect((await billIn(first)).status).toBe('settled');
    await accept(found[2]!.id);
    expect(await costOf(twice.id)).toBe(1_700);
  });

  it('if a later carrier bill that contained a missing parcel is discarded, the parcel is listed as missing in the earlier bill again', async () => {
    const parcel = await parcelOf('2025-05', { jd_weight: 4_000, jd_amount: 1_500 });
    const first = await matched(await keep('2025-05', ['JDX0000000001,4,15,运费']));
    const wrong = await matched(await keep('2025-05', [`${parcel.delivery_id},4,15,运费`]));
    const missing = async () =>
      (await linesOf(first)).find(({ bucket }) => bucket === 'only_ours')?.decision;
    expect(await missing()).toBe('settled');
    const { version } = await billIn(wrong);
    // A bill cannot be discarded if it was already there when its month was closed. A bill that was
    // added later can be discarded.
    const closed = (seconds: number) =>
      rowsOf(
        system,
        sql`insert into periods (period, status, entries, trial_balance, last_transfer_id,
          closed_at, closed_by)
          select period, 'closed', 0, '[]', 0, created_at + ${`${seconds} s`}::interval, ${by}
            from reconciliations where id = ${wrong}
          on conflict (period) do update set closed_at = excluded.closed_at`,
      );
    await closed(0);
    const discard = () => system.app.db.tx(scope, (work) => discardBill(work, wrong, version));
    await expect(discard()).rejects.toMatchObject({
      code: 'bill_of_closed_month',
      params: { period: '2025-05' },
    });
    await closed(-1);
    await discard();
    expect(await missing()).toBe('open');
    await rowsOf(
      system,
      sql`update periods
      set status = 'open', reopened_at = now(), reopened_by = ${by}, reopen_reason = 'test'
      where period = '2025-05'`,
    );
  });
});

describe('a value of an accepted carrier bill', () => {
  const contradictions = async (id: number) =>
    (await linesOf(id))
      .filter(({ bucket }) => bucket === 'otherwise')
      .map(({ their_weight, their_amount, decision }) => ({
        their_weight,
        their_amount,
        decision,
      }));
  const contradicted = (id: number) =>
    eventually(async () => ((await contradictions(id)).length > 0 ? contradictions(id) : null));

  it('a poll or push does not change a value accepted from a bill, but adds a line to the bill; a later bill can still change the cost', async () => {
    const parcel = await parcelOf('2025-06', { jd_weight: 4_000, jd_amount: 1_500 });
    const bill = await matched(await keep('2025-06', [`${parcel.delivery_id},4,17,运费`]));
    const [line] = await linesOf(bill);
    const billed = await accept(line!.id);
    expect(billed.bucket).toBe('price_differs');
    const before = await report(parcel.id, {}, 'poll');
    const cost = await costOf(parcel.id);
    for (const source of ['poll', 'push'] as const)
      expect(
        await report(
          parcel.id,
          {
            jd_weight: 9_000,
            jd_volume: 999_999,
            jd_cal_weight: 9_000,
            surcharges: { QLHCF: { name: '包装', amount: 300 } },
            jd_amount: 2_400,
          },
          source,
        ),
      ).toEqual(before);
    expect(await costOf(parcel.id)).toBe(cost);
    expect(await contradicted(bill)).toEqual([
      { their_weight: 9_000, their_amount: 2_400, decision: 'settled' },
    ]);
    // The problem of the line mentions only the values that the carrier reported.
    const problem = async () =>
      (await linesOf(bill)).find(({ bucket }) => bucket === 'otherwise')?.problem;
    for (const [reported, expected] of [
      [
        { jd_weight: 8_000 },
        { code: 'bill_contradicted_weight', params: { actual_weight: 8_000 } },
      ],
      [{ jd_amount: 2_500 }, { code: 'bill_contradicted_fee', params: { post_amount: 2_500 } }],
      [{ jd_volume: 999_999 }, { code: 'bill_contradicted_other', params: {} }],
    ] as const) {
      await report(parcel.id, reported, 'push');
      await eventually(async () => (await problem())?.code === expected.code);
      expect(await problem()).toEqual(expected);
    }
    const { theirs_amount, owed_amount, status } = await billIn(bill);
    expect({ theirs_amount, owed_amount, status }).toEqual({
      theirs_amount: 1_700,
      owed_amount: 1_700,
      status: 'settled',
    });
    const later = await matched(await keep('2025-06', [`${parcel.delivery_id},4,2,补收`]));
    await accept((await linesOf(later)).find(({ bucket }) => bucket === 'price_differs')!.id);
    expect(await costOf(parcel.id)).toBe(1_900);
  });

  it('a carrier’s report cannot change a value that a carrier bill has confirmed; after the bill was discarded, the report can', async () => {
    const parcel = await parcelOf('2025-06', { jd_weight: 4_000, jd_amount: 1_500 });
    const bill = await matched(await keep('2025-06', [`${parcel.delivery_id},4,15,运费`]));
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from express_facts
      where express_id = ${parcel.id} and source = 'bill'`,
          )
        ).length === 1,
    );
    expect(await report(parcel.id, { jd_weight: 6_000, jd_amount: 1_800 }, 'poll')).toMatchObject({
      jd_weight: 4_000,
      jd_amount: 1_500,
    });
    expect(await contradicted(bill)).toEqual([
      { their_weight: 6_000, their_amount: 1_800, decision: 'settled' },
    ]);
    await system.app.db.tx(scope, async (work) =>
      discardBill(work, bill, (await billOf(work, bill)).version),
    );
    expect(await report(parcel.id, { jd_weight: 6_000, jd_amount: 1_800 }, 'poll')).toMatchObject({
      jd_weight: 6_000,
      jd_amount: 1_800,
    });
  });

  it('a return fee that is missing from an accepted bill is still posted when the carrier reports it', async () => {
    const parcel = await parcelOf(
      '2025-06',
      { jd_weight: 4_000, jd_amount: 1_500 },
      'JDVB00000000077',
    );
    const bill = await matched(await keep('2025-06', [`${parcel.delivery_id},4,17,运费`]));
    await accept((await linesOf(bill))[0]!.id);
    const back = { RETURN: { name: '退回运费', amount: 800 } };
    expect(
      await report(parcel.id, { jd_amount: 1_500 + 800, surcharges: back }, 'poll'),
    ).toMatchObject({ jd_amount: 2_500, surcharges: back });
    expect(await costOf(parcel.id)).toBe(2_500);
  });
});

describe('a bill line that was matched as equal', () => {
  it('a return fee remains in the parcel’s cost if it was reported after the bill line had been matched as equal', async () => {
    const parcel = await parcelOf(
      '2025-06',
      { jd_weight: 4_000, jd_amount: 1_500 },
      'JDVB00000000078',
    );
    const bill = await matched(await keep('2025-06', [`${parcel.delivery_id},4,17,运费`]));
    await rowsOf(
      system,
      sql`update reconciliation_rows
      set bucket = 'equal', decision = 'settled' where reconciliation_id = ${bill}
      and no is not null`,
    );
    await report(
      parcel.id,
      { jd_amount: 1_500 + 800, surcharges: { RETURN: { name: '退回运费', amount: 800 } } },
      'poll',
    );
    await writeEqualFacts(system.app, { reconciliation_id: bill, after: 0 });
    expect(await costOf(parcel.id)).toBe(1_700 + 800);
  });
});

describe('the ledger after all tests of this file', () => {
  it('after all other tests of this file, the ledger is valid', async () => {
    expect((await prove(system.app, { full: true, at: new Date() })).breaks).toEqual([]);
  });
});
