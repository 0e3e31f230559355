import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { sql } from './db.ts';
import { systemScope } from './scope.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Returns the tables that docs/operating.md lists under "Vacuum and statistics". */
const listed = (): string[] => {
  const page = readFileSync(join(import.meta.dirname, '../../../..', 'docs/operating.md'), 'utf8');
  const section = page.slice(page.indexOf('## Vacuum and statistics')).split('\n## ')[0]!;
  return section
    .split('\n')
    .filter(
      (line) =>
        line.startsWith('| `') &&
        line
          .split('|')
          .every((cell, no, { length }) => no === 0 || no === length - 1 || cell.trim() !== ''),
    )
    .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
};

it('docs/operating.md lists exactly the tables with their own settings for vacuum, statistics or free space, each with a reason', async () => {
  const rows = await app.db.rows(
    systemScope('test'),
    sql<{
      name: string;
    }>`select relname::text as name from pg_class where relkind in ('r', 'p')
      and relnamespace = 'public'::regnamespace and reloptions is not null`,
  );
  expect(listed().toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

it('every extended statistics object of the database is mentioned in docs/operating.md', async () => {
  const rows = await app.db.rows(
    systemScope('test'),
    sql<{ name: string }>`select stxname::text as name from pg_statistic_ext
      where stxnamespace = 'public'::regnamespace`,
  );
  const page = readFileSync(join(import.meta.dirname, '../../../..', 'docs/operating.md'), 'utf8');
  expect(rows.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
