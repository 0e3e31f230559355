import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { businessTime } from '#platform/clock.ts';
import { whyFields } from './moves.ts';
import type { ExpressRow } from './row.ts';

/**
 * The need of a parcel on hold: the fen that are missing for the queue up to this parcel, and the
 * number of parcels before it.
 */
export interface OnHoldNeeds {
  missing_amount: number;
  ahead: number;
}

type Waiting = Pick<ExpressRow, 'state_code' | 'state_reason' | 'state_remark'> & {
  carrier_down_since: Date | null;
  on_hold_needs: OnHoldNeeds | null;
};

/**
 * Returns the reason why a parcel waits, if the reason is calculated when the parcel is read. In
 * state 20, the reason lasts as long as the outage of the carrier account. In state 10, it is the
 * amount that the queue needs, which changes with other parcels and top-ups.
 */
export const waitingReason = (
  row: Waiting,
): Partial<Pick<ExpressRow, 'state_remark' | 'state_reason'>> => {
  if (row.state_code === stateCode.onHold)
    return row.on_hold_needs === null ? {} : onHoldReason(row.on_hold_needs);
  return row.state_code === stateCode.ordering &&
    row.state_reason === null &&
    row.carrier_down_since !== null
    ? whyFields({
        reason: { code: 'carrier_down', params: { time: businessTime(row.carrier_down_since) } },
      })
    : {};
};

/**
 * A parcel on hold without a missing amount either has its release queued, or its station is
 * disabled.
 */
const onHoldReason = ({
  missing_amount,
  ahead,
}: OnHoldNeeds): Pick<ExpressRow, 'state_remark' | 'state_reason'> => {
  if (missing_amount === 0) return whyFields(undefined);
  if (ahead === 0)
    return whyFields({ reason: { code: 'balance_too_low', params: { missing_amount } } });
  return whyFields({
    reason: { code: 'balance_too_low_queue', params: { missing_amount, ahead } },
  });
};
