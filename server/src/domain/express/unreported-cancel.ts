import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { systemScope } from '#platform/db/scope.ts';
import { callCarrier } from './call-carrier.ts';
import { hasWaybillConflict } from './claims.ts';
import { applyMessages } from './messages.ts';
import { lockExpress, writeExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

const all = systemScope('polling');

/**
 * The number of hours without a report after which the carrier is searched for an order. The same
 * number of hours lies between two searches.
 */
const unreportedHours = 3;

/**
 * True if an order awaits its pickup and, for some hours, the carrier has reported nothing and has
 * not been searched.
 */
export const isUnreported = (express: ExpressRow, now: Date): boolean => {
  const { ordered_at, last_event_at, order_sought_at } = express;
  const last = Math.max(
    ...[ordered_at, last_event_at, order_sought_at].map((at) => at?.getTime() ?? 0),
  );
  return (
    express.state_code === stateCode.awaitingPickup &&
    express.cancel_requested_at === null &&
    !hasWaybillConflict(express) &&
    now.getTime() - last >= unreportedHours * 3_600_000
  );
};

/**
 * Searches for an order that `isUnreported`, if its carrier reports its own cancels neither by push
 * nor by trace. If the carrier has cancelled the order, the hold is released. Only polling calls
 * this function, so that the rate of polls limits the searches of the network and of each account.
 */
export const askUnreported = async (context: CarrierContext, express_id: number): Promise<void> => {
  await callCarrier(context, all, {
    caller: 'ask_unreported',
    ready: async (work) => {
      const express = await lockExpress(work, express_id);
      const now = context.clock.now();
      if (!isUnreported(express, now) || express.merchant_id === null) return null;
      const opened = await openAccountInTx(context, work, express.merchant_id);
      const { carrier, account, paused } = opened;
      if (paused || carrier.recovers_by !== 'seek_by_our_number') return null;
      const sought = await writeExpress(work, express, { order_sought_at: now });
      return { express: sought, opened, seek: () => carrier.seek(account, keyOf(express)) };
    },
    call: async ({ seek }) => [await seek()],
    settle: async (work, express, [answer], { opened: { carrier } }) => {
      const isCancelled = answer.outcome === 'stored_without_number' && answer.cancelled === true;
      if (!isCancelled || express.state_code !== stateCode.awaitingPickup) return;
      const { delivery_id } = keyOf(express);
      const { text } = answer;
      const at = context.clock.now();
      await applyMessages(context, work, express_id, {
        source: 'trace',
        messages: [carrier.messageOfCancel({ delivery_id }, { result: 'cancelled', text }, at)],
      });
    },
  });
};

const keyOf = ({ order_id, delivery_id }: ExpressRow) => ({
  order_id,
  delivery_id: delivery_id ?? '',
});
