import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { closeBooks, post, prepareClosing, prove, topUp } from '#domain/ledger/ledger.ts';
import { periodOf } from '#platform/clock.ts';
import { oneRow, openDb, sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { secretsFrom } from '#platform/secrets/secrets.ts';
import { appRole, secretKey } from './base.ts';

const scope = systemScope('measuring the books');
const limits = { proof: 10, closing: 1 };
/** The number of postings that happen after a closing is prepared and before it takes its lock. */
const between = 200;

const undo = new Error('measured');

/**
 * Runs `act`, and then undoes everything that `act` posts or closes, also through `inside`. The
 * stored network therefore does not change.
 */
const undone = async <T>(db: Db, act: (work: Work, inside: Db) => Promise<T>): Promise<T> => {
  let result: T;
  const one = async (work: Work): Promise<never> => {
    result = await act(work, { ...db, tx: (_scope, run) => run(work as never) });
    throw undo;
  };
  await db.tx(scope, one).catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return result!;
};

interface Books {
  stations: number[];
  by: number;
  transfers: number;
  first: string;
}

const booksOf = (work: Work): Promise<Books> =>
  oneRow(
    work,
    sql<Books>`select array(select id from stations order by id) as stations,
      (select min(id) from accounts where role = 'super') as by,
      (select max(id) from ledger_transfers) as transfers,
        (select period from ledger_transfers order by id limit 1) as first`,
  );

let causes = 0;
const topUpOf = (station_id: number, by: number, at: Date) => ({
  station_id,
  amount: 100,
  description: '',
  cause: `scale books ${process.pid} ${++causes}`,
  at,
  by,
});

const postMany = async (
  work: Work,
  count: number,
  { stations, by, at }: { stations: readonly number[]; by: number; at: Date },
): Promise<void> => {
  const movements = Array.from({ length: count }, (_, n) => ({
    movement: 'top_up' as const,
    ...topUpOf(stations[n % stations.length]!, by, at),
  }));
  for (let from = 0; from < count; from += 500) await post(work, movements.slice(from, from + 500));
};

const withDb = async (
  config: pg.ClientConfig,
  act: (db: Db) => Promise<boolean>,
): Promise<boolean> => {
  const db = openDb({
    connection: { ...config, user: appRole.name },
    max: 4,
    log: silentLog(),
    statementTimeout: 0,
  });
  return act(db).finally(() => db.close());
};

const secondsSince = (start: number): number => (performance.now() - start) / 1_000;

/**
 * Measures the ledger check of new rows. Their number is the number of postings in one day of the
 * network.
 */
export const measureProof = (config: pg.ClientConfig): Promise<boolean> =>
  withDb(config, async (db) => {
    const at = new Date();
    const { seconds, count, proof } = await undone(db, async (work, inside) => {
      const { stations, by, transfers } = await booksOf(work);
      const count = Math.ceil(transfers / 365);
      await postMany(work, count, { stations, by, at });
      const start = performance.now();
      const proof = await prove(
        {
          db: inside,
          secrets: secretsFrom(Buffer.from(secretKey, 'hex')),
          config: { headsFile: null },
        },
        { full: false, at },
      );
      return { seconds: secondsSince(start), count, proof };
    });
    const ok = proof.ok && proof.kind === 'incremental' && seconds <= limits.proof;
    console.log(
      `   proof of ${count} new postings ${seconds.toFixed(2)} s (≤ ${limits.proof}) ${ok ? 'ok' : 'MISSED'}, ${proof.kind}, ${proof.checked_entries} entries read, ${proof.trusted?.links ?? 0} links trusted${proof.ok ? '' : `, it does not prove: ${JSON.stringify(proof.breaks.slice(0, 2))}`}`,
    );
    return ok;
  });

const monthsFrom = (first: string, end: string): string[] => {
  const months: string[] = [];
  for (
    let at = new Date(`${first}-01T00:00:00Z`);
    at.toISOString().slice(0, 7) < end;
    at.setUTCMonth(at.getUTCMonth() + 1)
  )
    months.push(at.toISOString().slice(0, 7));
  return months;
};

/**
 * Closes all earlier months, and stores for every carrier account a reason why its bill is missing.
 * Otherwise the closing that is measured would be refused.
 */
const makeClosable = async (
  work: Work,
  first: string,
  period: string,
  by: number,
): Promise<void> => {
  await sql`insert into periods (period, status, entries, trial_balance, last_transfer_id,
    closed_at, closed_by)
    select unnest(${monthsFrom(first, period)}::text[]), 'closed', 0, '[]', 0, now(), ${by}
      on conflict (period) do update set status = 'closed'`.execute(work.tx);
  await sql`insert into period_bill_reasons (period, merchant_id, reason, parcels, account_id,
    at) select ${period}, id, 'scale', 0, ${by}, now() from merchants
    on conflict do nothing`.execute(work.tx);
  await sql`update reconciliations set status = 'discarded' where period <= ${period}
    and status <> 'discarded'`.execute(work.tx);
};

/**
 * Posts a top-up of the station and undoes it, again and again while `busy` returns true. Returns
 * the seconds that each top-up took.
 */
const postMeanwhile = async (
  db: Db,
  station_id: number,
  by: number,
  busy: () => boolean,
): Promise<number[]> => {
  const waits: number[] = [];
  while (busy()) {
    const start = performance.now();
    await undone(db, (work) => topUp(work, topUpOf(station_id, by, new Date())));
    waits.push(secondsSince(start));
    await sleep(5);
  }
  return waits;
};

/** Measures how long postings wait while the last complete month is being closed. */
export const measureClosing = (config: pg.ClientConfig): Promise<boolean> =>
  withDb(config, async (db) => {
    const at = new Date();
    const thisMonth = periodOf(at);
    const period = new Date(Date.parse(`${thisMonth}-01T00:00:00Z`) - 86_400_000)
      .toISOString()
      .slice(0, 7);
    let busy = true;
    let waiting: Promise<number[]> = Promise.resolve([]);
    const { prepared, closing, entries } = await undone(db, async (work, inside) => {
      const { stations, by, first } = await booksOf(work);
      await makeClosable(work, first, period, by);
      const start = performance.now();
      const sums = await prepareClosing(inside, period, at);
      const prepared = secondsSince(start);
      // The other connection posts at a station that gets no other postings here, so that it waits
      // only for the closing of the month.
      const [other, ...rest] = stations;
      await postMany(work, between, { stations: rest, by, at });
      waiting = postMeanwhile(db, other!, by, () => busy);
      await sleep(200);
      const locked = performance.now();
      await closeBooks(work, sums, { by, at });
      return {
        prepared,
        closing: secondsSince(locked),
        entries: sums.accounts.reduce((sum, { n }) => sum + n, 0),
      };
    }).finally(() => (busy = false));
    const longest = Math.max(...(await waiting));
    const ok = longest <= limits.closing;
    console.log(
      `   closing ${period} stops postings ${longest.toFixed(2)} s (≤ ${limits.closing}) ${ok ? 'ok' : 'MISSED'}: ${entries} entries, added up before in ${prepared.toFixed(2)} s, closed in ${closing.toFixed(2)} s`,
    );
    return ok;
  });
