import { mostParcelHandovers } from '@waystation/contract/base/limits.ts';
import type {
  HandoverScan,
  ParcelHandover,
  ScanResult,
} from '@waystation/contract/parcels/handover.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { expressIn, stateList } from '#domain/express/express-reads.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { parcelOfScan, shownScan } from './shown-scan.ts';

interface Part {
  id: number;
  part: 'given' | 'others';
  /** The id of the last scan on the previous page. */
  cursor?: number | undefined;
  page_size?: number | undefined;
}

/** A page of the scans of a hand-over, newest first; undone scans are left out. */
export const scansOf = async (
  work: Work,
  { id, part, cursor, page_size = 20 }: Part,
): Promise<{ items: HandoverScan[]; next_cursor: string | null }> => {
  const { rows } = await sql<
    Omit<HandoverScan, 'at' | 'result'> & { at: Date; result: ScanResult }
  >`
    select x.id, ${shownScan}, x.scanned_by,
      coalesce(nullif(a.nickname, ''), a.username) as scanned_by_nickname, e.state_code,
      (select count(*)::int from handover_scans g where g.handover_id = ${id}
        and g.express_id = e.id and g.result = 'given'
        and g.taken_back_at is null) as given
    from handover_scans x ${parcelOfScan(work)}
    left join accounts a on a.id = x.scanned_by and ${scopeCondition(work, 'a.station_id')}
    where x.handover_id = ${id} and ${scopeCondition(work, 'x.station_id', 'x.user_id')}
      and x.taken_back_at is null and (x.result = 'given') = ${part === 'given'}
      and x.id < ${cursor ?? Number.MAX_SAFE_INTEGER}
    order by x.id desc limit ${sql.lit(page_size + 1)}`.execute(work.tx);
  const items = rows.slice(0, page_size).map((row) => ({ ...row, at: row.at.toISOString() }));
  return {
    items,
    next_cursor: rows.length > page_size ? String(items.at(-1)?.id) : null,
  };
};

/**
 * The number of scans by which no package was handed over. Repeated scans and undone scans do not
 * count.
 */
export const othersOf = async (work: Work, id: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from handover_scans x
    where x.handover_id = ${id} and x.result <> 'given' and x.result <> 'given_before'
      and x.taken_back_at is null
      and ${scopeCondition(work, 'x.station_id', 'x.user_id')}`.execute(work.tx);
  return rows[0]?.n ?? 0;
};

/**
 * The number of given packages whose parcel was cancelled later, or whose cancel is requested.
 * Reads as the system, because the hand-over itself was already found in scope.
 */
export const cancelledOf = (work: Work, id: number): Promise<number> =>
  work.asSystem('cancelled packages of a hand-over', async (system) => {
    const { n } = await oneRow(
      system,
      sql<{ n: number }>`select count(*)::int as n from handover_scans x
        join expresses e on e.id = x.express_id
        where x.handover_id = ${id} and x.result = 'given' and x.taken_back_at is null
          and (e.state_code in (${stateList([stateCode.cancelled])})
            or e.cancel_requested_at is not null or e.intercepting = 1)`,
    );
    return n;
  });

/** A package of a closed hand-over, with the fields that are printed. */
interface GivenPackage {
  delivery_id: string;
  package_no: number;
  package_count: number;
  at: string;
}

/** All packages of a hand-over, in the order of their waybill numbers. */
export const packagesOf = async (work: Work, id: number): Promise<GivenPackage[]> => {
  const { rows } = await sql<Omit<GivenPackage, 'at'> & { at: Date }>`
    select x.delivery_id, x.package_no, x.package_count, x.at from handover_scans x
    where x.handover_id = ${id} and x.result = 'given' and x.taken_back_at is null
      and ${scopeCondition(work, 'x.station_id', 'x.user_id')}
    order by x.delivery_id collate "C", x.package_no`.execute(work.tx);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
};

/**
 * The hand-overs in which packages of a parcel were given, newest first. A hand-over outside the
 * reader's scope is listed with `visible` 0.
 */
export const handoversOfParcel = async (
  work: Work,
  express_id: number,
): Promise<ParcelHandover[]> => {
  await expressIn(work, express_id);
  const mine = scopeCondition(work, 'h.station_id', 'h.user_id');
  const named = scopeCondition(work, 'a.station_id');
  return work.asSystem('hand-overs of a parcel', async (system) => {
    const { rows } = await sql<
      Omit<ParcelHandover, 'at' | 'ended_at'> & { at: Date; ended_at: Date | null }
    >`
      select h.id as handover_id, h.status, h.provider, s.name as station_name, g.package_nos,
        g.package_count, g.at, coalesce(nullif(a.nickname, ''), a.username) as scanned_by_nickname,
        h.ended_at, h.courier_name, (${mine})::int as visible
      from (select x.handover_id, array_agg(x.package_no::int order by x.package_no) as package_nos,
          max(x.package_count)::int as package_count, max(x.at) as at,
          (array_agg(x.scanned_by order by x.id desc))[1] as scanned_by
        from handover_scans x where x.express_id = ${express_id} and x.result = 'given'
          and x.taken_back_at is null group by x.handover_id) g
      join handovers h on h.id = g.handover_id join stations s on s.id = h.station_id
      left join accounts a on a.id = g.scanned_by and ${named}
      order by g.handover_id desc limit ${sql.lit(mostParcelHandovers)}`.execute(system.tx);
    return rows.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      ended_at: row.ended_at?.toISOString() ?? null,
    }));
  });
};
