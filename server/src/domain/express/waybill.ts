import { raiseAlert } from '#domain/alerts/alerts.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { systemScope } from '#platform/db/scope.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import { acceptOrder, waybillTaken } from './accept.ts';
import { choosableClaims, closeWaybillConflict, openClaims, withoutPackages } from './claims.ts';
import { callCarrier, inSeconds, pausedSeconds } from './call-carrier.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { announce, whyFields } from './moves.ts';
import { queueSorting, queueWaybillCancel } from './queues.ts';
import { isOwnWaybill, lockExpress, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

const all = systemScope('waybill decisions');

/** A waybill that an administrator chose, and the account of this administrator. */
export interface WaybillDecision {
  delivery_id: string;
  by: number;
}

/**
 * Applies an administrator's choice between the waybills that were reported for an order. Needs the
 * system scope and a locked parcel.
 */
export const decideWaybill = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  decision: WaybillDecision,
): Promise<ExpressRow> => {
  const { delivery_id } = decision;
  const claims = choosableClaims(express);
  if (claims.length === 0) fail('waybill_not_open');
  if (!claims.some((claim) => claim.delivery_id === delivery_id))
    failFields({
      delivery_id: {
        code: 'waybill_not_claimed',
        params: { waybills: claims.map((claim) => claim.delivery_id).join(', ') },
      },
    });
  if (await waybillTaken(work, express, delivery_id)) fail('waybill_of_another', { delivery_id });
  return takeWaybill(context, work, express, decision);
};

/**
 * Accepts one of the waybills that were reported for an order. It settles an order whose outcome is
 * open, or replaces the waybill of a parcel before pickup. The other waybills are cancelled at the
 * carrier; each has an alert until it is cancelled. Needs the system scope and a locked parcel.
 */
export const takeWaybill = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  decision: WaybillDecision,
): Promise<ExpressRow> => {
  const { delivery_id } = decision;
  // A child waybill of the parcel is not rejected, because cancelling it would end the order.
  const package_ids = express.package_ids.filter((id) => id !== delivery_id);
  const named = withoutPackages(express, { package_ids });
  const others = openClaims(named).filter((claim) => claim.delivery_id !== delivery_id);
  const waybill_claims = named.waybill_claims.map((claim) =>
    claim.delivery_id === delivery_id ? claim : { ...claim, rejected: 1 as const },
  );
  const decided = await updateExpress(work, express.id, {
    waybill_claims,
    ...(express.state_code === stateCode.ordering && whyFields(undefined)),
  });
  const settled = await applyWaybill(context, work, decided, decision);
  await closeWaybillConflict(work, express.id);
  for (const other of others) {
    await raiseAlert(work, leftOver(express, other.delivery_id, ''));
    await queueWaybillCancel(work, express.id, other.delivery_id);
  }
  await announce(work, express.id);
  return settled;
};

const applyWaybill = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  decision: WaybillDecision,
): Promise<ExpressRow> => {
  const { delivery_id } = decision;
  if (express.state_code === stateCode.ordering)
    return acceptOrder(context, work, express, { ...decision, certainty: 'decided_stored' });
  if (express.delivery_id === delivery_id) return express;
  // The carrier transports the parcel under the other number, so this number must stay.
  if (express.state_code !== stateCode.awaitingPickup)
    return fail('waybill_on_its_way', {
      delivery_id: express.delivery_id ?? '',
      state: express.state_txt,
    });
  const changed = await updateExpress(work, express.id, {
    delivery_id,
    package_ids: [],
    print_data: null,
    pre_sort_result: null,
    carrier_order_code: null,
    need_retry: 1,
  });
  await queueSorting(work, express.id, context.clock.now());
  return changed;
};

const leftKey = (express_id: number, delivery_id: string): string =>
  `waybill_left:${express_id}:${delivery_id}`;

const leftOver = ({ id, order_id, station_id }: ExpressRow, delivery_id: string, text: string) => ({
  code: 'waybill_left',
  params: { order_id, delivery_id, text },
  express_id: id,
  station_id,
  key: leftKey(id, delivery_id),
});

const retrySeconds = 30;
const cancelReason = '重复下单';

/**
 * Task: asks the carrier to cancel a waybill that an administrator rejected. Its alert closes when
 * the carrier has cancelled the waybill. If the carrier refuses, the alert shows the carrier's
 * text.
 */
export const cancelWaybill = async (
  context: CarrierContext,
  { express_id, delivery_id }: { express_id: number; delivery_id: string },
): Promise<void> => {
  const again = (work: Work, seconds: number): Promise<void> =>
    queueWaybillCancel(work, express_id, delivery_id, inSeconds(context, seconds));
  await callCarrier(context, all, {
    caller: 'cancel_waybill',
    ready: async (work) => {
      const express = await lockExpress(work, express_id);
      if (express.merchant_id === null || isOwnWaybill(express, delivery_id)) return null;
      const opened = await openAccountInTx(context, work, express.merchant_id);
      if (!opened.paused) return { express, opened };
      await again(work, pausedSeconds);
      return null;
    },
    call: async ({ express: { order_id }, opened: { carrier, account } }) => [
      await carrier.cancel(account, { order_id, delivery_id }, cancelReason),
    ],
    settle: async (work, _express, [answer]) => {
      if (answer.outcome === 'gateway' || answer.outcome === 'unknown')
        return again(work, retrySeconds);
      const done = answer.outcome === 'ok' && answer.value.result === 'cancelled';
      const text = answer.outcome === 'ok' ? answer.value.text || answer.value.result : answer.text;
      await sql`update alerts set closed_at = case when ${done} then now() else null end,
        params = params || jsonb_build_object('text', ${text}::text)
          where key = ${leftKey(express_id, delivery_id)}`.execute(work.tx);
    },
  });
};
