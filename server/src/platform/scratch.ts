import { chmod, lstat, mkdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupError } from '#platform/db/backup/backup-error.ts';

/** The file system type of Linux that keeps its files in memory. */
const tmpfsType = 0x01021994;

const isInMemory = async (folder: string): Promise<boolean> =>
  (await statfs(folder)).type === tmpfsType;

/** Returns `TMPDIR`, or /var/tmp if that is /tmp and /tmp is kept in memory. */
const scratchBase = async (): Promise<string> => {
  const bases = tmpdir() === '/tmp' ? ['/tmp', '/var/tmp'] : [tmpdir()];
  for (const base of bases) if (!(await isInMemory(base).catch(() => true))) return base;
  throw new BackupError(
    `${bases.join(' and ')} cannot be used or are kept in memory: set TMPDIR to a folder on a disk.`,
  );
};

/**
 * The folder for temporary databases. Only our account may write into it, so no other user can put
 * a link or a folder there that we would follow or remove. Throws a BackupError if the folder
 * belongs to another user.
 */
export const scratchFolder = async (base?: string): Promise<string> => {
  const uid = process.getuid?.() ?? 0;
  const folder = join(base ?? (await scratchBase()), `waystation-scratch-${uid}`);
  // If this process runs as root, PostgreSQL runs as another account, which must be able to enter
  // the folder.
  const mode = uid === 0 ? 0o711 : 0o700;
  const isMade = await mkdir(folder, { mode }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  // The umask may have removed a right that PostgreSQL needs.
  if (isMade) await chmod(folder, mode);
  const found = await lstat(folder);
  const isOurs = process.getuid === undefined || (found.uid === uid && (found.mode & 0o022) === 0);
  if (found.isDirectory() && isOurs) return folder;
  throw new BackupError(
    `${folder} belongs to another user, or another user may write into it: remove it, or set TMPDIR to another folder.`,
  );
};

/** Limits of a temporary database. */
interface ScratchLimits {
  /** The name of the database in the message that reports its end. */
  name: string;
  /** The hours after which the database is stopped. */
  mostHours: number;
  isFull(disk: { free: number; total: number }): boolean;
}

const lookEveryMs = 2_000;

export const diskOf = async (folder: string): Promise<{ free: number; total: number }> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
};

/** Calls `end` with a sentence once the disk is nearly full or the longest time is over. */
export const watchScratch = (
  folder: string,
  { name, mostHours, isFull }: ScratchLimits,
  end: (sentence: string) => void,
): { stop(): void } => {
  const since = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - since > mostHours * 3_600_000)
      end(`The ${name} was ended after ${mostHours} hours.`);
    diskOf(folder).then(
      (disk) => {
        if (isFull(disk)) end(`The ${name} was ended: the disk of ${folder} is full.`);
      },
      () => {},
    );
  }, lookEveryMs).unref();
  return { stop: () => clearInterval(timer) };
};
