import { secretsFrom } from '#platform/secrets/secrets.ts';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { prove } from '#domain/ledger/ledger.ts';
import { fillPinyin } from '#features/search/fill-pinyin.ts';
import { openDb } from '#platform/db/db.ts';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { OwnerConnection } from '#platform/embedded/embedded.ts';
import { silentLog } from '#platform/log.ts';
import { appRole, fillBase, schemaNow, secretKey } from './base.ts';
import { loadNetwork } from './load.ts';

export interface KeptNetwork {
  connection: OwnerConnection;
  close(): Promise<void>;
}

const folder = process.env['WAYSTATION_SCALE_DATA'] || join(tmpdir(), 'waystation-scale');

/**
 * Returns a hash of the schema. If a migration or an SQL file has changed, the hash differs and
 * another network is created.
 */
const edition = (): string => {
  const { migrations, sql } = schemaNow();
  return createHash('sha256')
    .update(JSON.stringify([migrations.map(({ hash }) => hash), sql]))
    .digest('hex')
    .slice(0, 10);
};

const asAdmin = async <T>(
  connection: OwnerConnection,
  work: (admin: pg.Client) => Promise<T>,
): Promise<T> => {
  const admin = new pg.Client({ ...connection, database: 'postgres' });
  await admin.connect();
  return work(admin).finally(() => admin.end());
};

const has = (connection: OwnerConnection, name: string): Promise<boolean> =>
  asAdmin(
    connection,
    async (admin) =>
      (await admin.query('select 1 from pg_database where datname = $1', [name])).rowCount === 1,
  );

/**
 * PostgreSQL settings that fill the database without waiting for the disk. This is safe, because an
 * unfinished network is created again after a power failure.
 */
const hurried = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  shared_buffers: '1GB',
};

const open = async (settings: Record<string, string> = {}): Promise<KeptNetwork> => {
  const running = await runningEmbeddedPostgres(folder);
  if (running) return { connection: running, close: async () => {} };
  mkdirSync(folder, { recursive: true });
  const embedded = await startEmbeddedPostgres({ dataDir: folder, log: silentLog(), settings });
  return { connection: embedded.connection, close: () => embedded.stop() };
};

/** Returns true if fill_pinyin has not yet written the pinyin of all names. */
const isUnread = async (owner: OwnerConnection): Promise<boolean> => {
  const client = new pg.Client(owner);
  await client.connect();
  const { rowCount } = await client
    .query('select 1 from contacts where pinyin is null limit 1')
    .finally(() => client.end());
  return rowCount === 1;
};

const make = async (name: string, parcels: number): Promise<void> => {
  const { connection, close } = await open(hurried);
  const since = performance.now();
  const step = (text: string): void =>
    console.log(`   ${((performance.now() - since) / 1_000).toFixed(0)} s: ${text}`);
  const building = `${name}_building`;
  const owner = { ...connection, database: building };
  try {
    await asAdmin(connection, async (admin) => {
      await admin.query(`drop database if exists ${building} with (force)`);
      await admin.query(`create database ${building}`);
    });
    await fillBase(owner, step);
    await loadNetwork({ owner, parcels, now: new Date(), step });
    const db = openDb({
      connection: { ...owner, user: appRole.name },
      max: 2,
      log: silentLog(),
      statementTimeout: 0,
    });
    const context = {
      db,
      secrets: secretsFrom(Buffer.from(secretKey, 'hex')),
      config: { headsFile: null },
    };
    for (let isRest = true; isRest;) {
      await fillPinyin({ db });
      isRest = await isUnread(owner);
    }
    step('names are read');
    const proof = await prove(context, { full: true, at: new Date() }).finally(() => db.close());
    if (!proof.ok)
      throw new Error(`the ledger does not prove: ${JSON.stringify(proof.breaks.slice(0, 3))}`);
    step(`proved, ${proof.checked_entries} entries`);
    await asAdmin(connection, (admin) =>
      admin.query(`alter database ${building} rename to ${name}`),
    );
  } finally {
    await close();
  }
};

/**
 * Opens the network with this number of parcels. If no earlier run has stored it, creates it. If
 * `named` is given, opens the existing database with that name instead.
 */
export const openNetwork = async (parcels: number, named?: string): Promise<KeptNetwork> => {
  const name = named ?? `scale_${parcels}_${edition()}`;
  const first = await open();
  const isThere = await has(first.connection, name);
  if (isThere) return { ...first, connection: { ...first.connection, database: name } };
  await first.close();
  if (named !== undefined) throw new Error(`there is no database ${named} in ${folder}`);
  console.log(`   making ${parcels} parcels in ${folder}, once`);
  await make(name, parcels);
  const { connection, close } = await open();
  return { connection: { ...connection, database: name }, close };
};
