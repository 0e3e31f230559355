import { closeSync, constants, fchmodSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedError, fileProblem } from './embedded-error.ts';

const busy = 5;

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

/**
 * Writes the process number of this process into the file. A symbolic link with the file's name is
 * not followed.
 */
const writeHolder = (holder: string): void => {
  const file = openSync(holder, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o644);
  try {
    writeFileSync(file, `${process.pid}\n`);
    fchmodSync(file, 0o644);
  } finally {
    closeSync(file);
  }
};

/**
 * Allows only one supervisor per data directory. The lock is a file lock of the operating system,
 * taken through SQLite because Node has no function for it. It ends with the process, however the
 * process ends, so it never remains.
 */
export const lockInstance = (dataDir: string): { release(): void } => {
  const file = join(dataDir, 'waystation.lock');
  const holder = join(dataDir, 'waystation.pid');
  let held: DatabaseSync | undefined;
  try {
    held = new DatabaseSync(file, { timeout: 0 });
    held.exec('pragma journal_mode = memory; begin exclusive');
    writeHolder(holder);
  } catch (error) {
    held?.close();
    const { errcode } = error as { errcode?: number };
    if (errcode !== undefined && (errcode & 0xff) === busy)
      throw new EmbeddedError('in_use', inUse(dataDir, holder), error);
    // SQLite's errors "unable to open" and "read-only" contain no more detail.
    if (errcode !== undefined)
      fileProblem(Object.assign(new Error('the lock cannot be taken'), { code: 'EACCES' }), file);
    fileProblem(error, holder);
  }
  const lock = held;
  return { release: () => lock?.close() };
};

const inUse = (dataDir: string, holder: string): string => {
  let by = '';
  try {
    by = ` (process ${Number(readFileSync(holder, 'utf8'))})`;
  } catch {
    // The other process has not written its process number yet.
  }
  return `Another Waystation${by} is running on the data in ${dataDir}: stop it, or start this one with another WAYSTATION_DATA and PORT.`;
};
