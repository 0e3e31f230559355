import { erasedName } from '@waystation/contract/parcels/erased.ts';
/**
 * Scan to label (requirements §10.15.29): scanning a number prints the label of its parcel, and the
 * printed label is scanned again to verify it.
 */
import {
  mostScannedParcels,
  mostUnverifiedLabels,
  verifyHours,
} from '@waystation/contract/base/limits.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type {
  LabelParcel,
  LabelScan,
  UnverifiedLabel,
  VerifyAnswer,
} from '@waystation/contract/parcels/label-scan.ts';
import { labelChanges, stateList } from '#domain/express/express-reads.ts';
import {
  isOnLabel,
  parcelById,
  parcelsWith,
  readNumber,
} from '#domain/scanned-numbers/scanned-numbers.ts';
import type { FoundParcel } from '#domain/scanned-numbers/scanned-numbers.ts';
import { sql } from '#platform/db/db.ts';
import type { Condition } from '#platform/db/conditions.ts';
import type { ReaderWork, RowOf, UserWork, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { judgeLabel, judgeScan } from './judge.ts';

const recipientOf = ({ receive_name, receive_city }: FoundParcel): string =>
  [receive_name === erasedName ? '' : receive_name, receive_city].filter(Boolean).join(' ');

const shown = (parcel: FoundParcel, hasFailed: boolean): LabelParcel => ({
  id: parcel.id,
  delivery_id: parcel.delivery_id,
  order_id: parcel.order_id,
  station_name: parcel.station_name,
  state_code: parcel.state_code,
  package_count: parcel.package_count,
  print_count: parcel.print_count,
  recipient: recipientOf(parcel),
  result: judgeScan(parcel, hasFailed),
});

const oldest = (at: Date): Date => new Date(at.getTime() - verifyHours * 3_600_000);

/** The reader's printed labels that were not yet verified by a scan and meet the condition. */
const waitingPrints = async (
  work: ReaderWork,
  at: Date,
  condition: Condition,
): Promise<UnverifiedLabel[]> => {
  const { rows } = await sql<Omit<UnverifiedLabel, 'created_at'> & { created_at: Date }>`
    select r.id, r.express_id, r.delivery_id, e.order_id, r.print_count, e.package_count,
      r.verified_packages, concat_ws(' ', nullif(e.receive_name, '[erased]'), nullif(e.receive_city, '')) as recipient,
      r.created_at
    from prints r join expresses e on e.id = r.express_id
      and ${scopeCondition(work, 'e.station_id', 'e.user_id')}
    where r.user_id = ${work.actor.account_id} and r.created_at > ${oldest(at)}
      and r.to_verify and r.verified_at is null and r.delivery_id = e.delivery_id
      and e.state_code in (${stateList([stateCode.awaitingPickup])})
      and ${scopeCondition(work, 'r.station_id')} and ${condition}
      and not exists (select from prints n where n.delivery_id = r.delivery_id
        and n.express_id = r.express_id and n.print_count > r.print_count
        and n.result <> 'failed' and ${scopeCondition(work, 'n.station_id')})
    order by r.result = 'failed', r.created_at desc, r.id desc
    limit ${sql.lit(mostUnverifiedLabels)}`.execute(work.tx);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
};

/**
 * The reader's printed labels that were not yet verified by a scan. A newer print of a waybill
 * replaces the older one, unless the newer print failed.
 */
export const unverifiedLabels = (work: ReaderWork, at: Date): Promise<UnverifiedLabel[]> =>
  waitingPrints(work, at, sql<boolean>`r.result <> 'failed'`);

/** Parcels whose newest print failed. */
const failedParcels = async (work: Work, parcels: readonly FoundParcel[]): Promise<Set<number>> => {
  const ids = parcels.filter(({ print_count }) => print_count > 0).map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`select e.id from expresses e
    join prints r on r.delivery_id = e.delivery_id and r.express_id = e.id
      and r.print_count = e.print_count and ${scopeCondition(work, 'r.station_id')}
    where e.id = any(${ids}::bigint[]) and r.result = 'failed'
      and ${scopeCondition(work, 'e.station_id', 'e.user_id')}`.execute(work.tx);
  return new Set(rows.map(({ id }) => id));
};

/**
 * Finds the parcels in scope for a scanned number. A parcel outside the scope counts as unknown.
 */
export const scanForLabel = async (
  work: ReaderWork,
  { number, at }: { number: string; at: Date },
): Promise<LabelScan> => {
  const read = readNumber(number);
  const all = await parcelsWith(work, read);
  const found = all.slice(0, mostScannedParcels);
  const failed = await failedParcels(work, found);
  const parcels = found.map((parcel) => shown(parcel, failed.has(parcel.id)));
  const more = all.length > found.length ? 1 : 0;
  const [only, ...others] = parcels;
  if (only === undefined) return { result: 'unknown', parcels, more, label: null };
  if (others.length > 0) return { result: 'several', parcels, more, label: null };
  const isLabel = isOnLabel(found[0]!, read) && !found[0]!.stopping;
  // A printer that seemed to fail may print later. If a package number was scanned, the label
  // exists, so its print counts even if it failed.
  const [label = null] = isLabel
    ? await waitingPrints(
        work,
        at,
        sql<boolean>`r.express_id = ${only.id}
          and (r.result <> 'failed' or ${read.named !== null})`,
      )
    : [];
  return { result: only.result, parcels, more, label };
};

type PrintRow = RowOf<
  'prints',
  'id' | 'express_id' | 'delivery_id' | 'verified_packages' | 'created_at'
> & { later_copies: number };

/** Compares a scanned number with a printed label, and records the scan that verified the label. */
export const verifyLabel = async (
  work: UserWork,
  { id, number, at }: { id: number; number: string; at: Date },
): Promise<VerifyAnswer> => {
  const { rows } = await sql<PrintRow>`
    select r.id, r.express_id, r.delivery_id, r.verified_packages, r.created_at,
      (select count(*)::int from prints n where n.delivery_id = r.delivery_id
        and n.express_id = r.express_id and n.print_count > r.print_count
        and n.result <> 'failed' and ${scopeCondition(work, 'n.station_id')}) as later_copies
    from prints r where r.id = ${id} and r.user_id = ${work.actor.account_id} and r.to_verify
      and r.created_at > ${oldest(at)} and ${scopeCondition(work, 'r.station_id')}
    for no key update`.execute(work.tx);
  const print = rows[0] ?? fail('not_found');
  const parcel = (await parcelById(work, print.express_id)) ?? fail('not_found');
  const before = print.verified_packages;
  const changes = await labelChanges(work, parcel.id, print.created_at);
  const { result, no } = judgeLabel(parcel, number, { verified: before, ...changes });
  const isGood = result === 'verified' || result === 'package';
  const verified =
    isGood && no !== null ? [...new Set([...before, no])].toSorted((a, b) => a - b) : before;
  if (isGood)
    await sql`update prints set verified_packages = ${verified}::integer[],
      verified_at = coalesce(verified_at, ${result === 'verified' ? at : null}::timestamptz)
      where id = ${id}`.execute(work.tx);
  return {
    result,
    no,
    delivery_id: print.delivery_id,
    package_count: parcel.package_count,
    verified_packages: [...verified],
    later_copies: print.later_copies,
  };
};
