import { execFile } from 'node:child_process';
import { lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import {
  EmbeddedError,
  startEmbeddedPostgres,
  stopLeftPostgres,
} from '#platform/embedded/embedded.ts';
import type { EmbeddedPostgres, OwnerConnection } from '#platform/embedded/embedded.ts';
import { mostWalBytes } from '#platform/embedded/cluster.ts';
import { lockInstance } from '#platform/embedded/instance-lock.ts';
import { makeDataDir, placeCluster, removeDataDir } from '#platform/embedded/places.ts';
import { chooseRunAs } from '#platform/embedded/run-as.ts';
import type { RunAs } from '#platform/embedded/run-as.ts';
import type { Log } from '#platform/log.ts';
import { diskOf } from '#platform/scratch.ts';
import { answerIn, exchangeFolder, restoreCommand } from './exchange.ts';
import type { Answer } from './exchange.ts';
import { unpackBaseCopy } from './read-base.ts';
import {
  firstMissing,
  isSegment,
  isThere,
  openWalFile,
  segmentBytes,
  syncFolder,
} from './wal-files.ts';
import type { BaseFacts, WalArchive } from './wal-files.ts';

interface Recovery {
  dataDir: string;
  archive: WalArchive;
  base: BaseFacts;
  /** The time to which the database is recovered; null to recover to the end of the archive. */
  at: Date | null;
  key: Buffer | null;
  log: Log;
  /** PostgreSQL settings for the time of the recovery, in addition to the product's own. */
  settings?: Record<string, string> | undefined;
  /** Registers a function that is called when the process is asked to end. */
  onEnd?: ((run: () => Promise<void>) => void) | undefined;
  /** If this signal is aborted, the recovery ends with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Returns true if a disk with this free space counts as too full. */
  isFull?: ((disk: { free: number; total: number }) => boolean) | undefined;
}

interface Recovered<T> {
  result: T;
  /** The name of the last log file that was read; null if PostgreSQL needed none. */
  last: string | null;
}

/** Bytes that a restore needs in addition to the base copy's files and the log. */
const reserveBytes = 1e9;
/**
 * The folder inside a data directory that a restore works in until the restored database is
 * complete.
 */
const unfinished = 'restoring';

/** Returns a BackupError if the disk is full; returns any other error unchanged. */
const explained = (error: unknown, dataDir: string): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  const isFull =
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    (error instanceof EmbeddedError && error.reason === 'disk_full');
  return isFull
    ? new BackupError(`The disk of ${dataDir} is full: restore onto a larger one.`)
    : error;
};

/**
 * Returns the bytes that a restore needs: the files of the copy, the log to replay, and a reserve.
 * PostgreSQL keeps replayed log files until the next checkpoint in the log, so the replayed log
 * needs at most the largest `max_wal_size`.
 */
export const neededBytes = (
  { from, files_bytes }: Pick<BaseFacts, 'from' | 'files_bytes'>,
  segments: readonly string[],
): number => {
  const replayed = segments.filter((name) => name >= from).length * segmentBytes;
  return files_bytes + Math.min(replayed, mostWalBytes) + reserveBytes;
};

const requireRoom = async (
  folder: string,
  { base, archive, isFull }: Pick<Recovery, 'base' | 'archive' | 'isFull'>,
): Promise<void> => {
  const { free, total } = await diskOf(folder);
  const needed = neededBytes(base, archive.segments);
  if (free >= needed && isFull?.({ free: free - needed, total }) !== true) return;
  const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
  throw new BackupError(
    `The restore needs about ${gigabytes(needed)} in ${folder}, and ${gigabytes(free)} are free.${free < needed ? '' : ' The disk would be too full for the database: set TMPDIR to a folder on another disk.'}`,
  );
};

/** Removes what a killed restore left behind, and stops its PostgreSQL. */
const removeUnfinished = async (folder: string): Promise<void> => {
  if (!(await isThere(folder))) return;
  await stopLeftPostgres(folder);
  await removeDataDir(folder);
};

/** Removes the files that a killed restore left in a data directory. */
export const removeUnfinishedIn = (dataDir: string): Promise<void> =>
  removeUnfinished(join(dataDir, unfinished));

/** Unpacks the base copy, and writes the file that makes PostgreSQL start a recovery. */
const unpack = async (
  { archive, base, key, log, isFull }: Recovery,
  folder: string,
  runAs: RunAs | null,
  signal: AbortSignal,
): Promise<string> => {
  await makeDataDir(folder);
  const cluster = await placeCluster(folder, runAs, log);
  await requireRoom(dirname(cluster), { base, archive, isFull });
  await mkdir(cluster, { mode: 0o700 });
  await unpackBaseCopy(archive, base, cluster, { key, signal });
  await mkdir(join(cluster, exchangeFolder), { mode: 0o700 });
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 });
  if (runAs) await promisify(execFile)('chown', ['-R', `${runAs.uid}:${runAs.gid}`, cluster]);
  return cluster;
};

/**
 * Returns the time of the last transaction that PostgreSQL replayed, read from its log; null if it
 * replayed none.
 */
const lastChange = async (folder: string): Promise<string | null> => {
  const text = await readFile(join(folder, 'postgres.log'), 'utf8').catch(() => '');
  const [, at] =
    [...text.matchAll(/last completed transaction was at log time (.+[+-]\d\d)$/gm)].at(-1) ?? [];
  return at === undefined ? null : new Date(`${at.replace(' ', 'T')}:00`).toISOString();
};

/** Returns the error for a recovery that ended before the chosen time. */
const tooShort = async ({ archive, base, at }: Recovery, folder: string): Promise<BackupError> => {
  const missing = firstMissing(archive.segments, base.from);
  const last = await lastChange(folder);
  const until =
    last === null ? `moments from ${base.at} on` : `moments from ${base.at} until ${last}`;
  return missing === null
    ? new BackupError(
        `The archive ends ${last === null ? 'too early' : `at ${last}`}, before ${at?.toISOString()}: give an earlier moment, or "--at latest".`,
      )
    : new BackupError(
        `${missing} is missing from the archive: with the copy ${base.name} only ${until} can be restored.`,
      );
};

interface Started {
  embedded: EmbeddedPostgres;
  /** Returns the name of the last log file that was read so far; null if none was read. */
  last(): string | null;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL on the unpacked copy, and gives it log files until it has reached the chosen
 * time.
 */
const startRecovered = async (
  recovery: Recovery,
  folder: string,
  cluster: string,
  signal: AbortSignal,
): Promise<Started> => {
  const { archive, at, key, log } = recovery;
  let fault: Error | null = null;
  let last: string | null = null;
  // If a listed log file is missing later, that is an error; the archive's disk may have been
  // removed meanwhile.
  const listed = new Set(archive.segments);
  const fetch = async (name: string): Promise<Answer> => {
    const file = join(archive.folder, name);
    try {
      if (!listed.has(name) && !(await isThere(file))) return { mark: 'failed' };
      const bytes = await openWalFile(file, key);
      if (isSegment(name)) last = name;
      return { mark: 'done', bytes };
    } catch (error) {
      fault ??= new BackupError(
        `${name} of the archive cannot be read. ${(error as Error).message}`,
      );
      return { mark: 'bad' };
    }
  };
  const answering = answerIn(cluster, 10, fetch);
  try {
    const embedded = await startEmbeddedPostgres({
      dataDir: folder,
      log,
      signal,
      settings: {
        restore_command: restoreCommand,
        recovery_target_timeline: 'current',
        recovery_target_action: 'promote',
        // PostgreSQL needs the time zone as `+00` here; it does not accept `Z`.
        ...(at === null ? {} : { recovery_target_time: at.toISOString().replace('Z', '+00') }),
        // No client may read the database before `settle` is called.
        hot_standby: 'off',
        // With this low limit, every checkpoint in the replayed log removes the log files before
        // it.
        max_wal_size: '256MB',
        ...recovery.settings,
      },
    });
    return { embedded, last: () => last, stop: () => answering.stop() };
  } catch (error) {
    await answering.stop();
    if (fault) throw fault;
    if (/recovery target was reached|locate required checkpoint/.test(String(error)))
      throw await tooShort(recovery, folder);
    throw error;
  }
};

/**
 * Recovers a base copy to a chosen time, in a separate folder, and calls `settle` with the
 * connection to the recovered database. Then moves it into the data directory, which must not
 * contain a database. Throws a BackupError if the archive cannot restore that time.
 */
export const recover = async <T>(
  recovery: Recovery,
  settle: (connection: OwnerConnection) => Promise<T>,
): Promise<Recovered<T>> => {
  const { log, onEnd, signal } = recovery;
  const ending = new AbortController();
  onEnd?.(async () => ending.abort(new BackupError('The restore was asked to end.')));
  signal?.addEventListener('abort', () => ending.abort(signal.reason));
  if (signal?.aborted) ending.abort(signal.reason);
  const dataDir = await makeDataDir(recovery.dataDir);
  const lock = lockInstance(dataDir);
  const folder = join(dataDir, unfinished);
  try {
    if ((await lstat(join(dataDir, 'postgres')).catch(() => null)) !== null)
      throw new BackupError(
        `There is a database in ${dataDir}: set WAYSTATION_DATA to a new folder.`,
      );
    await removeUnfinished(folder);
    const runAs = await chooseRunAs(null);
    const cluster = await unpack(recovery, folder, runAs, ending.signal);
    const { embedded, last, stop } = await startRecovered(recovery, folder, cluster, ending.signal);
    onEnd?.(() => embedded.stop());
    const stopEarly = (): void => void embedded.stop().catch(() => {});
    ending.signal.addEventListener('abort', stopEarly);
    if (ending.signal.aborted) stopEarly();
    const result = await settle(embedded.connection)
      .finally(() => embedded.stop())
      .finally(stop);
    await rename(cluster, await placeCluster(dataDir, runAs, log));
    await syncFolder(dirname(cluster));
    await syncFolder(dataDir);
    return { result, last: last() };
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : explained(error, dataDir);
  } finally {
    await removeUnfinished(folder).catch(() => {});
    lock.release();
  }
};
