import { topUp } from '#domain/ledger/ledger.ts';
import { periodOf } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Row } from './access-row.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

let count = 0;
/** Returns a unique name. */
const another = (word: string): string => `${word}${++count}`;
const columns = ['运单号', '重量', '金额'].map((title, index) => ({ index, title, samples: [] }));

/**
 * Stores a carrier bill. One line belongs to no parcel; all other lines are matched with parcels.
 */
const bill =
  (decision: 'open' | 'accepted') =>
  async (system: TestSystem): Promise<number> =>
    (
      await rowsOf(
        system,
        sql<{
          id: number;
        }>`with c as (insert into reconciliations (period, provider, file_name, file_type,
          file_bytes, file_hash, status, columns, weight_tolerance, amount_tolerance)
            values ('2026-01', 'jdl', ${another('账单')}, 'csv', 1,
              ${Buffer.from(another('file'))}, 'ready', ${JSON.stringify(columns)}::jsonb, 0,
              0) returning id),
          l as (insert into reconciliation_rows (reconciliation_id, no, cells, bucket,
            decision, delivery_id, their_weight, their_amount)
            select id, 1, '["JDX0000000001","1","10"]', 'only_theirs', ${decision},
              ${another('JDX000')}, 1000, 1000 from c)
          select id from c`,
      )
    )[0]!.id;

const ofBill = (tail: string, body?: object, decision: 'open' | 'accepted' = 'open'): Row => ({
  about: 'row',
  make: bill(decision),
  path: (id) => `/api/arco/reconciliations/${id}${tail}`,
  ...(body && { body: () => body }),
});
const allOpen = { filter: { decision: 'open' }, expected: 1 };

/**
 * Returns the present month in Asia/Shanghai. An earlier month cannot be used, because bills for
 * months before the first parcel are refused.
 */
const thisMonth = (): string => periodOf(new Date());
let merchant = 0;
const someMerchant = async (system: TestSystem): Promise<void> => {
  merchant = (
    await rowsOf(
      system,
      sql<{ id: number }>`select id from merchants order by id
    limit 1`,
    )
  )[0]!.id;
  await beginBooks(system);
};

let months = 0;
/** Returns a month that nobody has closed yet. It is long before the first transaction. */
const month = (): string =>
  `20${String(10 + Math.floor(++months / 12))}-${String((months % 12) + 1).padStart(2, '0')}`;
let closable = '';
/**
 * Stores a carrier bill for January 2010. Every later month then counts as a month with bookings.
 */
const beginBooks = async (system: TestSystem): Promise<void> => {
  await rowsOf(
    system,
    sql`insert into reconciliations (period, provider, file_name, file_type, file_bytes,
      file_hash, status, weight_tolerance, amount_tolerance)
      select '2010-01', 'jdl', 'first', 'csv', 1, 'first', 'settled', 0, 0
        where not exists (select 1 from reconciliations where period = '2010-01')
        returning 1`,
  );
};
/** Closes all months before the month that the test closes. */
const closeEarlier = async (system: TestSystem): Promise<void> => {
  closable = month();
  await beginBooks(system);
  await rowsOf(
    system,
    sql`insert into periods (period, status, closed_at, closed_by)
      select to_char(m, 'YYYY-MM'), 'closed', now(), a.id
      from generate_series(timestamp '2010-01-01',
        ${`${closable}-01`}::timestamp - interval '1 month', interval '1 month') m, accounts a
        where a.username = 'clerk'
      on conflict do nothing returning 1`,
  );
};
/**
 * Posts a transaction of a station in a new month and closes that month. The station's confirmation
 * is still missing.
 */
const closeMoved = async (system: TestSystem): Promise<void> => {
  year++;
  const at = new Date(`${year}-06-15T12:00:00+08:00`);
  await system.app.db.tx(systemScope('test'), (work) =>
    topUp(work, {
      station_id: system.station('nanshan').id,
      amount: 100,
      description: '',
      cause: another('moved'),
      at,
      by: 1,
    }),
  );
  await rowsOf(
    system,
    sql`insert into periods (period, status, closed_at, closed_by)
      select ${`${year}-06`}, 'closed', now(), id from accounts where username = 'clerk'`,
  );
};
let year = 2050;
/** Closes a month that is later than all closed months. Another user closes it. */
const closeAnother = async (system: TestSystem): Promise<void> => {
  year++;
  await rowsOf(
    system,
    sql`insert into periods (period, status, closed_at, closed_by)
      select ${`${year}-01`}, 'closed', now(), id from accounts where username = 'clerk'`,
  );
};

/** The routes of bills and months. */
export const monthEnd: Record<string, Row> = {
  'GET /api/arco/reconciliations': { about: 'nothing' },
  'POST /api/arco/reconciliations': {
    about: 'nothing',
    body: () => ({
      period: thisMonth(),
      provider: 'jdl',
      file: new File([`运单号,重量,金额\n${another('JDX0000')},1,10`], '账单.csv'),
    }),
  },
  'GET /api/arco/reconciliations/{id}': ofBill(''),
  'GET /api/arco/reconciliations/{id}/rows': ofBill('/rows'),
  'POST /api/arco/reconciliations/{id}/mapping': ofBill('/mapping', {
    version: 1,
    mapping: { delivery_id: 0, weight: 1, amount: 2 },
    weight_unit: 'kg',
  }),
  'POST /api/arco/reconciliations/{id}/tolerances': ofBill('/tolerances', {
    version: 1,
    weight_tolerance: 100,
    amount_tolerance: 10,
  }),
  'POST /api/arco/reconciliations/{id}/accept': ofBill('/accept', allOpen),
  'POST /api/arco/reconciliations/{id}/dispute': ofBill('/dispute', { ...allOpen, reason: 'test' }),
  'GET /api/arco/reconciliations/{id}/disputes.xlsx': ofBill('/disputes.xlsx'),
  'POST /api/arco/reconciliations/{id}/discard': ofBill('/discard', { version: 1, reason: 'test' }),
  'POST /api/arco/reconciliations/{id}/payments': ofBill('/payments', { amount: 1 }, 'accepted'),
  'GET /api/arco/periods': { about: 'nothing' },
  'GET /api/arco/periods/{period}/changes': {
    about: 'nothing',
    path: () => '/api/arco/periods/2026-03/changes',
  },
  'POST /api/arco/periods/{period}/close': {
    about: 'nothing',
    prepare: closeEarlier,
    path: () => `/api/arco/periods/${closable}/close`,
    body: () => ({}),
  },
  'POST /api/arco/periods/{period}/missing-bills': {
    about: 'nothing',
    prepare: someMerchant,
    path: () => `/api/arco/periods/${month()}/missing-bills`,
    body: () => ({ merchant_id: merchant, reason: 'test' }),
  },
  'POST /api/arco/periods/{period}/remind': {
    about: 'nothing',
    prepare: closeMoved,
    path: () => `/api/arco/periods/${year}-06/remind`,
    body: () => ({}),
  },
  'POST /api/arco/periods/{period}/reopen': {
    about: 'nothing',
    prepare: closeAnother,
    path: () => `/api/arco/periods/${year}-01/reopen`,
    body: () => ({ reason: 'test' }),
  },
};
