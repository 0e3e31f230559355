import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeDataDir } from '#platform/embedded/places.ts';
import { scratchFolder } from '#platform/scratch.ts';
import { archiveFolder } from './archiver.ts';
import type { WalConfig } from './archiver.ts';
import { removeUnfinishedIn } from './recover.ts';
import { lockWork } from './single-run.ts';
import { endTestRestore } from './test-restore-facts.ts';
import type { TestRestoreFacts } from './test-restore-facts.ts';
import { isThere } from './wal-files.ts';

/**
 * The lock for a test restore of this installation. It also creates and removes the folder of the
 * copy.
 */
interface TestRestoreLock {
  /** Creates the empty folder for the copy, and returns its path. */
  makeCopy(): Promise<string>;
  /**
   * Stops the PostgreSQL of the copy and deletes the copy, also if the process that made it was
   * killed.
   */
  removeCopy(): Promise<void>;
  release(): void;
}

/** The reason that is stored for a test restore that was killed. */
export const killedReason = 'The test restore was killed before it ended.';

const lockTestRestore = async (dataDir: string): Promise<TestRestoreLock | null> => {
  const lock = await lockWork(dataDir, 'test-restore');
  if (lock === null) return null;
  // The path of the copy is written to a file in this folder and not in TMPDIR, because another
  // process may have another TMPDIR.
  const note = join(lock.folder, 'copy');
  const removeCopy = async (): Promise<void> => {
    const copy = await readFile(note, 'utf8').catch(() => '');
    const isOurs =
      isAbsolute(copy) &&
      basename(copy).startsWith('restore-') &&
      (await scratchFolder(dirname(dirname(copy))).catch(() => null)) === dirname(copy);
    if (isOurs && (await isThere(copy))) {
      await removeUnfinishedIn(copy);
      await removeDataDir(copy);
    }
    await rm(note, { force: true });
  };
  const makeCopy = async (): Promise<string> => {
    const name = createHash('sha256')
      .update(await realpath(dataDir))
      .digest('hex')
      .slice(0, 12);
    const copy = join(await scratchFolder(), `restore-${name}`);
    await writeFile(note, copy);
    await mkdir(copy, { recursive: true });
    // The account that runs PostgreSQL must be able to enter its folder inside this one.
    await chmod(copy, 0o755);
    return copy;
  };
  return { makeCopy, removeCopy, release: lock.release };
};

/**
 * The longest wait in milliseconds for another process, which may hold the lock only to check
 * something or to remove files.
 */
const mostWaitMs = 10_000;

/**
 * Takes the lock and removes what a killed test restore left behind. Returns null if another test
 * restore runs.
 */
export const beginAlone = async (dataDir: string): Promise<TestRestoreLock | null> => {
  const until = performance.now() + mostWaitMs;
  for (;;) {
    const lock = await lockTestRestore(dataDir);
    if (lock === null && performance.now() > until) return null;
    if (lock === null) {
      await sleep(200);
      continue;
    }
    try {
      await lock.removeCopy();
      return lock;
    } catch (error) {
      lock.release();
      throw error;
    }
  }
};

/**
 * True if a test restore of this installation is running. If an earlier test restore was killed,
 * removes its files and records that it failed.
 */
export const isTestRestoring = async (
  config: WalConfig,
  facts: TestRestoreFacts | null,
): Promise<boolean> => {
  // No test restore was ever made with this data directory.
  if (!(await isThere(join(config.dataDir, 'test-restore')))) return false;
  const lock = await lockTestRestore(config.dataDir);
  if (lock === null) return true;
  try {
    await lock.removeCopy();
    const folder = facts?.ended === false ? await archiveFolder(config) : null;
    if (folder !== null && facts !== null)
      await endTestRestore(folder, new Date(facts.at), killedReason);
    return false;
  } finally {
    lock.release();
  }
};
