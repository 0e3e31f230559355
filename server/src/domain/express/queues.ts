import type { Tx } from '#platform/db/db.ts';
import { isJobRunning } from '#platform/jobs/heartbeat.ts';
import { addJob } from '#platform/jobs/jobs.ts';

export interface SendPayload {
  express_id: number;
  attempt: number;
  /** The order's first call is already stored with the parcel (`firstCall`): the job's first attempt makes it. */
  first?: boolean;
}

const sendKey = (express_id: number): string => `send_order:${express_id}`;
/** Before everything else that waits. */
const sendPriority = -10;

/** Queues the call to the carrier, in the ordering transaction itself: an order and its call commit together. */
export const queueSend = (tx: Tx, { express_id, attempt }: SendPayload, runAt?: Date): Promise<void> =>
  addJob(tx, 'send_order', { express_id, attempt }, { key: sendKey(express_id), priority: sendPriority, ...(runAt && { runAt }) });

/** Whether a job is calling the carrier about this order, or about to. Found by its payload: a job that runs has lost its key where the call was queued again since. */
export const isSending = (tx: Tx, express_id: number): Promise<boolean> => isJobRunning(tx, 'send_order', { express_id });

/** The same for a parcel that the transaction has just stored, perhaps with its first call. */
export const queueFirstSend = (tx: Tx, { express_id, attempt, first }: SendPayload): Promise<void> =>
  addJob(tx, 'send_order', { express_id, attempt, ...(first && { first }) }, { key: sendKey(express_id), priority: sendPriority });

/** Queues the request to the carrier to cancel or intercept a parcel. */
export const queueCancel = (tx: Tx, express_id: number, runAt?: Date): Promise<void> =>
  addJob(tx, 'cancel_parcel', { express_id }, { key: `cancel_parcel:${express_id}`, priority: -5, ...(runAt && { runAt }) });

/** Queues the request for a parcel's weight and fee; a repeat is merged with the queued job. */
export const queueFacts = (tx: Tx, express_id: number, runAt?: Date, silences = 0): Promise<void> =>
  addJob(
    tx,
    'ask_facts',
    { express_id, ...(silences > 0 && { silences }) },
    { key: `ask_facts:${express_id}`, ...(runAt && { runAt, keyMode: 'preserve_run_at' as const }) },
  );

/** Queues the release of a station's parcels on hold, one job at a time; the ledger queues the same job whenever the available balance rises. */
export const queueRelease = (tx: Tx, station_id: number): Promise<void> =>
  addJob(tx, 'release_on_hold', { station_id }, { key: `release_on_hold:${station_id}`, queue: `release_on_hold:${station_id}` });

/** Queues the modify call of an edit. */
export const queueModify = (tx: Tx, edit_id: number, runAt?: Date): Promise<void> =>
  addJob(tx, 'modify_parcel', { edit_id }, { key: `modify_parcel:${edit_id}`, priority: -5, ...(runAt && { runAt }) });

/** Queues another request for the label of a parcel that the carrier sorts by hand. */
export const queueSorting = (tx: Tx, express_id: number, runAt: Date): Promise<void> =>
  addJob(tx, 'sort_again', { express_id }, { key: `sort_again:${express_id}`, runAt });

/** Queues the request for a parcel's trace; a repeat is merged with the queued job, at the earlier time. */
export const queueTrace = (tx: Tx, express_id: number, runAt?: Date): Promise<void> =>
  addJob(tx, 'ask_trace', { express_id }, { key: `ask_trace:${express_id}`, ...(runAt && { runAt, keyMode: 'preserve_run_at' as const }) });

/** Queues the cancel of a waybill of this order that the office rejected. */
export const queueWaybillCancel = (tx: Tx, express_id: number, delivery_id: string, runAt?: Date): Promise<void> =>
  addJob(tx, 'cancel_waybill', { express_id, delivery_id }, { key: `cancel_waybill:${express_id}:${delivery_id}`, ...(runAt && { runAt }) });
