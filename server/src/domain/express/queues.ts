import type { Tx } from '#platform/db/db.ts';
import { addJob } from '#platform/jobs/jobs.ts';

export interface SendPayload {
  express_id: number;
  attempt: number;
}

/** Queues the call to the carrier; in the ordering transaction itself, so that there is never an order without its call nor the other way round. */
export const queueSend = (tx: Tx, { express_id, attempt }: SendPayload, runAt?: Date): Promise<void> =>
  addJob(tx, 'send_order', { express_id, attempt }, { key: `send_order:${express_id}`, priority: -10, ...(runAt && { runAt }) });

/** Queues the question to the carrier whether it lets a parcel go. */
export const queueCancel = (tx: Tx, express_id: number, runAt?: Date): Promise<void> =>
  addJob(tx, 'cancel_parcel', { express_id }, { key: `cancel_parcel:${express_id}`, priority: -5, ...(runAt && { runAt }) });

/** Asks the carrier for a parcel's weight and fee, soon; asking twice asks once. */
export const queueFacts = (tx: Tx, express_id: number, runAt?: Date, silences = 0): Promise<void> =>
  addJob(
    tx,
    'ask_facts',
    { express_id, ...(silences > 0 && { silences }) },
    { key: `ask_facts:${express_id}`, ...(runAt && { runAt, keyMode: 'preserve_run_at' as const }) },
  );

/** Looks at a station's parcels on hold, one job at a time; the ledger queues the same one whenever the available sum rises. */
export const queueRelease = (tx: Tx, station_id: number): Promise<void> =>
  addJob(tx, 'release_on_hold', { station_id }, { key: `release_on_hold:${station_id}`, queue: `release_on_hold:${station_id}` });

/** Queues a change of a parcel that the carrier has to know of. */
export const queueModify = (tx: Tx, edit_id: number, runAt?: Date): Promise<void> =>
  addJob(tx, 'modify_parcel', { edit_id }, { key: `modify_parcel:${edit_id}`, priority: -5, ...(runAt && { runAt }) });

/** Asks again for the label of a parcel that the carrier sorts by hand. */
export const queueSorting = (tx: Tx, express_id: number, runAt: Date): Promise<void> =>
  addJob(tx, 'sort_again', { express_id }, { key: `sort_again:${express_id}`, runAt });

/** Asks the carrier for a parcel's trace; asking twice asks once, at the earlier time. */
export const queueTrace = (tx: Tx, express_id: number, runAt?: Date): Promise<void> =>
  addJob(tx, 'ask_trace', { express_id }, { key: `ask_trace:${express_id}`, ...(runAt && { runAt, keyMode: 'preserve_run_at' as const }) });

/** Asks the carrier to cancel a waybill of this order that the office decided against. */
export const queueWaybillCancel = (tx: Tx, express_id: number, delivery_id: string, runAt?: Date): Promise<void> =>
  addJob(tx, 'cancel_waybill', { express_id, delivery_id }, { key: `cancel_waybill:${express_id}:${delivery_id}`, ...(runAt && { runAt }) });
