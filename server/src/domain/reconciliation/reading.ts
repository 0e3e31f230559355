import { columnLetters } from '@waystation/contract/base/column-letters.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { ReadingInterrupted, UnreadableFile, readTable } from '#domain/workbook/workbook.ts';
import type { TextRow } from '#domain/workbook/workbook.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { isWhole, layoutOf, lookAhead } from './columns.ts';
import type { Layout, Mapping, WeightUnit } from './columns.ts';
import { queueMatching } from './queues.ts';
import type { BillContext } from './store.ts';

const scope = systemScope('reading of a bill');
/** The largest number of lines of a bill. */
export const mostLines = 100_000;
/**
 * The number of lines stored in one transaction, together with the number of lines read so far, so
 * that another worker can continue there.
 */
const slice = 1_000;

/**
 * The maximum number of interrupted attempts to read a bill. An attempt is interrupted if the
 * process is killed, perhaps because of the file itself.
 */
const mostTries = 2;

const end = async (
  work: Work,
  id: number,
  status: 'failed' | 'mapping' | 'matching',
  reason: { code: string; params?: object } | null,
): Promise<void> => {
  await sql`update reconciliations set status = ${status},
    reason = ${reason === null ? null : jsonText(reason)}::jsonb, rows_total = rows_read,
    version = version + 1, updated_at = clock_timestamp() where id = ${id}
      and status = 'reading'`.execute(work.tx);
  if (status === 'matching') await queueMatching(work, id);
};

/**
 * Stores lines if they directly follow the lines that are stored already. Returns false if another
 * worker has stored them in the meantime.
 */
const storeLines = async (
  work: Work,
  id: number,
  read: number,
  lines: readonly TextRow[],
): Promise<boolean> => {
  const { rows } = await sql`update reconciliations
    set rows_read = rows_read + ${lines.length}, updated_at = clock_timestamp()
    where id = ${id} and rows_read = ${read} and status = 'reading' returning 1`.execute(work.tx);
  if (rows.length === 0) return false;
  await sql`insert into reconciliation_rows (reconciliation_id, no, cells)
    select ${id}, ${read} + n, line
    from jsonb_array_elements(${jsonText(lines)}::jsonb) with ordinality as l (line,
      n)`.execute(work.tx);
  return true;
};

const remembered = async (
  work: Work,
  provider: string,
  fingerprint: string,
): Promise<{ mapping: Mapping; weight_unit: WeightUnit } | undefined> =>
  (
    await work.tx
      .selectFrom('bill_mappings')
      .select(['mapping', 'weight_unit'])
      .where('provider', '=', provider)
      .where('fingerprint', '=', fingerprint)
      .execute()
  )[0];

/** The reason that asks the user to choose among columns. */
const doubtOf = ({ doubtful, columns }: Layout): Reason => {
  const named = doubtful.map((index) =>
    `${columnLetters(index)} ${columns[index]?.title.slice(0, 20) ?? ''}`.trim(),
  );
  return { code: 'bill_columns_doubtful', params: { columns: named.slice(0, 8).join('、') } };
};

/** The index of the row of titles, which is stored when it is found; null if there is none. */
const findHeader = async (
  work: Work,
  bill: RowOf<'reconciliations'>,
  rows: readonly TextRow[],
): Promise<number | null> => {
  if (bill.header_at !== null) return bill.header_at;
  const layout = layoutOf(rows);
  if (!layout) return null;
  const before =
    layout.fingerprint === ''
      ? undefined
      : await remembered(work, bill.provider, layout.fingerprint);
  const known = before ?? layout;
  const doubt = before === undefined && layout.doubtful.length > 0 ? doubtOf(layout) : null;
  await work.tx
    .updateTable('reconciliations')
    .set({
      header_at: layout.header_at,
      columns: jsonText(layout.columns),
      fingerprint: layout.fingerprint,
      mapping: jsonText(known.mapping),
      weight_unit: layout.names_unit ? layout.weight_unit : known.weight_unit,
      // This reason is replaced by the next step when all lines have been read.
      reason: doubt === null ? null : jsonText(doubt),
    })
    .where('id', '=', bill.id)
    .where('header_at', 'is', null)
    .execute();
  return layout.header_at;
};

/** Yields all rows. `look` gets the first rows together before any row is yielded. */
async function* withHead(
  rows: AsyncIterable<TextRow>,
  look: (head: readonly TextRow[]) => Promise<void>,
): AsyncGenerator<TextRow> {
  const head: TextRow[] = [];
  let looked = false;
  for await (const row of rows) {
    if (looked) yield row;
    else if (head.push(row) === lookAhead) {
      looked = true;
      await look(head);
      yield* head;
    }
  }
  if (looked) return;
  await look(head);
  yield* head;
}

/**
 * Continues reading after the lines that are stored already. Returns the next status of the bill,
 * or null if the bill must not be read further.
 */
const readOn = async (
  { db, listSlots }: BillContext,
  bill: RowOf<'reconciliations'>,
  file: Buffer,
): Promise<'empty' | 'too_long' | 'whole' | null> => {
  let header: number | null = null;
  let at = -1;
  let read = bill.rows_read;
  let waiting: TextRow[] = [];
  const store = async (): Promise<boolean> => {
    const stored =
      waiting.length === 0 ||
      (await db.tx(scope, (work) => storeLines(work, bill.id, read, waiting)));
    read += waiting.length;
    waiting = [];
    return stored;
  };
  const look = async (head: readonly TextRow[]): Promise<void> => {
    header = await db.tx(scope, (work) => findHeader(work, bill, head));
  };
  for await (const row of withHead(
    readTable(bill.file_type, file, { isBusy: () => listSlots.isBusy() }),
    look,
  )) {
    at++;
    if (header === null) return 'empty';
    if (at - header <= bill.rows_read) continue;
    waiting.push(row);
    if (read + waiting.length > mostLines) return 'too_long';
    if (waiting.length >= slice && !(await store())) return null;
  }
  if (!(await store())) return null;
  return read === 0 ? 'empty' : 'whole';
};

type BillWithFile = RowOf<'reconciliations'> & RowOf<'reconciliation_files', 'content'>;

/**
 * Reads a bill with its file, and counts this start of reading. Null if the bill must not be read,
 * or its reading was started too often.
 */
const beginReading = ({ db }: BillContext, id: number): Promise<BillWithFile | null> =>
  db.tx(scope, async (work) => {
    const { rows } = await sql<BillWithFile>`with begun as (
        update reconciliations set read_tries = read_tries + 1 where id = ${id}
          and status = 'reading' returning *)
      select c.*, f.content from begun c
        join reconciliation_files f on f.reconciliation_id = c.id`.execute(work.tx);
    const bill = rows[0];
    if (!bill || bill.read_tries <= mostTries) return bill ?? null;
    await end(work, id, 'failed', { code: 'file_reader_gone' });
    return null;
  });

/**
 * Reduces the number of attempts by one, because the attempt failed for another reason than the
 * file, for example because the database could not be reached.
 */
const uncount = ({ db, log }: BillContext, id: number): Promise<unknown> =>
  db
    .tx(scope, (work) =>
      sql`update reconciliations set read_tries = greatest(read_tries - 1, 0)
      where id = ${id}`.execute(work.tx),
    )
    .catch((error: unknown) => log.warn({ err: error, bill: id }, 'a reading stays counted'));

/**
 * Task: reads a bill into its lines. A file that cannot be read or exceeds a limit fails
 * immediately with the reason. If a worker dies, another worker continues after the last stored
 * slice.
 */
export const readBill = async (
  context: BillContext,
  { reconciliation_id: id }: { reconciliation_id: number },
): Promise<void> => {
  const bill = await beginReading(context, id);
  if (!bill) return;
  const outcome = await readOn(context, bill, bill.content).catch(async (error: unknown) => {
    if (error instanceof UnreadableFile) {
      context.log.info({ err: error, bill: id }, 'a bill cannot be read');
      return error;
    }
    if (!(error instanceof ReadingInterrupted)) await uncount(context, id);
    throw error;
  });
  if (outcome === null) return;
  await context.db.tx(scope, async (work) => {
    if (outcome instanceof UnreadableFile)
      return end(work, id, 'failed', { code: outcome.code, params: outcome.params });
    if (outcome === 'empty') return end(work, id, 'failed', { code: 'file_empty' });
    if (outcome === 'too_long')
      return end(work, id, 'failed', { code: 'file_too_long', params: { limit: mostLines } });
    const row = await work.tx
      .selectFrom('reconciliations')
      .select(['mapping', 'reason'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return isWhole(row.mapping)
      ? end(work, id, 'matching', null)
      : end(work, id, 'mapping', row.reason ?? { code: 'bill_columns_unknown' });
  });
};

/** Fails a bill whose job was abandoned, so that it does not wait any longer. */
export const failBill = async (
  work: Work,
  { reconciliation_id: id }: { reconciliation_id: number },
): Promise<void> => {
  await sql`update reconciliations set status = 'failed',
    reason = ${jsonText({ code: 'bill_given_up' })}::jsonb, version = version + 1,
    updated_at = clock_timestamp()
    where id = ${id} and status in ('reading', 'matching')`.execute(work.tx);
};
