import { spawn } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { EmbeddedError } from './embedded-error.ts';
import { isPostmasterOf, readPostmasterFile } from './postmaster-file.ts';
import type { RunAs } from './run-as.ts';

/** A running PostgreSQL: our child, or one left by an earlier supervisor. */
export interface Postmaster {
  pid: number;
  /** Resolves with a description when the PostgreSQL process has ended. */
  gone: Promise<string>;
  isGone(): boolean;
}

export interface Place {
  cluster: string;
  socketDir: string;
  logFile: string;
  binaries: Binaries;
  runAs: RunAs | null;
}

const pollMs = 20;
const watchMs = 500;
const largestLog = 8 * 1024 * 1024;

/**
 * Keeps the log in two files of about 8 MB, and returns the length of the present file. The log is
 * copied and not renamed, because a running PostgreSQL keeps the file open for appending.
 */
export const rotateLog = (file: string): number => {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= largestLog) return size;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
  return 0;
};

/**
 * Starts PostgreSQL in a separate session, so that Ctrl-C in a terminal ends only this process.
 * Does not wait until PostgreSQL is ready.
 */
export const spawnPostmaster = ({
  cluster,
  socketDir,
  logFile,
  binaries,
  runAs,
}: Place): Postmaster => {
  const output = openSync(logFile, 'a', 0o600);
  const words = ['-D', cluster, '-k', socketDir, '-c', 'listen_addresses='];
  const child = spawn(binaries.postgres, words, {
    ...runAs,
    cwd: '/',
    env: binaries.env,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let ended = false;
  const gone = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  }).finally(() => (ended = true));
  child.unref();
  return { pid: child.pid ?? 0, gone, isGone: () => ended };
};

/**
 * Takes over a PostgreSQL that this process did not start. It can therefore be watched only by its
 * process number.
 */
export const adoptPostmaster = (pid: number, cluster: string): Postmaster => {
  let ended = false;
  const gone = new Promise<string>((resolve) => {
    const watch = setInterval(() => {
      if (isPostmasterOf(pid, cluster)) return;
      clearInterval(watch);
      ended = true;
      resolve('an unknown end');
    }, watchMs);
    watch.unref();
  });
  return { pid, gone, isGone: () => ended || !isPostmasterOf(pid, cluster) };
};

/**
 * Waits until PostgreSQL accepts connections, which may take long if it recovers from a crash.
 * Returns false if PostgreSQL ended or `abort` was signalled.
 */
export const waitUntilReady = async (
  postmaster: Postmaster,
  cluster: string,
  abort: AbortSignal,
  slow: () => void,
): Promise<boolean> => {
  for (let waited = 0; !postmaster.isGone() && !abort.aborted; waited += pollMs) {
    const file = readPostmasterFile(cluster);
    // The file may belong to an earlier postmaster, so its process number is compared too.
    if (file?.ready && file.pid === postmaster.pid) return true;
    if (waited > 0 && waited % 10_000 === 0) slow();
    await sleep(pollMs);
  }
  return false;
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended already.
  }
};

/**
 * Stops PostgreSQL with a fast shutdown. If PostgreSQL does not end in time, tries an immediate
 * shutdown, and then SIGKILL. No committed data is lost.
 */
export const stopPostmaster = async (postmaster: Postmaster): Promise<void> => {
  for (const [name, milliseconds] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    if (postmaster.isGone()) return;
    signal(postmaster.pid, name);
    for (let waited = 0; waited < milliseconds; waited += pollMs) {
      if (postmaster.isGone()) return;
      await sleep(pollMs);
    }
  }
};

/** Returns PostgreSQL's last output, for the message that explains why it did not start. */
export const logSince = (logFile: string, from: number): string => {
  try {
    return readFileSync(logFile).subarray(from).toString('utf8').trim();
  } catch {
    return '';
  }
};

export const startProblem = (
  output: string,
  how: string,
  { cluster, logFile }: Place,
): EmbeddedError => {
  if (/No space left on device|Disk quota exceeded/i.test(output))
    return new EmbeddedError(
      'disk_full',
      `The disk that holds ${cluster} is full: free some space and start again.`,
    );
  const words = output
    .split('\n')
    .filter((line) => /(FATAL|PANIC|error while loading|could not)/.test(line))
    .at(-1)
    ?.replace(/^.*?(FATAL|PANIC):\s*/, '');
  return new EmbeddedError(
    'failed',
    `The database did not start (${words ?? how}); its log is ${logFile}.`,
  );
};

export const signalAll = (pids: number[], name: NodeJS.Signals): void => {
  for (const pid of pids) signal(pid, name);
};

/** True if the socket still exists. Programs that clean up temporary folders may delete it. */
export const hasSocket = (socketDir: string): boolean =>
  existsSync(join(socketDir, '.s.PGSQL.5432'));
