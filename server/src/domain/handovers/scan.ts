import {
  mostHandoverPackages,
  mostHandoverScans,
  mostHandoverScansInMinute,
} from '@waystation/contract/base/limits.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type {
  ScanAnswer,
  ScanResult,
  scanHandover,
} from '@waystation/contract/parcels/handover.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { parcelsWith, readNumber, readPackage } from '#domain/scanned-numbers/scanned-numbers.ts';
import type { FoundParcel } from '#domain/scanned-numbers/scanned-numbers.ts';
import { lockExpress, markLeftBehind } from '#domain/express/express.ts';
import { judge } from './judge.ts';
import type { Given, Judged } from './judge.ts';
import { lockHandover } from './row.ts';
import type { HandoverRow } from './row.ts';
import { parcelOfScan, shownScan } from './shown-scan.ts';

type Scan = ParsedOf<typeof scanHandover>['scans'][number];
type ScanRow = RowOf<
  'handover_scans',
  | 'scan_id'
  | 'number'
  | 'result'
  | 'at'
  | 'express_id'
  | 'delivery_id'
  | 'package_no'
  | 'package_count'
  | 'detail'
>;

/** The time in seconds until a browser that scanned too fast may send its scans again. */
const pauseSeconds = 10;

/** The packages of a parcel that were given in any hand-over. */
const givenOf = async (work: Work, express_id: number): Promise<Given[]> => {
  const { rows } = await sql<Given>`select x.handover_id, x.package_no, h.status <> 'open' as closed
    from handover_scans x join handovers h on h.id = x.handover_id
    where x.express_id = ${express_id} and x.result = 'given'
      and x.taken_back_at is null`.execute(work.tx);
  return rows;
};

/** Judges the scan of one number, for the user who scanned. */
const answerTo = async (
  work: ReaderWork,
  visit: HandoverRow,
  { number, again }: Scan,
): Promise<Judged & { parcel: FoundParcel | null; no: number | null }> => {
  const read = readNumber(number);
  const found = await parcelsWith(work, read);
  const [parcel] = found;
  if (parcel === undefined) return { result: 'unknown', detail: {}, parcel: null, no: null };
  if (found.length > 1) return { result: 'ambiguous', detail: {}, parcel: null, no: null };
  const { no, isOld } = readPackage(parcel, read);
  const given = await work.asSystem('packages given in hand-overs', (system) =>
    givenOf(system, parcel.id),
  );
  return { ...judge(visit, parcel, { no, isOld, given, again: again === 1 }), parcel, no };
};

/**
 * Updates the exception of a parcel if the courier left some of its packages behind. The exception
 * ends if all packages are handed over.
 */
const endLeftBehind = (work: ReaderWork, parcel: FoundParcel | null, at: Date): Promise<void> =>
  work.asSystem('exception of a scanned parcel', async (system) => {
    if (parcel === null || parcel.state_code === stateCode.awaitingPickup) return;
    await markLeftBehind(system, await lockExpress(system, parcel.id), at);
  });

const store = async (
  work: ReaderWork,
  visit: HandoverRow,
  { scan_id, number }: Scan,
  { result, detail, parcel, no, at }: Awaited<ReturnType<typeof answerTo>> & { at: Date },
): Promise<void> => {
  await sql`insert into handover_scans (handover_id, station_id, user_id, scan_id, scanned_by, at,
      number, result, express_id, delivery_id, package_no, package_count, detail)
    values (${visit.id}, ${visit.station_id}, ${visit.user_id}, ${scan_id},
      ${work.actor.account_id}, ${at}, ${number}, ${result}, ${parcel?.id ?? null},
      ${parcel ? (parcel.delivery_id ?? parcel.order_id) : null}, ${no},
      ${parcel?.package_count ?? null}, ${jsonText(detail)}::jsonb)`.execute(work.tx);
};

interface Counts {
  total: number;
  lately: number;
  packages: number;
}

const countsOf = (work: Work, id: number, at: Date): Promise<Counts> =>
  oneRow(
    work,
    sql<Counts>`select count(*)::int as total,
      (count(*) filter (where at > ${new Date(at.getTime() - 60_000)}))::int as lately,
      (count(*) filter (where result = 'given' and taken_back_at is null))::int as packages
      from handover_scans where handover_id = ${id}`,
  );

/** The stored answers to scans, by scan id. */
const answersOf = async (
  work: Work,
  id: number,
  scan_ids: readonly string[],
): Promise<Map<string, ScanAnswer>> => {
  const { rows } = await sql<ScanRow & { given: number }>`
    select ${shownScan}, (select count(*)::int from handover_scans g
        where g.handover_id = ${id} and g.express_id = e.id and g.result = 'given'
        and g.taken_back_at is null) as given
    from handover_scans x ${parcelOfScan(work)} where x.handover_id = ${id}
      and x.scan_id = any(${scan_ids}::uuid[])`.execute(work.tx);
  return new Map(
    rows.map((row) => [
      row.scan_id,
      { ...row, result: row.result as ScanResult, at: row.at.toISOString() },
    ]),
  );
};

/** Stores the number of parcels and packages of a hand-over, after a change of its scans. */
export const recount = (work: Work, id: number): Promise<{ parcels: number; packages: number }> =>
  oneRow(
    work,
    sql<{ parcels: number; packages: number }>`update handovers h
      set (parcels, packages) = (select count(distinct x.express_id), count(*)
        from handover_scans x where x.handover_id = h.id and x.result = 'given'
        and x.taken_back_at is null)
      where h.id = ${id} returning h.parcels, h.packages`,
  );

/**
 * Answers scans in order. A repeated `scan_id` gets its first answer, even after the hand-over has
 * ended. A scan above the limits of a hand-over ends the call. The call then returns the answers so
 * far, or throws the error if it was the first scan.
 */
export const scanNumbers = async (
  work: ReaderWork,
  id: number,
  scans: readonly Scan[],
  at: Date,
): Promise<{ answers: ScanAnswer[]; parcels: number; packages: number }> => {
  const visit = await lockHandover(work, id);
  const known = await answersOf(
    work,
    id,
    scans.map(({ scan_id }) => scan_id),
  );
  const ids = new Set(known.keys());
  const hasNew = scans.some(({ scan_id }) => !ids.has(scan_id));
  if (hasNew && visit.status !== 'open') fail('handover_ended', { id });
  const counts = await countsOf(work, id, at);
  let hasStored = false;
  const isFirst = (scan: Scan): boolean => scan === scans[0];
  for (const scan of scans) {
    if (ids.has(scan.scan_id)) continue;
    if (counts.lately >= mostHandoverScansInMinute) {
      if (!isFirst(scan)) break;
      fail(
        'handover_scans_fast',
        { limit: mostHandoverScansInMinute, seconds: pauseSeconds },
        { retryAfter: pauseSeconds },
      );
    }
    if (counts.total >= mostHandoverScans) {
      if (!isFirst(scan)) break;
      fail('handover_full', { limit: mostHandoverScans });
    }
    const answer = await answerTo(work, visit, scan);
    if (answer.result === 'given' && counts.packages >= mostHandoverPackages) {
      if (!isFirst(scan)) break;
      fail('handover_full', { limit: mostHandoverPackages });
    }
    await store(work, visit, scan, { ...answer, at });
    hasStored = true;
    ids.add(scan.scan_id);
    counts.total += 1;
    counts.lately += 1;
    if (answer.result === 'given') {
      counts.packages += 1;
      await endLeftBehind(work, answer.parcel, at);
    }
  }
  const { parcels, packages } = hasStored ? await recount(work, id) : visit;
  const answers = await answersOf(work, id, [...ids]);
  return {
    answers: scans.flatMap(({ scan_id }) => answers.get(scan_id) ?? []),
    parcels,
    packages,
  };
};
