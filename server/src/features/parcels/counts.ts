import { boundedParcels } from '@waystation/contract/base/bounded-lists.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { countExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { expressStates, expressTabs } from '@waystation/contract/parcels/express.ts';
import type { ExpressTab } from '@waystation/contract/parcels/express.ts';
import type { App } from '#app.ts';
import { parcelsByState } from '#domain/express/express-reads.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all, equalIn, filterConditions } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf, Work } from '#platform/db/db.ts';
import { countedOf, limitOfCount } from '#platform/db/paging.ts';
import type { Counting } from '#platform/db/paging.ts';
import type { Origin } from '#platform/http/context.ts';
import {
  inStates,
  parcelConditions,
  planFor,
  statesOfGroup,
  statesOfTab,
  tabConditions,
} from './filters.ts';
import type { ParcelFilters } from './filters.ts';
import { foundParcels } from './search.ts';
import type { Search } from './search.ts';
import { searchBounds } from './search-keys.ts';

type Answer = OutputOf<typeof countExpresses>;

/** The number of parcels in a state, and their sums. */
type StateSums = RowOf<'expresses', 'state_code'> & { n: number } & NonNullable<Answer['sums']>;

/**
 * Filters that the counting tables support (docs/decisions/0005), and query parameters that are not
 * filters.
 */
const steppedFilters = new Set([
  'tab',
  'group',
  'state_code',
  'station_id',
  'user_id',
  'exact',
  'countUpTo',
  'page',
  'page_size',
  'cursor',
  'sort',
]);

const isStepped = (filters: object): boolean =>
  Object.entries(filters).every(
    ([name, value]) => steppedFilters.has(name) || value === undefined || value === '',
  );

type Narrowed = Awaited<ReturnType<typeof parcelConditions>>;

const equal = equalIn('e');

/**
 * The number and sums of the parcels in each state, from the counting tables; exact for any number
 * of parcels.
 */
const steppedSums = async (work: Work, filters: ParcelFilters): Promise<StateSums[]> => {
  const conditions = filterConditions(filters, {
    group: (group) => {
      const codes = statesOfGroup(group);
      return codes === null ? sql<boolean>`e.waybill = 1` : inStates(codes);
    },
    state_code: equal,
    station_id: equal,
  });
  const { rows } = await sql<StateSums>`
    select e.state_code, sum(e.n)::bigint as n, sum(e.post_amount)::bigint as post_amount,
      sum(e.weight)::bigint as weight, sum(e.package_count)::bigint as package_count
    from ${parcelsByState(work, filters.station_id !== undefined, filters.user_id)} e
      where ${all(conditions)} group by 1`.execute(work.tx);
  return rows;
};

/** Counts the parcels by state, row by row. */
const countedSums = async (
  work: Work,
  search: Search,
  conditions: Condition[],
  counting: Counting,
): Promise<StateSums[]> => {
  const { rows } = await sql<StateSums>`
    select state_code, count(*) as n, sum(post_amount)::bigint as post_amount,
      sum(weight)::bigint as weight, sum(package_count)::bigint as package_count
    from (select e.state_code, e.post_amount, coalesce(e.cal_weight, e.weight) as weight,
      e.package_count
      from ${foundParcels(search)} where ${all(conditions)} ${limitOfCount(counting)}) t
        group by 1`.execute(work.tx);
  return rows;
};

const totalOf = (rows: readonly StateSums[]): number => rows.reduce((sum, { n }) => sum + n, 0);

const tabOf = (state_code: number): ExpressTab =>
  expressStates[state_code as keyof typeof expressStates].tab;

const tabsOf = (rows: readonly StateSums[]): Record<string, number> => {
  const tabs = Object.fromEntries(expressTabs.map((tab) => [tab, 0])) as Record<
    ExpressTab | 'all',
    number
  >;
  for (const { state_code, n } of rows) tabs[tabOf(state_code)] += n;
  tabs.all = totalOf(rows);
  return tabs;
};

const sumsOf = (rows: readonly StateSums[]): NonNullable<Answer['sums']> => ({
  post_amount: rows.reduce((sum, row) => sum + row.post_amount, 0),
  weight: rows.reduce((sum, row) => sum + row.weight, 0),
  package_count: rows.reduce((sum, row) => sum + row.package_count, 0),
});

/**
 * The response about the filtered parcels, from their sums by state. `rows` are the sums of all
 * tabs.
 */
const wholeAnswer = (rows: readonly StateSums[], { tab }: ParcelFilters): Answer => {
  const codes = tab && new Set(statesOfTab(tab));
  const chosen = codes ? rows.filter(({ state_code }) => codes.has(state_code)) : rows;
  return { total: totalOf(chosen), total_is_capped: 0, sums: sumsOf(chosen), tabs: tabsOf(rows) };
};

/** Counts one search range (docs/decisions/0036), or everything if there is no search. */
const windowAnswer = async (
  work: Work,
  { base, search }: Narrowed,
  filters: ParcelFilters & Counting,
): Promise<Answer> => {
  const every = await countedSums(work, search, base, filters);
  if (countedOf(totalOf(every), filters).total_is_capped === 0) return wholeAnswer(every, filters);
  const chosen = filters.tab
    ? await countedSums(work, search, [...base, ...tabConditions(filters)], filters)
    : every;
  const counted = countedOf(totalOf(chosen), filters);
  return { ...counted, sums: counted.total_is_capped === 1 ? null : sumsOf(chosen), tabs: null };
};

const added = <K extends string>(
  one: Record<K, number> | null,
  other: Record<K, number> | null,
): Record<K, number> | null =>
  one &&
  other &&
  (Object.fromEntries(
    (Object.keys(one) as K[]).map((key) => [key, one[key] + other[key]]),
  ) as Record<K, number>);

/**
 * The number of parcels that the list's filters match, their sums, and the count of each tab. The
 * counting tables are used if they support the filters.
 */
export const counts = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof countExpresses> & Counting,
  origin: Origin | null = null,
): Promise<Answer> => {
  const caller = callerOf(actor, origin);
  const count = async (work: ReaderWork): Promise<Answer> => {
    if (isStepped(filters)) return wholeAnswer(await steppedSums(work, filters), filters);
    assertDays(boundedParcels, filters, app.clock.now());
    const narrow = (before: number | null): Promise<Narrowed> =>
      parcelConditions(app, work, filters, { before, most: searchBounds.found });
    let narrowed = await narrow(filters.searched_before ?? null);
    let answer = await windowAnswer(work, narrowed, filters);
    // A reader of a list waits for one search range only. Exact counts, and counts before a bulk
    // action or an export, include all search ranges.
    const every = filters.exact === 1 || filters.countUpTo !== undefined;
    while (every && answer.total_is_capped === 0 && narrowed.search.searched_to !== null) {
      narrowed = await narrow(narrowed.search.searched_to);
      const older = await windowAnswer(work, narrowed, filters);
      const total = countedOf(answer.total + older.total, filters);
      answer = {
        total: total.total,
        total_is_capped: older.total_is_capped === 1 ? 1 : total.total_is_capped,
        sums: added(answer.sums, older.sums),
        tabs: added(answer.tabs, older.tabs),
      };
    }
    return narrowed.search.searched_to === null
      ? answer
      : { ...answer, total_is_capped: 1, sums: null, tabs: null };
  };
  return app.db.tx(caller, count, { plan: planFor(filters) });
};
