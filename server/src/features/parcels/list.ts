import { boundedParcels } from '@waystation/contract/base/bounded-lists.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { defaultFields, rowFields } from '@waystation/contract/parcels/express-fields.ts';
import type { ExpressRow, ListedField } from '@waystation/contract/parcels/express.ts';
import type { App } from '#app.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, rowsAtEnd, sql } from '#platform/db/db.ts';
import type { RawBuilder, ReaderWork, TxLimits } from '#platform/db/db.ts';
import {
  cursorOf,
  limitOfPage,
  orderOf,
  pageOfRows,
  pageWindow,
  readCursor,
} from '#platform/db/paging.ts';
import type { Counting, Order } from '#platform/db/paging.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import type { Origin } from '#platform/http/context.ts';
import { parcelConditions, planFor, tabConditions, unmovedFor } from './filters.ts';
import { sourcesOf } from './fields.ts';
import type { FieldSources } from './fields.ts';
import { pageCondition, pageIndex } from './list-index.ts';
import type { PageIndex } from './list-index.ts';
import { foundParcels, nextPlace, placeOf } from './search.ts';
import type { Search } from './search.ts';
import { searchBounds } from './search-keys.ts';
import { viewOf } from './view.ts';
import type { PartOfExpress } from './view.ts';

type Filters = ParsedOf<typeof listExpresses> & Counting;

/**
 * The columns by which the list may be sorted. Equal rows are sorted by id, so that the order is
 * stable.
 */
export const sortable = [
  '-created_at',
  'post_amount',
  'weight',
  'cal_weight',
  'state_code',
] as const;

/**
 * The SQL value by which a column is sorted. For `cal_weight` of an unbilled parcel it is the
 * declared weight.
 */
export const sortedBy = (column: string) =>
  column === 'cal_weight'
    ? sql`coalesce(e.cal_weight,
  e.weight)`
    : sql.ref(`e.${column}`);

/** A row of a page as it is read from the database. */
type Row = PartOfExpress & {
  id: number;
  /** The value by which the row is sorted. The cursor of the next page is made from it. */
  sort_value: Date | number | null;
};

const isoOf = (value: Row['sort_value']): string | number | null =>
  value instanceof Date ? value.toISOString() : value;

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const afterCursor = (order: Order, cursor: string | undefined): Condition[] => {
  if (!cursor) return [];
  const ofTime = order.column.endsWith('_at');
  const isTime = (value: unknown): boolean =>
    typeof value === 'string' && isoTime.test(value) && !Number.isNaN(Date.parse(value));
  const { value, id } = readCursor(cursor, ofTime ? isTime : Number.isSafeInteger);
  const cast = sql.raw(ofTime ? 'timestamptz' : 'bigint');
  const column = sortedBy(order.column);
  return [
    order.descending
      ? sql<boolean>`(${column}, e.id) < (${value}::${cast}, ${id}::bigint)`
      : sql<boolean>`(${column}, e.id) > (${value}::${cast}, ${id}::bigint)`,
  ];
};

/** The input for reading a page. */
interface PageSource {
  scope: Scope;
  search: Search;
  index: PageIndex<Filters> | null;
  conditions: Condition[];
}

/** The number of rows up to the end of the page, plus one. */
const rowsToRead = (filters: Filters): number => {
  const { size, offset } = pageWindow(filters);
  return offset + size + 1;
};

/**
 * The number of pages of newest results that a search returns, if the page is in the order of the
 * search. One page is too few: the orders of ids and of `created_at` differ slightly, and a
 * condition may remove some parcels.
 */
const pagesSearched = 3;
const isNewestFirst = ({ column, descending }: Order): boolean =>
  column === 'created_at' && descending;

/** The fields of every row, and the fields of the default columns. */
const usualFields: readonly ListedField[] = [...rowFields, ...defaultFields];

/** The columns and joins for a page; those of the default fields are prepared only once. */
const readFor = (fields: readonly ListedField[] | undefined): FieldSources =>
  fields === undefined ? usualSources : sourcesOf([...rowFields, ...fields]);
const usualSources = sourcesOf(usualFields);

/** The query for the parcels of a page and one more, newest first by default. */
const pageQuery = (
  { scope, search, index, conditions }: PageSource,
  order: Order,
  filters: Filters,
): RawBuilder<Row> => {
  const { direction } = order;
  const { picked, columns, joins } = readFor(filters.fields);
  const value = sortedBy(order.column);
  const matching = [...conditions, ...afterCursor(order, filters.cursor)];
  const which = index
    ? [
        scopeCondition({ scope }, 'e.station_id', 'e.user_id'),
        pageCondition(index, matching, order, rowsToRead(filters)),
      ]
    : matching;
  return sql<Row>`
    with picked as (
      select ${picked}, ${value} as sort_value from ${foundParcels(search)} where ${all(which)}
      order by ${value} ${direction}, e.id ${direction} ${limitOfPage(filters)})
    select ${columns}, e.sort_value from picked e ${joins}
    order by e.sort_value ${direction}, e.id ${direction}`;
};

/** A search, and the query that was sent for the rows of its page. */
interface Reading {
  search: Search;
  sent: { rows: Promise<Row[]> };
}

/**
 * The number of parcels that a search returns for a page: a few of the newest first, and a whole
 * search range if they do not fill the page.
 */
const reachOf = (order: Order, filters: Filters): { few: number; found: number } => {
  const { found } = searchBounds;
  return {
    few: isNewestFirst(order) ? Math.min(rowsToRead(filters) * pagesSearched, found) : found,
    found,
  };
};

/**
 * The plan mode for a page. A page from the index by account uses a generic plan: with a million
 * parcels, planning took 3 of 6 ms each time.
 */
const planOfPage = (
  scope: Scope,
  index: PageIndex<Filters> | null,
  filters: Filters,
): TxLimits['plan'] => {
  const isOfAccount = index !== null && scope.kind === 'stations' && scope.account !== null;
  return planFor(filters) ?? (isOfAccount ? 'generic' : undefined);
};

/**
 * Reads a page in the caller's transaction. The commit is sent together with the last statement.
 */
const readPage = async (
  app: App,
  work: ReaderWork,
  filters: Filters,
  index: PageIndex<Filters> | null,
): Promise<Pick<Reading, 'sent'> & Pick<Search, 'missing' | 'searched_to'>> => {
  const { scope } = work;
  const order = orderOf(filters.sort, sortable);
  const place = placeOf(filters);
  const narrowing = index?.others ?? filters;
  const unmoved =
    index && filters.unmoved_hours !== undefined
      ? [unmovedFor(filters.unmoved_hours, app.clock.now())]
      : [];
  const readFrom = async (most: number): Promise<Reading> => {
    const { base, search } = await parcelConditions(app, work, narrowing, {
      before: place.before,
      most,
    });
    const conditions = [...base, ...tabConditions(narrowing), ...unmoved];
    const source = { scope, search, index, conditions };
    const query = pageQuery(source, order, { ...filters, cursor: place.cursor });
    return { search, sent: rowsAtEnd(work, query) };
  };
  const { few, found } = reachOf(order, filters);
  const { search, sent } = await readFrom(few);
  const { missing, searched_to } = search;
  if (few === found || searched_to === null) return { sent, missing, searched_to };
  // The first parcels fill the page. The search range has older parcels too, so the next page
  // continues in the same range.
  if ((await sent.rows).length > pageWindow(filters).size)
    return { sent, missing, searched_to: null };
  const whole = await readFrom(found);
  return {
    sent: whole.sent,
    missing: whole.search.missing,
    searched_to: whole.search.searched_to,
  };
};

/**
 * Returns the parcel list (ExpressTable in requirements §2) with the requested fields. `counts`
 * counts its rows (docs/decisions/0035).
 */
export const list = async (
  app: App,
  actor: Actor,
  filters: Filters,
  origin: Origin | null = null,
): Promise<OutputOf<typeof listExpresses>> => {
  // The days of an export or a job are not checked again: it began with a valid range of days, and
  // may continue after midnight.
  if (filters.countUpTo !== 0) assertDays(boundedParcels, filters, app.clock.now());
  const caller = callerOf(actor, origin);
  const index = pageIndex(caller, filters, orderOf(filters.sort, sortable));
  const { sent, missing, searched_to } = await app.db.tx(
    caller,
    (work) => readPage(app, work, filters, index),
    { plan: planOfPage(caller.scope, index, filters) },
  );
  const { items, last } = pageOfRows(await sent.rows, pageWindow(filters).size);
  const next = last && cursorOf(isoOf(last.sort_value), last.id);
  return {
    // The fields of every page include `rowFields`.
    items: items.map((row) => viewOf(actor, row) as ExpressRow),
    total: null,
    total_is_capped: 0,
    next_cursor: nextPlace(placeOf(filters), next, { searched_to }),
    missing,
    searched_to,
  };
};
