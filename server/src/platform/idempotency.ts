import type { Actor } from '#platform/auth/actor.ts';
import { queueStatement, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Db, RowOf, UserCaller, UserWork, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

interface Once<T, Ahead> {
  db: Db;
  caller: UserCaller;
  /**
   * The method and the path with its ids. The same idempotency key for two rows therefore counts as
   * two keys.
   */
  endpoint: string;
  request: RequestContext;
  /**
   * Sends the reads of the effect together with the query for the key, to save a round trip. If the
   * request is a repeat, the rows are not used.
   */
  ahead?(work: UserWork): Ahead;
  /**
   * The effect; its transaction also stores the key. Returns the id of the created or changed row.
   */
  effect(work: UserWork, ahead: Ahead): Promise<number>;
  /**
   * Sends the read for the first response together with the commit, to save a round trip. If `last`
   * is missing, `answer` reads after the commit.
   */
  last?(work: UserWork, subjectId: number): { answered: Promise<T> };
  /**
   * Reads the response for the id that `effect` returned. Called for the first request and for
   * every repeat.
   */
  answer(subjectId: number, repeated: boolean): Promise<T>;
}

type Key = Pick<Once<unknown, unknown>, 'endpoint' | 'request'> & { actor: Actor };

/**
 * Returns the id of the row that the first request with this idempotency key created or changed.
 * Returns null if no such request was made. The key stays locked until the transaction ends.
 */
export const repeatOf = async (
  work: Work,
  { actor, endpoint, request }: Key,
): Promise<number | null> => {
  const key = request.idempotency_key;
  // Both statements are sent in one round trip. The second begins only after the lock is held, so
  // that it reads what the previous holder of the lock committed.
  const [locked, [known]] = await Promise.all([
    rowsAtOnce(
      work,
      sql<{
        free: boolean;
      }>`select pg_try_advisory_xact_lock(hashtextextended(${`${actor.account_id} ${endpoint} ${key}`},
      7)) as free`,
    ),
    rowsAtOnce(
      work,
      sql<RowOf<'idempotency_keys', 'body_hash' | 'subject_id'>>`select body_hash, subject_id
        from idempotency_keys
        where account_id = ${actor.account_id} and endpoint = ${endpoint} and key = ${key}`,
    ),
  ]);
  if (!locked[0]?.free) fail('idempotency_in_progress', {}, { retryAfter: 1 });
  if (known && !known.body_hash.equals(request.bodyHash())) fail('idempotency_key_reused');
  return known?.subject_id ?? null;
};

/** Stores a key in the transaction of its effect. */
export const keepKey = async (
  work: Work,
  { actor, endpoint, request }: Key,
  subjectId: number,
): Promise<void> => {
  const row = {
    account_id: actor.account_id,
    endpoint,
    key: request.idempotency_key,
    body_hash: request.bodyHash(),
    subject_id: subjectId,
  };
  await queueStatement(work, work.tx.insertInto('idempotency_keys').values(row).compile());
};

/**
 * Makes a repeated request safe (requirements §7): the key commits together with the effect. A
 * repeat returns the row in its present state, or 409 while the first request is still running. The
 * same key with another body returns 422. Keys are stored for 30 days.
 */
export const withIdempotencyKey = async <T, Ahead = undefined>(
  once: Once<T, Ahead>,
): Promise<T> => {
  const { db, caller, endpoint, request, effect, answer } = once;
  const key = { actor: caller.actor, endpoint, request };
  const outcome = await db.tx(caller, async (work) => {
    const looked = repeatOf(work, key);
    const ahead = once.ahead?.(work) as Ahead;
    const known = await looked;
    if (known !== null) return { subjectId: known, repeated: true, last: undefined };
    const subjectId = await effect(work, ahead);
    await keepKey(work, key, subjectId);
    return { subjectId, repeated: false, last: once.last?.(work, subjectId) };
  });
  return outcome.last?.answered ?? answer(outcome.subjectId, outcome.repeated);
};
