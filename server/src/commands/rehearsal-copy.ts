import { chmod, mkdtemp, readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { Config } from '#config.ts';
import { embeddedConnections } from '#connections.ts';
import type { Connections } from '#connections.ts';
import { staleSeconds } from './backup-record.ts';
import type { Summary } from '#platform/db/backup/archive.ts';
import { startEmbeddedPostgres, stopLeftPostgres } from '#platform/embedded/embedded.ts';
import { lockInstance } from '#platform/embedded/instance-lock.ts';
import { removeDataDir } from '#platform/embedded/places.ts';
import type { Log } from '#platform/log.ts';
import { diskOf, scratchFolder, watchScratch } from '#platform/scratch.ts';

/** An error that ends a rehearsal, with a sentence for the operator. */
export class RehearsalError extends Error {}

const prefix = 'rehearsal-';
const gigabyte = 1e9;
/** The number of bytes that must stay free. A running rehearsal ends if fewer are free. */
const reserve = 0.5 * gigabyte;
/** The number of hours after which a rehearsal is ended. */
const longestHours = 12;

/** Removes the copy of a killed rehearsal, and stops its PostgreSQL. */
const removeStale = async (scratch: string, log: Log): Promise<void> => {
  const names = await readdir(scratch);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const dataDir = join(scratch, name);
    try {
      if (Date.now() - (await stat(dataDir)).mtimeMs < staleSeconds * 1_000) continue;
      // Throws if a running rehearsal uses the directory.
      const lock = lockInstance(dataDir);
      await stopLeftPostgres(dataDir).finally(() => lock.release());
      await removeDataDir(dataDir);
    } catch (error) {
      log.info({ err: error, dataDir }, 'the copy of an earlier rehearsal is not removed');
    }
  }
};

/**
 * The size of the rows of a backup file in bytes: from its manifest, or estimated by the usual
 * compression.
 */
const rowBytes = async (file: string): Promise<number> => {
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new RehearsalError(`There is no file ${file}.`) : error;
  });
  try {
    const { parts } = JSON.parse(await readFile(`${file}.json`, 'utf8')) as Summary;
    return parts.reduce((sum, { bytes }) => sum + bytes, 0);
  } catch {
    return size * 8;
  }
};

const databaseBytes = async (owner: pg.ClientConfig): Promise<number> => {
  const client = new pg.Client(owner);
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>(
      'select pg_database_size(current_database()) as n',
    );
    return Number(firstOf(rows).n);
  } finally {
    await client.end().catch(() => {});
  }
};

/**
 * Returns the number of bytes that a copy needs: the size of the database, or of a backup file's
 * rows with their indexes. Half of this size is added for the rows that migrations rewrite.
 */
export const copyBytes = async (source: { file: string } | { owner: pg.ClientConfig }) =>
  1.5 *
    ('file' in source ? (await rowBytes(source.file)) * 2.5 : await databaseBytes(source.owner)) +
  gigabyte;

/** Fails if the disk has too little room for a copy. */
export const requireRoom = async (needed: number): Promise<void> => {
  const folder = await scratchFolder();
  const { free } = await diskOf(folder);
  if (free < needed + reserve)
    throw new RehearsalError(
      `The copy needs about ${((needed + reserve) / gigabyte).toFixed(1)} GB in ${folder}, and ${(free / gigabyte).toFixed(1)} GB are free: set TMPDIR to a folder on a larger disk.`,
    );
};

export interface Copy {
  config: Config;
  connections: Connections;
  /**
   * Rejects when the rehearsal must end, because the disk is nearly full or because it takes too
   * long.
   */
  ended: Promise<never>;
  /** Stops the PostgreSQL of the copy and removes its files. It may be called twice. */
  remove(): Promise<void>;
}

/** Rejects when the disk is nearly full or the longest time has passed. */
const watchLimits = (folder: string): { ended: Promise<never>; stop(): void } => {
  let end = (_error: RehearsalError): void => {};
  const ended = new Promise<never>((_, reject) => (end = reject));
  ended.catch(() => {});
  const { stop } = watchScratch(
    folder,
    { name: 'rehearsal', mostHours: longestHours, isFull: ({ free }) => free < reserve },
    (sentence) => end(new RehearsalError(sentence)),
  );
  return { ended, stop };
};

/**
 * Starts a separate, empty PostgreSQL in a temporary folder, on a socket that no other program
 * uses.
 */
export const openCopy = async (
  config: Config,
  log: Log,
  onEnd: (run: () => Promise<void>) => void,
) => {
  const scratch = await scratchFolder();
  await removeStale(scratch, log);
  const dataDir = await mkdtemp(join(scratch, prefix));
  const aborted = new AbortController();
  const limits = watchLimits(dataDir);
  let stop = async (): Promise<void> => {};
  let removed: Promise<void> | undefined;
  const remove = (): Promise<void> =>
    (removed ??= (async () => {
      limits.stop();
      aborted.abort();
      await stop();
      await removeDataDir(dataDir);
    })());
  // If the process is asked to end while PostgreSQL starts, the start fails and the caller removes
  // the copy.
  onEnd(remove);
  try {
    // The account that PostgreSQL runs as must be able to enter the folder.
    await chmod(dataDir, 0o755);
    const embedded = await startEmbeddedPostgres({
      dataDir,
      log,
      signal: aborted.signal,
      settings: { shared_preload_libraries: 'pg_stat_statements' },
    });
    stop = () => embedded.stop();
    if (aborted.signal.aborted) await embedded.stop();
    const copy: Copy = {
      config: {
        ...config,
        dataDir,
        databaseUrl: null,
        appDatabaseUrl: null,
        readDatabaseUrl: null,
        listenDatabaseUrl: null,
        backupDir: null,
        headsFile: config.headsFile === null ? null : join(dataDir, 'heads.jsonl'),
      },
      connections: embeddedConnections(embedded.connection),
      ended: limits.ended,
      remove,
    };
    return copy;
  } catch (error) {
    await remove();
    throw error;
  }
};
