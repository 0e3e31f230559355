/** Finds the parcels for numbers that a scanner reads from labels and orders. */
import { mostScannedParcels } from '@waystation/contract/base/limits.ts';
import { narrow } from '@waystation/contract/shell/search.ts';
import { visibleText } from '@waystation/contract/base/visible-text.ts';
import { packageOf, waybillOf } from '@waystation/contract/parcels/waybill-number.ts';
import type { NamedPackage } from '@waystation/contract/parcels/waybill-number.ts';
import { isUndecided } from '#domain/express/express-reads.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

export type FoundParcel = RowOf<
  'expresses',
  | 'id'
  | 'station_id'
  | 'user_id'
  | 'provider'
  | 'state_code'
  | 'delivery_id'
  | 'order_id'
  | 'package_count'
  | 'package_ids'
  | 'picked_up_at'
  | 'thr_order_id'
  | 'need_retry'
  | 'print_count'
  | 'receive_name'
  | 'receive_city'
> & {
  station_name: string;
  allow_print: number;
  /**
   * True if the carrier returned two waybills for the order, and an admin has not chosen one yet.
   */
  undecided: boolean;
  /** True if a cancel of the parcel was requested, or the carrier is intercepting the parcel. */
  stopping: boolean;
};

export interface ReadNumber {
  key: string;
  /** The package, if the scanned number is a package number; otherwise null. */
  named: NamedPackage | null;
}

/** Reads a scanned number, which may be a waybill number, a package number, or another number. */
export const readNumber = (scanned: string): ReadNumber => {
  const number = narrow(visibleText(scanned)).trim().toUpperCase();
  return { key: waybillOf(number) ?? number, named: packageOf(number) };
};

const columns = sql`e.id, e.station_id, s.name as station_name, s.allow_print, e.user_id,
  e.provider, e.state_code, e.delivery_id, e.order_id, e.thr_order_id, e.package_count,
  e.package_ids, e.picked_up_at, e.need_retry, e.print_count, e.receive_name, e.receive_city,
  ${isUndecided} as undecided,
  (e.cancel_requested_at is not null or e.intercepting = 1) as stopping`;

/**
 * True if the number is on the parcel's label. Its order number and the waybill of its return are
 * not on the label.
 */
export const isOnLabel = (
  { delivery_id, package_ids }: Pick<FoundParcel, 'delivery_id' | 'package_ids'>,
  { key }: ReadNumber,
): boolean => [delivery_id, ...package_ids].some((number) => number?.toUpperCase() === key);

/** The parcel with this id; null if it is not in scope. */
export const parcelById = async (work: Work, id: number): Promise<FoundParcel | null> => {
  const { rows } = await sql<FoundParcel>`select ${columns} from expresses e
    join stations s on s.id = e.station_id
    where e.id = ${id} and ${scopeCondition(work, 'e.station_id', 'e.user_id')}`.execute(work.tx);
  return rows[0] ?? null;
};

/**
 * The newest parcels in scope with this number. A parcel whose order number or return waybill
 * equals the number is returned only if the number is on no parcel's label. Returns one parcel more
 * than is shown, if there are more.
 */
export const parcelsWith = async (work: Work, read: ReadNumber): Promise<FoundParcel[]> => {
  const { rows } = await sql<FoundParcel>`select ${columns}
    from express_keys k join expresses e on e.id = k.express_id
    join stations s on s.id = e.station_id
    where k.kind = 1 and k.key = ${read.key}
      and ${scopeCondition(work, 'k.station_id', 'k.user_id')}
      and ${scopeCondition(work, 'e.station_id', 'e.user_id')}
    order by e.id desc limit ${sql.lit(mostScannedParcels + 1)}`.execute(work.tx);
  const own = rows.filter((parcel) => isOnLabel(parcel, read));
  return own.length > 0 ? own : rows;
};

export interface ReadPackage {
  /**
   * The number of the package within the parcel; null if the scanned number is for the whole parcel
   * or on an old label.
   */
  no: number | null;
  /** True if the label was printed when the parcel had another number of packages. */
  isOld: boolean;
}

/** Finds the package of a parcel to which the scanned number belongs. */
export const readPackage = (
  { delivery_id, package_count, package_ids }: FoundParcel,
  { key, named }: ReadNumber,
): ReadPackage => {
  const old: ReadPackage = { no: null, isOld: true };
  if (named !== null) {
    const isOfThis = named.count === package_count && named.no >= 1 && named.no <= package_count;
    return isOfThis ? { no: named.no, isOld: false } : old;
  }
  if (package_count === 1) return { no: 1, isOld: false };
  if (package_ids.length === 0) return { no: null, isOld: false };
  const at = [delivery_id, ...package_ids].findIndex((number) => number?.toUpperCase() === key);
  if (at < 0) return { no: null, isOld: false };
  return at >= package_count ? old : { no: at + 1, isOld: false };
};
