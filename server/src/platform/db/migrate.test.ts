import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterConnection } from '#testing/cluster.ts';
import { eventually } from '#testing/test-system.ts';
import { silentLog } from '#platform/log.ts';
import { createRoleSql, migrate, readMigrations } from './migrate.ts';
import type { AppRole, Migration } from './migrate.ts';

const suffix = randomBytes(4).toString('hex');
const role = { name: `migrate app ${suffix}`, password: `it's "quoted"` };
const plain = { name: `migrate_owner_${suffix}`, password: 'owner' };
const databases: string[] = [];

const asAdmin = async <T>(
  work: (client: pg.Client) => Promise<T>,
  database = 'postgres',
): Promise<T> => {
  const client = new pg.Client({ ...clusterConnection(), database });
  await client.connect();
  return work(client).finally(() => client.end());
};
const newDatabase = async (owner?: string): Promise<pg.ClientConfig> => {
  const database = `migrate_${suffix}_${databases.length}`;
  databases.push(database);
  await asAdmin((client) =>
    client.query(`create database ${database}${owner ? ` owner ${owner}` : ''}`),
  );
  return { ...clusterConnection(), database };
};
beforeAll(() =>
  asAdmin((client) =>
    client.query(
      `create role ${plain.name} login nosuperuser nocreaterole password '${plain.password}'`,
    ),
  ),
);
afterAll(() =>
  asAdmin(async (client) => {
    for (const database of databases) await client.query(`drop database ${database} with (force)`);
    await client.query(`drop role if exists "${role.name}"`);
    await client.query(`drop role ${plain.name}`);
  }),
);

const step = (name: string, text: string): Migration => ({
  name,
  text,
  hash: Buffer.from(text).toString('base64'),
});
const first = step(
  '0001_first.sql',
  'create table things (id int); grant select on things to {{app_role}};',
);
const second = step('0002_second.sql', 'insert into things values (1);');
const run = (owner: pg.ClientConfig, migrations: Migration[], appRole: AppRole = role) =>
  migrate(owner, { migrations, sql: { edition: 1, files: [] } }, { appRole, log: silentLog() });
const things = async (owner: pg.ClientConfig): Promise<number[]> =>
  asAdmin(
    async (client) =>
      (await client.query<{ id: number }>('select id from things')).rows.map(({ id }) => id),
    owner.database,
  );

describe('bringing a database up to date', () => {
  it('a migration that waits for a backup’s table lock blocks other sessions only for the length of one attempt', async () => {
    const owner = await newDatabase();
    await run(owner, [first]);
    await asAdmin(async (client) => {
      await client.query('begin; lock table things in access share mode');
      const changed = run(owner, [first, step('0002_add.sql', 'alter table things add x int')]);
      changed.catch(() => {});
      await eventually(async () => {
        const { rows } = await client.query(
          `select from pg_locks where mode = 'AccessExclusiveLock' and not granted and relation = 'things'::regclass`,
        );
        return rows.length > 0;
      });
      // The query waits for the migration's lock, and runs when the migration's attempt has ended.
      expect(await things(owner)).toEqual([]);
      await client.query('rollback');
      await changed;
    }, owner.database);
  });

  it('bringing a database up to date applies each migration once, and creates the application role without special rights', async () => {
    const owner = await newDatabase();
    await run(owner, [first, second]);
    await run(owner, [first, second]);
    expect(await things(owner)).toEqual([1]);
    const { rows } = await asAdmin((client) =>
      client.query(
        'select rolcanlogin, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = $1',
        [role.name],
      ),
    );
    expect(rows).toEqual([
      {
        rolcanlogin: true,
        rolsuper: false,
        rolbypassrls: false,
        rolcreatedb: false,
        rolcreaterole: false,
      },
    ]);
  });

  it('if several processes bring a database up to date at the same moment, each migration is applied only once', async () => {
    const owner = await newDatabase();
    const slow = step('0002_second.sql', 'insert into things values (1); select pg_sleep(0.2);');
    await Promise.all([
      run(owner, [first, slow]),
      run(owner, [first, slow]),
      run(owner, [first, slow]),
    ]);
    expect(await things(owner)).toEqual([1]);
  });

  it('bringing a database up to date refuses a migration that has changed since it was applied', async () => {
    const owner = await newDatabase();
    await run(owner, [first, second]);
    await expect(run(owner, [first, { ...second, hash: 'other' }])).rejects.toThrow(
      'migration 0002_second.sql has changed since it was applied',
    );
  });

  it('bringing a database up to date refuses a database made by a newer version', async () => {
    const owner = await newDatabase();
    await run(owner, [first, second]);
    await expect(run(owner, [first])).rejects.toThrow(
      /0002_second\.sql, which this version does not know: start the newer version/,
    );
  });

  it.each([
    ['0001_platform.sql', []],
    ['0001_accounts.sql', []],
    // In that version, the baseline files had the same names as today, but other content.
    ['0044_station_days.sql', ['0001_access.sql', '0002_network.sql', '0003_ledger.sql']],
  ])(
    'a database of an early build that has the migration %s is refused with the advice to start with a new database',
    async (name, others) => {
      const owner = await newDatabase();
      await asAdmin(async (client) => {
        await client.query(
          'create table schema_migrations (name text primary key, hash text not null)',
        );
        await client.query(`insert into schema_migrations select unnest($1::text[]), 'of then'`, [
          [name, ...others],
        ]);
      }, owner.database);
      await expect(
        run(owner, readMigrations(join(import.meta.dirname, '..', '..', '..', 'migrations'))),
      ).rejects.toThrow(
        'This database was made by an earlier build, before the first release, and cannot be upgraded: start with a fresh WAYSTATION_DATA',
      );
    },
  );

  it('a failing migration is rolled back, and the next update continues with its corrected version', async () => {
    const owner = await newDatabase();
    await expect(
      run(owner, [
        first,
        step('0002_second.sql', 'insert into things values (1); insert into nowhere values (1);'),
      ]),
    ).rejects.toThrow(/migration 0002_second\.sql failed: relation "nowhere" does not exist/);
    expect(await things(owner)).toEqual([]);
    await run(owner, [first, second]);
    expect(await things(owner)).toEqual([1]);
  });

  it('if the database owner may not create the application role, the migration fails with the SQL statement that creates the role', async () => {
    const owner = {
      ...(await newDatabase(plain.name)),
      user: plain.name,
      password: plain.password,
    };
    const missing = { name: `missing_${suffix}`, password: 'p' };
    await expect(run(owner, [first], missing)).rejects.toThrow(createRoleSql(missing));
    expect(createRoleSql(role)).toBe(
      `create role "${role.name}" login nosuperuser nobypassrls nocreatedb nocreaterole password 'it''s "quoted"';`,
    );
  });

  it('bringing a database up to date accepts a role that another user created', async () => {
    const owner = {
      ...(await newDatabase(plain.name)),
      user: plain.name,
      password: plain.password,
    };
    await run(owner, [first], role);
    expect(await things(owner)).toEqual([]);
  });

  it('bringing a database up to date refuses an application role that may bypass row-level security', async () => {
    const owner = await newDatabase();
    await expect(
      run(owner, [first], { name: clusterConnection().user!, password: null }),
    ).rejects.toThrow(/bypasses row-level security/);
  });

  it('bringing a database up to date refuses two migrations with the same number', () => {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    for (const name of ['0001_one.sql', '0002_two.sql', '0002_other.sql'])
      writeFileSync(join(folder, name), '');
    expect(() => readMigrations(folder)).toThrow(
      'two migrations have the number of 0002_other.sql: give the newer one the next free number',
    );
    rmSync(folder, { recursive: true });
  });
});
