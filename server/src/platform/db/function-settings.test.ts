import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { markdownTables } from '#testing/markdown-tables.ts';
import { openOwner } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { sql } from './db.ts';
import type { Db } from './db.ts';
import { systemScope } from './scope.ts';

let app: TestApp;
let owner: Db;
beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const decision = join(
  import.meta.dirname,
  '../../../..',
  'docs/decisions/0095-settings-of-functions.md',
);

it('decision 95 lists exactly the planner settings that the database’s functions have', async () => {
  const rows = await owner.rows(
    systemScope('test'),
    sql<{ function: string; setting: string }>`select distinct p.proname::text as function,
      s.setting from pg_proc p cross join unnest(p.proconfig) s (setting)
      where p.pronamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
        and s.setting !~ '^(search_path|TimeZone|timezone|DateStyle|datestyle|lock_timeout|statement_timeout)='`,
  );
  const listed = markdownTables(readFileSync(decision, 'utf8'))
    .get('settings')!
    .flatMap(({ functions, setting }) =>
      functions!
        .split(', ')
        .map((name) => `${name.replaceAll('`', '')}: ${setting!.replaceAll('`', '')}`),
    );
  expect(listed.toSorted()).toEqual(
    rows.map((row) => `${row.function}: ${row.setting}`).toSorted(),
  );
});

it('every planner setting in decision 95 has a measured time', () => {
  const tables = markdownTables(readFileSync(decision, 'utf8'));
  const unmeasured = tables.get('server')!.filter((row) => !/\d ms/.test(row['otherwise'] ?? ''));
  expect(unmeasured).toEqual([]);
  const table = tables.get('settings')!;
  expect(
    table.filter(
      ({ measured }) => !/\d/.test(measured ?? '') || measured!.includes('not measured'),
    ),
  ).toEqual([]);
});
