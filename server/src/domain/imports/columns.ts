import type {
  ImportColumn,
  ImportProblem,
  ImportValues,
} from '@waystation/contract/imports/import.ts';
import { mostImportSamples } from '@waystation/contract/base/limits.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
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

/** The statuses in which the columns can be matched, before anything is ordered. */
const matchable = ['mapping', 'ready'] as const;

/** The first rows of the sheet, unchanged; empty before the sheet is read. */
const headOf = async (
  work: Work,
  id: number,
): Promise<{ line: number; cells: readonly string[] }[]> => {
  const { rows } = await sql<RowOf<'import_files', 'head'>>`select head from import_files
    where import_id = ${id}`.execute(work.tx);
  return [...(rows[0]?.head ?? [])];
};

const shownChars = 40;

/**
 * The first rows of a sheet, which include the row of column titles. Their texts are cut to
 * `shownChars`.
 */
export const headRows = async (
  work: Work,
  id: number,
): Promise<{ line: number; cells: string[] }[]> => {
  await readStored(work, id, matchable);
  const head = await headOf(work, id);
  return head
    .slice(0, headAhead)
    .map(({ line, cells }) => ({ line, cells: cells.map((cell) => cell.slice(0, shownChars)) }));
};

type Head = Awaited<ReturnType<typeof headOf>>;

/**
 * The columns of a sheet if the row of titles is `header_at`; fails if this is not one of the
 * sheet's first rows.
 */
const layoutBelow = (head: Head, header_at: number): ImportLayout => {
  if (header_at >= Math.min(head.length, headAhead))
    return failFields({ header_at: { code: 'invalid' } });
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

/**
 * The first rows as they would be read with the given mapping; nothing is stored. Without a given
 * mapping, the stored or detected columns are used.
 */
export const sampleOf = async (
  work: Work,
  id: number,
  question: SampleQuestion,
): Promise<ImportSample> => {
  const found = await readStored(work, id, matchable);
  return work.asSystem('rows of an import', async (system) => {
    const header_at = question.header_at ?? found.header_at ?? -1;
    const head = await headOf(system, id);
    const layout = header_at === found.header_at ? found : layoutBelow(head, header_at);
    const known =
      layout === found
        ? found
        : await rememberedMapping(system, found.station_id, [layout.fingerprint]);
    const mapping = question.mapping ?? known?.mapping ?? layout.mapping;
    const rules = await rulesOf(system, {
      ...found,
      columns: layout.columns,
      mapping,
      defaults: question.defaults ?? found.defaults,
    });
    const rows = head
      .slice(header_at + 1, header_at + 1 + mostImportSamples)
      .map(({ line, cells }) => {
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

/** Reads the file again from its start: its rows and their edits are deleted. */
const readAnew = async (work: Work, id: number, changes: ImportChanges): Promise<void> => {
  await sql`delete from import_prices where import_id = ${id}`.execute(work.tx);
  await sql`delete from import_rows where import_id = ${id}`.execute(work.tx);
  await forgetSteps(work, id);
  await writeImport(work, id, {
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
  await queueReading(work, id);
};

/** Reads another sheet of the workbook: its columns are detected as in a new file. */
const readOtherSheet = (work: Work, { id, sheets }: StoredImport, sheet: number): Promise<void> => {
  if (sheets[sheet] === undefined) failFields({ sheet: { code: 'invalid' } });
  return readAnew(work, id, {
    sheet,
    header_at: null,
    columns: [],
    fingerprint: '',
    mapping: {},
    defaults: {},
  });
};

const requireMapping = (mapping: ImportMapping, columns: readonly ImportColumn[]): void => {
  const wrong = mappingProblem(mapping, columns.length);
  if (wrong !== null) failFields({ [`mapping.${wrong.field}`]: { code: wrong.code } });
};

/**
 * Sets the columns of an import before anything is ordered, and stores them for sheets with the
 * same titles. If the row of titles stays the same, all rows are checked again. Otherwise the file
 * is read again from the new row of titles. Returns the import before the change.
 */
export const mapColumns = async (
  work: Work,
  id: number,
  { version, mapping, header_at, sheet, by, ...rest }: NewMapping,
): Promise<StoredImport> => {
  const found = await lockImport(work, id, matchable);
  if (found.confirmed_at !== null) fail('import_row_ordered');
  expectVersion(found, version);
  const defaults = rest.defaults ?? found.defaults;
  return work.asSystem('mapping of an import', async (system) => {
    if (sheet !== undefined && sheet !== found.sheet) {
      await readOtherSheet(system, found, sheet);
      return found;
    }
    const remember = (fingerprint: string): Promise<void> =>
      rememberMapping(system, {
        station_id: found.station_id,
        fingerprint,
        mapping,
        defaults,
        user_id: by,
      });
    if (header_at !== undefined && header_at !== found.header_at) {
      const { columns, fingerprint } = layoutBelow(await headOf(system, id), header_at);
      requireMapping(mapping, columns);
      await readAnew(system, id, { header_at, columns, fingerprint, mapping, defaults });
      await remember(fingerprint);
      return found;
    }
    requireMapping(mapping, found.columns);
    // Nothing has been ordered yet, so the refused rows are rows that the check did not reach.
    await moveMarks(system, id, { from: ['refused'], to: 'ok' }, sql`true`);
    await writeImport(system, id, {
      mapping,
      defaults,
      status: 'checking',
      reason: null,
      rows_checked: 0,
      quote: null,
    });
    await remember(found.fingerprint);
    await queueChecking(system, id);
    return found;
  });
};
