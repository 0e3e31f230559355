import type { Express } from '@waystation/contract/parcels/express.ts';
import type { App } from '#app.ts';
import { chosenAccount, expressColumnList } from '#domain/express/express-reads.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, handled, rowsAtEnd, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { isOffice, nameColumns, nameJoins, viewOf } from './view.ts';
import type { JoinedExpress } from './view.ts';

/**
 * The number of milliseconds that an order or a cancel waits for the carrier before it returns the
 * present state (requirements §7).
 */
const timeoutMs = 4_000;

const columns = expressColumnList('e');

const joinedQuery = (work: Scoped, id: number) => sql<JoinedExpress>`
    select ${columns}, ${nameColumns} from expresses e ${nameJoins}
    where e.id = ${id} and ${scopeCondition(work, 'e.station_id', 'e.user_id')}`;

const shownTo = (actor: Actor, [row]: readonly JoinedExpress[]): Express => {
  const express = row ?? fail('not_found');
  return {
    ...viewOf(actor, express),
    ...(isOffice(actor) && { chosen_code: chosenAccount(express) }),
  };
};

/** Returns the parcel in its present state as a response. */
export const answerWith = async (app: App, actor: Actor, id: number): Promise<Express> => {
  const scope = scopeOf(actor);
  return shownTo(actor, await app.db.rows(scope, joinedQuery(callerOf(actor), id)));
};

/**
 * Returns the parcel at the end of the caller's transaction. It is read in the same round trip as
 * the commit.
 */
export const answerAtEnd = (work: ReaderWork, id: number): { answered: Promise<Express> } => {
  const { rows } = rowsAtEnd(work, joinedQuery(work, id));
  return { answered: handled(rows.then((read) => shownTo(work.actor, read))) };
};

/** Returns the parcel as soon as `done` is true for it, or its state at the time limit. */
export const answerWhen = async (
  app: App,
  actor: Actor,
  id: number,
  done: (express: Express) => boolean,
): Promise<Express> => {
  const until = Date.now() + timeoutMs;
  for (;;) {
    // Listening begins before the first read, so that no event is missed.
    const news = app.signals.wait(String(id), Math.max(0, until - Date.now()));
    const express = await answerWith(app, actor, id);
    if (done(express) || Date.now() >= until) {
      news.cancel();
      return express;
    }
    await news.arrived;
  }
};
