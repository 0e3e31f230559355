import type { Express } from '@waystation/contract/express.ts';
import type { App } from '#app.ts';
import { chosenAccount, expressColumnList } from '#domain/express/express-reads.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { handled, rowsAtEnd, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { isOffice, nameColumns, nameJoins, viewOf } from './view.ts';
import type { JoinedExpress } from './view.ts';

/** How long an order or a cancel waits for the carrier before it answers with what is known (requirements §7). */
const patience = 4_000;

const columns = expressColumnList('e');

const joinedQuery = (scope: Scope, id: number) => sql<JoinedExpress>`
    select ${columns}, ${nameColumns} from expresses e ${nameJoins}
    where e.id = ${id} and ${scopeCondition(scope, 'e.station_id', 'e.user_id')}`;

const shownTo = (actor: Actor, [row]: readonly JoinedExpress[]): Express => {
  const express = row ?? fail('not_found');
  return { ...viewOf(actor, express), ...(isOffice(actor) && { chosen_code: chosenAccount(express) }) };
};

/** The parcel as it now stands. */
export const answerWith = async (app: App, actor: Actor, id: number): Promise<Express> => {
  const scope = scopeOf(actor);
  return shownTo(actor, await app.db.rows(scope, joinedQuery(scope, id)));
};

/** The parcel as the caller's transaction leaves it, asked for in the round trip of the commit. */
export const answerAtEnd = (tx: Tx, actor: Actor, id: number): { answered: Promise<Express> } => {
  const { rows } = rowsAtEnd(tx, joinedQuery(scopeOf(actor), id));
  return { answered: handled(rows.then((read) => shownTo(actor, read))) };
};

/** The parcel once `done` says so, or as it stands when the caller's patience ends. */
export const answerWhen = async (app: App, actor: Actor, id: number, done: (express: Express) => boolean): Promise<Express> => {
  const until = Date.now() + patience;
  for (;;) {
    // Listening begins before looking, so that nothing falls between.
    const news = app.signals.wait(String(id), Math.max(0, until - Date.now()));
    const express = await answerWith(app, actor, id);
    if (done(express) || Date.now() >= until) {
      news.forget();
      return express;
    }
    await news.heard;
  }
};
