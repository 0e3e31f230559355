import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, realpath, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#config.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { readOfAccount, writeForAccount } from '#platform/embedded/account-files.ts';
import type { Log } from '#platform/log.ts';
import { answerIn, archiveCommand, exchangeFolder } from './exchange.ts';
import type { Answer } from './exchange.ts';
import { headsArchiver } from './heads-copy.ts';
import {
  isArchiveName,
  isThere,
  onePiece,
  OtherContentError,
  segmentBytes,
  storeWalFile,
  writeWhole,
} from './wal-files.ts';

type Settings = Record<string, string>;

/**
 * The largest number of log bytes that wait for a failing archive. Above it, parts of the log are
 * dropped.
 */
export const mostWaitingBytes = 4 * 1024 ** 3;

/** The limits that decide if a part of the log is dropped when it cannot be archived. */
interface Limits {
  mostBytes: number;
  /**
   * The number of bytes that must stay free on the database's disk while a part of the log waits to
   * be archived.
   */
  leastFreeBytes: number;
  /**
   * Nothing is dropped while fewer than this number of bytes wait. So few bytes would not help if
   * something else fills the disk.
   */
  fewBytes: number;
  /**
   * Milliseconds that archiving one log file may take. This is less than the time that the archive
   * command waits.
   */
  longestMs: number;
}
const usual: Limits = {
  mostBytes: mostWaitingBytes,
  leastFreeBytes: 1e9,
  fewBytes: 4 * segmentBytes,
  longestMs: 45_000,
};

/** The number of log parts that this process has dropped without archiving them. */
export const givenUp = { parts: 0 };

/**
 * Returns the PostgreSQL settings for archiving the log; empty if no archive folder is configured.
 */
export const archiveSettings = ({
  walDir,
  walSeconds,
}: Pick<WalConfig, 'walDir' | 'walSeconds'>): Settings =>
  walDir === null
    ? {}
    : {
        archive_mode: 'on',
        archive_command: archiveCommand,
        archive_timeout: `${walSeconds}s`,
      };

export type WalConfig = Pick<
  Config,
  'backupKey' | 'dataDir' | 'headsFile' | 'walDir' | 'walSeconds'
>;

export const clusterOf = (dataDir: string): Promise<string> => realpath(join(dataDir, 'postgres'));

const markOf = (key: Buffer | null): string =>
  key === null
    ? 'none'
    : createHash('sha256').update('archive').update(key).digest('hex').slice(0, 16);

/**
 * Returns the name of the archive into which the database writes with this key; null if it has
 * none. The file with the name is in the cluster, but never in a base copy. A restored database, or
 * one with another key, therefore begins a new archive.
 */
const knownName = async (cluster: string, key: Buffer | null): Promise<string | null> => {
  const file = join(cluster, exchangeFolder, 'archive');
  const [name = '', mark] = `${await readOfAccount(file, 1_000).catch(() => '')}`.split(' ');
  return isArchiveName(name) && mark === markOf(key) ? name : null;
};

/** The file of an archive that contains the system identifier of the database. */
const ownerFile = 'system-identifier';

/**
 * Returns the system identifier that initdb gave to a cluster and that its restored copies keep.
 * Returns null if it is unknown.
 */
export const identifierOf = async (cluster: string): Promise<string | null> => {
  const control = await readOfAccount(join(cluster, 'global', 'pg_control'), 65_536).catch(
    () => null,
  );
  return control === null || control.length < 8 ? null : `${control.readBigUInt64LE(0)}`;
};

/** Returns the system identifier of the database that writes an archive; null if it is unknown. */
export const identifierIn = async (folder: string): Promise<string | null> => {
  const text = await readFile(join(folder, ownerFile), 'utf8').catch(() => '');
  return /^\d{1,20}\n$/.test(text) ? text.trim() : null;
};

/**
 * Writes the system identifier into the archive if the archive has none, because an earlier version
 * created it.
 */
const writeIdentifier = async (cluster: string, folder: string): Promise<void> => {
  if (await isThere(join(folder, ownerFile))) return;
  const identifier = await identifierOf(cluster);
  if (identifier !== null)
    await writeWhole(folder, ownerFile, onePiece(Buffer.from(`${identifier}\n`)));
};

/**
 * Returns the path of a file beside the archives, which shows that "backup --remove" removed an
 * archive. If the database of that archive still exists, it begins another archive. If an archive
 * folder is missing without this file, its disk is not connected.
 */
export const removedMark = (folder: string): string => `${folder}.removed`;

/** Creates a new archive. Its name is stored in the cluster only after its folder was created. */
const makeArchive = async (
  cluster: string,
  walDir: string,
  key: Buffer | null,
): Promise<string> => {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const name = `${stamp}Z-${randomBytes(2).toString('hex')}`;
  const folder = join(walDir, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const note = join(cluster, exchangeFolder, 'archive');
  await writeForAccount(note, `${name} ${markOf(key)}`, null, true);
  return folder;
};

/**
 * Returns the folder of this installation's archive; null if archiving is off or nothing was
 * archived yet.
 */
export const archiveFolder = async ({
  backupKey,
  dataDir,
  walDir,
}: Pick<WalConfig, 'backupKey' | 'dataDir' | 'walDir'>): Promise<string | null> => {
  if (walDir === null) return null;
  const name = await clusterOf(dataDir).then(
    (cluster) => knownName(cluster, backupKey),
    () => null,
  );
  return name === null ? null : join(walDir, name);
};

/**
 * Returns the folder of the archive. If the database has no archive, creates one. Throws if the
 * folder is missing, because its disk may be unavailable.
 */
const folderFor = async (cluster: string, walDir: string, key: Buffer | null): Promise<string> => {
  const known = await knownName(cluster, key);
  if (known === null) return makeArchive(cluster, walDir, key);
  const folder = join(walDir, known);
  if (await isThere(folder)) return folder;
  if (await isThere(removedMark(folder))) return makeArchive(cluster, walDir, key);
  throw new BackupError(`The archive ${folder} is not there: is its disk away?`);
};

/** Bytes of the log that wait to be archived. */
export const waitingBytes = async (cluster: string): Promise<number> => {
  const names = await readdir(join(cluster, 'pg_wal', 'archive_status')).catch(() => []);
  return names.filter((name) => name.endsWith('.ready')).length * segmentBytes;
};

const mustGiveUp = async (
  cluster: string,
  { mostBytes, leastFreeBytes, fewBytes }: Limits,
): Promise<boolean> => {
  const waiting = await waitingBytes(cluster);
  if (waiting > mostBytes) return true;
  if (waiting < fewBytes) return false;
  const { bavail, bsize } = await statfs(cluster);
  return bavail * bsize < leastFreeBytes;
};

/** Throws if the archive does not respond in time. The call to the archive itself continues. */
const within = async (ended: Promise<void>, longestMs: number): Promise<void> => {
  const timer = new AbortController();
  const late = sleep(longestMs, undefined, { signal: timer.signal }).then(() => {
    throw new BackupError(`The archive did not answer within ${longestMs / 1_000} s.`);
  });
  await Promise.race([ended, late]).finally(() => timer.abort());
};

/**
 * Archives one file at a time, because each call that hangs occupies a thread. A repeated call for
 * the file that is being archived waits for that call; a call for another file is refused.
 */
const oneAtATime = (store: (name: string) => Promise<void>): ((name: string) => Promise<void>) => {
  let under: { name: string; ended: Promise<void> } | null = null;
  return async (name) => {
    if (under !== null && under.name !== name)
      throw new BackupError(`The archive hangs since ${under.name}.`);
    under ??= { name, ended: store(name).finally(() => (under = null)) };
    await under.ended;
  };
};

/**
 * Stores one log file in the archive. A file that does not continue the archive begins a new
 * archive.
 */
const storeIn = (
  cluster: string,
  { backupKey, headsFile, walDir }: Pick<WalConfig, 'backupKey' | 'headsFile'> & { walDir: string },
  log: Log,
): ((name: string) => Promise<void>) => {
  const storeHeads = headsArchiver(headsFile);
  let said = '';
  const into = async (folder: string, name: string): Promise<void> => {
    // The file of ledger hashes (heads) is archived before the log file that contains the hashed
    // rows. Every time that can be restored therefore has its hashes.
    const fault = await storeHeads(folder, backupKey).then(
      () => '',
      ({ code, message }: NodeJS.ErrnoException) => code ?? message,
    );
    await storeWalFile(join(cluster, 'pg_wal', name), folder, name, backupKey);
    if (fault !== '' && fault !== said)
      log.error({ reason: fault }, 'the heads file is not archived');
    said = fault;
  };
  return async (name) => {
    const folder = await folderFor(cluster, walDir, backupKey);
    await writeIdentifier(cluster, folder);
    await into(folder, name).catch(async (error: unknown) => {
      if (!(error instanceof OtherContentError)) throw error;
      log.error({ name, folder }, 'the log does not continue its archive, and begins another');
      await into(await makeArchive(cluster, walDir, backupKey), name);
    });
  };
};

/**
 * Archives the finished log files of a data directory's PostgreSQL until it is stopped. If
 * archiving fails for too long, the oldest part is dropped, so that the disk does not become full.
 * The archive then has a gap until its next base copy.
 */
export const startArchiver = async (
  { walDir, ...config }: Omit<WalConfig, 'walSeconds'>,
  log: Log,
  changes: Partial<Limits> = {},
): Promise<{ stop(): Promise<void> }> => {
  if (walDir === null) return { stop: async () => {} };
  const limits = { ...usual, ...changes };
  const cluster = await clusterOf(config.dataDir);
  const store = oneAtATime(storeIn(cluster, { ...config, walDir }, log));
  let said = '';
  const archive = async (name: string): Promise<Answer> => {
    try {
      await within(store(name), limits.longestMs);
      said = '';
      return { mark: 'done' };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = error instanceof BackupError ? message : (code ?? message);
      if (reason !== said) log.error({ name, reason }, 'the log is not archived');
      said = reason;
      if (!(await mustGiveUp(cluster, limits).catch(() => false))) return { mark: 'failed' };
      givenUp.parts += 1;
      log.error({ name }, 'a part of the log was given up, so that the disk does not fill');
      return { mark: 'done' };
    }
  };
  return answerIn(cluster, 200, archive);
};
