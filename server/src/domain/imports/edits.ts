import type { ImportField, ImportMark, ImportValues } from '@waystation/contract/import.ts';
import { importFields } from '@waystation/contract/import.ts';
import { mostImportRowsAtOnce, mostTouchedRows } from '@waystation/contract/limits.ts';
import { asSystem, jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import { checkRows, rulesOf } from './checking.ts';
import { layoutOf, mappingProblem } from './layout.ts';
import type { ImportMapping } from './layout.ts';
import { rememberMapping } from './mappings.ts';
import { queueChecking, queueReading } from './queues.ts';
import { hiddenRow } from './hidden-rows.ts';
import { countChanged, moveMarks, within } from './marks.ts';
import { markRepeats } from './repeats.ts';
import type { Touched } from './repeats.ts';
import { countMarks, expectVersion, lockImport, writeImport } from './store.ts';
import type { StoredImport } from './store.ts';

/** Rows that are not ordered yet may be changed: all before confirming, later those that were refused or left behind. */
const changeable = ['ready', 'done', 'paused'] as const;

type EditedRow = RowOf<'import_rows', 'no' | 'cells' | 'edits' | 'merged' | 'values' | 'mark' | 'key' | 'version' | 'problems'>;

const requireChangeable = ({ mark }: Pick<EditedRow, 'mark'>): void => {
  if (mark === 'ordered' || mark === 'waiting') fail('import_row_ordered');
};

const unordered: readonly ImportMark[] = ['ok', 'repaired', 'warning', 'error', 'excluded', 'refused'];
/** Gives rows that may be changed another mark. Returns how many have it now. */
const setMark = (tx: Tx, id: number, which: ReturnType<typeof sql>, mark: 'excluded' | 'ok'): Promise<number> =>
  moveMarks(
    tx,
    id,
    unordered.filter((from) => from !== mark),
    mark,
    which,
  );
const withNos = (nos: readonly number[]) => sql`no = any(${nos}::int[])`;

/** After a change of rows: nothing is priced any more. */
const afterChange = (tx: Tx, id: number): Promise<void> => writeImport(tx, id, { quote: null });

export interface RowChange {
  row: number;
  version: number;
  values?: ImportValues | undefined;
  excluded?: 0 | 1 | undefined;
}

/** Changes a row and checks it again, with those that equal it or did. Returns the other rows whose marks changed. */
export const changeRow = async (tx: Tx, scope: Scope, id: number, change: RowChange, now: Date): Promise<{ touched: Touched['first'] }> => {
  const found = await lockImport(tx, scope, id, changeable);
  return asSystem(tx, scope, async () => {
    const { rows } =
      await sql<EditedRow>`select no, cells, edits, merged, "values", mark, key, version, problems from import_rows where import_id = ${id} and no = ${change.row}`.execute(
        tx,
      );
    const row = rows[0] ?? fail('not_found');
    requireChangeable(row);
    if (row.version !== change.version) fail('version_conflict');
    if (change.excluded === 1) await setMark(tx, id, withNos([row.no]), 'excluded');
    // Edited alone, an excluded row stays excluded: its texts are checked all the same.
    else if (change.excluded === 0 && row.mark === 'excluded') await setMark(tx, id, withNos([row.no]), 'ok');
    if (change.excluded !== 1) await checkRows(tx, id, await rulesOf(tx, found), [{ ...row, edits: { ...row.edits, ...change.values }, edited: true }]);
    const { rows: after } = await sql<RowOf<'import_rows', 'key'>>`select key from import_rows where import_id = ${id} and no = ${row.no}`.execute(tx);
    const keys = [row.key, after[0]!.key].filter((key) => key !== null);
    const touched = await markRepeats(tx, id, found.station_id, now, keys);
    await afterChange(tx, id);
    return { touched: touched.first.filter(({ no }) => no !== row.no).slice(0, mostTouchedRows) };
  });
};

export interface RowsChange {
  version: number;
  nos?: number[] | undefined;
  marks?: ImportMark[] | undefined;
  action: 'set' | 'take' | 'replace' | 'exclude' | 'include';
  field?: ImportField | undefined;
  code?: string | undefined;
  find?: string | undefined;
  value?: string | undefined;
}

/** The texts that an edit writes into a row; null: none of them change. */
const editOf = (row: EditedRow, { action, field, code, find, value = '' }: RowsChange): ImportValues | null => {
  if (action === 'set') return row.values[field!] === value ? null : { [field!]: value };
  if (action === 'take') {
    const fix = row.problems.find((problem) => problem.field === field && (code === undefined || problem.reason.code === code))?.fixes?.[0];
    return fix === undefined ? null : { [field!]: fix };
  }
  const changed: ImportValues = {};
  for (const name of field === undefined ? importFields : [field]) {
    const text = row.values[name];
    if (text?.includes(find!)) changed[name] = text.replaceAll(find!, () => value);
  }
  return Object.keys(changed).length === 0 ? null : changed;
};

const checkChange = ({ action, field, find, value }: RowsChange): void => {
  if ((action === 'set' || action === 'take') && field === undefined) failFields({ field: { code: 'required' } });
  if (action === 'set' && value === undefined) failFields({ value: { code: 'required' } });
  if (action === 'replace' && (find === undefined || find === '')) failFields({ find: { code: 'required' } });
};

/** The next chosen rows that may be changed. */
const chosenRows = async (tx: Tx, id: number, { nos, marks }: RowsChange, after: number): Promise<EditedRow[]> => {
  const { rows } =
    await sql<EditedRow>`select no, cells, edits, merged, "values", mark, key, version, problems from import_rows where import_id = ${id} and no > ${after}
    and mark not in ('ordered', 'waiting') and ${nos === undefined ? sql`true` : sql`no = any(${nos}::int[])`}
    and ${marks === undefined ? sql`true` : sql`mark = any(${marks}::text[])`} order by no limit ${mostImportRowsAtOnce + 1}`.execute(tx);
  return rows;
};

/** The rows that an edit gives other texts, with these. */
const editedRows = (rows: readonly EditedRow[], change: RowsChange): EditedRow[] =>
  rows.flatMap((row) => {
    if (change.action === 'include') return row.mark === 'excluded' || row.mark === 'refused' ? [row] : [];
    const typed = editOf(row, change);
    return typed === null ? [] : [{ ...row, edits: { ...row.edits, ...typed } }];
  });

/** Checks rows that were edited at once. */
const checkEdited = async (tx: Tx, found: StoredImport, edited: readonly EditedRow[], now: Date): Promise<void> => {
  const nos = edited.map(({ no }) => no);
  await checkRows(
    tx,
    found.id,
    await rulesOf(tx, found),
    edited.map((row) => ({ ...row, edited: true })),
  );
  const { rows } = await sql<
    RowOf<'import_rows', 'key'>
  >`select key from import_rows where import_id = ${found.id} and no = any(${nos}::int[]) and key is not null`.execute(tx);
  await markRepeats(tx, found.id, found.station_id, now, [...edited.flatMap(({ key }) => key ?? []), ...rows.map(({ key }) => key!)]);
  await afterChange(tx, found.id);
};

/** Without a check: a refused row is no longer what was refused. */
const writeEdits = (tx: Tx, id: number, edited: readonly EditedRow[]): Promise<unknown> => {
  const nos = edited.map(({ no }) => no);
  return countChanged(
    tx,
    id,
    sql`update import_rows w set edits = x.edits, mark = case when w.mark = 'refused' then 'ok' else w.mark end, reason = case when w.mark <> 'refused' then w.reason end from jsonb_to_recordset(${jsonText(edited.map(({ no, edits }) => ({ no, edits })))}::jsonb) as x (no int, edits jsonb)
      join import_rows o on o.import_id = ${id} and o.no = x.no and ${within('o', nos)}
    where w.import_id = ${id} and w.no = x.no and ${within('w', nos)} returning w.no, o.mark as was, w.mark`,
  );
};

/** Many rows piece by piece, so that memory does not grow with them; the whole import is then checked by the task. */
const changeManyRows = async (tx: Tx, found: StoredImport, change: RowsChange, first: EditedRow[]): Promise<number> => {
  let changed = 0;
  for (let rows = first; rows.length > 0; rows = await chosenRows(tx, found.id, change, rows.at(-1)!.no)) {
    const edited = editedRows(rows, change);
    await writeEdits(tx, found.id, edited);
    if (change.action === 'include') await setMark(tx, found.id, withNos(edited.map(({ no }) => no)), 'ok');
    changed += edited.length;
  }
  if (changed === 0) return 0;
  await writeImport(tx, found.id, { status: 'checking', rows_checked: 0, quote: null });
  await queueChecking(tx, found.id);
  return changed;
};

const excludeRows = async (tx: Tx, found: StoredImport, { nos, marks }: RowsChange, now: Date): Promise<number> => {
  const which = sql`${nos === undefined ? sql`true` : withNos(nos)} and ${marks === undefined ? sql`true` : sql`mark = any(${marks}::text[])`}`;
  const changed = await setMark(tx, found.id, which, 'excluded');
  await markRepeats(tx, found.id, found.station_id, now);
  await afterChange(tx, found.id);
  return changed;
};

/** Changes many rows alike. Returns how many of them have other texts, or another mark, now. */
export const changeRows = async (tx: Tx, scope: Scope, id: number, change: RowsChange, now: Date): Promise<number> => {
  checkChange(change);
  const found = await lockImport(tx, scope, id, changeable);
  expectVersion(found, change.version);
  return asSystem(tx, scope, async () => {
    if (change.action === 'exclude') return excludeRows(tx, found, change, now);
    const first = await chosenRows(tx, id, change, 0);
    if (first.length > mostImportRowsAtOnce) return changeManyRows(tx, found, change, first);
    const edited = editedRows(first, change);
    const nos = edited.map(({ no }) => no);
    if (change.action === 'include') await setMark(tx, id, withNos(nos), 'ok');
    if (edited.length > 0) await checkEdited(tx, found, edited, now);
    return edited.length;
  });
};

export interface NewMapping {
  version: number;
  mapping: ImportMapping;
  defaults?: ImportValues | undefined;
  header_at?: number | undefined;
  sheet?: number | undefined;
  by: number;
}

/** Another row of titles: rows above it go back to being no parcels, and the columns are found again. */
const moveHeader = async (tx: Tx, found: StoredImport, header_at: number): Promise<Partial<StoredImport>> => {
  const before = found.header_at ?? -1;
  const { rows } = await sql<RowOf<'import_rows', 'cells'>>`select cells from import_rows where import_id = ${found.id} order by no limit 100`.execute(tx);
  const { rows: ordered } = await sql`select 1 from import_rows where import_id = ${found.id} and mark = 'ordered' limit 1`.execute(tx);
  if (ordered.length > 0) fail('import_row_ordered');
  const head = before >= 0 ? [found.columns.map(({ title }) => title)] : [];
  const layout = layoutOf([...head, ...rows.map(({ cells }) => cells)], header_at - Math.max(before, 0));
  const dropped = header_at - before;
  if (dropped < 0 || dropped > rows.length || dropped >= (found.rows_total ?? 0)) return failFields({ header_at: { code: 'invalid' } });
  const { rows: gone } = await sql<
    RowOf<'import_rows', 'reason'>
  >`delete from import_rows where import_id = ${found.id} and no <= ${dropped} returning reason`.execute(tx);
  const hidden = gone.filter(({ reason }) => reason?.code === hiddenRow.code).length;
  await sql`delete from import_prices where import_id = ${found.id}`.execute(tx);
  // By way of negative numbers: the key is checked row by row.
  await sql`update import_rows set no = ${dropped} - no where import_id = ${found.id}`.execute(tx);
  await sql`update import_rows set no = -no where import_id = ${found.id}`.execute(tx);
  return {
    header_at,
    hidden_rows: found.hidden_rows - hidden,
    counts: await countMarks(tx, found.id),
    columns: layout.columns,
    fingerprint: layout.fingerprint,
    rows_total: (found.rows_total ?? 0) - dropped,
  };
};

/** Another sheet of the workbook: its rows replace the others, and its columns are found as those of a new file. */
const readOtherSheet = async (tx: Tx, { id, sheets }: StoredImport, sheet: number): Promise<void> => {
  if (sheets[sheet] === undefined) failFields({ sheet: { code: 'invalid' } });
  await sql`delete from import_prices where import_id = ${id}`.execute(tx);
  await sql`delete from import_rows where import_id = ${id}`.execute(tx);
  await writeImport(tx, id, {
    sheet,
    status: 'reading',
    reason: null,
    read_tries: 0,
    rows_read: 0,
    rows_total: null,
    rows_checked: 0,
    hidden_rows: 0,
    header_at: null,
    columns: [],
    fingerprint: '',
    mapping: {},
    defaults: {},
    counts: {} as StoredImport['counts'],
    quote: null,
  });
  await queueReading(tx, id);
};

/** Sets the columns of an import of which nothing was confirmed yet, remembers them for sheets with these titles, and checks all rows. Returns the import before the change. */
export const mapColumns = async (tx: Tx, scope: Scope, id: number, { version, mapping, defaults, header_at, sheet, by }: NewMapping): Promise<StoredImport> => {
  const found = await lockImport(tx, scope, id, ['mapping', 'ready']);
  if (found.confirmed_at !== null) fail('import_row_ordered');
  expectVersion(found, version);
  return asSystem(tx, scope, async () => {
    if (sheet !== undefined && sheet !== found.sheet) {
      await readOtherSheet(tx, found, sheet);
      return found;
    }
    const moved = header_at === undefined || header_at === found.header_at ? {} : await moveHeader(tx, found, header_at);
    const { columns, fingerprint } = { ...found, ...moved };
    const wrong = mappingProblem(mapping, columns.length);
    if (wrong !== null) failFields({ [`mapping.${wrong.field}`]: { code: wrong.code } });
    // Nothing was ordered yet: what is refused is what a check did not reach.
    await setMark(tx, id, sql`mark = 'refused'`, 'ok');
    await writeImport(tx, id, { ...moved, mapping, defaults: defaults ?? found.defaults, status: 'checking', reason: null, rows_checked: 0, quote: null });
    await rememberMapping(tx, { station_id: found.station_id, fingerprint, mapping, defaults: defaults ?? found.defaults, user_id: by });
    await queueChecking(tx, id);
    return found;
  });
};
