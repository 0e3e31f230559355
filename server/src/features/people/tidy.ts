import type { App } from '#app.ts';
import { removeOldImports } from '#domain/imports/imports.ts';
import { removeOldEntries } from '#domain/inbox/inbox.ts';
import { removeOldFiles } from '#domain/user-jobs/user-jobs.ts';
import { removeOldBrowsers } from '#platform/auth/known-browsers.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { removeReplacedJobs } from '#platform/jobs/jobs.ts';

/**
 * Task, hourly: deletes expired attempts, phone searches, sessions and browsers, repeat keys older
 * than 30 days, files of jobs after 7 days, imports after 90, jobs that were replaced.
 */
export const tidy = async (app: App): Promise<void> => {
  const now = app.clock.now();
  const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
  await app.db.tx(systemScope('tidy'), async (work) => {
    await work.tx.deleteFrom('login_failures').where('at', '<', ago(24)).execute();
    await sql`delete from sessions where expires_at < ${now}
      or last_seen_at < ${ago(app.config.session.idleMinutes / 60)}`.execute(work.tx);
    await work.tx
      .deleteFrom('idempotency_keys')
      .where('created_at', '<', ago(30 * 24))
      .execute();
    await work.tx.deleteFrom('phone_searches').where('hour', '<', ago(24)).execute();
    await removeOldBrowsers(work, now);
    await removeOldFiles(work, now);
    await removeOldEntries(work, now);
    await removeOldImports(work, now);
    await removeReplacedJobs(work);
  });
};
