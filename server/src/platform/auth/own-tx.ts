import type { Db, Tx } from '#platform/db/db.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { scopeOf } from './actor.ts';
import type { Actor } from './actor.ts';

/** A change that works in its caller's transaction, as a handler that opens one in the actor's scope. */
export const inOwnTx =
  <App extends { db: Db }, I, O>(change: (app: App, tx: Tx, actor: Actor, input: I, request: RequestContext) => Promise<O>) =>
  (app: App, actor: Actor, input: I, request: RequestContext): Promise<O> =>
    app.db.tx(scopeOf(actor), (tx) => change(app, tx, actor, input, request));
