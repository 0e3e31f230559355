import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { LabelScanResult, VerifyResult } from '@waystation/contract/parcels/label-scan.ts';
import { isOnLabel, readNumber, readPackage } from '#domain/scanned-numbers/scanned-numbers.ts';
import type { FoundParcel } from '#domain/scanned-numbers/scanned-numbers.ts';

const unsent: readonly number[] = [stateCode.draft, stateCode.failed];

/**
 * Decides if the label of a scanned parcel is printed immediately, or why not. It is printed only
 * if the parcel awaits pickup and has no label yet, because a second label could become a second
 * shipment.
 */
export const judgeScan = (parcel: FoundParcel, hasFailed = false): LabelScanResult => {
  const { state_code, stopping, undecided, need_retry, allow_print, print_count } = parcel;
  if (state_code === stateCode.cancelled) return 'cancelled';
  if (state_code === stateCode.onHold) return 'on_hold';
  if (state_code === stateCode.ordering) return 'ordering';
  if (unsent.includes(state_code)) return 'not_ordered';
  if (state_code !== stateCode.awaitingPickup) return 'collected';
  if (stopping) return 'cancelling';
  if (undecided) return 'undecided';
  if (allow_print !== 1) return 'no_print';
  if (need_retry === 1) return 'sorting';
  if (print_count === 0) return 'print';
  return hasFailed ? 'failed' : 'printed';
};

export interface Verified {
  result: VerifyResult;
  no: number | null;
}

/**
 * The state of a printed label: the packages whose labels were verified by a scan, and whether the
 * parcel was changed since the print.
 */
export interface Printed {
  /** The positions of the packages whose labels were already verified by a scan. */
  verified: readonly number[];
  /** True if the parcel was changed after the print, so that the label is wrong. */
  changed: boolean;
  /** True if the parcel has a change whose outcome is not known yet. */
  changing: boolean;
}

/** Compares a scanned number with the printed label of a parcel. */
export const judgeLabel = (
  parcel: FoundParcel,
  scanned: string,
  { verified, changed, changing }: Printed,
): Verified => {
  const { state_code, stopping, need_retry, package_count } = parcel;
  const refused = (result: VerifyResult): Verified => ({ result, no: null });
  const read = readNumber(scanned);
  if (!isOnLabel(parcel, read)) {
    const ofOrder = [parcel.order_id, parcel.thr_order_id];
    return refused(
      ofOrder.some((number) => number?.toUpperCase() === read.key) ? 'not_label' : 'wrong',
    );
  }
  if (state_code === stateCode.cancelled || stopping) return refused('cancelled');
  const { no, isOld } = readPackage(parcel, read);
  if (changed || need_retry === 1 || isOld) return refused('old_label');
  if (changing) return refused('changing');
  if (no === null) return refused('which_package');
  const scannedBack = new Set([...verified, no]);
  const isWhole = Array.from({ length: package_count }, (_, at) => at + 1).every((each) =>
    scannedBack.has(each),
  );
  // A repeated scan gets the same result as the first one, because the first answer may have been
  // lost.
  if (isWhole) return { result: 'verified', no };
  return { result: verified.includes(no) ? 'before' : 'package', no };
};
