import {
  arrivedStates,
  liveStates,
  stateCode,
} from '@waystation/contract/parcels/express-states.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { hasJob } from '#platform/jobs/heartbeat.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { sqlKeyOf } from '#platform/jobs/task.ts';
import { callCarrier, inSeconds, pausedSeconds } from './call-carrier.ts';
import type { ReadyCall } from './call-carrier.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import { lacksException, markLeftBehind, markMissed, markUnmoved } from './exceptions.ts';
import { applyMessages, refold } from './messages.ts';
import { alertUnconfirmed, settleHints } from './hints.ts';
import { missingSince } from './missing-calls.ts';
import { askTraceTask, cancelParcelTask, queueCancel, queueFacts, queueTrace } from './queues.ts';
import { lockExpress, stateList } from './row.ts';
import { askUnreported, isUnreported } from './unreported-cancel.ts';

const all = systemScope('polling');
const batch = 200;
/**
 * Weight and fee are requested once more between these two times, in hours after the arrival.
 * Carriers correct them in the first two days.
 */
const recheck = { after: 50, before: 96 };

const keyOfCancel = sqlKeyOf(cancelParcelTask, { express_id: sql.ref('e.id') });

/**
 * Task, every minute: requests the trace of parcels on their way that were not polled recently. A
 * poll rarely returns new messages, because most of them are pushed.
 */
export const pollLive = async (
  context: CarrierContext & { config: { carrier: { pollSeconds: number } } },
): Promise<void> => {
  const before = new Date(
    context.clock.now().getTime() - context.config.carrier.pollSeconds * 1_000,
  );
  await context.db.tx(all, async (work) => {
    const { rows } = await sql<
      RowOf<'expresses', 'id'> & { unsettled: boolean; uncalled: boolean }
    >`
      update expresses e set polled_at = ${context.clock.now()} where id in (
        select id from expresses where (state_code in (${stateList(liveStates)})
          or (state_code in (${stateList(arrivedStates)}) and charged_at is null))
          and (polled_at is null or polled_at < ${before}) and delivery_id is not null
        order by polled_at nulls first, id limit ${batch} for update skip locked)
      returning id, charged_at is null
        and state_code >= ${stateList([stateCode.pickedUp])} as unsettled,
        coalesce(cancel_requested_at < ${missingSince(context)}
          and not ${hasJob(keyOfCancel, missingSince(context))},
          false) as uncalled`.execute(work.tx);
    for (const { id, unsettled, uncalled } of rows) {
      await addJob(work, askTraceTask, { express_id: id }, { priority: 10 });
      if (unsettled) await queueFacts(work, id);
      if (uncalled) await queueCancel(work, id);
    }
  });
  await recheckArrived(context);
  await context.db.tx(all, (work) => alertUnconfirmed(context, work));
};

const recheckArrived = (context: CarrierContext): Promise<void> =>
  context.db.tx(all, async (work) => {
    const now = context.clock.now();
    const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
    const { rows } = await sql<RowOf<'expresses', 'id'>>`
      update expresses set polled_at = ${now} where id in (
        select id from expresses where state_code in (${stateList(arrivedStates)})
          and signed_at > ${ago(recheck.before)} and signed_at < ${ago(recheck.after)}
          and charged_at is not null
          and (polled_at is null
            or polled_at < signed_at + ${recheck.after} * interval '1 hour')
            and delivery_id is not null
        order by signed_at, id limit ${batch} for update skip locked)
      returning id`.execute(work.tx);
    for (const { id } of rows) await queueFacts(work, id);
  });

/**
 * Task: requests the trace of one parcel and of its return waybill, and confirms or rejects the
 * states that pushes implied. Marks the parcel as an exception if it was not picked up in time, or
 * has not moved for long. Searches for the order if the carrier has reported nothing about it for
 * hours.
 */
export const askTrace = async (
  context: CarrierContext,
  { express_id }: { express_id: number },
): Promise<void> => {
  const outward = await traceWaybill(context, async (work) => {
    const express = await lockExpress(work, express_id);
    const { delivery_id, merchant_id } = express;
    if (delivery_id === null || merchant_id === null) return null;
    const opened = await openAccountInTx(context, work, merchant_id);
    if (!opened.paused) return { express, opened, delivery_id };
    if (express.confirming !== null)
      await queueTrace(work, express_id, inSeconds(context, pausedSeconds));
    return null;
  });
  if (!outward) return;
  const { return_delivery_id, opened } = outward;
  const back =
    return_delivery_id === null
      ? null
      : await traceWaybill(context, async (work) => ({
          express: await lockExpress(work, express_id),
          opened,
          delivery_id: return_delivery_id,
        }));
  const isSearched = await context.db.tx(all, async (work) => {
    const express = await lockExpress(work, express_id);
    await work.tx
      .updateTable('expresses')
      .set({ polled_at: context.clock.now() })
      .where('id', '=', express_id)
      .execute();
    await settleHints(context, work, express, outward.answered && (back?.answered ?? true));
    const seen = await lockExpress(work, express_id);
    const now = context.clock.now();
    if (lacksException(seen)) await refold(context, work, seen, { fresh: [] });
    else {
      // If the carrier did not answer, the parcel may have been picked up without our knowledge.
      if (outward.answered) await markMissed(work, seen, now);
      await markLeftBehind(work, await lockExpress(work, express_id), now);
      await markUnmoved(work, await lockExpress(work, express_id), now);
    }
    const isSearching = opened.carrier.recovers_by === 'seek_by_our_number';
    return isSearching && outward.answered && isUnreported(seen, now);
  });
  if (isSearched) await askUnreported(context, express_id);
};

type ReadyTrace = ReadyCall & { delivery_id: string };

/**
 * Requests the trace of one waybill and applies its messages. The return waybill is read
 * afterwards, because the trace itself may contain it.
 */
const traceWaybill = (
  context: CarrierContext,
  ready: (work: Work) => Promise<ReadyTrace | null>,
): Promise<{ answered: boolean; return_delivery_id: string | null; opened: OpenAccount } | null> =>
  callCarrier(context, all, {
    caller: 'ask_trace',
    ready,
    call: async ({ opened: { carrier, account }, delivery_id }) => [
      await carrier.trace(account, { delivery_id }),
    ],
    settle: async (work, express, [answer], { opened }) => {
      const answered = answer.outcome === 'ok';
      const { return_delivery_id } = answered
        ? await applyMessages(context, work, express.id, {
            source: 'trace',
            messages: answer.value.messages,
          })
        : express;
      return { answered, return_delivery_id, opened };
    },
  });
