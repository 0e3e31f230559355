import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeyScope } from '@waystation/contract/base/key-scopes.ts';
import { keyCallsInMinute } from '@waystation/contract/base/limits.ts';
import type { Clock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RawBuilder } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { hashToken } from './actor.ts';
import type { Actor } from './actor.ts';
import { isWellFormed } from './api-key.ts';
import { isAllowedAddress } from './key-addresses.ts';
import { countAttempt, throttledAddress } from './login-throttle.ts';
import { isTrusted } from './key-trust.ts';
import { accountColumns } from './sessions.ts';
import type { SessionRow } from './sessions.ts';

const minute = 60_000;

interface KeyRow extends Omit<SessionRow, 'session_id' | 'stale'> {
  key_id: number;
  key_name: string;
  token_hash: Buffer;
  scopes: KeyScope[];
  addresses: string[];
  live: boolean;
  calls: number;
}

/**
 * The key of a hash with its account's present rights, live or ended. The same statement counts the
 * call of a live one in its minute, over all processes, and stores the key's last use once a minute.
 */
const keyQuery = (token_hash: Buffer, now: Date): RawBuilder<KeyRow> => {
  const begun = new Date(Math.floor(now.getTime() / minute) * minute);
  return sql<KeyRow>`with found as (
      select k.id as key_id, k.name as key_name, k.token_hash, k.scopes, k.addresses,
        ${accountColumns}, k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
          and ${isTrusted} as live
      from api_keys k join accounts a on a.id = k.account_id
        join accounts m on m.id = k.made_by left join stations t on t.id = a.station_id
      where k.token_hash = ${token_hash}),
    counted as (
      insert into api_key_calls as c (key_id, minute, calls)
        select key_id, ${begun}::timestamptz, 1 from found where live
      on conflict (key_id) do update set minute = excluded.minute,
        calls = case when c.minute = excluded.minute then c.calls + 1 else 1 end
      returning calls),
    used as (
      update api_keys set last_used_at = ${now} where id = (select key_id from found where live)
        and (last_used_at is null or last_used_at <= ${new Date(now.getTime() - minute)}))
    select found.*, coalesce(counted.calls, 0) as calls from found left join counted on true`;
};

/** Marks attempts at a key, which do not count as attempts at a password of the same address. */
const attemptAtKey = createHash('sha256').update('api key').digest();

/**
 * Throws `key_invalid`, and `login_throttled` for an address with too many wrong keys, as for
 * passwords; a right key is answered from it all the same.
 */
const refuseKey = async (db: Db, address: string, at: Date): Promise<never> => {
  const username = `api key ${throttledAddress(address)}`;
  await db.tx(systemScope('a wrong key'), (work) =>
    countAttempt(work, { username, address, at, known_as: attemptAtKey }),
  );
  return fail('key_invalid');
};

/**
 * The present account of an API key, in one round trip and without a cache, so that a revoked key
 * fails at its next call in every process. Throws for a wrong key and a wrong address.
 */
export const actorOfKey = async (
  { db, clock }: { db: Db; clock: Clock },
  key: string,
  address: string,
): Promise<Actor> => {
  const now = clock.now();
  if (!isWellFormed(key)) return refuseKey(db, address, now);
  const hash = hashToken(key);
  const [row] = await db.rows(systemScope('whose key it is'), keyQuery(hash, now));
  if (!row || !timingSafeEqual(row.token_hash, hash)) return refuseKey(db, address, now);
  const { key_id, key_name, scopes, addresses, live, calls, ...account } = row;
  // An ended key is no guess: it was known once.
  if (!live) fail('key_invalid');
  if (!isAllowedAddress(address, addresses)) fail('key_address_refused', { address });
  const resets_in = Math.ceil((minute - (now.getTime() % minute)) / 1000);
  return {
    ...account,
    session_id: 0,
    // A password is nothing to a key, so that an account for programs alone needs no login.
    must_change: 0,
    key: { id: key_id, name: key_name, scopes, calls, resets_in },
  };
};

/** The fields of the IETF draft “RateLimit header fields for HTTP” for the calls of a key. */
export const rateLimitHeaders = ({
  calls,
  resets_in,
}: NonNullable<Actor['key']>): Record<string, string> => ({
  'ratelimit-policy': `"key";q=${keyCallsInMinute};w=60`,
  ratelimit: `"key";r=${Math.max(0, keyCallsInMinute - calls)};t=${resets_in}`,
});
