import * as z from 'zod/mini';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { isJobRunning } from '#platform/jobs/heartbeat.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { endless, task } from '#platform/jobs/task.ts';
import type { PayloadOf } from '#platform/jobs/task.ts';

const ofParcel = z.object({ express_id: z.int() });

export const sendOrderTask = task(
  'send_order',
  z.object({
    express_id: z.int(),
    attempt: z.int(),
    /**
     * True if the order's first call is already stored with the parcel (`firstCall`). The job's
     * first attempt then makes this call.
     */
    first: z.exactOptional(z.boolean()),
    /** When a search did not find the order, in ms. */
    not_found_at: z.exactOptional(z.int()),
    /** True if two searches did not find the order: the job then sends the same bytes again. */
    is_not_found: z.exactOptional(z.boolean()),
    /** When the carrier was asked for the parcel's pickup window, in ms. */
    window_asked_at: z.exactOptional(z.int()),
  }),
  {
    attempts: endless,
    keyBy: ['express_id'],
    // Orders run before all other waiting jobs.
    priority: -10,
  },
);
export type SendPayload = PayloadOf<typeof sendOrderTask>;

export const cancelParcelTask = task('cancel_parcel', ofParcel, {
  attempts: endless,
  keyBy: ['express_id'],
  priority: -5,
});

export const cancelWaybillTask = task(
  'cancel_waybill',
  z.object({ express_id: z.int(), delivery_id: z.string() }),
  {
    attempts: endless,
    keyBy: ['express_id', 'delivery_id'],
  },
);

const modifyPayload = z.object({
  edit_id: z.int(),
  /** When the carrier was asked for the new window, in ms. */
  window_asked_at: z.exactOptional(z.int()),
  /** The delivery time that the carrier promised for the new window, in ms. */
  promised_at: z.exactOptional(z.int()),
});
export type ModifyPayload = z.infer<typeof modifyPayload>;
export const modifyParcelTask = task('modify_parcel', modifyPayload, {
  attempts: endless,
  keyBy: ['edit_id'],
  priority: -5,
});

/**
 * Task: releases parcels on hold; one job per station at a time. The ledger also queues it
 * (`server/sql/ledger-posting.sql`).
 */
export const releaseOnHoldTask = task('release_on_hold', z.object({ station_id: z.int() }), {
  attempts: 20,
  keyBy: ['station_id'],
  queue: ({ station_id }) => `release_on_hold:${station_id}`,
});

export const askFactsTask = task(
  'ask_facts',
  z.object({ express_id: z.int(), silences: z.exactOptional(z.int()) }),
  { attempts: 12, keyBy: ['express_id'] },
);

export const askTraceTask = task('ask_trace', ofParcel, {
  attempts: 6,
  keyBy: ['express_id'],
});

export const sortAgainTask = task('sort_again', ofParcel, {
  attempts: 12,
  keyBy: ['express_id'],
});

/** Task: reads pushes that were stored together. `push-store.ts` queues it. */
export const readPushesTask = task('read_pushes', z.object({ push_ids: z.array(z.int()) }), {
  attempts: 12,
});

export const readPushTask = task('read_push', z.object({ push_id: z.int() }), {
  attempts: 12,
  keyBy: ['push_id'],
});

/** Compares facts that differ from an accepted bill. `domain/reconciliation` runs this task. */
export const billContradictedTask = task(
  'bill_contradicted',
  z.object({
    express_id: z.int(),
    jd_weight: z.nullable(z.int()),
    jd_amount: z.nullable(z.int()),
  }),
  { attempts: 12, keyBy: ['express_id'] },
);

/**
 * Queues the call to the carrier in the transaction that places the order, so that both are
 * committed together.
 */
export const queueSend = (
  work: Work,
  { express_id, attempt, not_found_at, is_not_found, window_asked_at }: SendPayload,
  runAt?: Date,
): Promise<void> =>
  addJob(
    work,
    sendOrderTask,
    {
      express_id,
      attempt,
      ...(not_found_at !== undefined && { not_found_at }),
      ...(is_not_found && { is_not_found }),
      ...(window_asked_at !== undefined && { window_asked_at }),
    },
    { ...(runAt && { runAt }) },
  );

/**
 * True if a job is calling the carrier about this order, or is about to. The job is found by its
 * payload, because a running job no longer has its key if the call was queued again.
 */
export const isSending = (work: Work, express_id: number): Promise<boolean> =>
  isJobRunning(work, sendOrderTask, { express_id });

/** The time of the next call about an order; null if no call is queued, or if a call is running. */
export const nextSendAt = async (work: Work, express_id: number): Promise<Date | null> => {
  const { rows } = await sql<{ run_at: Date }>`select run_at from graphile_worker._private_jobs
    where key = ${`send_order:${express_id}`} and locked_at is null
      and attempts < max_attempts`.execute(work.tx);
  return rows[0]?.run_at ?? null;
};

/**
 * Queues the call for a parcel that this transaction has stored. If `first` is true, the parcel's
 * first call is stored with it.
 */
export const queueFirstSend = (
  work: Work,
  { express_id, attempt, first }: SendPayload,
): Promise<void> => addJob(work, sendOrderTask, { express_id, attempt, ...(first && { first }) });

/** Queues the request to the carrier to cancel or intercept a parcel. */
export const queueCancel = (work: Work, express_id: number, runAt?: Date): Promise<void> =>
  addJob(work, cancelParcelTask, { express_id }, { ...(runAt && { runAt }) });

/**
 * Queues the request for a parcel's weight and fee. If a request is already queued, only one
 * remains.
 */
export const queueFacts = (
  work: Work,
  express_id: number,
  runAt?: Date,
  silences = 0,
): Promise<void> =>
  addJob(
    work,
    askFactsTask,
    { express_id, ...(silences > 0 && { silences }) },
    { ...(runAt && { runAt, keyMode: 'preserve_run_at' }) },
  );

/**
 * Queues the release of a station's parcels on hold, one job at a time. The ledger queues the same
 * job whenever the available balance rises.
 */
export const queueRelease = (work: Work, station_id: number): Promise<void> =>
  addJob(work, releaseOnHoldTask, { station_id });

/** Queues the call that sends an edit to the carrier. */
export const queueModify = (work: Work, payload: ModifyPayload, runAt?: Date): Promise<void> =>
  addJob(work, modifyParcelTask, payload, { ...(runAt && { runAt }) });

/** Queues another request for the label data of a parcel that waits for manual pre-sorting. */
export const queueSorting = (work: Work, express_id: number, runAt: Date): Promise<void> =>
  addJob(work, sortAgainTask, { express_id }, { runAt });

/**
 * Queues the request for a parcel's trace. If a request is already queued, only one remains, at the
 * earlier time.
 */
export const queueTrace = (work: Work, express_id: number, runAt?: Date): Promise<void> =>
  addJob(
    work,
    askTraceTask,
    { express_id },
    { ...(runAt && { runAt, keyMode: 'preserve_run_at' }) },
  );

/** Queues the cancel of a waybill of this order that an administrator rejected. */
export const queueWaybillCancel = (
  work: Work,
  express_id: number,
  delivery_id: string,
  runAt?: Date,
): Promise<void> =>
  addJob(work, cancelWaybillTask, { express_id, delivery_id }, { ...(runAt && { runAt }) });
