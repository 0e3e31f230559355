import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/**
 * The minimum number of free bytes. Test databases are small and only a few exist at the same time,
 * but some tests make them grow.
 */
const leastFree = 2 * 1024 ** 3;

/**
 * The folder in which files are kept in memory; null if the machine has no such folder with enough
 * room.
 */
export const memoryFolder = (): string | null => {
  if (process.platform !== 'linux' || !existsSync(memory)) return null;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= leastFree ? memory : null;
};

/**
 * Creates a folder for databases, in memory if there is enough room. On a disk, the thousand files
 * of a database would take ten times the processor time.
 */
export const quickFolder = (prefix: string): string =>
  mkdtempSync(join(memoryFolder() ?? tmpdir(), prefix));
