import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#config.ts';
import type { Connections } from '#connections.ts';
import type { CommandResult } from './command-result.ts';
import { asOwner } from './restore.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { baseBackup } from '#platform/db/backup/base-backup.ts';
import type { Log } from '#platform/log.ts';
import { fingerprintOf } from '#platform/secrets/fingerprint.ts';
import { version } from '#platform/version.ts';
import { archiveFolder, clusterOf } from '#platform/wal/archiver.ts';
import { writeBaseCopy } from '#platform/wal/base-copy.ts';
import { lockWork } from '#platform/wal/single-run.ts';
import { oldFiles, readArchive } from '#platform/wal/wal-files.ts';

interface BaseCopyContext {
  config: Config;
  connections: Connections;
  log: Log;
}

/**
 * Removes old files of the archive that are not needed to restore any moment of the last `walDays`
 * days. If a file cannot be removed, the next call tries again.
 */
const removeOld = async ({ config, log }: BaseCopyContext, folder: string): Promise<void> => {
  const before = new Date(Date.now() - config.walDays * 86_400_000);
  for (const name of oldFiles(await readArchive(folder), before))
    await rm(join(folder, name), { force: true }).catch((error: unknown) =>
      log.warn({ err: error, name }, 'an old file of the archive could not be removed'),
    );
};

const makeBaseCopy = async (context: BaseCopyContext): Promise<CommandResult> => {
  const { config } = context;
  const since = performance.now();
  if (config.walDir === null)
    throw new BackupError('No log is archived: set WAYSTATION_WAL_DIR, and start with it.');
  const folder = await archiveFolder(config);
  if (folder === null)
    throw new BackupError(
      `Nothing was archived yet: start with WAYSTATION_WAL_DIR, and wait for ${config.walSeconds} s.`,
    );
  const lock = await lockWork(config.dataDir, 'base-copy');
  if (lock === null) throw new BackupError('A base copy of this database is being made already.');
  return copyInto(context, folder, since).finally(() => lock.release());
};

const copyInto = async (
  context: BaseCopyContext,
  folder: string,
  since: number,
): Promise<CommandResult> => {
  const { config, connections } = context;
  // Old files are also removed before the copy, so that a full archive gets room for it. More files
  // can be removed after the copy.
  await removeOld(context, folder);
  const cluster = await clusterOf(config.dataDir);
  const { name, at, bytes } = await asOwner(connections.owner!, (client) =>
    writeBaseCopy({
      backup: baseBackup(client),
      cluster,
      folder,
      key: config.backupKey,
      secretKey: fingerprintOf(config.secretKey),
      product: version,
    }),
  );
  await removeOld(context, folder);
  return {
    text: `${join(folder, name)}\n${(bytes / 1_000_000).toFixed(1)} MB in ${((performance.now() - since) / 1_000).toFixed(1)} s. Moments from ${at} on can be restored with it.`,
    code: 0,
  };
};

/** `backup --base` writes a base copy of the embedded database into its WAL archive. */
export const baseCopyCommand = async (context: BaseCopyContext): Promise<CommandResult> => {
  try {
    return await makeBaseCopy(context);
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof BackupError) return { text: message, code: 1, to: 'stderr' };
    if (syscall === undefined) throw error;
    return { text: `The base copy could not be written (${code}).`, code: 1, to: 'stderr' };
  }
};
