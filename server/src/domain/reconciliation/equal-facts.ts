import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import { lastOf } from '@waystation/contract/base/present.ts';
import { lockExpress, takeBillFacts } from '#domain/express/express.ts';
import { openReturnFee } from '#domain/express/express-reads.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { waybillsOf } from './deciding.ts';
import { queueEqualFacts } from './queues.ts';
import type { BillContext } from './store.ts';

const scope = systemScope('facts of a bill');
const slice = 100;

/**
 * Task: stores the values of lines that agree with our figures as facts too, so that a later poll
 * cannot change a billed value. Each job handles one slice of lines, and each line is handled once.
 */
export const writeEqualFacts = (
  context: BillContext,
  { reconciliation_id, after }: { reconciliation_id: number; after: number },
): Promise<void> =>
  context.db.tx(scope, async (work) => {
    const { rows } = await sql<
      RowOf<'reconciliation_rows', 'id'> & { express_id: number; total_amount: number }
    >`
      select r.id, r.express_id, r.total_amount from reconciliation_rows r
        join reconciliations c on c.id = r.reconciliation_id
      where r.reconciliation_id = ${reconciliation_id} and c.status in ('ready', 'settled')
        and r.bucket = 'equal' and r.id = r.head_id and r.id > ${after}
        and not exists (select 1 from express_facts f where f.express_id = r.express_id
          and f.source = 'bill'
          and f.facts @> ${jsonText({ bill: { id: reconciliation_id } })}::jsonb)
      order by r.id limit ${slice}`.execute(work.tx);
    for (const { id, express_id, total_amount } of rows) {
      const express = await lockExpress(work, express_id);
      const bill = {
        id: reconciliation_id,
        waybills: await waybillsOf(work, { id, reconciliation_id }),
      };
      // The bill's fee counts, even if a poll has changed the fee since the matching. A return fee
      // that the bill does not contain is added.
      const jd_amount =
        express.jd_amount === total_amount
          ? total_amount
          : total_amount + (await openReturnFee(work, express, bill.waybills));
      await takeBillFacts(
        work,
        express,
        { jd_amount, bill },
        { at: context.clock.now(), account_id: null },
      );
    }
    if (rows.length === slice) await queueEqualFacts(work, reconciliation_id, lastOf(rows).id);
  });

/** The error code for the values that the report contradicts. */
const contradiction = (jd_weight: number | null, jd_amount: number | null): ErrorCode => {
  if (jd_weight === null)
    return jd_amount === null ? 'bill_contradicted_other' : 'bill_contradicted_fee';
  return jd_amount === null ? 'bill_contradicted_weight' : 'bill_contradicted';
};

/**
 * Task: adds a line to a bill because the carrier later reported other values. Nothing is posted;
 * an admin may ask the carrier.
 */
export const billContradicted = (
  context: BillContext,
  {
    express_id,
    jd_weight,
    jd_amount,
  }: { express_id: number; jd_weight: number | null; jd_amount: number | null },
): Promise<void> =>
  context.db.tx(scope, async (work) => {
    await sql`insert into reconciliation_rows (reconciliation_id, bucket, decision,
      delivery_id, express_id, station_id, our_customer_code, our_weight, our_amount,
      their_weight, their_amount, total_weight, total_amount, problem)
      select r.reconciliation_id, 'otherwise', 'settled', upper(e.delivery_id), e.id,
        e.station_id, e.customer_code, e.jd_weight, e.jd_amount, ${jd_weight}::int,
        ${jd_amount}::bigint, ${jd_weight}::int, ${jd_amount}::bigint,
        jsonb_build_object('code', ${contradiction(jd_weight, jd_amount)}::text, 'params',
          jsonb_strip_nulls(jsonb_build_object('actual_weight', ${jd_weight}::int,
          'post_amount', ${jd_amount}::bigint)))
      from reconciliation_rows r join reconciliations c on c.id = r.reconciliation_id
        join expresses e on e.id = r.express_id
      where r.express_id = ${express_id} and c.status in ('ready', 'settled')
        and (r.decision = 'accepted' or (r.decision = 'settled' and r.bucket = 'equal'))
          and r.bucket in ('equal', 'weight_differs', 'price_differs')
      order by r.id desc limit 1
      on conflict (reconciliation_id, express_id) where bucket = 'otherwise' do update
        set their_weight = excluded.their_weight, their_amount = excluded.their_amount,
          total_weight = excluded.total_weight, total_amount = excluded.total_amount,
          our_weight = excluded.our_weight, our_amount = excluded.our_amount,
            problem = excluded.problem`.execute(work.tx);
  });
