import type { ImportField, ImportProblem, ImportValues } from '@waystation/contract/import.ts';
import { importFields } from '@waystation/contract/import.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import { errorText } from '@waystation/contract/errors.ts';
import { stateCode } from '@waystation/contract/express-states.ts';
import { writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue, SheetColumn } from '#domain/workbook/workbook.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { fieldTitles } from './field-titles.ts';
import { fingerprintOf } from './layout.ts';
import type { ImportMapping } from './layout.ts';
import { maskText } from './masking.ts';
import { rememberMapping } from './mappings.ts';
import { columnsOfFile, reasonTitle } from './reason-column.ts';
import type { StoredImport } from './store.ts';
import { titleUnits, withOwnUnit } from './title-units.ts';
import type { TitleUnits } from './title-units.ts';

type Language = 'zh' | 'en';

/** `words`: why the carrier refused it, as it says. */
type FailedRow = RowOf<'import_rows', 'no' | 'cells' | 'edits'> & { problems: ImportProblem[]; reason: Reason | null; words: string | null };

const refusalOf = ({ reason, words }: FailedRow): Reason | null => reason ?? (words ? { code: 'carrier_refused', params: { text: words } } : null);

const reasonsOf = (row: FailedRow, language: Language): string =>
  [refusalOf(row), ...row.problems.filter(({ level }) => level === 'error').map((problem) => problem.reason)]
    .filter((reason) => reason !== null)
    .map(({ code, params }) => errorText(code, params, language))
    .join('；');

export const whole = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(pieces));

/**
 * Rows that are left: those that were refused or have an error, those whose parcel the carrier refused, and of a cancelled import those that were not ordered
 * yet.
 */
const leftRows = ({ id, status }: StoredImport) =>
  sql`w.import_id = ${id} and (w.mark = any(${['refused', 'error', ...(status === 'cancelled' ? ['ok', 'repaired', 'warning'] : [])]}::text[])
    or (w.mark = 'ordered' and exists (select 1 from expresses x where x.id = w.express_id and x.state_code = ${stateCode.failed})))`;

/** Rows read and written together: memory does not grow with them. */
const slice = 2_000;

async function* leftOf(tx: Tx, found: StoredImport): AsyncGenerator<FailedRow> {
  for (let after = 0; ;) {
    const { rows } = await sql<FailedRow>`select w.no, w.cells, w.edits, w.problems, coalesce(w.reason, e.state_reason) as reason, e.state_remark as words
      from import_rows w left join expresses e on e.id = w.express_id where ${leftRows(found)} and w.no > ${after} order by w.no limit ${slice}`.execute(tx);
    yield* rows;
    if (rows.length < slice) return;
    after = rows.at(-1)!.no;
  }
}

/** Fields that were typed into rows that are left, though the sheet has no column for them. */
const addedFields = async (tx: Tx, found: StoredImport, width: number): Promise<ImportField[]> => {
  const { rows } = await sql<{ field: ImportField }>`select distinct e.key as field from import_rows w, jsonb_each_text(w.edits) e
    where ${leftRows(found)} and e.value <> ''`.execute(tx);
  const typed = new Set(rows.map(({ field }) => field));
  return importFields.filter((field) => typed.has(field) && (found.mapping[field] ?? width) >= width);
};

interface Layout {
  titles: readonly string[];
  mapping: ImportMapping;
  units: TitleUnits;
}

/** The columns of the file; those of a sheet without titles are called by their fields. */
const layoutOfFile = async (tx: Tx, found: StoredImport, language: Language): Promise<Layout> => {
  const own = columnsOfFile(found.columns.map(({ title }) => title));
  const names = new Map(Object.entries(found.mapping).map(([field, index]) => [index, fieldTitles[field as ImportField][language]]));
  const named = own.some((title) => title !== '') ? own : own.map((_, index) => names.get(index) ?? '');
  const added = await addedFields(tx, found, own.length);
  const within = Object.entries(found.mapping).filter(([, index]) => index < own.length);
  return {
    titles: [...named, ...added.map((field) => fieldTitles[field][language])],
    mapping: Object.fromEntries([...within, ...added.map((field, at) => [field, own.length + at] as const)]),
    units: titleUnits(found.columns, found.mapping),
  };
};

/** The row as it was in the file, with what was typed instead. */
const cellsOf = ({ cells, edits }: FailedRow, { titles, mapping, units }: Layout): string[] => {
  const row = titles.map((_, index) => cells[index] ?? '');
  for (const [field, text] of Object.entries(edits as ImportValues) as [ImportField, string][]) {
    const index = mapping[field];
    if (index !== undefined) row[index] = withOwnUnit(text, field, units);
  }
  return row;
};

/**
 * Rows that were not ordered, in the layout of the file, then what was typed for fields without a column, and a last column that says why: it can be uploaded
 * again as it is, since its columns are remembered. `masked`: phones for a reader who does not see them. Returns how many rows it has.
 */
export const failedFile = async (
  tx: Tx,
  found: StoredImport,
  { language, masked }: { language: Language; masked: boolean },
): Promise<{ body: Buffer; rows: number }> => {
  const layout = await layoutOfFile(tx, found, language);
  const fingerprint = fingerprintOf(layout.titles);
  if (fingerprint !== found.fingerprint) await rememberMapping(tx, { ...found, fingerprint, mapping: layout.mapping });
  const columns: SheetColumn[] = [...layout.titles, reasonTitle[language]].map((title) => ({ title, kind: 'text' }));
  let rows = 0;
  async function* lines(): AsyncGenerator<CellValue[]> {
    for await (const row of leftOf(tx, found)) {
      rows++;
      const cells = [...cellsOf(row, layout), reasonsOf(row, language)];
      yield masked ? cells.map(maskText) : cells;
    }
  }
  const body = await whole(writeWorkbook('xlsx', { name: reasonTitle[language], columns, rows: lines() }));
  return { body, rows };
};
