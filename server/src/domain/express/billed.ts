import { present } from '@waystation/contract/base/present.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Facts } from './facts-type.ts';
import { billContradictedTask } from './queues.ts';
import type { ExpressRow } from './row.ts';

/** Our own code for the return fee, in addition to the carrier's codes (requirements §4). */
export const returnCode = 'RETURN';

/**
 * The parcel's waybills whose fees an accepted bill contains; discarded bills do not count. Null if
 * there is no such bill.
 */
const billedWaybills = async (work: Work, express: ExpressRow): Promise<Set<string> | null> => {
  const { rows } = await sql<{
    waybills: string[] | null;
  }>`select f.facts -> 'bill' -> 'waybills' as waybills
    from express_facts f
    where f.express_id = ${express.id} and f.source = 'bill'
      and not exists (select 1 from reconciliations c
        where c.id = (f.facts -> 'bill' ->> 'id')::bigint
        and c.status = 'discarded')`.execute(work.tx);
  return rows.length === 0
    ? null
    : new Set(rows.flatMap(({ waybills }) => waybills ?? [express.delivery_id ?? '']));
};

const backOf = (surcharges: ExpressRow['surcharges']): number =>
  surcharges[returnCode]?.amount ?? 0;

const withoutBack = (surcharges: ExpressRow['surcharges']): string =>
  JSON.stringify(
    Object.entries(surcharges)
      .filter(([code]) => code !== returnCode)
      .map(([code, { amount }]) => [code, amount])
      .toSorted(),
  );

/**
 * Returns the facts of a poll or push that may be stored. If an accepted bill has fixed price and
 * cost, only the fee of a return that no bill contains can change them. A difference is shown at
 * the line of the bill.
 */
export const unbilled = async (work: Work, express: ExpressRow, facts: Facts): Promise<Facts> => {
  if (express.fact_no === 0) return facts;
  const billed = await billedWaybills(work, express);
  if (billed === null) return facts;
  const isBackOpen = express.return_delivery_id !== null && !billed.has(express.return_delivery_id);
  const known = backOf(express.surcharges);
  const back = isBackOpen && facts.surcharges ? backOf(facts.surcharges) : known;
  const differs =
    (facts.jd_weight !== undefined && facts.jd_weight !== express.jd_weight) ||
    (facts.jd_volume !== undefined && facts.jd_volume !== express.jd_volume) ||
    (facts.surcharges !== undefined &&
      withoutBack(facts.surcharges) !== withoutBack(express.surcharges)) ||
    (facts.jd_amount !== undefined && facts.jd_amount - back !== (express.jd_amount ?? 0) - known);
  if (differs)
    await addJob(work, billContradictedTask, {
      express_id: express.id,
      jd_weight: facts.jd_weight ?? null,
      jd_amount: facts.jd_amount ?? null,
    });
  if (back === known) return {};
  const { [returnCode]: _, ...others } = express.surcharges;
  const surcharges =
    back > 0 ? { ...others, [returnCode]: present(facts.surcharges)[returnCode]! } : others;
  return { surcharges, jd_amount: (express.jd_amount ?? 0) + back - known };
};

/**
 * The known fee of the parcel's return, if no bill contains it. It is owed in addition to the fee
 * that a bill contains for the parcel's own waybill.
 */
export const openReturnFee = async (
  work: Work,
  express: ExpressRow,
  waybills: readonly string[],
): Promise<number> => {
  if (express.return_delivery_id === null || waybills.includes(express.return_delivery_id))
    return 0;
  const billed = await billedWaybills(work, express);
  return billed?.has(express.return_delivery_id) ? 0 : backOf(express.surcharges);
};
