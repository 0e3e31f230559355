import { charge, hold, topUp } from '#domain/ledger/ledger.ts';
import type { LedgerPrice } from '#domain/ledger/ledger.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';
import { addStation } from './stations.ts';
import type { TestApp } from './test-app.ts';

export const at = new Date('2026-03-02T10:00:00+08:00');
export const scope = systemScope('test');

/** A price from an example in docs/ledger.md. The next constant is a higher price. */
export const price: LedgerPrice = {
  pre_amount: 2100,
  discount: 8500,
  discount_amount: 300,
  guarantee_amount: 100,
  post_amount: 1800,
};
export const dearer: LedgerPrice = {
  pre_amount: 2300,
  discount: 8500,
  discount_amount: 330,
  guarantee_amount: 100,
  post_amount: 1970,
};

let count = 0;
/** Returns a number that is unique in this process. */
export const next = (): number => ++count;
/** Returns the metadata of a movement of money, with a unique cause. */
export const meta = (by: number | null = null) => ({ cause: `test ${next()}`, at, by });

export const holdOf = (station_id: number, express_id: number, attempt = 1) => ({
  station_id,
  express_id,
  attempt,
  delivery_id: null,
  order_id: `WS${express_id}`,
  price,
  ...meta(),
});

/** Returns the functions that every test of the ledger needs. */
export const openMoney = (app: TestApp) => {
  const tx = <T>(run: (work: Work) => Promise<T>, as: Scope = scope): Promise<T> =>
    app.db.tx(as, run);
  const fill = (station_id: number, amount: number): Promise<number> =>
    tx((work) => topUp(work, { station_id, amount, description: '', ...meta() }));
  const stationRow = async (id: number) =>
    (
      await tx((work) =>
        sql<{ money: number; freeze: number; available: number }>`select money,
      "freeze", available from stations where id = ${id}`.execute(work.tx),
      )
    ).rows[0]!;
  /**
   * Creates a parcel that was charged 1970 fen. The parent station gets 94 fen of them as its
   * profit share.
   */
  const charged = async (): Promise<{ parent: number; station: number; express_id: number }> => {
    const parent = await addStation(app.db);
    const station = await addStation(app.db, { parent_id: parent });
    const express_id = 1_000_000 + next();
    await fill(station, 10_000);
    await tx((work) => hold(work, holdOf(station, express_id)));
    await tx((work) =>
      charge(work, {
        express_id,
        attempt: 1,
        delivery_id: 'JD1',
        price: dearer,
        shares: [{ station_id: parent, amount: 94 }],
        ...meta(),
      }),
    );
    return { parent, station, express_id };
  };
  return { tx, fill, stationRow, charged };
};

/** Connects as the database's owner, who is a superuser in tests. */
export const openOwner = (app: Pick<TestApp, 'owner'>): Db =>
  openDb({ connection: app.owner, max: 1, log: silentLog() });
