import { sql } from 'kysely';
import type { Insertable, RawBuilder, Updateable } from 'kysely';
import { all } from './conditions.ts';
import type { Condition } from './conditions.ts';
import { oneRow } from './db.ts';
import type { RowOf, Table, Work } from './db.ts';
import {
  countedOf,
  cursorOf,
  limitOfCount,
  limitOfPage,
  orderOf,
  pageOfRows,
  pageWindow,
  readCursor,
} from './paging.ts';
import type { Counted, Counting, Listed, Paging } from './paging.ts';
import type { Schema } from './schema.ts';
import { fail } from '#platform/fail.ts';
import { withPinyin } from '#platform/pinyin.ts';

interface Identified {
  id: number;
}

/**
 * The rows of a growing list with the list of their columns. A statement with `*` would be planned
 * again at each call (prepared.ts).
 */
export interface NamedRows {
  rows: RawBuilder<unknown>;
  columns: RawBuilder<unknown>;
}
/**
 * The source of a query: a table name or a subquery in parentheses. Its columns are either listed
 * or all selected.
 */
type From = RawBuilder<unknown> | NamedRows;

/**
 * Lists columns of the table `alias` for a select. `names` contains the column names, separated by
 * spaces.
 */
export const columnsOf = (alias: string, names: string): RawBuilder<unknown> =>
  sql.raw(
    names
      .split(' ')
      .map((name) => `${alias}."${name}"`)
      .join(', '),
  );

/** Returns the table or subquery `rows` with its list of column names. */
export const namedRows = (names: string, rows: RawBuilder<unknown>): NamedRows => ({
  rows,
  columns: columnsOf('r', names),
});

const rowsIn = (from: From): RawBuilder<unknown> => ('columns' in from ? from.rows : from);
const columnsIn = (from: From): RawBuilder<unknown> =>
  'columns' in from ? from.columns : sql`r.*`;
const selected = (from: From): RawBuilder<unknown> => sql`select ${columnsIn(from)}
  from ${rowsIn(from)} r`;

type Iso<V> = V extends Date ? string : V;
/** A row as it is sent: its times are texts in ISO 8601. */
export type Wire<R> = { [K in keyof R]: Iso<R[K]> };

const wired = <R>(row: object): R => {
  const wire: Record<string, unknown> = { ...row };
  for (const name in wire) {
    const value = wire[name];
    if (value instanceof Date) wire[name] = value.toISOString();
  }
  return wire as R;
};

/** Counts the rows of a list. `from` and `conditions` are as for `listRows`. */
export const countRows = async (
  work: Work,
  from: From,
  conditions: readonly Condition[],
  counting: Counting,
): Promise<Counted> => {
  const { n } = await oneRow(
    work,
    sql<{ n: number }>`select count(*) as n
      from (select 1 from ${rowsIn(from)} r
      where ${all(conditions)} ${limitOfCount(counting)}) t`,
  );
  return countedOf(n, counting);
};

/**
 * Returns a condition for rows after a cursor. The cursor's value gets the type of the column it is
 * compared with. `refusedPlace` handles a value that PostgreSQL cannot convert.
 */
export const afterCursor = (
  by: RawBuilder<unknown>,
  descending: boolean,
  cursor: string | undefined,
): Condition[] => {
  if (cursor === undefined) return [];
  const { value, id } = readCursor(cursor, (text) => typeof text === 'string');
  return [
    sql<boolean>`(${by}, r.id) ${sql.raw(descending ? '<' : '>')} (${value},
    ${id}::bigint)`,
  ];
};

/**
 * Throws `bad_request` if PostgreSQL cannot convert a cursor's value to the column's type (data
 * exception). Such a cursor was not created by `listRows`.
 */
const refusedPlace = (error: unknown): never => {
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('22'))
    return fail('bad_request');
  throw error;
};

interface ListQuery {
  conditions: readonly Condition[];
  paging: Paging;
  /**
   * The columns by which a caller may sort. The first is the default, and none of them is ever
   * null.
   */
  sortable: readonly [string, ...string[]];
}

/**
 * Reads one page of rows. The rows of `from` have the alias `r` in the conditions and a column
 * `id`. Rows with equal sort values are sorted by id. A cursor contains the sort value, as text,
 * and the id of the last row: the next page begins after that position, even if the row was changed
 * or deleted. Throws `bad_request` for an unknown sort column or an invalid cursor. Also counts the
 * rows, unless the paging is `uncounted`.
 */
export const listRows = async <R extends Identified>(
  work: Work,
  from: From,
  { conditions, paging, sortable }: ListQuery,
): Promise<Listed<R>> => {
  const { column, descending, direction } = orderOf(paging.sort, sortable);
  const { size } = pageWindow(paging);
  const by = sql.ref(`r.${column}`);
  const reading = sql<{ place: string }>`select ${columnsIn(from)}, (${by})::text as place
    from ${rowsIn(from)} r
    where ${all([...conditions, ...afterCursor(by, descending, paging.cursor)])}
    order by ${by} ${direction}, r.id ${direction} ${limitOfPage(paging)}`.execute(work.tx);
  const { rows } = await (paging.cursor === undefined ? reading : reading.catch(refusedPlace));
  const counts =
    paging.countUpTo === 0
      ? { total: null, total_is_capped: 0 as const }
      : await countRows(work, from, conditions, paging);
  const { items, last } = pageOfRows(
    rows.map(({ place, ...row }) => ({ place, row: wired<R>(row) })),
    size,
  );
  return {
    items: items.map(({ row }) => row),
    ...counts,
    next_cursor: last && cursorOf(last.place, last.row.id),
  };
};

/** Returns the rows sorted in the order of `ids`. An id without a row is left out. */
export const inOrder = <R extends Identified>(ids: readonly number[], rows: readonly R[]): R[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/**
 * Finds the ids of a list's rows in the order of the list; the parameters are those of `listRows`.
 * Finds as many ids as the counting limit, and one more if there are more. The ids are sorted only
 * after the search, so that no query plan reads the table in the order of the list.
 */
export const idsOfRows = async (
  work: Work,
  from: From,
  { conditions, paging, sortable }: ListQuery,
): Promise<number[]> => {
  const { column, direction } = orderOf(paging.sort, sortable);
  const found = sql`select r.id, ${sql.ref(`r.${column}`)} as by from ${rowsIn(from)} r
    where ${all(conditions)} ${limitOfCount(paging)}`;
  const { ids } = await oneRow(
    work,
    sql<{ ids: number[] }>`select array(select x.id
    from (${found}) x order by x.by ${direction}, x.id ${direction}) as ids`,
  );
  return ids;
};

/** Reads the rows with these ids that meet the conditions, in the order of the ids. */
export const rowsOfIds = async <R extends Identified>(
  work: Work,
  from: From,
  ids: readonly number[],
  conditions: readonly Condition[],
): Promise<R[]> => {
  const { rows } = await sql<object>`${selected(from)}
    where ${all([sql<boolean>`r.id = any(${ids}::bigint[])`, ...conditions])}`.execute(work.tx);
  return inOrder(
    ids,
    rows.map((row) => wired<R>(row)),
  );
};

/**
 * Returns the row with this id in `from`. Throws `not_found` if it does not exist or does not meet
 * the conditions.
 */
export const getRow = async <R extends Identified>(
  work: Work,
  from: From,
  id: number,
  conditions: readonly Condition[] = [],
): Promise<R> => {
  const { rows } = await sql<object>`${selected(from)}
    where ${all([sql<boolean>`r.id = ${id}`, ...conditions])}`.execute(work.tx);
  return rows[0] ? wired<R>(rows[0]) : fail('not_found');
};

/** The names of the tables whose rows have an id. */
type Keyed = { [T in Table]: RowOf<T> extends { id: number } ? T : never }[Table];
export type Versioned = { [T in Keyed]: RowOf<T> extends { version: number } ? T : never }[Keyed];
export type Switched = {
  [T in Versioned]: RowOf<T> extends { status: 0 | 1 } ? T : never;
}[Versioned];
/** A row of a table with its times as ISO 8601. */
export type Stored<T extends Table> = Wire<RowOf<T>>;

/** The values of a new row, by column. A column that is undefined gets its default. */
export type NewValues<T extends Table> = {
  [C in keyof Insertable<Schema[T]>]:
    | Insertable<Schema[T]>[C]
    | (undefined extends Insertable<Schema[T]>[C] ? undefined : never);
};
export type Values<T extends Table> = {
  [C in keyof Updateable<Schema[T]>]?: Updateable<Schema[T]>[C] | undefined;
};

/** Locks a row of a table until the transaction ends, as the first step of a change. */
export const lockRow = async <T extends Keyed>(
  work: Work,
  table: T,
  id: number,
  conditions: readonly Condition[] = [],
): Promise<Stored<T>> => {
  const { rows } = await sql<object>`select r.* from ${sql.table(table)} r
    where ${all([sql<boolean>`r.id = ${id}`, ...conditions])} for no key update`.execute(work.tx);
  return rows[0] ? wired<Stored<T>>(rows[0]) : fail('not_found');
};

const definedEntries = (values: object): [string, unknown][] =>
  Object.entries(values).filter(([, value]) => value !== undefined);

/**
 * Inserts a row with these columns and returns it. A column that is undefined gets the table's
 * default.
 */
export const insertRow = async <T extends Keyed>(
  work: Work,
  table: T,
  values: NewValues<T>,
): Promise<Stored<T>> => {
  const columns = definedEntries(withPinyin(table, values));
  const row = await oneRow(
    work,
    sql<object>`insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
    values (${sql.join(columns.map(([, value]) => sql`${value}`))}) returning *`,
  );
  return wired<Stored<T>>(row);
};

const writeRow = async <T extends Versioned>(
  work: Work,
  table: T,
  row: Identified & { version: number },
  { version, values }: { version: number; values: object },
): Promise<Stored<T>> => {
  if (row.version !== version) fail('version_conflict', {}, { current: row });
  const named = withPinyin(table, values);
  const set = definedEntries(named).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const written = await oneRow(
    work,
    sql<object>`update ${sql.table(table)}
      set ${sql.join([...set, sql`version = version + 1`, sql`updated_at = clock_timestamp()`])}
    where id = ${row.id} returning *`,
  );
  // If an update changes the name and leaves the pinyin as it was, the trigger clears the pinyin. A
  // new name may have the same pinyin, so it is written again here.
  const { pinyin } = named as { pinyin?: string };
  if (pinyin !== undefined && Reflect.get(written, 'pinyin') === null) {
    await sql`update ${sql.table(table)} set pinyin = ${pinyin} where id = ${row.id}`.execute(
      work.tx,
    );
    Object.assign(written, { pinyin });
  }
  return wired<Stored<T>>(written);
};

/**
 * Writes these columns of a locked row and increases its version. `version` is the version that the
 * caller saw before the lock. Throws `version_conflict` with the present row if the row now has
 * another version.
 */
export const updateRow = <T extends Versioned>(
  work: Work,
  table: T,
  row: Identified & { version: number },
  { version, values }: { version: number; values: Values<T> },
): Promise<Stored<T>> => writeRow(work, table, row, { version, values });

/** Enables (1) or disables (0) a locked row. A row that already has this status is unchanged. */
export const setStatus = async <T extends Switched>(
  work: Work,
  table: T,
  row: Stored<T> & Identified & { version: number; status: 0 | 1 },
  status: 0 | 1,
): Promise<Stored<T>> =>
  row.status === status
    ? row
    : writeRow(work, table, row, { version: row.version, values: { status } });
