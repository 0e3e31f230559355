import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type pg from 'pg';
import { sql } from '#platform/db/db.ts';
import { compileCache } from './compile-cache.ts';
import { limitMs } from './limits.ts';
import { eventually, rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

/** A separate process of `node server/src/main.ts worker`, which can be killed. */
export interface WorkerProcess {
  pid: number;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

const main = join(import.meta.dirname, '..', 'main.ts');

/**
 * Returns the URL of a database connection. The directory of a socket is written into the query,
 * because in a URL no user name can come before an empty host.
 */
export const urlOf = ({ user, host, port, database }: pg.ClientConfig): string =>
  `postgres://${encodeURIComponent(user!)}@localhost/${database}?host=${encodeURIComponent(host!)}&port=${port}`;

export const environmentOf = (system: TestSystem): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  DATABASE_URL: urlOf(system.database.owner),
  WAYSTATION_APP_DATABASE_URL: urlOf(system.database.connection),
  WAYSTATION_SECRET_KEY: system.app.config.secretKey.toString('hex'),
  WAYSTATION_WEBHOOK_ALLOW: system.app.config.webhookAllow.join(','),
  WAYSTATION_OUTBOUND_ALLOW: system.app.config.outboundAllow.join(','),
  WAYSTATION_CARRIER_TIMEOUT_MS: String(limitMs(3_000)),
  WAYSTATION_WORKER_DEAD_AFTER_MS: String(limitMs(1_000)),
  // By default the file of ledger hashes is beside the data directory. Processes of several
  // databases would then write to the same file, so it is switched off.
  WAYSTATION_HEADS_FILE: 'off',
  WAYSTATION_LOG: 'error',
  NODE_COMPILE_CACHE: compileCache,
});

const workersSeen = async (system: TestSystem): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ worker_id: string }>`select worker_id
    from worker_heartbeats`,
    )
  ).map(({ worker_id }) => worker_id);

/** Starts a worker and waits for its first heartbeat. */
export const startWorkerProcess = async (
  system: TestSystem,
  changes: Record<string, string> = {},
): Promise<WorkerProcess> => {
  await rowsOf(
    system,
    sql`delete from worker_heartbeats
    where not exists (select 1 from graphile_worker._private_jobs
    where locked_by = worker_id)`,
  );
  const before = new Set(await workersSeen(system));
  const child: ChildProcess = spawn(process.execPath, [main, 'worker'], {
    env: { ...environmentOf(system), ...changes },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let over = false;
  void ended.then(() => (over = true));
  const beating = eventually(async () => {
    if (over) throw new Error(`the worker ended with ${child.exitCode}`);
    return (await workersSeen(system)).some((id) => !before.has(id));
  });
  await beating.catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    if (!over) child.kill(signal);
    return (await ended)[0];
  };
  return {
    pid: child.pid!,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  };
};
