import { setTimeout as rest } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { CheckedEndpoint } from '@waystation/contract/endpoint.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { uncounted } from '#platform/db/paging.ts';
import type { Counted, Listed, Paging } from '#platform/db/paging.ts';
import type { RequestContext } from './context.ts';
import { assertSearchFits, limited } from './list-limits.ts';
import type { ListContext, ListHandler } from './list-limits.ts';
import { parseInSlices } from './slices.ts';
import { parseInput } from './validate.ts';

type Read<App, I, A> = (app: App, actor: Actor, input: I) => Promise<A>;
type Page = Omit<Listed<object>, 'items'> & { items: readonly object[] };

/** A list as the HTTP surface has it: what is read through it has the list's own scope, masking and fields. */
export interface ListSource<App> {
  endpoint: CheckedEndpoint;
  handle: Read<App, never, Page>;
  /** The handler of the list's counts call, or of the list itself where that counts its rows. */
  count: Read<App, never, Omit<Page, 'items' | 'next_cursor'>>;
}

/** A list with its handler, and the handler of its counts call where it has one, kept as a value. */
export const listSource = <App, I, C = I>(
  endpoint: CheckedEndpoint,
  handle: Read<App, I, Page>,
  count: Read<App, C, Counted> | null = null,
): ListSource<App> => ({ endpoint, handle: handle as ListSource<App>['handle'], count: (count ?? handle) as ListSource<App>['count'] });

/** The list as somebody who waits for it reads it: each page within the bounds of the list's own route, so that no other route searches without them. */
export const waitedFor = <App extends ListContext>(source: ListSource<App>, request: RequestContext): ListSource<App> => {
  const within =
    <A>(read: Read<App, never, A>): Read<App, never, A> =>
    (app, actor, input) =>
      limited(read as unknown as ListHandler<App>)(app, actor, input, request) as Promise<A>;
  return { ...source, handle: within(source.handle), count: within(source.count) };
};

export interface ListPage {
  items: Record<string, unknown>[];
  next_cursor: string | null;
}

const pageSize = 200;
/** Milliseconds. */
const longestRest = 750;
const paging = new Set(['page', 'page_size', 'cursor']);

/** Of what was given, the list's own filters and its sort: nothing else is looked at, or kept. */
export const ownFilters = ({ endpoint }: Pick<ListSource<never>, 'endpoint'>, filters: Record<string, unknown>): Record<string, unknown> => {
  const shape = endpoint.input instanceof z.ZodMiniObject ? endpoint.input.shape : {};
  return Object.fromEntries(Object.entries(filters).filter(([name]) => Object.hasOwn(shape, name) && !paging.has(name)));
};

/** The rows that the filters match, counted up to `most`; 422 names a filter that does not fit. */
export const countedUpTo = async <App extends ListContext>(
  app: App,
  actor: Actor,
  source: ListSource<App>,
  filters: Record<string, unknown>,
  most: number,
): Promise<Counted> => {
  const own = ownFilters(source, filters);
  assertSearchFits(own['q']);
  const input = { ...(parseInput(source.endpoint.input, { ...own, page_size: 1 }) as object), countUpTo: most };
  const { total, total_is_capped } = await source.count(app, actor, input as never);
  if (total === null) throw new Error(`${source.endpoint.path} has no count`);
  return { total, total_is_capped };
};

/** The list's pages in its own order, uncounted, each cut to the contract; 422 names a filter that does not fit. The reader may be loaded again before each page. */
export async function* walkPages<App extends ListContext>(
  app: App,
  reader: Actor | (() => Promise<Actor>),
  source: ListSource<App>,
  filters: Record<string, unknown>,
): AsyncGenerator<ListPage> {
  const { endpoint, handle } = source;
  const own = ownFilters(source, filters);
  assertSearchFits(own['q']);
  let cursor: string | null = null;
  do {
    const actor = typeof reader === 'function' ? await reader() : reader;
    const parsed = parseInput(endpoint.input, { ...own, page_size: pageSize, ...(cursor !== null && { cursor }) });
    const input = uncounted(parsed as Paging);
    const since = Date.now();
    const cut = await parseInSlices(endpoint.output, await handle(app, actor, input as never));
    if (!cut.success) throw cut.error;
    const page = cut.data as ListPage;
    yield page;
    // Three times as long for those who read lists meanwhile; who waits for the pages is none of them.
    if (app.listSlots.isBusy(typeof reader === 'function' ? undefined : actor.account_id)) await rest(Math.min(3 * (Date.now() - since), longestRest));
    cursor = page.next_cursor;
  } while (cursor !== null);
}
