import { raiseAlert } from '#domain/alerts/alerts.ts';
import { stateAllows, stateCode } from '@waystation/contract/express-states.ts';
import type { Accepted, CarrierOrder, CreateAnswer, SeekAnswer } from '#domain/carriers/carriers.ts';
import { releaseHold } from '#domain/ledger/ledger.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openAccount, pauseMerchant, recordCall } from './carrier-context.ts';
import type { CarrierContext, OpenAccount } from './carrier-context.ts';
import { acceptOrder, completeLabel, waybillTaken } from './accept.ts';
import { claimsWith, hasWaybillConflict, isAnsweredTwice, isRejectedWaybill, openClaims, raiseWaybillConflict } from './claims.ts';
import { announce, moveExpress } from './moves.ts';
import { fetchNumbers, takeNumber } from './numbers.ts';
import { queueSend, queueSorting } from './queues.ts';
import type { SendPayload } from './queues.ts';
import { lockExpress, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

const second = 1_000;
/** Seconds until the outcome is asked again; the last one repeats. */
const backOff = [1, 2, 4, 8, 15, 30];
const pausedWait = 60;
/** Until a label is asked for again: of a carrier that sorts by hand, and of one that gave no answer. */
const sortingPause = { byHand: 60, noAnswer: 10 };

/** The parcel as the carrier is told of it. The insured value is what was priced: not less than the merchant's least. */
export const carrierOrder = (express: ExpressRow): CarrierOrder => ({
  ...express,
  guarantee_value_amount: Math.max(express.guarantee_value_amount, express.terms?.guarantee ?? 0),
});

const all = systemScope('ordering');

/**
 * Task: tells the carrier of a parcel in state 20, or asks what became of it. Exactly once in effect (requirements §4): the body is stored before it is
 * sent and sent again to the byte until the outcome is known; only a first, clear refusal gives the hold back.
 */
export const sendOrder = async (context: CarrierContext, payload: SendPayload): Promise<void> => {
  const { express_id, attempt } = payload;
  const found = await context.db.tx(all, (tx) => lockExpress(tx, all, express_id));
  if (found.state_code !== stateCode.ordering || found.attempt !== attempt || found.merchant_id === null || isAnsweredTwice(found)) return;
  const opened = await openAccount(context, found.merchant_id);
  if (opened.paused) return context.db.tx(all, (tx) => queueSend(tx, payload, later(context, pausedWait)));
  const express = await prepare(context, opened, payload);
  if (express === 'gone') return;
  if (express === 'no number') return fetchFirst(context, opened, payload);
  const { carrier, account, merchant_id } = opened;
  const first = express.order_tries === 1;
  const answer = first ? await carrier.create(account, express.order_request!) : await carrier.seek(account, express.order_request!);
  const claimed = answer.outcome === 'stored_without_number' ? openClaims(express).find(({ source }) => source === 'push') : undefined;
  // The carrier has the order but does not name it: what a push named is asked whether it is this order.
  const looked = claimed && (await carrier.details(account, { delivery_id: claimed.delivery_id }));
  await context.db.tx(all, async (tx) => {
    const locked = await lockExpress(tx, all, express_id);
    await recordCall(tx, merchant_id, express_id, answer);
    if (looked) await recordCall(tx, merchant_id, express_id, looked);
    if (locked.state_code === stateCode.ordering && locked.attempt === attempt) {
      if (claimed && looked?.outcome === 'ok' && looked.value.order_id === locked.order_id)
        return void (await acceptOrder(context, tx, locked, { delivery_id: claimed.delivery_id }));
      return settleOutcome(context, tx, locked, merchant_id, answer);
    }
    // Another try was quicker than this answer, or the office has decided meanwhile.
    if (answer.outcome === 'accepted' && locked.attempt === attempt) await compareAnswer(tx, locked, answer);
  });
};

/** A later answer about an order that has its waybill: it may bring the label, or another waybill, which the office has to decide between. */
const compareAnswer = async (tx: Tx, express: ExpressRow, answer: Accepted): Promise<void> => {
  if (express.delivery_id === null || isRejectedWaybill(express, answer.delivery_id)) return;
  if (express.delivery_id === answer.delivery_id) {
    if (express.print_data === null) await completeLabel(tx, express, answer);
    return;
  }
  const known = { waybill_claims: claimsWith(express, express.delivery_id, 'answer') };
  await raiseWaybillConflict(tx, express, claimsWith(known, answer.delivery_id, 'answer'));
};

/** Stores the bytes of the call and counts the try, before the call: one whose process dies may have been stored. */
const prepare = (
  context: CarrierContext,
  { carrier, account, merchant_id, prefetches }: OpenAccount,
  { express_id, attempt }: SendPayload,
): Promise<ExpressRow | 'gone' | 'no number'> =>
  context.db.tx(all, async (tx) => {
    const locked = await lockExpress(tx, all, express_id);
    if (locked.state_code !== stateCode.ordering || locked.attempt !== attempt) return 'gone';
    const at = context.clock.now();
    const number = locked.order_request === null && prefetches ? await takeNumber(tx, merchant_id, at) : '';
    if (number === null) return 'no number';
    const order_request = locked.order_request ?? carrier.createBody(account, carrierOrder(locked), number);
    return updateExpress(tx, express_id, {
      order_request,
      order_tries: locked.order_tries + 1,
      order_sought_at: at,
      first_sent_at: locked.first_sent_at ?? at,
      ...(number !== '' && { waybill_claims: claimsWith(locked, number, 'number') }),
    });
  });

/** Nothing has been ordered yet: numbers first, and the order again as soon as there are some. */
const fetchFirst = async (context: CarrierContext, opened: OpenAccount, payload: SendPayload): Promise<void> => {
  const failed = await fetchNumbers(context, opened);
  const wait = !failed ? 0 : failed.outcome === 'gateway' && failed.pause ? pausedWait : backOff[2]!;
  await context.db.tx(all, (tx) => queueSend(tx, payload, later(context, wait)));
};

const later = (context: CarrierContext, seconds: number): Date => new Date(context.clock.now().getTime() + seconds * second);

const settleOutcome = async (context: CarrierContext, tx: Tx, express: ExpressRow, merchant_id: number, answer: CreateAnswer | SeekAnswer): Promise<void> => {
  const { id: express_id, attempt, order_tries } = express;
  const again = (seconds = backOff[Math.min(order_tries, backOff.length) - 1]!) => queueSend(tx, { express_id, attempt }, later(context, seconds));
  switch (answer.outcome) {
    case 'accepted': {
      const waybill_claims = claimsWith(express, answer.delivery_id, 'answer');
      if (hasWaybillConflict({ waybill_claims })) return raiseWaybillConflict(tx, express, waybill_claims);
      if (await waybillTaken(tx, express, answer.delivery_id)) return again(backOff.at(-1));
      return void (await acceptOrder(context, tx, express, answer));
    }
    case 'refused':
      return refuseOrder(context, tx, express, answer.text);
    case 'gateway':
      // The gateway turned the call away before any business was done: this call, at least, has stored nothing.
      await updateExpress(tx, express_id, { order_tries: order_tries - 1 });
      if (answer.pause) await pauseMerchant(tx, merchant_id, context.clock.now(), answer.text);
      return again(answer.pause ? pausedWait : backOff[2]);
    case 'stored_without_number':
    case 'repeat_refused':
      await raiseAlert(tx, {
        code: `order_${answer.outcome}`,
        params: { order_id: express.order_id, text: answer.text },
        express_id,
        station_id: express.station_id,
        key: `order:${express_id}:${attempt}`,
      });
      return again(backOff.at(-1));
    case 'unknown':
      await announce(tx, express_id);
      return again();
  }
};

/** A clear no to the first call: the hold goes back, the parcel is failed with the carrier's words; a cancel asked for meanwhile is fulfilled by it. */
const refuseOrder = async (context: CarrierContext, tx: Tx, express: ExpressRow, words: string): Promise<void> => {
  const at = context.clock.now();
  await releaseHold(tx, { express_id: express.id, attempt: express.attempt, cause: `refused:${express.id}:${express.attempt}`, at, by: null });
  const failed = await moveExpress(tx, express, { to: stateCode.failed, cause: 'refused', account_id: null, at, why: { words } });
  if (failed.cancel_requested_at)
    await moveExpress(tx, failed, {
      to: stateCode.cancelled,
      cause: 'cancel',
      account_id: failed.cancel_uid,
      at,
      why: { words: failed.cancel_reason },
      changes: { canceled_at: at },
    });
};

/** Task: asks again for the label of a parcel that is sorted by hand. */
export const sortAgain = async (context: CarrierContext, { express_id }: { express_id: number }): Promise<void> => {
  const express = await context.db.tx(all, (tx) => lockExpress(tx, all, express_id));
  if (
    express.need_retry !== 1 ||
    hasWaybillConflict(express) ||
    !stateAllows(express.state_code, 'print') ||
    !express.order_request ||
    express.merchant_id === null
  )
    return;
  const { carrier, account, paused, merchant_id } = await openAccount(context, express.merchant_id);
  const answer = paused ? null : await carrier.seek(account, express.order_request);
  await context.db.tx(all, async (tx) => {
    const locked = await lockExpress(tx, all, express_id);
    if (answer) await recordCall(tx, merchant_id, express_id, answer);
    if (locked.need_retry !== 1 || hasWaybillConflict(locked)) return;
    // Another waybill than ours: the office decides, or has decided; asking again would bring nothing else.
    if (answer?.outcome === 'accepted' && answer.delivery_id !== locked.delivery_id) return compareAnswer(tx, locked, answer);
    const answered = answer?.outcome === 'accepted';
    if (answered) await completeLabel(tx, locked, answer);
    if (answer?.outcome === 'gateway' && answer.pause) await pauseMerchant(tx, merchant_id, context.clock.now(), answer.text);
    if (stateAllows(locked.state_code, 'print') && !(answered && answer.need_retry === 0))
      await queueSorting(tx, express_id, later(context, answered ? sortingPause.byHand : sortingPause.noAnswer));
  });
};
