import { present } from '@waystation/contract/base/present.ts';
import { stateAllows } from '@waystation/contract/parcels/express-states.ts';
import { systemScope } from '#platform/db/scope.ts';
import { callCarrier, inSeconds } from './call-carrier.ts';
import { openAccountInTx } from '#domain/carrier-accounts/carrier-accounts.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { completeLabel } from './accept.ts';
import { hasWaybillConflict } from './claims.ts';
import { queueSorting } from './queues.ts';
import { recoverOrder } from './recover.ts';
import { lockExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { compareAnswer } from './take-answer.ts';

/**
 * Seconds until label data are requested again. `byHand`: if the parcel waits for manual
 * pre-sorting. `noAnswer`: if the carrier gave no answer.
 */
const sortingSeconds = { byHand: 60, noAnswer: 10 };

const all = systemScope('ordering');

/**
 * Task: asks the carrier again for the label data of a parcel that waits for manual pre-sorting.
 */
export const sortAgain = async (
  context: CarrierContext,
  { express_id }: { express_id: number },
): Promise<void> => {
  await callCarrier(context, all, {
    caller: 'sort_again',
    ready: async (work) => {
      const express = await lockExpress(work, express_id);
      if (
        !awaitsLabel(express) ||
        !stateAllows(express.state_code, 'print') ||
        !express.order_request ||
        express.merchant_id === null
      )
        return null;
      const opened = await openAccountInTx(context, work, express.merchant_id);
      if (opened.carrier.recovers_by === 'person') return null;
      if (!opened.paused) return { express, opened };
      await queueSorting(work, express_id, inSeconds(context, sortingSeconds.noAnswer));
      return null;
    },
    call: async ({ express, opened }) => [present(await recoverOrder(opened, express))],
    settle: async (work, express, [answer]) => {
      if (!awaitsLabel(express)) return;
      const accepted = answer.outcome === 'accepted' ? answer : null;
      // If the carrier returns another waybill, an administrator decides, because a repeated call
      // would return the same waybill.
      if (accepted && accepted.delivery_id !== express.delivery_id)
        return compareAnswer(work, express, accepted);
      if (accepted) await completeLabel(work, express, accepted);
      if (stateAllows(express.state_code, 'print') && accepted?.need_retry !== 0)
        await queueSorting(
          work,
          express_id,
          inSeconds(context, accepted ? sortingSeconds.byHand : sortingSeconds.noAnswer),
        );
    },
  });
};

const awaitsLabel = (express: ExpressRow): boolean =>
  express.need_retry === 1 && !hasWaybillConflict(express);
