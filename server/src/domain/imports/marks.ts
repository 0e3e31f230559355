import type { ImportMark } from '@waystation/contract/import.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';

type Sql = ReturnType<typeof sql>;

/**
 * Runs a change of rows of an import that is locked, and moves the import's counts by the steps that their marks made: no row beside them is read.
 * `change` returns `no`, the mark a row had as `was`, and the one it has as `mark`. Returns what `result` is over those rows.
 */
export const changeMarks = <T>(tx: Tx, import_id: number, change: Sql, result: Sql): Promise<T> =>
  oneRow(
    tx,
    sql<T & object>`with changed as (${change}),
      steps as (select mark, sum(step)::int as step from (select was as mark, -1 as step from changed union all select mark, 1 from changed) x
        group by mark having sum(step) <> 0),
      counted as (update imports i set counts = i.counts || (select jsonb_object_agg(s.mark, coalesce((i.counts ->> s.mark)::int, 0) + s.step) from steps s)
        where i.id = ${import_id} and exists (select 1 from steps))
      select ${result} from changed`,
  );

/** How many rows a change has changed. */
export const countChanged = async (tx: Tx, import_id: number, change: Sql): Promise<number> =>
  (await changeMarks<{ rows: number }>(tx, import_id, change, sql`count(*)::int as rows`)).rows;

/** Gives rows another mark, mark by mark, so that no row is looked for a second time to know what it was. Returns how many. */
export const moveMarks = async (tx: Tx, import_id: number, from: readonly ImportMark[], to: ImportMark, which: Sql): Promise<number> => {
  let moved = 0;
  for (const mark of from) {
    const change = sql`update import_rows set mark = ${to}, reason = null, version = version + 1
      where import_id = ${import_id} and mark = ${mark} and ${which} returning no, ${mark}::text as was, mark`;
    moved += await countChanged(tx, import_id, change);
  }
  return moved;
};

/**
 * The rows of an import that a list of them speaks of, by its lowest and highest number. A join by number alone may be planned by statistics from before the
 * rows were there, and then compares each row of the import with each of the list.
 */
export const within = (alias: string, nos: readonly number[]): Sql => {
  const [least, most] = nos.reduce<[number, number]>(([low, high], no) => [Math.min(low, no), Math.max(high, no)], [Infinity, -Infinity]);
  return nos.length === 0 ? sql`false` : sql`${sql.ref(`${alias}.no`)} between ${least}::int and ${most}::int`;
};

/** Counts with these steps added. */
export const steppedCounts = (steps: Readonly<Partial<Record<ImportMark, number>>>): Sql => {
  const counts = Object.entries(steps).map(([mark, step]) => sql`${mark}::text, coalesce((counts ->> ${mark})::int, 0) + ${step}::int`);
  return sql`counts || jsonb_build_object(${sql.join(counts)})`;
};
