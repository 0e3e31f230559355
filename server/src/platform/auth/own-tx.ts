import { callerOf } from '#platform/db/db.ts';
import type { Db, UserWork } from '#platform/db/db.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { Actor } from './actor.ts';

/**
 * Makes a handler from a change that runs in its caller's transaction. The handler opens a
 * transaction with the actor's scope.
 */
export const inOwnTx =
  <App extends { db: Db }, I, O>(change: (app: App, work: UserWork, input: I) => Promise<O>) =>
  (app: App, actor: Actor, input: I, request: RequestContext): Promise<O> =>
    app.db.tx(callerOf(actor, request), (work) => change(app, work, input));
