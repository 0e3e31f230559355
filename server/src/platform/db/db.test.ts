import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { createLog, silentLog } from '#platform/log.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { QueryCancelledError, lastTexts, openDb, queueStatement, queueWithCommit, rowsAtOnce, sql } from './db.ts';
import type { Tx } from './db.ts';
import { systemScope } from './scope.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const stationNames = (scope: Parameters<TestApp['db']['tx']>[0]) =>
  app.db.tx(scope, async (tx) => (await sql<{ name: string }>`select name from stations order by id`.execute(tx)).rows.map((row) => row.name));

describe('a transaction bound to a scope', () => {
  it('sees the rows of its stations alone, although the query asks for all', async () => {
    const ids = await app.db.tx(systemScope('test'), async (tx) => {
      const { rows } = await sql<{ id: number }>`insert into stations (name) values ('甲'), ('乙') returning id`.execute(tx);
      return rows.map((row) => row.id);
    });
    expect(await stationNames(systemScope('test'))).toEqual(['甲', '乙']);
    expect(await stationNames({ kind: 'stations', stations: [ids[1]!], account: null })).toEqual(['乙']);
    expect(await stationNames({ kind: 'stations', stations: [], account: null })).toEqual([]);
  });

  it('leaves no scope behind on its connection', async () => {
    await stationNames(systemScope('test'));
    const client = await app.db.client();
    const { rows } = await client.query('select name from stations');
    client.release();
    expect(rows).toEqual([]);
  });

  it('rolls back when its work throws, and the connection stays usable', async () => {
    await expect(
      app.db.tx(systemScope('test'), async (tx) => {
        await sql`insert into stations (name) values ('丙')`.execute(tx);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await stationNames(systemScope('test'))).not.toContain('丙');
  });

  it('fails with the error of a queued statement, also where a later statement only says that one failed before', async () => {
    const fails = (tx: Tx) => queueStatement(tx, sql`select 1 / 0`.compile(tx));
    const add = (tx: Tx) => sql`insert into stations (name) values ('丁')`.execute(tx);
    const transactions = [async (tx: Tx) => void (await add(tx), await fails(tx)), async (tx: Tx) => void (await fails(tx), await add(tx))];
    for (const work of transactions) await expect(app.db.tx(systemScope('test'), work)).rejects.toThrow(/division by zero/);
    expect(await stationNames(systemScope('test'))).not.toContain('丁');
  });

  it('sends queued statements in their order with the commit, and none of them twice', async () => {
    const order: string[] = [];
    await app.db.tx(systemScope('test'), async (tx) => {
      await queueStatement(tx, sql`insert into stations (name) values ('戊')`.compile(tx));
      order.push(...(await rowsAtOnce(tx, sql<{ name: string }>`select name from stations where name = '戊'`)).map(({ name }) => name));
      await queueStatement(tx, sql`update stations set name = name || '己' where name = '戊'`.compile(tx));
    });
    expect(order).toEqual(['戊']);
    expect((await stationNames(systemScope('test'))).filter((name) => name.startsWith('戊'))).toEqual(['戊己']);
  });

  it('sends what is kept for the commit behind everything else, and never what a transaction that failed has kept', async () => {
    const kept = sql`update stations set name = name || '癸' where name like '子%'`;
    await app.db.tx(systemScope('test'), async (tx) => {
      await queueWithCommit(tx, kept.compile(tx));
      await queueStatement(tx, sql`insert into stations (name) values ('子')`.compile(tx));
    });
    expect((await stationNames(systemScope('test'))).filter((name) => name.startsWith('子'))).toEqual(['子癸']);
    const failed = app.db.tx(systemScope('test'), async (tx) => {
      await queueWithCommit(tx, kept.compile(tx));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await stationNames(systemScope('test'));
    expect((await stationNames(systemScope('test'))).filter((name) => name.startsWith('子'))).toEqual(['子癸']);
  });

  it('undoes a statement for the commit with the savepoint that it came behind, and sets none where one is kept', async () => {
    const add = (name: string) => sql`insert into stations (name) values (${name})`;
    await app.db.tx(systemScope('test'), async (tx) => {
      await sql`savepoint part`.execute(tx);
      await queueWithCommit(tx, add('辰').compile(tx));
      await sql`rollback to savepoint part`.execute(tx);
      await queueWithCommit(tx, add('巳').compile(tx));
    });
    const refused = app.db.tx(systemScope('test'), async (tx) => {
      await queueWithCommit(tx, add('午').compile(tx));
      await sql`savepoint part`.execute(tx);
    });
    await expect(refused).rejects.toThrow(/savepoint/);
    const names = await stationNames(systemScope('test'));
    expect(['辰', '巳', '午'].filter((name) => names.includes(name))).toEqual(['巳']);
  });

  it('commits nothing where it is cancelled before a statement is kept for the commit', async () => {
    const cancel = new AbortController();
    const cancelled = app.db.tx(
      systemScope('test'),
      async (tx) => {
        await sql`insert into stations (name) values ('未')`.execute(tx);
        cancel.abort();
        await queueWithCommit(tx, sql`insert into stations (name) values ('申')`.compile(tx));
      },
      { signal: cancel.signal },
    );
    await expect(cancelled).rejects.toBeInstanceOf(QueryCancelledError);
    const names = await stationNames(systemScope('test'));
    expect(['未', '申'].filter((name) => names.includes(name))).toEqual([]);
  });

  it('fails with the error of what is kept for the commit, as the caller has it', async () => {
    const failed = app.db.tx(systemScope('test'), async (tx) => {
      await queueWithCommit(tx, sql`select 1 / 0`.compile(tx), () => new Error('refused'));
      await queueStatement(tx, sql`insert into stations (name) values ('丑')`.compile(tx));
    });
    await expect(failed).rejects.toThrow('refused');
    expect(await stationNames(systemScope('test'))).not.toContain('丑');
  });

  it('refuses to send the commit with a page while a statement is kept for it', async () => {
    const failed = app.db.tx(systemScope('test'), async (tx) => {
      await queueWithCommit(tx, sql`insert into stations (name) values ('寅')`.compile(tx));
      return lastTexts(tx, sql`select name from stations`);
    });
    await expect(failed).rejects.toThrow(/kept for the commit/);
    expect(await stationNames(systemScope('test'))).not.toContain('寅');
  });

  it('can be cancelled where it begins with a question and asks everything as the system', async () => {
    const cancel = new AbortController();
    const first = { query: sql`select 1 as one`, rows: null };
    const cancelled = app.db.tx(
      systemScope('test'),
      async (tx) => {
        await sql`insert into stations (name) values ('卯')`.execute(tx);
        // real delay: the statement below has to have begun, which nothing else tells.
        setTimeout(() => cancel.abort(), 50);
        await sql`select pg_sleep(20)`.execute(tx);
      },
      { signal: cancel.signal, first },
    );
    await expect(cancelled).rejects.toThrow(/cancel/);
    expect(await first.rows).toEqual([{ one: 1 }]);
    expect(await stationNames(systemScope('test'))).not.toContain('卯');
  });

  it('commits nothing where it is cancelled before a queued statement is sent', async () => {
    const cancel = new AbortController();
    const cancelled = app.db.tx(
      systemScope('test'),
      async (tx) => {
        await sql`insert into stations (name) values ('庚')`.execute(tx);
        cancel.abort();
        await queueStatement(tx, sql`insert into stations (name) values ('辛')`.compile(tx));
      },
      { statementTimeout: 10_000, signal: cancel.signal },
    );
    await expect(cancelled).rejects.toBeInstanceOf(QueryCancelledError);
    expect(await stationNames(systemScope('test'))).not.toContain('庚');
  });

  it('commits nothing where a queued statement has a value that cannot be sent', async () => {
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const failed = app.db.tx(systemScope('test'), async (tx) => {
      await sql`insert into stations (name) values ('壬')`.execute(tx);
      await queueStatement(tx, sql`select ${circular}::jsonb`.compile(tx));
    });
    await expect(failed).rejects.toThrow(/circular/);
    expect(await stationNames(systemScope('test'))).not.toContain('壬');
  });

  it('works as a role that may not change the schema', async () => {
    await expect(app.db.tx(systemScope('test'), (tx) => sql`create table x (a int)`.execute(tx))).rejects.toThrow(/permission denied/);
    await expect(app.db.tx(systemScope('test'), (tx) => sql`alter table stations disable row level security`.execute(tx))).rejects.toThrow(/must be owner/);
  });

  it('refuses to change or delete append-only rows', async () => {
    await expect(app.db.tx(systemScope('test'), (tx) => sql`delete from audit_log`.execute(tx))).rejects.toThrow(/permission denied/);
  });
});

describe('the age of a connection', () => {
  it('ends between two and a half and seven and a half minutes, differently for those that were opened together', async () => {
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

describe('a connection that is lost', () => {
  it('a lost connection is noted by its cause alone while it waits for work, and not at all once the pool ends', async () => {
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
