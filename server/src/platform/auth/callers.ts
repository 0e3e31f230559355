import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Log } from '#platform/log.ts';
import { hashToken } from './actor.ts';
import type { Actor } from './actor.ts';
import { noteUse, sessionQuery } from './sessions.ts';
import type { SessionLimits } from './sessions.ts';

const minute = 60_000;

/** An update of a session's last use that is still running. */
interface Note {
  since: Date;
  done: Promise<unknown>;
}

export interface Callers {
  /**
   * Returns the present account of the session with this token, in one round trip. Null if the
   * token is unknown, the session ended or was idle too long, or the account or its station is
   * disabled. The last use is stored at most once a minute, and only if `used`: a browser tab's
   * automatic calls (`X-Background: 1`) do not extend the session. No response waits for the
   * update.
   */
  actorOf(token: string, used: boolean): Promise<Actor | null>;
  /** Resolves once no update is pending. */
  settled(): Promise<void>;
}

/** Finds callers by their tokens, with one statement per call and without a cache. */
export const createCallers = (
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  limits: SessionLimits,
): Callers => {
  const notes = new Map<string, Note>();
  const keyOf = (hash: Buffer): string => hash.toString('latin1');
  const note = (hash: Buffer, account_id: number, now: Date): void => {
    const key = keyOf(hash);
    if (notes.has(key)) return;
    const done = noteUse(db, hash, account_id, now)
      .catch((error: unknown) => log.warn({ err: error }, 'the use of a session was not noted'))
      .finally(() => notes.delete(key));
    notes.set(key, { since: now, done });
  };
  /**
   * Returns the update of the last use that is still running, if it has been running for a minute;
   * otherwise null. Callers wait for such an update, so that no active session ends as idle.
   */
  const slowNote = (hash: Buffer, now: Date): Promise<unknown> | null => {
    const running = notes.get(keyOf(hash));
    return running && now.getTime() - running.since.getTime() >= minute ? running.done : null;
  };
  return {
    actorOf: async (token, used) => {
      const hash = hashToken(token);
      const now = clock.now();
      await slowNote(hash, now);
      const [row] = await db.rows(systemScope('who is asking'), sessionQuery(hash, now, limits));
      if (!row) return null;
      const { stale, ...actor } = row;
      if (stale && used) note(hash, actor.account_id, now);
      return { ...actor, token_hash: hash };
    },
    settled: async () => void (await Promise.all([...notes.values()].map(({ done }) => done))),
  };
};
