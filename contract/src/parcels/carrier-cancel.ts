import { pickupRules } from '#network/provider.ts';
import type { Provider } from '#network/provider.ts';
import { isUnsent, stateCode } from './express-states.ts';
import type { StateCode } from './express-states.ts';

export const carrierCancelProblems = ['carrier_no_cancel', 'carrier_no_intercept'] as const;

/**
 * Why the carrier does not cancel a parcel in this state; null if it does, or if it does not have
 * the parcel yet.
 */
export const carrierCancelProblem = ({
  provider,
  state_code,
  picked_up,
}: {
  /** Absent in a list that does not return this field. */
  provider?: Provider | undefined;
  state_code: StateCode;
  /**
   * True if the parcel was picked up. The state alone does not show this, because a delivery
   * exception may also be reported before the pickup.
   */
  picked_up: boolean;
}): (typeof carrierCancelProblems)[number] | null => {
  if (isUnsent(state_code) || state_code === stateCode.ordering || provider === undefined)
    return null;
  const { cancels } = pickupRules(provider);
  if (cancels === 'none') return 'carrier_no_cancel';
  const isAfter =
    state_code === stateCode.exception ? picked_up : state_code > stateCode.awaitingPickup;
  return cancels === 'before_pickup' && isAfter ? 'carrier_no_intercept' : null;
};
