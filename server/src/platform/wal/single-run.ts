import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError } from '#platform/embedded/embedded.ts';
import { lockInstance } from '#platform/embedded/instance-lock.ts';
import { isThere } from './wal-files.ts';

type WorkName = 'base-copy' | 'test-restore';

/**
 * Reserves a piece of work of this installation for one process; null if another process does it.
 * The lock ends with the process, however it dies.
 */
export const lockWork = async (
  dataDir: string,
  name: WorkName,
): Promise<{ folder: string; release(): void } | null> => {
  const folder = join(dataDir, name);
  await mkdir(folder, { recursive: true });
  try {
    return { folder, release: lockInstance(folder).release };
  } catch (error) {
    if (error instanceof EmbeddedError && error.reason === 'in_use') return null;
    throw error;
  }
};

/** True if a running process holds the lock of this work. */
export const isWorkRunning = async (dataDir: string, name: WorkName): Promise<boolean> => {
  if (!(await isThere(join(dataDir, name)))) return false;
  const lock = await lockWork(dataDir, name);
  lock?.release();
  return lock === null;
};
