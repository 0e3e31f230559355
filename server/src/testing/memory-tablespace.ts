import { chownSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { memoryTablespace } from './cluster.ts';
import { memoryFolder, quickFolder } from './quick-folder.ts';

const prefix = 'waystation-tests-';

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

/**
 * Drops the databases of test runs: the copies, and the templates that each run creates for itself.
 */
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
  if (basename(rows[0].place).startsWith(prefix))
    rmSync(rows[0].place, { recursive: true, force: true });
};

/**
 * Drops the databases of earlier test runs, because only these tests use this PostgreSQL. Then
 * creates a tablespace in memory (quick-folder.ts). Returns a function that removes everything
 * again.
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
  if (memoryFolder() !== null) {
    const folder = quickFolder(prefix);
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
