import type { Clock } from '#platform/clock.ts';
import type { Db, FirstStatement } from '#platform/db/db.ts';
import { hashToken } from './actor.ts';
import type { Actor } from './actor.ts';
import { actorOfRow, actorOfToken, sessionQuery } from './sessions.ts';
import type { SessionLimits, SessionRow } from './sessions.ts';

/** Tokens whose last caller is remembered; the one that came first is forgotten first. */
const mostRemembered = 2_000;

/** Who called with a token before, to be confirmed by what the database says now. */
export interface AssumedCaller {
  actor: Actor;
  /** Asks who calls, as the first statement of the transaction that reads for the caller. */
  first: FirstStatement;
  /** Who calls by the database, with the rights of now: what `first` has read, or read by itself where no transaction was begun. */
  confirmed(): Promise<Actor | null>;
}

export interface Callers {
  /** Who the token belongs to now. */
  actorOf(token: string, used: boolean): Promise<Actor | null>;
  /** Who it belonged to when it was last used in this process; null: nobody knows. */
  assume(token: string, used: boolean): AssumedCaller | null;
}

/**
 * Finds callers by their tokens. What is remembered of a caller never decides: it lets a read be sent together with the question who is asking, and its answer is
 * given only where that says the same (docs/decisions/0064).
 */
export const createCallers = (db: Db, clock: Clock, limits: SessionLimits): Callers => {
  const known = new Map<string, Actor>();
  const keyOf = (hash: Buffer): string => hash.toString('latin1');
  const remember = (hash: Buffer, actor: Actor | null): Actor | null => {
    const key = keyOf(hash);
    if (!actor) known.delete(key);
    else {
      known.set(key, actor);
      if (known.size > mostRemembered) known.delete(known.keys().next().value!);
    }
    return actor;
  };
  const actorOf: Callers['actorOf'] = async (token, used) => remember(hashToken(token), await actorOfToken(db, token, { now: clock.now(), used, limits }));
  return {
    actorOf,
    assume: (token, used) => {
      const hash = hashToken(token);
      const actor = known.get(keyOf(hash));
      if (!actor) return null;
      const now = clock.now();
      const first: FirstStatement = { query: sessionQuery(hash, now, limits), rows: null };
      const confirmed = async (): Promise<Actor | null> => {
        if (!first.rows) return actorOf(token, used);
        const [row] = (await first.rows) as SessionRow[];
        return remember(hash, await actorOfRow(db, row, hash, now, used));
      };
      return { actor, first, confirmed };
    },
  };
};

/** Whether both are one caller with the same rights. */
export const isSameCaller = (a: Actor, b: Actor): boolean =>
  a.session_id === b.session_id &&
  a.account_id === b.account_id &&
  a.role === b.role &&
  a.station_id === b.station_id &&
  a.must_change === b.must_change &&
  a.may_export === b.may_export &&
  a.username === b.username &&
  a.nickname === b.nickname &&
  a.stations.length === b.stations.length &&
  a.stations.every((station, index) => station === b.stations[index]);
