import { createHash } from 'node:crypto';
import { mostBillBytes } from '@waystation/contract/base/limits.ts';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { carrierPaid } from '#domain/ledger/ledger.ts';
import { formatOf } from '#domain/workbook/workbook.ts';
import { periodOf } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { updateRow } from '#platform/db/rows.ts';
import { fail, failFields } from '#platform/fail.ts';
import { mappingProblem } from './columns.ts';
import type { Mapping, WeightUnit } from './columns.ts';
import { markTolerated } from './matching.ts';
import { queueMatching, queueReading } from './queues.ts';
import { lockBill, owedAmount, paidAmount, refreshStatus } from './store.ts';
import type { Bill } from './store.ts';

export interface NewBill {
  period: string;
  provider: string;
  weight_tolerance: number;
  amount_tolerance: number;
  file: { name: string; bytes: Buffer };
  by: number;
}

/**
 * The months for which a carrier's bill is accepted: from the month of the carrier's first parcel
 * to the current month. If the month of a bill is closed, the bill is posted into the open month.
 */
export const billMonths = async (
  work: Work,
  provider: string,
  now: Date,
): Promise<{ from: string; to: string }> => {
  const { rows } = await sql<RowOf<'expresses', 'created_at'>>`select created_at
    from expresses where provider = ${provider} order by id limit 1`.execute(work.tx);
  const row = rows[0];
  const to = periodOf(now);
  return { from: row ? periodOf(row.created_at) : to, to };
};

/**
 * Stores a bill and queues its reading. If the same file was stored before for the same carrier and
 * month, that bill is kept. Returns the id of the bill, and whether it is new.
 */
export const storeBill = async (
  work: Work,
  { file, by, ...bill }: NewBill,
): Promise<{ id: number; fresh: boolean }> => {
  if (file.bytes.length === 0) failFields({ file: { code: 'file_empty' } });
  if (file.bytes.length > mostBillBytes) fail('too_large');
  const type = formatOf(file);
  if (typeof type !== 'string') return failFields({ file: { code: type.refused } });
  const hash = createHash('sha256').update(file.bytes).digest();
  const { rows } = await sql<
    RowOf<'reconciliations', 'id'>
  >`insert into reconciliations (period, provider, file_name, file_type, file_bytes,
    file_hash, status, weight_tolerance, amount_tolerance, created_by)
    values (${bill.period}, ${bill.provider}, ${file.name}, ${type}, ${file.bytes.length},
      ${hash}, 'reading', ${bill.weight_tolerance}, ${bill.amount_tolerance}, ${by})
    on conflict (provider, period, file_hash) where status <> 'discarded' do nothing
      returning id`.execute(work.tx);
  const id = rows[0]?.id;
  if (id === undefined) {
    const row = await work.tx
      .selectFrom('reconciliations')
      .select('id')
      .where('provider', '=', bill.provider)
      .where('period', '=', bill.period)
      .where('file_hash', '=', hash)
      .where('status', '<>', 'discarded')
      .executeTakeFirstOrThrow();
    return { id: row.id, fresh: false };
  }
  await work.tx
    .insertInto('reconciliation_files')
    .values({ reconciliation_id: id, content: file.bytes })
    .execute();
  await queueReading(work, id);
  return { id, fresh: true };
};

const decidedLines = async (
  work: Work,
  id: number,
  decisions: readonly string[],
): Promise<boolean> =>
  (
    await sql`select 1 from reconciliation_rows where reconciliation_id = ${id}
    and decision = any(${decisions}::text[]) limit 1`.execute(work.tx)
  ).rows.length > 0;

/**
 * Sets the mapping of a bill's columns, stores it for later files with the same titles, and matches
 * the bill again.
 */
export const mapBill = async (
  work: Work,
  id: number,
  {
    version,
    mapping,
    weight_unit,
    by,
  }: { version: number; mapping: Mapping; weight_unit: WeightUnit; by: number },
): Promise<Bill> => {
  const bill = await lockBill(work, id, ['mapping', 'ready', 'settled']);
  const wrong = mappingProblem(mapping, bill.columns.length);
  if (wrong !== null)
    failFields({
      [`mapping.${wrong}`]: { code: mapping[wrong] === undefined ? 'required' : 'invalid' },
    });
  if (await decidedLines(work, id, ['accepted', 'disputed'])) fail('bill_decided');
  await updateRow(work, 'reconciliations', bill, {
    version,
    values: {
      mapping: jsonText(mapping),
      weight_unit,
      status: 'matching',
      reason: null,
      understood: 0,
      stated_amount: null,
      calculated_id: 0,
    },
  });
  // The mapping is stored for later files with the same titles; a file without titles cannot be
  // recognised later.
  if (bill.fingerprint !== '')
    await sql`insert into bill_mappings (provider, fingerprint, mapping, weight_unit,
      updated_by) values (${bill.provider}, ${bill.fingerprint}, ${jsonText(mapping)}::jsonb,
      ${weight_unit}, ${by})
    on conflict (provider, fingerprint) do update
      set mapping = excluded.mapping, weight_unit = excluded.weight_unit,
      updated_by = excluded.updated_by, updated_at = now()`.execute(work.tx);
  await queueMatching(work, id);
  return bill;
};

/** Sets the tolerances of a bill. Returns the bill before the change. */
export const setBillTolerances = async (
  work: Work,
  id: number,
  {
    version,
    ...tolerances
  }: { version: number; weight_tolerance: number; amount_tolerance: number },
): Promise<Bill> => {
  const bill = await lockBill(work, id, ['reading', 'mapping', 'matching', 'ready', 'settled']);
  await updateRow(work, 'reconciliations', bill, { version, values: tolerances });
  await markTolerated(work, id, tolerances.weight_tolerance, tolerances.amount_tolerance);
  return bill;
};

/**
 * Fails if the bill existed when its month was closed. Also prevents the closing of any month until
 * the transaction ends.
 */
const requireNotClosedWith = async (work: Work, id: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('ledger_period',
    0))`.execute(work.tx);
  const { rows } = await sql<RowOf<'periods', 'period'>>`select p.period from periods p
    join reconciliations c on c.period = p.period
    where c.id = ${id} and p.status = 'closed' and c.created_at <= p.closed_at
      and c.status <> 'failed'`.execute(work.tx);
  if (rows[0]) fail('bill_of_closed_month', { period: rows[0].period });
};

/**
 * Discards a bill whose file is wrong. Its lines no longer count, and its parcels count as missing
 * again. A bill that existed when its month was closed can be discarded only after a second person
 * has reopened that month.
 */
export const discardBill = async (work: Work, id: number, version: number): Promise<Bill> => {
  await requireNotClosedWith(work, id);
  const bill = await lockBill(work, id, [
    'reading',
    'mapping',
    'matching',
    'ready',
    'settled',
    'failed',
  ]);
  if (await decidedLines(work, id, ['accepted'])) fail('bill_accepted');
  if ((await paidAmount(work, id)) > 0) fail('bill_accepted');
  await updateRow(work, 'reconciliations', bill, { version, values: { status: 'discarded' } });
  const { rows } = await sql<
    RowOf<'reconciliation_rows', 'reconciliation_id'>
  >`update reconciliation_rows
    set decision = 'open', problem = null
    where bucket = 'only_ours' and decision = 'settled'
      and problem @> ${jsonText({ code: 'bill_found_later', params: { reconciliation_id: id } })}::jsonb
      and express_id in (select express_id from reconciliation_rows
        where reconciliation_id = ${id} and express_id is not null)
    returning reconciliation_id`.execute(work.tx);
  await refreshStatus(work, [...new Set(rows.map(({ reconciliation_id }) => reconciliation_id))]);
  return bill;
};

/**
 * Posts a payment to the carrier, from payables to cash. The amount may not exceed the unpaid
 * amount of the bill. Returns the payment's id.
 */
export const payBill = async (
  work: Work,
  id: Reconciliation['id'],
  {
    amount,
    description,
    by,
    at,
    cause,
  }: { amount: number; description: string; by: number; at: Date; cause: string },
): Promise<number> => {
  await lockBill(work, id, ['ready', 'settled']);
  const left_amount = (await owedAmount(work, id)) - (await paidAmount(work, id));
  if (amount > left_amount) fail('payment_too_large', { left_amount: Math.max(left_amount, 0) });
  const transfer_id = await carrierPaid(work, { amount, cause, at, by });
  const row = await work.tx
    .insertInto('reconciliation_payments')
    .values({ reconciliation_id: id, amount, description, transfer_id, account_id: by, at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
};
