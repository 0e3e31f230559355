import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { typedPinyin } from '#platform/pinyin.ts';
import { sqlDayStart } from './days.ts';

/** A condition on the rows of a query. */
export type Condition = RawBuilder<boolean>;

/** Joins conditions with "and". If there are no conditions, the result is true for every row. */
export const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`${sql.join(
        conditions,
        sql`
    and `,
      )}`;

/**
 * Returns the condition of a filter from its value and its name. Returns null if this value needs
 * no condition.
 */
type Rule<Value> = (value: Value, name: string) => Condition | null;
type Rules<Filters> = { [Name in keyof Filters]?: Rule<Exclude<Filters[Name], undefined>> };

/**
 * Returns the conditions of a list's filters, in the order of `rules`. If a filter is undefined or
 * an empty text, it adds no condition.
 */
export const filterConditions = <Filters extends object>(
  filters: Filters,
  rules: Rules<Filters>,
): Condition[] =>
  (Object.entries(rules) as [keyof Filters & string, Rule<unknown>][]).flatMap(([name, rule]) => {
    const value: unknown = filters[name];
    return value === undefined || value === '' ? [] : (rule(value, name) ?? []);
  });

/**
 * A condition that the column with the filter's name equals the filter's value. `alias` is the
 * alias of the column's table in the query.
 */
export const equalIn =
  (alias: string) =>
  (value: unknown, name: string): Condition =>
    sql<boolean>`${sql.ref(`${alias}.${name}`)} = ${value}`;

/** Like `equalIn`, for lists that `listRows` reads with the alias `r`. */
export const equal = equalIn('r');

export const atLeast =
  (column: string) =>
  (value: number): Condition =>
    sql<boolean>`${sql.ref(column)} >= ${value}`;

export const atMost =
  (column: string) =>
  (value: number): Condition =>
    sql<boolean>`${sql.ref(column)} <= ${value}`;

/** A condition that one of the columns contains the text, ignoring case. */
export const contains =
  (...columns: readonly [string, ...string[]]) =>
  (part: string): Condition =>
    sql<boolean>`(${sql.join(
      columns.map((column) => sql`strpos(lower(${sql.ref(column)}), lower(${part})) > 0`),
      sql` or `,
    )})`;

/**
 * A condition that the name contains the text. The text may also be pinyin or initials of the name,
 * starting at any of its characters. `pinyin` is the column with `pinyinKeys`.
 */
export const named =
  (name: string, pinyin: string) =>
  (part: string): Condition => {
    const typed = typedPinyin(part);
    return typed === null
      ? contains(name)(part)
      : sql<boolean>`(${contains(name)(part)}
      or strpos(' ' || ${sql.ref(pinyin)}, ' ' || ${typed}) > 0)`;
  };

/** A condition that the column begins with the text, ignoring case. */
export const beginsWith =
  (column: string) =>
  (part: string): Condition =>
    sql<boolean>`starts_with(lower(${sql.ref(column)}), lower(${part}))`;

/** A condition for times at or after the beginning of a business day. */
export const fromDay =
  (column: RawBuilder<unknown>) =>
  (day: string): Condition =>
    sql<boolean>`${column} >= ${sqlDayStart(day)}`;

/** A condition that the column is before the end of a business day. */
export const untilDay =
  (column: RawBuilder<unknown>) =>
  (day: string): Condition =>
    sql<boolean>`${column} < ${sqlDayStart(day, 1)}`;
