import { raiseAlertOnce } from '#domain/alerts/alerts.ts';
import { stateCode } from '@waystation/contract/express-states.ts';
import type { Accepted } from '#domain/carriers/carriers.ts';
import type { Tx } from '#platform/db/db.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { announce, moveExpress } from './moves.ts';
import { queueCancel, queueSorting, queueTrace } from './queues.ts';
import { updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

/** Milliseconds until a parcel sorted by hand is asked about, and until one that only a push told of is asked for its label. */
const sortingWait = { byHand: 30_000, noLabel: 500 };

/** What the carrier's answer to an order says beside its waybill; what it leaves out stays as it is. */
const labelOf = (express: ExpressRow, accepted: Partial<Accepted>): Partial<ExpressRow> => ({
  carrier_order_code: accepted.carrier_order_code || express.carrier_order_code,
  promise_time_type: accepted.promise_time_type || express.promise_id,
  pre_sort_result: accepted.pre_sort_result ?? express.pre_sort_result,
  print_data: accepted.print_data ?? express.print_data,
});

/**
 * The answer to an order that a push or a trace has settled in the meantime, or a sorting by hand that is done: the label is complete.
 * Only for a locked parcel that has this waybill and still waits for its label.
 */
export const completeLabel = async (tx: Tx, express: ExpressRow, accepted: Accepted): Promise<void> => {
  await updateExpress(tx, express.id, { ...labelOf(express, accepted), need_retry: accepted.need_retry });
  await announce(tx, express.id);
};

const takenKey = ({ id, attempt }: ExpressRow, delivery_id: string): string => `waybill_taken:${id}:${attempt}:${delivery_id}`;

/**
 * Whether another parcel has this waybill already: then nothing is settled, and an alert is raised, once for the attempt and the waybill. Numbers are the carrier's to give, and it gives each once.
 */
export const waybillTaken = async (tx: Tx, express: ExpressRow, delivery_id: string): Promise<boolean> => {
  const row = await tx
    .selectFrom('expresses')
    .select('order_id')
    .where('provider', '=', express.provider)
    .where('delivery_id', '=', delivery_id)
    .where('id', '<>', express.id)
    .executeTakeFirst();
  if (!row) return false;
  await raiseAlertOnce(tx, {
    code: 'waybill_taken',
    params: { order_id: express.order_id, delivery_id, other_id: row.order_id },
    express_id: express.id,
    station_id: express.station_id,
    key: takenKey(express, delivery_id),
  });
  return true;
};

/** The carrier has the parcel: waybill, label data, state 100. Also called when a push or a trace settles an open outcome. */
export const acceptOrder = async (
  context: Pick<CarrierContext, 'clock'>,
  tx: Tx,
  express: ExpressRow,
  accepted: Pick<Accepted, 'delivery_id'> & Partial<Accepted>,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const moved = await moveExpress(tx, express, {
    to: stateCode.awaitingPickup,
    cause: 'accepted',
    account_id: null,
    at,
    changes: {
      delivery_id: accepted.delivery_id,
      ...labelOf(express, accepted),
      // Without label data nothing can be printed yet: it is asked for like a manual sorting.
      need_retry: accepted.print_data ? (accepted.need_retry ?? 0) : 1,
      ordered_at: at,
    },
  });
  await tx
    .updateTable('alerts')
    .set({ closed_at: at })
    .where('express_id', '=', express.id)
    .where('code', '=', 'waybill_taken')
    .where('closed_at', 'is', null)
    .execute();
  // A push told of it before: what it told is the trace's to say.
  if (express.waybill_claims.some(({ source }) => source === 'push')) await queueTrace(tx, moved.id);
  if (moved.cancel_requested_at) await queueCancel(tx, moved.id);
  // Both: a cancel may fail, and the parcel must become printable then.
  if (moved.need_retry) await queueSorting(tx, moved.id, new Date(at.getTime() + (accepted.print_data ? sortingWait.byHand : sortingWait.noLabel)));
  return moved;
};
