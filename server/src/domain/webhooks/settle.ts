import type { WebhookDelivery, WebhookError } from '@waystation/contract/people/webhook.ts';
import type { Clock } from '#platform/clock.ts';
import { recordSystemAudit } from '#platform/audit.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Claimed } from './claim.ts';
import { noticeStop } from './end.ts';
import {
  answerSize,
  caughtUpAfter,
  disabledAfter,
  keptAttempts,
  mostRetryAfter,
  nextAttempt,
  outageGap,
  resumeAfter,
} from './schedule.ts';

/** An attempt of a delivery as it is stored. */
export interface Attempt {
  request: string | null;
  sent_at: Date;
  ms: number;
  http_status: number | null;
  answer: string | null;
  error: WebhookError | null;
  detail: string;
  /** The pause in seconds that the endpoint requests. */
  retry_after?: number;
}

/** Ends a delivery because the account may no longer read its subject. */
export const skip = async (db: Db, id: number): Promise<void> => {
  await db.tx(systemScope('webhook deliveries'), (work) =>
    work.tx
      .updateTable('webhook_deliveries')
      .set({ status: 'skipped', leased_until: null })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute(),
  );
};

/**
 * Releases a claimed delivery whose account was disabled in the meantime, so that the delivery
 * waits.
 */
export const release = async (db: Db, id: number): Promise<void> => {
  await db.tx(systemScope('webhook deliveries'), (work) =>
    sql`update webhook_deliveries set leased_until = null, attempts = attempts - 1
      where id = ${id} and status = 'pending'`.execute(work.tx),
  );
};

/** The last attempt of a stored delivery, and the attempts before it that are stored too. */
type Earlier = RowOf<
  'webhook_deliveries',
  'sent_at' | 'ms' | 'http_status' | 'error' | 'answer' | 'earlier'
>;

/** The attempts of a delivery before the new one, newest first. */
const earlierOf = (stored: Earlier): WebhookDelivery['earlier'] => {
  const { sent_at, ms, http_status, error, answer, earlier } = stored;
  if (sent_at === null) return earlier;
  const last = {
    at: sent_at.toISOString(),
    ms: ms ?? 0,
    http_status,
    error: error as WebhookError | null,
    answer: answer && answer.slice(0, answerSize.earlier).toWellFormed(),
  };
  return [last, ...earlier].slice(0, keptAttempts - 1);
};

interface Webhook {
  account_id: number;
  station_id: number | null;
  name: string;
  status: string;
  failures: number;
  failing_since: Date | null;
  failed_at: Date | null;
  usual_ms: number;
}

/**
 * Disables a webhook whose endpoint keeps failing or answers 410, and writes a notice for its
 * account.
 */
const disable = async (
  work: Work,
  hook: Webhook & { id: number },
  { reason, now }: { reason: 'failures' | 'gone'; now: Date },
): Promise<void> => {
  const { id, station_id } = hook;
  await work.tx
    .updateTable('webhooks')
    .set({ status: 'disabled', stopped_by: reason, version: sql`version + 1`, updated_at: now })
    .where('id', '=', id)
    .execute();
  await noticeStop(work, hook, { reason, now });
  await recordSystemAudit(work, {
    action: 'disable',
    subject: 'webhooks',
    subject_id: id,
    station_id,
    changes: { status: ['live', 'disabled'] },
  });
};

/** Counts a failure of a webhook, and pauses or disables the webhook. */
const noteFailure = async (
  work: Work,
  id: number,
  hook: Webhook,
  { gone, now, until }: { gone: boolean; now: Date; until: Date },
): Promise<void> => {
  const failures = hook.failures + 1;
  const isOutage = hook.failed_at && now.getTime() - hook.failed_at.getTime() <= outageGap;
  const since = (isOutage && hook.failing_since) || now;
  const resume_at = new Date(Math.max(until.getTime(), resumeAfter(failures, now).getTime()));
  await work.tx
    .updateTable('webhooks')
    .set({ failures, failing_since: since, failed_at: now, resume_at })
    .where('id', '=', id)
    .execute();
  if (hook.status !== 'live') return;
  const reason = gone
    ? 'gone'
    : now.getTime() - since.getTime() >= disabledAfter
      ? 'failures'
      : null;
  if (reason) await disable(work, { ...hook, id }, { reason, now });
};

/**
 * Resets the failure count of a webhook. All its waiting deliveries become due if the outage was
 * long.
 */
const noteRecovery = async (
  work: Work,
  id: number,
  { failing_since }: Webhook,
  now: Date,
): Promise<void> => {
  await work.tx
    .updateTable('webhooks')
    .set({ failures: 0, failing_since: null, full_since: null, resume_at: now })
    .where('id', '=', id)
    .execute();
  if (failing_since && now.getTime() - failing_since.getTime() > caughtUpAfter)
    await sql`update webhook_deliveries set next_at = ${now} where webhook_id = ${id}
      and status = 'pending' and next_at > ${now}`.execute(work.tx);
};

/**
 * Stores the result of an attempt. After a failure, the delivery waits for its next attempt, or
 * fails one day after the first attempt. A success resets the failure count of the webhook. A
 * failure is not stored if another process has claimed the delivery since then, because the attempt
 * of that process counts.
 */
export const settle = (
  { db, clock }: { db: Db; clock: Clock },
  { id, webhook_id, attempts }: Pick<Claimed, 'id' | 'webhook_id' | 'attempts'>,
  { retry_after = 0, ...attempt }: Attempt,
): Promise<void> =>
  db.tx(systemScope('webhook deliveries'), async (work) => {
    const now = clock.now();
    const hook: Webhook | undefined = await work.tx
      .selectFrom('webhooks')
      .select([
        'account_id',
        'station_id',
        'name',
        'status',
        'failures',
        'failing_since',
        'failed_at',
        'usual_ms',
      ])
      .where('id', '=', webhook_id)
      .forUpdate()
      .executeTakeFirst();
    const stored = await work.tx
      .selectFrom('webhook_deliveries')
      .select(['attempts', 'begun_at'])
      .select(['sent_at', 'ms', 'http_status', 'error', 'answer', 'earlier'])
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .forUpdate()
      .executeTakeFirst();
    if (!hook || !stored) return;
    const ok = attempt.error === null;
    if (!ok && stored.attempts !== attempts) return;
    const until = new Date(now.getTime() + Math.min(retry_after * 1_000, mostRetryAfter));
    const next = ok ? null : nextAttempt(stored.attempts, stored.begun_at, now);
    await work.tx
      .updateTable('webhook_deliveries')
      .set({
        ...attempt,
        earlier: jsonText(earlierOf(stored)),
        leased_until: null,
        status: ok ? 'delivered' : next ? 'pending' : 'failed',
        ...(next && { next_at: new Date(Math.max(next.getTime(), until.getTime())) }),
      })
      .where('id', '=', id)
      .execute();
    await sql`update webhooks set usual_ms = ${Math.round((3 * hook.usual_ms + attempt.ms) / 4)}
      where id = ${webhook_id}`.execute(work.tx);
    if (!ok)
      await noteFailure(work, webhook_id, hook, { gone: attempt.error === 'gone', now, until });
    else if (hook.failures > 0) await noteRecovery(work, webhook_id, hook, now);
  });
