import { columnLetters } from '@waystation/contract/base/column-letters.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { ImportMark } from '@waystation/contract/imports/import.ts';
import { mostImportRows } from '@waystation/contract/base/limits.ts';
import {
  ReadingInterrupted,
  ReadingStarved,
  UnreadableFile,
  noSheets,
  readSheet,
} from '#domain/workbook/workbook.ts';
import type { SheetEnd, SheetRow, TextRow } from '#domain/workbook/workbook.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { checkRow } from './check.ts';
import type { CheckedRow, SheetRules } from './check.ts';
import { rulesOf } from './checking.ts';
import { fingerprintOf, headAhead, layoutOf, lookAhead } from './layout.ts';
import type { ImportLayout } from './layout.ts';
import { hiddenRow, isTitlesRow, isTotalsRow, titlesRow, totalsRow } from './left-out-rows.ts';
import { steppedCounts } from './marks.ts';
import { rememberedMapping } from './mappings.ts';
import { fillMerged } from './merged.ts';
import { isReadingAnother, queueChecking, queueReading } from './queues.ts';
import { takeImport, writeImport } from './store.ts';
import type { ImportContext, StoredImport } from './store.ts';
import { titlesAt } from './title-rows.ts';

const scope = systemScope('reading of an import');
/**
 * The number of rows that are stored together. Each slice is committed together with the number of
 * rows read, so that another worker can continue after it.
 */
const slice = 1_000;
/** The number of characters of rows that are stored together. */
const sliceChars = 1_000_000;
/**
 * The largest number of times that the reading of an import may start, because the process may be
 * killed by the file.
 */
const mostTries = 2;

/** Limits of a small sheet; a sheet beyond them is read again with the large sheets. */
const smallLimits = { inflatedBytes: 8 * 1024 * 1024, cpuMs: 10_000, waitMs: 60_000 };
const largeInside: ReadonlySet<string> = new Set([
  'file_inflates',
  'file_reader_time',
  'file_reader_memory',
]);
/** Milliseconds between two checks of whether another sheet of the account is still being read. */
const waitsForOwn = 1_000;

type StoredRow = SheetRow &
  Partial<Omit<CheckedRow, 'mark'>> & { mark: ImportMark; reason?: Reason };

/** The reason for leaving out a row until a user includes it; null if the row is not left out. */
const leftOut = ({ hidden, cells }: SheetRow, titles: TextRow): Reason | null =>
  hidden
    ? hiddenRow
    : isTitlesRow(cells, titles)
      ? titlesRow
      : isTotalsRow(cells)
        ? totalsRow
        : null;

/**
 * A row as it is stored. If the columns are known, the row is checked now, so that it is written
 * only once.
 */
const storedRow = (row: SheetRow, rules: SheetRules | null, titles: TextRow): StoredRow => {
  const checked = rules === null ? null : checkRow(row.cells, rules);
  const reason = leftOut(row, titles);
  return {
    ...row,
    ...checked,
    mark: reason === null ? (checked?.mark ?? 'ok') : 'excluded',
    ...(reason && { reason }),
  };
};

/** Stores rows unless another worker has stored them in the meantime. */
const storeRows = async (
  work: Work,
  id: number,
  { read, rows, areChecked }: { read: number; rows: readonly StoredRow[]; areChecked: boolean },
): Promise<boolean> => {
  const steps: Partial<Record<ImportMark, number>> = {};
  for (const { mark } of rows) steps[mark] = (steps[mark] ?? 0) + 1;
  const { rows: found } = await sql`update imports
    set rows_read = rows_read + ${rows.length},
    rows_checked = rows_checked + ${areChecked ? rows.length : 0},
      hidden_rows = hidden_rows + ${rows.filter(({ hidden }) => hidden).length},
        counts = ${steppedCounts(steps)}, updated_at = clock_timestamp()
    where id = ${id} and rows_read = ${read} and status = 'reading' returning 1`.execute(work.tx);
  if (found.length === 0) return false;
  await sql`insert into import_rows (import_id, no, line, cells, "values", fields, problems,
    key, mark, reason)
    select ${id}, ${read} + n, line, cells, coalesce("values", '{}'), fields,
      coalesce(problems, '[]'), case when key is null then null
      else sha256(convert_to(key, 'UTF8')) end,
      mark, reason
    from rows from (jsonb_to_recordset(${jsonText(rows)}::jsonb)
      as (line int, cells jsonb, "values" jsonb, fields jsonb, problems jsonb, key text,
        mark text, reason jsonb)) with ordinality
      as l (line, cells, "values", fields, problems, key, mark, reason, n)`.execute(work.tx);
  return true;
};

/**
 * The columns of a sheet, with the mapping that the station confirmed before for the same titles.
 * The row of titles is the confirmed row if there is one, else the detected row.
 */
const headerIn = async (work: Work, station_id: number, rows: readonly TextRow[]) => {
  const found = layoutOf(rows);
  const prints = rows.slice(0, headAhead).map((_, at) => fingerprintOf(titlesAt(rows, at)));
  const known = await rememberedMapping(work, station_id, [found.fingerprint, ...prints]);
  const layout =
    known === undefined || known.fingerprint === found.fingerprint
      ? found
      : layoutOf(rows, prints.indexOf(known.fingerprint));
  return { layout, known };
};

/** The reason why a user must check the columns; null if the columns are certain. */
const doubtOf = ({ certain, equal, columns }: ImportLayout): Reason | null => {
  if (certain) return null;
  if (equal.length === 0) return { code: 'import_columns_unknown' };
  const named = equal.map((index) =>
    `${columnLetters(index)} ${columns[index]?.title.slice(0, 20) ?? ''}`.trim(),
  );
  return { code: 'import_columns_equal', params: { columns: named.slice(0, 8).join('、') } };
};

/**
 * Finds and stores the columns. Columns that were confirmed before for a sheet with the same titles
 * are used again.
 */
const findLayout = async (
  work: Work,
  found: StoredImport,
  head: readonly SheetRow[],
): Promise<number | null> => {
  if (head.length === 0) return null;
  // The row of titles is known if reading continues after an interruption, or if the user has
  // chosen another row of titles.
  if (found.header_at !== null) return found.header_at;
  const { layout, known } = await headerIn(
    work,
    found.station_id,
    head.map(({ cells }) => cells),
  );
  await sql`update import_files
    set head = ${jsonText(head.map(({ line, cells }) => ({ line, cells })))}::jsonb
    where import_id = ${found.id}`.execute(work.tx);
  await writeImport(work, found.id, {
    header_at: layout.header_at,
    columns: layout.columns,
    fingerprint: layout.fingerprint,
    mapping: known?.mapping ?? layout.mapping,
    defaults: known?.defaults ?? {},
    // The next step replaces this reason after all rows are read.
    reason: known !== undefined ? null : doubtOf(layout),
  });
  return layout.header_at;
};

/** Yields the rows. The first rows are inspected together before any row is yielded. */
async function* withHead(
  rows: AsyncGenerator<SheetRow, SheetEnd>,
  look: (head: readonly SheetRow[]) => Promise<void>,
): AsyncGenerator<SheetRow, SheetEnd> {
  const head: SheetRow[] = [];
  while (head.length < lookAhead) {
    const { done, value } = await rows.next();
    if (done) {
      await look(head);
      yield* head;
      return value;
    }
    head.push(value);
  }
  await look(head);
  yield* head;
  return yield* rows;
}

type Outcome = 'empty' | 'too_long' | SheetEnd;

/**
 * The rules for checking rows while they are read. Null if the user must confirm the columns first,
 * or if earlier rows were not checked.
 */
const rulesForReading = async (work: Work, id: number): Promise<SheetRules | null> => {
  const found = await takeImport(work, id, ['reading']);
  return found === null || found.reason !== null || found.rows_checked !== found.rows_read
    ? null
    : rulesOf(work, found);
};

/**
 * Continues reading after the stored rows. Returns null if the import must not be read any more.
 * One slice is stored while the next slice is read and checked.
 */
const readOn = async (
  { db, listSlots }: ImportContext,
  found: StoredImport,
  file: Buffer,
  small: boolean,
): Promise<Outcome | null> => {
  let header: number | null = null;
  let titles: TextRow = [];
  let rules: SheetRules | null = null;
  /** The number of rows with titles and lines above them; counted only if it may be too large. */
  let counted = 0;
  let at = -1;
  let read = found.rows_read;
  let waiting: StoredRow[] = [];
  let chars = 0;
  let storing = Promise.resolve(true);
  /** Starts to store the waiting rows; false if the rows before them could not be stored. */
  const store = async (): Promise<boolean> => {
    const isStored = await storing;
    if (!isStored || waiting.length === 0) return isStored;
    const [from, rows, areChecked] = [read, waiting, rules !== null];
    storing = db.tx(scope, (work) => storeRows(work, found.id, { read: from, rows, areChecked }));
    // The next `await` of `storing` throws an error; this only avoids an unhandled rejection.
    storing.catch(() => {});
    read += rows.length;
    waiting = [];
    chars = 0;
    return true;
  };
  const look = async (head: readonly SheetRow[]): Promise<void> => {
    [header, rules] = await db.tx(scope, async (work) => [
      await findLayout(work, found, head),
      await rulesForReading(work, found.id),
    ]);
    titles = head[header ?? -1]?.cells ?? [];
  };
  const settings = {
    ...(small && smallLimits),
    isBusy: () => listSlots.isBusy(),
    handOver: true,
    sheet: found.sheet ?? undefined,
    // If reading continues after an interruption, the rows were counted when it started.
    count: read === 0 ? { above: mostImportRows, most: mostImportRows + headAhead + 1 } : undefined,
    onCount: (found: number): void => void (counted = found),
  };
  const rows = withHead(readSheet(found.file_type, file, settings), look);
  try {
    for (;;) {
      const { done, value } = await rows.next();
      if (done) {
        if (!(await store()) || !(await storing)) return null;
        return read === 0 ? 'empty' : value;
      }
      at++;
      if (header === null) return 'empty';
      if (counted - header - 1 > mostImportRows) return 'too_long';
      if (at - header <= found.rows_read) continue;
      waiting.push(storedRow(value, rules, titles));
      for (const cell of value.cells) chars += cell.length;
      if (read + waiting.length > mostImportRows) return 'too_long';
      if ((waiting.length >= slice || chars >= sliceChars) && !(await store())) return null;
    }
  } finally {
    // Ends the reading thread.
    await rows.return(noSheets);
    await storing.catch(() => {});
  }
};

/** The number of bytes of a file that are fetched together. */
const pieceBytes = 768 * 1024;

/**
 * Reads the stored file in pieces, so that memory holds little more than the file. A whole bytea
 * would arrive as a text of twice the size, and be copied again.
 */
const contentOf = async (
  { db }: ImportContext,
  { id, file_bytes }: StoredImport,
): Promise<Buffer> => {
  const file = Buffer.allocUnsafeSlow(file_bytes);
  for (let at = 0; at < file_bytes; at += pieceBytes) {
    const { rows } = await db.tx(scope, (work) =>
      sql<{ piece: string }>`select encode(substring(content
        from ${at + 1}::int for ${pieceBytes}::int), 'base64') as piece
        from import_files where import_id = ${id}`.execute(work.tx),
    );
    if (!rows[0]) throw new ReadingInterrupted('the import was deleted');
    file.write(rows[0].piece, at, 'base64');
  }
  return file;
};

const failed = (
  work: Work,
  id: number,
  code: string,
  params: Record<string, string | number> = {},
): Promise<void> =>
  writeImport(work, id, { status: 'failed', reason: { code, params }, finished_at: new Date() });

/**
 * Returns the import to read and counts the start of this reading. Returns null if the import must
 * not be read now, or if its reading was started too often.
 */
const beginReading = (
  { db, clock }: ImportContext,
  id: number,
  small: boolean,
): Promise<StoredImport | null> =>
  db.tx(scope, async (work) => {
    if (await isReadingAnother(work, id)) {
      await queueReading(work, id, {
        large: !small,
        runAt: new Date(clock.now().getTime() + waitsForOwn),
      });
      return null;
    }
    const { rows } = await sql<StoredImport>`update imports set read_tries = read_tries + 1
      where id = ${id} and status = 'reading' returning *`.execute(work.tx);
    const found = rows[0];
    if (!found || found.read_tries <= mostTries) return found ?? null;
    await failed(work, id, 'file_reader_gone');
    return null;
  });

/**
 * Reduces the count of readings by one, because a reading failed for another reason than the file,
 * such as an unreachable database.
 */
const uncount = ({ db, log }: ImportContext, id: number): Promise<unknown> =>
  db
    .tx(scope, (work) =>
      sql`update imports set read_tries = greatest(read_tries - 1, 0)
      where id = ${id}`.execute(work.tx),
    )
    .catch((error: unknown) => log.warn({ err: error, import: id }, 'a reading stays counted'));

/**
 * Task: reads a sheet into its rows. A file that is unreadable or exceeds the reader's limits fails
 * immediately with the reason. After a crash, another worker continues after the last stored slice.
 */
export const readImport = async (
  context: ImportContext,
  { import_id: id, small = 0 }: { import_id: number; small?: 0 | 1 },
): Promise<void> => {
  const found = await beginReading(context, id, small === 1);
  if (!found) return;
  const outcome = await contentOf(context, found)
    .then((file) => readOn(context, found, file, small === 1))
    .catch(async (error: unknown) => {
      if (error instanceof UnreadableFile) {
        context.log.info({ err: error, import: id }, 'an import cannot be read');
        return error;
      }
      if (!(error instanceof ReadingInterrupted)) await uncount(context, id);
      if (small === 1 && error instanceof ReadingStarved) return 'starved';
      throw error;
    });
  if (outcome === null) return;
  const isLargeInside = outcome instanceof UnreadableFile && largeInside.has(outcome.code);
  if (outcome === 'starved' || (small === 1 && isLargeInside)) {
    if (isLargeInside) await uncount(context, id);
    await context.db.tx(scope, (work) => queueReading(work, id, { large: true }));
    return;
  }
  await context.db.tx(scope, async (work) => {
    const read = await takeImport(work, id, ['reading']);
    if (!read) return undefined;
    if (outcome instanceof UnreadableFile) return failed(work, id, outcome.code, outcome.params);
    if (outcome === 'empty') return failed(work, id, 'file_empty');
    if (outcome === 'too_long') return failed(work, id, 'file_too_long', { limit: mostImportRows });
    const { merged, sheets, sheet } = outcome;
    await fillMerged(work, id, merged);
    const next = read.reason === null ? 'checking' : 'mapping';
    await writeImport(work, id, {
      status: next,
      rows_total: read.rows_read,
      // Texts of merged ranges were added to rows, so the rows must be checked again.
      ...((merged.length > 0 || next === 'mapping') && { rows_checked: 0 }),
      sheets: sheets.map(({ name, hidden }) => ({ name, hidden: hidden ? 1 : 0 })),
      sheet,
    });
    return next === 'checking' ? queueChecking(work, id) : undefined;
  });
};

/** Fails an import whose reading was abandoned, so that it does not wait any longer. */
export const failImport = async (
  work: Work,
  { import_id: id }: { import_id: number },
): Promise<void> => {
  if (await takeImport(work, id, ['reading'])) await failed(work, id, 'import_given_up');
};
