import { chownSync, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { memoryTablespace } from './cluster.ts';

const memory = '/dev/shm';
const prefix = join(memory, 'waystation-tests-');
/** The minimum of free bytes: test databases are small, a few at a time, and grow in some tests. */
const leastFree = 2 * 1024 ** 3;

const hasMemory = (): boolean => {
  if (process.platform !== 'linux' || !existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= leastFree;
};

const asOwner = async (
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> => {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

/** Databases of runs: copies, and the templates that each run creates for itself. */
const dropRunDatabases = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname ~ '^(test|network)_'`,
  );
  for (const { name } of rows)
    await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
};

const dropTablespace = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ place: string }>(
    `select pg_tablespace_location(oid) as place from pg_tablespace where spcname = $1`,
    [memoryTablespace],
  );
  if (!rows[0]) return;
  await client.query(`drop tablespace ${memoryTablespace}`);
  if (rows[0].place.startsWith(prefix)) rmSync(rows[0].place, { recursive: true, force: true });
};

/**
 * Drops the databases of earlier runs in this PostgreSQL, which no other program uses, and gives it
 * a tablespace in memory. A disk's file system takes ten times the processor time for the nine
 * hundred files of each test database, mostly after many deletions. Returns the function that
 * removes everything again.
 */
export const openMemoryTablespace = async (
  connection: pg.ClientConfig,
  dataDir: string,
): Promise<() => Promise<void>> => {
  const clean = () =>
    asOwner(connection, async (client) => {
      await dropRunDatabases(client);
      await dropTablespace(client);
    });
  await clean();
  if (hasMemory()) {
    const folder = mkdtempSync(prefix);
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    if (process.getuid?.() === 0) chownSync(folder, uid, gid);
    await asOwner(
      connection,
      async (client) =>
        void (await client.query(
          `create tablespace ${memoryTablespace} location ${pg.escapeLiteral(folder)}`,
        )),
    );
  }
  return clean;
};
