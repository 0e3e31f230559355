import type { ImportStatus, ImportValues } from '@waystation/contract/imports/import.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { checkRow } from './check.ts';
import type { CheckedRow, SheetRules } from './check.ts';
import { extraColumns } from './extra-columns.ts';
import { queueChecking } from './queues.ts';
import { referencesOf } from './references.ts';
import { markRepeats, writeChecked } from './repeats.ts';
import { countMarks, takeImport, writeImport } from './store.ts';
import type { ImportContext, StoredImport } from './store.ts';
import { titleUnits } from './title-units.ts';

const scope = systemScope('checking of an import');
/** The number of rows that are checked in one transaction. */
const slice = 1_000;
/**
 * The largest number of bytes of cells that are checked in one transaction, unless a single row has
 * more.
 */
export const sliceBytes = 1_000_000;
/** The number of slices of one job before other jobs get their turn. */
const slicesAtOnce = 10;

/** The present rules for checking the rows of an import. */
export const rulesOf = async (work: Work, found: StoredImport): Promise<SheetRules> => {
  const { references, sender } = await referencesOf(work, found.station_id);
  const { mapping, columns } = found;
  return {
    mapping,
    defaults: { ...sender, ...found.defaults },
    references,
    extra: extraColumns(columns, mapping),
    units: titleUnits(columns, mapping),
  };
};

export type RawRow = RowOf<'import_rows', 'no' | 'cells' | 'edits' | 'merged'>;

/** Checks again the rows that are not ordered, and stores the results. */
export const checkRows = async (
  work: Work,
  import_id: number,
  rules: SheetRules,
  rows: readonly (RawRow & { edited?: boolean })[],
): Promise<(CheckedRow & { no: number })[]> => {
  const checked = rows.map(({ no, cells, edits, merged, edited }) => ({
    no,
    ...checkRow(cells, rules, edits as ImportValues, merged),
    ...(edited && { edits }),
  }));
  await writeChecked(work, import_id, checked);
  return checked;
};

/**
 * The status that an import had before its rows were changed and checked, and to which it returns.
 */
const checkedStatus = ({ confirmed_at, finished_at }: StoredImport): ImportStatus =>
  confirmed_at === null ? 'ready' : finished_at === null ? 'paused' : 'done';

/** Checks the next rows. Returns true if more rows remain. */
const checkSlice = async (work: Work, id: number, now: Date): Promise<boolean> => {
  const found = await takeImport(work, id, ['checking']);
  if (!found) return false;
  const { rows } = await sql<RawRow>`with next as (select no, cells, edits, merged
    from import_rows where import_id = ${id} and no > ${found.rows_checked}
      and mark not in ('waiting', 'ordered', 'refused') order by no limit ${slice}),
    sized as (select *, octet_length(cells::text) + octet_length(edits::text) as bytes
      from next),
    summed as (select *, sum(bytes) over (order by no) - bytes as before from sized)
    select no, cells, edits, merged from summed where before < ${sliceBytes}
      order by no`.execute(work.tx);
  await checkRows(work, id, await rulesOf(work, found), rows);
  const last = rows.at(-1)?.no ?? found.rows_total ?? 0;
  if (rows.length > 0 && last < (found.rows_total ?? 0)) {
    await writeImport(work, id, { rows_checked: last });
    return true;
  }
  await markRepeats(work, { import_id: id, station_id: found.station_id, now });
  await writeImport(work, id, {
    status: checkedStatus(found),
    rows_checked: found.rows_total ?? last,
    counts: await countMarks(work, id),
    quote: null,
  });
  return false;
};

/**
 * Sets an import whose check was abandoned back to its earlier status. Rows that were not checked,
 * or not compared with the others, are refused.
 */
export const abandonChecking = async (
  work: Work,
  { import_id: id }: { import_id: number },
): Promise<void> => {
  const found = await takeImport(work, id, ['checking']);
  if (!found) return;
  const checked = found.rows_checked === found.rows_total ? 0 : found.rows_checked;
  await sql`update import_rows set mark = 'refused',
    reason = '{"code":"import_check_interrupted"}', version = version + 1
    where import_id = ${id} and no > ${checked}
      and mark not in ('waiting', 'ordered', 'refused', 'excluded')`.execute(work.tx);
  await writeImport(work, id, {
    status: checkedStatus(found),
    rows_checked: found.rows_total ?? 0,
    counts: await countMarks(work, id),
    quote: null,
  });
};

/**
 * Task: checks every row of an import, slice by slice. After a crash it continues after the last
 * checked slice.
 */
export const checkImport = async (
  { db, clock }: ImportContext,
  { import_id: id }: { import_id: number },
): Promise<void> => {
  for (let done = 0; done < slicesAtOnce; done++)
    if (!(await db.tx(scope, (work) => checkSlice(work, id, clock.now())))) return;
  await db.tx(scope, (work) => queueChecking(work, id));
};
