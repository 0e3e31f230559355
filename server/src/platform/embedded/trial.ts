import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { limitMs } from '#testing/limits.ts';
import { quickFolder } from '#testing/quick-folder.ts';
import { openDb } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import type { OwnerConnection } from './embedded.ts';

/**
 * Creates a data directory for the tests of this folder. Its path contains a space and Chinese
 * characters, and every account can reach it.
 */
export const trialFolder = (): { dataDir: string; remove(): void } => {
  const folder = quickFolder('trial 数据 ');
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  return {
    dataDir,
    remove: () => {
      for (const home of [outerHomeOf(dataDir)])
        if (home?.startsWith('/var/lib/waystation-'))
          rmSync(home, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/**
 * Returns the folder below /var/lib that contains the cluster of a data directory; null if the
 * cluster is in the data directory.
 */
export const outerHomeOf = (dataDir: string): string | null => {
  try {
    return join(readlinkSync(join(dataDir, 'postgres')), '..');
  } catch {
    return null;
  }
};

/** Executes one statement on a separate connection. */
export const ask = async (
  connection: OwnerConnection,
  text: string,
): Promise<Record<string, unknown>[]> => {
  const db = openDb({ connection, max: 1, log: silentLog() });
  try {
    const client = await db.client();
    client.on('error', () => {});
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      client.release();
    }
  } finally {
    await db.close();
  }
};

/** Repeats a statement until the database responds after it was killed. */
export const askUntilUp = async (
  connection: OwnerConnection,
  text: string,
): Promise<Record<string, unknown>[]> => {
  const until = performance.now() + limitMs(60_000);
  for (;;) {
    try {
      return await ask(connection, text);
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
};

export interface Supervisor {
  process: ChildProcess;
  /**
   * Resolves with the report of the program: its database connection and the process number of the
   * postmaster, or the message with which it ended.
   */
  report:
    | { connection: OwnerConnection; pid: number; problem?: undefined }
    | { problem: string; reason: string };
}

const program = `
  import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
  const log = { info() {}, warn() {}, error() {} };
  try {
    const up = await startEmbeddedPostgres({ dataDir: process.argv[1], log });
    process.on('SIGTERM', () => up.stop().then(() => process.exit(0)));
    console.log(JSON.stringify({ connection: up.connection, pid: up.pid() }));
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(JSON.stringify({ problem: error.message, reason: error.reason }));
    process.exit(1);
  }`;

export interface Who {
  uid?: number;
  gid?: number;
  /**
   * `cwd`: the working directory of the process. `node`: its Node program. By default they are
   * those of the test.
   */
  cwd?: string;
  node?: string;
}

/**
 * Starts a separate process that runs the PostgreSQL of a data directory. A test can kill this
 * process.
 */
export const startSupervisor = async (dataDir: string, who: Who = {}): Promise<Supervisor> => {
  const {
    cwd = join(import.meta.dirname, '..', '..', '..'),
    node = process.execPath,
    ...account
  } = who;
  const child = spawn(node, ['--input-type=module', '-e', program, dataDir], {
    ...account,
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: '/usr/bin:/bin' },
  });
  const [line] = (await once(
    createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }),
    'line',
  )) as [string];
  return { process: child, report: JSON.parse(line) as Supervisor['report'] };
};

export const killed = async (
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, 'exit');
  child.kill(signal);
  await end;
};

/** Returns the id of the user that a process runs as. Works on Linux only. */
export const accountOf = (pid: number): number =>
  Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
