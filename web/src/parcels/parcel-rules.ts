import { carrierCancelProblem } from '@waystation/contract/parcels/carrier-cancel.ts';
import { isOutcomeOpen } from '@waystation/contract/parcels/express-outcome.ts';
import {
  expressStates,
  isLive,
  isUnsent,
  stateAllows,
  stateCode,
} from '@waystation/contract/parcels/express-states.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import { errorText } from '#base/error-text.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';

/** True if further reports of the carrier are expected or if a top-up may release the parcel. */
const mayMove = (code: StateCode): boolean =>
  isLive(code) || code === stateCode.ordering || code === stateCode.onHold;

type Facts = Pick<
  ExpressRow,
  'state_code' | 'intercepting' | 'canceling' | 'need_retry' | 'modifying' | 'confirming'
>;

const stateWords = (row: Pick<ExpressRow, 'state_code'>, language: Language): string =>
  wordOf(expressStates, row.state_code, language);

/** The reason why a parcel cannot be cancelled. Null if it can be cancelled or intercepted. */
export const cancelBlocked = (
  row: Facts & Pick<ExpressRow, 'provider' | 'picked_up_at'>,
  language: Language,
): string | null => {
  if (!stateAllows(row.state_code, 'cancel'))
    return errorText('cannot_cancel', { state: stateWords(row, language) }, language);
  const problem = carrierCancelProblem({ ...row, picked_up: Boolean(row.picked_up_at) });
  if (problem !== null) return errorText(problem, {}, language);
  return row.intercepting === 1 || row.canceling === 1
    ? errorText('already_intercepting', {}, language)
    : null;
};

export const printBlocked = (
  row: Facts & Pick<ExpressRow, 'allow_print'>,
  language: Language,
): string | null => {
  if (row.allow_print === 0) return errorText('print_not_allowed', {}, language);
  if (!stateAllows(row.state_code, 'print'))
    return errorText('not_printable', { state: stateWords(row, language) }, language);
  return row.need_retry === 1 ? errorText('sorting_pending', {}, language) : null;
};

export const weighBlocked = (row: Facts, language: Language): string | null =>
  stateAllows(row.state_code, 'weigh')
    ? null
    : errorText('state_forbids', { state: stateWords(row, language) }, language);

/**
 * True if the parcel can be changed. A parcel can be changed before it is sent to the carrier.
 * While it awaits pickup, it can be changed if the carrier allows changes.
 */
export const isEditable = (row: Facts): boolean =>
  isUnsent(row.state_code) ||
  (stateAllows(row.state_code, 'edit') &&
    row.canceling === 0 &&
    row.intercepting === 0 &&
    row.modifying === 0);

/** True if the parcel's state may change while it is displayed. */
export const isMoving = (row: Facts): boolean =>
  mayMove(row.state_code) || row.canceling === 1 || row.modifying === 1 || row.confirming !== null;

/**
 * The effect of a cancellation. It depends on what the carrier knows about the parcel. `undecided`
 * means that an administrator must first decide whether the carrier has the parcel.
 */
export const cancelEffect = (
  row: Pick<ExpressRow, 'state_code' | 'state_reason'>,
): 'unsent' | 'ordering' | 'undecided' | 'before_pickup' | 'intercept' => {
  const { state_code } = row;
  if (isOutcomeOpen(row)) return 'undecided';
  if (state_code === stateCode.ordering) return 'ordering';
  if (state_code === stateCode.awaitingPickup) return 'before_pickup';
  return isUnsent(state_code) ? 'unsent' : 'intercept';
};

/**
 * True if a user may mark the parcel's exception as handled. A charge beyond the limits cannot be
 * marked, because a user must decide about it instead.
 */
export const isHandleable = ({
  exception,
  handled_at,
}: Pick<ExpressRow, 'exception' | 'handled_at'>): boolean =>
  exception !== null && exception !== 'charge' && handled_at === null;

/**
 * True if the courier did not come in the chosen pickup window and the parcel is still awaiting
 * pickup.
 */
export const isPickupMissed = ({
  exception,
  handled_at,
}: Pick<ExpressRow, 'exception' | 'handled_at'>): boolean =>
  exception === 'missed' && handled_at === null;

/**
 * True if cancelling the parcel asks the carrier to intercept it and bring it back. Before pickup,
 * cancelling only stops the pickup.
 */
export const isInterceptable = (row: Pick<ExpressRow, 'state_code' | 'state_reason'>): boolean =>
  stateAllows(row.state_code, 'cancel') && cancelEffect(row) === 'intercept';

/**
 * The reason for the parcel's state as a text in the user's language. A text that the carrier sent
 * is unchanged. Empty if there is no reason.
 */
export const reasonWords = (
  row: Pick<ExpressRow, 'state_reason' | 'state_remark'>,
  language: Language,
): string =>
  row.state_reason
    ? errorText(row.state_reason.code, row.state_reason.params, language)
    : row.state_remark;

const isShort = (code: string | undefined): boolean =>
  code === 'balance_too_low' || code === 'balance_too_low_queue';

/** The number of parcels on hold in the queue before this parcel. */
export const parcelsAhead = (row: Pick<ExpressRow, 'state_reason'>): number =>
  Number(row.state_reason?.params?.['ahead'] ?? 0);

/**
 * The amount in fen that is missing to release this parcel and the parcels before it in the
 * station's queue. Null if the parcel is not on hold because of the balance.
 */
export const missingAmount = (
  row: Pick<ExpressRow, 'state_code' | 'state_reason'>,
): number | null => {
  const missing = row.state_reason?.params?.['missing_amount'];
  return row.state_code === stateCode.onHold &&
    isShort(row.state_reason?.code) &&
    typeof missing === 'number'
    ? missing
    : null;
};

/** The parcel's waybill number, or its order number if it has no waybill number yet. */
export const numberOf = (row: Pick<ExpressRow, 'delivery_id' | 'order_id'>): string =>
  row.delivery_id ?? row.order_id;
