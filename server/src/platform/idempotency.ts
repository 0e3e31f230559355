import type { Actor } from '#platform/auth/actor.ts';
import { queueStatement, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Tx } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

interface Once<T, Ahead> {
  db: Db;
  scope: Scope;
  actor: Actor;
  /** Method and path with its ids, so that one key on two rows is two keys. */
  endpoint: string;
  request: RequestContext;
  /** Sends reads of the effect in the round trip that looks for the key; a repeat has no use for them. */
  ahead?(tx: Tx): Ahead;
  /** The effect; its transaction also keeps the key. Returns the id of what it made or moved. */
  effect(tx: Tx, ahead: Ahead): Promise<number>;
  /** Sends the read of the first time's answer in the round trip of the commit; without it, `answer` reads after the commit. */
  last?(tx: Tx, subjectId: number): { answered: Promise<T> };
  /** The answer for that id, first time and on every repeat. */
  answer(subjectId: number, repeated: boolean): Promise<T>;
}

type Key = Pick<Once<unknown, unknown>, 'actor' | 'endpoint' | 'request'>;

/** What the first request with this key made or moved; null: there is none. The key stays locked until the transaction ends. */
export const repeatOf = async (tx: Tx, { actor, endpoint, request }: Key): Promise<number | null> => {
  const key = request.idempotency_key;
  // Two statements in one round trip: the second begins when the lock is taken, so it sees what its former holder has committed.
  const [locked, [known]] = await Promise.all([
    rowsAtOnce(tx, sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`${actor.account_id} ${endpoint} ${key}`}, 7)) as free`),
    rowsAtOnce(
      tx,
      sql<RowOf<'idempotency_keys', 'body_hash' | 'subject_id'>>`select body_hash, subject_id from idempotency_keys
        where account_id = ${actor.account_id} and endpoint = ${endpoint} and key = ${key}`,
    ),
  ]);
  if (!locked[0]?.free) fail('idempotency_in_progress', {}, { retryAfter: 1 });
  if (known && !known.body_hash.equals(request.bodyHash())) fail('idempotency_key_reused');
  return known?.subject_id ?? null;
};

/** Keeps a key in the transaction of its effect. */
export const keepKey = async (tx: Tx, { actor, endpoint, request }: Key, subjectId: number): Promise<void> => {
  const row = { account_id: actor.account_id, endpoint, key: request.idempotency_key, body_hash: request.bodyHash(), subject_id: subjectId };
  await queueStatement(tx, tx.insertInto('idempotency_keys').values(row).compile());
};

/**
 * Makes a repeated request safe: the key commits together with the effect, a repeat answers with the row as it then is,
 * the same key with another body is 422, and 409 while the first is still open (requirements §7). Keys are kept 30 days.
 */
export const withIdempotencyKey = async <T, Ahead = undefined>(once: Once<T, Ahead>): Promise<T> => {
  const { db, scope, actor, endpoint, request, effect, answer } = once;
  const key = { actor, endpoint, request };
  const outcome = await db.tx(scope, async (tx) => {
    const looked = repeatOf(tx, key);
    const ahead = once.ahead?.(tx) as Ahead;
    const known = await looked;
    if (known !== null) return { subjectId: known, repeated: true, last: undefined };
    const subjectId = await effect(tx, ahead);
    await keepKey(tx, key, subjectId);
    return { subjectId, repeated: false, last: once.last?.(tx, subjectId) };
  });
  return outcome.last?.answered ?? answer(outcome.subjectId, outcome.repeated);
};
