import type { Handover } from '@waystation/contract/parcels/handover.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';

export type HandoverRow = RowOf<
  'handovers',
  | 'id'
  | 'station_id'
  | 'provider'
  | 'user_id'
  | 'only_user_id'
  | 'status'
  | 'opened_at'
  | 'parcels'
  | 'packages'
  | 'ended_by'
  | 'missing'
  | 'missing_parcels'
>;

const columns = sql.raw(
  'h.id, h.station_id, h.provider, h.user_id, h.only_user_id, h.status, h.opened_at, h.parcels, h.packages, h.ended_by, h.missing, h.missing_parcels',
);

/** The hand-over if it is within scope, else 404. */
export const handoverIn = async (work: Work, id: number): Promise<HandoverRow> => {
  const { rows } = await sql<HandoverRow>`select ${columns} from handovers h where h.id = ${id}
    and ${scopeCondition(work, 'h.station_id', 'h.user_id')}`.execute(work.tx);
  return rows[0] ?? fail('not_found');
};

/**
 * Reads and locks a hand-over. The lock covers all hand-overs of the station, so that a package is
 * given only once even if several users scan.
 */
export const lockHandover = async (work: Work, id: number): Promise<HandoverRow> => {
  const { station_id } = await handoverIn(work, id);
  await lockStation(work, station_id);
  const { rows } = await sql<HandoverRow>`select ${columns} from handovers h where h.id = ${id}
    and ${scopeCondition(work, 'h.station_id', 'h.user_id')} for no key update`.execute(work.tx);
  return rows[0] ?? fail('not_found');
};

export const lockStation = async (work: Work, station_id: number): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(hashtextextended(${`handovers ${station_id}`},
    0))`.execute(work.tx));

type ListedRow = Omit<Handover, 'opened_at' | 'ended_at'> & {
  opened_at: Date;
  ended_at: Date | null;
};

/**
 * The selected hand-overs with the fields of the contract. The names of accounts outside the
 * reader's scope are left out.
 */
export const handoverList = async (work: Work, picked: Condition): Promise<Handover[]> => {
  const { rows } = await sql<ListedRow>`
    select h.id, h.station_id, s.name as station_name, h.provider, h.status, h.user_id,
      coalesce(nullif(a.nickname, ''), a.username) as user_nickname,
      (h.only_user_id is not null)::int as own, h.opened_at, h.ended_at,
      coalesce(nullif(b.nickname, ''), b.username) as ended_by_nickname, h.parcels, h.packages,
      case when h.status = 'closed' then h.missing end as missing, h.courier_name, h.note
    from handovers h join stations s on s.id = h.station_id
    left join accounts a on a.id = h.user_id and ${scopeCondition(work, 'a.station_id')}
    left join accounts b on b.id = h.ended_by and ${scopeCondition(work, 'b.station_id')}
    where ${picked} and ${scopeCondition(work, 'h.station_id', 'h.user_id')}`.execute(work.tx);
  return rows.map((row) => ({
    ...row,
    opened_at: row.opened_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }));
};

export const shownHandover = async (work: Work, id: number): Promise<Handover> => {
  const [shown] = await handoverList(work, sql<boolean>`h.id = ${id}`);
  return shown ?? fail('not_found');
};
