import type { StatementType } from '@waystation/contract/money/statement.ts';
import { all, filterConditions } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sqlDayStart } from '#platform/db/days.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RawBuilder, Work } from '#platform/db/db.ts';
import { isKnownBefore, isKnownFrom } from '#platform/db/known-bounds.ts';
import { firstIds, isMerged, stationSplit } from '#platform/db/newest.ts';
import type { Source, Split } from '#platform/db/newest.ts';
import type { Order } from '#platform/db/paging.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { betweenTransfers } from './line-days.ts';
import type { Between } from './line-days.ts';
import type { StatementFilters } from './statement-list.ts';
import { monthSums, ofStations } from './statement-sums.ts';

/**
 * The types with few statements. Only these are in the indexes `statements_rare` and
 * `statements_rare_all`.
 */
const rareTypes = [
  'top_up',
  'withdrawal',
  'release',
  'reweigh',
  'surcharge',
  'refund',
  'payout',
  'adjustment',
  'reversal',
] satisfies StatementType[];

/**
 * The types are written as literals, exactly as in the conditions of the indexes, so that
 * PostgreSQL can use these indexes.
 */
const isRare = sql<boolean>`s.type in (${sql.join(rareTypes.map((type) => sql.lit(type)))})`;

/**
 * The amount, in fen, from which a statement is in the indexes `statements_large` and
 * `statements_large_all`. Few statements have such a large amount, and a parcel's usual price is
 * below it.
 */
export const largeFrom = 10_000;

const isLarge = sql<boolean>`abs(s.amount) >= ${sql.lit(largeFrom)}`;

/**
 * Reads statements in the order of their transfers. Each transfer has one statement of a station.
 * For rare types the id is added to the order, as in their index, because PostgreSQL would
 * otherwise use the index of all types.
 */
const byTransfer = (stations: Split | null, types: readonly Split[]): Source => ({
  table: 'statements',
  alias: 's',
  by: { column: 'transfer_id', type: 'bigint', isUnique: stations !== null && types.length === 0 },
});

const isRareType = (type: StatementType): boolean => (rareTypes as StatementType[]).includes(type);

/** The indexes that fit the filters: of rare types, or of large amounts. */
const fewOf = ({
  type,
  amount_from = 0,
}: StatementFilters): { types: Split[]; words: Condition[] } => {
  if (type?.every(isRareType))
    return {
      types: [{ column: 'type', type: 'text', values: [...new Set(type)] }],
      words: [isRare],
    };
  return { types: [], words: amount_from >= largeFrom ? [isLarge] : [] };
};

/**
 * True if the filters request only profit shares. Only stations with stations below them have such
 * statements.
 */
export const isOfShares = ({ type }: StatementFilters): boolean =>
  type?.length === 1 && type[0] === 'profit';

const stationsAsked = async (work: Work, filters: StatementFilters): Promise<Split | null> => {
  if (filters.with_children !== 1 || filters.station_id === undefined)
    return stationSplit(work, filters.station_id);
  const { values } = await oneRow(
    work,
    sql<{
      values: number[];
    }>`select array(select n.id from stations n where ${scopeCondition(work, 'n.id')}
      and ${ofStations(work, 'n.id', filters)}) as values`,
  );
  return { column: 'station_id', type: 'bigint', values };
};

/**
 * The stations whose statements the filters request; null for all stations. For profit shares, only
 * stations that have shares are returned, because reading the statements of other stations would
 * find nothing.
 */
export const stationsOf = async (work: Work, filters: StatementFilters): Promise<Split | null> => {
  const asked = await stationsAsked(work, filters);
  if (asked === null || asked.values.length === 1 || !isOfShares(filters)) return asked;
  const { values } = await oneRow(
    work,
    sql<{
      values: number[];
    }>`select array(select distinct x.station_id
      from ${monthSums(work, filters, { kind: 'all' }, true)} x where x.type = 'profit') as
      values`,
  );
  return { ...asked, values };
};

interface Wanted {
  filters: StatementFilters;
  stations: Split | null;
  /**
   * The range of transfers that contains all statements of the filtered days (`linesOfDays`); null
   * if no days are filtered.
   */
  days: Between | 'none' | null;
}

const postedAt = sql<Date>`s.posted_at`;

/**
 * SQL conditions on posted statements, written so that their indexes can be used. The types are
 * left out. They begin the index, and with a second condition on them PostgreSQL would read and
 * sort all statements of a type. The condition on days is written so that the planner knows that
 * almost all statements between the transfers of these days fulfil it. Otherwise it expects few
 * statements, and reads and sorts all of them for a page.
 */
const postedWords = ({ filters, days }: Wanted, inOrder: boolean): Condition[] => [
  ...fewOf(filters).words,
  sql<boolean>`s.transfer_id is not null`,
  ...betweenTransfers(days, inOrder),
  ...filterConditions(filters, {
    posted_from: (day) => isKnownFrom(postedAt, sqlDayStart(day)),
    posted_to: (day) => isKnownBefore(postedAt, sqlDayStart(day, 1)),
  }),
];

/**
 * SQL condition that selects the candidates for the first `count` statements of a list. These are
 * the newest of each station and of each rare type, from their index, and the requests, which have
 * no transfer yet. Null if the statements of one station or of the network can be read in their
 * order. `conditionsOf` returns the list's conditions for the given filters.
 */
export const firstLines = (
  { filters, stations, days }: Wanted,
  conditionsOf: (filters: StatementFilters) => readonly Condition[],
  order: Order,
  count: number,
): Condition | null => {
  const { types, words } = fewOf(filters);
  const splits = stations === null ? types : [stations, ...types];
  const isOne = stations !== null && stations.values.length === 1 && !isOfShares(filters);
  const isWalk = words.length === 0 && days === null && (stations === null || isOne);
  if (isWalk || !isMerged(splits)) return null;
  const conditions = conditionsOf({
    ...filters,
    ...(types.length > 0 && { type: undefined }),
    posted_from: undefined,
    posted_to: undefined,
  });
  const posted = firstIds(
    byTransfer(stations, types),
    { splits, conditions: [...postedWords({ filters, stations, days }, true), ...conditions] },
    order,
    count,
  );
  const requests = sql`select s.id from statements s where s.transfer_id is null
    and ${all(conditionsOf(filters))} order by s.id ${order.direction}
    limit ${sql.lit(count)}`;
  return sql<boolean>`s.id = any(array(${posted}) || array(${requests}))`;
};

/**
 * SQL: `columns` of all matching statements and requests, in no particular order. The transfers and
 * indexes that fit the filters limit what is read.
 */
export const allLines = (
  columns: RawBuilder<unknown>,
  wanted: Wanted,
  conditions: readonly Condition[],
): RawBuilder<unknown> => {
  const words = postedWords(wanted, false);
  if (words.length === 1)
    return sql`select ${columns} from statements s
    where ${all(conditions)}`;
  return sql`select ${columns} from statements s where ${all([...words, ...conditions])}
    union all select ${columns} from statements s where s.transfer_id is null
      and ${all(conditions)}`;
};
