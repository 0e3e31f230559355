import * as z from 'zod/mini';
import { mostPaged } from '@waystation/contract/base/limits.ts';
import { searchProblem } from '@waystation/contract/shell/search.ts';
import type { CheckedEndpoint } from '@waystation/contract/base/endpoint.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { QueryCancelledError } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { pageWindow } from '#platform/db/paging.ts';
import type { Paging } from '#platform/db/paging.ts';
import { fail } from '#platform/fail.ts';
import type { ListSlots } from '#platform/list-slots.ts';
import type { RequestContext } from './context.ts';
import type { Route } from './route.ts';

/** The parts of the application that are needed to limit the reads of a list. */
export interface ListContext {
  db: Db;
  /** The slots of running list reads, with the queue of waiting ones. */
  listSlots: ListSlots;
  /** The slots of exact counts. An exact count reads every matching row. */
  exactSlots: ListSlots;
  config: { listTimeoutMs: number; exactTimeoutMs: number };
}

/** Throws a 422 with the limit if a search text is too long (requirements §10.12). */
export const assertSearchFits = (q: unknown): void => {
  const problem = typeof q === 'string' ? searchProblem(q) : null;
  if (problem) fail(problem.code, problem.params);
};

/**
 * Throws 422 with the limit if the page is beyond the last row that page numbers can reach. Rows
 * further down can be reached only with a cursor (docs/decisions/0085).
 */
const assertPageFits = (input: Paging): void => {
  const { size, offset } = pageWindow(input);
  if (offset + size > mostPaged) fail('page_too_far', { limit: mostPaged });
};

const hasInput = ({ input }: CheckedEndpoint, name: string): boolean =>
  input instanceof z.ZodMiniObject && Object.hasOwn(input.shape, name);

/** True for every GET endpoint that returns pages or has a search text. */
const isList = (endpoint: CheckedEndpoint): boolean =>
  endpoint.method === 'GET' && (hasInput(endpoint, 'page_size') || hasInput(endpoint, 'q'));

/** PostgreSQL's code for a statement that was cancelled or exceeded its time limit. */
const ended = '57014';

export type ListHandler<App> = (
  app: App,
  actor: Actor,
  input: Paging & { q?: string },
  request: RequestContext,
) => Promise<unknown>;

/**
 * Applies the limits of lists to a handler: the length of the search text, a statement timeout, and
 * few simultaneous queries of one account. If the caller disconnects, the query is cancelled. A
 * browser disconnects when a newer search replaces this one. An exact count has a longer timeout
 * and its own slots.
 */
export const limited =
  <App extends ListContext>(handle: ListHandler<App>): ListHandler<App> =>
  (app, actor, input, request) => {
    assertSearchFits(input.q);
    assertPageFits(input);
    const { signal } = request;
    const isExact = input.exact === 1;
    // A count may use many short statements, so this time limit is for all of them together.
    const late =
      isExact || input.countUpTo !== undefined
        ? AbortSignal.timeout(app.config.exactTimeoutMs)
        : null;
    const bounds = {
      statementTimeout: isExact ? app.config.exactTimeoutMs : app.config.listTimeoutMs,
      signal: late ? AbortSignal.any([signal, late]) : signal,
    };
    const db: Db = {
      ...app.db,
      tx: (caller, work, limits) => app.db.tx(caller, work, { ...limits, ...bounds }),
    };
    return (isExact ? app.exactSlots : app.listSlots).run(actor.account_id, signal, async () => {
      try {
        return await handle({ ...app, db }, actor, input, request);
      } catch (error) {
        if (signal.aborted || (error instanceof QueryCancelledError && !late?.aborted))
          return fail('search_cancelled');
        if (late?.aborted || (error as { code?: string }).code === ended)
          return fail('search_too_slow', {}, { retryAfter: 5 });
        throw error;
      }
    });
  };

/** Adds the limits to every list among the routes, so that no list can be without limits. */
export const limitLists = <App extends ListContext>(
  routes: readonly Route<App>[],
): readonly Route<App>[] =>
  routes.map((entry) =>
    entry.endpoint.roles !== 'public' && isList(entry.endpoint)
      ? {
          ...entry,
          handle: limited(entry.handle as unknown as ListHandler<App>) as Route<App>['handle'],
        }
      : entry,
  );
