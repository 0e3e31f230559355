import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { meta, openMoney, openOwner } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { eventually } from '#testing/test-system.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { closeBooks, post, prepareClosing, prove, topUp } from './ledger.ts';

let app: TestApp;
let station_id: number;
let by: number;
let { tx } = {} as ReturnType<typeof openMoney>;
beforeAll(async () => {
  app = await createTestApp();
  ({ tx } = openMoney(app));
  station_id = await addStation(app.db);
  by = await addAccount(app.db, 'admin');
});
afterAll(() => app.close());

const on = (day: string): Date => new Date(`${day}T12:00:00+08:00`);
const fill = (work: Work, day: string, amount: number): Promise<number> =>
  topUp(work, { station_id, amount, description: '', ...meta(), at: on(day) });
const fillMany = async (day: string, count: number): Promise<void> => {
  const movements = Array.from({ length: count }, () => ({
    movement: 'top_up' as const,
    station_id,
    amount: 5,
    description: '',
    ...meta(),
    at: on(day),
  }));
  for (let from = 0; from < count; from += 500)
    await tx((work) => post(work, movements.slice(from, from + 500)));
  const owner = openOwner(app);
  await owner.pool.query('analyze');
  await owner.close();
};

/** The number of rows that this transaction has read from tables and indexes. */
const rowsRead = async (work: Work): Promise<number> =>
  (
    await sql<{ n: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch,
      0))::bigint as n from pg_stat_xact_user_tables
      where relname in ('ledger_transfers', 'ledger_entries', 'statements', 'expresses',
        'reconciliation_rows')`.execute(work.tx)
  ).rows[0]!.n;

const closeAfter = async (
  period: string,
  day: string,
  between: () => Promise<unknown>,
): Promise<{ read: number; closing: number; entries: number }> => {
  const prepared = await prepareClosing(app.db, period, on(day));
  await between();
  return tx(async (work) => {
    const before = await rowsRead(work);
    await closeBooks(work, prepared, { by, at: on(day) });
    const read = (await rowsRead(work)) - before;
    const { rows } = await sql<{ closing: number; entries: number }>`select b.closing,
      p.entries from period_balances b join periods p on p.period = b.period
      where b.period = ${period} and b.station_id = ${station_id}`.execute(work.tx);
    return { read, ...rows[0]! };
  });
};

describe('closing a month', () => {
  it('closing a month reads only the postings since its preparation, however many postings the month and the ledger have', async () => {
    const three = async (day: string): Promise<void> => {
      for (let n = 0; n < 3; n++) await tx((work) => fill(work, day, 7));
    };
    await fillMany('2026-01-10', 100);
    const small = await closeAfter('2026-01', '2026-02-01', () => three('2026-01-31'));
    await fillMany('2026-02-10', 1_000);
    const large = await closeAfter('2026-02', '2026-03-01', () => three('2026-02-28'));
    expect([small.entries, small.closing]).toEqual([206, 521]);
    expect([large.entries, large.closing]).toEqual([2_006, 521 + 5_021]);
    expect(large.read).toBeLessThanOrEqual(small.read + 3);
    expect(small.read).toBeLessThan(40);
    expect((await prove(app, { full: true, at: on('2026-03-01') })).breaks).toEqual([]);
  });

  it('preparing a month’s closing waits for an uncommitted posting, includes this posting, and blocks no other posting', async () => {
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    let posted = false;
    const under_way = tx(async (work) => {
      await fill(work, '2026-03-10', 11);
      posted = true;
      await held;
    });
    await eventually(async () => posted);
    let isPrepared = false;
    const preparing = prepareClosing(app.db, '2026-03', on('2026-04-01')).then((prepared) => {
      isPrepared = true;
      return prepared;
    });
    const other = await addStation(app.db);
    await tx((work) =>
      topUp(work, {
        station_id: other,
        amount: 3,
        description: '',
        ...meta(),
        at: on('2026-03-11'),
      }),
    );
    expect(isPrepared).toBe(false);
    finish();
    await under_way;
    const prepared = await preparing;
    await tx((work) => closeBooks(work, prepared, { by, at: on('2026-04-01') }));
    const { rows } = await tx((work) =>
      sql<{
        station_id: number;
        in_amount: number;
      }>`select station_id, in_amount from period_balances where period = '2026-03'
        and in_amount > 0 order by 1`.execute(work.tx),
    );
    expect(rows).toEqual([
      { station_id, in_amount: 11 },
      { station_id: other, in_amount: 3 },
    ]);
  });

  it('a month whose closing is prepared is not closed if a carrier bill is uploaded afterwards and has not been read', async () => {
    await tx((work) => fill(work, '2026-04-10', 1));
    const prepared = await prepareClosing(app.db, '2026-04', on('2026-05-01'));
    await tx((work) =>
      sql`insert into reconciliations (period, provider, file_name, file_type, file_bytes,
        file_hash, status, weight_tolerance, amount_tolerance, created_by)
        values ('2026-04', 'jdl', 'bill.csv', 'csv', 1, '\\x01', 'reading', 500, 10,
          ${by})`.execute(work.tx),
    );
    await expect(
      tx((work) => closeBooks(work, prepared, { by, at: on('2026-05-01') })),
    ).rejects.toMatchObject({ code: 'period_bills_unread' });
  });
});
