import type { ImportMark } from '@waystation/contract/imports/import.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';

type Sql = ReturnType<typeof sql>;

/**
 * Runs a change of rows of a locked import, and updates the import's number of rows per mark
 * without reading other rows. The SQL `change` returns `no`, the earlier mark as `was`, and the
 * present mark as `mark`. Returns the value of the SQL `result` over the changed rows.
 */
export const changeMarks = <T>(
  work: Work,
  import_id: number,
  change: Sql,
  result: Sql,
): Promise<T> =>
  oneRow(
    work,
    sql<T & object>`with changed as (${change}),
      steps as (select mark, sum(step)::int as step
        from (select was as mark, -1 as step from changed union all select mark, 1
        from changed) x
        group by mark having sum(step) <> 0),
      counted as (update imports i set counts = i.counts || (select jsonb_object_agg(s.mark,
        coalesce((i.counts ->> s.mark)::int, 0) + s.step) from steps s)
        where i.id = ${import_id} and exists (select 1 from steps))
      select ${result} from changed`,
  );

/** Runs a change of rows and returns the number of changed rows. */
export const countChanged = async (work: Work, import_id: number, change: Sql): Promise<number> =>
  (await changeMarks<{ rows: number }>(work, import_id, change, sql`count(*)::int as rows`)).rows;

/**
 * Changes the mark of the rows `which`, one earlier mark after the other, so that no row must be
 * read to know its earlier mark. Returns the number of changed rows.
 */
export const moveMarks = async (
  work: Work,
  import_id: number,
  { from, to }: { from: readonly ImportMark[]; to: ImportMark },
  which: Sql,
): Promise<number> => {
  let moved = 0;
  for (const mark of from) {
    const change = sql`update import_rows set mark = ${to}, reason = null,
      version = version + 1
      where import_id = ${import_id} and mark = ${mark} and ${which}
        returning no, ${mark}::text as was, mark`;
    moved += await countChanged(work, import_id, change);
  }
  return moved;
};

/**
 * Condition: a row's number lies between the lowest and the highest number of the list. It is added
 * to a join by number. Otherwise, with statistics from before the rows existed, PostgreSQL may
 * compare every row of the import with every row of the list.
 */
export const within = (alias: string, nos: readonly number[]): Sql => {
  const [least, most] = nos.reduce<[number, number]>(
    ([low, high], no) => [Math.min(low, no), Math.max(high, no)],
    [Infinity, -Infinity],
  );
  return nos.length === 0
    ? sql`false`
    : sql`${sql.ref(`${alias}.no`)} between ${least}::int and ${most}::int`;
};

/** SQL: the counts of an import after adding these changes per mark. */
export const steppedCounts = (steps: Readonly<Partial<Record<ImportMark, number>>>): Sql => {
  const counts = Object.entries(steps).map(
    ([mark, step]) => sql`${mark}::text,
    coalesce((counts ->> ${mark})::int, 0) + ${step}::int`,
  );
  return sql`counts || jsonb_build_object(${sql.join(counts)})`;
};
