import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog, silentLog } from '#platform/log.ts';
import { appRole, clusterConnection, createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { isDaily } from '#testing/slices.ts';
import { eventually } from '#testing/test-system.ts';
import { applySql } from './apply-sql.ts';
import { editionOf, editionText, readSqlSet, tablesOf } from './sql-files.ts';
import type { SqlFile, SqlSet } from './sql-files.ts';

let database: TestDatabase;
let client: pg.Client;
const connect = async (): Promise<pg.Client> => {
  const made = new pg.Client(database.owner);
  await made.connect();
  return made;
};

beforeAll(async () => {
  database = await createTestDatabase();
  client = await connect();
});
beforeEach(() =>
  client.query(`drop schema public cascade; create schema public;
    create table applications (file text); create table things (id int); create table others (id int)`),
);
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Returns a SQL file that records each time it is applied. */
const file = (name: string, text: string): SqlFile => ({
  name: `${name}.sql`,
  text: `insert into applications values ('${name}');\n${text}`,
});
const one = file(
  'one',
  'create or replace function one() returns integer language sql as $$ select 1 $$;',
);
const two = file(
  'two',
  'create or replace function two() returns integer language sql as $$ select one() + 1 $$;',
);
const apply = (files: SqlFile[], edition = 1): Promise<void> =>
  applySql(client, { edition, files }, appRole.name, silentLog());
const applications = async (): Promise<string[]> =>
  (await client.query<{ file: string }>('select file from applications order by ctid')).rows.map(
    (row) => row.file,
  );
const valueOf = async (name: string): Promise<unknown> =>
  (await client.query<{ value: unknown }>(`select ${name}() as value`)).rows[0]!.value;

describe('the files of server/sql', () => {
  it('the files of server/sql are applied in their order, and later only those that changed', async () => {
    await apply([one, two]);
    await apply([one, two]);
    expect(await applications()).toEqual(['one', 'two']);
    await apply([one, { ...two, text: two.text.replace('+ 1', '+ 2') }], 2);
    expect(await applications()).toEqual(['one', 'two', 'two']);
    expect(await valueOf('two')).toBe(3);
  });

  it('the files of server/sql are applied in one transaction, so that none of them changes anything if one fails', async () => {
    await apply([one, two]);
    await expect(
      apply([
        { ...one, text: one.text.replace('select 1', 'select 10') },
        file('three', 'select from nowhere;'),
      ]),
    ).rejects.toThrow('server/sql/three.sql failed: relation "nowhere" does not exist');
    expect([await applications(), await valueOf('one')]).toEqual([['one', 'two'], 1]);
  });

  it('an older program logs a warning and leaves the SQL functions of a newer edition unchanged', async () => {
    const lines: string[] = [];
    const newer = { ...one, text: one.text.replace('select 1', 'select 10') };
    await apply([newer, two], 2);
    await applySql(
      client,
      { edition: 1, files: [one, two] },
      appRole.name,
      createLog('warn', { write: (line) => void lines.push(line) }),
    );
    expect(await valueOf('one')).toBe(10);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        database: 2,
        program: 1,
        msg: 'the database has functions and policies of a newer edition, which stay as they are',
      },
    ]);
    await apply([newer, two], 2);
    expect(await applications()).toEqual(['one', 'two']);
  });

  it('the files of server/sql grant rights to the application role, and revoke a right that a later edition no longer grants', async () => {
    const grants = file(
      'grants',
      'revoke all on things from {{app_role}};\ngrant select on things to {{app_role}};',
    );
    const rights = async (): Promise<string | undefined> =>
      (
        await client.query<{ rights: string }>(
          `select string_agg(privilege_type, ', ') as rights from information_schema.role_table_grants where table_name = 'things' and grantee = $1`,
          [appRole.name],
        )
      ).rows[0]?.rights;
    await apply([{ ...grants, text: grants.text.replace('select', 'select, delete') }]);
    await apply([grants], 2);
    expect(await rights()).toBe('SELECT');
  });

  it.each([
    [
      'parameters',
      'create or replace function one(n integer) returns integer language sql as $$ select n $$;',
      /the function one has another signature than before/,
    ],
    [
      'result',
      'create or replace function one() returns text language sql as $$ select 1::text $$;',
      /cannot change return type of existing function; a changed signature is a new name/,
    ],
  ])(
    'a file of server/sql is refused if a function of the same name has other %s',
    async (_, text, refusal) => {
      await apply([one, two]);
      await expect(apply([file('one', text), two], 2)).rejects.toThrow(refusal);
      expect(await valueOf('two')).toBe(2);
    },
  );

  it('applying server/sql waits for a transaction that uses one table and then locks another table, and causes no deadlock', async () => {
    const policies = ['things', 'others']
      .map(
        (table) =>
          `drop policy if exists p on ${table};\ncreate policy p on ${table} using (true);`,
      )
      .join('\n');
    const busy = await connect();
    await busy.query('begin; select from others');
    const attempts: string[] = [];
    const log = createLog('info', { write: (line) => void attempts.push(line) });
    const applied = applySql(
      client,
      { edition: 1, files: [file('policies', policies)] },
      appRole.name,
      log,
    );
    let waits = 0;
    const waiting = `select from pg_locks where not granted and relation = 'others'::regclass`;
    await eventually(async () => {
      waits += (await busy.query(waiting)).rowCount ?? 0;
      return attempts.length > 2;
    });
    await busy.query('select from things');
    await busy.query('commit');
    await busy.end();
    await applied;
    // A session that holds one lock and waits for another could cause a deadlock that ends the
    // other session.
    expect(waits).toBe(0);
    expect(await applications()).toEqual(['policies']);
  });

  // This test runs only in a daily run, because the autovacuum of the whole cluster has to run
  // every second for it.
  if (isDaily)
    it('the files of server/sql can be applied while autovacuum holds a lock on their table', async () => {
      const admin = new pg.Client({ ...clusterConnection(), database: database.owner.database });
      await admin.connect();
      await admin.query('alter system set autovacuum_naptime = 1');
      await admin.query('select pg_reload_conf()');
      await client.query(`drop table things;
        create table things (id int, filler text) with (autovacuum_vacuum_cost_delay = 100,
        autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0)`);
      await client.query(
        `insert into things select n, repeat('x', 500) from generate_series(1, 100000) n`,
      );
      await client.query('delete from things where id % 2 = 0');
      const worker = `select pid from pg_locks
        where relation = 'things'::regclass and mode = 'ShareUpdateExclusiveLock' and granted`;
      await eventually(async () => (await admin.query(worker)).rowCount === 1);
      const files = [
        { name: 'p.sql', text: 'drop policy if exists p on things; create policy p on things;' },
      ];
      await applySql(client, { edition: 1_000_000, files }, 'nobody', silentLog());
      const { rowCount } = await client.query(`select from pg_policy where polname = 'p'`);
      await admin.query('alter system reset autovacuum_naptime');
      await admin.query('select pg_reload_conf()');
      await admin.end();
      expect(rowCount).toBe(1);
    });
});

const folder = join(import.meta.dirname, '..', '..', '..', 'sql');

describe('the functions and locks of server/sql', () => {
  it('server/sql has a recorded signature for every function of the database', async () => {
    const real = await createTestDatabase();
    const owner = new pg.Client(real.owner);
    await owner.connect();
    const { rows } = await owner.query<{ name: string }>(
      `select proname as name from pg_proc p where pronamespace = 'public'::regnamespace
       and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`,
    );
    await owner.end();
    await real.drop();
    expect(rows.map(({ name }) => name)).toEqual(
      Object.keys(editionOf(folder).functions).toSorted(),
    );
  });

  it('applying server/sql first locks exactly the tables that its files change', async () => {
    const real = await createTestDatabase();
    const { files } = readSqlSet(folder);
    const owner = new pg.Client(real.owner);
    await owner.connect();
    await owner.query('begin');
    for (const { text } of files) await owner.query(text.replaceAll('{{app_role}}', appRole.name));
    const { rows } = await owner.query<{ name: string }>(
      `select distinct c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
       where l.pid = pg_backend_pid() and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock') and c.relkind = 'r' order by 1`,
    );
    await owner.end();
    await real.drop();
    expect(rows.map(({ name }) => name)).toEqual(
      [...new Set(files.flatMap(({ text }) => tablesOf(text)))].toSorted(),
    );
  });
});

describe('the edition number of server/sql', () => {
  const made = (files: Record<string, string>, before: string): string => {
    const path = mkdtempSync(join(tmpdir(), 'sql-'));
    writeFileSync(
      join(path, 'edition.json'),
      JSON.stringify({ edition: 0, hash: '', files: [], functions: {} }),
    );
    writeFileSync(join(path, 'one.sql'), before);
    writeFileSync(join(path, 'edition.json'), editionText(editionOf(path)));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
    return path;
  };
  const next = (files: Record<string, string>, before = one.text): SqlSet => {
    const path = made(files, before);
    try {
      writeFileSync(join(path, 'edition.json'), editionText(editionOf(path)));
      return readSqlSet(path);
    } finally {
      rmSync(path, { recursive: true });
    }
  };

  it('the edition number of server/sql increases when a file changes or is added, and unchanged files keep their order', () => {
    const { edition, files } = next({ 'a.sql': two.text });
    expect([edition, files.map(({ name }) => name)]).toEqual([2, ['one.sql', 'a.sql']]);
  });

  it('an edition of server/sql is refused if a function has another signature, or is removed without a statement that drops it', () => {
    expect(() => next({ 'one.sql': one.text.replace('one()', 'one(n integer)') })).toThrow(
      /the function one has another signature than before/,
    );
    expect(() =>
      next({ 'one.sql': one.text.replace('returns integer', 'returns bigint') }),
    ).toThrow(/the function one has another signature than before/);
    expect(() => next({ 'one.sql': `drop function if exists one();\n${one.text}` })).toThrow(
      /the function one has another signature than before/,
    );
    expect(() => next({ 'one.sql': 'select 1;' })).toThrow(
      'the function one is gone from server/sql: databases keep it unless a file says "drop function if exists one(…);"',
    );
    expect(next({ 'one.sql': 'drop function if exists one();' }).edition).toBe(2);
  });
});
