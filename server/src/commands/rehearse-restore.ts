import { chmod, mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#config.ts';
import { staleSeconds } from './backup-record.ts';
import type { CommandResult } from './command-result.ts';
import { restoreAtCommand } from './restore-at.ts';
import { lockInstance } from '#platform/embedded/instance-lock.ts';
import { removeDataDir } from '#platform/embedded/places.ts';
import type { Log } from '#platform/log.ts';
import { archiveFolder } from '#platform/wal/archiver.ts';
import { removeUnfinishedIn } from '#platform/wal/recover.ts';
import { writeTestRestore } from '#platform/wal/test-restore-facts.ts';

interface RehearsalContext {
  config: Config;
  log: Log;
  print?: (line: string) => void;
  /** Runs when the process is asked to end. */
  onEnd?: (run: () => Promise<void>) => void;
  /** The database of the cluster that is proved. */
  database?: string;
}

const prefix = 'waystation-restore-';

/** Removes what a killed test restore left behind, and ends its PostgreSQL. */
const removeStale = async (log: Log): Promise<void> => {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const dataDir = join(tmpdir(), name);
    try {
      if (Date.now() - (await stat(dataDir)).mtimeMs < staleSeconds * 1_000) continue;
      // Throws where a test restore that is alive holds the folder.
      const lock = lockInstance(dataDir);
      await removeUnfinishedIn(dataDir, log).finally(() => lock.release());
      await removeDataDir(dataDir);
    } catch {
      // Another user's, or in use.
    }
  }
};

/** The sentences of a restore that say why it is not verified. */
const reasonOf = (text: string): string => text.split('\n').slice(-2).join(' ').slice(0, 500);

const inScratch = async (context: RehearsalContext, folder: string): Promise<CommandResult> => {
  const { config, log, onEnd } = context;
  await removeStale(log);
  const dataDir = await mkdtemp(join(tmpdir(), prefix));
  let ended = (): void => {};
  const removed = new Promise<void>((resolve) => (ended = resolve));
  // Added first, and so awaited last, after what the restore itself has to end.
  onEnd?.(() => removed);
  try {
    // The account that PostgreSQL runs as must reach its folder below.
    await chmod(dataDir, 0o755);
    return await restoreAtCommand(
      {
        ...context,
        config: {
          ...config,
          dataDir,
          // The archive's own copy is read, and the one of this machine stays as it is.
          headsFile: config.headsFile === null ? null : join(dataDir, 'heads.jsonl'),
        },
        // Nothing here has to survive a power failure.
        settings: { fsync: 'off' },
      },
      folder,
      'latest',
    );
  } finally {
    await removeDataDir(dataDir).finally(ended);
  }
};

const failed = (text: string): CommandResult => ({ text, code: 1, to: 'stderr' });

/**
 * `restore --rehearse`: restores the newest moment of this database's log archive into a temporary
 * folder, verifies it there, removes it, and records the outcome in the archive.
 */
export const rehearseRestoreCommand = async (context: RehearsalContext): Promise<CommandResult> => {
  const { config } = context;
  if (config.walDir === null)
    return failed('No log is archived: set WAYSTATION_WAL_DIR, and start with it.');
  const folder = await archiveFolder(config);
  if (folder === null)
    return failed(
      `Nothing was archived yet: start with WAYSTATION_WAL_DIR, and wait for ${config.walSeconds} s.`,
    );
  const [begun, since] = [new Date(), performance.now()];
  const { text, code } = await inScratch(context, folder);
  const problem = code === 0 ? null : reasonOf(text);
  await writeTestRestore(folder, begun, problem);
  const seconds = ((performance.now() - since) / 1_000).toFixed(1);
  return problem === null
    ? { text: `${text}\nThe copy was removed. The test restore took ${seconds} s.`, code }
    : failed(`${text}\nThe test restore failed: ${problem}`);
};
