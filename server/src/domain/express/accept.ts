import { raiseAlertOnce } from '#domain/alerts/alerts.ts';
import { openOutcomeReasons } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Accepted } from '#domain/carriers/carriers.ts';
import { queueStatement, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { withoutPackages } from './claims.ts';
import { compareProduct } from './confirmed-product.ts';
import { raiseDoubts } from './doubts.ts';
import { announce, moveExpress } from './moves.ts';
import { noteSettled } from './outcome-record.ts';
import { queueCancel, queueSorting, queueTrace } from './queues.ts';
import { updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

/**
 * Milliseconds until the label data are requested. `byHand`: for a parcel that waits for manual
 * pre-sorting. `noLabel`: for a parcel that a push or a trace reported without label data.
 */
const sortingWait = { byHand: 30_000, noLabel: 500 };

/**
 * The parcel's columns that come from the carrier's answer to an order, except the waybill. If the
 * answer lacks a field, its column keeps its value.
 */
const labelOf = (express: ExpressRow, accepted: Partial<Accepted>): Partial<ExpressRow> => ({
  ...(accepted.package_ids && {
    package_ids: [...accepted.package_ids],
    ...withoutPackages(express, accepted),
  }),
  carrier_order_code: accepted.carrier_order_code || express.carrier_order_code,
  promise_time_type: accepted.promise_time_type || express.promise_id,
  pre_sort_result: accepted.pre_sort_result ?? express.pre_sort_result,
  print_data: accepted.print_data ?? express.print_data,
  promised_at: accepted.delivery_promise_at ?? express.promised_at,
});

/**
 * Stores the label data of a locked parcel that has this waybill but no final label data. Either a
 * push or a trace settled the order before the answer came, or the manual pre-sorting is done.
 */
export const completeLabel = async (
  work: Work,
  express: ExpressRow,
  accepted: Accepted,
): Promise<void> => {
  await updateExpress(work, express.id, {
    ...labelOf(express, accepted),
    need_retry: accepted.need_retry,
  });
  await compareProduct(work, express, accepted);
  await raiseDoubts(work, express, accepted);
  await announce(work, express.id);
};

const waybillTakenKey = ({ id, attempt }: ExpressRow, delivery_id: string): string =>
  `waybill_taken:${id}:${attempt}:${delivery_id}`;

/**
 * Reads the other parcel whose waybill or return waybill this is; undefined if there is none. The
 * query is sent immediately.
 */
export const holderOf = async (
  work: Work,
  { id, provider }: Pick<ExpressRow, 'id' | 'provider'>,
  delivery_id: string,
): Promise<{ order_id: string } | undefined> => {
  const [row] = await rowsAtOnce(
    work,
    sql<{ order_id: string }>`select order_id from expresses where provider = ${provider}
      and delivery_id = ${delivery_id} and id <> ${id}
      union all select order_id from expresses where return_delivery_id = ${delivery_id}
        and provider = ${provider} and id <> ${id} limit 1`,
  );
  return row;
};

/**
 * True if another parcel has this waybill. In this case an alert is raised once per attempt and
 * waybill, and the caller settles nothing, because a carrier uses a number only once. `holder`: the
 * other parcel, if it was read before.
 */
export const waybillTaken = async (
  work: Work,
  express: ExpressRow,
  delivery_id: string,
  holder = holderOf(work, express, delivery_id),
): Promise<boolean> => {
  const row = await holder;
  if (!row) return false;
  await raiseAlertOnce(work, {
    code: 'waybill_taken',
    params: { order_id: express.order_id, delivery_id, other_id: row.order_id },
    express_id: express.id,
    station_id: express.station_id,
    key: waybillTakenKey(express, delivery_id),
  });
  return true;
};

/** Alerts about an order whose outcome is open. */
const outcomeAlerts = ['waybill_taken', ...openOutcomeReasons] as const;

/** Closes the alerts about the outcome, because the order is settled. */
export const closeOutcomeAlerts = (work: Work, express_id: number, at: Date): Promise<void> =>
  queueStatement(
    work,
    work.tx
      .updateTable('alerts')
      .set({ closed_at: at })
      .where('express_id', '=', express_id)
      .where('code', 'in', outcomeAlerts)
      .where('closed_at', 'is', null)
      .compile(),
  );

/**
 * An order that the carrier has accepted: the carrier's answer, how it is known, and the user who
 * decided it, if any.
 */
type Acceptance = Pick<Accepted, 'delivery_id'> &
  Partial<Accepted> & { by?: number; certainty: AcceptedCertainty };
type AcceptedCertainty = 'repeat' | 'search' | 'trace' | 'details' | 'decided_stored';

/**
 * Stores that the carrier has accepted the order: state 100, waybill and label data. Also called if
 * a trace settles an unknown outcome. `by`: the account that decided the outcome.
 */
export const acceptOrder = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  { by, certainty, ...accepted }: Acceptance,
): Promise<ExpressRow> => {
  const at = context.clock.now();
  const moved = await moveExpress(work, express, {
    to: stateCode.awaitingPickup,
    cause: 'accepted',
    account_id: by ?? null,
    at,
    changes: {
      delivery_id: accepted.delivery_id,
      ...labelOf(express, accepted),
      // Nothing can be printed without label data. `need_retry` 1 makes a job request the data, as
      // for parcels that wait for manual pre-sorting.
      need_retry: accepted.print_data ? (accepted.need_retry ?? 0) : 1,
      ordered_at: at,
    },
  });
  await closeOutcomeAlerts(work, express.id, at);
  await noteSettled(work, express, {
    certainty,
    operation: accepted.call?.operation,
    delivery_id: accepted.delivery_id,
    at,
    by: by ?? null,
  });
  await compareProduct(work, express, accepted);
  await raiseDoubts(work, express, accepted);
  // Messages of an earlier push had no effect before the order was settled, so a trace applies them
  // now.
  if (express.waybill_claims.some(({ source }) => source === 'push'))
    await queueTrace(work, moved.id);
  if (moved.cancel_requested_at) await queueCancel(work, moved.id);
  // The label data are requested even if a cancel is queued, because the cancel may fail, and then
  // the parcel must be printable.
  if (moved.need_retry)
    await queueSorting(
      work,
      moved.id,
      new Date(at.getTime() + (accepted.print_data ? sortingWait.byHand : sortingWait.noLabel)),
    );
  return moved;
};
