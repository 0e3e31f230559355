import { execFileSync } from 'node:child_process';
import {
  chownSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** The content of `postmaster.pid`, which a postmaster writes about itself. */
export interface PostmasterFile {
  pid: number;
  socketDir: string;
  /** True if line 8 of the file says that connections are accepted. */
  ready: boolean;
}

/** Reads the file `postmaster.pid`; null if it is missing or incomplete. */
export const readPostmasterFile = (cluster: string): PostmasterFile | null => {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid !== 0
    ? { pid, socketDir: lines[4] ?? '', ready: lines[7]?.trim() === 'ready' }
    : null;
};

const hasProc = process.platform === 'linux';

/** Returns the arguments of a running process; null if the process has ended or is a zombie. */
const argumentsOf = (pid: number): string[] | null => {
  try {
    if (hasProc) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses may contain any character, so the process state follows the last
      // parenthesis.
      const state = stat.slice(stat.lastIndexOf(')') + 2)[0];
      return state === 'Z' || state === 'X'
        ? null
        : readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    }
    const [state = 'Z', ...words] = execFileSync(
      '/bin/ps',
      ['-ww', '-o', 'state=,command=', '-p', String(pid)],
      { encoding: 'utf8' },
    )
      .trim()
      .split(/\s+/);
    return state.startsWith('Z') ? null : words;
  } catch {
    return null;
  }
};

/**
 * True if this process is a postmaster of this cluster. The process number is not enough, because
 * another program may have it now.
 */
export const isPostmasterOf = (pid: number, cluster: string): boolean => {
  if (pid <= 0) return false;
  const words = argumentsOf(pid);
  if (!words) return false;
  return hasProc
    ? words[words.indexOf('-D') + 1] === cluster && words.includes('-D')
    : words.join(' ').includes(`-D ${cluster} `);
};

/**
 * Returns the path of the program that a process runs; null if the operating system does not show
 * it. The path of a replaced file ends with "(deleted)".
 */
export const programOf = (pid: number): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
};

/**
 * Finds PostgreSQL processes whose postmaster has ended. No new postmaster starts before they have
 * ended, because they still use the shared memory. Works only on Linux.
 */
export const orphansOf = (cluster: string): number[] => {
  if (!hasProc) return [];
  const at = (pid: string): string | null => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return null;
    }
  };
  return readdirSync('/proc')
    .filter(
      (name) =>
        /^\d+$/.test(name) &&
        at(name) === cluster &&
        programOf(Number(name))?.includes('/bin/postgres'),
    )
    .map(Number);
};

/** A process number that no process ever has. */
const nobody = '2147483647';

/**
 * Makes the lock files of a dead PostgreSQL server harmless. Their process number may now be that
 * of another program, so that PostgreSQL would refuse to start. Only this number is changed,
 * because PostgreSQL uses the rest of the file to check that the old shared memory is free.
 */
export const invalidateStaleLocks = (cluster: string, socketDir: string): void => {
  for (const file of [join(cluster, 'postmaster.pid'), join(socketDir, '.s.PGSQL.5432.lock')]) {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      continue;
    }
    const { uid, gid } = statSync(file);
    // The file is empty because the disk was full. It contains no process number, and PostgreSQL
    // refuses to start while it exists.
    if (text.trim() === '') {
      rmSync(file);
      continue;
    }
    writeFileSync(`${file}.new`, [nobody, ...text.split('\n').slice(1)].join('\n'), {
      mode: 0o600,
    });
    chownSync(`${file}.new`, uid, gid);
    renameSync(`${file}.new`, file);
  }
};
