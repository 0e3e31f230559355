import { searchWords } from '@waystation/contract/search.ts';
import { liveStates } from '@waystation/contract/express-states.ts';
import { stateCodes } from '@waystation/contract/express.ts';
import type { StateCode } from '@waystation/contract/express.ts';
import { exceptionKinds } from '@waystation/contract/express-exceptions.ts';
import { amongFirst, isMerged, stationSplit } from '#platform/db/newest.ts';
import type { Source, Split } from '#platform/db/newest.ts';
import type { Condition } from '#platform/db/conditions.ts';
import type { Order } from '#platform/db/paging.ts';
import type { Scope } from '#platform/db/scope.ts';
import { statesOfGroup, statesOfTab } from './filters.ts';
import type { ParcelFilters } from './filters.ts';

/** The indexes expresses_station_created, expresses_station_state, expresses_user_created and expresses_state. */
const byTime: Source = { table: 'expresses', alias: 'e', by: { column: 'created_at', type: 'timestamptz' } };

/** Filters that those indexes answer; another one has to look at the rows. */
const indexed = new Set([
  'tab',
  'state_code',
  'group',
  'exception',
  'unmoved_hours',
  'station_id',
  'user_id',
  'created_from',
  'created_to',
  'page',
  'page_size',
  'cursor',
  'sort',
  'countUpTo',
]);

/** Whether a filter narrows the list by something else; a search without a word narrows nothing. */
const isOther = ([name, value]: [string, unknown]): boolean =>
  value !== undefined && value !== '' && !indexed.has(name) && (name !== 'q' || searchWords(String(value)).length > 0);

/** Where most parcels end; a person's own are found among those of all states as fast. */
const usual: StateCode = 300;

const statesOf = ({ tab, state_code, group, unmoved_hours }: ParcelFilters): number[] | null => {
  const ofGroup = group === undefined ? null : statesOfGroup(group);
  if (tab === undefined && state_code === undefined && ofGroup === null && unmoved_hours === undefined) return null;
  const ofTab = tab === undefined ? stateCodes.slice() : statesOfTab(tab);
  const underWay: readonly number[] | null = unmoved_hours === undefined ? null : liveStates;
  return ofTab.filter(
    (code) => (state_code ?? code) === code && (ofGroup === null || ofGroup.includes(code)) && (underWay === null || underWay.includes(code)),
  );
};

/** Open exceptions have indexes of their own: the kind behind a clerk's account, behind stations, or alone. */
const exceptionSplits = (scope: Scope, exception: NonNullable<ParcelFilters['exception']>, station_id: number | undefined): Split[] => {
  const kinds: Split = { column: 'exception', type: 'text', values: exception === 'any' ? exceptionKinds : [exception] };
  if (scope.kind === 'stations' && scope.account !== null) return [{ column: 'user_id', type: 'bigint', values: [scope.account] }, kinds];
  const stations = stationSplit(scope, station_id);
  return stations === null ? [kinds] : [stations, kinds];
};

/** What the index to read begins with; null: an index by time alone, or none. */
const splitsOf = (scope: Scope, filters: ParcelFilters): Split[] | null => {
  const codes = statesOf(filters);
  const states: Split[] = codes === null ? [] : [{ column: 'state_code', type: 'smallint', values: codes }];
  const user = scope.kind === 'stations' && scope.account !== null ? scope.account : filters.user_id;
  // A chosen person's parcels are few among all that have not moved: they are found by their movement, and sorted.
  if (filters.user_id !== undefined && filters.unmoved_hours !== undefined) return null;
  if (user !== undefined && (codes === null || codes.includes(usual))) return [{ column: 'user_id', type: 'bigint', values: [user] }];
  const stations = stationSplit(scope, filters.station_id);
  const splits = stations === null ? states : [stations, ...states];
  return splits.length === 0 ? null : splits;
};

/** How the rows of a page are found by an index in the order of the page. */
export interface PageIndex<F extends ParcelFilters> {
  splits: Split[];
  /** The filters that the index does not answer. */
  others: F;
}

/**
 * The index that finds the rows of a page; null where the filters or the order have none. States that the index begins with are
 * no condition as well: PostgreSQL would multiply both shares, expect no row at all and read by another index.
 */
export const pageIndex = <F extends ParcelFilters>(scope: Scope, filters: F, order: Order): PageIndex<F> | null => {
  if (order.column !== 'created_at') return null;
  if (Object.entries(filters).some(isOther)) return null;
  if (filters.exception !== undefined) {
    const splits = exceptionSplits(scope, filters.exception, filters.station_id);
    return isMerged(splits) ? { splits, others: { ...filters, exception: 'any' } } : null;
  }
  const splits = splitsOf(scope, filters);
  if (splits === null || !isMerged(splits)) return null;
  if (splits.every(({ column }) => column !== 'state_code')) return { splits, others: filters };
  const { group } = filters;
  return { splits, others: { ...filters, tab: undefined, state_code: undefined, unmoved_hours: undefined, group: group === 'total' ? group : undefined } };
};

/** Restricts a page to its own rows. `conditions`: what must hold of them besides the index. */
export const pageCondition = ({ splits }: Pick<PageIndex<ParcelFilters>, 'splits'>, conditions: readonly Condition[], order: Order, count: number): Condition =>
  amongFirst(byTime, splits, conditions, order, count);
