import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import type { App } from '#app.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { needsBaseCopy, walState } from '#platform/wal/wal-state.ts';
import { runBackup } from './run-backup.ts';

const scope = systemScope('log archive');

/** Milliseconds between two attempts of a base copy that fails. */
const betweenMs = 3_600_000;

/** A base copy, made by the command in a process of its own. */
const baseCopyTask = task('copy_base', noPayload, { attempts: 2, keyBy: [] });

/**
 * Task, every five minutes: an alert while the log is not archived, and a job where our archive
 * needs a base copy.
 */
export const watchWal = async ({ db, clock, config }: App): Promise<void> => {
  const now = clock.now();
  const isDue = config.walDir !== null && (await needsBaseCopy(config, now));
  await db.tx(scope, async (work) => {
    const state = await walState(work, config, now);
    if (state?.stopped === 1) {
      const since = Date.parse(state.archived_at ?? state.since_at);
      const minutes = Math.floor((now.getTime() - since) / 60_000);
      await raiseAlert(work, { code: 'wal_stopped', params: { minutes }, key: 'wal_stopped' });
    } else await closeAlertOf(work, 'wal_stopped', now);
    if (!isDue) return;
    const { failed } = await oneRow(
      work,
      sql<{ failed: boolean }>`select exists (select from alerts where key = 'wal_base_failed'
        and closed_at is null and at > ${new Date(now.getTime() - betweenMs)}) as failed`,
    );
    if (!failed) await addJob(work, baseCopyTask, {});
  });
};

/** Task: makes a base copy, where it is still needed. */
export const makeDueBaseCopy =
  (command: typeof runBackup) =>
  async ({ db, clock, config }: App): Promise<void> => {
    if (config.walDir === null || !(await needsBaseCopy(config, clock.now()))) return;
    const reason = await command(['--base']);
    await db.tx(scope, async (work) => {
      // Raised again, so that its time is that of the last attempt.
      await closeAlertOf(work, 'wal_base_failed', clock.now());
      if (reason !== null)
        await raiseAlert(work, {
          code: 'wal_base_failed',
          params: { reason },
          key: 'wal_base_failed',
        });
    });
  };

export const walTasks = [
  task('watch_wal', noPayload, { attempts: 3, every: '*/5 * * * *' }).runs(watchWal),
  baseCopyTask.runs(makeDueBaseCopy(runBackup)),
];
