import type { Clock } from '#platform/clock.ts';
import type { Db, FirstStatement } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';
import { hashToken } from './actor.ts';
import type { Actor } from './actor.ts';
import { noteUse, sessionQuery } from './sessions.ts';
import type { SessionLimits, SessionRow } from './sessions.ts';

/** Tokens whose last caller is remembered; the one that came first is forgotten first. */
const mostRemembered = 2_000;

const minute = 60_000;

/** A use that is being noted. */
interface Note {
  since: Date;
  done: Promise<unknown>;
}

/** Who called with a token before, to be confirmed by what the database says now. */
export interface AssumedCaller {
  actor: Actor;
  /** Asks who calls, as the first statement of the transaction that reads for the caller. */
  first: FirstStatement;
  /** Who calls by the database, with the rights of now: what `first` has read, or read by itself where no transaction was begun. */
  confirmed(): Promise<Actor | null>;
}

export interface Callers {
  /**
   * Who the token belongs to now, or null: unknown, ended, idle too long, account or station disabled. One round trip. The session's last use is noted at most once a
   * minute, and only where it is `used`: what a window asks by itself (`X-Background: 1`) keeps no session alive. No answer waits for the note.
   */
  actorOf(token: string, used: boolean): Promise<Actor | null>;
  /** Who it belonged to when it was last used in this process; null: nobody knows. */
  assume(token: string, used: boolean): AssumedCaller | null;
  /** Ends once no use is being noted any more. */
  settled(): Promise<void>;
}

/**
 * Finds callers by their tokens. What is remembered of a caller never decides: it lets a read be sent together with the question who is asking, and its answer is
 * given only where that says the same (docs/decisions/0064).
 */
export const createCallers = ({ db, clock, log }: { db: Db; clock: Clock; log: Log }, limits: SessionLimits): Callers => {
  const known = new Map<string, Actor>();
  const notes = new Map<string, Note>();
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
  const note = (hash: Buffer, account_id: number, now: Date): void => {
    const key = keyOf(hash);
    if (notes.has(key)) return;
    const done = noteUse(db, hash, account_id, now)
      .catch((error: unknown) => log.warn({ err: error }, 'the use of a session was not noted'))
      .finally(() => notes.delete(key));
    notes.set(key, { since: now, done });
  };
  /** A note that takes longer than a minute is waited for, so that no session that is used ends as idle. */
  const slowNote = (hash: Buffer, now: Date): Promise<unknown> | null => {
    const running = notes.get(keyOf(hash));
    return running && now.getTime() - running.since.getTime() >= minute ? running.done : null;
  };
  const callerOf = (row: SessionRow | undefined, hash: Buffer, now: Date, used: boolean): Actor | null => {
    if (!row) return remember(hash, null);
    const { stale, ...actor } = row;
    if (stale && used) note(hash, actor.account_id, now);
    return remember(hash, { ...actor, token_hash: hash });
  };
  const actorOf: Callers['actorOf'] = async (token, used) => {
    const hash = hashToken(token);
    const now = clock.now();
    await slowNote(hash, now);
    const [row] = await db.rows(systemScope('who is asking'), sessionQuery(hash, now, limits));
    return callerOf(row, hash, now, used);
  };
  return {
    actorOf,
    assume: (token, used) => {
      const hash = hashToken(token);
      const actor = known.get(keyOf(hash));
      const now = clock.now();
      if (!actor || slowNote(hash, now)) return null;
      const first: FirstStatement = { query: sessionQuery(hash, now, limits), rows: null };
      const confirmed = async (): Promise<Actor | null> => {
        if (!first.rows) return actorOf(token, used);
        const [row] = (await first.rows) as SessionRow[];
        return callerOf(row, hash, now, used);
      };
      return { actor, first, confirmed };
    },
    settled: async () => void (await Promise.all([...notes.values()].map(({ done }) => done))),
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
