import { setTimeout as rest } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { CheckedEndpoint } from '@waystation/contract/endpoint.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { RequestContext } from './context.ts';
import { assertSearchFits, limited } from './list-limits.ts';
import type { ListContext, ListHandler } from './list-limits.ts';
import { parseInSlices } from './slices.ts';
import { parseInput } from './validate.ts';

/** A list as the HTTP surface has it: what is read through it has the list's own scope, masking and fields. */
export interface ListSource<App> {
  endpoint: CheckedEndpoint;
  handle: (app: App, actor: Actor, input: never) => Promise<{ items: readonly object[]; total: number; next_cursor: string | null }>;
}

/** A list and its handler, kept as a value. */
export const listSource = <App, I>(
  endpoint: CheckedEndpoint,
  handle: (app: App, actor: Actor, input: I) => Promise<{ items: readonly object[]; total: number; next_cursor: string | null }>,
): ListSource<App> => ({ endpoint, handle: handle as ListSource<App>['handle'] });

/** The list as somebody who waits for it reads it: each page within the bounds of the list's own route, so that no other route searches without them. */
export const waitedFor = <App extends ListContext>(source: ListSource<App>, request: RequestContext): ListSource<App> => {
  const bounded = limited(source.handle as unknown as ListHandler<App>);
  return { ...source, handle: (app, actor, input) => bounded(app, actor, input, request) as ReturnType<ListSource<App>['handle']> };
};

export interface ListPage {
  items: Record<string, unknown>[];
  total: number;
  total_is_capped: number;
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

/** The list's pages in its own order, each cut to the contract; 422 names a filter that does not fit. The reader may be loaded again before each page. */
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
    const input: unknown = parseInput(endpoint.input, { ...own, page_size: pageSize, ...(cursor !== null && { cursor }) });
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
