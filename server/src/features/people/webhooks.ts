import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostWebhooks, mostWebhooksOfStation } from '@waystation/contract/base/limits.ts';
import { office } from '@waystation/contract/base/roles.ts';
import type { Webhook } from '@waystation/contract/people/webhook.ts';
import type * as calls from '@waystation/contract/people/webhook.ts';
import type { App } from '#app.ts';
import { forbidden, outboundPolicy } from '#domain/carriers/carriers.ts';
import {
  createWebhookSecret,
  noticeStop,
  resumeWaiting,
  webhookSecretPurpose,
} from '#domain/webhooks/webhooks.ts';
import { changesBetween } from '#platform/audit.ts';
import { auditedChange, auditedInsert } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import { isTrusted } from '#platform/auth/key-trust.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { contains, equal, filterConditions } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, UserWork } from '#platform/db/db.ts';
import type { Listed } from '#platform/db/paging.ts';
import { getRow, listRows } from '#platform/db/rows.ts';
import type { Stored } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { accountsOf } from './managed-accounts.ts';
import { withProof } from './with-proof.ts';

type Settings = Pick<
  ParsedOf<typeof calls.editWebhook>,
  'name' | 'url' | 'events' | 'station_id' | 'with_below'
>;

/** A URL without the parts that may contain a token, for everybody except its owner. */
const hostOf = (url: string): string => `${new URL(url).origin}/…`;

const audited: AuditedTable<'webhooks'> = {
  table: 'webhooks',
  audited: (before, after) => ({
    ...changesBetween(before, after, ['name', 'kinds', 'watched_id', 'with_below', 'status']),
    ...(before?.url !== after.url && {
      url: [before && hostOf(before.url), hostOf(after.url)],
    }),
  }),
  stationOf: ({ station_id }) => station_id,
};

/**
 * The webhooks as a reader sees them, without removed ones. Users other than the owner see only the
 * host of a URL, because the rest of it may be a token.
 */
const shown = (reader: Actor) => sql`(select k.id, k.name,
    case when k.account_id = ${reader.account_id} then k.url
      else substring(k.url from '^[a-z]+://[^/?]+') || '/…' end as url, k.kinds as events,
    k.account_id, a.username, a.nickname, t.name as account_station_name,
    k.watched_id as station_id, case when ${scopeCondition(callerOf(reader), 'v.id')} then v.name end as station_name,
    k.with_below, case when k.status = 'live' and not ${isTrusted} then 'stopped'
      else k.status end as status,
    k.stopped_by, (k.status = 'disabled' and case when k.stopped_by = 'manager'
      then ${office.includes(reader.role)} or k.stopped_account_id = ${reader.account_id}
      else k.account_id = ${reader.account_id} end)::int as may_enable, k.failing_since, k.failures, k.dropped, k.previous_until,
    (select count(*) from webhook_deliveries d where d.webhook_id = k.id
      and d.status = 'pending')::int as waiting,
    (k.account_id = ${reader.account_id})::int as mine, k.version, k.created_at, k.updated_at
  from webhooks k join accounts a on a.id = k.account_id join accounts m on m.id = k.account_id
    left join stations t on t.id = a.station_id left join stations v on v.id = k.watched_id
  where k.status <> 'removed')`;

/**
 * The condition for webhooks of the reader's own account and of the accounts that the reader
 * manages.
 */
const visibleTo = async (work: ReaderWork): Promise<Condition> => {
  const accounts = await accountsOf(work);
  return sql<boolean>`r.account_id = any(${accounts}::bigint[])`;
};

export const shownWebhook = async (work: ReaderWork, id: number): Promise<Webhook> => {
  const visible = await visibleTo(work);
  return work.asSystem('a webhook and its account', (system) =>
    getRow<Webhook>(system, shown(work.actor), id, [visible]),
  );
};

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listWebhooks>,
): Promise<Listed<Webhook>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const visible = await visibleTo(work);
    return work.asSystem('webhooks and their accounts', (system) =>
      listRows<Webhook>(system, shown(actor), {
        conditions: [
          visible,
          ...filterConditions(filters, {
            q: contains('r.name', 'r.url', 'r.username', 'r.nickname'),
            status: equal,
          }),
        ],
        paging: filters,
        sortable: ['name', 'username', 'status', 'created_at'],
      }),
    );
  });

/** Fails at every wrong field: a URL that webhooks may not call, or a station out of scope. */
const checkSettings = async (
  app: App,
  work: ReaderWork,
  { url, station_id }: Settings,
): Promise<void> => {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const problem =
    !parsed || parsed.username !== '' || parsed.password !== '' || parsed.hash !== ''
      ? { code: 'invalid' as const }
      : forbidden(parsed, outboundPolicy(app.config.webhookAllow));
  if (problem)
    failFields({
      url:
        problem.code === 'carrier_url_denied'
          ? { ...problem, code: 'webhook_url_denied' }
          : { code: 'invalid' },
    });
  if (station_id === null) return;
  const { rows } = await sql`select from stations s where s.id = ${station_id}
    and ${scopeCondition(work, 's.id')}`.execute(work.tx);
  if (rows.length === 0) failFields({ station_id: { code: 'invalid' } });
};

/**
 * Throws if the account or its station has reached its limit of webhooks. Concurrent requests of
 * the station wait.
 */
const requireRoom = async (work: UserWork): Promise<void> => {
  const { account_id, station_id } = work.actor;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of ${station_id ?? 'office'}`},
    152))`.execute(work.tx);
  const { mine, together } = await work.asSystem('count webhooks', (system) =>
    oneRow(
      system,
      sql<{ mine: number; together: number }>`select
        count(*) filter (where k.account_id = ${account_id})::int as mine, count(*)::int as together
        from accounts a join webhooks k on k.account_id = a.id
        where a.station_id is not distinct from ${station_id}::bigint and k.status <> 'removed'`,
    ),
  );
  if (mine >= mostWebhooks || together >= mostWebhooksOfStation)
    fail('too_many_webhooks', { each: mostWebhooks, station: mostWebhooksOfStation });
};

/**
 * The account's columns that are copied to its webhook. The webhook ends if one of them changes.
 */
const ofActor = ({ role, station_id }: Actor) => ({ role, station_id });

const settingsOf = ({ name, url, events, station_id, with_below }: Settings) => ({
  name,
  url,
  kinds: [...new Set(events)],
  watched_id: station_id,
  with_below,
});

const goesOn = (now: Date) => ({
  status: 'live' as const,
  stopped_by: null,
  stopped_account_id: null,
  failures: 0,
  failing_since: null,
  resume_at: now,
});

/** The columns of a webhook that is started or continued, without its former failures. */
const renewed = (actor: Actor, now: Date) => ({ ...ofActor(actor), ...goesOn(now) });

export const create = (
  app: App,
  actor: Actor,
  {
    password,
    otp = '',
    station_id = null,
    with_below = 0,
    ...entered
  }: ParsedOf<typeof calls.createWebhook>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.createWebhook>> => {
  const input: Settings = { ...entered, station_id, with_below };
  return withProof(
    { app, actor, request },
    { password, otp },
    async (work) => {
      await checkSettings(app, work, input);
      await requireRoom(work);
    },
    async (work) => {
      const now = app.clock.now();
      const secret = createWebhookSecret();
      const { id } = await work.asSystem('a webhook of the account', () =>
        auditedInsert(work, audited, {
          values: {
            ...settingsOf(input),
            account_id: actor.account_id,
            ...ofActor(actor),
            secret: app.secrets.seal(secret, webhookSecretPurpose),
            resume_at: now,
            served_at: now,
          },
        }),
      );
      return { webhook: await shownWebhook(work, id), secret };
    },
  );
};

const ownedBy = (actor: Actor): Condition[] => [
  sql<boolean>`r.account_id = ${actor.account_id} and r.status <> 'removed'`,
];

export const edit = (
  app: App,
  actor: Actor,
  { id, version, password, otp = '', ...input }: ParsedOf<typeof calls.editWebhook>,
  request: RequestContext,
): Promise<Webhook> =>
  withProof(
    { app, actor, request },
    { password, otp },
    async (work) => {
      await requireOwn(work, id);
      await checkSettings(app, work, input);
    },
    async (work) => {
      const now = app.clock.now();
      await work.asSystem('a webhook of the account', () =>
        auditedChange(work, audited, {
          id,
          version,
          action: 'edit',
          within: ownedBy(actor),
          current: () => shownWebhook(work, id),
          columns: ({ stopped_by }) => ({
            ...settingsOf(input),
            // An edit by the owner does not restart a webhook that a manager stopped.
            ...(stopped_by === 'manager' ? ofActor(actor) : renewed(actor, now)),
          }),
          also: async (after, before) => {
            if (before.status !== after.status) await resumeWaiting(work, id, now);
          },
        }),
      );
      return shownWebhook(work, id);
    },
  );

/** Fails with `not_found` if the webhook is not the caller's own. */
export const requireOwn = async (work: ReaderWork, id: number): Promise<Webhook> => {
  const found = await shownWebhook(work, id);
  return found.mine === 1 ? found : fail('not_found');
};

const rotationHours = 24;

export const renewSecret = (
  app: App,
  actor: Actor,
  { id, password, otp = '' }: ParsedOf<typeof calls.renewWebhookSecret>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.renewWebhookSecret>> =>
  withProof(
    { app, actor, request },
    { password, otp },
    (work) => requireOwn(work, id),
    async (work) => {
      const secret = createWebhookSecret();
      const previous_until = new Date(app.clock.now().getTime() + rotationHours * 3_600_000);
      await auditedChange(work, audited, {
        id,
        action: 'rotate_secret',
        within: ownedBy(actor),
        columns: (before) => ({
          secret: app.secrets.seal(secret, webhookSecretPurpose),
          previous_secret: before.secret,
          previous_until,
        }),
        also: () => ({ secret: [null, null] }),
      });
      return { webhook: await shownWebhook(work, id), secret };
    },
  );

type Stopped = Pick<Stored<'webhooks'>, 'status' | 'stopped_by' | 'account_id'>;

/**
 * Disables or removes a webhook that the caller may see. Disabling an already disabled webhook
 * changes nothing, except that a manager's decision replaces that of the owner or of a failure. If
 * another user ends the webhook, its owner gets an inbox entry.
 */
const end = async (
  work: UserWork,
  id: number,
  { to, now }: { to: 'disabled' | 'removed'; now: Date },
): Promise<void> => {
  const { account_id } = work.actor;
  await shownWebhook(work, id);
  const isKept = ({ status, stopped_by, ...before }: Stopped): boolean =>
    status === 'removed' ||
    (status === to && (before.account_id === account_id || stopped_by === 'manager'));
  await work.asSystem('a webhook of the account', (system) =>
    auditedChange(work, audited, {
      id,
      action: to === 'disabled' ? 'disable' : 'remove',
      columns: (before) =>
        isKept(before)
          ? null
          : before.account_id === account_id
            ? { status: to, stopped_by: 'person' as const }
            : { status: to, stopped_by: 'manager' as const, stopped_account_id: account_id },
      also: async (after, before) => {
        if (!isKept(before) && after.account_id !== account_id)
          await noticeStop(system, after, {
            reason: to === 'removed' ? 'removed' : 'manager',
            now,
          });
      },
    }),
  );
};

/** Fails if a manager stopped the webhook, unless the actor is that manager or an administrator. */
const requireReleasable = (
  { role, account_id }: Actor,
  { stopped_by, stopped_account_id }: Pick<Stored<'webhooks'>, 'stopped_by' | 'stopped_account_id'>,
): void => {
  const overrules = office.includes(role) || account_id === stopped_account_id;
  if (stopped_by === 'manager' && !overrules) fail('webhook_stopped_by_manager');
};

/**
 * Enables a webhook. A manager may enable only a webhook that a manager disabled, and cannot change
 * its settings.
 */
const enable = async (app: App, work: UserWork, id: number): Promise<Webhook> => {
  const now = app.clock.now();
  const { actor } = work;
  await work.asSystem('a webhook of the account', () =>
    auditedChange(work, audited, {
      id,
      action: 'enable',
      check: (before) => {
        if (before.account_id !== actor.account_id && before.stopped_by !== 'manager')
          fail('not_found');
        requireReleasable(actor, before);
      },
      columns: ({ account_id }) =>
        account_id === actor.account_id ? renewed(actor, now) : goesOn(now),
      also: async (_, before) => {
        if (before.status !== 'live') await resumeWaiting(work, id, now);
      },
    }),
  );
  return shownWebhook(work, id);
};

export const setStatus = (
  app: App,
  actor: Actor,
  { id, status, password, otp = '' }: ParsedOf<typeof calls.setWebhookStatus>,
  request: RequestContext,
): Promise<Webhook> => {
  if (status === 'disabled')
    return app.db.tx(callerOf(actor, request), async (work) => {
      await end(work, id, { to: 'disabled', now: app.clock.now() });
      return shownWebhook(work, id);
    });
  return withProof(
    { app, actor, request },
    { password: password ?? failFields({ password: { code: 'required' } }), otp },
    (work) => shownWebhook(work, id),
    (work) => enable(app, work, id),
  );
};

export const remove = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.removeWebhook>,
  request: RequestContext,
): Promise<{ id: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    await end(work, id, { to: 'removed', now: app.clock.now() });
    return { id };
  });
