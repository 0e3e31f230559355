import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { openOwner } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { cursorOf } from './paging.ts';
import { listRows } from './rows.ts';
import { systemScope } from './scope.ts';

let app: TestApp;
let owner: Db;
beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  await run((work) =>
    sql`create table walked (id bigint primary key, name text not null,
    n int not null, at timestamptz not null)`.execute(work.tx),
  );
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const run = <T>(act: (work: Work) => Promise<T>): Promise<T> => owner.tx(systemScope('test'), act);
const fill = (): Promise<unknown> =>
  run(async (work) => {
    await sql`delete from walked`.execute(work.tx);
    // The times are a microsecond apart and every time occurs twice. The names contain quotes,
    // commas and backslashes.
    await sql`insert into walked select i, '名 "' || chr(100 + i % 7) || '", \' || i % 3,
      i % 4 * 1000, timestamptz '2026-11-01' + (i / 2) * interval '1 microsecond'
      from generate_series(1, 50) i`.execute(work.tx);
  });
const page = (sort: string, cursor: string | undefined) =>
  run((work) =>
    listRows<{ id: number }>(work, sql`walked`, {
      conditions: [],
      paging: { sort, cursor, page_size: 7 },
      sortable: ['id', 'name', 'n', 'at'],
    }),
  );

test.each(['id', '-id', 'name', '-name', 'n', '-n', 'at', '-at'])(
  'pages sorted by %s show each row once, even if rows are inserted before them and rows already shown are deleted',
  async (sort) => {
    await fill();
    const seen: number[] = [];
    for (let cursor: string | undefined; ;) {
      const { items, next_cursor } = await page(sort, cursor);
      expect(Object.keys(items[0]!)).toEqual(['id', 'name', 'n', 'at']);
      seen.push(...items.map(({ id }) => id));
      if (next_cursor === null) break;
      cursor = next_cursor;
      // Deletes the row that was shown last, and inserts a row that comes before all others.
      const first = sort.startsWith('-')
        ? [1_000 + seen.length, '龥', 9_999, '2027-01-01']
        : [-seen.length, '', -1, '2025-01-01'];
      await run(async (work) => {
        await sql`delete from walked where id = ${seen.at(-1)}`.execute(work.tx);
        await sql`insert into walked values (${sql.join(first)})`.execute(work.tx);
      });
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  },
);

test.each(['7', 'nonsense', cursorOf('2026-13-77', 1), cursorOf(5, 1), cursorOf(null, 1)])(
  'the cursor %s, which no list has written, is refused',
  async (cursor) => {
    await expect(page('at', cursor)).rejects.toMatchObject({ code: 'bad_request' });
  },
);
