import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstOf } from '@waystation/contract/base/present.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { markdownTables } from '#testing/markdown-tables.ts';
import type { Row } from '#testing/markdown-tables.ts';
import { openOwner } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
/** The number of API calls per order in the usual mix of calls (bench/src/sizes/mix.ts). */
const callsOfOrder = 31;
const page = new Map(
  ['docs/scale.md', 'docs/sizes.md', 'server/src/scale-plans.md'].flatMap((name) => [
    ...markdownTables(read(name)),
  ]),
);
const listed = (name: string): Row[] =>
  page
    .get(name)!
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, cell]) => [key, cell?.replaceAll('`', '') ?? null]),
      ),
    );

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

const rowsOf = <R>(query: ReturnType<typeof sql<R>>): Promise<R[]> =>
  owner.rows(systemScope('test'), query);

/** SQL for the tables that have a column `station_id`. */
const moving = sql`select a.attrelid as oid from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  where a.attname = 'station_id' and not a.attisdropped and c.relkind in ('r', 'p')
    and c.relnamespace = 'public'::regnamespace`;

const columnsOf = (relation: string, numbers: string) =>
  sql.raw(
    `array(select a.attname::text from unnest(${numbers}) with ordinality k (n, o) join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.n order by o)`,
  );

describe('docs/scale.md and server/src/scale-plans.md', () => {
  it('the scaling document lists exactly the unique keys of the tables with station rows, each with a plan', async () => {
    const keys = await rowsOf(sql<{ key: string }>`
      select distinct c.relname || ': ' || array_to_string((${columnsOf('c.oid', 'i.indkey::int2[]')})[1 : i.indnkeyatts],
        ', ') as key
      from pg_index i join pg_class c on c.oid = i.indrelid
      where i.indisunique and c.oid in (${moving})`);
    const plans = listed('keys');
    expect(plans.map((row) => `${row['table']}: ${row['unique']}`).toSorted()).toEqual(
      keys.map(({ key }) => key).toSorted(),
    );
    expect(plans.filter(({ plan }) => !/^(?:range|with|directory|stays)/.test(plan ?? ''))).toEqual(
      [],
    );
  });

  it('the list of tables that several cells would share contains exactly the tables with a carrier account, each with a plan', async () => {
    const tables = await rowsOf(sql<{ name: string }>`select c.relname::text as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.attname = 'merchant_id' and c.relkind in ('r', 'p')
        and c.relnamespace = 'public'::regnamespace and c.oid not in (${moving})`);
    expect(
      listed('hot')
        .map(({ table }) => table)
        .toSorted(),
    ).toEqual(tables.map(({ name }) => name).toSorted());
    expect(listed('hot').filter(({ plan }) => plan === null)).toEqual([]);
  });

  it('the documented capacity equals the result of the documented sizes and rates, and each rate is in docs/performance.md', () => {
    const measured = read('docs/performance.md').replaceAll(/[*|]/g, '').replaceAll(/\s+/g, ' ');
    const rates = listed('rates').map((row) => ({
      rate: Number.parseFloat(row['rate']!),
      source: row['measured']!,
    }));
    expect(rates.filter(({ source }) => source !== 'above' && !measured.includes(source))).toEqual(
      [],
    );
    const [calls, proof] = rates.map(({ rate }) => rate) as [number, number];
    const most = firstOf(listed('mix'))['a core each for server and database'];
    expect(calls).toBe(Number(most));
    const sum = (column: string): number =>
      listed('size').reduce((bytes, row) => bytes + Number(row[column]!.replaceAll(',', '')), 0);
    const bytes = sum('bytes a parcel');
    const indexes = sum('of these indexes');
    const two = (value: number): string => String(Number(value.toPrecision(2)));
    const size = (amount: number): string =>
      amount < 1e12 ? `${two(amount / 1e9)} GB` : `${two(amount / 1e12)} TB`;
    const expected = [10, 100, 1_000].map((millions) => {
      const parcels = millions * 1e6;
      const busiest = (parcels / 365 / 10 / 3_600) * callsOfOrder;
      return {
        parcels: `${millions === 1_000 ? '1,000' : millions} million`,
        'on disk': size(parcels * bytes),
        memory: size(parcels * ((bytes * 30) / 365 + indexes / 100)),
        'calls in the busiest hour': `${two(busiest)} a second`,
        // The rate was measured with two cores, and the busiest hour gets twice the cores that it
        // needs.
        cores: two((2 * 2 * busiest) / calls),
        'full proof': `${two((millions * proof) / 3_600)} h`,
        shape: expect.any(String) as string,
      };
    });
    expect(listed('capacity')).toEqual(expected);
  });
});
