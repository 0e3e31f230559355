import type { StatementType } from '@waystation/contract/statement.ts';
import { all, filterConditions } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sqlDayStart } from '#platform/db/days.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RawBuilder, Tx } from '#platform/db/db.ts';
import { firstIds, isMerged, stationSplit } from '#platform/db/newest.ts';
import type { Source, Split } from '#platform/db/newest.ts';
import type { Order } from '#platform/db/paging.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { betweenTransfers } from './line-days.ts';
import type { Between } from './line-days.ts';
import type { StatementFilters } from './statement-list.ts';
import { monthSums, ofStations } from './statement-sums.ts';

/** The types of which few lines are: the indexes `statements_rare` and `statements_rare_all` hold these alone. */
const rareTypes = ['top_up', 'withdrawal', 'release', 'reweigh', 'surcharge', 'refund', 'payout', 'adjustment', 'reversal'] satisfies StatementType[];

/** As text, and in the words of the indexes, by which PostgreSQL knows that they hold all the rows. */
const isRare = sql<boolean>`s.type in (${sql.join(rareTypes.map((type) => sql.lit(type)))})`;

/** Fen. Few lines move so much: the indexes `statements_large` and `statements_large_all` hold these alone, and a parcel's usual price is not among them. */
export const largeFrom = 10_000;

const isLarge = sql<boolean>`abs(s.amount) >= ${sql.lit(largeFrom)}`;

/** A station has one line of a transfer. Rare types have an index with the id, without which PostgreSQL would take the one of all types. */
const byTransfer = (stations: Split | null, types: readonly Split[]): Source => ({
  table: 'statements',
  alias: 's',
  by: { column: 'transfer_id', type: 'bigint', isUnique: stations !== null && types.length === 0 },
});

const isRareType = (type: StatementType): boolean => (rareTypes as StatementType[]).includes(type);

/** What of the filters has indexes of its own. */
const fewOf = ({ type, amount_from = 0 }: StatementFilters): { types: Split[]; words: Condition[] } => {
  if (type?.every(isRareType)) return { types: [{ column: 'type', type: 'text', values: [...new Set(type)] }], words: [isRare] };
  return { types: [], words: amount_from >= largeFrom ? [isLarge] : [] };
};

/** Only stations with stations below them have shares. */
export const isOfShares = ({ type }: StatementFilters): boolean => type?.length === 1 && type[0] === 'profit';

const stationsAsked = async (tx: Tx, scope: Scope, filters: StatementFilters): Promise<Split | null> => {
  if (filters.with_children !== 1 || filters.station_id === undefined) return stationSplit(scope, filters.station_id);
  const { values } = await oneRow(
    tx,
    sql<{
      values: number[];
    }>`select array(select n.id from stations n where ${scopeCondition(scope, 'n.id')} and ${ofStations(scope, 'n.id', filters)}) as values`,
  );
  return { column: 'station_id', type: 'bigint', values };
};

/** The stations whose lines are wanted; null: all there are. Of shares those that have some: all lines of the others would be read for none. */
export const stationsOf = async (tx: Tx, scope: Scope, filters: StatementFilters): Promise<Split | null> => {
  const asked = await stationsAsked(tx, scope, filters);
  if (asked === null || asked.values.length === 1 || !isOfShares(filters)) return asked;
  const { values } = await oneRow(
    tx,
    sql<{
      values: number[];
    }>`select array(select distinct x.station_id from ${monthSums(scope, filters, { kind: 'all' }, true)} x where x.type = 'profit') as values`,
  );
  return { ...asked, values };
};

interface Wanted {
  filters: StatementFilters;
  stations: Split | null;
  /** The transfers between which all lines of the filters' days are (`linesOfDays`); null: any. */
  days: Between | 'none' | null;
}

/**
 * `posted_at` within the days, said by `<>`: nearly all lines between the days' transfers are of these days, and of a comparison beside the transfers' PostgreSQL would
 * expect few, and read and sort all lines of the days for a page.
 */
const notBefore = (day: string): Condition => sql<boolean>`least(s.posted_at, ${sqlDayStart(day)} - interval '1 microsecond') <> s.posted_at`;
const notAfter = (day: string): Condition => sql<boolean>`greatest(s.posted_at, ${sqlDayStart(day, 1)}) <> s.posted_at`;

/** Of lines that were posted, in a form that their indexes serve: all but the types, which the index begins with. Beside a second condition on these PostgreSQL would read and sort all lines of the type. */
const postedWords = ({ filters, days }: Wanted, inOrder: boolean): Condition[] => [
  ...fewOf(filters).words,
  sql<boolean>`s.transfer_id is not null`,
  ...betweenTransfers(days, inOrder),
  ...filterConditions(filters, { posted_from: notBefore, posted_to: notAfter }),
];

/**
 * The lines that can be on the first `count` rows of a list: of each station, and of each rare type, its newest from their index, and the requests, which have no
 * transfer yet. Null where all lines of one station or of the network are walked in their order. `conditionsOf`: the list's conditions for these filters.
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
  const conditions = conditionsOf({ ...filters, ...(types.length > 0 && { type: undefined }), posted_from: undefined, posted_to: undefined });
  const posted = firstIds(byTransfer(stations, types), splits, [...postedWords({ filters, stations, days }, true), ...conditions], order, count);
  const requests = sql`select s.id from statements s where s.transfer_id is null and ${all(conditionsOf(filters))} order by s.id ${order.direction} limit ${sql.lit(count)}`;
  return sql<boolean>`s.id = any(array(${posted}) || array(${requests}))`;
};

/** `columns` of all lines and requests that match, in no order: from the transfers and indexes of the filters, where they have any. */
export const allLines = (columns: RawBuilder<unknown>, wanted: Wanted, conditions: readonly Condition[]): RawBuilder<unknown> => {
  const words = postedWords(wanted, false);
  if (words.length === 1) return sql`select ${columns} from statements s where ${all(conditions)}`;
  return sql`select ${columns} from statements s where ${all([...words, ...conditions])}
    union all select ${columns} from statements s where s.transfer_id is null and ${all(conditions)}`;
};
