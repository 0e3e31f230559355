import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDb, sql } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { at, holdOf, openMoney, price, meta, scope } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { charge, hold, lockStations, prove, topUp } from './ledger.ts';

let app: TestApp;
let { tx, fill, stationRow } = {} as ReturnType<typeof openMoney>;
beforeAll(async () => {
  app = await createTestApp();
  ({ tx, fill, stationRow } = openMoney(app));
});
afterAll(() => app.close());

describe('concurrent ledger transactions', () => {
  it('a hundred simultaneous holds on one wallet cause no deadlock, and exactly as many succeed as the balance covers', async () => {
    const station_id = await addStation(app.db, { fixed_freeze: 700 });
    await fill(station_id, 37 * 1800 + 700 + 1799);
    const wide = openDb({
      connection: { ...app.owner, user: 'waystation_app' },
      max: 100,
      log: silentLog(),
    });
    try {
      // Opens all connections first, a few at a time, so that the hundred transactions really run
      // simultaneously.
      const clients: Awaited<ReturnType<typeof wide.client>>[] = [];
      while (clients.length < 100)
        clients.push(...(await Promise.all(Array.from({ length: 10 }, () => wide.client()))));
      for (const client of clients) client.release();
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          wide.tx(scope, (work) => hold(work, holdOf(station_id, 2_000_000 + index))),
        ),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(37);
    } finally {
      await wide.close();
    }
    expect(await stationRow(station_id)).toEqual({
      money: 37 * 1800 + 700 + 1799,
      freeze: 37 * 1800,
      available: 1799,
    });
  });

  it('concurrent transactions that post profit shares to each other’s stations do not deadlock', async () => {
    const stations = await Promise.all(Array.from({ length: 6 }, () => addStation(app.db)));
    for (const id of stations) await fill(id, 1_000_000);
    await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const express_id = 3_000_000 + index;
        const station_id = stations[index % 6]!;
        await tx((work) => hold(work, holdOf(station_id, express_id)));
        const shares = [1, 2, 3]
          .map((step) => ({ station_id: stations[(index + step) % 6]!, amount: 10 }))
          .toReversed();
        await tx((work) =>
          charge(work, { express_id, attempt: 1, delivery_id: null, price, shares, ...meta() }),
        );
      }),
    );
    for (const id of stations)
      expect((await stationRow(id)).money).toBe(1_000_000 - 20 * 1800 + 60 * 10);
    expect((await prove(app, { full: false, at })).ok).toBe(true);
  });

  it('concurrent transactions may post on two stations in any order if each locks both stations first', async () => {
    const [a, b] = [await addStation(app.db), await addStation(app.db)];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        tx(async (work) => {
          await lockStations(work, [a, b]);
          for (const station_id of index % 2 ? [a, b] : [b, a])
            await topUp(work, { station_id, amount: 1, description: '', ...meta() });
        }),
      ),
    );
    expect([(await stationRow(a)).money, (await stationRow(b)).money]).toEqual([20, 20]);
  });

  it('a transaction that locks a station does not block inserts of rows that refer to this station', async () => {
    const station_id = await addStation(app.db);
    await tx(async (work) => {
      await lockStations(work, [station_id]);
      await app.db.tx(scope, async (work) => {
        await sql`set local lock_timeout = 500`.execute(work.tx);
        await sql`insert into contacts (station_id, kind, name, phone, province, city, county,
          address) values (${station_id}, 'sender', '甲', '1', '', '', '', '')`.execute(work.tx);
      });
    });
  });
});
