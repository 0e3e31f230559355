import { createHash } from 'node:crypto';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { raiseAlertOnce } from '#domain/alerts/alerts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { ActualFee, PushedFee } from '#domain/carriers/carriers.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { businessTime } from '#platform/clock.ts';
import { queueFacts } from './queues.ts';
import { isOwnWaybill, lockExpress, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

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
      union all select id, 1 from expresses where return_delivery_id = ${delivery_id}
        and provider = ${provider} and merchant_id = ${merchant_id}
      union all select id, 1 from expresses where package_ids <> '{}'
        and package_ids @> array[${delivery_id}::text] and provider = ${provider}
        and merchant_id = ${merchant_id}
      union all select id, 2 from expresses where order_id = ${order_id}
        and provider = ${provider} and merchant_id = ${merchant_id}) named
      order by rank, id limit 1`,
  );
  return row?.id;
};

/** A digest of the content of one version of the fees. The order of the fees does not matter. */
const digestOf = ({ jd_amount, jd_cal_weight, fees }: ActualFee): string => {
  const lines = fees.map(({ code, kind, amount }) => [code, kind, amount].join(' ')).toSorted();
  return createHash('sha256')
    .update(JSON.stringify([jd_amount, jd_cal_weight, lines]))
    .digest('hex');
};

/**
 * Raises an alert if the fee has the same version number as an earlier fee, but another content.
 */
const compareVersion = async (
  work: Work,
  express: ExpressRow,
  { version, fee }: PushedFee,
): Promise<void> => {
  const known = express.fee_version ?? -1;
  const fee_digest = digestOf(fee);
  if (fee.unreadable.length > 0 || version < known) return;
  if (version > known)
    return void (await updateExpress(work, express.id, { fee_version: version, fee_digest }));
  if (fee_digest === express.fee_digest) return;
  await raiseAlertOnce(work, {
    code: 'fee_version_differs',
    params: { order_id: express.order_id, delivery_id: express.delivery_id ?? '', version },
    express_id: express.id,
    station_id: express.station_id,
    key: `fee_version:${express.id}:${version}`,
  });
};

const takeFee = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express_id: number,
  pushed: PushedFee,
): Promise<void> => {
  const express = await lockExpress(work, express_id);
  if (express.state_code < stateCode.awaitingPickup) return;
  const { delivery_id } = pushed;
  const now = context.clock.now();
  if (delivery_id !== '' && !isOwnWaybill(express, delivery_id))
    return raiseAlertOnce(work, {
      code: 'message_waybill',
      params: { order_id: express.order_id, delivery_id, time: businessTime(now) },
      express_id,
      station_id: express.station_id,
      key: `message_waybill:${express_id}`,
    });
  if (delivery_id === express.delivery_id) await compareVersion(work, express, pushed);
  // The carrier is asked at most once a minute, however many pushes come.
  await queueFacts(work, express_id, new Date(now.getTime() + 60_000));
};

/**
 * Processes the fees of a push, each in its own transaction. A pushed fee is only a hint: it posts
 * nothing, but the carrier is asked for weight and fee. An alert is raised for two different
 * contents of one version, and for a waybill that is not the parcel's. Returns true if the push has
 * a fee of one of our parcels.
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
