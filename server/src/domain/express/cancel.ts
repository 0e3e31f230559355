import type { StateCode } from '@waystation/contract/express-states.ts';
import { isLive, isUnsent, stateAllows, stateCode } from '@waystation/contract/express-states.ts';
import type { CancelAnswer } from '#domain/carriers/carriers.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { openAccount, pauseMerchant, recordCall } from './carrier-context.ts';
import type { CarrierContext } from './carrier-context.ts';
import { takeMessages } from './messages.ts';
import { announce, moveExpress, whyFields } from './moves.ts';
import { queueCancel, queueRelease } from './queues.ts';
import { lockExpress, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

/** The carrier has it, and may be asked to give it back. */
const isRecallable = (code: StateCode): boolean => isLive(code) && stateAllows(code, 'cancel');

/**
 * Cancels a locked parcel as far as that goes at once (requirements §4): what the carrier never had is cancelled; an order whose outcome is open
 * is remembered; what the carrier has is asked back, before pickup a cancel, after it an intercept; the rest is refused with the reason.
 */
export const cancelExpress = async (context: Pick<CarrierContext, 'clock'>, tx: Tx, express: ExpressRow, reason: string, by: number): Promise<ExpressRow> => {
  const at = context.clock.now();
  // Those that waited behind it may fit.
  if (express.state_code === stateCode.onHold) await queueRelease(tx, express.station_id);
  if (isUnsent(express.state_code))
    return moveExpress(tx, express, {
      to: stateCode.cancelled,
      cause: 'cancel',
      account_id: by,
      at,
      why: { words: reason },
      changes: { cancel_uid: by, canceled_at: at, cancel_reason: reason },
    });
  if (express.state_code !== stateCode.ordering && !isRecallable(express.state_code)) return fail('cannot_cancel', { state: express.state_txt });
  if (express.cancel_requested_at) return express;
  if (express.intercepting) return fail('already_intercepting');
  if (express.state_code !== stateCode.ordering) await queueCancel(tx, express.id);
  return updateExpress(tx, express.id, { cancel_uid: by, cancel_reason: reason, cancel_requested_at: at });
};

const all = systemScope('cancel');
const retrySeconds = 10;
const pausedSeconds = 60;
const interceptSeconds = 1_800;

/** Task: asks the carrier to cancel or intercept; an unknown outcome is asked again, the hold stays meanwhile. */
export const cancelParcel = async (context: CarrierContext, { express_id }: { express_id: number }): Promise<void> => {
  const express = await context.db.tx(all, (tx) => lockExpress(tx, all, express_id));
  if (
    !(express.cancel_requested_at || express.intercepting) ||
    !isRecallable(express.state_code) ||
    express.delivery_id === null ||
    express.merchant_id === null
  )
    return;
  const { carrier, account, paused, merchant_id } = await openAccount(context, express.merchant_id);
  const later = (seconds: number): Date => new Date(context.clock.now().getTime() + seconds * 1_000);
  if (paused) return context.db.tx(all, (tx) => queueCancel(tx, express_id, later(pausedSeconds)));
  const answer = await carrier.cancel(account, { delivery_id: express.delivery_id }, express.cancel_reason);
  await context.db.tx(all, async (tx) => {
    const locked = await lockExpress(tx, all, express_id);
    await recordCall(tx, merchant_id, express_id, answer);
    if (!locked.cancel_requested_at && !locked.intercepting) return;
    switch (answer.outcome) {
      case 'ok': {
        const { result } = answer.value;
        const news = !(result === 'intercepting' && locked.intercepting);
        await takeAnswer(context, tx, locked, answer.value);
        if (news)
          await takeMessages(context, tx, express_id, 'cancel', [
            carrier.messageOfCancel({ delivery_id: locked.delivery_id! }, answer.value, context.clock.now()),
          ]);
        // Nobody tells when an intercept fails: it is asked about until it has ended.
        if (result === 'intercepting') await queueCancel(tx, express_id, later(interceptSeconds));
        return;
      }
      case 'refused':
        return void (await takeAnswer(context, tx, locked, { result: 'cancel_failed', text: answer.text }));
      case 'gateway':
        if (answer.pause) await pauseMerchant(tx, merchant_id, context.clock.now(), answer.text);
        return queueCancel(tx, express_id, later(answer.pause ? pausedSeconds : retrySeconds));
      case 'unknown':
        return queueCancel(tx, express_id, later(retrySeconds));
    }
  });
};

/** The flags and the words of the carrier's answer; the state follows from the message in the fold. */
const takeAnswer = async (context: CarrierContext, tx: Tx, express: ExpressRow, { result, text }: CancelAnswer): Promise<void> => {
  const failed = result === 'cancel_failed' || result === 'intercept_failed';
  await updateExpress(tx, express.id, {
    cancel_requested_at: null,
    intercepting: result === 'intercepting' ? 1 : 0,
    ...(failed && whyFields(text ? { words: text } : { reason: { code: result } })),
    ...(result === 'cancelled' && { canceled_at: context.clock.now() }),
  });
  await announce(tx, express.id);
};
