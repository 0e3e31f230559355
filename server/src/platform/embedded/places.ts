import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '#platform/log.ts';
import { EmbeddedError, fileProblem } from './embedded-error.ts';
import { canReach } from './run-as.ts';
import type { RunAs } from './run-as.ts';

/**
 * Returns the data directory as an absolute path without symbolic links. Creates the directory if
 * it is missing.
 */
export const makeDataDir = async (dataDir: string): Promise<string> => {
  try {
    const first = await mkdir(dataDir, { recursive: true });
    // A strict umask of root would exclude the account that PostgreSQL runs as.
    if (first !== undefined && process.getuid?.() === 0)
      for (let made = dataDir; made.length >= first.length; made = dirname(made))
        await chmod(made, 0o755);
    return await realpath(dataDir);
  } catch (error) {
    return fileProblem(error, dataDir);
  }
};

/** The user and group that own an existing cluster; null if there is no cluster yet. */
export const ownerOf = async (dataDir: string): Promise<RunAs | null> => {
  const found = await stat(join(dataDir, 'postgres')).catch(() => null);
  return found && { uid: found.uid, gid: found.gid };
};

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * Returns a folder that PostgreSQL's account can always reach. It is used if the data directory is
 * below a folder with mode 0700.
 */
export const outerHome = async (dataDir: string): Promise<string> => {
  const home = join('/var/lib', `waystation-${hashOf(dataDir)}`);
  try {
    await mkdir(home, { recursive: true });
    await chmod(home, 0o755);
    return home;
  } catch (error) {
    return fileProblem(error, home);
  }
};

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/**
 * Chooses the directory of the PostgreSQL cluster and returns its path. That is `postgres` in the
 * data directory. If the cluster's account cannot reach that folder or own files in it, the cluster
 * is below /var/lib and `postgres` is a symbolic link to it. In both cases, a start after the data
 * directory was deleted begins with an empty database.
 */
export const placeCluster = async (
  dataDir: string,
  runAs: RunAs | null,
  log: Log,
): Promise<string> => {
  const place = join(dataDir, 'postgres');
  const found = await lstat(place).catch(() => null);
  if (found?.isSymbolicLink()) {
    const target = await readlink(place);
    if (!runAs || (await exists(dirname(target)))) return target;
    await rm(place);
  } else if (found) {
    // The cluster belongs to root after root has copied it back from a backup.
    if (runAs && found.uid === 0)
      await promisify(execFile)('chown', ['-R', `${runAs.uid}:${runAs.gid}`, place]);
    if (process.getuid && runAs === null && found.uid !== process.getuid())
      throw new EmbeddedError(
        'no_permission',
        `The data in ${dataDir} belong to another user: start as that user, or set WAYSTATION_DATA to a folder of your own.`,
      );
    if (!(await canReach(place, runAs)))
      throw new EmbeddedError(
        'no_permission',
        `The user that the database in ${place} belongs to can no longer reach it: give the folders above it the permission "x" for others (chmod o+x).`,
      );
    return place;
  }
  if ((await canReach(dataDir, runAs)) && (await keepsPermissions(dataDir, runAs))) return place;
  if (!runAs)
    throw new EmbeddedError(
      'no_permission',
      `The file system of ${dataDir} keeps no permissions, which PostgreSQL insists on: set WAYSTATION_DATA to a folder on a local disk.`,
    );
  const home = await outerHome(dataDir);
  const target = join(home, 'postgres');
  if (await exists(target)) {
    const aside = `${target}-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`;
    await rename(target, aside);
    log.warn(
      { aside },
      'the data directory is new; the database that belonged to its predecessor was set aside',
    );
  }
  await symlink(target, place).catch((error: unknown) => fileProblem(error, place));
  return target;
};

/**
 * Checks if chown and chmod work in the data directory. On network file systems and on the
 * mounted file systems of other operating systems, the two calls may have no effect. PostgreSQL
 * then refuses to run.
 */
const keepsPermissions = async (dataDir: string, runAs: RunAs | null): Promise<boolean> => {
  const probe = join(dataDir, 'postgres.probe');
  try {
    await rm(probe, { recursive: true, force: true });
    await mkdir(probe, { mode: 0o700 });
    if (runAs) await chown(probe, runAs.uid, runAs.gid);
    const { uid, mode } = await stat(probe);
    return (mode & 0o077) === 0 && (runAs === null || uid === runAs.uid);
  } catch (error) {
    return runAs ? false : fileProblem(error, dataDir);
  } finally {
    await rmdir(probe).catch(() => {});
  }
};

/** The longest path of a Unix socket that every system accepts, in bytes. */
const longestSocketPath = 103;

/**
 * Creates a folder for the socket that only its owner may open. Its path is short, whatever the
 * length of the data directory's path. A folder with that name that belongs to another user is
 * skipped, because that user could answer in place of PostgreSQL.
 */
export const placeSocket = async (cluster: string, runAs: RunAs | null): Promise<string> => {
  const name = `waystation-${hashOf(cluster)}`;
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    for (const suffix of ['', '-1', '-2', '-3']) {
      const folder = join(parent, name + suffix);
      if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) > longestSocketPath) continue;
      if (await claimSocketFolder(folder, runAs)) return folder;
    }
  }
  throw new EmbeddedError(
    'no_permission',
    `No folder for the database's socket can be made in ${tmpdir()}: set TMPDIR to a folder you may write to.`,
  );
};

/**
 * Creates the folder if it is missing. Returns false if it belongs to another account or cannot be
 * created.
 */
export const claimSocketFolder = async (folder: string, runAs: RunAs | null): Promise<boolean> => {
  try {
    const made = await mkdir(folder, { mode: 0o700 }).then(
      () => true,
      () => false,
    );
    if (made && runAs) await chown(folder, runAs.uid, runAs.gid);
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== (runAs?.uid ?? process.getuid?.())) return false;
    if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
    return await canReach(folder, runAs);
  } catch {
    return false;
  }
};

/**
 * Removes a data directory and everything that belongs to it but is stored elsewhere. Its
 * PostgreSQL must be stopped.
 */
export const removeDataDir = async (dataDir: string): Promise<void> => {
  const home = join('/var/lib', `waystation-${hashOf(await realpath(dataDir))}`);
  if (process.getuid?.() === 0) await rm(home, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
};
