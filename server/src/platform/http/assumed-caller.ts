import type { Actor } from '#platform/auth/actor.ts';
import { isSameCaller } from '#platform/auth/callers.ts';
import type { AssumedCaller } from '#platform/auth/callers.ts';
import type { Db } from '#platform/db/db.ts';

/** A caller who is assumed, and the application whose first transaction asks who calls before it reads. */
export interface Assumed<App> extends AssumedCaller {
  app: App;
}

/** The application for one request of an assumed caller. */
export const assumedIn = <App extends { db: Db }>(app: App, caller: AssumedCaller): Assumed<App> => {
  const { db } = app;
  return { ...caller, app: { ...app, db: { ...db, tx: (scope, work, limits) => db.tx(scope, work, { ...limits, first: caller.first }) } } };
};

type Outcome<T> = { value: T } | { error: unknown };

const outcomeOf = <T>(work: Promise<T>): Promise<Outcome<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/**
 * What `read` answers for the assumed caller, or its failure, where the database says in the same transaction that it is who calls and with these rights. Else
 * that is thrown away and `ordinary` answers, who asks first.
 */
export const answerAssumed = async <App, T>(assumed: Assumed<App>, read: (app: App, actor: Actor) => Promise<T>, ordinary: () => Promise<T>): Promise<T> => {
  const outcome = await outcomeOf(read(assumed.app, assumed.actor));
  const caller = await assumed.confirmed().catch(() => null);
  if (!caller || !isSameCaller(caller, assumed.actor)) return ordinary();
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
};
