import { searchWords } from '@waystation/contract/shell/search.ts';
import { liveStates } from '@waystation/contract/parcels/express-states.ts';
import { stateCodes } from '@waystation/contract/parcels/express.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import { exceptionKinds } from '@waystation/contract/parcels/express-exceptions.ts';
import { amongFirst, isMerged, stationSplit } from '#platform/db/newest.ts';
import type { Source, Split } from '#platform/db/newest.ts';
import type { Condition } from '#platform/db/conditions.ts';
import type { Order } from '#platform/db/paging.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { statesOfGroup, statesOfTab } from './filters.ts';
import type { ParcelFilters } from './filters.ts';

/**
 * The table and column of the indexes expresses_station_created, expresses_station_state,
 * expresses_user_created and expresses_state.
 */
const byTime: Source = {
  table: 'expresses',
  alias: 'e',
  by: { column: 'created_at', type: 'timestamptz' },
};

/** Filters that the indexes of `byTime` support. Any other filter must be checked on the rows. */
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

/** True if a filter cannot be answered from the indexes. A search without a word is no filter. */
const isOther = ([name, value]: [string, unknown]): boolean =>
  value !== undefined &&
  value !== '' &&
  !indexed.has(name) &&
  (name !== 'q' || searchWords(String(value)).length > 0);

/**
 * The final state of most parcels. If it is included, reading one account's parcels of all states
 * is as fast as reading only the wanted states.
 */
const usual: StateCode = 300;

const statesOf = ({ tab, state_code, group, unmoved_hours }: ParcelFilters): number[] | null => {
  const ofGroup = group === undefined ? null : statesOfGroup(group);
  if (
    tab === undefined &&
    state_code === undefined &&
    ofGroup === null &&
    unmoved_hours === undefined
  )
    return null;
  const ofTab = tab === undefined ? stateCodes.slice() : statesOfTab(tab);
  const underWay: readonly number[] | null = unmoved_hours === undefined ? null : liveStates;
  return ofTab.filter(
    (code) =>
      (state_code ?? code) === code &&
      (ofGroup === null || ofGroup.includes(code)) &&
      (underWay === null || underWay.includes(code)),
  );
};

/**
 * The first columns of the indexes of open exceptions, which are separate. The kind is the column
 * after a clerk's account or the stations; without these it is the first column.
 */
const exceptionSplits = (
  work: Scoped,
  exception: NonNullable<ParcelFilters['exception']>,
  station_id: number | undefined,
): Split[] => {
  const kinds: Split = {
    column: 'exception',
    type: 'text',
    values: exception === 'any' ? exceptionKinds : [exception],
    isSparse: true,
  };
  if (work.scope.kind === 'stations' && work.scope.account !== null)
    return [{ column: 'user_id', type: 'bigint', values: [work.scope.account] }, kinds];
  const stations = stationSplit(work, station_id);
  return stations === null ? [kinds] : [stations, kinds];
};

/**
 * The first columns of the index to read; null if the page is read from an index by time only, or
 * from no index.
 */
const splitsOf = (work: Scoped, filters: ParcelFilters): Split[] | null => {
  const codes = statesOf(filters);
  const states: Split[] =
    codes === null ? [] : [{ column: 'state_code', type: 'smallint', values: codes }];
  const user =
    work.scope.kind === 'stations' && work.scope.account !== null
      ? work.scope.account
      : filters.user_id;
  // Only a few of the unmoved parcels belong to one account, so they are found by their last
  // movement and then sorted.
  if (filters.user_id !== undefined && filters.unmoved_hours !== undefined) return null;
  if (user !== undefined && (codes === null || codes.includes(usual)))
    return [{ column: 'user_id', type: 'bigint', values: [user] }];
  const stations = stationSplit(work, filters.station_id);
  const splits = stations === null ? states : [stations, ...states];
  return splits.length === 0 ? null : splits;
};

/** The index that returns a page's rows in the order of the list. */
export interface PageIndex<F extends ParcelFilters> {
  splits: Split[];
  /** The filters for which the index cannot be used. */
  others: F;
}

/**
 * The index for the rows of a page; null if no index fits the filters or the order. States with
 * which the index begins are left out of the other filters. PostgreSQL would otherwise multiply the
 * selectivities of both conditions, expect no row, and choose another index.
 */
export const pageIndex = <F extends ParcelFilters>(
  work: Scoped,
  filters: F,
  order: Order,
): PageIndex<F> | null => {
  if (order.column !== 'created_at') return null;
  if (Object.entries(filters).some(isOther)) return null;
  if (filters.exception !== undefined) {
    const splits = exceptionSplits(work, filters.exception, filters.station_id);
    return isMerged(splits) ? { splits, others: { ...filters, exception: 'any' } } : null;
  }
  const splits = splitsOf(work, filters);
  if (splits === null || !isMerged(splits)) return null;
  if (splits.every(({ column }) => column !== 'state_code')) return { splits, others: filters };
  const { group } = filters;
  return {
    splits,
    others: {
      ...filters,
      tab: undefined,
      state_code: undefined,
      unmoved_hours: undefined,
      group: group === 'total' ? group : undefined,
    },
  };
};

/**
 * The condition that restricts a page to its own rows. `conditions` are further conditions on these
 * rows.
 */
export const pageCondition = (
  { splits }: Pick<PageIndex<ParcelFilters>, 'splits'>,
  conditions: readonly Condition[],
  order: Order,
  count: number,
): Condition => amongFirst(byTime, { splits, conditions }, order, count);
