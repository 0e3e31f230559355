import { carrierCancelProblem } from '@waystation/contract/parcels/carrier-cancel.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import {
  isLive,
  isUnsent,
  stateAllows,
  stateCode,
} from '@waystation/contract/parcels/express-states.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { CancelAnswer } from '#domain/carriers/carriers.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { isRecalled, noteFailedCancel } from './cancel-notices.ts';
import { callCarrier, inSeconds, pausedSeconds } from './call-carrier.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { applyMessages } from './messages.ts';
import { announce, moveExpress, whyFields } from './moves.ts';
import { queueCancel, queueRelease, queueSend } from './queues.ts';
import { lockExpress, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';

/** True if the carrier has the parcel and may be asked to cancel or intercept it. */
const isRecallable = (code: StateCode): boolean => isLive(code) && stateAllows(code, 'cancel');

/**
 * Cancels a locked parcel (requirements §4). A parcel that the carrier never had is cancelled
 * immediately. If the carrier has it, the carrier cancels it before the pickup and intercepts it
 * afterwards. While the outcome of the order is unknown, the cancel waits. In any other state the
 * cancel is refused with the reason.
 */
export const cancelExpress = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  { reason, by }: { reason: string; by: number },
): Promise<ExpressRow> => {
  const at = context.clock.now();
  // The balance may now cover the parcels that waited behind this one.
  if (express.state_code === stateCode.onHold) await queueRelease(work, express.station_id);
  if (isUnsent(express.state_code))
    return moveExpress(work, express, {
      to: stateCode.cancelled,
      cause: 'cancel',
      account_id: by,
      at,
      why: { words: reason },
      changes: { cancel_uid: by, canceled_at: at, cancel_reason: reason },
    });
  if (express.state_code !== stateCode.ordering && !isRecallable(express.state_code))
    return fail('cannot_cancel', { state: express.state_txt });
  const problem = carrierCancelProblem({
    ...express,
    picked_up: express.picked_up_at !== null,
  });
  if (problem !== null) return fail(problem);
  if (express.cancel_requested_at) return express;
  if (express.intercepting) return fail('already_intercepting');
  if (express.state_code !== stateCode.ordering) await queueCancel(work, express.id);
  // The carrier has received nothing: the job ends the order without a call.
  else if (express.order_tries === 0)
    await queueSend(work, { express_id: express.id, attempt: express.attempt });
  return updateExpress(work, express.id, {
    cancel_uid: by,
    cancel_reason: reason,
    cancel_requested_at: at,
  });
};

const all = systemScope('cancel');
const retrySeconds = 10;
const interceptSeconds = 1_800;
/**
 * The number of days after which an interception without a result is abandoned. If the parcel
 * returns later, its trace is still followed.
 */
const interceptDays = 7;

/**
 * Task: asks the carrier to cancel or intercept a parcel. A call whose outcome is unknown is
 * repeated; meanwhile the hold stays.
 */
export const cancelParcel = async (
  context: CarrierContext,
  { express_id }: { express_id: number },
): Promise<void> => {
  const again = (work: Work, seconds: number): Promise<void> =>
    queueCancel(work, express_id, inSeconds(context, seconds));
  await callCarrier(context, all, {
    caller: 'cancel_parcel',
    ready: async (work) => {
      const express = await lockExpress(work, express_id);
      const { delivery_id, merchant_id } = express;
      if (
        !isRecalled(express) ||
        !isRecallable(express.state_code) ||
        delivery_id === null ||
        merchant_id === null
      )
        return null;
      const opened = await openAccountInTx(context, work, merchant_id);
      if (!opened.paused) return { express, opened, delivery_id };
      await again(work, pausedSeconds);
      return null;
    },
    call: async ({ express: { order_id, cancel_reason }, opened, delivery_id }) => [
      await opened.carrier.cancel(opened.account, { order_id, delivery_id }, cancel_reason),
    ],
    settle: async (work, express, [answer], { opened: { carrier } }) => {
      if (!isRecalled(express)) return;
      const noteAnswer = async (value: CancelAnswer): Promise<void> => {
        await applyMessages(context, work, express_id, {
          source: 'cancel',
          messages: [
            carrier.messageOfCancel(
              { delivery_id: present(express.delivery_id) },
              value,
              context.clock.now(),
            ),
          ],
        });
      };
      switch (answer.outcome) {
        case 'ok': {
          const { result } = answer.value;
          if (result === 'intercepting' && (await isUnanswered(context, work, express)))
            return abandonCancel(work, express, context.clock.now());
          const isNew = !(result === 'intercepting' && express.intercepting);
          await applyAnswer(context, work, express, answer.value);
          if (isNew) await noteAnswer(answer.value);
          // The carrier does not report an interception that fails, so it is asked until the
          // interception has ended.
          if (result === 'intercepting') await again(work, interceptSeconds);
          return;
        }
        case 'refused': {
          const refused: CancelAnswer = {
            result:
              express.state_code === stateCode.awaitingPickup
                ? 'cancel_failed'
                : 'intercept_failed',
            text: answer.text,
          };
          await applyAnswer(context, work, express, refused);
          return noteAnswer(refused);
        }
        case 'gateway':
          return again(work, answer.pause ? pausedSeconds : retrySeconds);
        case 'unknown':
          return again(work, retrySeconds);
      }
    },
  });
};

/** True if an interception has been running for longer than the limit. */
const isUnanswered = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
): Promise<boolean> => {
  if (express.intercepting === 0) return false;
  const { rows } = await sql<{
    at: Date | null;
  }>`select max(operation_time) as at from express_messages where express_id = ${express.id}
    and effect = 'intercepting'`.execute(work.tx);
  const since = rows[0]?.at ?? null;
  return (
    since !== null && context.clock.now().getTime() - since.getTime() > interceptDays * 86_400_000
  );
};

const abandonCancel = async (work: Work, express: ExpressRow, at: Date): Promise<void> => {
  await updateExpress(work, express.id, {
    cancel_requested_at: null,
    intercepting: 0,
    ...whyFields({ reason: { code: 'intercept_unanswered', params: { days: interceptDays } } }),
  });
  await noteFailedCancel(work, express, at);
  await announce(work, express.id);
};

/**
 * Stores the flags and the text of the carrier's answer. The state follows when the answer's
 * message is applied.
 */
const applyAnswer = async (
  context: CarrierContext,
  work: Work,
  express: ExpressRow,
  { result, text }: CancelAnswer,
): Promise<void> => {
  const failed = result === 'cancel_failed' || result === 'intercept_failed';
  await updateExpress(work, express.id, {
    cancel_requested_at: null,
    intercepting: result === 'intercepting' ? 1 : 0,
    ...(failed && whyFields(text ? { words: text } : { reason: { code: result } })),
    ...(result === 'cancelled' && { canceled_at: context.clock.now() }),
  });
  if (failed) await noteFailedCancel(work, express, context.clock.now());
  await announce(work, express.id);
};
