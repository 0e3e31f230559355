import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedError } from './embedded-error.ts';

const execute = promisify(execFile);

/** The account that PostgreSQL runs as, if it differs from the account of this process. */
export interface RunAs {
  uid: number;
  gid: number;
}

const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

const lookUp = async (name: string): Promise<RunAs | null> => {
  try {
    const ids = await Promise.all(
      ['-u', '-g'].map((option) => execute('id', [option, name], { env })),
    );
    const [uid, gid] = ids.map(({ stdout }) => Number(stdout));
    return uid && gid !== undefined ? { uid, gid } : null;
  } catch {
    return null;
  }
};

/**
 * Chooses the account that runs PostgreSQL if this process runs as root, because PostgreSQL does
 * not run as root. This is the owner of an existing cluster, or else `postgres` or `nobody`: initdb
 * needs an account in the password file. Null means the account of this process.
 */
export const chooseRunAs = async (clusterOwner: RunAs | null): Promise<RunAs | null> => {
  if (process.getuid?.() !== 0) return null;
  if (clusterOwner && clusterOwner.uid !== 0) return clusterOwner;
  const found = (await lookUp('postgres')) ?? (await lookUp('nobody'));
  if (found) return found;
  throw new EmbeddedError(
    'no_account',
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody": start as a normal user, or give DATABASE_URL.',
  );
};

/**
 * True if the account may enter and read a folder. The operating system makes this check, because
 * it also considers parent folders and access lists.
 */
export const canReach = async (folder: string, runAs: RunAs | null): Promise<boolean> => {
  try {
    if (runAs)
      await execute('/bin/sh', ['-c', 'test -r "$0/." && test -x "$0/."', folder], {
        ...runAs,
        cwd: '/',
        env,
      });
    else await access(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
