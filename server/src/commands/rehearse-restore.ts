import { join } from 'node:path';
import type { Config } from '#config.ts';
import type { CommandResult } from './command-result.ts';
import { restoreAtCommand } from './restore-at.ts';
import { BackupError } from '#platform/db/backup/backup-error.ts';
import { isDiskFull } from '#platform/disks.ts';
import type { Log } from '#platform/log.ts';
import { watchScratch } from '#platform/scratch.ts';
import { archiveFolder } from '#platform/wal/archiver.ts';
import { beginAlone } from '#platform/wal/test-restore.ts';
import { beginTestRestore, endTestRestore } from '#platform/wal/test-restore-facts.ts';

interface RehearsalContext {
  config: Config;
  log: Log;
  print?: (line: string) => void;
  /** Registers a function that runs when the process gets a signal to end. */
  onEnd?: (run: () => Promise<void>) => void;
  /** The name of the database, in the restored cluster, that is checked. */
  database?: string;
}

/** Returns the reason of a failed test restore as one line, for the record and the alert. */
const reasonOf = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').slice(0, 500);

/**
 * True if the disk is nearly full. It may be the disk of the running database, which must never
 * become full because of the copy.
 */
const isFull = (disk: { free: number; total: number }): boolean =>
  isDiskFull({ place: '', ...disk });

const inScratch = async (
  { config, ...context }: RehearsalContext,
  folder: string,
  dataDir: string,
): Promise<{ text: string; problem: string | null }> => {
  const ending = new AbortController();
  const limits = watchScratch(
    dataDir,
    { name: 'test restore', mostHours: 12, isFull },
    (sentence) => ending.abort(new BackupError(sentence)),
  );
  try {
    const { text, code, problem } = await restoreAtCommand(
      {
        ...context,
        config: {
          ...config,
          dataDir,
          // The heads file of the archive is copied to this path, so that this machine's own heads
          // file is not changed.
          headsFile: config.headsFile === null ? null : join(dataDir, 'heads.jsonl'),
        },
        // Nothing here has to survive a power failure.
        settings: { fsync: 'off' },
        signal: ending.signal,
        isFull,
      },
      folder,
      'latest',
    );
    return { text, problem: code === 0 ? null : reasonOf(problem ?? text) };
  } catch (error) {
    context.log.error({ err: error }, 'the test restore failed');
    const { message } = error as Error;
    return { text: message, problem: reasonOf(message) };
  } finally {
    limits.stop();
  }
};

const failed = (text: string): CommandResult => ({ text, code: 1, to: 'stderr' });

/** Runs a test restore if no other one runs. Records its beginning and its end. */
const rehearseAlone = async (context: RehearsalContext, folder: string): Promise<CommandResult> => {
  const alone = await beginAlone(context.config.dataDir);
  if (alone === null) return failed('A test restore of this database is running already.');
  const [begun, since] = [new Date(), performance.now()];
  try {
    await beginTestRestore(folder, begun);
    const { text, problem } = await alone
      .makeCopy()
      .then((copy) => inScratch(context, folder, copy))
      .finally(() => alone.removeCopy())
      .catch(({ message }: Error) => ({ text: message, problem: reasonOf(message) }));
    await endTestRestore(folder, begun, problem);
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    return problem === null
      ? { text: `${text}\nThe copy was removed. The test restore took ${seconds} s.`, code: 0 }
      : failed(`${text}\nThe test restore failed: ${problem}`);
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    return failed(`The test restore could not be recorded (${code ?? message}).`);
  } finally {
    alone.release();
  }
};

/**
 * `restore --rehearse`: restores the newest moment of this database's WAL archive into a temporary
 * folder. It is verified there and removed, and the outcome is recorded in the archive.
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
  let ended = (): void => {};
  const over = new Promise<void>((resolve) => (ended = resolve));
  // This is added first and therefore awaited last, after the restore has ended its own processes.
  context.onEnd?.(() => over);
  return rehearseAlone(context, folder).finally(ended);
};
