import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import {
  at,
  dearer,
  holdOf,
  next,
  openMoney,
  openOwner,
  price,
  meta,
  scope,
} from '#testing/money.ts';
import { rounds } from '#testing/slices.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import {
  adjustment,
  approve,
  carrierFee,
  carrierPaid,
  chargeDifference,
  changeHold,
  decline,
  hold,
  ledgerTasks,
  payout,
  prove,
  refund,
  releaseHold,
  requestAdjustment,
  requestWithdrawal,
  reverse,
} from './ledger.ts';
import { runHandler } from '#testing/run-handler.ts';

let app: TestApp;
let owner: Db;
const undone = new Error('undone');

/** A ledger with a row of every kind. */
const buildHistory = async (): Promise<void> => {
  const { tx, fill, charged } = openMoney(app);
  const { station, parent, express_id } = await charged();
  const other = await charged();
  const shares = [{ station_id: parent, amount: 94 }];
  await tx((work) =>
    chargeDifference(work, {
      express_id,
      type: 'reweigh',
      price_before: dearer,
      price_after: price,
      shares_before: shares,
      shares_after: [],
      ...meta(),
    }),
  );
  await tx((work) =>
    carrierFee(work, { express_id, station_id: station, amount_total: 1500, ...meta() }),
  );
  await tx((work) => reverse(work, { express_id: other.express_id, reason: 'lost', ...meta(3) }));
  await tx((work) => refund(work, { express_id, amount: 50, description: 'late', ...meta(3) }));
  await tx((work) =>
    payout(work, { express_id, amount: 70, limit_amount: 70, description: '', ...meta(3) }),
  );
  await tx((work) =>
    adjustment(work, { station_id: station, amount: -7, description: 'x', ...meta(3) }),
  );
  await fill(station, 20_000);
  const held = next();
  await tx((work) => hold(work, holdOf(station, held)));
  await tx((work) => changeHold(work, { express_id: held, attempt: 1, price: dearer, ...meta() }));
  const released = next();
  await tx((work) => hold(work, holdOf(station, released)));
  await tx((work) => releaseHold(work, { express_id: released, attempt: 1, ...meta() }));
  const requested = await tx((work) =>
    requestWithdrawal(work, { station_id: station, amount: 300, description: '', ...meta(1) }),
  );
  await tx((work) =>
    approve(work, { statement_id: requested.ok ? requested.statement_id! : 0, ...meta(2) }),
  );
  const refused = await tx((work) =>
    requestAdjustment(work, { station_id: station, amount: 300, description: '', ...meta(1) }),
  );
  await tx((work) => decline(work, { statement_id: refused, reason: 'no', ...meta(2) }));
  await tx((work) =>
    requestAdjustment(work, { station_id: station, amount: 30, description: 'waits', ...meta(1) }),
  );
  await tx((t) => carrierPaid(t, { amount: 900, ...meta() }));
  await runHandler(ledgerTasks, 'ledger_platform_chain', app);
};

beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  await buildHistory();
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/**
 * Returns the findings of a proof after a superuser has made `change` with all triggers and
 * constraints disabled. Undoes the change afterwards.
 */
const breaksAfter = async (change: (work: Work) => Promise<unknown>): Promise<string[]> => {
  let breaks: string[] = [];
  await owner
    .tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await change(work);
      const { rows } = await sql<{
        invariant: string;
        subject: string;
      }>`select invariant, subject from ledger_findings(true, null, 7)
        where invariant is not null`.execute(work.tx);
      breaks = rows.map(({ invariant, subject }) => `${invariant} ${subject}`);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return breaks;
};

/**
 * Columns that contain ids and numbers. They are changed by 1,000, because the next number may
 * belong to a neighbouring row.
 */
const keys = new Set(['id', 'no', 'seq', 'attempt', 'station_id', 'transfer_id', 'express_id']);

/**
 * SQL that changes a value of this column to another value of the same type, with the smallest
 * possible difference.
 */
const otherValue = (column: string, type: string): string => {
  const quoted = `"${column}"`;
  const words: Record<string, string> = {
    ledger_kind: `case ${quoted} when 'hold' then 'release' else 'hold' end`,
    ledger_account: `case ${quoted} when 'cash' then 'revenue' else 'cash' end`,
    statement_type: `case ${quoted} when 'hold' then 'release' else 'hold' end`,
    statement_status: `case ${quoted} when 'posted' then 'reversed' when 'reversed' then 'posted' when 'pending' then 'declined' else 'pending' end`,
    hold_status: `case ${quoted} when 'open' then 'charged' else 'open' end`,
    bytea: `case when ${quoted} is null or length(${quoted}) = 0 then '\\x01' else set_byte(${quoted}, length(${quoted}) - 1, get_byte(${quoted}, length(${quoted}) - 1) # 1) end`,
    text: `coalesce(${quoted}, '') || 'x'`,
    timestamptz: `coalesce(${quoted}, now()) + interval '1 microsecond'`,
  };
  return words[type] ?? `coalesce(${quoted}, 0) + ${keys.has(column) ? 1_000 : 1}`;
};

const tables: [string, string[]][] = [
  ['ledger_transfers', []],
  ['ledger_entries', []],
  ['statements', []],
  ['ledger_chain', []],
  // The columns after a table's name are only for display. No sum depends on them.
  ['ledger_holds', ['order_id', 'delivery_id']],
];

const columnsOf = async (table: string): Promise<{ column: string; type: string }[]> => {
  const { rows } = await owner.tx(scope, (work) =>
    sql<{
      column: string;
      type: string;
    }>`select attname as column, t.typname as type from pg_attribute a
      join pg_type t on t.oid = a.atttypid where attrelid = ${table}::regclass and attnum > 0
      and not attisdropped order by attnum`.execute(work.tx),
  );
  return rows;
};

describe('tampering with the ledger', () => {
  it('the ledger check finds no mismatch in a ledger that nobody has altered', async () => {
    expect(await breaksAfter(async () => {})).toEqual([]);
  });

  it.each(tables)(
    'the ledger check finds every change of a column of a row of %s',
    async (table, names) => {
      const { rows: places } = await owner.tx(scope, (work) =>
        sql.raw<{ ctid: string }>(`select ctid::text from ${table}`).execute(work.tx),
      );
      const columns = (await columnsOf(table)).filter(({ column }) => !names.includes(column));
      // Tests all columns of a few rows of the table, and a few columns of all rows.
      const [whole, few] = [rounds(12, 1), rounds(10, 1)];
      const tries = places.flatMap(({ ctid }, row) =>
        columns
          .filter((_, index) => row % whole === 0 || (row + index) % few === 0)
          .map((column) => ({ ctid, ...column })),
      );
      let found = 0;
      const missed: string[] = [];
      for (const { ctid, column, type } of tries) {
        const breaks = await breaksAfter((work) =>
          sql
            .raw(
              `update ${table} set "${column}" = ${otherValue(column, type)} where ctid = '${ctid}'`,
            )
            .execute(work.tx),
        );
        if (breaks.length > 0) found++;
        else missed.push(`${column} at ${ctid}`);
      }
      expect(missed).toEqual([]);
      expect(found).toBeGreaterThan(columns.length);
    },
  );

  it.each(tables)('the ledger check finds every removed or added row of %s', async (table) => {
    // Two kinds of rows can be removed unnoticed: a request without a transfer, and the last link
    // of the platform's chain. The nightly task writes that link again with the same content.
    const traceless =
      table === 'statements'
        ? 'transfer_id is null'
        : table === 'ledger_chain'
          ? 'station_id = 0'
          : 'false';
    const { rows: places } = await owner.tx(scope, (work) =>
      sql
        .raw<{ ctid: string }>(`select ctid::text from ${table} where not (${traceless})`)
        .execute(work.tx),
    );
    for (const { ctid } of places)
      expect(
        await breaksAfter((work) =>
          sql.raw(`delete from ${table} where ctid = '${ctid}'`).execute(work.tx),
        ),
        `without ${ctid}`,
      ).not.toEqual([]);
    const columns = (await columnsOf(table)).map(({ column }) =>
      ['id', 'no', 'seq', 'attempt'].includes(column)
        ? `"${column}" + 1000`
        : column === 'cause'
          ? `"${column}" || '2'`
          : `"${column}"`,
    );
    const oneMore = await breaksAfter(async (work) => {
      await sql
        .raw(
          'drop index statements_station, ledger_holds_one_open, ledger_transfers_first_charge, ledger_transfers_one_reversal',
        )
        .execute(work.tx);
      await sql
        .raw(`insert into ${table} select ${columns.join()} from ${table} order by 1 limit 1`)
        .execute(work.tx);
    });
    expect(oneMore).not.toEqual([]);
  });

  it('the ledger check finds an altered balance of a station, and its message contains the station’s id', async () => {
    const { rows } = await owner.tx(scope, (work) =>
      sql<{ id: number }>`select id
      from stations`.execute(work.tx),
    );
    for (const { id } of rows) {
      expect(
        await breaksAfter((work) =>
          sql`update stations set money = money + 1
        where id = ${id}`.execute(work.tx),
        ),
      ).toEqual([`I2 station ${id}`]);
      expect(
        await breaksAfter((work) =>
          sql`update stations set "freeze" = "freeze" + 1
        where id = ${id}`.execute(work.tx),
        ),
      ).toEqual(expect.arrayContaining([`I2 station ${id}`, `I3 station ${id}`]));
    }
  });

  it('the incremental ledger check finds an entry that was altered after the last check', async () => {
    const { tx, fill, charged } = openMoney(app);
    await prove(app, { full: false, at });
    const { station } = await charged();
    await fill(station, 5);
    await owner.tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await sql`update ledger_entries set amount = amount + 1 where station_id = ${station}
        and no = 1`.execute(work.tx);
    });
    const proof = await prove(app, { full: false, at });
    expect(proof.ok).toBe(false);
    expect(proof.breaks.map(({ invariant }) => invariant)).toEqual(
      expect.arrayContaining(['I1', 'I2', 'I8']),
    );
    // The sum of all accounts is not zero, so the postings of all stations are stopped.
    await expect(
      fill((await charged().catch(() => ({ station }))).station, 5),
    ).rejects.toMatchObject({ code: 'ledger_stopped' });
    expect(
      (
        await tx((work) =>
          sql`select station_id from ledger_blocks
      where station_id is null`.execute(work.tx),
        )
      ).rows,
    ).toHaveLength(1);
  });
});
