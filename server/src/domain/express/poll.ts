import { arrivedStates, liveStates, stateCode } from '@waystation/contract/express-states.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { hasJob } from '#platform/jobs/heartbeat.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { callCarrier, inSeconds, pausedSeconds } from './call-carrier.ts';
import type { ReadyCall } from './call-carrier.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext, OpenAccount } from '#domain/carrier-accounts/carrier-accounts.ts';
import { lacksException, markUnmoved } from './exceptions.ts';
import { applyMessages, refold } from './messages.ts';
import { alertUnconfirmed, settleHints } from './hints.ts';
import { missingSince } from './missing-calls.ts';
import { queueCancel, queueFacts, queueTrace } from './queues.ts';
import { lockExpress, stateList } from './row.ts';

const all = systemScope('polling');
const batch = 200;
/** Hours after arrival between which weight and fee are requested once more, because carriers correct them in the first two days. */
const recheck = { after: 50, before: 96 };

/** Task, every minute: requests the trace of parcels on their way that were not polled recently. Because of pushes it rarely brings anything new. */
export const pollLive = async (context: CarrierContext & { config: { carrier: { pollSeconds: number } } }): Promise<void> => {
  const before = new Date(context.clock.now().getTime() - context.config.carrier.pollSeconds * 1_000);
  await context.db.tx(all, async (tx) => {
    const { rows } = await sql<RowOf<'expresses', 'id'> & { unsettled: boolean; uncalled: boolean }>`
      update expresses e set polled_at = ${context.clock.now()} where id in (
        select id from expresses where (state_code in (${stateList(liveStates)}) or (state_code in (${stateList(arrivedStates)}) and charged_at is null))
          and (polled_at is null or polled_at < ${before}) and delivery_id is not null
        order by polled_at nulls first, id limit ${batch} for update skip locked)
      returning id, charged_at is null and state_code >= ${stateList([stateCode.pickedUp])} as unsettled,
        coalesce(cancel_requested_at < ${missingSince(context)} and not ${hasJob(sql`'cancel_parcel:' || id`, missingSince(context))}, false) as uncalled`.execute(
      tx,
    );
    for (const { id, unsettled, uncalled } of rows) {
      await addJob(tx, 'ask_trace', { express_id: id }, { key: `ask_trace:${id}`, priority: 10 });
      if (unsettled) await queueFacts(tx, id);
      if (uncalled) await queueCancel(tx, id);
    }
  });
  await recheckArrived(context);
  await context.db.tx(all, (tx) => alertUnconfirmed(context, tx));
};

const recheckArrived = (context: CarrierContext): Promise<void> =>
  context.db.tx(all, async (tx) => {
    const now = context.clock.now();
    const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
    const { rows } = await sql<RowOf<'expresses', 'id'>>`
      update expresses set polled_at = ${now} where id in (
        select id from expresses where state_code in (${stateList(arrivedStates)}) and signed_at > ${ago(recheck.before)} and signed_at < ${ago(recheck.after)} and charged_at is not null
          and (polled_at is null or polled_at < signed_at + ${recheck.after} * interval '1 hour') and delivery_id is not null
        order by signed_at, id limit ${batch} for update skip locked)
      returning id`.execute(tx);
    for (const { id } of rows) await queueFacts(tx, id);
  });

/** Task: asks for the trace of one parcel, and of its way back, settles what pushes claimed of it, and marks it where it has not moved for long. */
export const askTrace = async (context: CarrierContext, { express_id }: { express_id: number }): Promise<void> => {
  const outward = await traceWaybill(context, async (tx) => {
    const express = await lockExpress(tx, all, express_id);
    const { delivery_id, merchant_id } = express;
    if (delivery_id === null || merchant_id === null) return null;
    const opened = await openAccountInTx(context, tx, merchant_id);
    if (!opened.paused) return { express, opened, delivery_id };
    if (express.confirming !== null) await queueTrace(tx, express_id, inSeconds(context, pausedSeconds));
    return null;
  });
  if (!outward) return;
  const { return_delivery_id, opened } = outward;
  const back =
    return_delivery_id === null
      ? null
      : await traceWaybill(context, async (tx) => ({ express: await lockExpress(tx, all, express_id), opened, delivery_id: return_delivery_id }));
  await context.db.tx(all, async (tx) => {
    const express = await lockExpress(tx, all, express_id);
    await tx.updateTable('expresses').set({ polled_at: context.clock.now() }).where('id', '=', express_id).execute();
    await settleHints(context, tx, express, outward.answered && (back?.answered ?? true));
    const seen = await lockExpress(tx, all, express_id);
    if (lacksException(seen)) await refold(context, tx, seen, []);
    else await markUnmoved(tx, seen, context.clock.now());
  });
};

type ReadyTrace = ReadyCall & { delivery_id: string };

/** Asks for the trace of one waybill and takes its messages. The waybill of the way back is the one known afterwards: the trace itself may name it. */
const traceWaybill = (
  context: CarrierContext,
  ready: (tx: Tx) => Promise<ReadyTrace | null>,
): Promise<{ answered: boolean; return_delivery_id: string | null; opened: OpenAccount } | null> =>
  callCarrier(context, all, {
    ready,
    call: async ({ opened: { carrier, account }, delivery_id }) => [await carrier.trace(account, { delivery_id })],
    settle: async (tx, express, [answer], { opened }) => {
      const answered = answer.outcome === 'ok';
      const { return_delivery_id } = answered ? await applyMessages(context, tx, express.id, 'trace', answer.value.messages) : express;
      return { answered, return_delivery_id, opened };
    },
  });
