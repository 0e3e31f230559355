/**
 * Executes only the database writes of orders, without the rest of the product. bench/src/commit.ts
 * uses it. Its argument is JSON. If it contains `add`, the program creates stations like the
 * station of the parcel `like` and returns their ids. Otherwise it copies that parcel at `stations`
 * for some seconds and returns the rate. It prints the result as JSON.
 */
import { randomUUID } from 'node:crypto';
import { expressColumnList } from '#domain/express/express-reads.ts';
import { holdAndSendLate } from '#domain/express/holding.ts';
import { insertOrdered } from '#domain/express/row.ts';
import type { ExpressRow } from '#domain/express/row.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { recordSystemAudit } from '#platform/audit.ts';
import { oneRow, openDb, queueStatement, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { silentLog } from '#platform/log.ts';

interface Words {
  socket: string;
  like: number;
  add?: number;
  stations?: number[];
  hands?: number;
  seconds?: number;
}

const scope = systemScope('bench');
/** The balance of each wallet in fen. It is more than the cost of all orders of a wallet. */
const plenty = 1_000_000_000;
const connect = (socket: string, user: string): Db =>
  openDb({
    connection: { host: socket, port: 5432, user, database: 'waystation' },
    max: 16,
    log: silentLog(),
  });

const addStations = async ({ socket, like, add }: Words): Promise<number[]> => {
  const owner = connect(socket, 'waystation');
  const { rows } = await owner.tx(scope, (work) =>
    sql<RowOf<'stations', 'id'>>`insert into stations (name, parent_id, province, city,
      county, address, discount, project_id, sender_name, sender_phone)
      select name || ' ' || n, parent_id, province, city, county, address, discount,
        project_id, sender_name, sender_phone
      from stations, generate_series(1, ${add}::int) n
        where id = (select station_id from expresses where id = ${like})
        returning id`.execute(work.tx),
  );
  await owner.close();
  const db = connect(socket, 'waystation_app');
  await db.tx(scope, async (work) => {
    for (const { id } of rows)
      await topUp(work, {
        station_id: id,
        amount: plenty,
        description: 'bench',
        cause: `bench:${id}`,
        at: new Date(),
        by: null,
      });
  });
  await db.close();
  return rows.map(({ id }) => id);
};

const orderBare = async (
  work: Work,
  parcel: Omit<ExpressRow, 'id'>,
  station_id: number,
): Promise<void> => {
  const at = new Date();
  const order_id = `WS${randomUUID().slice(0, 18)}`;
  const price = { ...parcel, cal_weight: parcel.weight } as never;
  const express = await insertOrdered(
    work,
    { ...parcel, station_id, order_id },
    { cause: 'order', account_id: parcel.user_id, at, price },
  );
  await holdAndSendLate(work, express, at, parcel.user_id);
  await recordSystemAudit(work, {
    action: 'order',
    subject: 'expresses',
    subject_id: express.id,
    station_id,
  });
  const key = {
    account_id: parcel.user_id,
    endpoint: 'bench',
    key: order_id,
    body_hash: Buffer.alloc(32),
    subject_id: express.id,
  };
  await queueStatement(work, work.tx.insertInto('idempotency_keys').values(key).compile());
};

const rateOf = async ({
  socket,
  like,
  stations = [],
  hands = 16,
  seconds = 4,
}: Words): Promise<number> => {
  const db = connect(socket, 'waystation_app');
  const found = await db.tx(scope, (work) =>
    oneRow(
      work,
      sql<ExpressRow>`select ${expressColumnList()}
    from expresses where id = ${like}`,
    ),
  );
  const parcel = Object.fromEntries(
    Object.entries(found).filter(([column]) => column !== 'id'),
  ) as Omit<ExpressRow, 'id'>;
  const run = async (until: number): Promise<number> => {
    let done = 0;
    const act = async (_: unknown, hand: number): Promise<void> => {
      for (let round = hand; performance.now() < until; round += hands, done++)
        await db.tx(scope, (work) => orderBare(work, parcel, stations[round % stations.length]!));
    };
    await Promise.all(Array.from({ length: hands }, act));
    return done;
  };
  // One second of work before the measurement opens the connections and prepares the statements.
  await run(performance.now() + 1_000);
  const since = performance.now();
  const done = await run(since + seconds * 1_000);
  const rate = done / ((performance.now() - since) / 1_000);
  await db.close();
  return rate;
};

const words = JSON.parse(process.argv[2] ?? '{}') as Words;
process.stdout.write(
  JSON.stringify(
    words.add === undefined
      ? { rate: await rateOf(words) }
      : { stations: await addStations(words) },
  ),
);
