import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { ScanAnswer, ScanResult } from '@waystation/contract/parcels/handover.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import type { FoundParcel } from '#domain/scanned-numbers/scanned-numbers.ts';
import type { HandoverRow } from './row.ts';

/** A package that was given in some hand-over. */
export interface Given {
  handover_id: number;
  package_no: number;
  closed: boolean;
}

export interface Judged {
  result: ScanResult;
  detail: ScanAnswer['detail'];
}

const unsent: readonly number[] = [stateCode.draft, stateCode.ordering, stateCode.failed];

type Visit = Pick<HandoverRow, 'id' | 'station_id' | 'provider' | 'only_user_id' | 'opened_at'>;

/**
 * True if the courier's device collected the parcel after the hand-over was opened, before the
 * parcel was scanned here.
 */
const isCollectedIn = (visit: Visit, { state_code, picked_up_at }: FoundParcel): boolean =>
  state_code > stateCode.awaitingPickup &&
  state_code !== stateCode.cancelled &&
  picked_up_at !== null &&
  picked_up_at >= visit.opened_at;

/**
 * The reason why a package must not be given to the courier, even if it was scanned before; null if
 * it may be given.
 */
const cancelRefusal = ({ state_code, stopping }: FoundParcel): ScanResult | null => {
  if (state_code === stateCode.cancelled) return 'cancelled';
  return stopping ? 'cancelling' : null;
};

/** The states of a parcel in which a package that was left behind can still be handed over. */
const followable: readonly number[] = [
  stateCode.pickedUp,
  stateCode.inTransit,
  stateCode.delivering,
  stateCode.signed,
];

/** True if the courier took other packages of the parcel and left this one behind. */
const isLeftBehind = (
  { state_code }: FoundParcel,
  { no, given }: Pick<Scanned, 'no' | 'given'>,
): boolean =>
  given.length > 0 &&
  given.every(({ package_no }) => package_no !== no) &&
  followable.includes(state_code);

/**
 * The reason why a parcel must not be handed over in its present state; null if it may be handed
 * over.
 */
const stateRefusal = (visit: Visit, parcel: FoundParcel, scanned: Scanned): ScanResult | null => {
  const { state_code, undecided } = parcel;
  if (state_code === stateCode.cancelled) return 'cancelled';
  if (state_code === stateCode.onHold) return 'on_hold';
  if (unsent.includes(state_code)) return 'not_ordered';
  const isExpected =
    state_code === stateCode.awaitingPickup ||
    isCollectedIn(visit, parcel) ||
    isLeftBehind(parcel, scanned);
  if (!isExpected) return 'collected';
  if (undecided) return 'undecided';
  return cancelRefusal(parcel);
};

interface Scanned {
  /** The number of the scanned package; null if the whole parcel was scanned. */
  no: number | null;
  /** True if the scanned number is for a package that the parcel no longer has. */
  isOld?: boolean;
  given: readonly Given[];
  again: boolean;
}

/** The answer to the scan of a parcel in scope. */
export const judge = (visit: Visit, parcel: FoundParcel, scanned: Scanned): Judged => {
  const { no, isOld = false, given, again } = scanned;
  const refused = (result: ScanResult, detail: Judged['detail'] = {}): Judged => ({
    result,
    detail,
  });
  const before = given.filter(({ package_no }) => package_no === no);
  if (before.some(({ handover_id }) => handover_id === visit.id))
    return refused(cancelRefusal(parcel) ?? 'given_before');
  if (parcel.station_id !== visit.station_id)
    return refused('other_station', { station_name: parcel.station_name });
  if (visit.only_user_id !== null && parcel.user_id !== visit.only_user_id)
    return refused('other_user');
  if (parcel.provider !== visit.provider)
    return refused('other_carrier', { provider: parcel.provider as Provider });
  const [earlier] = before.toSorted((a, b) => b.handover_id - a.handover_id);
  const where = earlier && { handover_id: earlier.handover_id };
  const state = stateRefusal(visit, parcel, scanned);
  if (state) return refused(state, { state_code: parcel.state_code, ...where });
  if (no === null) return refused(isOld ? 'old_label' : 'which_package');
  const isOpenElsewhere = before.some(({ closed }) => !closed);
  if (earlier && (isOpenElsewhere || !again))
    return refused('given_earlier', { ...where, again: isOpenElsewhere ? 0 : 1 });
  const isCollected = parcel.state_code !== stateCode.awaitingPickup;
  return { result: 'given', detail: isCollected ? { state_code: parcel.state_code } : {} };
};
