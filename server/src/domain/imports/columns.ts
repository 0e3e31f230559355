import type { ImportColumn, ImportProblem, ImportValues } from '@waystation/contract/import.ts';
import { mostImportSamples } from '@waystation/contract/limits.ts';
import { asSystem, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import { checkRow } from './check.ts';
import { rulesOf } from './checking.ts';
import { headAhead, layoutOf, mappingProblem } from './layout.ts';
import type { ImportLayout, ImportMapping } from './layout.ts';
import { rememberMapping, rememberedMapping } from './mappings.ts';
import { moveMarks } from './marks.ts';
import { queueChecking, queueReading } from './queues.ts';
import { forgetSteps } from './steps.ts';
import { expectVersion, lockImport, readStored, writeImport } from './store.ts';
import type { ImportChanges, StoredImport } from './store.ts';

/** Columns are matched before anything is confirmed. */
const matchable = ['mapping', 'ready'] as const;

/** The first rows of the sheet, as they are in the file; none before it is read. */
const headOf = async (tx: Tx, id: number): Promise<{ line: number; cells: readonly string[] }[]> => {
  const { rows } = await sql<RowOf<'import_files', 'head'>>`select head from import_files where import_id = ${id}`.execute(tx);
  return [...(rows[0]?.head ?? [])];
};

const shownChars = 40;

/** The rows among which the titles may be, their texts cut. */
export const headRows = async (tx: Tx, scope: Scope, id: number): Promise<{ line: number; cells: string[] }[]> => {
  await readStored(tx, scope, id, matchable);
  const head = await headOf(tx, id);
  return head.slice(0, headAhead).map(({ line, cells }) => ({ line, cells: cells.map((cell) => cell.slice(0, shownChars)) }));
};

type Head = Awaited<ReturnType<typeof headOf>>;

/** The columns of a sheet whose titles are in this row of its first rows. */
const layoutBelow = (head: Head, header_at: number): ImportLayout => {
  if (header_at >= Math.min(head.length, headAhead)) return failFields({ header_at: { code: 'invalid' } });
  return layoutOf(
    head.map(({ cells }) => cells),
    header_at,
  );
};

export interface SampleQuestion {
  header_at?: number | undefined;
  mapping?: ImportMapping | undefined;
  defaults?: ImportValues | undefined;
}

export interface ImportSample {
  header_at: number;
  columns: ImportColumn[];
  mapping: ImportMapping;
  rows: { line: number; values: ImportValues; problems: ImportProblem[] }[];
}

/** What the first rows become if the sheet is read so; nothing is changed. Without a mapping, by the columns that were remembered or found. */
export const sampleOf = async (tx: Tx, scope: Scope, id: number, question: SampleQuestion): Promise<ImportSample> => {
  const found = await readStored(tx, scope, id, matchable);
  return asSystem(tx, scope, async () => {
    const header_at = question.header_at ?? found.header_at ?? -1;
    const head = await headOf(tx, id);
    const layout = header_at === found.header_at ? found : layoutBelow(head, header_at);
    const known = layout === found ? found : await rememberedMapping(tx, found.station_id, [layout.fingerprint]);
    const mapping = question.mapping ?? known?.mapping ?? layout.mapping;
    const rules = await rulesOf(tx, { ...found, columns: layout.columns, mapping, defaults: question.defaults ?? found.defaults });
    const rows = head.slice(header_at + 1, header_at + 1 + mostImportSamples).map(({ line, cells }) => {
      const { values, problems } = checkRow(cells, rules);
      return { line, values, problems };
    });
    return { header_at, columns: layout.columns, mapping, rows };
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

/** The file is read from its start: its rows, and what was changed in them, are gone. */
const readAnew = async (tx: Tx, id: number, changes: ImportChanges): Promise<void> => {
  await sql`delete from import_prices where import_id = ${id}`.execute(tx);
  await sql`delete from import_rows where import_id = ${id}`.execute(tx);
  await forgetSteps(tx, id);
  await writeImport(tx, id, {
    status: 'reading',
    reason: null,
    read_tries: 0,
    rows_read: 0,
    rows_total: null,
    rows_checked: 0,
    hidden_rows: 0,
    counts: {} as StoredImport['counts'],
    quote: null,
    ...changes,
  });
  await queueReading(tx, id);
};

/** Another sheet of the workbook: its columns are found as those of a new file. */
const readOtherSheet = (tx: Tx, { id, sheets }: StoredImport, sheet: number): Promise<void> => {
  if (sheets[sheet] === undefined) failFields({ sheet: { code: 'invalid' } });
  return readAnew(tx, id, { sheet, header_at: null, columns: [], fingerprint: '', mapping: {}, defaults: {} });
};

const requireMapping = (mapping: ImportMapping, columns: readonly ImportColumn[]): void => {
  const wrong = mappingProblem(mapping, columns.length);
  if (wrong !== null) failFields({ [`mapping.${wrong.field}`]: { code: wrong.code } });
};

/**
 * Sets the columns of an import of which nothing was confirmed yet, remembers them for sheets with these titles, and checks all rows; with another row of
 * titles, the file is read again below it. Returns the import before the change.
 */
export const mapColumns = async (tx: Tx, scope: Scope, id: number, { version, mapping, header_at, sheet, by, ...rest }: NewMapping): Promise<StoredImport> => {
  const found = await lockImport(tx, scope, id, matchable);
  if (found.confirmed_at !== null) fail('import_row_ordered');
  expectVersion(found, version);
  const defaults = rest.defaults ?? found.defaults;
  return asSystem(tx, scope, async () => {
    if (sheet !== undefined && sheet !== found.sheet) {
      await readOtherSheet(tx, found, sheet);
      return found;
    }
    const remember = (fingerprint: string): Promise<void> => rememberMapping(tx, { station_id: found.station_id, fingerprint, mapping, defaults, user_id: by });
    if (header_at !== undefined && header_at !== found.header_at) {
      const { columns, fingerprint } = layoutBelow(await headOf(tx, id), header_at);
      requireMapping(mapping, columns);
      await readAnew(tx, id, { header_at, columns, fingerprint, mapping, defaults });
      await remember(fingerprint);
      return found;
    }
    requireMapping(mapping, found.columns);
    // Nothing was ordered yet: what is refused is what a check did not reach.
    await moveMarks(tx, id, ['refused'], 'ok', sql`true`);
    await writeImport(tx, id, { mapping, defaults, status: 'checking', reason: null, rows_checked: 0, quote: null });
    await remember(found.fingerprint);
    await queueChecking(tx, id);
    return found;
  });
};
