import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#platform/embedded/embedded.ts';
import type { EmbeddedPostgres, OwnerConnection } from '#platform/embedded/embedded.ts';
import { silentLog } from '#platform/log.ts';

/**
 * Starts a streaming standby from a copy of the running server's files. The copy is made like a
 * base backup, because the embedded PostgreSQL has no pg_basebackup. `primaryDir` and `standbyDir`
 * are data directories.
 */
export const startStandby = async (
  primaryDir: string,
  primary: OwnerConnection,
  standbyDir: string,
): Promise<EmbeddedPostgres> => {
  const client = new pg.Client(primary);
  await client.connect();
  await client.query(`select pg_backup_start('standby', fast => true)`);
  const cluster = realpathSync(join(primaryDir, 'postgres'));
  const copy = join(standbyDir, 'postgres');
  mkdirSync(standbyDir, { recursive: true });
  cpSync(cluster, copy, {
    recursive: true,
    filter: (path) => !/postmaster\.(?:pid|opts)$|\/pg_wal\/.+/.test(path),
  });
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop(wait_for_archive => false)',
  );
  await client.end();
  cpSync(join(cluster, 'pg_wal'), join(copy, 'pg_wal'), { recursive: true });
  writeFileSync(join(copy, 'backup_label'), rows[0]!.labelfile);
  writeFileSync(join(copy, 'standby.signal'), '');
  const { host, port, user } = primary;
  writeFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${host} port=${port} user=${user}'\n`,
  );
  execFileSync('chmod', ['-R', 'go-rwx', copy]);
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `--reference=${cluster}`, copy]);
  return startEmbeddedPostgres({ dataDir: standbyDir, log: silentLog() });
};
