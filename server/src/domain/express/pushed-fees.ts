import { createHash } from 'node:crypto';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { raiseAlertOnce } from '#domain/alerts/alerts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { ActualFee, PushedFee } from '#domain/carriers/carriers.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { feeReport } from './ask-facts.ts';
import { takeReport } from './held-charges.ts';
import { queueFacts } from './queues.ts';
import { lockExpress, updateExpress } from './row.ts';

const all = systemScope('pushed fees');

interface Account {
  provider: string;
  merchant_id: number;
}

const parcelOf = async (
  work: Work,
  { provider, merchant_id }: Account,
  { delivery_id, order_id }: PushedFee,
): Promise<number | undefined> => {
  const [row] = await rowsAtOnce(
    work,
    sql<{ id: number }>`select id from (
      select id, 0 as rank from expresses where provider = ${provider}
        and delivery_id = ${delivery_id} and merchant_id = ${merchant_id}
      union all select id, 1 from expresses where order_id = ${order_id}
        and provider = ${provider} and merchant_id = ${merchant_id}) named
      order by rank, id limit 1`,
  );
  return row?.id;
};

/** A digest of what a version says, whatever the order of its fees. */
const digestOf = ({ jd_amount, jd_cal_weight, fees }: ActualFee): string => {
  const lines = fees.map(({ code, kind, amount }) => [code, kind, amount].join(' ')).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([jd_amount, jd_cal_weight, lines]))
    .digest('hex');
};

const takeFee = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express_id: number,
  { version, fee }: PushedFee,
): Promise<void> => {
  const express = await lockExpress(work, express_id);
  if (express.state_code < stateCode.awaitingPickup) return;
  const known = express.fee_version ?? -1;
  const fee_digest = digestOf(fee);
  if (version < known || (version === known && fee_digest === express.fee_digest)) return;
  if (version === known)
    return raiseAlertOnce(work, {
      code: 'fee_version_differs',
      params: { order_id: express.order_id, delivery_id: express.delivery_id ?? '', version },
      express_id,
      station_id: express.station_id,
      key: `fee_version:${express_id}:${version}`,
    });
  await takeReport(work, express, feeReport(fee, express.surcharges), {
    source: 'push',
    at: context.clock.now(),
    account_id: null,
  });
  await updateExpress(work, express_id, { fee_version: version, fee_digest });
  // A fee follows a weight, which is asked for.
  await queueFacts(work, express_id);
};

/**
 * Takes the fees of a push, each in its own transaction: the highest version of a parcel counts, in
 * whatever order they arrive; the same version with another content changes nothing and raises an
 * alert. A repeat has no effect. Returns whether a parcel of ours was among them.
 */
export const takePushedFees = async (
  context: CarrierContext,
  account: Account,
  fees: readonly PushedFee[],
): Promise<boolean> => {
  let isKnown = false;
  for (const fee of fees)
    await context.db.tx(all, async (work) => {
      const express_id = await parcelOf(work, account, fee);
      if (express_id === undefined) return;
      isKnown = true;
      await takeFee(context, work, express_id, fee);
    });
  return isKnown;
};
