import { isDeepStrictEqual } from 'node:util';
import type { ImportField, ImportMark, ImportValues } from '@waystation/contract/imports/import.ts';
import { importFields } from '@waystation/contract/imports/import.ts';
import {
  mostImportCellChars,
  mostImportEditChars,
  mostImportRowsAtOnce,
  mostTouchedRows,
} from '@waystation/contract/base/limits.ts';
import { firstOf, lastOf } from '@waystation/contract/base/present.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import { checkRow } from './check.ts';
import type { CheckedRow } from './check.ts';
import { checkRows, rulesOf, sliceBytes } from './checking.ts';
import { queueChecking } from './queues.ts';
import { countChanged, moveMarks, within } from './marks.ts';
import { isRepeat, markRepeats } from './repeats.ts';
import type { Touched } from './repeats.ts';
import { changeable, endStep, newStep, noteRow, noteRows, unordered } from './steps.ts';
import type { Step } from './steps.ts';
import { expectVersion, lockImport, writeImport } from './store.ts';
import type { StoredImport } from './store.ts';

type EditedRow = RowOf<
  'import_rows',
  | 'no'
  | 'cells'
  | 'edits'
  | 'merged'
  | 'values'
  | 'mark'
  | 'key'
  | 'version'
  | 'problems'
  | 'reason'
>;
type ChangedRow = EditedRow & RowOf<'import_rows', 'fields'>;

const requireChangeable = ({ mark }: Pick<EditedRow, 'mark'>): void => {
  if (mark === 'ordered' || mark === 'waiting') fail('import_row_ordered');
};

/**
 * Changes the mark of the rows `which` that may still be changed. Returns the number of changed
 * rows.
 */
const setMark = (
  work: Work,
  id: number,
  which: ReturnType<typeof sql>,
  mark: 'excluded' | 'ok',
): Promise<number> =>
  moveMarks(work, id, { from: unordered.filter((from) => from !== mark), to: mark }, which);
const withNos = (nos: readonly number[]) => sql`no = any(${nos}::int[])`;

/** Removes the prices of an import after its rows were changed. */
const afterChange = (work: Work, id: number): Promise<void> =>
  writeImport(work, id, { quote: null });

export interface RowChange {
  row: number;
  version: number;
  values?: ImportValues | undefined;
  excluded?: 0 | 1 | undefined;
}

/**
 * True if a new check of a row has the stored result, apart from problems about other rows. This is
 * the case, for example, if a user types the same text again.
 */
const saysTheSame = (row: ChangedRow, { values, fields, problems }: CheckedRow): boolean =>
  isDeepStrictEqual(
    [row.values, row.fields, row.problems.filter(({ reason }) => !isRepeat(reason))],
    [values, fields, problems],
  );

/**
 * Changes a row and checks it again, together with the rows that equal it now or equalled it
 * before. Returns the other rows whose marks changed.
 */
export const changeRow = async (
  work: Work,
  id: number,
  change: RowChange,
  now: Date,
): Promise<{ touched: Touched['first'] }> => {
  const found = await lockImport(work, id, changeable);
  return work.asSystem('edit of an import row', async (system) => {
    const { rows } =
      await sql<ChangedRow>`select no, cells, edits, merged, "values", fields, mark, key,
        version, problems, reason from import_rows where import_id = ${id}
        and no = ${change.row}`.execute(system.tx);
    const row = rows[0] ?? fail('not_found');
    requireChangeable(row);
    if (row.version !== change.version) fail('version_conflict');
    const rules = await rulesOf(system, found);
    const edits = { ...row.edits, ...change.values };
    const staysWhereItIs =
      change.excluded === undefined || change.excluded === Number(row.mark === 'excluded');
    // An edit without effect keeps the price of the import and the edits that may be redone.
    if (
      staysWhereItIs &&
      saysTheSame(row, checkRow(row.cells, rules, edits as ImportValues, row.merged))
    )
      return { touched: [] };
    if (change.excluded === 1) await setMark(system, id, withNos([row.no]), 'excluded');
    // An excluded row stays excluded if only its texts are edited. Its texts are checked
    // nevertheless.
    else if (change.excluded === 0 && row.mark === 'excluded')
      await setMark(system, id, withNos([row.no]), 'ok');
    if (change.excluded !== 1)
      await checkRows(system, id, rules, [{ ...row, edits, edited: true }]);
    const { rows: after } = await sql<RowOf<'import_rows', 'key'>>`select key from import_rows
      where import_id = ${id} and no = ${row.no}`.execute(system.tx);
    const keys = [row.key, firstOf(after).key].filter((key) => key !== null);
    const touched = await markRepeats(
      system,
      { import_id: id, station_id: found.station_id, now },
      { keys, orders: [row.values.thr_order_id] },
    );
    const step = newStep(found);
    await noteRow(system, step, row);
    await endStep(system, step);
    await afterChange(system, id);
    return { touched: touched.first.filter(({ no }) => no !== row.no).slice(0, mostTouchedRows) };
  });
};

export interface RowsChange {
  version: number;
  nos?: number[] | undefined;
  marks?: ImportMark[] | undefined;
  action: 'set' | 'take' | 'replace' | 'recheck' | 'exclude' | 'include';
  field?: ImportField | undefined;
  code?: string | undefined;
  find?: string | undefined;
  value?: string | undefined;
}

/** The number of characters that an edit may still write. */
interface Room {
  chars: number;
}

const lengthOf = (text: string): number => Array.from(text).length;

/**
 * Calculates the length before it builds the text, because replacing `find` may make a long cell a
 * hundred times longer.
 */
const replaced = (
  row: EditedRow,
  name: ImportField,
  { find = '', value = '' }: RowsChange,
): string => {
  const text = row.values[name]!;
  const [before, growth] = [lengthOf(text), lengthOf(value) - lengthOf(find)];
  const characters = before + (text.split(find).length - 1) * growth;
  if (growth > 0 && characters > mostImportCellChars)
    failFields({
      value: {
        code: 'import_cell_grows',
        params: { row: row.no, characters, limit: mostImportCellChars },
      },
    });
  return text.replaceAll(find, () => value);
};

const spend = (room: Room, typed: ImportValues): ImportValues => {
  for (const text of Object.values(typed)) room.chars -= text.length;
  if (room.chars < 0)
    failFields({ value: { code: 'import_edit_grows', params: { limit: mostImportEditChars } } });
  return typed;
};

/** The texts that an edit writes into a row; null if none changes. */
const editOf = (row: EditedRow, change: RowsChange): ImportValues | null => {
  const { action, field, code, find, value = '' } = change;
  if (action === 'set') return row.values[field!] === value ? null : { [field!]: value };
  if (action === 'take') {
    const fix = row.problems.find(
      (problem) => problem.field === field && (code === undefined || problem.reason.code === code),
    )?.fixes?.[0];
    return fix === undefined ? null : { [field!]: fix };
  }
  const changed: ImportValues = {};
  for (const name of field === undefined ? importFields : [field]) {
    if (row.values[name]?.includes(find!)) changed[name] = replaced(row, name, change);
  }
  return Object.keys(changed).length === 0 ? null : changed;
};

const checkChange = ({ action, field, find, value }: RowsChange): void => {
  if (['set', 'take', 'recheck'].includes(action) && field === undefined)
    failFields({ field: { code: 'required' } });
  if (action === 'set' && value === undefined) failFields({ value: { code: 'required' } });
  if ((action === 'replace' || action === 'recheck') && (find === undefined || find === ''))
    failFields({ find: { code: 'required' } });
};

/** Rows with an error in a field whose whole text is `find`. */
const inError = ({ field, find }: RowsChange) =>
  sql`mark = 'error' and "values" ->> ${field}::text = ${find}
    and problems @> jsonb_build_array(jsonb_build_object('field', ${field}::text))`;

/**
 * The next chosen rows that may be changed, at most as many as one transaction changes. `more`:
 * true if more rows remain.
 */
const chosenRows = async (
  work: Work,
  id: number,
  change: RowsChange,
  after: number,
): Promise<{ rows: EditedRow[]; more: boolean }> => {
  const { nos, marks, action } = change;
  const { rows } = await sql<EditedRow & { found: number }>`with next as (
      select no, cells, edits, merged, "values", mark, key, version, problems, reason
        from import_rows where import_id = ${id} and no > ${after}
      and mark not in ('ordered', 'waiting')
        and ${nos === undefined ? sql`true` : sql`no = any(${nos}::int[])`}
      and ${marks === undefined ? sql`true` : sql`mark = any(${marks}::text[])`}
      and ${action === 'recheck' ? inError(change) : sql`true`} order by no
        limit ${mostImportRowsAtOnce + 1}),
    summed as (select *, count(*) over () as found,
      sum(octet_length("values"::text)) over (order by no) - octet_length("values"::text) as before
      from next)
    select * from summed where before < ${sliceBytes} order by no
      limit ${mostImportRowsAtOnce}`.execute(work.tx);
  return { rows, more: rows.length < (rows[0]?.found ?? 0) };
};

const charsOf = (rows: readonly EditedRow[]): number =>
  rows.reduce(
    (sum, { edits }) =>
      sum + Object.values(edits).reduce((chars, text) => chars + (text?.length ?? 0), 0),
    0,
  );

/** The rows that an edit changes, with their new texts. */
const editedRows = (rows: readonly EditedRow[], change: RowsChange, room: Room): EditedRow[] =>
  rows.flatMap((row) => {
    if (change.action === 'recheck') return [row];
    if (change.action === 'include')
      return row.mark === 'excluded' || row.mark === 'refused' ? [row] : [];
    const typed = editOf(row, change);
    return typed === null ? [] : [{ ...row, edits: { ...row.edits, ...spend(room, typed) } }];
  });

/** Checks the rows of one edit together. */
const checkEdited = async (
  work: Work,
  found: StoredImport,
  edited: readonly EditedRow[],
  now: Date,
): Promise<void> => {
  const nos = edited.map(({ no }) => no);
  await checkRows(
    work,
    found.id,
    await rulesOf(work, found),
    edited.map((row) => ({ ...row, edited: true })),
  );
  const { rows } = await sql<
    RowOf<'import_rows', 'key'>
  >`select key from import_rows where import_id = ${found.id} and no = any(${nos}::int[])
    and key is not null`.execute(work.tx);
  const keys = [...edited.flatMap(({ key }) => key ?? []), ...rows.map(({ key }) => key!)];
  await markRepeats(
    work,
    { import_id: found.id, station_id: found.station_id, now },
    { keys, orders: edited.map(({ values }) => values.thr_order_id) },
  );
  await afterChange(work, found.id);
};

/**
 * Stores edited rows before they are checked. The mark and the reason of a refused row are removed.
 */
const writeEdits = (work: Work, id: number, edited: readonly EditedRow[]): Promise<unknown> => {
  const nos = edited.map(({ no }) => no);
  return countChanged(
    work,
    id,
    sql`update import_rows w set edits = x.edits, mark = case
      when w.mark = 'refused' then 'ok' else w.mark end, reason = case
      when w.mark <> 'refused' then w.reason end
      from jsonb_to_recordset(${jsonText(edited.map(({ no, edits }) => ({ no, edits })))}::jsonb) as x (no int,
      edits jsonb)
      join import_rows o on o.import_id = ${id} and o.no = x.no and ${within('o', nos)}
    where w.import_id = ${id} and w.no = x.no and ${within('w', nos)}
      returning w.no, o.mark as was, w.mark`,
  );
};

/**
 * Changes many rows piece by piece, so that memory does not grow with the number of rows. The task
 * then checks the whole import.
 */
const changeManyRows = async (
  work: Work,
  found: StoredImport,
  change: RowsChange,
  { step, first }: { step: Step; first: EditedRow[] },
): Promise<number> => {
  let changed = 0;
  const room = { chars: mostImportEditChars };
  for (
    let rows = first;
    rows.length > 0;
    rows = (await chosenRows(work, found.id, change, lastOf(rows).no)).rows
  ) {
    const edited = editedRows(rows, change, room);
    const nos = edited.map(({ no }) => no);
    if (change.action !== 'recheck') await noteRows(work, step, withNos(nos));
    await writeEdits(work, found.id, edited);
    if (change.action === 'include') await setMark(work, found.id, withNos(nos), 'ok');
    changed += edited.length;
  }
  if (changed === 0) return 0;
  await writeImport(work, found.id, { status: 'checking', rows_checked: 0, quote: null });
  await queueChecking(work, found.id);
  return changed;
};

const excludeRows = async (
  work: Work,
  found: StoredImport,
  { nos, marks }: RowsChange,
  { step, now }: { step: Step; now: Date },
): Promise<number> => {
  const which = sql`${nos === undefined ? sql`true` : withNos(nos)}
    and ${marks === undefined ? sql`true` : sql`mark = any(${marks}::text[])`}`;
  await noteRows(
    work,
    step,
    sql`mark = any(${unordered.filter((mark) => mark !== 'excluded')}::text[])
    and ${which}`,
  );
  if (!step.begun) return 0;
  const changed = await setMark(work, found.id, which, 'excluded');
  await markRepeats(work, { import_id: found.id, station_id: found.station_id, now });
  await afterChange(work, found.id);
  return changed;
};

const editRows = async (
  work: Work,
  found: StoredImport,
  change: RowsChange,
  { step, now }: { step: Step; now: Date },
): Promise<number> => {
  const { id } = found;
  const { rows, more } = await chosenRows(work, id, change, 0);
  const edited = editedRows(rows, change, { chars: mostImportEditChars });
  // Many or long rows are checked by the task, so that no request waits for the check.
  if (more || charsOf(edited) > sliceBytes)
    return changeManyRows(work, found, change, { step, first: rows });
  const nos = edited.map(({ no }) => no);
  // A row that is only checked again keeps its texts, so nothing needs to be stored for undo.
  if (change.action !== 'recheck') await noteRows(work, step, withNos(nos));
  if (change.action === 'include') await setMark(work, id, withNos(nos), 'ok');
  if (edited.length > 0) await checkEdited(work, found, edited, now);
  return edited.length;
};

/**
 * Changes many rows in the same way. Returns the number of rows with changed texts or a changed
 * mark.
 */
export const changeRows = async (
  work: Work,
  id: number,
  change: RowsChange,
  now: Date,
): Promise<number> => {
  checkChange(change);
  const found = await lockImport(work, id, changeable);
  if (change.action !== 'recheck') expectVersion(found, change.version);
  return work.asSystem('edit of import rows', async (system) => {
    const step = newStep(found);
    const changed =
      change.action === 'exclude'
        ? await excludeRows(system, found, change, { step, now })
        : await editRows(system, found, change, { step, now });
    await endStep(system, step);
    return changed;
  });
};
