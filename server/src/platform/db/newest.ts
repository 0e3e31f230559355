import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { all } from './conditions.ts';
import type { Condition } from './conditions.ts';
import type { Order } from './paging.ts';
import type { Scope } from './scope.ts';

/** A column that an index begins with, and the values that are wanted of it. */
export interface Split {
  column: string;
  type: 'bigint' | 'smallint' | 'text';
  values: readonly (number | string)[];
}

/**
 * Rows of `table`, called `alias` in the conditions, that an index holds by the columns of the splits, then by `by` and by id. `isUnique`: no two rows of a combination
 * have the same `by`, so that the index need not hold the id.
 */
export interface Source {
  table: string;
  alias: string;
  by: { column: string; type: 'timestamptz' | 'bigint'; isUnique?: boolean };
}

/** The stations of a scope as what an index begins with; null: all of them, which needs none. */
export const stationSplit = (scope: Scope, station_id?: number): Split | null => {
  const values = scope.kind === 'all' ? (station_id === undefined ? null : [station_id]) : scope.stations.filter((id) => (station_id ?? id) === id);
  return values && { column: 'station_id', type: 'bigint', values };
};

/** More combinations of values than this are not merged for one page: then all rows are walked in their order. */
const mostMerged = 2_000;

/** Rows that all combinations together may read before it is looked how far down the page reaches. */
const readAnyway = 4_000;

const combinationsOf = (splits: readonly Split[]): number => splits.reduce((product, { values }) => product * values.length, 1);

export const isMerged = (splits: readonly Split[]): boolean => combinationsOf(splits) <= mostMerged;

/**
 * How far down each combination is looked at for the end of the page: at its first row, unless the page is deep and the combinations are few. Twice their equal
 * share, so that half of the combinations, each with so many rows, hold the page.
 */
const depthOf = (splits: readonly Split[], count: number): number => {
  const combinations = Math.max(1, combinationsOf(splits));
  return combinations * count <= readAnyway ? 1 : Math.ceil((2 * count) / combinations);
};

const ends = { timestamptz: ['-infinity', 'infinity'], bigint: ['-9223372036854775808', '9223372036854775807'] } as const;

/**
 * The ids of the first `count` rows in the order of `by` and id, newest first where descending: of each combination of the splits' values only what can be
 * among them is read, so the cost depends on the combinations and on `count`, not on the size of the table or on how its rows are spread
 * (docs/decisions/0038). The heads of the combinations come first, of a deep page a row further down each of them: where together they stand for `count` rows, no row
 * beyond the last of these can be on the page.
 */
export const firstIds = (
  { table, alias, by }: Source,
  splits: readonly Split[],
  conditions: readonly Condition[],
  { descending, direction }: Order,
  count: number,
): RawBuilder<number> => {
  const at = sql.ref(`${alias}.${by.column}`);
  const id = sql.ref(`${alias}.id`);
  // Part of the text, so that a prepared statement's plan knows it.
  const most = sql.lit(count);
  const order = by.isUnique ? sql`order by ${at} ${direction}` : sql`order by ${at} ${direction}, ${id} ${direction}`;
  const rows = sql`${sql.table(table)} as ${sql.ref(alias)}`;
  const [only, ...others] = splits;
  const value = (split: Split): RawBuilder<unknown> => sql`${split.values[0]}::${sql.raw(split.type)}`;
  const column = (split: Split): RawBuilder<unknown> => sql.ref(`${alias}.${split.column}`);
  if (only === undefined || splits.every(({ values }) => values.length === 1)) {
    const equal = splits.map((split) => sql<boolean>`${column(split)} = ${value(split)}`);
    return sql<number>`select ${id} from ${rows} where ${all([...equal, ...conditions])} ${order} limit ${most}`;
  }
  const each = [only, ...others].map(
    ({ values, type }, index) => sql`unnest(${values}::${sql.raw(`${type}[]`)}) ${sql.ref(`u${index}`)} (${sql.ref(`k${index}`)})`,
  );
  const here = splits.map((split, index) => sql<boolean>`${column(split)} = ${sql.ref(`p.k${index}`)}`);
  const keys = sql.join(splits.map((_, index) => sql.ref(`k${index}`)));
  const matching = all([...here, ...conditions]);
  const [beyond, farthest] = descending ? [sql.raw('>='), sql.raw('min')] : [sql.raw('<='), sql.raw('max')];
  const depth = depthOf(splits, count);
  // Below the first row, a combination with fewer rows has no such head, and still belongs to the page.
  const [heads, found] = depth === 1 ? [sql`cross join`, sql`limit 1) h`] : [sql`left join`, sql`limit 1 offset ${sql.lit(depth - 1)}) h on true`];
  const needed = Math.ceil(count / depth);
  const values = sql`(select ${keys} from ${sql.join(each, sql` cross join `)}) p`;
  // So few combinations have no bound. One that never bounds would still let PostgreSQL expect few rows of a stretch of time, and read all of it by another index.
  if (combinationsOf(splits) < needed)
    return sql<number>`
    select x.id from ${values} cross join lateral (select ${id} as id, ${at} as at from ${rows} where ${matching} ${order} limit ${most}) x
    order by x.at ${direction}, x.id ${direction} limit ${most}`;
  const enough = sql.lit(needed);
  const end = sql`${ends[by.type][descending ? 0 : 1]}::${sql.raw(by.type)}`;
  return sql<number>`
    with heads as materialized (
        select ${sql.join(splits.map((_, index) => sql.ref(`p.k${index}`)))}, h.at from ${values}
          ${heads} lateral (select ${at} as at from ${rows} where ${matching} ${order} ${found}),
      bound as materialized (
        select case when count(*) = ${enough} then ${farthest}(f.at) else ${end} end as at from (select at from heads where at is not null order by at ${direction} limit ${enough}) f)
    select x.id from heads p cross join bound b
      cross join lateral (select ${id} as id, ${at} as at from ${rows} where ${matching} and ${at} ${beyond} b.at ${order} limit ${most}) x
    order by x.at ${direction}, x.id ${direction} limit ${most}`;
};

/** `firstIds` as a condition on the source's rows. */
export const amongFirst = (...what: Parameters<typeof firstIds>): Condition =>
  sql<boolean>`${sql.ref(`${what[0].alias}.id`)} = any(array(${firstIds(...what)}))`;
