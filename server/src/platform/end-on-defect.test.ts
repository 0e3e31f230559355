import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from '#testing/cluster.ts';
import { compileCache } from '#testing/compile-cache.ts';
import { urlOf } from '#testing/worker-process.ts';

/** Runs a Node program, and returns its exit code and the text that it wrote to standard error. */
const ended = async (
  words: string[],
  env: Record<string, string> = {},
): Promise<{ code: unknown; written: string }> => {
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[code], written] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  return { code, written };
};

const thrown = `Object.assign(new Error('refused'), { severity: 'ERROR', code: '23514',
  detail: 'Failing row contains (1, 张三, 13900000001).' })`;

it.each([
  ['an error that nothing caught', `setImmediate(() => { throw ${thrown}; })`],
  ['a promise whose rejection nothing handled', `Promise.reject(${thrown})`],
])(
  '%s ends the process; the printed error has its code and stack, but not the database row that it quotes',
  async (_, last) => {
    const file = JSON.stringify(join(import.meta.dirname, 'end-on-defect.ts'));
    const program = `import { endOnDefect } from ${file}; endOnDefect(); ${last};`;
    const { code, written } = await ended(['--input-type=module', '-e', program]);
    expect(code).toBe(1);
    expect(written).toMatch(/Error: refused\n {4}at [^]*"code":"23514"/);
    expect(written).not.toMatch(/张三|13900000001|Failing row/);
  },
);

it('if the database refuses a statement at start, the program exits with the SQL error code in its log, but without the row’s values', async () => {
  const database = await createTestDatabase();
  try {
    const owner = new pg.Client(database.owner);
    await owner.connect();
    await owner.query(`update schema_sql set hash = 'old' where name = 'retention.sql';
      alter table schema_sql add constraint refused check (hash = 'old') not valid`);
    await owner.end();
    const { code, written } = await ended([join(import.meta.dirname, '..', 'main.ts'), 'migrate'], {
      DATABASE_URL: urlOf(database.owner),
      WAYSTATION_APP_DATABASE_URL: urlOf(database.connection),
      WAYSTATION_SECRET_KEY: '0'.repeat(64),
      WAYSTATION_HEADS_FILE: 'off',
      WAYSTATION_LOG: 'error',
    });
    expect(code).toBe(1);
    expect(written).toMatch(/"code":"23514","constraint":"refused","table":"schema_sql"/);
    expect(written).not.toContain('Failing row');
  } finally {
    await database.drop();
  }
});
