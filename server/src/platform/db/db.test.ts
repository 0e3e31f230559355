import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { createLog, silentLog } from '#platform/log.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import {
  QueryCancelledError,
  isUnavailable,
  openDb,
  queueStatement,
  queueWithCommit,
  rowsAtOnce,
  sql,
} from './db.ts';
import type { Work } from './db.ts';
import { systemScope } from './scope.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const stationNames = (scope: Parameters<TestApp['db']['tx']>[0]) =>
  app.db.tx(scope, async (work) =>
    (
      await sql<{ name: string }>`select name from stations
    order by id`.execute(work.tx)
    ).rows.map((row) => row.name),
  );

describe('a transaction bound to a scope', () => {
  it('a transaction bound to a scope sees only the rows of the scope’s stations, even if the query selects all rows', async () => {
    const ids = await app.db.tx(systemScope('test'), async (work) => {
      const { rows } = await sql<{ id: number }>`insert into stations (name)
        values ('甲'), ('乙') returning id`.execute(work.tx);
      return rows.map((row) => row.id);
    });
    expect(await stationNames(systemScope('test'))).toEqual(['甲', '乙']);
    expect(await stationNames({ kind: 'stations', stations: [ids[1]!], account: null })).toEqual([
      '乙',
    ]);
    expect(await stationNames({ kind: 'stations', stations: [], account: null })).toEqual([]);
  });

  it('a connection has no scope left after a transaction that was bound to a scope', async () => {
    await stationNames(systemScope('test'));
    const client = await app.db.client();
    const { rows } = await client.query('select name from stations');
    client.release();
    expect(rows).toEqual([]);
  });

  it('a transaction rolls back when its function throws an error, and the connection can still be used', async () => {
    await expect(
      app.db.tx(systemScope('test'), async (work) => {
        await sql`insert into stations (name) values ('丙')`.execute(work.tx);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await stationNames(systemScope('test'))).not.toContain('丙');
  });

  it('if a queued statement fails, the transaction fails with the error of that statement, even if no later statement follows', async () => {
    const fails = (work: Work) => queueStatement(work, sql`select 1 / 0`.compile(work.tx));
    const add = (work: Work) => sql`insert into stations (name) values ('丁')`.execute(work.tx);
    const transactions = [
      async (work: Work) => void (await add(work), await fails(work)),
      async (work: Work) => void (await fails(work), await add(work)),
    ];
    for (const run of transactions)
      await expect(app.db.tx(systemScope('test'), run)).rejects.toThrow(/division by zero/);
    expect(await stationNames(systemScope('test'))).not.toContain('丁');
  });

  it('a transaction fails as unavailable after the database was lost, even if its caller ignores the first error', async () => {
    const away = (work: Work) =>
      sql`do $$ begin raise exception 'away' using errcode = '57P03'; end $$`
        .execute(work.tx)
        .catch(() => null);
    const add = (work: Work) => sql`insert into stations (name) values ('戊')`.execute(work.tx);
    const transactions = [
      async (work: Work) => void (await away(work), await add(work)),
      async (work: Work) => void (await add(work), await away(work)),
    ];
    for (const run of transactions) {
      const error: unknown = await app.db.tx(systemScope('test'), run).catch((one: unknown) => one);
      expect(error).toMatchObject({ code: '57P03' });
      expect(isUnavailable(error)).toBe(true);
    }
    expect(await stationNames(systemScope('test'))).not.toContain('戊');
  });

  it('if an error was undone by a rollback to a savepoint, the transaction reports only an error that occurs later', async () => {
    const run = async (work: Work) => {
      await sql`savepoint before`.execute(work.tx);
      await sql`select 1 / 0`.execute(work.tx).catch(() => null);
      await sql`rollback to savepoint before`.execute(work.tx);
      await sql`select 'x'::int`.execute(work.tx).catch(() => null);
      await sql`select 1`.execute(work.tx);
    };
    await expect(app.db.tx(systemScope('test'), run)).rejects.toThrow(/invalid input syntax/);
  });

  it('a transaction sends its queued statements in their order, each of them once, before its commit', async () => {
    const order: string[] = [];
    await app.db.tx(systemScope('test'), async (work) => {
      await queueStatement(work, sql`insert into stations (name) values ('戊')`.compile(work.tx));
      order.push(
        ...(
          await rowsAtOnce(
            work,
            sql<{ name: string }>`select name from stations
        where name = '戊'`,
          )
        ).map(({ name }) => name),
      );
      await queueStatement(
        work,
        sql`update stations set name = name || '己'
        where name = '戊'`.compile(work.tx),
      );
    });
    expect(order).toEqual(['戊']);
    expect(
      (await stationNames(systemScope('test'))).filter((name) => name.startsWith('戊')),
    ).toEqual(['戊己']);
  });

  it('a transaction sends its deferred statements last, and sends none of them if it fails', async () => {
    const kept = sql`update stations set name = name || '癸' where name like '子%'`;
    await app.db.tx(systemScope('test'), async (work) => {
      await queueWithCommit(work, kept.compile(work.tx));
      await queueStatement(work, sql`insert into stations (name) values ('子')`.compile(work.tx));
    });
    expect(
      (await stationNames(systemScope('test'))).filter((name) => name.startsWith('子')),
    ).toEqual(['子癸']);
    const failed = app.db.tx(systemScope('test'), async (work) => {
      await queueWithCommit(work, kept.compile(work.tx));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await stationNames(systemScope('test'));
    expect(
      (await stationNames(systemScope('test'))).filter((name) => name.startsWith('子')),
    ).toEqual(['子癸']);
  });

  it('a rollback to a savepoint discards the statements deferred after it; while a statement is deferred, no savepoint can be created', async () => {
    const add = (name: string) => sql`insert into stations (name) values (${name})`;
    await app.db.tx(systemScope('test'), async (work) => {
      await sql`savepoint part`.execute(work.tx);
      await queueWithCommit(work, add('辰').compile(work.tx));
      await sql`rollback to savepoint part`.execute(work.tx);
      await queueWithCommit(work, add('巳').compile(work.tx));
    });
    const refused = app.db.tx(systemScope('test'), async (work) => {
      await queueWithCommit(work, add('午').compile(work.tx));
      await sql`savepoint part`.execute(work.tx);
    });
    await expect(refused).rejects.toThrow(/savepoint/);
    const names = await stationNames(systemScope('test'));
    expect(['辰', '巳', '午'].filter((name) => names.includes(name))).toEqual(['巳']);
  });

  it('a transaction that is cancelled before it queues a statement for its commit commits nothing', async () => {
    const cancel = new AbortController();
    const cancelled = app.db.tx(
      systemScope('test'),
      async (work) => {
        await sql`insert into stations (name) values ('未')`.execute(work.tx);
        cancel.abort();
        await queueWithCommit(
          work,
          sql`insert into stations (name) values ('申')`.compile(work.tx),
        );
      },
      { signal: cancel.signal },
    );
    await expect(cancelled).rejects.toBeInstanceOf(QueryCancelledError);
    const names = await stationNames(systemScope('test'));
    expect(['未', '申'].filter((name) => names.includes(name))).toEqual([]);
  });

  it('if a deferred statement fails, the transaction fails with the error that its caller has given for this statement', async () => {
    const failed = app.db.tx(systemScope('test'), async (work) => {
      await queueWithCommit(work, sql`select 1 / 0`.compile(work.tx), () => new Error('refused'));
      await queueStatement(work, sql`insert into stations (name) values ('丑')`.compile(work.tx));
    });
    await expect(failed).rejects.toThrow('refused');
    expect(await stationNames(systemScope('test'))).not.toContain('丑');
  });

  it('a transaction that is cancelled before it queues a statement commits nothing', async () => {
    const cancel = new AbortController();
    const cancelled = app.db.tx(
      systemScope('test'),
      async (work) => {
        await sql`insert into stations (name) values ('庚')`.execute(work.tx);
        cancel.abort();
        await queueStatement(work, sql`insert into stations (name) values ('辛')`.compile(work.tx));
      },
      { statementTimeout: 10_000, signal: cancel.signal },
    );
    await expect(cancelled).rejects.toBeInstanceOf(QueryCancelledError);
    expect(await stationNames(systemScope('test'))).not.toContain('庚');
  });

  it('a transaction commits nothing if a queued statement has a parameter that cannot be converted to text', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const failed = app.db.tx(systemScope('test'), async (work) => {
      await sql`insert into stations (name) values ('壬')`.execute(work.tx);
      await queueStatement(work, sql`select ${circular}::jsonb`.compile(work.tx));
    });
    await expect(failed).rejects.toThrow(/circular/);
    expect(await stationNames(systemScope('test'))).not.toContain('壬');
  });

  it('a transaction runs as a database role that can neither create tables nor switch off row-level security', async () => {
    await expect(
      app.db.tx(systemScope('test'), (work) => sql`create table x (a int)`.execute(work.tx)),
    ).rejects.toThrow(/permission denied/);
    await expect(
      app.db.tx(systemScope('test'), (work) =>
        sql`alter table stations disable row level security`.execute(work.tx),
      ),
    ).rejects.toThrow(/must be owner/);
  });

  it('the server’s database role cannot change, delete or truncate entries of the audit log', async () => {
    for (const statement of [
      sql`update audit_log set action = 'other'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
    ])
      await expect(
        app.db.tx(systemScope('test'), (work) => statement.execute(work.tx)),
      ).rejects.toThrow(/permission denied/);
  });
});

describe('the lifetime of a database connection', () => {
  it('a database connection lives 2.5 to 7.5 minutes; connections that are opened together live for different times', async () => {
    const db = openDb({ connection: app.owner, max: 8, log: silentLog() });
    const lifetimes = new Set([db.pool.options.maxLifetimeSeconds]);
    const held = [];
    for (let opened = 0; opened < 8; opened += 1) {
      held.push(await db.client());
      lifetimes.add(db.pool.options.maxLifetimeSeconds);
    }
    for (const client of held) client.release();
    await db.close();
    expect(lifetimes.size).toBe(9);
    expect(Math.min(...lifetimes)).toBeGreaterThanOrEqual(150);
    expect(Math.max(...lifetimes)).toBeLessThanOrEqual(450);
  });
});

describe('a lost database connection', () => {
  it('the loss of an idle database connection is logged with its cause, but not if the pool is being closed', async () => {
    const lines: string[] = [];
    const log = createLog('warn', { write: (line) => void lines.push(line) });
    const db = openDb({ connection: app.owner, max: 1, log });
    const killIdle = async (): Promise<void> => {
      const owner = new pg.Client(app.owner);
      await owner.connect();
      await owner.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'waystation' and usename = current_user",
      );
      await owner.end();
    };
    const client = await db.client();
    client.release();
    await killIdle();
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        err: { code: '57P01', message: 'terminating connection due to administrator command' },
        msg: expect.any(String),
      });
    expect(lines.join()).not.toMatch(/secretKey|connectionParameters/);
    lines.length = 0;
    const held = await db.client();
    const closed = db.close();
    await killIdle();
    await expect(held.query('select 1')).rejects.toThrow();
    held.release(true);
    await closed;
    expect(lines).toEqual([]);
  });
});
