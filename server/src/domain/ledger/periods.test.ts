import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { openMoney, openOwner, meta, scope } from '#testing/money.ts';
import { eventually } from '#testing/test-system.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { requireEndedMonth } from './posted-months.ts';
import {
  carrierCost,
  closeBooks,
  giveBillReason,
  listBooks,
  prepareClosing,
  prove,
  reopenBooks,
  topUp,
} from './ledger.ts';

let app: TestApp;
let { tx } = {} as ReturnType<typeof openMoney>;
let station_id: number;
const people: number[] = [];
beforeAll(async () => {
  app = await createTestApp();
  ({ tx } = openMoney(app));
  station_id = await addStation(app.db);
  for (const name of ['one', 'other'])
    people.push(
      (
        await tx((work) =>
          sql<{ id: number }>`insert into accounts (username, nickname, role, password_hash)
            values (${name}, ${name}, 'admin', '') returning id`.execute(work.tx),
        )
      ).rows[0]!.id,
    );
});
afterAll(() => app.close());

const on = (day: string): Date => new Date(`${day}T12:00:00+08:00`);
const fill = (day: string, amount = 100): Promise<number> =>
  tx((work) => topUp(work, { station_id, amount, description: '', ...meta(), at: on(day) }));
const periodOf = async (statement: number): Promise<string> =>
  (
    await tx((work) =>
      sql<{ period: string }>`select period from statements
    where id = ${statement}`.execute(work.tx),
    )
  ).rows[0]!.period;
const close = async (period: string, day: string): Promise<void> => {
  const prepared = await prepareClosing(app.db, period, on(day));
  await tx((work) => closeBooks(work, prepared, { by: people[0]!, at: on(day) }));
};
const reopen = (period: string, by: number): Promise<void> =>
  tx((work) => reopenBooks(work, period, { by, at: on('2026-05-02'), reason: 'forgotten' }));
const books = (day: string) => tx((work) => listBooks(work, on(day)));
const code = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
const waiting = async (): Promise<number> =>
  (
    await tx((work) =>
      sql<{
        n: number;
      }>`select count(*) as n from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database
        where datname = current_database())`.execute(work.tx),
    )
  ).rows[0]!.n;

describe('months without postings', () => {
  it('a month cannot be closed while the ledger is empty, before the first month with postings, or before its end', async () => {
    expect(await code(close('2026-01', '2026-02-01'))).toBe('period_nothing_posted');
    const undone = tx(async (work) => {
      await topUp(work, {
        station_id,
        amount: 100,
        description: '',
        ...meta(),
        at: on('2026-01-10'),
      });
      const ask = (period: string, day: string) => code(requireEndedMonth(work, period, on(day)));
      expect([
        await ask('1000-01', '2026-03-01'),
        await ask('2025-12', '2026-03-01'),
        await ask('2026-01', '2026-01-31'),
      ]).toEqual(['period_before_first', 'period_before_first', 'period_not_ended']);
      expect([
        await ask('2026-01', '2026-02-01'),
        await ask('2026-02', '2026-03-01'),
        await ask('9999-12', '2026-03-01'),
      ]).toEqual(['done', 'done', 'period_not_ended']);
      const reason = (period: string) =>
        code(
          giveBillReason(work, {
            period,
            merchant_id: 0,
            reason: '无账单',
            by: people[0]!,
            at: on('2026-03-01'),
          }),
        );
      expect([await reason('2025-12'), await reason('2026-04'), await reason('2026-03')]).toEqual([
        'period_before_first',
        'period_not_ended',
        'not_found',
      ]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  });

  it('the list of months omits the empty months between a closed month and the first posting long after it', async () => {
    const undone = tx(async (work) => {
      await topUp(work, {
        station_id,
        amount: 100,
        description: '',
        ...meta(),
        at: on('2026-01-10'),
      });
      await sql`insert into periods (period, status, entries, trial_balance, last_transfer_id,
        closed_at, closed_by)
        values ('1000-01', 'closed', 0, '[]', 0, now(), ${people[0]})`.execute(work.tx);
      expect((await listBooks(work, on('2026-02-01'))).map(({ period }) => period)).toEqual([
        '2026-02',
        '2026-01',
        '1000-01',
      ]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  });
});

describe('closing and reopening a month', () => {
  it('closing a month waits for a posting that is not committed yet, and later postings enter the next month', async () => {
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    await fill('2026-01-05');
    const prepared = await prepareClosing(app.db, '2026-01', on('2026-02-01'));
    const under_way = tx(async (work) => {
      const id = await topUp(work, {
        station_id,
        amount: 100,
        description: '',
        ...meta(),
        at: on('2026-01-10'),
      });
      await held;
      return id;
    });
    await eventually(
      async () =>
        (
          await tx((work) =>
            sql`select 1 from pg_locks where locktype = 'advisory' and mode = 'ShareLock'
              and granted and database = (select oid from pg_database
              where datname = current_database())`.execute(work.tx),
          )
        ).rows.length > 0,
    );
    const closing = tx((work) =>
      closeBooks(work, prepared, { by: people[0]!, at: on('2026-02-01') }),
    );
    await eventually(async () => (await waiting()) === 1);
    const after = fill('2026-01-10');
    await eventually(async () => (await waiting()) === 2);
    finish();
    expect([await periodOf(await under_way), await closing, await periodOf(await after)]).toEqual([
      '2026-01',
      undefined,
      '2026-02',
    ]);
    const [next, closed] = await books('2026-02-01');
    expect([closed!.entries, next!.period, next!.entries]).toEqual([4, '2026-02', 2]);
  });

  it('a month that is closed while other transactions post has the sums of exactly the entries that belong to it', async () => {
    const posts = Array.from({ length: 40 }, () => fill('2026-02-11'));
    const closing = close('2026-02', '2026-03-01');
    const periods = await Promise.all((await Promise.all(posts)).map(periodOf));
    await closing;
    const months = await books('2026-03-01');
    const february = periods.filter((period) => period === '2026-02').length;
    expect(february + periods.filter((period) => period === '2026-03').length).toBe(40);
    expect(months.map(({ period, entries, sum }) => [period, entries, sum])).toEqual([
      ['2026-03', (40 - february) * 2, 0],
      ['2026-02', february * 2 + 2, 0],
      ['2026-01', 4, 0],
    ]);
    expect((await prove(app, { full: true, at: on('2026-03-01') })).breaks).toEqual([]);
  });

  it('the list of months begins with the first month that has entries, and shows who closed each month and when', async () => {
    const months = await books('2026-03-01');
    expect(months.at(-1)).toMatchObject({
      period: '2026-01',
      closed_by_name: 'one',
      closed_at: on('2026-02-01').toISOString(),
    });
    expect(months[0]).toMatchObject({ period: '2026-03', closed_by_name: null, closed_at: null });
  });

  it('closing a month stores the opening balance, the total in, the total out and the closing balance of each station', async () => {
    const { rows } = await tx((work) =>
      sql<{ period: string; opening: number; in_amount: number; closing: number }>`select period,
        opening, in_amount, closing from period_balances
        where station_id = ${station_id} order by period`.execute(work.tx),
    );
    expect(rows[0]).toEqual({ period: '2026-01', opening: 0, in_amount: 200, closing: 200 });
    expect(rows[1]!.opening).toBe(rows[0]!.closing);
    const { rows: lines } = await tx((work) =>
      sql<{ n: number }>`select sum(amount)::bigint as n from statements
        where station_id = ${station_id} and period <= '2026-02'`.execute(work.tx),
    );
    expect(rows[1]!.closing).toBe(lines[0]!.n);
  });

  it('a month can be closed only once, after its end, and after all earlier months', async () => {
    const ended = (day: string) =>
      books(day).then((months) =>
        months.map(({ period, ended: is, earlier_open }) => [period, is, earlier_open]),
      );
    expect(await ended('2026-04-30')).toEqual([
      ['2026-04', 0, '2026-03'],
      ['2026-03', 1, null],
      ['2026-02', 1, null],
      ['2026-01', 1, null],
    ]);
    expect([
      await code(prepareClosing(app.db, '2026-03', new Date('2026-03-31T23:59:59+08:00'))),
      await code(close('2026-04', '2026-05-01')),
      await code(close('2026-01', '2026-05-31')),
    ]).toEqual(['period_not_ended', 'period_earlier_open', 'period_closed']);
  });

  it('a month cannot be closed if a carrier account with parcels picked up in that month has neither a bill nor a stored reason', async () => {
    const { rows } = await tx((work) =>
      sql<{
        id: number;
      }>`insert into merchants (name, provider, customer_code, base_url)
        values ('京东一部', 'jdl', '010K1', ''), ('京东二部', 'jdl', '010K2', '')
        returning id`.execute(work.tx),
    );
    const [billed, unbilled] = rows.map(({ id }) => id) as [number, number];
    const picked = (merchant_id: number, at: string) =>
      tx((work) =>
        sql`insert into expresses (order_id, station_id, user_id, provider, merchant_id,
          picked_up_at, delivery_id, state_code)
          values (${`${merchant_id}-${at}`}, ${station_id}, ${people[0]}, 'jdl',
            ${merchant_id}, ${at}, ${`JD${merchant_id}${at.slice(5, 10)}`}, 200)`.execute(work.tx),
      );
    await picked(billed, '2026-03-31T23:59:59+08:00');
    await picked(unbilled, '2026-03-01T00:00:00+08:00');
    await picked(unbilled, '2026-04-01T00:00:00+08:00');
    await tx((work) =>
      sql`with c as (insert into reconciliations (period, provider, file_name, file_type,
        file_bytes, file_hash, status, weight_tolerance, amount_tolerance)
          values ('2026-03', 'jdl', 'a', 'csv', 1, 'a', 'settled', 0, 0) returning id)
        insert into reconciliation_rows (reconciliation_id, no, bucket, decision,
          customer_code) select id, 1, 'only_theirs', 'disputed', '010K1' from c`.execute(work.tx),
    );
    const missing = async () =>
      (await books('2026-04-02')).find(({ period }) => period === '2026-03')!.missing_bills;
    expect(await missing()).toMatchObject([
      { merchant_id: unbilled, name: '京东二部', customer_code: '010K2', parcels: 1, reason: null },
    ]);
    expect(await code(close('2026-03', '2026-04-02'))).toBe('period_bill_missing');
    const give = (period: string, reason: string) =>
      tx((work) =>
        giveBillReason(work, {
          period,
          merchant_id: unbilled,
          reason,
          by: people[0]!,
          at: on('2026-04-02'),
        }),
      );
    expect([
      await give('2026-03', '次月合并出账'),
      await give('2026-03', '次月合并出账，已确认'),
    ]).toEqual([null, '次月合并出账']);
    expect(await code(close('2026-03', '2026-04-02'))).toBe('done');
    expect(await missing()).toMatchObject([
      { merchant_id: unbilled, parcels: 1, reason: '次月合并出账，已确认', by_name: 'one' },
    ]);
    expect(await code(give('2026-03', '太晚'))).toBe('period_closed');
    await tx((work) =>
      reopenBooks(work, '2026-03', { by: people[1]!, at: on('2026-04-02'), reason: 'test' }),
    );
  });

  it('a month cannot be closed while a late bill of an earlier month has undecided lines that would be posted into this month', async () => {
    const { rows } = await tx((work) =>
      sql<{
        id: number;
      }>`with c as (insert into reconciliations (period, provider, file_name, file_type,
        file_bytes, file_hash, status, weight_tolerance, amount_tolerance)
          values ('2026-01', 'jdl', 'late', 'csv', 1, 'late', 'ready', 0, 0) returning id)
        insert into reconciliation_rows (reconciliation_id, no, bucket)
          select id, 1, 'only_theirs' from c returning id`.execute(work.tx),
    );
    expect(await code(close('2026-03', '2026-04-02'))).toBe('period_rows_open');
    // Only the month into which the bill is posted shows the bill.
    const shown = (await books('2026-04-02')).map((month) => [
      month.period,
      month.open_rows,
      month.open_bills.map(({ period, open_rows }) => [period, open_rows]),
    ]);
    expect(shown).toEqual([
      ['2026-04', 0, []],
      ['2026-03', 1, [['2026-01', 1]]],
      ['2026-02', 0, []],
      ['2026-01', 0, []],
    ]);
    // The bill's own month is closed, so it lists this bill separately.
    const late = (await books('2026-04-02')).map(({ period, late_bills }) => [
      period,
      late_bills.map(({ open_rows }) => open_rows),
    ]);
    expect(late.filter(([, bills]) => bills!.length > 0)).toEqual([['2026-01', [1]]]);
    await tx((work) =>
      sql`update reconciliation_rows set decision = 'disputed'
      where id = ${rows[0]!.id}`.execute(work.tx),
    );
    expect(await code(close('2026-03', '2026-04-02'))).toBe('done');
    await tx((work) =>
      reopenBooks(work, '2026-03', { by: people[1]!, at: on('2026-04-02'), reason: 'test' }),
    );
  });

  it('only the last closed month can be reopened, and not by the person who closed it; new postings then enter the reopened month', async () => {
    expect([
      await code(reopen('2026-02', people[0]!)),
      await code(reopen('2026-01', people[1]!)),
      await code(reopen('2026-04', people[1]!)),
      await code(reopen('2026-02', people[1]!)),
    ]).toEqual(['second_person_required', 'period_later_closed', 'period_open', 'done']);
    expect(await periodOf(await fill('2026-01-10'))).toBe('2026-02');
    expect((await prove(app, { full: true, at: on('2026-05-02') })).breaks).toEqual([]);
  });
});

describe('the list of months', () => {
  it('the list of months shows the sum of a month’s entries, which is not zero if an entry was altered', async () => {
    const owner = openOwner(app);
    await fill('2026-10-10');
    let sums: number[] = [];
    await owner
      .tx(scope, async (work) => {
        await sql`set local session_replication_role = replica`.execute(work.tx);
        await sql`update ledger_entries set amount = amount + 3 where period = '2026-10'
          and account = 'wallet'`.execute(work.tx);
        sums = (await listBooks(work, on('2026-10-31')))
          .filter(({ period }) => period === '2026-10')
          .map(({ sum }) => sum);
        throw new Error('undone');
      })
      .catch(() => {});
    await owner.close();
    expect(sums).toEqual([3]);
  });

  it('the list of months continues over the turn of the year, including months without entries', async () => {
    await fill('2026-12-30');
    expect(
      (await books('2027-02-03')).map(({ period, entries }) => [period, entries]).slice(0, 3),
    ).toEqual([
      ['2027-02', 0],
      ['2027-01', 0],
      ['2026-12', 2],
    ]);
  });
});

describe('a cost without a parcel', () => {
  it('a carrier cost without a parcel is posted once per cause, and the posting is linked to the platform’s hash chain', async () => {
    const cause = meta();
    const [first, again] = [
      await tx((work) => carrierCost(work, { amount_total: 700, ...cause })),
      await tx((work) => carrierCost(work, { amount_total: 700, ...cause })),
    ];
    expect([again.transfer_id, first.transfer_id !== null]).toEqual([first.transfer_id, true]);
    await tx((work) => sql`select ledger_link_platform()`.execute(work.tx));
    expect((await prove(app, { full: true, at: on('2026-05-02') })).breaks).toEqual([]);
  });
});
