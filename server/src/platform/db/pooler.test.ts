import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { openTransactionPooler } from '#testing/transaction-pooler.ts';
import type { TransactionPooler } from '#testing/transaction-pooler.ts';
import { createLog } from '#platform/log.ts';
import { isUnavailable, openDb, sql } from './db.ts';
import type { Db } from './db.ts';
import { systemScope } from './scope.ts';

const all = systemScope('test');
let database: TestDatabase;
let pooler: TransactionPooler;
let warnings: string[];
/** Two pools, as two server processes have them. */
let processes: Db[];

const noted = createLog('warn', {
  write: (line) => void warnings.push((JSON.parse(line) as { msg: string }).msg),
});

beforeAll(async () => {
  database = await createTestDatabase();
  pooler = await openTransactionPooler(database.connection, 3);
});
beforeEach(() => {
  warnings = [];
  processes = [1, 2].map(() => openDb({ connection: pooler.connection, max: 3, log: noted }));
});
afterEach(async () => {
  for (const db of processes) await db.close();
});
afterAll(async () => {
  await pooler.close();
  await database.drop();
});

interface Answer {
  who: string;
  value: number;
}

/** Returns a statement whose text and result both contain `who`. */
const statement = (who: string, value: number) =>
  sql<Answer>`select ${sql.lit(who)}::text as who, ${value}::int as value`;

/**
 * In each turn, calls `call` six times simultaneously, three times for each process. Each process
 * uses seven different texts. Returns the wrong responses and the errors.
 */
const callBoth = async (turns: number, call: (db: Db, asked: Answer) => Promise<Answer[]>) => {
  const wrong: unknown[] = [];
  const errors: unknown[] = [];
  for (let turn = 0; turn < turns; turn++)
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (at) => {
        const asked = { who: `${at % 2} ${(turn * (at + 1)) % 7}`, value: turn * 6 + at };
        await call(processes[at % 2]!, asked).then(
          (rows) => isDeepStrictEqual(rows, [asked]) || wrong.push({ asked, rows }),
          (error: unknown) => errors.push(error),
        );
      }),
    );
  return { wrong, errors };
};

const stopped = expect.stringContaining('prepares no more statements');

describe('two processes behind a transaction pooler', () => {
  it('two processes behind a transaction pooler never run each other’s prepared statements; each process logs one warning and prepares no more', async () => {
    const { wrong, errors } = await callBoth(100, (db, { who, value }) =>
      db.rows(all, statement(who, value)),
    );
    expect({ wrong, errors, warnings }).toEqual({
      wrong: [],
      errors: [],
      warnings: [stopped, stopped],
    });
  });

  it('a transaction behind a pooler is repeated if its first statement fails, and is unavailable if a later statement fails', async () => {
    const { wrong, errors } = await callBoth(50, (db, { who, value }) =>
      db.tx(all, async (work) => {
        const first = await statement(who, value).execute(work.tx);
        const second = await statement(`${who}, again`, value).execute(work.tx);
        return second.rows[0]?.who === `${who}, again` ? first.rows : second.rows;
      }),
    );
    expect({ wrong, warnings }).toEqual({ wrong: [], warnings: [stopped, stopped] });
    expect(errors.filter((error) => !isUnavailable(error))).toEqual([]);
    // At most the calls that were running when a process stopped preparing may fail.
    expect(errors.length).toBeLessThanOrEqual(6);
  });
});
