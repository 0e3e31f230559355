import { createHash, timingSafeEqual } from 'node:crypto';
import type { KeyScope } from '@waystation/contract/base/key-scopes.ts';
import { accountKeyCallsInMinute, keyCallsInMinute } from '@waystation/contract/base/limits.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { Clock } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RawBuilder } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure, fail } from '#platform/fail.ts';
import { hashToken } from './actor.ts';
import type { Actor, ActorKey } from './actor.ts';
import { isWellFormed } from './api-key.ts';
import { createInFlight } from './in-flight.ts';
import { plainAddress } from './key-addresses.ts';
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
  live: boolean;
  address_allowed: boolean;
  /**
   * The number of calls in the current minute. With `resets_in`, the seconds until the minute ends,
   * it is null if the call is not counted.
   */
  calls: number | null;
  resets_in: number | null;
  account_calls: number | null;
  account_resets_in: number | null;
}

/**
 * SQL that counts a call in the current minute of table `c`. The minute begins with its first call,
 * according to the clock of the database, which all processes share. Each value is read while the
 * row is locked.
 */
const isRunning = sql<boolean>`abs(extract(epoch from clock_timestamp() - c.minute)) < 60`;
const counting = sql`minute = case when ${isRunning} then c.minute else clock_timestamp() end,
  calls = case when ${isRunning} then c.calls + 1 else 1 end`;
const left = sql`greatest(1, ceil(60 - extract(epoch from clock_timestamp() - minute)))::int`;

/**
 * Finds the API key with a hash and the present rights of its account, even if the key has ended.
 * If the IP address is allowed, the same statement counts the call in the current minute of the
 * key. If the key is also valid, it counts the call in the minute of the account and stores the
 * last use, once a minute. A call beyond the key's limit is not counted for the account.
 */
const keyQuery = (token_hash: Buffer, address: string | null, now: Date): RawBuilder<KeyRow> =>
  sql<KeyRow>`with found as (
      select k.id as key_id, k.name as key_name, k.token_hash, k.scopes,
        ${accountColumns}, k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})
          and ${isTrusted} as live,
        cardinality(k.addresses) = 0
          or coalesce(${address}::inet <<= any(k.addresses::inet[]), false) as address_allowed
      from api_keys k join accounts a on a.id = k.account_id
        join accounts m on m.id = k.made_by left join stations t on t.id = a.station_id
      where k.token_hash = ${token_hash}),
    counted as (
      insert into api_key_calls as c (key_id, minute, calls)
        select key_id, clock_timestamp(), 1 from found where address_allowed
      on conflict (key_id) do update set ${counting}
      returning calls, ${left} as resets_in),
    together as (
      insert into account_key_calls as c (account_id, minute, calls)
        select account_id, clock_timestamp(), 1 from found, counted
          where live and counted.calls <= ${keyCallsInMinute}
      on conflict (account_id) do update set ${counting}
      returning calls, ${left} as resets_in),
    used as (
      update api_keys set last_used_at = ${now}
        where id = (select key_id from found where live and address_allowed)
        and (last_used_at is null or last_used_at <= ${new Date(now.getTime() - minute)}))
    select found.*, counted.calls, counted.resets_in, together.calls as account_calls,
        together.resets_in as account_resets_in
      from found left join counted on true left join together on true`;

/**
 * Marks attempts with API keys, so that they do not count as password attempts from the same IP
 * address.
 */
const attemptAtKey = createHash('sha256').update('api key').digest();

/**
 * The limit of refused keys of one IP address that are counted simultaneously. More calls would
 * only wait for the database lock of this address.
 */
const refusing = createInFlight({ each: 4, names: 1_000 });

/**
 * Counts a refused key for its IP address, and then throws `failure`. For an address with too many
 * refused keys it throws `login_throttled`, as for passwords. A valid key from such an address is
 * still accepted. `note` records more about the refusal; the same limit applies.
 */
const refuseKey = async (
  db: Db,
  failure: Failure,
  { address, at, note }: { address: string; at: Date; note?: () => Promise<void> },
): Promise<never> => {
  const from = throttledAddress(address);
  const done = refusing.enter(from);
  if (!done) return fail('login_throttled', { seconds: 1 }, { retryAfter: 1 });
  try {
    await note?.();
    await db.tx(systemScope('a refused key'), (work) =>
      countAttempt(work, { username: `api key ${from}`, address, at, known_as: attemptAtKey }),
    );
  } finally {
    done();
  }
  throw failure;
};

export interface KeyCallers {
  db: Db;
  clock: Clock;
  /** Records a refused call: the key may not be used from this IP address. */
  refused(refusal: {
    address: string;
    account_id: number;
    key_id: number;
    call: string;
  }): Promise<void>;
}

/**
 * Returns the present account of an API key, in one round trip and without a cache, so that a
 * revoked key fails at its next call in every process. Throws for a wrong key. Throws for a refused
 * IP address too; such a call counts only for that address.
 */
export const actorOfKey = async (
  { db, clock, refused }: KeyCallers,
  key: string,
  { address, call }: { address: string; call: string },
): Promise<Actor> => {
  const now = clock.now();
  const invalid = new Failure('key_invalid', {}, {});
  if (!isWellFormed(key)) return refuseKey(db, invalid, { address, at: now });
  const hash = hashToken(key);
  const [row] = await db.rows(
    systemScope('whose key it is'),
    keyQuery(hash, plainAddress(address), now),
  );
  if (!row || !timingSafeEqual(row.token_hash, hash))
    return refuseKey(db, invalid, { address, at: now });
  const { key_id, key_name, scopes, live, address_allowed, calls, resets_in, ...rest } = row;
  const { account_calls, account_resets_in, ...account } = rest;
  const note = () => refused({ address, account_id: account.account_id, key_id, call });
  if (!address_allowed) {
    const failure = live ? new Failure('key_address_refused', { address }, {}) : invalid;
    return refuseKey(db, failure, { address, at: now, note });
  }
  if (!live) {
    // A key that was once valid has ended. It does not count as a guessed key.
    const seconds = present(resets_in);
    if (present(calls) > keyCallsInMinute)
      return fail('too_many_requests', { seconds }, { retryAfter: seconds });
    await note();
    throw invalid;
  }
  return {
    ...account,
    session_id: 0,
    // A key does not depend on a password, so that an account used only by programs never has to
    // log in.
    must_change: 0,
    key: {
      id: key_id,
      name: key_name,
      scopes,
      calls: present(calls),
      resets_in: present(resets_in),
      together:
        account_calls === null
          ? null
          : { calls: account_calls, resets_in: present(account_resets_in) },
    },
  };
};

const remaining = (limit: number, calls: number): number => Math.max(0, limit - calls);

/**
 * Returns the response headers of the IETF draft "RateLimit header fields for HTTP" for a call with
 * an API key.
 */
export const rateLimitHeaders = ({
  calls,
  resets_in,
  together,
}: ActorKey): Record<string, string> => ({
  'ratelimit-policy': `"key";q=${keyCallsInMinute};w=60, "account";q=${accountKeyCallsInMinute};w=60`,
  ratelimit: [
    `"key";r=${remaining(keyCallsInMinute, calls)};t=${resets_in}`,
    ...(together
      ? [
          `"account";r=${remaining(accountKeyCallsInMinute, together.calls)};t=${together.resets_in}`,
        ]
      : []),
  ].join(', '),
});
