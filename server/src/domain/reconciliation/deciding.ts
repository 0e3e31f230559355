import type { BillBucket, BillRow } from '@waystation/contract/money/reconciliation.ts';
import { lockExpress, takeBillFacts } from '#domain/express/express.ts';
import { openReturnFee } from '#domain/express/express-reads.ts';
import { carrierCost } from '#domain/ledger/ledger.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { billedElsewhere } from './matching.ts';
import { lockBill, refreshStatus } from './store.ts';

/** A decision: the account that made it, its time and its note. */
export interface Decision {
  by: number;
  at: Date;
  note: string;
}

/** A line after its decision, with its parcel. */
export interface Decided {
  reconciliation_id: number;
  bucket: BillBucket;
  delivery_id: string | null;
  express_id: number | null;
  station_id: number | null;
  effect_amount: number | null;
}

interface Line extends Decided {
  id: number;
  decision: BillRow['decision'];
  their_amount: number | null;
  total_weight: number | null;
}

/**
 * Locks the bill of a line, and then the line that represents the same parcel in this bill. Fails
 * if that line is not in one of the states `from`.
 */
const lockLine = async (
  work: Work,
  id: number,
  from: readonly BillRow['decision'][],
): Promise<Line> => {
  const { rows: found } = await sql<
    RowOf<'reconciliation_rows', 'reconciliation_id'> & { head_id: number }
  >`select reconciliation_id, coalesce(head_id, id) as head_id
    from reconciliation_rows where id = ${id} and bucket is not null`.execute(work.tx);
  if (!found[0]) return fail('not_found');
  await lockBill(work, found[0].reconciliation_id, ['ready', 'settled']);
  // The bill may have been matched again before it was locked, so the line that represents its
  // parcel may have changed.
  const row = await oneRow(
    work,
    sql<Line>`select id, reconciliation_id, bucket, decision, delivery_id, express_id,
      station_id, their_amount, total_weight, effect_amount
    from reconciliation_rows where id = (select coalesce(head_id, id) from reconciliation_rows
      where id = ${id}) for update`,
  );
  return from.includes(row.decision) ? row : fail('bill_row_decided');
};

const decided = async (
  work: Work,
  line: Line,
  { decision, effect_amount }: { decision: 'accepted' | 'disputed'; effect_amount: number | null },
  { by, at, note }: Decision,
): Promise<Decided> => {
  await sql`update reconciliation_rows set decision = ${decision}, note = ${note},
    decided_at = ${at}, decided_by = ${by}
    where reconciliation_id = ${line.reconciliation_id}
      and (id = ${line.id} or head_id = ${line.id})`.execute(work.tx);
  await work.tx
    .updateTable('reconciliation_rows')
    .set({ effect_amount })
    .where('id', '=', line.id)
    .execute();
  await refreshStatus(work, [line.reconciliation_id]);
  return { ...line, effect_amount };
};

/**
 * The carrier's complete fee for a parcel, from this bill and from bills that were accepted before.
 */
const totalOf = async (
  work: Work,
  { id, express_id, reconciliation_id }: Line,
): Promise<number> => {
  const row = await oneRow(
    work,
    sql<{
      total: number;
    }>`select sum(r.their_amount)::bigint + ${billedElsewhere(sql`${express_id}::bigint`, reconciliation_id)} as total
    from reconciliation_rows r where r.reconciliation_id = ${reconciliation_id}
      and r.head_id = ${id}`,
  );
  return row.total;
};

/**
 * The waybill numbers of the parcel that this bill's lines contain: its own number, the number of
 * its return, or both.
 */
export const waybillsOf = async (
  work: Work,
  { id, reconciliation_id }: Pick<Line, 'id' | 'reconciliation_id'>,
): Promise<string[]> =>
  (
    await sql<{ delivery_id: string }>`select distinct delivery_id from reconciliation_rows
      where reconciliation_id = ${reconciliation_id} and head_id = ${id}
        and delivery_id is not null order by 1`.execute(work.tx)
  ).rows.map(({ delivery_id }) => delivery_id);

/**
 * Applies the facts of the bill to the parcel and returns the change of the station's price. The
 * cost of a reversed parcel is paid by the platform only.
 */
const takeBill = async (work: Work, line: Line, { by, at }: Decision): Promise<number | null> => {
  const express = await lockExpress(work, line.express_id!);
  const { rows } = await sql`select 1 from ledger_transfers where express_id = ${express.id}
    and kind = 'reversal'`.execute(work.tx);
  const weighs =
    line.bucket === 'weight_differs' && line.total_weight !== null && rows.length === 0;
  const waybills = await waybillsOf(work, line);
  const jd_amount = (await totalOf(work, line)) + (await openReturnFee(work, express, waybills));
  const facts = {
    ...(weighs && { jd_weight: line.total_weight! }),
    jd_amount,
    bill: { id: line.reconciliation_id, waybills },
  };
  const after = await takeBillFacts(work, express, facts, { at, account_id: by });
  return weighs ? after.post_amount - express.post_amount : null;
};

/**
 * Accepts the carrier's figures in a line (docs/ledger.md, "Month end"). A weight and a fee become
 * facts of the parcel, and the station's price difference and the profit shares are posted. A fee
 * without a weight is only a cost. A line with an unknown waybill number is a cost of the platform.
 * A parcel that is missing in the bill is only recorded. A line can be accepted once, and all lines
 * of one parcel are accepted together. Needs a transaction that sees all rows.
 */
export const acceptLine = async (work: Work, id: number, decision: Decision): Promise<Decided> => {
  const line = await lockLine(work, id, ['open', 'disputed']);
  switch (line.bucket) {
    case 'unreadable':
      return fail('bill_row_unreadable');
    case 'weight_differs':
    case 'price_differs':
      return decided(
        work,
        line,
        { decision: 'accepted', effect_amount: await takeBill(work, line, decision) },
        decision,
      );
    case 'only_theirs':
    case 'duplicate':
    case 'other_code':
      await carrierCost(work, {
        amount_total: line.their_amount!,
        cause: `bill:${line.reconciliation_id}:${line.id}`,
        at: decision.at,
        by: decision.by,
      });
      return decided(work, line, { decision: 'accepted', effect_amount: null }, decision);
    default:
      return decided(work, line, { decision: 'accepted', effect_amount: null }, decision);
  }
};

/** Disputes a line, so that it is listed in the file of disputes for the carrier. */
export const disputeLine = async (work: Work, id: number, decision: Decision): Promise<Decided> => {
  const line = await lockLine(work, id, ['open']);
  return decided(work, line, { decision: 'disputed', effect_amount: line.effect_amount }, decision);
};
