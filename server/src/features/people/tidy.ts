import type { App } from '#app.ts';
import { removeOldAlerts } from '#domain/alerts/alerts.ts';
import { removeOldPushes } from '#domain/express/express.ts';
import { removeOldImports } from '#domain/imports/imports.ts';
import { removeOldEntries } from '#domain/inbox/inbox.ts';
import { removeOldFiles, removeOldJobs } from '#domain/user-jobs/user-jobs.ts';
import { recordSystemAudit } from '#platform/audit.ts';
import { removeOldBrowsers } from '#platform/auth/known-browsers.ts';
import { daysBefore } from '#platform/clock.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import { pruneRows } from '#platform/db/prune.ts';
import type { Prune } from '#platform/db/prune.ts';
import { systemScope } from '#platform/db/scope.ts';
import { removeReplacedJobs } from '#platform/jobs/jobs.ts';
import { readSetting } from '#platform/settings.ts';

/** Days of a repeat key, after which the same key is a new call. */
const keyDays = 30;

/** The rows of a table that a condition on `r` names. */
const rowsWhere =
  (table: string, condition: Condition): Prune =>
  async (work, most) => {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)}
      where ctid = any(array(select ctid from ${sql.table(table)} r where ${condition}
        limit ${most}))`.execute(work.tx);
    return Number(numAffectedRows ?? 0);
  };

/**
 * Task, hourly: removes what has expired and what is older than its setting, each in short
 * transactions (server/sql/retention.sql).
 */
export const tidy = async (app: App): Promise<void> => {
  const now = app.clock.now();
  const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
  const prunes: Prune[] = [
    rowsWhere('login_failures', sql`r.at < ${ago(24)}`),
    rowsWhere(
      'sessions',
      sql`(r.expires_at < ${now} or r.last_seen_at < ${ago(app.config.session.idleMinutes / 60)})`,
    ),
    rowsWhere('idempotency_keys', sql`r.created_at < ${ago(keyDays * 24)}`),
    rowsWhere('phone_searches', sql`r.hour < ${ago(24)}`),
    (work, most) => removeOldEntries(work, now, most),
  ];
  for (const rows of prunes) await pruneRows(app.db, rows);
  // Each has many rows of its own.
  await pruneRows(app.db, (work, most) => removeOldFiles(work, now, most), { most: 20 });
  await pruneRows(app.db, (work, most) => removeOldJobs(work, now, most), { most: 50 });
  await pruneRows(app.db, (work, most) => removeOldImports(work, now, most), { most: 5 });
  await app.db.tx(systemScope('tidy'), async (work) => {
    await removeOldBrowsers(work, now);
    await removeReplacedJobs(work);
  });
};

/** Removes entries of the audit log; the database keeps a year of them (server/sql/retention.sql). */
const removeOldAudit =
  (before: Date): Prune =>
  async (work, most) => {
    const { rows } = await sql<{ n: number }>`select prune_audit(${before}, ${most}) as n`.execute(
      work.tx,
    );
    return rows[0]?.n ?? 0;
  };

/** Task, daily: removes old pushes, closed alerts and entries of the audit log, with an entry of it. */
export const prune = async (app: App): Promise<void> => {
  const now = app.clock.now();
  await removeOldPushes(app.db, now);
  await pruneRows(app.db, (work, most) => removeOldAlerts(work, now, most));
  const days = await app.db.tx(systemScope('prune'), (work) => readSetting(work, 'audit_days'));
  const rows = await pruneRows(app.db, removeOldAudit(daysBefore(now, days)));
  if (rows > 0)
    await app.db.tx(systemScope('prune'), (work) =>
      recordSystemAudit(work, {
        action: 'prune',
        subject: 'audit',
        subject_id: null,
        changes: { days: [null, days], rows: [null, rows] },
      }),
    );
};
