import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostDeliveriesWaiting, mostWebhookTests } from '@waystation/contract/base/limits.ts';
import type { WebhookDelivery } from '@waystation/contract/people/webhook.ts';
import type * as calls from '@waystation/contract/people/webhook.ts';
import type { App } from '#app.ts';
import { firstOfAll, replayOne, replayRange, subjectOf } from '#domain/webhooks/webhooks.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { equal, filterConditions } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { uncounted } from '#platform/db/paging.ts';
import type { Listed } from '#platform/db/paging.ts';
import { getRow, listRows, namedRows } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { requireOwn, shownWebhook } from './webhooks.ts';

const shown = namedRows(
  `id message_id kind subject_id at status attempts next_at sent_at ms request http_status answer
  error detail earlier`.replaceAll(/\s+/g, ' '),
  sql`(select d.id, d.webhook_id, d.station_id, d.subject, d.message_id, d.kind, d.subject_id, d.at, d.status, d.attempts,
    case when d.status = 'pending' then coalesce(nullif(d.next_at, ${firstOfAll}), d.at) end as next_at, d.sent_at, d.ms, d.request,
    d.http_status, d.answer, d.error, d.detail, d.earlier from webhook_deliveries d)`,
);

/**
 * The condition for a webhook's deliveries whose content the actor may read. Some may be outside
 * the actor's scope, because a parcel, a station or the webhook's account may have moved since.
 */
const ofWebhook = (actor: Actor, id: number): Condition => sql<boolean>`r.webhook_id = ${id}
  and (r.subject = 'webhooks' or ${scopeCondition(callerOf(actor), 'r.station_id')})`;

export const list = (
  app: App,
  actor: Actor,
  { id, ...filters }: ParsedOf<typeof calls.listDeliveries>,
): Promise<Listed<WebhookDelivery>> =>
  app.db.tx(callerOf(actor), async (work) => {
    await shownWebhook(work, id);
    return work.asSystem('deliveries of a webhook', (system) =>
      listRows<WebhookDelivery>(system, shown, {
        conditions: [ofWebhook(actor, id), ...filterConditions(filters, { status: equal })],
        paging: uncounted(filters),
        sortable: ['-at'],
      }),
    );
  });

const shownDelivery = (
  work: Work,
  actor: Actor,
  { id, delivery }: { id: number; delivery: number },
): Promise<WebhookDelivery> =>
  getRow<WebhookDelivery>(work, shown.rows, delivery, [ofWebhook(actor, id)]);

/** The number of further deliveries that may wait for the webhook. */
const roomOf = async (work: Work, id: number): Promise<number> => {
  const { waiting } = await oneRow(
    work,
    sql<{ waiting: number }>`select count(*)::int as waiting from webhook_deliveries
      where webhook_id = ${id} and status = 'pending'`,
  );
  return Math.max(0, mostDeliveriesWaiting - waiting);
};

/** Sends an event without a subject, so that the owner sees whether the endpoint accepts it. */
export const test = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.testWebhook>,
  request: RequestContext,
): Promise<WebhookDelivery> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { status, name } = await requireOwn(work, id);
    if (status !== 'live') fail('webhook_not_live');
    const now = app.clock.now();
    await recordAudit(work, {
      action: 'test',
      subject: 'webhooks',
      subject_id: id,
      station_id: actor.station_id,
      changes: { name: [name, name] },
    });
    return work.asSystem('a test of a webhook', async (system) => {
      await sql`select from webhooks where id = ${id} for update`.execute(system.tx);
      const { tests } = await oneRow(
        system,
        sql<{ tests: number }>`select count(*)::int as tests from webhook_deliveries
          where webhook_id = ${id} and at > ${new Date(now.getTime() - 60_000)}
            and kind = 'webhook.test'`,
      );
      if (tests >= mostWebhookTests) fail('too_many_requests', { seconds: 60 }, { retryAfter: 60 });
      const { id: delivery } = await system.tx
        .insertInto('webhook_deliveries')
        .values({
          webhook_id: id,
          message_id: `msg_${crypto.randomUUID().replaceAll('-', '')}`,
          event_no: 0,
          kind: 'webhook.test',
          subject: subjectOf('webhook.test'),
          subject_id: id,
          at: now,
          begun_at: now,
          next_at: firstOfAll,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return shownDelivery(system, actor, { id, delivery });
    });
  });

export const replay = (
  app: App,
  actor: Actor,
  { id, delivery }: ParsedOf<typeof calls.replayDelivery>,
  request: RequestContext,
): Promise<WebhookDelivery> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { status, name } = await requireOwn(work, id);
    if (status !== 'live') fail('webhook_not_live');
    const shownNow = await work.asSystem('a delivery of a webhook', async (system) => {
      await shownDelivery(system, actor, { id, delivery });
      await replayOne(system, id, delivery, app.clock.now());
      return shownDelivery(system, actor, { id, delivery });
    });
    await recordReplay(work, { id, name, station_id: actor.station_id }, 1);
    return shownNow;
  });

export const replayMany = (
  app: App,
  actor: Actor,
  { id, from, to }: ParsedOf<typeof calls.replayDeliveries>,
  request: RequestContext,
): Promise<{ replayed: number }> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { status, name } = await requireOwn(work, id);
    if (status !== 'live') fail('webhook_not_live');
    const replayed = await work.asSystem('deliveries of a webhook', async (system) =>
      replayRange(system, id, {
        from: new Date(from),
        to: new Date(to),
        most: await roomOf(system, id),
        now: app.clock.now(),
      }),
    );
    await recordReplay(work, { id, name, station_id: actor.station_id }, replayed);
    return { replayed };
  });

const recordReplay = (
  work: Parameters<typeof recordAudit>[0],
  { id, name, station_id }: { id: number; name: string; station_id: number | null },
  count: number,
): Promise<void> =>
  recordAudit(work, {
    action: 'replay',
    subject: 'webhooks',
    subject_id: id,
    station_id,
    changes: { name: [name, name], deliveries: [null, count] },
  });
