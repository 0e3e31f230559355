import type { CheckedEndpoint, OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { FileAnswer, RequestContext } from './context.ts';
import type { StreamAnswer } from './event-stream.ts';

/**
 * An endpoint with its handler. `App` is the object that main builds: database, jobs, clock,
 * secrets …
 */
export interface Route<App> {
  endpoint: CheckedEndpoint;
  handle: (app: App, actor: never, input: never, request: RequestContext) => Promise<unknown>;
}

type Answer<E> = E extends { answers: 'file' } ? FileAnswer : OutputOf<E>;

/**
 * Creates an entry of the table of routes. The handler of a public endpoint gets null as its actor.
 * Routes are values, so that tests can iterate over them, and so that an endpoint without roles or
 * schemas does not compile.
 */
export const route = <App, E extends CheckedEndpoint>(
  endpoint: E,
  handle: (
    app: App,
    actor: E['roles'] extends 'public' ? null : Actor,
    input: ParsedOf<E>,
    request: RequestContext,
  ) => Promise<Answer<E> | FileAnswer | StreamAnswer>,
): Route<App> => ({ endpoint, handle: handle as Route<App>['handle'] });
