import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { silentLog } from '#platform/log.ts';
import { createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { isUnavailable, openDb, sql } from './db.ts';
import type { Db, TxLimits } from './db.ts';
import { systemScope } from './scope.ts';

const all = systemScope('test');
let database: TestDatabase;
let owner: pg.Client;
/**
 * This pool has only one connection, so that the prepared statements of this connection can be
 * read.
 */
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client(database.owner);
  await owner.connect();
  await owner.query(
    'create table things (id bigint, name text); grant all on things to waystation_app',
  );
  // PostgreSQL chooses the plans, as it does in production and not in the other tests.
  const connection = { ...database.connection, options: '-c plan_cache_mode=auto' };
  db = openDb({ connection, max: 1, log: silentLog() });
});
afterAll(async () => {
  await db.close();
  await owner.end();
  await database.drop();
});

const preparedOn = async (of: Db): Promise<string[]> =>
  (
    await of.rows(
      all,
      sql<{ statement: string }>`select statement from pg_prepared_statements
    where name like 'waystation%'`,
    )
  ).map(({ statement }) => statement);

const times = async (count: number, run: (turn: number) => Promise<unknown>): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await run(turn);
};

describe('prepared statements', () => {
  it('a database statement is prepared when its text is sent a second time', async () => {
    const ask = () => db.rows(all, sql`select name from things where id = ${1}`);
    await ask();
    expect(await preparedOn(db)).not.toContain('select name from things where id = $1');
    await ask();
    expect(await preparedOn(db)).toContain('select name from things where id = $1');
  });

  it('statements with SET and statements that select “*” are never prepared', async () => {
    await times(3, () => db.rows(all, sql`set local work_mem = '4MB'`));
    await times(3, () => db.rows(all, sql`select * from things where id = ${1}`));
    expect((await preparedOn(db)).filter((text) => /set local|\*/.test(text))).toEqual([]);
  });

  it('a transaction uses generic or custom plans as its caller requests, and the following transaction uses PostgreSQL’s own choice again', async () => {
    await owner.query(
      'create table named (id bigint primary key, name text); grant all on named to waystation_app',
    );
    await owner.query(
      `insert into named select n, case when n = 1 then 'rare' else 'usual' end from generate_series(1, 20000) n`,
    );
    await owner.query('create index on named (name); analyze named');
    const ask = (column: string, plan?: TxLimits['plan']) => () =>
      db.tx(
        all,
        (work) =>
          sql`select ${sql.raw(column)} as found from named where name = ${'rare'}`.execute(
            work.tx,
          ),
        { plan },
      );
    await times(10, ask('id'));
    await times(10, ask('id + 1', 'generic'));
    const byKey = (plan?: TxLimits['plan']) => () =>
      db.tx(
        all,
        (work) =>
          sql`select name from named where id = ${7} and ${plan ?? ''} = ''`.execute(work.tx),
        { plan },
      );
    await times(10, byKey('custom'));
    const plans = await db.rows(
      all,
      sql<{
        generic_plans: number;
        custom_plans: number;
      }>`select generic_plans, custom_plans from pg_prepared_statements
        where statement like '%from named%' order by length(statement), statement`,
    );
    expect(plans).toEqual([
      { generic_plans: 0, custom_plans: 9 },
      { generic_plans: 0, custom_plans: 9 },
      { generic_plans: 9, custom_plans: 0 },
    ]);
    expect(await db.rows(all, sql`select current_setting('plan_cache_mode') as mode`)).toEqual([
      { mode: 'auto' },
    ]);
  });

  it('after a migration changed the columns of a prepared statement, the statement fails once as unavailable and then succeeds again', async () => {
    const ask = () =>
      db.rows(
        all,
        sql<{ id: unknown }>`select id from things
      where id is not distinct from ${null}`,
      );
    await times(3, ask);
    await owner.query('alter table things alter column id type integer');
    const error: unknown = await ask().catch((failed: unknown) => failed);
    expect(isUnavailable(error)).toBe(true);
    expect(await ask()).toEqual([]);
  });

  it('an error about the changed result columns of a prepared statement is treated as “database unavailable” in every language of PostgreSQL', () => {
    const stale = Object.assign(new Error('geänderter Ergebnistyp'), {
      code: '0A000',
      routine: 'RevalidateCachedQuery',
    });
    expect(isUnavailable(stale)).toBe(true);
    expect(
      isUnavailable(
        Object.assign(new Error('not supported'), { code: '0A000', routine: 'transformStmt' }),
      ),
    ).toBe(false);
  });

  it('no database statement is prepared if preparing is switched off', async () => {
    const plain = openDb({
      connection: database.connection,
      max: 1,
      log: silentLog(),
      prepare: false,
    });
    await times(3, () => plain.rows(all, sql`select name from things where id = ${1}`));
    expect(await preparedOn(plain)).toEqual([]);
    await plain.close();
  });
});

describe('connections with prepared statements', () => {
  it('a database connection with more than a hundred prepared statements is replaced', async () => {
    const pid = async () =>
      (await db.rows(all, sql<{ pid: number }>`select pg_backend_pid() as pid`))[0]!.pid;
    const before = await pid();
    await times(202, (turn) =>
      db.rows(
        all,
        sql`select ${sql.lit(turn >> 1)}::int, name
      from things where id = ${1}`,
      ),
    );
    expect(await pid()).not.toBe(before);
    expect((await preparedOn(db)).length).toBeLessThan(100);
  });
});

describe('transactions of one statement', () => {
  it('a statement that is sent outside a transaction is committed immediately', async () => {
    await db.rows(all, sql`insert into things (id, name) values (${7}, 'a')`);
    expect(
      await db.rows(
        all,
        sql`select name from things
      where id = ${7}`,
      ),
    ).toEqual([{ name: 'a' }]);
  });

  it('a single statement with a scope sees only the rows of that scope', async () => {
    await db.rows(all, sql`insert into stations (name) values ('甲')`);
    const names = sql<{ name: string }>`select name from stations`;
    expect(await db.rows(all, names)).toEqual([{ name: '甲' }]);
    expect(await db.rows({ kind: 'stations', stations: [], account: null }, names)).toEqual([]);
  });

  it('a single statement that fails leaves its database connection usable', async () => {
    await expect(
      db.rows(
        all,
        sql`select name from nothing
      where id = ${1}`,
      ),
    ).rejects.toThrow('does not exist');
    expect(await db.rows(all, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

describe('beginning a transaction', () => {
  it('a transaction that cannot begin throws the reason, changes nothing and leaves its connection usable', async () => {
    const impatient = openDb({
      connection: database.connection,
      max: 1,
      log: silentLog(),
      statementTimeout: 200,
    });
    await owner.query('begin; lock table schema_sql in access exclusive mode');
    const insert = (id: number) => sql`insert into things (id, name) values (${id}, 'late')`;
    await expect(impatient.tx(all, (work) => insert(8).execute(work.tx))).rejects.toThrow(
      'statement timeout',
    );
    await expect(impatient.rows(all, insert(9))).rejects.toThrow('statement timeout');
    await owner.query('rollback');
    expect(
      await impatient.rows(
        all,
        sql`select id from things
      where name = ${'late'}`,
      ),
    ).toEqual([]);
    await impatient.close();
  });
});
