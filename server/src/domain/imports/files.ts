import type {
  ImportField,
  ImportProblem,
  ImportValues,
} from '@waystation/contract/imports/import.ts';
import { importFields } from '@waystation/contract/imports/import.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { errorText } from '@waystation/contract/base/errors.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { lastOf } from '@waystation/contract/base/present.ts';
import { writeWorkbook } from '#domain/workbook/workbook.ts';
import type { CellValue, SheetColumn } from '#domain/workbook/workbook.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { fieldTitles } from './field-titles.ts';
import { fingerprintOf } from './layout.ts';
import type { ImportMapping } from './layout.ts';
import { maskText } from './masking.ts';
import { rememberMapping } from './mappings.ts';
import { columnsOfFile, reasonTitle } from './title-rows.ts';
import type { StoredImport } from './store.ts';
import { titleUnits, withOwnUnit } from './title-units.ts';
import type { TitleUnits } from './title-units.ts';

type Language = 'zh' | 'en';

/** A row that was not ordered. `words`: the carrier's text of the refusal. */
type FailedRow = RowOf<'import_rows', 'no' | 'cells' | 'edits'> & {
  problems: ImportProblem[];
  reason: Reason | null;
  words: string | null;
};

const refusalOf = ({ reason, words }: FailedRow): Reason | null =>
  reason ?? (words ? { code: 'carrier_refused', params: { text: words } } : null);

const reasonsOf = (row: FailedRow, language: Language): string =>
  [
    refusalOf(row),
    ...row.problems.filter(({ level }) => level === 'error').map((problem) => problem.reason),
  ]
    .filter((reason) => reason !== null)
    .map(({ code, params }) => errorText(code, params, language))
    .join('；');

export const whole = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(pieces));

/**
 * Rows that were not ordered: refused rows, rows with an error, rows whose parcel the carrier
 * refused, and the remaining rows of a cancelled import.
 */
const leftRows = ({ id, status }: StoredImport) =>
  sql`w.import_id = ${id}
    and (w.mark = any(${['refused', 'error', ...(status === 'cancelled' ? ['ok', 'repaired', 'warning'] : [])]}::text[])
    or (w.mark = 'ordered' and exists (select 1 from expresses x where x.id = w.express_id
      and x.state_code = ${stateCode.failed})))`;

/**
 * The number of rows that are read and written together, so that memory does not grow with the
 * file.
 */
const slice = 2_000;

async function* leftOf(work: Work, found: StoredImport): AsyncGenerator<FailedRow> {
  for (let after = 0; ;) {
    const { rows } = await sql<FailedRow>`select w.no, w.cells, w.edits, w.problems,
      coalesce(w.reason, e.state_reason) as reason, e.state_remark as words
      from import_rows w left join expresses e on e.id = w.express_id where ${leftRows(found)}
        and w.no > ${after} order by w.no limit ${slice}`.execute(work.tx);
    yield* rows;
    if (rows.length < slice) return;
    after = lastOf(rows).no;
  }
}

/**
 * Fields that users filled in rows that were not ordered, although the sheet has no column for
 * these fields.
 */
const addedFields = async (
  work: Work,
  found: StoredImport,
  width: number,
): Promise<ImportField[]> => {
  const { rows } = await sql<{ field: ImportField }>`select distinct e.key as field
    from import_rows w, jsonb_each_text(w.edits) e
    where ${leftRows(found)} and e.value <> ''`.execute(work.tx);
  const typed = new Set(rows.map(({ field }) => field));
  return importFields.filter(
    (field) => typed.has(field) && (found.mapping[field] ?? width) >= width,
  );
};

interface Layout {
  titles: readonly string[];
  mapping: ImportMapping;
  units: TitleUnits;
}

/** The columns of the file. If the sheet has no titles, each column gets the title of its field. */
const layoutOfFile = async (
  work: Work,
  found: StoredImport,
  language: Language,
): Promise<Layout> => {
  const own = columnsOfFile(found.columns.map(({ title }) => title));
  const names = new Map(
    Object.entries(found.mapping).map(([field, index]) => [
      index,
      fieldTitles[field as ImportField][language],
    ]),
  );
  const named = own.some((title) => title !== '')
    ? own
    : own.map((_, index) => names.get(index) ?? '');
  const added = await addedFields(work, found, own.length);
  const within = Object.entries(found.mapping).filter(([, index]) => index < own.length);
  return {
    titles: [...named, ...added.map((field) => fieldTitles[field][language])],
    mapping: Object.fromEntries([
      ...within,
      ...added.map((field, at) => [field, own.length + at] as const),
    ]),
    units: titleUnits(found.columns, found.mapping),
  };
};

/** The cells of a row in the file; edited texts replace the texts of the row. */
const cellsOf = ({ cells, edits }: FailedRow, { titles, mapping, units }: Layout): string[] => {
  const row = titles.map((_, index) => cells[index] ?? '');
  for (const [field, text] of Object.entries(edits as ImportValues) as [ImportField, string][]) {
    const index = mapping[field];
    if (index !== undefined) row[index] = withOwnUnit(text, field, units);
  }
  return row;
};

/**
 * Writes the rows that were not ordered, with the columns of the uploaded file. Adds a column for
 * each field that users filled and that has no column, and a last column for the reason. The file
 * can be uploaded unchanged, because its columns are stored for the station. `masked`: true if
 * phones are masked for the reader. Returns the number of rows.
 */
export const failedFile = async (
  work: Work,
  found: StoredImport,
  { language, masked }: { language: Language; masked: boolean },
): Promise<{ body: Buffer; rows: number }> => {
  const layout = await layoutOfFile(work, found, language);
  const fingerprint = fingerprintOf(layout.titles);
  if (fingerprint !== found.fingerprint)
    await rememberMapping(work, { ...found, fingerprint, mapping: layout.mapping });
  const columns: SheetColumn[] = [...layout.titles, reasonTitle[language]].map((title) => ({
    title,
    kind: 'text',
  }));
  let rows = 0;
  async function* lines(): AsyncGenerator<CellValue[]> {
    for await (const row of leftOf(work, found)) {
      rows++;
      const cells = [...cellsOf(row, layout), reasonsOf(row, language)];
      yield masked ? cells.map(maskText) : cells;
    }
  }
  const body = await whole(
    writeWorkbook('xlsx', { name: reasonTitle[language], columns, rows: lines() }),
  );
  return { body, rows };
};
