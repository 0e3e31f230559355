/**
 * Scan to label (docs/decisions/0146): a scanned number prints the label of its parcel, and the
 * printed label is scanned back.
 */
import { mostUnverifiedLabels, verifyHours } from '@waystation/contract/base/limits.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type {
  LabelParcel,
  LabelScan,
  UnverifiedLabel,
  VerifyAnswer,
} from '@waystation/contract/parcels/label-scan.ts';
import { stateList } from '#domain/express/express-reads.ts';
import { parcelById, parcelsWith, readNumber } from '#domain/scanned-numbers/scanned-numbers.ts';
import type { FoundParcel } from '#domain/scanned-numbers/scanned-numbers.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf, UserWork, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { judgeLabel, judgeScan } from './judge.ts';

const recipientOf = ({ receive_name, receive_city }: FoundParcel): string =>
  [receive_name, receive_city].filter(Boolean).join(' ');

const shown = (parcel: FoundParcel): LabelParcel => ({
  id: parcel.id,
  delivery_id: parcel.delivery_id,
  order_id: parcel.order_id,
  station_name: parcel.station_name,
  state_code: parcel.state_code,
  package_count: parcel.package_count,
  print_count: parcel.print_count,
  recipient: recipientOf(parcel),
  result: judgeScan(parcel),
});

/** The parcels in scope that a scanned number means; one outside the scope is unknown. */
export const scanForLabel = async (work: Work, number: string): Promise<LabelScan> => {
  const parcels = (await parcelsWith(work, readNumber(number))).map(shown);
  const [only, ...others] = parcels;
  if (only === undefined) return { result: 'unknown', parcels };
  return { result: others.length > 0 ? 'several' : only.result, parcels };
};

const oldest = (at: Date): Date => new Date(at.getTime() - verifyHours * 3_600_000);

/** The reader's labels that wait to be scanned back. A newer print of the waybill replaces one. */
export const unverifiedLabels = async (work: ReaderWork, at: Date): Promise<UnverifiedLabel[]> => {
  const { rows } = await sql<Omit<UnverifiedLabel, 'created_at'> & { created_at: Date }>`
    select r.id, r.express_id, r.delivery_id, e.order_id, r.print_count, e.package_count,
      r.verified_packages, concat_ws(' ', e.receive_name, nullif(e.receive_city, '')) as recipient,
      r.created_at
    from prints r join expresses e on e.id = r.express_id
      and ${scopeCondition(work, 'e.station_id', 'e.user_id')}
    where r.user_id = ${work.actor.account_id} and r.created_at > ${oldest(at)}
      and r.to_verify and r.verified_at is null and r.result <> 'failed'
      and r.delivery_id = e.delivery_id and r.print_count >= e.print_count
      and e.state_code in (${stateList([stateCode.awaitingPickup])})
      and ${scopeCondition(work, 'r.station_id')}
    order by r.created_at desc, r.id desc
    limit ${sql.lit(mostUnverifiedLabels)}`.execute(work.tx);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
};

type PrintRow = RowOf<'prints', 'id' | 'express_id' | 'delivery_id' | 'verified_packages'>;

/** Compares a scanned number with a printed label, and records that the label was scanned back. */
export const verifyLabel = async (
  work: UserWork,
  { id, number, at }: { id: number; number: string; at: Date },
): Promise<VerifyAnswer> => {
  const { rows } = await sql<PrintRow>`
    select r.id, r.express_id, r.delivery_id, r.verified_packages from prints r
    where r.id = ${id} and r.user_id = ${work.actor.account_id} and r.to_verify
      and r.created_at > ${oldest(at)} and ${scopeCondition(work, 'r.station_id')}
    for no key update`.execute(work.tx);
  const print = rows[0] ?? fail('not_found');
  const parcel = (await parcelById(work, print.express_id)) ?? fail('not_found');
  const before = print.verified_packages;
  const { result, no } = judgeLabel(parcel, number, before);
  const isNew = result === 'verified' || result === 'package';
  const verified = isNew && no !== null ? [...before, no].toSorted((a, b) => a - b) : before;
  if (isNew)
    await sql`update prints set verified_packages = ${verified}::integer[],
      verified_at = ${result === 'verified' ? at : null}::timestamptz
      where id = ${id}`.execute(work.tx);
  return {
    result,
    no,
    delivery_id: print.delivery_id,
    package_count: parcel.package_count,
    verified_packages: [...verified],
  };
};
