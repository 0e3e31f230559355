import { firstOf } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { removeOldAlerts } from '#domain/alerts/alerts.ts';
import { removeOldPushes } from '#domain/express/express.ts';
import { removeOldImports } from '#domain/imports/imports.ts';
import { removeOldEntries } from '#domain/inbox/inbox.ts';
import { removeOldChannels } from '#domain/notices/notices.ts';
import { removeOldFiles, removeOldJobs } from '#domain/user-jobs/user-jobs.ts';
import { endPausedDeliveries, removeOldDeliveries } from '#domain/webhooks/webhooks.ts';
import { removeOldBrowsers } from '#platform/auth/known-browsers.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import { pruneRows } from '#platform/db/prune.ts';
import type { Prune } from '#platform/db/prune.ts';
import { systemScope } from '#platform/db/scope.ts';
import { removeReplacedJobs } from '#platform/jobs/jobs.ts';

/** The number of days after which a repeated idempotency key is a new call. */
const keyDays = 30;

/** The number of days for which the list still shows a key that has ended. */
const endedKeyDays = 90;

/** Makes a step that deletes the rows `r` of a table that meet the condition. */
const rowsWhere =
  (table: string, condition: Condition): Prune =>
  async (work, most) => {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)}
      where ctid = any(array(select ctid from ${sql.table(table)} r where ${condition}
        limit ${most}))`.execute(work.tx);
    return Number(numAffectedRows ?? 0);
  };

/**
 * Runs every step, even after one has failed, and then throws the first error, so that the task
 * runs again.
 */
const runAll = async (
  { log }: App,
  steps: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> => {
  const errors: unknown[] = [];
  for (const [step, run] of Object.entries(steps))
    await run().catch((error: unknown) => {
      errors.push(error);
      log.error({ err: error, step }, 'old rows could not be removed');
    });
  if (errors.length > 0) throw errors[0];
};

/**
 * Task, hourly: removes expired rows and rows older than their setting allows, in short
 * transactions (server/sql/retention.sql).
 */
export const tidy = async (app: App): Promise<void> => {
  const now = app.clock.now();
  const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
  const pruning = (rows: Prune) => (): Promise<number> => pruneRows(app.db, rows);
  await runAll(app, {
    login_failures: pruning(rowsWhere('login_failures', sql`r.at < ${ago(24)}`)),
    sessions: pruning(
      rowsWhere(
        'sessions',
        sql`(r.expires_at < ${now}
          or r.last_seen_at < ${ago(app.config.session.idleMinutes / 60)})`,
      ),
    ),
    api_keys: pruning(
      rowsWhere('api_keys', sql`least(r.revoked_at, r.expires_at) < ${ago(endedKeyDays * 24)}`),
    ),
    idempotency_keys: pruning(
      rowsWhere('idempotency_keys', sql`r.created_at < ${ago(keyDays * 24)}`),
    ),
    phone_searches: pruning(rowsWhere('phone_searches', sql`r.hour < ${ago(24)}`)),
    inbox_entries: pruning((work, most) => removeOldEntries(work, now, most)),
    notice_channels: pruning(removeOldChannels(now)),
    webhook_deliveries: pruning(removeOldDeliveries(now)),
    paused_deliveries: pruning(endPausedDeliveries(now)),
    user_job_files: pruning((work, most) => removeOldFiles(work, now, most)),
    user_jobs: pruning((work, most) => removeOldJobs(work, now, most)),
    imports: pruning((work, most) => removeOldImports(work, now, most)),
    known_browsers: () => app.db.tx(systemScope('tidy'), (work) => removeOldBrowsers(work, now)),
    jobs: () => app.db.tx(systemScope('tidy'), removeReplacedJobs),
  });
};

/** Removes audit log entries as far as the database allows (server/sql/retention.sql). */
const removeOldAudit: Prune = async (work, most) => {
  const { rows } = await sql<{ n: number }>`select prune_audit_log(${most}) as n`.execute(work.tx);
  return firstOf(rows).n;
};

/**
 * Task, hourly: removes old carrier pushes, closed alerts and audit log entries. The audit log
 * records how many of its entries were removed.
 */
export const prune = async (app: App): Promise<void> => {
  const now = app.clock.now();
  await runAll(app, {
    carrier_pushes: () => removeOldPushes(app.db, now),
    alerts: () => pruneRows(app.db, (work, most) => removeOldAlerts(work, now, most)),
    audit_log: () => pruneRows(app.db, removeOldAudit),
  });
};
