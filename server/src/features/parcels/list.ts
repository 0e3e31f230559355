import { boundedParcels } from '@waystation/contract/bounded-lists.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import type { App } from '#app.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { all } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { lastTexts, sql } from '#platform/db/db.ts';
import type { RawBuilder, Tx } from '#platform/db/db.ts';
import { cursorOf, limitOfPage, orderOf, pageOfRows, pageWindow, readCursor } from '#platform/db/paging.ts';
import type { Counting, Order } from '#platform/db/paging.ts';
import { plannedOnce } from '#platform/db/prepared.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { WrittenAnswer } from '#platform/http/answer-text.ts';
import type { Origin } from '#platform/http/context.ts';
import { parcelConditions, tabConditions, unmovedFor } from './filters.ts';
import { isListedTime, listColumns } from './list-columns.ts';
import { listedPage } from './list-text.ts';
import type { ListedPage } from './list-text.ts';
import { packingOf } from './list-packing.ts';
import type { Packing, Selection } from './list-packing.ts';
import { pageCondition, pageIndex } from './list-index.ts';
import type { PageIndex } from './list-index.ts';
import { foundParcels, nextPlace, placeOf } from './search.ts';
import type { Search } from './search.ts';
import { searchBounds } from './search-keys.ts';
import { isoOf, nameColumns, nameJoins, viewOf } from './view.ts';
import type { ListedTexts } from './view.ts';

type Filters = ParsedOf<typeof listExpresses> & Counting;

/** The columns a list may be sorted by; ties by id, so that the order is stable. */
export const sortable = ['-created_at', 'post_amount', 'weight', 'cal_weight', 'state_code'] as const;

/** What a column is sorted by: a parcel not yet billed by its declared weight. */
export const sortedBy = (column: string) => (column === 'cal_weight' ? sql`coalesce(e.cal_weight, e.weight)` : sql.ref(`e.${column}`));

/** What the place of the next page follows from. */
type Last = Pick<ListedTexts, 'id' | 'created_at' | 'cal_weight' | 'weight' | 'post_amount' | 'state_code'>;

const sortValue = ({ column }: Order, row: Last): string | number | null => {
  if (column === 'cal_weight') return row.cal_weight ?? row.weight;
  return column === 'created_at' ? isoOf(row.created_at) : row[column as 'post_amount'];
};

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const afterCursor = (order: Order, cursor: string | undefined): Condition[] => {
  if (!cursor) return [];
  const ofTime = order.column.endsWith('_at');
  const isTime = (value: unknown): boolean => typeof value === 'string' && isoTime.test(value) && !Number.isNaN(Date.parse(value));
  const { value, id } = readCursor(cursor, ofTime ? isTime : Number.isSafeInteger);
  const cast = sql.raw(ofTime ? 'timestamptz' : 'bigint');
  const column = sortedBy(order.column);
  return [
    order.descending
      ? sql<boolean>`(${column}, e.id) < (${value}::${cast}, ${id}::bigint)`
      : sql<boolean>`(${column}, e.id) > (${value}::${cast}, ${id}::bigint)`,
  ];
};

// As finished text: a statement of eighty references is put together again for each page, which cost a tenth of its time.
const columns = sql.raw(listColumns.map((column) => `e."${column}"`).join(', '));
const columnsAsText = sql.raw(listColumns.map((column) => (isListedTime(column) ? `e."${column}"::text as "${column}"` : `e."${column}"`)).join(', '));

/** What a page is read from. */
interface PageSource {
  scope: Scope;
  search: Search;
  index: PageIndex<Filters> | null;
  conditions: Condition[];
}

/** Rows up to the end of the page, and the one after it. */
const rowsToRead = (filters: Filters): number => {
  const { size, offset } = pageWindow(filters);
  return offset + size + 1;
};

/**
 * A page in the order in which a search finds parcels needs only the newest that it finds. So many times the page are looked for, because ids and `created_at`
 * differ in order by the moment between two transactions, and a condition may leave some out.
 */
const pagesSearched = 3;
const isNewestFirst = ({ column, descending }: Order): boolean => column === 'created_at' && descending;

/** Of a page whose values are read one by one. */
export const unpacked: Selection = { picked: sql`${columns}, e.merchant_id`, columns: sql`${columnsAsText}, ${nameColumns}` };

/** Parcels of a page and one more, newest first by default. `nameJoins` joins by `merchant_id`. */
const pageQuery = ({ scope, search, index, conditions }: PageSource, order: Order, filters: Filters, selection: Selection): RawBuilder<ListedTexts> => {
  const { direction } = order;
  const matching = [...conditions, ...afterCursor(order, filters.cursor)];
  const picked = index ? [scopeCondition(scope, 'e.station_id', 'e.user_id'), pageCondition(index, matching, order, rowsToRead(filters))] : matching;
  // The index is the account's own: at a million parcels planning its page took 3 of 6 ms, each time.
  const isOnce = index && scope.kind === 'stations' && scope.account !== null && filters.unmoved_hours === undefined;
  const once = sql.raw(isOnce ? plannedOnce : '');
  return sql<ListedTexts>`
    with ${once} picked as (
      select ${selection.picked} from ${foundParcels(search)} where ${all(picked)}
      order by ${sortedBy(order.column)} ${direction}, e.id ${direction} ${limitOfPage(filters)})
    select ${selection.columns}
    from picked e ${nameJoins}
    order by ${sortedBy(order.column)} ${direction}, e.id ${direction}`;
};

/** How the rows of a page are read, and what of a row the next page begins with. */
interface Reading<Row> {
  selection: Selection;
  rows(tx: Tx, query: RawBuilder<ListedTexts>): Promise<readonly Row[]>;
  last(row: Row): Last;
}

/** A page whose rows are read as `reading` has it, in the transaction's last statement. */
const readList = async <Row>(app: App, actor: Actor, filters: Filters, origin: Origin | null, { selection, rows: rowsOf, last: lastOf }: Reading<Row>) => {
  const scope = scopeOf(actor);
  const order = orderOf(filters.sort, sortable);
  return app.db.tx(scope, async (tx) => {
    // A walk was asked for with days that fit, and may go on after midnight.
    if (filters.countUpTo !== 0) assertDays(boundedParcels, filters, app.clock.now());
    const place = placeOf(filters);
    const index = pageIndex(scope, filters, order);
    const narrowing = index?.others ?? filters;
    const unmoved = index && filters.unmoved_hours !== undefined ? [unmovedFor(filters.unmoved_hours, app.clock.now())] : [];
    const readFrom = async (most: number): Promise<{ rows: readonly Row[]; search: Search }> => {
      const { base, search } = await parcelConditions(app, tx, actor, scope, narrowing, { before: place.before, most }, origin);
      const conditions = [...base, ...tabConditions(narrowing), ...unmoved];
      return { search, rows: await rowsOf(tx, pageQuery({ scope, search, index, conditions }, order, { ...filters, cursor: place.cursor }, selection)) };
    };
    const { found } = searchBounds;
    const few = isNewestFirst(order) ? Math.min(rowsToRead(filters) * pagesSearched, found) : found;
    const first = await readFrom(few);
    // Where the newest few do not fill the page, it is read from the whole window.
    const isShort = first.search.searched_to !== null && first.rows.length < pageWindow(filters).size + 1;
    const { rows, search } = few < found && isShort ? await readFrom(found) : first;
    // Parcels older than the few that were searched are of the same window: its pages go on to them.
    const searched_to = few < found && !isShort ? null : search.searched_to;
    const { items, last: row } = pageOfRows(rows, pageWindow(filters).size);
    const last = row && lastOf(row);
    const next_cursor = nextPlace(place, last && cursorOf(sortValue(order, last), last.id), { searched_to });
    return { items, rest: { total: null, total_is_capped: 0 as const, next_cursor, missing: search.missing, searched_to } };
  });
};

const asObjects: Reading<ListedTexts> = { selection: unpacked, rows: async (tx, query) => (await query.execute(tx)).rows, last: (row) => row };

/** The list of requirements §2's ExpressTable. Its rows are counted by `counts` (docs/decisions/0035). */
export const list = async (app: App, actor: Actor, filters: Filters, origin: Origin | null = null): Promise<OutputOf<typeof listExpresses>> => {
  const { items, rest } = await readList(app, actor, filters, origin, asObjects);
  return { items: items.map((row) => viewOf(actor, row)), ...rest };
};

/** A page was read packed, and a text in it holds what is put between values. */
class NotUnpackedError extends Error {}

/** How pages are packed, once one has been read unpacked, whose columns say their types. */
let packing: Packing | null = null;

const readText = async (app: App, actor: Actor, filters: Filters, origin: Origin | null, packed: Packing | null): Promise<WrittenAnswer> => {
  let page: ListedPage | null = null;
  const { items, rest } = await readList(app, actor, filters, origin, {
    selection: packed ?? unpacked,
    rows: async (tx, query) => {
      const read = await lastTexts(tx, query);
      const texts = packed ? packed.unpack(read) : read;
      if (!texts) throw new NotUnpackedError();
      packing ??= packingOf(texts.columns);
      page = listedPage(texts);
      return page.rows;
    },
    last: (row) => page!.last(row),
  });
  return new WrittenAnswer(page!.write(actor, items, rest));
};

/** `list`, written as the answer's text from the texts that PostgreSQL sends (docs/decisions/0063). Not for a search, which may read twice. */
export const listText = (app: App, actor: Actor, filters: Filters, origin: Origin | null = null): Promise<WrittenAnswer> =>
  readText(app, actor, filters, origin, packing).catch((error: unknown) => {
    if (!(error instanceof NotUnpackedError)) throw error;
    // How columns are packed follows from the page that is read now, in case they have changed.
    packing = null;
    app.log.info('a page of parcels was read by its columns, since a text in it holds what is put between packed values');
    return readText(app, actor, filters, origin, null);
  });

/** The answer to a request for the list. */
export const answerList = (app: App, actor: Actor, filters: Filters, origin: Origin | null = null): Promise<WrittenAnswer | OutputOf<typeof listExpresses>> =>
  filters.q === undefined ? listText(app, actor, filters, origin) : list(app, actor, filters, origin);
