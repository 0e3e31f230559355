import { keyDays, keyScopesOf } from '@waystation/contract/base/key-scopes.ts';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { mostKeys, mostKeysInDay, mostKeysUnder } from '@waystation/contract/base/limits.ts';
import { rolesBelow } from '@waystation/contract/people/account.ts';
import type { ApiKey } from '@waystation/contract/people/api-key.ts';
import type * as calls from '@waystation/contract/people/api-key.ts';
import type { App } from '#app.ts';
import { recordSetup } from '#domain/second-person/second-person.ts';
import { recordAudit } from '#platform/audit.ts';
import { hashToken, managerOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { createApiKey, hintOf } from '#platform/auth/api-key.ts';
import { isAddressRange } from '#platform/auth/key-addresses.ts';
import { changesOfEnd, isTrusted } from '#platform/auth/key-trust.ts';
import { businessDay, dayStart } from '#platform/clock.ts';
import { contains, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, UserWork } from '#platform/db/db.ts';
import type { Listed } from '#platform/db/paging.ts';
import { getRow, listRows, lockRow } from '#platform/db/rows.ts';
import type { Stored } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { accountsOf } from './managed-accounts.ts';
import { withProof } from './with-proof.ts';

type Input = Omit<ParsedOf<typeof calls.createKey>, 'password' | 'otp'>;
type Account = Stored<'accounts'>;

const isLive = (now: Date) =>
  sql<boolean>`(k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}))`;

/**
 * The API keys as a reader sees them. The maker of a key is shown only if it is in the reader's
 * scope.
 */
const shown = (
  now: Date,
  reader: Actor,
) => sql`(select k.id, k.name, k.account_id, a.username, a.nickname,
    a.role, a.station_id, t.name as station_name, k.hint, k.scopes, k.addresses,
    case when k.revoked_at is not null then 'revoked' when not ${isLive(now)} then 'expired'
      when ${isTrusted} then 'live' else 'stopped' end as status,
    case when ${scopeCondition(callerOf(reader), 'm.station_id')} then m.username end as made_by, k.created_at, k.expires_at, k.last_used_at, k.revoked_at,
    k.daily_limit, case when o.day >= ${businessDay(now)}::date then o.amount else 0 end as ordered_today
  from api_keys k join accounts a on a.id = k.account_id join accounts m on m.id = k.made_by
    left join stations t on t.id = a.station_id
    left join api_key_orders o on o.key_id = k.id)`;

const belongsTo = (accounts: readonly number[]): Condition =>
  sql<boolean>`r.account_id = any(${accounts}::bigint[])`;

const shownOne = async (app: App, work: ReaderWork, id: number): Promise<ApiKey> => {
  const accounts = await accountsOf(work);
  return work.asSystem('who made a key', (system) =>
    getRow<ApiKey>(system, shown(app.clock.now(), work.actor), id, [belongsTo(accounts)]),
  );
};

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listKeys>,
): Promise<Listed<ApiKey>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const accounts = await accountsOf(work);
    return work.asSystem('who made a key', (system) =>
      listRows<ApiKey>(system, shown(app.clock.now(), actor), {
        conditions: [
          belongsTo(accounts),
          ...filterConditions(filters, {
            q: contains('r.name', 'r.username', 'r.nickname'),
            account_id: equal,
            station_id: equal,
            status: equal,
          }),
        ],
        paging: filters,
        sortable: ['name', 'username', 'status', 'created_at', 'expires_at', 'last_used_at'],
      }),
    );
  });

const daysAfter = (now: Date, days: number): Date => new Date(now.getTime() + days * 86_400_000);

/** Fails at every wrong field, by the role of the key's account. */
const checkInput = (account: Account, { scopes, addresses = [], expires_at }: Input, now: Date) => {
  const wrong: Record<string, Reason> = {};
  if (account.role === 'super') wrong['account_id'] = { code: 'invalid' };
  else if (!scopes.every((scope) => keyScopesOf(account.role).includes(scope)))
    wrong['scopes'] = { code: 'invalid' };
  addresses.forEach((text, at) => {
    if (!isAddressRange(text)) wrong[`addresses.${at}`] = { code: 'invalid' };
  });
  // One day more than the limit is allowed, because the clocks of callers differ.
  const latest = daysAfter(now, keyDays.most + 1);
  const expiry = expires_at === undefined ? null : new Date(expires_at);
  if (expiry && (expiry <= now || expiry > latest)) wrong['expires_at'] = { code: 'invalid' };
  if (Object.keys(wrong).length > 0) failFields(wrong);
};

/**
 * Returns the manager whose limits apply to the new key, or the maker if no manager is above.
 * Throws if the account or the manager has reached its limit of active keys. Also throws if a limit
 * for today is reached: the maker's own, or that of all makers under the manager together.
 * Concurrent requests under the same manager wait.
 */
const requireRoomForKey = async (
  work: UserWork,
  account_id: number,
  now: Date,
): Promise<number> => {
  const maker = work.actor.account_id;
  const made_under = managerOf(work.actor) ?? maker;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`keys under ${made_under}`},
    14))`.execute(work.tx);
  const since = dayStart(businessDay(now));
  const { held, under, mine, others } = await work.asSystem('count keys', (system) =>
    oneRow(
      system,
      sql<{ held: number; under: number; mine: number; others: number }>`select
        (select count(*) from api_keys k where account_id = ${account_id}
          and ${isLive(now)}) as held,
        (select count(*) from api_keys k where made_under = ${made_under}
          and ${isLive(now)}) as under,
        count(*) filter (where made_by = ${maker}) as mine,
        count(*) filter (where made_by <> ${made_under}) as others
        from api_keys where made_under = ${made_under} and created_at >= ${since}`,
    ),
  );
  if (held >= mostKeys) fail('too_many_keys', { limit: mostKeys });
  if (under >= mostKeysUnder) fail('too_many_keys', { limit: mostKeysUnder });
  const isManager = maker === made_under;
  const limit = isManager ? mostKeysInDay.manager : mostKeysInDay.maker;
  if (mine >= limit) fail('too_many_keys_made_today', { limit });
  if (!isManager && others >= mostKeysInDay.others)
    fail('too_many_keys_made_today', { limit: mostKeysInDay.others });
  return made_under;
};

/** Locks the account of a new key, so that its keys are counted one after the other. */
const lockAccount = (work: UserWork, id: number): Promise<Account> => {
  const { actor } = work;
  const own = id === actor.account_id;
  return lockRow(
    work,
    'accounts',
    id,
    own
      ? []
      : [
          scopeCondition(callerOf(actor), 'r.station_id'),
          sql<boolean>`r.role = any(${rolesBelow(actor.role) as string[]}::text[])`,
        ],
  );
};

/** Inserts a key of an account. Returns its number and the key itself, which is not stored. */
const insertKey = async (
  work: UserWork,
  { id: account_id, role, station_id }: Account,
  { name, scopes, addresses = [], daily_limit = null, expires_at }: Input,
  { made_under, now }: { made_under: number; now: Date },
): Promise<{ id: number; key: string }> => {
  const key = createApiKey();
  const expiry = expires_at === undefined ? daysAfter(now, keyDays.usual) : new Date(expires_at);
  const values = {
    account_id,
    role,
    station_id,
    made_by: work.actor.account_id,
    made_under,
    name,
    token_hash: hashToken(key),
    hint: hintOf(key),
    scopes: [...new Set(scopes)],
    addresses,
    daily_limit,
    created_at: now,
    expires_at: expiry,
  };
  const { id } = await work.asSystem('a key of an account', (system) =>
    system.tx.insertInto('api_keys').values(values).returning('id').executeTakeFirstOrThrow(),
  );
  // The maker of a key for another account can act as that account, so this counts as a setup of
  // the account.
  await recordSetup(work, { account_id, by: work.actor.account_id, what: ['key'], at: now });
  await recordAudit(work, {
    action: 'create_key',
    subject: 'accounts',
    subject_id: account_id,
    station_id,
    changes: {
      key: [null, name],
      key_id: [null, id],
      hint: [null, values.hint],
      scopes: [null, values.scopes.join(', ')],
      ...(addresses.length > 0 && { addresses: [null, addresses.join(', ')] }),
      ...(daily_limit !== null && { daily_limit: [null, daily_limit] }),
      expires_at: [null, expiry.toISOString()],
    },
  });
  return { id, key };
};

/**
 * Requires the maker's password, and a code if two-factor authentication is on, so that a stolen
 * session does not become a key.
 */
export const create = async (
  app: App,
  actor: Actor,
  { password, otp = '', ...input }: ParsedOf<typeof calls.createKey>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.createKey>> => {
  const now = app.clock.now();
  return withProof(
    { app, actor, request },
    { password, otp },
    async (work) => {
      const account = await lockAccount(work, input.account_id ?? actor.account_id);
      checkInput(account, input, now);
      return { account, made_under: await requireRoomForKey(work, account.id, now) };
    },
    async (work, { account, made_under }) => {
      const { id, key } = await insertKey(work, account, input, { made_under, now });
      return { api_key: await shownOne(app, work, id), key };
    },
  );
};

/**
 * Sets the limit of a key for its orders in a business day, from today on. The password is required
 * as for a new key, so that a stolen session cannot raise a limit.
 */
export const limit = async (
  app: App,
  actor: Actor,
  { id, daily_limit, password, otp = '' }: ParsedOf<typeof calls.limitKey>,
  request: RequestContext,
): Promise<ApiKey> =>
  withProof(
    { app, actor, request },
    { password, otp },
    async (work) => {
      const { account_id, station_id } = await shownOne(app, work, id);
      return { account_id, station_id };
    },
    async (work, { account_id, station_id }) => {
      const found = await work.asSystem('a key of an account', (system) =>
        oneRow(
          system,
          sql<{ daily_limit: number | null; name: string; is_live: boolean }>`select k.daily_limit,
              k.name, ${isLive(app.clock.now())} as is_live
            from api_keys k where k.id = ${id} for no key update`,
        ),
      );
      // A key that has ended cannot order, so a changed limit would only seem to have an effect.
      if (!found.is_live) fail('key_ended');
      const { daily_limit: before, name } = found;
      await work.asSystem('a key of an account', (system) =>
        system.tx.updateTable('api_keys').set({ daily_limit }).where('id', '=', id).execute(),
      );
      if (before !== daily_limit)
        await recordAudit(work, {
          action: 'limit_key',
          subject: 'accounts',
          subject_id: account_id,
          station_id,
          changes: { key: [null, name], key_id: [null, id], daily_limit: [before, daily_limit] },
        });
      return shownOne(app, work, id);
    },
  );

/** Revokes a key. A key that was already revoked is not changed. */
export const revoke = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.revokeKey>,
  request: RequestContext,
): Promise<ApiKey> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { account_id, station_id, name, hint } = await shownOne(app, work, id);
    const revoked = await work.asSystem('a key of an account', (system) =>
      system.tx
        .updateTable('api_keys')
        .set({ revoked_at: app.clock.now(), revoked_by: actor.account_id })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute(),
    );
    if (revoked.length > 0)
      await recordAudit(work, {
        action: 'revoke_key',
        subject: 'accounts',
        subject_id: account_id,
        station_id,
        changes: changesOfEnd({ id, name, hint }),
      });
    return shownOne(app, work, id);
  });
