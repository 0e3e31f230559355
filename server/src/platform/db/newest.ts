import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { all } from './conditions.ts';
import type { Condition } from './conditions.ts';
import type { Order } from './paging.ts';
import type { Scoped } from './scope.ts';

/**
 * The first column of an index, and the values to find in it. `isSparse`: so few rows have these
 * values that each read needs no limit.
 */
export interface Split {
  column: string;
  type: 'bigint' | 'smallint' | 'text';
  values: readonly (number | string)[];
  isSparse?: boolean;
}

/**
 * The rows of `table`, which has the alias `alias` in the conditions. They are read in the order of
 * an index on the columns of the splits, then `by` and then id. `isUnique`: no two rows with the
 * same split columns have the same `by`, so that the index need not contain the id.
 */
export interface Source {
  table: string;
  alias: string;
  by: { column: string; type: 'timestamptz' | 'bigint'; isUnique?: boolean };
}

/**
 * Returns the stations of a scope for the first column of an index; null if the scope contains all
 * stations, because no condition on that column is needed.
 */
export const stationSplit = (work: Scoped, station_id?: number): Split | null => {
  const values =
    work.scope.kind === 'all'
      ? station_id === undefined
        ? null
        : [station_id]
      : work.scope.stations.filter((id) => (station_id ?? id) === id);
  return values && { column: 'station_id', type: 'bigint', values };
};

/**
 * The maximum number of combinations of filter values whose rows are merged for one page. If there
 * are more combinations, all rows are read in their order.
 */
const mostMerged = 2_000;

/**
 * The number of rows that may be read, for all combinations together, without first estimating the
 * end of the page.
 */
const readAnyway = 4_000;

const combinationsOf = (splits: readonly Split[]): number =>
  splits.reduce((product, { values }) => product * values.length, 1);

export const isMerged = (splits: readonly Split[]): boolean => combinationsOf(splits) <= mostMerged;

/**
 * Returns the position, in each combination, of the row from which the end of the page is
 * estimated. It is 1 while combinations × `count` is at most `readAnyway`. Above that it is twice
 * `count` / combinations, because then half of the combinations fill the page.
 */
const depthOf = (splits: readonly Split[], count: number): number => {
  const combinations = Math.max(1, combinationsOf(splits));
  return combinations * count <= readAnyway ? 1 : Math.ceil((2 * count) / combinations);
};

const ends = {
  timestamptz: ['-infinity', 'infinity'],
  bigint: ['-9223372036854775808', '9223372036854775807'],
} as const;

/**
 * Returns the ids of the first `count` rows in the order of `by` and id, newest first if
 * descending. In each combination of the splits' values it reads only rows that the page may
 * contain. The cost therefore depends on the number of combinations and on `count`, and not on the
 * size of the table or the distribution of its rows (docs/decisions/0085). First it reads the first
 * row of each combination, or a later row for a deep page. Once the rows read represent `count`
 * rows, no row after the last of them can be on the page.
 */
export const firstIds = (
  { table, alias, by }: Source,
  { splits, conditions }: { splits: readonly Split[]; conditions: readonly Condition[] },
  { descending, direction }: Order,
  count: number,
): RawBuilder<number> => {
  const at = sql.ref(`${alias}.${by.column}`);
  const id = sql.ref(`${alias}.id`);
  // The limit is part of the text, so that a prepared statement's plan includes it.
  const most = sql.lit(count);
  const order = by.isUnique
    ? sql`order by ${at} ${direction}`
    : sql`order by ${at} ${direction},
    ${id} ${direction}`;
  const rows = sql`${sql.table(table)} as ${sql.ref(alias)}`;
  const [only, ...others] = splits;
  const value = (split: Split): RawBuilder<unknown> =>
    sql`${split.values[0]}::${sql.raw(split.type)}`;
  const column = (split: Split): RawBuilder<unknown> => sql.ref(`${alias}.${split.column}`);
  if (only === undefined || splits.every(({ values }) => values.length === 1)) {
    const equal = splits.map((split) => sql<boolean>`${column(split)} = ${value(split)}`);
    return sql<number>`select ${id} from ${rows}
      where ${all([...equal, ...conditions])} ${order} limit ${most}`;
  }
  const each = [only, ...others].map(
    ({ values, type }, index) =>
      sql`unnest(${values}::${sql.raw(`${type}[]`)}) ${sql.ref(`u${index}`)} (${sql.ref(`k${index}`)})`,
  );
  const here = splits.map(
    (split, index) => sql<boolean>`${column(split)} = ${sql.ref(`p.k${index}`)}`,
  );
  const keys = sql.join(splits.map((_, index) => sql.ref(`k${index}`)));
  const matching = all([...here, ...conditions]);
  const [beyond, farthest] = descending
    ? [sql.raw('>='), sql.raw('min')]
    : [sql.raw('<='), sql.raw('max')];
  const depth = depthOf(splits, count);
  // At a depth above 1, a combination with too few rows has no row at that position. It must still
  // be part of the page.
  const [heads, found] =
    depth === 1
      ? [sql`cross join`, sql`limit 1) h`]
      : [sql`left join`, sql`limit 1 offset ${sql.lit(depth - 1)}) h on true`];
  const needed = Math.ceil(count / depth);
  const values = sql`(select ${keys} from ${sql.join(each, sql` cross join `)}) p`;
  // If combinations or rows are few, the reads need no limit by time. A limit that excludes no row
  // would make PostgreSQL expect few rows, and read all rows of the period with another index.
  if (combinationsOf(splits) < needed || splits.some(({ isSparse }) => isSparse))
    return sql<number>`
    select x.id from ${values} cross join lateral (select ${id} as id, ${at} as at
      from ${rows} where ${matching} ${order} limit ${most}) x
    order by x.at ${direction}, x.id ${direction} limit ${most}`;
  const enough = sql.lit(needed);
  const end = sql`${ends[by.type][descending ? 0 : 1]}::${sql.raw(by.type)}`;
  return sql<number>`
    with heads as materialized (
        select ${sql.join(splits.map((_, index) => sql.ref(`p.k${index}`)))}, h.at
          from ${values}
          ${heads} lateral (select ${at} as at from ${rows}
            where ${matching} ${order} ${found}),
      bound as materialized (
        select case when count(*) = ${enough} then ${farthest}(f.at) else ${end} end as at
          from (select at from heads where at is not null order by at ${direction}
          limit ${enough}) f)
    select x.id from heads p cross join bound b
      cross join lateral (select ${id} as id, ${at} as at from ${rows} where ${matching}
        and ${at} ${beyond} b.at ${order} limit ${most}) x
    order by x.at ${direction}, x.id ${direction} limit ${most}`;
};

/** Returns `firstIds` as a condition on the rows of the source. */
export const amongFirst = (...what: Parameters<typeof firstIds>): Condition =>
  sql<boolean>`${sql.ref(`${what[0].alias}.id`)} = any(array(${firstIds(...what)}))`;
