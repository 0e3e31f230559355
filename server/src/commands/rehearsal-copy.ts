import { chmod, mkdtemp, readFile, readdir, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { Config } from '#config.ts';
import { embeddedConnections } from '#connections.ts';
import type { Connections } from '#connections.ts';
import { staleSeconds } from './backup-record.ts';
import type { Summary } from '#platform/db/backup/archive.ts';
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import { removeDataDir } from '#platform/embedded/places.ts';
import type { Log } from '#platform/log.ts';

/** A reason that ends a rehearsal, as a sentence for the operator. */
export class RehearsalError extends Error {}

const prefix = 'waystation-rehearsal-';
const gigabyte = 1e9;
/** Bytes that stay free: below it a running rehearsal ends. */
const reserve = 0.5 * gigabyte;
/** Hours after which a rehearsal ends. */
const longestHours = 12;
const lookEveryMs = 2_000;

/** Removes what a killed rehearsal left behind, and ends its PostgreSQL. */
const removeStale = async (log: Log): Promise<void> => {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const dataDir = join(tmpdir(), name);
    try {
      if (Date.now() - (await stat(dataDir)).mtimeMs < staleSeconds * 1_000) continue;
      // Throws where a rehearsal that is alive holds the directory.
      if (await runningEmbeddedPostgres(dataDir))
        await (await startEmbeddedPostgres({ dataDir, log })).stop();
      await removeDataDir(dataDir);
    } catch {
      // Another user's, or in use.
    }
  }
};

const freeIn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Bytes of the rows of a backup file: by its manifest, else by how much a backup is compressed. */
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
 * Bytes that a copy takes: of a database its size, of a file its rows with their indexes. Half as
 * much again is for what the migrations rewrite.
 */
export const copyBytes = async (source: { file: string } | { owner: pg.ClientConfig }) =>
  1.5 *
    ('file' in source ? (await rowBytes(source.file)) * 2.5 : await databaseBytes(source.owner)) +
  gigabyte;

/** Refuses a copy that does not fit onto the disk. */
export const requireRoom = async (needed: number, folder = tmpdir()): Promise<void> => {
  const free = await freeIn(folder);
  if (free < needed + reserve)
    throw new RehearsalError(
      `The copy needs about ${((needed + reserve) / gigabyte).toFixed(1)} GB in ${folder}, and ${(free / gigabyte).toFixed(1)} GB are free: set TMPDIR to a folder on a larger disk.`,
    );
};

export interface Copy {
  config: Config;
  connections: Connections;
  /** Rejects when the rehearsal has to end: the disk is nearly full, or it takes too long. */
  ended: Promise<never>;
  /** Stops the copy's PostgreSQL and removes its files. May be called twice. */
  remove(): Promise<void>;
}

/** Rejects once the disk is nearly full or the longest time is over. */
const watchLimits = (folder: string): { ended: Promise<never>; stop(): void } => {
  const since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      if (performance.now() - since > longestHours * 3_600_000)
        reject(new RehearsalError(`The rehearsal was ended after ${longestHours} hours.`));
      freeIn(folder).then(
        (free) => {
          if (free < reserve)
            reject(new RehearsalError(`The rehearsal was ended: the disk of ${folder} is full.`));
        },
        () => {},
      );
    }, lookEveryMs).unref();
  });
  ended.catch(() => {});
  return { ended, stop: () => clearInterval(timer) };
};

/** An empty PostgreSQL of its own in a temporary folder, on a socket that no other program knows. */
export const openCopy = async (
  config: Config,
  log: Log,
  onEnd: (run: () => Promise<void>) => void,
) => {
  await removeStale(log);
  const dataDir = await mkdtemp(join(tmpdir(), prefix));
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
  // Stopped while it starts: the start rejects, and the caller removes.
  onEnd(remove);
  try {
    // The account that PostgreSQL runs as must reach its folder below.
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
