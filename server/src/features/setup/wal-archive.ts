import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import type { Health } from '@waystation/contract/shell/health.ts';
import type { App } from '#app.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { needsBaseCopy, needsTestRestore, walState } from '#platform/wal/wal-state.ts';
import { runBackup, runRestore } from './run-backup.ts';

const scope = systemScope('log archive');

/** Milliseconds between two attempts of a base copy that fails. */
const betweenMs = 3_600_000;

/** A base copy, made by the command in a process of its own. */
const baseCopyTask = task('copy_base', noPayload, { attempts: 2, keyBy: [] });

/** The newest archived moment, restored on trial by the command in a process of its own. */
const testRestoreTask = task('test_restore', noPayload, { attempts: 2, keyBy: [] });

const dayMs = 24 * 3_600_000;
/** The age of the last verified test restore at which an alert is raised. */
const unverifiedMs = 15 * dayMs;

/** An alert while no test restore of our archive was verified for too long. */
const watchTestRestores = async (work: Work, state: Health['wal'], now: Date): Promise<void> => {
  const since = state?.verified_at ?? state?.began_at ?? null;
  const age = since === null ? 0 : now.getTime() - Date.parse(since);
  if (age <= unverifiedMs) return closeAlertOf(work, 'wal_unverified', now);
  const params = { days: Math.floor(age / dayMs) };
  await raiseAlert(work, { code: 'wal_unverified', params, key: 'wal_unverified' });
};

/**
 * Task, every five minutes: an alert while the log is not archived, and a job where our archive
 * needs a base copy, or else a test restore.
 */
export const watchWal = async ({ db, clock, config }: App): Promise<void> => {
  const now = clock.now();
  const isDue = config.walDir !== null && (await needsBaseCopy(config, now));
  const isUntested = config.walDir !== null && !isDue && (await needsTestRestore(config, now));
  await db.tx(scope, async (work) => {
    const state = await walState(work, config, now);
    if (state?.stopped === 1) {
      const since = Date.parse(state.archived_at ?? state.since_at);
      const minutes = Math.floor((now.getTime() - since) / 60_000);
      await raiseAlert(work, { code: 'wal_stopped', params: { minutes }, key: 'wal_stopped' });
    } else await closeAlertOf(work, 'wal_stopped', now);
    await watchTestRestores(work, state, now);
    if (isUntested) await addJob(work, testRestoreTask, {});
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

/** Task: restores the newest archived moment on trial, where that is still due. */
export const makeDueTestRestore =
  (command: typeof runRestore) =>
  async ({ db, clock, config }: App): Promise<void> => {
    if (config.walDir === null || !(await needsTestRestore(config, clock.now()))) return;
    const reason = await command(['--rehearse']);
    await db.tx(scope, (work) =>
      reason === null
        ? closeAlertOf(work, 'wal_test_failed', clock.now())
        : raiseAlert(work, { code: 'wal_test_failed', params: { reason }, key: 'wal_test_failed' }),
    );
  };

export const walTasks = [
  task('watch_wal', noPayload, { attempts: 3, every: '*/5 * * * *' }).runs(watchWal),
  baseCopyTask.runs(makeDueBaseCopy(runBackup)),
  testRestoreTask.runs(makeDueTestRestore(runRestore)),
];
