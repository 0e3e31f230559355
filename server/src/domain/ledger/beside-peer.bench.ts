/**
 * A separate program, run by bench/src/ledger.ts. It measures the transfers per second of our
 * ledger and of pgledger on one server, and the cost of each part of our ledger. Its argument is
 * JSON (Options); it prints JSON (Measured).
 *
 * Each transfer is one statement in its own transaction, from one of twenty connections, on a
 * random wallet, as in pgledger's performance_check.go. Our transfer is a hold, from the wallet to
 * the holds of a station. It is the most frequent posting, and the only one whose two accounts both
 * have a balance. pgledger is measured in two ways: as published, between two random accounts; and
 * with the same locks as ours, from the account of a wallet to its counterpart.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { sql } from '#platform/db/db.ts';
import type { Db, RowOf } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { secretsFrom } from '#platform/secrets/secrets.ts';
import { migrateBench, openAsApp, openAsOwner, withBenchCluster } from '#testing/bench-database.ts';
import type { BenchCluster } from '#testing/bench-database.ts';
import { postingParts } from '#testing/posting-parts.ts';
import { prove, topUp } from './ledger.ts';

interface Options {
  /** The folder of a clone of pgledger; null if only our ledger is measured. */
  peer: string | null;
  wallets: number[];
  seconds: number;
  turns: number;
  /** True to measure our ledger additionally without each of its parts, one part at a time. */
  parts: boolean;
}

/** Transfers per second, and the milliseconds of PostgreSQL's processor time per transfer. */
interface Rate {
  rate: number;
  ms: number;
}

const scope = systemScope('bench');
const at = new Date('2026-03-02T10:00:00+08:00');
const price = {
  pre_amount: 2100,
  discount: 8500,
  discount_amount: 300,
  guarantee_amount: 100,
  post_amount: 1800,
};
const hands = 20;
const stations = 50;
const plenty = 10_000_000_000;
/**
 * The number of postings of each connection before the measured postings, so that plans are made
 * and functions are compiled.
 */
const warmUp = 20;

type Call = readonly [text: string, values: readonly unknown[]];

/** One of the measured ledgers on one database. */
interface Side {
  database: string;
  call(wallets: number): Call;
  /** Is called once during each round; the round ends after it has returned. */
  beside?(): Promise<void>;
}

const any = (count: number): number => Math.floor(Math.random() * count);

/** The fields of a process in /proc, after its name; empty if the machine does not show them. */
const processFields = (pid: number | string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return [];
  }
};

/** The processor time of the server's running processes, in milliseconds; 0 except on Linux. */
const processorMs = (postmaster: number): number => {
  if (!existsSync('/proc/self/stat')) return 0;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(processFields)
    .filter((fields) => Number(fields[1]) === postmaster)
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * 10, 0);
};

let parcel = 0;

const holdCall = (ids: readonly number[], wallets: number): Call => {
  const express_id = ++parcel;
  const movement = {
    movement: 'hold',
    station_id: ids[any(wallets)],
    express_id,
    attempt: 1,
    delivery_id: null,
    order_id: `WS${express_id}`,
    price,
    cause: `hold:${express_id}:1`,
    at,
    by: null,
  };
  return ['select ledger_post($1::jsonb)', [JSON.stringify([movement])]];
};

const peerText = 'select id from pgledger_create_transfer($1, $2, $3)';
const amount = (): number => 1 + any(2 ** 32 - 1);

/** Measures the transactions per second of one ledger with this number of wallets. */
const rateOf = async (
  cluster: BenchCluster,
  side: Side,
  { wallets, seconds, postmaster }: { wallets: number; seconds: number; postmaster: number },
): Promise<Rate> => {
  const pool = new pg.Pool({
    ...cluster,
    database: side.database,
    user: 'waystation_app',
    max: hands,
  });
  const clients: pg.PoolClient[] = [];
  try {
    while (clients.length < hands) clients.push(await pool.connect());
    const transfer = async (client: pg.PoolClient): Promise<void> => {
      const [text, values] = side.call(wallets);
      await client.query({ name: 'transfer', text, values: [...values] });
    };
    await Promise.all(
      clients.map(async (client) => {
        for (let done = 0; done < warmUp; done++) await transfer(client);
      }),
    );
    let done = 0;
    const before = processorMs(postmaster);
    const since = performance.now();
    const until = since + seconds * 1_000;
    await Promise.all([
      side.beside?.(),
      ...clients.map(async (client) => {
        for (; performance.now() < until; done++) await transfer(client);
      }),
    ]);
    const rate = done / ((performance.now() - since) / 1_000);
    const after = processorMs(postmaster);
    return { rate, ms: (after - before) / done };
  } finally {
    for (const client of clients) client.release();
    await pool.end();
  }
};

const fillOurs = async (db: Db): Promise<number[]> =>
  db.tx(scope, async (work) => {
    const { rows } = await sql<
      RowOf<'stations', 'id'>
    >`insert into stations (name) select gen_random_uuid()::text
      from generate_series(1, ${stations}) returning id`.execute(work.tx);
    for (const { id } of rows)
      await topUp(work, {
        station_id: id,
        amount: plenty,
        description: '',
        cause: `fill ${id}`,
        at,
        by: null,
      });
    return rows.map(({ id }) => id);
  });

/** Creates the database of pgledger with an account and its counterpart for each wallet. */
const createPeer = async (
  cluster: BenchCluster,
  folder: string,
  database: string,
): Promise<string[]> => {
  const owner = openAsOwner(cluster, database);
  try {
    for (const file of [
      'vendor/scoville-pgsql-ulid/ulid-to-uuid.sql',
      'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql',
      'pgledger.sql',
    ])
      await owner.pool.query(readFileSync(join(folder, file), 'utf8'));
    await owner.pool.query(
      'grant select, insert, update on all tables in schema public to waystation_app',
    );
    const { rows } = await owner.pool.query<{ id: string }>(
      `select a.id from generate_series(1, ${2 * stations}) n, pgledger_create_account('acct ' || n, 'USD') a`,
    );
    return rows.map(({ id }) => id);
  } finally {
    await owner.close();
  }
};

const turnsOf = async (turns: number, run: () => Promise<void>): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await run();
};

interface Made {
  cluster: BenchCluster;
  /**
   * The cluster, connected as the owner of the tables. The owner is no superuser, so row-level
   * security applies to it.
   */
  owner: BenchCluster;
  postmaster: number;
  ids: readonly number[];
  /** The name of our database, which is also the template of the copies that lack a part. */
  ours: string;
}

/** Runs one statement on the server, outside of a transaction. */
const administer = async (cluster: BenchCluster, statement: string): Promise<void> => {
  const admin = openAsOwner(cluster, 'postgres');
  await admin.pool.query(statement).finally(() => admin.close());
};

/** Databases of this run, dropped at its end. */
const databases: string[] = [];
const ownerRole = `bench_owner_${process.pid}`;
const createDatabase = async (cluster: BenchCluster, template = 'template1'): Promise<string> => {
  const name = `bench_beside_${process.pid}_${databases.length}`;
  databases.push(name);
  await administer(cluster, `create database ${name} template ${template} owner ${ownerRole}`);
  return name;
};

const make = async (cluster: BenchCluster): Promise<Made> => {
  await administer(cluster, `create role ${ownerRole} login nosuperuser nobypassrls`);
  // Only a superuser can create the role of the application, which does not exist in a new cluster.
  await administer(
    cluster,
    `do $$ begin
      if to_regrole('waystation_app') is null then create role waystation_app login; end if;
    end $$`,
  );
  const owner = { ...cluster, user: ownerRole };
  const ours = await createDatabase(cluster);
  const admin = openAsOwner(cluster, 'postgres');
  const { rows } = await admin.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = Number(processFields(rows[0]!.pid)[1]);
  await admin.close();
  await migrateBench(owner, ours);
  const db = openAsApp(cluster, ours, 1);
  const ids = await fillOurs(db).finally(() => db.close());
  return { cluster, owner, postmaster, ids, ours };
};

/** The rates of each measured ledger by its name, in the order of the turns. */
type Rates = Record<string, Rate[]>;

const comparePeer = async (
  { cluster, owner, postmaster, ids, ours }: Made,
  { peer, wallets: counts, seconds, turns }: Options,
): Promise<Record<number, Rates>> => {
  const db = openAsApp(cluster, ours, 2);
  const context = { db, secrets: secretsFrom(randomBytes(32)), config: { headsFile: null } };
  const check = async (full: boolean): Promise<void> => {
    const proof = await prove(context, { full, at });
    if (!proof.ok) throw new Error(`the ledger does not prove: ${JSON.stringify(proof.breaks[0])}`);
  };
  const sides: Record<string, Side> = {
    ours: {
      database: ours,
      call: (wallets) => holdCall(ids, wallets),
      beside: () => check(false),
    },
    unchecked: { database: ours, call: (wallets) => holdCall(ids, wallets) },
  };
  if (peer !== null) {
    const database = await createDatabase(cluster);
    const accounts = await createPeer(owner, peer, database);
    sides['published'] = {
      database,
      call: (wallets) => {
        const count = Math.max(wallets, 2);
        const from = any(count);
        const to = (from + 1 + any(count - 1)) % count;
        return [peerText, [accounts[from], accounts[to], amount()]];
      },
    };
    sides['paired'] = {
      database,
      call: (wallets) => {
        const wallet = any(wallets);
        return [peerText, [accounts[wallet], accounts[stations + wallet], amount()]];
      },
    };
  }
  const rates: Record<number, Rates> = {};
  try {
    await check(true);
    await turnsOf(turns, async () => {
      for (const wallets of counts)
        for (const [name, side] of Object.entries(sides))
          ((rates[wallets] ??= {})[name] ??= []).push(
            await rateOf(cluster, side, { wallets, seconds, postmaster }),
          );
    });
    await check(true);
  } finally {
    await db.close();
  }
  return rates;
};

/** The rates of our ledger: complete (`''`), without each part, and without any part. */
const compareParts = async (
  { cluster, owner, postmaster, ids, ours }: Made,
  { seconds, turns }: Options,
): Promise<Rates> => {
  const sides: [name: string, Side][] = [];
  const add = async (name: string, off: typeof postingParts): Promise<void> => {
    const database = await createDatabase(cluster, ours);
    const tables = openAsOwner(owner, database);
    try {
      for (const part of off) await part.switchOff(tables.pool);
    } finally {
      await tables.close();
    }
    sides.push([name, { database, call: (wallets) => holdCall(ids, wallets) }]);
  };
  await add('', []);
  for (const part of postingParts) await add(part.name, [part]);
  await add('all of these', postingParts);
  const rates: Rates = {};
  await turnsOf(turns, async () => {
    for (const [name, side] of sides)
      (rates[name] ??= []).push(
        await rateOf(cluster, side, { wallets: stations, seconds, postmaster }),
      );
  });
  return rates;
};

const options = JSON.parse(process.argv[2] ?? '{}') as Options;
const measured = await withBenchCluster(async (cluster) => {
  try {
    const made = await make(cluster);
    // The parts are measured before the comparison, so that the copies of the database start as
    // empty as our database.
    const parts = options.parts ? await compareParts(made, options) : null;
    const wallets = options.wallets.length > 0 ? await comparePeer(made, options) : {};
    return { wallets, parts };
  } finally {
    for (const name of databases)
      await administer(cluster, `drop database if exists ${name} with (force)`);
    await administer(cluster, `drop role if exists ${ownerRole}`);
  }
});
process.stdout.write(`${JSON.stringify(measured)}\n`);
