import { setTimeout as rest } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { uncounted } from '#platform/db/paging.ts';
import type { Counted, Listed, Paging } from '#platform/db/paging.ts';
import type { RequestContext } from './context.ts';
import { assertSearchFits, limited } from './list-limits.ts';
import type { ListContext, ListHandler } from './list-limits.ts';
import { parseInput } from './validate.ts';

type Read<App, I, A> = (app: App, actor: Actor, input: I) => Promise<A>;
type Page = Omit<Listed<object>, 'items'> & { items: readonly object[] };

/** A row of a list. A row that a walk has read contains at least the requested fields. */
export type WalkedRow = Readonly<Record<string, unknown>>;

/** The ids of the rows to read, and the fields that are needed. */
export interface WalkedIds {
  ids: readonly number[];
  fields: ReadonlySet<string>;
}

/**
 * The two reads that return many rows of a list. One statement finds all ids, and the rows are then
 * read by their ids (docs/decisions/0041-walks-find-once-and-read-by-id.md).
 */
export interface ListWalk<App, I = never> {
  /**
   * Finds the ids of the matching rows, in the order of the list. Finds at most `countUpTo` ids (a
   * field of the input), and one more if more rows match.
   */
  ids: Read<App, I, number[]>;
  /**
   * Reads the rows with these ids that the actor may see now, in the order of the ids and with the
   * fields of the list.
   */
  rows: Read<App, WalkedIds, readonly object[]>;
}

/** A list of the HTTP API, with its own scope and masking. */
export interface ListSource<App> {
  endpoint: CheckedEndpoint;
  handle: Read<App, never, Page>;
  /** The handler of the list's counts endpoint, or of the list itself if it counts its rows. */
  count: Read<App, never, Omit<Page, 'items' | 'next_cursor'>>;
  /** The list's walk; null if the list's own pages are read one after another. */
  walk: ListWalk<App> | null;
}

/**
 * Creates a list from its endpoint and handler. A handler of its counts endpoint and a walk are
 * optional.
 */
export const listSource = <App, I, C = I, W = I>(
  endpoint: CheckedEndpoint,
  handle: Read<App, I, Page>,
  count: Read<App, C, Counted> | null = null,
  walk: ListWalk<App, W> | null = null,
): ListSource<App> => ({
  endpoint,
  handle: handle as ListSource<App>['handle'],
  count: (count ?? handle) as ListSource<App>['count'],
  walk: walk as ListWalk<App> | null,
});

/**
 * Returns a list for a user who waits. Every read has the limits of the list's own route, so that
 * no other route can bypass them.
 */
export const waitedFor = <App extends ListContext>(
  source: ListSource<App>,
  request: RequestContext,
): ListSource<App> => {
  const within =
    <I, A>(read: Read<App, I, A>): Read<App, I, A> =>
    (app, actor, input) =>
      limited(read as unknown as ListHandler<App>)(
        app,
        actor,
        input as object,
        request,
      ) as Promise<A>;
  const { walk } = source;
  return {
    ...source,
    handle: within(source.handle),
    count: within(source.count),
    walk: walk && { ids: within(walk.ids), rows: within(walk.rows) },
  };
};

/**
 * The largest number of rows of a page. It is smaller if the reader needs many fields, so that the
 * memory for a page is limited.
 */
const pageSize = 1_000;
const pageValues = 20_000;
/** The longest pause between two pages, in milliseconds. */
const longestRest = 750;
const paging = new Set(['page', 'page_size', 'cursor']);

/**
 * Returns the filters and the sort order that the list itself has. Other fields are neither used
 * nor stored.
 */
export const ownFilters = (
  { endpoint }: Pick<ListSource<never>, 'endpoint'>,
  filters: Record<string, unknown>,
): Record<string, unknown> => {
  const shape = endpoint.input instanceof z.ZodMiniObject ? endpoint.input.shape : {};
  return Object.fromEntries(
    Object.entries(filters).filter(([name]) => Object.hasOwn(shape, name) && !paging.has(name)),
  );
};

/** Returns the input of the list with these filters. Throws a 422 if a filter is invalid. */
const inputOf = (
  { endpoint }: Pick<ListSource<never>, 'endpoint'>,
  filters: Record<string, unknown>,
): Paging => {
  const own = ownFilters({ endpoint }, filters);
  assertSearchFits(own['q']);
  return parseInput(endpoint.input, own) as Paging;
};

/**
 * The rows that match the filters, counted up to a limit. `ids` contains their ids, and is null if
 * the list has no walk.
 */
export interface Selection extends Counted {
  ids: readonly number[] | null;
}

/**
 * Finds at most `most` rows that match the filters, or only counts them. Throws a 422 if a filter
 * is invalid.
 */
export const selectRows = async <App extends ListContext>(
  app: App,
  actor: Actor,
  source: ListSource<App>,
  { filters, most }: { filters: Record<string, unknown>; most: number },
): Promise<Selection> => {
  const input = { ...inputOf(source, filters), page_size: 1, countUpTo: most };
  if (source.walk) {
    const ids = await source.walk.ids(app, actor, input as never);
    return ids.length > most
      ? { total: most, total_is_capped: 1, ids: ids.slice(0, most) }
      : { total: ids.length, total_is_capped: 0, ids };
  }
  const { total, total_is_capped } = await source.count(app, actor, input as never);
  if (total === null) throw new Error(`${source.endpoint.path} has no count`);
  return { total, total_is_capped, ids: null };
};

/** True if the list has a counts endpoint, which returns more than the number of rows. */
export const isCounted = <App>({ count, handle }: ListSource<App>): boolean => count !== handle;

/**
 * Returns the output of the list's counts endpoint for all rows that match the filters, without a
 * limit of rows.
 */
export const countEverything = async <App extends ListContext>(
  app: App,
  actor: Actor,
  source: ListSource<App>,
  filters: Record<string, unknown>,
): Promise<Counted> => {
  const { total, ...answer } = await source.count(app, actor, {
    ...inputOf(source, filters),
    exact: 1,
  } as never);
  if (total === null) throw new Error(`${source.endpoint.path} has no count`);
  return { total, ...answer };
};

/** Throws a 422 if the list has an invalid filter. */
export const assertFilters = (
  source: Pick<ListSource<never>, 'endpoint'>,
  filters: Record<string, unknown>,
): void => void inputOf(source, filters);

/** The rows that a reader wants from a list, and the fields that it needs of each row. */
interface Walk {
  filters: Record<string, unknown>;
  selection: Pick<Selection, 'ids'>;
  fields: ReadonlySet<string>;
}

interface WalkedPage {
  rows: readonly WalkedRow[];
  isLast: boolean;
}

/**
 * Returns a function that reads the next page at each call. It finds the page by the ids, if they
 * are known, and otherwise by the list's cursor.
 */
const pagesOf = <App extends ListContext>(
  app: App,
  { walk, handle }: ListSource<App>,
  input: Paging,
  { ids, fields }: { ids: Selection['ids']; fields: ReadonlySet<string> },
): ((actor: Actor) => Promise<WalkedPage>) => {
  const size = Math.max(1, Math.min(pageSize, Math.floor(pageValues / Math.max(1, fields.size))));
  let at = 0;
  let cursor: string | undefined;
  if (walk && ids)
    return async (actor) => {
      const rows =
        ids.length === 0
          ? []
          : await walk.rows(app, actor, { ids: ids.slice(at, at + size), fields });
      at += size;
      return { rows: rows as readonly WalkedRow[], isLast: at >= ids.length };
    };
  return async (actor) => {
    const { items, next_cursor } = await handle(
      app,
      actor,
      uncounted({ ...input, page_size: pageSize, cursor }) as never,
    );
    cursor = next_cursor ?? undefined;
    return { rows: items as readonly WalkedRow[], isLast: next_cursor === null };
  };
};

/**
 * Reads the selected rows page by page, in the order of the list. The rows are not reduced to the
 * contract's fields and are not validated, so the reader lists the fields that it needs. The actor
 * may be loaded again before each page. A page is read only after the previous page has been used,
 * because other work needs processor time on a machine with few cores.
 */
export async function* walkPages<App extends ListContext>(
  app: App,
  reader: Actor | (() => Promise<Actor>),
  source: ListSource<App>,
  { filters, selection, fields }: Walk,
): AsyncGenerator<readonly WalkedRow[]> {
  const read = pagesOf(app, source, inputOf(source, filters), { ids: selection.ids, fields });
  // If others read lists, waits three times as long as the page took. The account that reads these
  // pages is not one of the others.
  const leaveTime = async (ms: number): Promise<void> => {
    if (app.listSlots.isBusy(typeof reader === 'function' ? undefined : reader.account_id))
      await rest(Math.min(3 * ms, longestRest));
  };
  for (;;) {
    const actor = typeof reader === 'function' ? await reader() : reader;
    const since = Date.now();
    const { rows, isLast } = await read(actor);
    const ms = Date.now() - since;
    yield rows;
    if (isLast) return;
    await leaveTime(ms);
  }
}
