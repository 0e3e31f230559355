import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { Connections } from '#connections.ts';
import type { CommandResult } from './command-result.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { restoreBackup } from './restore.ts';
import type { RestoreContext } from './restore.ts';

/** Runs one statement as the owner. Returns null if the table of backups does not exist yet. */
const write = async <R extends pg.QueryResultRow>(
  owner: pg.ClientConfig,
  text: string,
  values: unknown[] = [],
): Promise<R[] | null> => {
  const client = new pg.Client(owner);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } catch (error) {
    if ((error as { code?: string }).code === '42P01') return null;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
};

/** The record of one backup, stored in the database that is backed up. */
export interface BackupRecord {
  finished(file: string, bytes: number, rows: number): Promise<void>;
  verified(): Promise<void>;
  failed(problem: string): Promise<void>;
}

/** Adds the record of a backup. A database without the table of backups gets no record. */
export const recordBackup = async (owner: pg.ClientConfig, file: string): Promise<BackupRecord> => {
  const begun = await write<{ id: string }>(
    owner,
    'insert into backups (begun_at, stored_as) values (clock_timestamp(), $1) returning id',
    [file],
  );
  const id = begun?.[0]?.id;
  const set = async (columns: string, values: unknown[]): Promise<void> => {
    if (id !== undefined)
      await write(owner, `update backups set ${columns} where id = $1`, [id, ...values]);
  };
  return {
    finished: (name, bytes, rows) =>
      set('finished_at = clock_timestamp(), stored_as = $2, bytes = $3, rows = $4', [
        name,
        bytes,
        rows,
      ]),
    verified: () => set('verified_at = clock_timestamp()', []),
    failed: (problem) => set('problem = $2', [problem]),
  };
};

/** The number of seconds after which the remains of a killed backup are removed. */
export const staleSeconds = 3_600;

const prefix = 'waystation_verify_';

/** Removes databases that a killed verification left behind. */
const dropStale = async (owner: pg.ClientConfig): Promise<void> => {
  const stale = await write<{ name: string }>(
    owner,
    `select datname as name from pg_database d where starts_with(datname, $1)
       and datdba = (select oid from pg_roles where rolname = current_user)
       and coalesce(substring(datname from '_(\\d{10})_')::bigint, 0) < extract(epoch from now()) - $2
       and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
    [prefix, staleSeconds],
  );
  for (const { name } of stale ?? []) await write(owner, `drop database if exists ${name}`);
};

/** Returns the connection with another database. */
const inDatabase = <C extends pg.ClientConfig>(connection: C, database: string): C => {
  if (!connection.connectionString) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { ...connection, connectionString: url.href };
};

/**
 * Restores a backup into a temporary database on the same server, checks it, and drops that
 * database.
 */
export const verifyBackup = async (
  { config, connections, log }: RestoreContext & { connections: Connections },
  file: string,
): Promise<CommandResult> => {
  const owner = connections.owner!;
  const name = `${prefix}${Math.floor(Date.now() / 1_000)}_${randomBytes(6).toString('hex')}`;
  const heads = `${file}.heads`;
  try {
    await dropStale(owner);
    await write(owner, `create database ${name}`).catch((error: unknown) => {
      if ((error as { code?: string }).code !== '42501') throw error;
      throw new BackupError(
        'The backup is complete, and not verified: the owner may not create a database for it. Grant "createdb", or restore it with --verify elsewhere.',
      );
    });
    return await restoreBackup(
      {
        config: { ...config, headsFile: heads },
        connections: {
          ...connections,
          owner: inDatabase(owner, name),
          app: inDatabase(connections.app, name),
        },
        log,
      },
      createReadStream(file, { highWaterMark: 1 << 18 }),
      { verify: true },
    );
  } finally {
    await write(owner, `drop database if exists ${name} with (force)`);
    await rm(heads, { force: true });
  }
};
