import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { migrate, readSchema } from '#platform/db/migrate.ts';
import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import { migrateJobs } from '#platform/jobs/jobs.ts';
import { silentLog } from '#platform/log.ts';

/** The connection to the PostgreSQL server that a benchmark measures. `user` is a superuser. */
export interface BenchCluster {
  host: string;
  port: number;
  user: string;
}

const appRole = { name: 'waystation_app', password: null };

/** Connects to a database in the role of the application. */
export const openAsApp = (cluster: BenchCluster, name: string, max: number): Db =>
  openDb({
    connection: { ...cluster, database: name, user: appRole.name },
    max,
    log: silentLog(),
    statementTimeout: 120_000,
  });

export const openAsOwner = (cluster: BenchCluster, name: string): Db =>
  openDb({ connection: { ...cluster, database: name }, max: 1, log: silentLog() });

/** Creates the product's schema in a database, and makes the user of the cluster its owner. */
export const migrateBench = async (cluster: BenchCluster, name: string): Promise<void> => {
  const owner = { ...cluster, database: name };
  await migrate(owner, readSchema(join(import.meta.dirname, '..', '..')), {
    appRole,
    log: silentLog(),
    after: (client) => migrateJobs(client, owner, appRole.name),
  });
};

/** Creates a database with the product's schema, calls `run` with it, and drops it afterwards. */
export const withBenchDatabase = async <T>(
  cluster: BenchCluster,
  name: string,
  extra: string,
  run: (db: Db) => Promise<T>,
): Promise<T> => {
  const admin = openAsOwner(cluster, 'postgres');
  await admin.pool.query(`create database ${name}`);
  const db = openAsApp(cluster, name, 100);
  try {
    await migrateBench(cluster, name);
    const tables = openAsOwner(cluster, name);
    await tables.pool.query(extra).finally(() => tables.close());
    return await run(db);
  } finally {
    await db.close();
    await admin.pool
      .query(`drop database if exists ${name} with (force)`)
      .finally(() => admin.close());
  }
};

/**
 * Starts a separate PostgreSQL in the same way as the product, and calls `run` with it. If
 * BENCH_POSTGRES contains a superuser's connection as JSON, uses that server instead.
 */
export const withBenchCluster = async <T>(
  run: (cluster: BenchCluster) => Promise<T>,
): Promise<T> => {
  const server = process.env['BENCH_POSTGRES'];
  if (server) return run(JSON.parse(server) as BenchCluster);
  const dataDir = mkdtempSync(join(tmpdir(), 'waystation-bench-'));
  const embedded = await startEmbeddedPostgres({ dataDir, log: silentLog() });
  try {
    return await run(embedded.connection);
  } finally {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
