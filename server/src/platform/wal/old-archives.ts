import { readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Config } from '#config.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { archiveFolder, identifierIn, removedMark } from './archiver.ts';
import type { WalConfig } from './archiver.ts';
import { readTestRestore } from './test-restore-facts.ts';
import { firstMissing, isArchiveName, isWalFile, readArchive } from './wal-files.ts';

type ArchiveConfig = WalConfig & Pick<Config, 'walDays'>;

/**
 * True for a file that the product writes into an archive, also if a killed process left it
 * incomplete.
 */
const isArchiveFile = (name: string): boolean => {
  const whole = name.replace(/\.part$/, '');
  return (
    isWalFile(whole) ||
    /^(?:base-\d{8}T\d{6}Z(?:\.json)?|heads-[0-9a-f]{16}-\d{15}|test-restore\.json|system-identifier)$/.test(
      whole,
    )
  );
};

interface Content {
  names: string[];
  bytes: number;
  /** The time at which the newest file was written; null if the archive is empty. */
  last_at: Date | null;
}

const contentOf = async (folder: string): Promise<Content> => {
  const names = await readdir(folder);
  const found = await Promise.all(names.map((name) => stat(join(folder, name))));
  const last = found.reduce((most, { mtimeMs }) => Math.max(most, mtimeMs), 0);
  return {
    names,
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    last_at: found.length === 0 ? null : new Date(last),
  };
};

const keptMs = ({ walDays }: ArchiveConfig): number => walDays * 86_400_000;

/**
 * True if this database's archive can restore its latest time, and a test restore of it succeeded.
 * Otherwise an older archive may be the only usable one.
 */
const isOwnWhole = async (config: ArchiveConfig): Promise<boolean> => {
  const own = await archiveFolder(config);
  if (own === null) return false;
  const { bases, segments } = await readArchive(own);
  const isVerified = (await readTestRestore(own))?.verified_at != null;
  return isVerified && bases.some(({ from }) => firstMissing(segments, from) === null);
};

/**
 * True if the folder is an earlier archive of this database. A new archive begins after a restore
 * and after a change of the key.
 */
const isPredecessor = async (config: ArchiveConfig, folder: string): Promise<boolean> => {
  const own = await archiveFolder(config);
  const identifier = await identifierIn(folder);
  return own !== null && identifier !== null && identifier === (await identifierIn(own));
};

/**
 * Returns the earlier archives of this database that are not needed any more, because their last
 * file is older than the retention period. Returns none if the disk does not respond.
 */
export const oldArchives = async (
  config: ArchiveConfig,
  now: Date,
): Promise<{ folder: string; last_at: Date }[]> => {
  const { walDir } = config;
  if (walDir === null || !(await isOwnWhole(config).catch(() => false))) return [];
  const own = await archiveFolder(config);
  const found: { folder: string; last_at: Date }[] = [];
  for (const name of await readdir(walDir).catch(() => [])) {
    const folder = join(walDir, name);
    if (!isArchiveName(name) || folder === own || !(await isPredecessor(config, folder))) continue;
    const last_at = (await contentOf(folder).catch(() => null))?.last_at ?? null;
    if (last_at !== null && now.getTime() - last_at.getTime() > keptMs(config))
      found.push({ folder, last_at });
  }
  return found;
};

/**
 * Removes an earlier archive of this database. Throws a BackupError if it may still be needed: it
 * contains a time within the retention period, another database wrote it, or no test restore of the
 * present archive was verified.
 */
export const removeArchive = async (
  config: ArchiveConfig,
  target: string,
  now: Date,
): Promise<Omit<Content, 'names'> & { files: number }> => {
  const { walDir, walDays } = config;
  if (walDir === null)
    throw new BackupError('No log is archived: set WAYSTATION_WAL_DIR to the folder of archives.');
  const folder = resolve(target);
  if (dirname(folder) !== walDir || !isArchiveName(basename(folder)))
    throw new BackupError(`${folder} is no archive in ${walDir}.`);
  const { names, bytes, last_at } = await contentOf(folder).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new BackupError(`There is no folder ${folder}.`) : error;
    },
  );
  if (folder === (await archiveFolder(config)))
    throw new BackupError(`${folder} is the archive of this database.`);
  const foreign = names.find((name) => !isArchiveFile(name));
  if (foreign !== undefined)
    throw new BackupError(`${join(folder, foreign)} is no file of an archive: nothing is removed.`);
  if (last_at !== null && now.getTime() - last_at.getTime() <= keptMs(config))
    throw new BackupError(
      `${folder} was written until ${last_at.toISOString()}: another database archives into it, or moments of the last ${walDays} days are restored of it (WAYSTATION_WAL_DAYS). Remove it after ${new Date(last_at.getTime() + keptMs(config)).toISOString()}.`,
    );
  if (!(await isPredecessor(config, folder)))
    throw new BackupError(
      `${folder} does not name this database as its owner: another one may archive into it again. If that one is gone, remove the folder with the tools of the system.`,
    );
  if (!(await isOwnWhole(config)))
    throw new BackupError(
      `No test restore of this database's archive is verified yet: make a base copy with "backup --base" and "restore --rehearse" it, then remove ${folder}.`,
    );
  await writeFile(removedMark(folder), '');
  // The JSON files of base copies are removed first, so that nobody can restore from a partly
  // removed archive.
  const facts = (name: string): number => (name.endsWith('.json') ? 0 : 1);
  for (const name of names.toSorted((one, other) => facts(one) - facts(other)))
    await rm(join(folder, name), { force: true });
  await rmdir(folder);
  return { files: names.length, bytes, last_at };
};
