import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { LabelScanResult, VerifyResult } from '@waystation/contract/parcels/label-scan.ts';
import { isOnLabel, packageNo, readNumber } from '#domain/scanned-numbers/scanned-numbers.ts';
import type { FoundParcel } from '#domain/scanned-numbers/scanned-numbers.ts';

const unsent: readonly number[] = [stateCode.draft, stateCode.ordering, stateCode.failed];

/**
 * Whether the label of a scanned parcel is printed at once, or why not. Only a parcel that awaits
 * pickup and has no label yet is: a second label may become a second shipment.
 */
export const judgeScan = (parcel: FoundParcel): LabelScanResult => {
  const { state_code, stopping, undecided, need_retry, allow_print, print_count } = parcel;
  if (state_code === stateCode.cancelled) return 'cancelled';
  if (state_code === stateCode.onHold) return 'on_hold';
  if (unsent.includes(state_code)) return 'not_ordered';
  if (state_code !== stateCode.awaitingPickup) return 'collected';
  if (stopping) return 'cancelling';
  if (undecided) return 'undecided';
  if (allow_print !== 1) return 'no_print';
  if (need_retry === 1) return 'sorting';
  return print_count > 0 ? 'printed' : 'print';
};

export interface Verified {
  result: VerifyResult;
  no: number | null;
}

/** Compares a scanned number with the label of a parcel; `verified` are positions scanned before. */
export const judgeLabel = (
  parcel: FoundParcel,
  scanned: string,
  verified: readonly number[],
): Verified => {
  const { state_code, stopping, package_count } = parcel;
  const refused = (result: VerifyResult): Verified => ({ result, no: null });
  const read = readNumber(scanned);
  if (!isOnLabel(parcel, read)) {
    const ofOrder = [parcel.order_id, parcel.thr_order_id];
    return refused(
      ofOrder.some((number) => number?.toUpperCase() === read.key) ? 'not_label' : 'wrong',
    );
  }
  if (state_code === stateCode.cancelled || stopping) return refused('cancelled');
  const no = packageNo(parcel, read);
  if (no === null) return refused(read.no === null ? 'which_package' : 'old_label');
  if (verified.includes(no)) return { result: 'before', no };
  return { result: verified.length + 1 >= package_count ? 'verified' : 'package', no };
};
