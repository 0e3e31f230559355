import { fill } from '@waystation/contract/base/fill.ts';
import type { Config } from '#config.ts';
import type { CommandResult } from './command-result.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { removeArchive } from '#platform/wal/old-archives.ts';

/** `backup --remove FOLDER` removes the WAL archive of an earlier database or key. */
export const removeArchiveCommand = async (
  config: Config,
  folder: string,
): Promise<CommandResult> => {
  try {
    const { files, bytes } = await removeArchive(config, folder, new Date());
    return {
      text: `Removed ${folder}: ${fill('{n|file|files}', { n: files })}, ${(bytes / 1_000_000).toFixed(1)} MB.`,
      code: 0,
    };
  } catch (error) {
    if (error instanceof BackupError) return { text: error.message, code: 1, to: 'stderr' };
    throw error;
  }
};
