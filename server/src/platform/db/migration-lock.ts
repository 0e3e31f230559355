import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { Log } from '#platform/log.ts';
import { MigrationError } from './migration-error.ts';

/**
 * A 63-bit number that no other advisory lock uses. It allows only one migration at a time,
 * whichever process begins it.
 */
const lockKey = '7401239856120042';

/**
 * The milliseconds in which the lock must be obtained. `everyMs` is the pause between two attempts,
 * and `warnAfterMs` is the time before the first warning.
 */
const limitMs = 600_000;
const everyMs = 250;
const warnAfterMs = 5_000;

interface Holder {
  name: string;
  pid: number;
  address: string;
}

/**
 * Returns the session that holds the migration lock; null if no session holds it, or if this role
 * may not see that session.
 */
const holderOf = async (client: pg.Client): Promise<Holder | null> => {
  const { rows } = await client.query<Holder>(`
    select coalesce(nullif(application_name, ''), 'unnamed') as name, pid,
        coalesce(host(client_addr), 'a local socket') as address
      from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and objsubid = 1 and datname = current_database()
        and (classid::bigint << 32) + objid::bigint = ${lockKey}`);
  return rows[0] ?? null;
};

/**
 * Takes the migration lock. If it is not free in time, throws an error that describes its holder.
 */
export const takeMigrationLock = async (
  client: pg.Client,
  log: Log,
  limit = limitMs,
): Promise<void> => {
  const since = performance.now();
  for (let isSaid = false; ;) {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${lockKey}) as taken`,
    );
    if (firstOf(rows).taken) return;
    const waited = performance.now() - since;
    const holder = await holderOf(client);
    if (!isSaid && waited > Math.min(warnAfterMs, limit)) {
      isSaid = true;
      log.warn({ holder }, 'another program migrates the database; the start waits for it');
    }
    if (waited > limit && holder)
      throw new MigrationError(
        `The database is being migrated by "${holder.name}" (process ${holder.pid} of PostgreSQL, from ${holder.address}) and stays locked. Wait for it, or end it with select pg_terminate_backend(${holder.pid}), then start again.`,
      );
    await wait(everyMs);
  }
};

export const releaseMigrationLock = async (client: pg.Client): Promise<void> => {
  await client.query(`select pg_advisory_unlock(${lockKey})`);
};

const serverOf = async (client: pg.Client, begin = ''): Promise<number> => {
  const answers = await client.query<{ pid: number }>(`${begin} select pg_backend_pid() as pid`);
  const last = [answers].flat().at(-1)!;
  return firstOf(last.rows).pid;
};

/**
 * Throws if `client` is behind a transaction pooler, because the migration lock would stay on a
 * connection that others use. Behind any pooler, the client knows another process number than that
 * of the server. If the pooler shares connections between transactions, this client gets different
 * server connections, or a second client gets the same one.
 */
export const refusePooler = async (client: pg.Client, owner: pg.ClientConfig): Promise<void> => {
  const { processID } = client as unknown as { processID: number | null };
  const server = await serverOf(client);
  if (processID === server) return;
  const seen: number[] = [];
  for (let ask = 0; ask < 5; ask++) seen.push(await serverOf(client));
  const second = new pg.Client({ ...owner, query_timeout: 10_000 });
  second.on('error', () => {});
  await second.connect();
  try {
    const ofSecond = await serverOf(second, 'begin;');
    if (ofSecond !== server && seen.every((pid) => pid === server)) return;
  } finally {
    await second.end().catch(() => {});
  }
  throw new MigrationError(
    'DATABASE_URL leads through a pooler that hands out connections by transaction, which loses the lock of migrations: set DATABASE_URL to the database itself, and WAYSTATION_APP_DATABASE_URL to the pooler.',
  );
};
