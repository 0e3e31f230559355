import { mostImportRows } from '@waystation/contract/limits.ts';
import { ReadingInterrupted, UnreadableFile, noSheets, readSheet } from '#domain/workbook/workbook.ts';
import type { SheetEnd, SheetRow, TextRow } from '#domain/workbook/workbook.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { layoutOf, lookAhead } from './layout.ts';
import { hiddenRow } from './hidden-rows.ts';
import { steppedCounts } from './marks.ts';
import { fillMerged } from './merged.ts';
import { queueChecking } from './queues.ts';
import { takeImport, writeImport } from './store.ts';
import type { ImportContext, StoredImport } from './store.ts';

const scope = systemScope('reading of an import');
/** Rows stored together: each slice commits with the number of rows read, so that another worker resumes there. */
const slice = 1_000;
/** Characters of rows stored together. */
const sliceChars = 1_000_000;
/** Limit of readings that began and never ended, because the process was killed, perhaps by the file. It is tried once more. */
const mostTries = 2;

/** Stores rows if they are still the next ones: another worker may have stored them meanwhile. Rows that the sheet hides are left out until a person includes them. */
const storeRows = async (tx: Tx, id: number, read: number, rows: readonly SheetRow[]): Promise<boolean> => {
  const hidden = rows.filter((row) => row.hidden).length;
  const { rows: found } = await sql`update imports set rows_read = rows_read + ${rows.length}, hidden_rows = hidden_rows + ${hidden},
      counts = ${steppedCounts({ ok: rows.length - hidden, excluded: hidden })}, updated_at = clock_timestamp()
    where id = ${id} and rows_read = ${read} and status = 'reading' returning 1`.execute(tx);
  if (found.length === 0) return false;
  await sql`insert into import_rows (import_id, no, line, cells, mark, reason)
    select ${id}, ${read} + n, (row ->> 'line')::int, row -> 'cells', case when hidden then 'excluded' else 'ok' end, case when hidden then ${jsonText(hiddenRow)}::jsonb end
    from jsonb_array_elements(${jsonText(rows)}::jsonb) with ordinality as l (row, n), lateral (select (row ->> 'hidden')::boolean as hidden) h`.execute(tx);
  return true;
};

/** The columns, stored once they are found, as they were confirmed for a sheet with the same titles before. */
const findLayout = async (tx: Tx, found: StoredImport, rows: readonly TextRow[]): Promise<number | null> => {
  if (rows.length === 0) return null;
  if (found.header_at !== null) return found.header_at;
  const layout = layoutOf(rows);
  const known =
    layout.fingerprint === ''
      ? undefined
      : await tx
          .selectFrom('import_mappings')
          .select(['mapping', 'defaults'])
          .where('station_id', '=', found.station_id)
          .where('fingerprint', '=', layout.fingerprint)
          .executeTakeFirst();
  await writeImport(tx, found.id, {
    header_at: layout.header_at,
    columns: layout.columns,
    fingerprint: layout.fingerprint,
    mapping: known?.mapping ?? layout.mapping,
    defaults: known?.defaults ?? {},
    // Until the rows are read; then it is what comes next.
    reason: known !== undefined || layout.certain ? null : { code: 'import_columns_unknown' },
  });
  return layout.header_at;
};

/** Yields the rows; the first ones are inspected together before any is yielded. */
async function* withHead(rows: AsyncGenerator<SheetRow, SheetEnd>, look: (head: readonly SheetRow[]) => Promise<void>): AsyncGenerator<SheetRow, SheetEnd> {
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

/** Continues after the stored rows; null if the import is not to be read any more. */
const readOn = async ({ db, listSlots }: ImportContext, found: StoredImport, file: Buffer): Promise<Outcome | null> => {
  let header: number | null = null;
  let at = -1;
  let read = found.rows_read;
  let waiting: SheetRow[] = [];
  let chars = 0;
  const store = async (): Promise<boolean> => {
    const stored = waiting.length === 0 || (await db.tx(scope, (tx) => storeRows(tx, found.id, read, waiting)));
    read += waiting.length;
    waiting = [];
    chars = 0;
    return stored;
  };
  const look = async (head: readonly SheetRow[]): Promise<void> => {
    header = await db.tx(scope, (tx) =>
      findLayout(
        tx,
        found,
        head.map(({ cells }) => cells),
      ),
    );
  };
  const rows = withHead(readSheet(found.file_type, file, { isBusy: () => listSlots.isBusy(), sheet: found.sheet ?? undefined }), look);
  try {
    for (;;) {
      const { done, value } = await rows.next();
      if (done) {
        if (!(await store())) return null;
        return read === 0 ? 'empty' : value;
      }
      at++;
      if (header === null) return 'empty';
      if (at - header <= found.rows_read) continue;
      waiting.push(value);
      for (const cell of value.cells) chars += cell.length;
      if (read + waiting.length > mostImportRows) return 'too_long';
      if ((waiting.length >= slice || chars >= sliceChars) && !(await store())) return null;
    }
  } finally {
    // The reading thread ends with it.
    await rows.return(noSheets);
  }
};

/** Bytes of a file that are fetched together: they come as text of twice the size. */
const pieceBytes = 2 * 1024 * 1024;

/** The stored file, of which little more than itself is in memory while it is fetched. */
const contentOf = async ({ db }: ImportContext, { id, file_bytes }: StoredImport): Promise<Buffer> => {
  const file = Buffer.allocUnsafeSlow(file_bytes);
  for (let at = 0; at < file_bytes; at += pieceBytes) {
    const { rows } = await db.tx(scope, (tx) =>
      sql<{ piece: Buffer }>`select substring(content from ${at + 1}::int for ${pieceBytes}::int) as piece from import_files where import_id = ${id}`.execute(
        tx,
      ),
    );
    if (!rows[0]) throw new ReadingInterrupted('the import was deleted');
    rows[0].piece.copy(file, at);
  }
  return file;
};

const failed = (tx: Tx, id: number, code: string, params: Record<string, string | number> = {}): Promise<void> =>
  writeImport(tx, id, { status: 'failed', reason: { code, params }, finished_at: new Date() });

/** The import, its reading counted as begun; null if it is not to be read, or was begun too often. */
const beginReading = ({ db }: ImportContext, id: number): Promise<StoredImport | null> =>
  db.tx(scope, async (tx) => {
    const { rows } = await sql<StoredImport>`update imports set read_tries = read_tries + 1 where id = ${id} and status = 'reading' returning *`.execute(tx);
    const found = rows[0];
    if (!found || found.read_tries <= mostTries) return found ?? null;
    await failed(tx, id, 'file_reader_gone');
    return null;
  });

/** Uncounts an attempt that failed for another reason than the file, such as an unreachable database. */
const uncount = ({ db, log }: ImportContext, id: number): Promise<unknown> =>
  db
    .tx(scope, (tx) => sql`update imports set read_tries = greatest(read_tries - 1, 0) where id = ${id}`.execute(tx))
    .catch((error: unknown) => log.warn({ err: error, import: id }, 'a reading stays counted'));

/**
 * Task: reads a sheet into its rows. A file that is unreadable or exceeds the reader's limits fails at once with the reason. After a crash another worker
 * resumes behind the last stored slice.
 */
export const readImport = async (context: ImportContext, { import_id: id }: { import_id: number }): Promise<void> => {
  const found = await beginReading(context, id);
  if (!found) return;
  const outcome = await contentOf(context, found)
    .then((file) => readOn(context, found, file))
    .catch(async (error: unknown) => {
      if (error instanceof UnreadableFile) {
        context.log.info({ err: error, import: id }, 'an import cannot be read');
        return error;
      }
      if (!(error instanceof ReadingInterrupted)) await uncount(context, id);
      throw error;
    });
  if (outcome === null) return;
  await context.db.tx(scope, async (tx) => {
    const read = await takeImport(tx, id, ['reading']);
    if (!read) return undefined;
    if (outcome instanceof UnreadableFile) return failed(tx, id, outcome.code, outcome.params);
    if (outcome === 'empty') return failed(tx, id, 'file_empty');
    if (outcome === 'too_long') return failed(tx, id, 'file_too_long', { limit: mostImportRows });
    const { merged, sheets, sheet } = outcome;
    await fillMerged(tx, id, merged);
    const next = read.reason === null ? 'checking' : 'mapping';
    await writeImport(tx, id, {
      status: next,
      rows_total: read.rows_read,
      sheets: sheets.map(({ name, hidden }) => ({ name, hidden: hidden ? 1 : 0 })),
      sheet,
    });
    return next === 'checking' ? queueChecking(tx, id) : undefined;
  });
};

/** Fails an import whose reading was given up, so that it does not wait any more. */
export const failImport = async (tx: Tx, { import_id: id }: { import_id: number }): Promise<void> => {
  if (await takeImport(tx, id, ['reading'])) await failed(tx, id, 'import_given_up');
};
