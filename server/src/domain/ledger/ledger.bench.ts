/**
 * A separate program, run by bench/src/hold.ts. It measures the speed of postings and prints the
 * result as JSON. A hold of the ledger is compared with a bare transaction. The bare transaction
 * locks the wallet, checks the balance and writes the same rows. It uses one plain SQL statement,
 * without cause, content, hash or hash chain.
 */
import { randomBytes } from 'node:crypto';
import { secretsFrom } from '#platform/secrets/secrets.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { withBenchCluster, withBenchDatabase } from '#testing/bench-database.ts';
import type { BenchCluster } from '#testing/bench-database.ts';
import { hold, post, prove, topUp } from './ledger.ts';
import type { Movement } from './ledger.ts';

const scope = systemScope('bench');
const at = new Date('2026-03-02T10:00:00+08:00');
const price = {
  pre_amount: 2100,
  discount: 8500,
  discount_amount: 300,
  guarantee_amount: 100,
  post_amount: 1800,
};
const seconds = Number(process.env['BENCH_SECONDS'] ?? 3);

let parcel = 0;

const bareTables = `
  create table bare_transfers (id bigint generated always as identity primary key, cause text not null unique, at timestamptz not null);
  create table bare_entries (transfer_id bigint not null references bare_transfers (id), no smallint not null, account text not null, station_id bigint, amount bigint not null, balance bigint, primary key (transfer_id, no));
  create table bare_statements (id bigint generated always as identity primary key, station_id bigint not null references stations (id), transfer_id bigint not null references bare_transfers (id), type text not null,
    freeze_amount bigint not null, pre_amount bigint, discount integer, discount_amount bigint, guarantee_amount bigint, post_amount bigint, available bigint not null, balance bigint not null, description text not null, created_at timestamptz not null);
  create index on bare_statements (station_id, transfer_id);
  create index on bare_statements (express_id);
  create table bare_holds (express_id bigint primary key, station_id bigint not null references stations (id), amount bigint not null, status text not null);
  create index on bare_holds (station_id) where status = 'open';
  grant select, insert on bare_transfers, bare_entries, bare_statements, bare_holds to waystation_app;
  grant update on stations to waystation_app;`.replace(
  'type text not null,\n',
  'type text not null, express_id bigint,\n',
);

/**
 * Holds a price with two statements: the first locks the station, and the second does all the rest
 * if the balance covers the price.
 */
const bareHold = async (work: Work, station_id: number, express_id: number): Promise<boolean> => {
  const row = await work.tx
    .selectFrom('stations')
    .select('available')
    .where('id', '=', station_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (row.available < price.post_amount) return false;
  await sql`
    with s as (update stations set "freeze" = "freeze" + ${price.post_amount}
      where id = ${station_id} returning money, "freeze", available),
      t as (insert into bare_transfers (cause, at) values (${`hold:${express_id}:1`}, ${at})
        returning id),
      e as (insert into bare_entries select t.id, no, account, ${station_id}, amount, balance
        from t, s, lateral (values
        (1::smallint, 'wallet', ${-price.post_amount}::bigint, s.money - s."freeze"),
          (2::smallint, 'holds', ${price.post_amount}::bigint, s."freeze")) x (no, account,
          amount, balance)),
      l as (insert into bare_statements (station_id, transfer_id, type, express_id,
        freeze_amount, pre_amount, discount, discount_amount, guarantee_amount, post_amount,
        available, balance, description, created_at)
        select ${station_id}, t.id, 'hold', ${express_id}, ${price.post_amount},
          ${price.pre_amount}, ${price.discount}, ${price.discount_amount},
          ${price.guarantee_amount}, ${price.post_amount}, s.available, s.money,
          ${`WS${express_id}`}, ${at} from t, s)
    insert into bare_holds values (${express_id}, ${station_id}, ${price.post_amount},
      'open')`.execute(work.tx);
  return true;
};

const ourHold = async (work: Work, station_id: number, express_id: number): Promise<boolean> =>
  (
    await hold(work, {
      station_id,
      express_id,
      attempt: 1,
      delivery_id: null,
      order_id: `WS${express_id}`,
      price,
      cause: `hold:${express_id}:1`,
      at,
      by: null,
    })
  ).ok;

/**
 * The number of transactions per second, with `hands` connections, on the wallets of these
 * stations.
 */
const rateOf = async (
  db: Db,
  run: typeof ourHold,
  stations: readonly number[],
  hands: number,
): Promise<number> => {
  const until = performance.now() + seconds * 1_000;
  let done = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: hands }, async (_, hand) => {
      for (let round = hand; performance.now() < until; round++) {
        const express_id = ++parcel;
        await db.tx(scope, (work) => run(work, stations[round % stations.length]!, express_id));
        done++;
      }
    }),
  );
  return done / ((performance.now() - start) / 1_000);
};

/**
 * Measures our ledger and the bare tables in turns, so that a temporary slowdown affects both.
 * Returns the median of each.
 */
const compare = async (db: Db, stations: readonly number[], hands: number) => {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    ours.push(await rateOf(db, ourHold, stations, hands));
    bare.push(await rateOf(db, bareHold, stations, hands));
  }
  const median = (rates: number[]) => Math.round(rates.toSorted((a, b) => a - b)[1]!);
  return { ours: median(ours), bare: median(bare) };
};

const addStations = async (db: Db, count: number, amount: number): Promise<number[]> =>
  db.tx(scope, async (work) => {
    const { rows } = await sql<
      RowOf<'stations', 'id'>
    >`insert into stations (name) select gen_random_uuid()::text
      from generate_series(1, ${count}) returning id`.execute(work.tx);
    for (const { id } of rows)
      if (amount > 0)
        await topUp(work, {
          station_id: id,
          amount,
          description: '',
          cause: `fill ${id}`,
          at,
          by: null,
        });
    return rows.map(({ id }) => id);
  });

/**
 * Runs a hundred connections on one wallet. Counts the posted holds, the holds that the balance
 * covers, and the deadlocks that PostgreSQL reports.
 */
const hundred = async (db: Db) => {
  const fits = 250;
  const [station] = await addStations(db, 1, fits * price.post_amount + 1_799);
  const clients: Awaited<ReturnType<Db['client']>>[] = [];
  while (clients.length < 100)
    clients.push(...(await Promise.all(Array.from({ length: 10 }, () => db.client()))));
  for (const client of clients) client.release();
  const tries = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const mine: boolean[] = [];
      for (let round = 0; round < 4; round++)
        mine.push(await db.tx(scope, (work) => ourHold(work, station!, ++parcel)));
      return mine;
    }),
  );
  const outcomes = tries.flat();
  const { rows } = await db.tx(scope, (work) =>
    sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
      where datname = current_database()`.execute(work.tx),
  );
  return { accepted: outcomes.filter(Boolean).length, fits, deadlocks: rows[0]!.deadlocks };
};

/**
 * Returns the movements per second of a history that is posted in batches. For each parcel, the
 * history contains a hold, a charge with two shares, and the carrier's fee.
 */
const historyOf = async (db: Db, parcels: number) => {
  const [top, middle, ...stations] = await addStations(db, 22, 1_000_000_000);
  const movements = Array.from({ length: parcels }, (_, index): Movement[] => {
    const express_id = ++parcel;
    const station_id = stations[index % stations.length]!;
    const meta = (what: string) => ({ cause: `${what}:${express_id}`, at, by: null });
    return [
      {
        movement: 'hold',
        station_id,
        express_id,
        attempt: 1,
        delivery_id: null,
        order_id: `WS${express_id}`,
        price,
        ...meta('hold'),
      },
      {
        movement: 'charge',
        express_id,
        attempt: 1,
        delivery_id: `JD${express_id}`,
        price,
        shares: [
          { station_id: middle!, amount: 90 },
          { station_id: top!, amount: 30 },
        ],
        ...meta('charge'),
      },
      { movement: 'carrier_fee', express_id, station_id, amount_total: 1500, ...meta('fee') },
    ];
  }).flat();
  const start = performance.now();
  for (let from = 0; from < movements.length; from += 1_000)
    await db.tx(scope, (work) => post(work, movements.slice(from, from + 1_000)));
  const posted = performance.now();
  const proof = await prove(
    { db, secrets: secretsFrom(randomBytes(32)), config: { headsFile: null } },
    { full: true, at },
  );
  const proved = performance.now();
  if (!proof.ok)
    throw new Error(`the benchmark's books do not prove: ${JSON.stringify(proof.breaks[0])}`);
  return {
    movements: movements.length,
    post_seconds: (posted - start) / 1_000,
    entries: proof.checked_entries,
    proof_seconds: (proved - posted) / 1_000,
  };
};

const measureOn = async (cluster: BenchCluster): Promise<object> => {
  const rates = await withBenchDatabase(
    cluster,
    `bench_ledger_${process.pid}`,
    bareTables,
    async (db) => ({
      one_wallet: await compare(db, await addStations(db, 1, 10_000_000_000), 16),
      fifty_wallets: await compare(db, await addStations(db, 50, 10_000_000_000), 16),
      hundred_hands: await hundred(db),
    }),
  );
  // This uses another database, because the ledger check does not know the bare tables.
  const history = await withBenchDatabase(cluster, `bench_history_${process.pid}`, '', (db) =>
    historyOf(db, Number(process.env['BENCH_PARCELS'] ?? 5_000)),
  );
  return { ...rates, history };
};

process.stdout.write(`${JSON.stringify(await withBenchCluster(measureOn))}\n`);
