import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Facts } from './facts-type.ts';
import type { ExpressRow } from './row.ts';

/** The fee of the way back, under a code of our own beside the carrier's (requirements §4). */
export const returnCode = 'RETURN';

/** Waybills that bills stand for, of bills that were not discarded; null: none was accepted for this parcel. */
const billedWaybills = async (tx: Tx, express: ExpressRow): Promise<Set<string> | null> => {
  const { rows } = await sql<{ waybills: string[] | null }>`select f.facts -> 'bill' -> 'waybills' as waybills from express_facts f
    where f.express_id = ${express.id} and f.source = 'bill'
      and not exists (select 1 from reconciliations c where c.id = (f.facts -> 'bill' ->> 'id')::bigint and c.status = 'discarded')`.execute(tx);
  return rows.length === 0 ? null : new Set(rows.flatMap(({ waybills }) => waybills ?? [express.delivery_id ?? '']));
};

const backOf = (surcharges: ExpressRow['surcharges']): number => surcharges[returnCode]?.amount ?? 0;

const withoutBack = (surcharges: ExpressRow['surcharges']): string =>
  JSON.stringify(
    Object.entries(surcharges)
      .filter(([code]) => code !== returnCode)
      .map(([code, { amount }]) => [code, amount])
      .toSorted(),
  );

/**
 * What an accepted bill has said, no later poll or push says otherwise, in nothing that moves price or cost: what they say instead stands as a line of the
 * bill. Only the fee of a way back that no bill has yet is still taken from them.
 */
export const unbilled = async (tx: Tx, express: ExpressRow, given: Facts): Promise<Facts> => {
  if (express.fact_no === 0) return given;
  const billed = await billedWaybills(tx, express);
  if (billed === null) return given;
  const isBackOpen = express.return_delivery_id !== null && !billed.has(express.return_delivery_id);
  const known = backOf(express.surcharges);
  const back = isBackOpen && given.surcharges ? backOf(given.surcharges) : known;
  const differs =
    (given.jd_weight !== undefined && given.jd_weight !== express.jd_weight) ||
    (given.jd_volume !== undefined && given.jd_volume !== express.jd_volume) ||
    (given.surcharges !== undefined && withoutBack(given.surcharges) !== withoutBack(express.surcharges)) ||
    (given.jd_amount !== undefined && given.jd_amount - back !== (express.jd_amount ?? 0) - known);
  if (differs)
    await addJob(
      tx,
      'bill_contradicted',
      { express_id: express.id, jd_weight: given.jd_weight ?? null, jd_amount: given.jd_amount ?? null },
      { key: `bill_contradicted:${express.id}` },
    );
  if (back === known) return {};
  const { [returnCode]: _, ...others } = express.surcharges;
  const surcharges = back > 0 ? { ...others, [returnCode]: given.surcharges![returnCode]! } : others;
  return { surcharges, jd_amount: (express.jd_amount ?? 0) + back - known };
};

/** The fee of a way back that is known and that no bill names yet: it is owed beside what a bill says of the parcel's own waybill. */
export const openReturnFee = async (tx: Tx, express: ExpressRow, waybills: readonly string[]): Promise<number> => {
  if (express.return_delivery_id === null || waybills.includes(express.return_delivery_id)) return 0;
  const billed = await billedWaybills(tx, express);
  return billed?.has(express.return_delivery_id) ? 0 : backOf(express.surcharges);
};
