import { businessTime } from '#platform/clock.ts';
import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import type { App } from '#app.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { isWorkRunning } from '#platform/wal/single-run.ts';
import { isTestRestoring, killedReason } from '#platform/wal/test-restore.ts';
import type { TestRestoreFacts } from '#platform/wal/test-restore-facts.ts';
import {
  needsBaseCopy,
  needsTestRestore,
  testFailedMs,
  testRestoreFacts,
  walState,
} from '#platform/wal/wal-state.ts';
import { runBackup, runRestore } from './run-backup.ts';

const scope = systemScope('log archive');

/** The number of milliseconds between two attempts if a base copy fails. */
const betweenMs = 3_600_000;

/** Task: makes a base copy, by the command in a separate process. */
const baseCopyTask = task('copy_base', noPayload, { attempts: 2, keyBy: [] });

/** Task: restores the newest archived moment as a test, by the command in a separate process. */
const testRestoreTask = task('test_restore', noPayload, { attempts: 2, keyBy: [] });

const dayMs = 24 * 3_600_000;
/** The age of the last verified test restore from which an alert is raised. */
const unverifiedMs = 15 * dayMs;

/** Test restores begin at night, because they keep the processors and the disks busy for long. */
const isNight = (now: Date): boolean => /^0[1-4]:/.test(businessTime(now).slice(-5));

/**
 * Raises an alert if no test restore of the archive was verified for too long. Closes the alert
 * when a test restore is verified.
 */
const watchAge = async (work: Work, since: string | null, now: Date): Promise<void> => {
  // The age is unknown while the archive cannot be read, so the alert is not changed.
  if (since === null) return;
  const age = now.getTime() - Date.parse(since);
  if (age <= unverifiedMs) return closeAlertOf(work, 'wal_unverified', now);
  const params = { days: Math.floor(age / dayMs) };
  await raiseAlert(work, { code: 'wal_unverified', params, key: 'wal_unverified' });
};

/**
 * Raises an alert if the last test restore failed, in any process. A later verified test restore
 * closes the alert, even if the failure left no record.
 */
const watchProblem = async (
  work: Work,
  { at, ended, problem, verified_at }: TestRestoreFacts,
  now: Date,
): Promise<void> => {
  const key = 'wal_test_failed';
  const reason = ended === false ? killedReason : problem;
  if (reason !== null) return raiseAlert(work, { code: key, params: { reason }, key });
  await sql`update alerts set closed_at = ${now} where key = ${key} and closed_at is null
    and at < ${verified_at ?? at}::timestamptz`.execute(work.tx);
};

/** True if an attempt within these milliseconds has failed. */
const hasFailed = async (work: Work, key: string, ms: number, now: Date): Promise<boolean> => {
  const { failed } = await oneRow(
    work,
    sql<{ failed: boolean }>`select exists (select from alerts where key = ${key}
      and closed_at is null and at > ${new Date(now.getTime() - ms)}) as failed`,
  );
  return failed;
};

/**
 * True if a worker runs a job of the task. Another job added meanwhile would run at the same time,
 * because a job key replaces only waiting jobs.
 */
const isLocked = async (work: Work, { name }: { name: string }): Promise<boolean> => {
  const { locked } = await oneRow(
    work,
    sql<{ locked: boolean }>`select exists (select from graphile_worker.jobs
      where task_identifier = ${name} and locked_at is not null) as locked`,
  );
  return locked;
};

const noTask = { isRestoring: false, isCopying: false, isDue: false, isUntested: false };

/** The work on the WAL archive that is due, and the work that a process is doing now. */
const workOn = async ({ config, log }: App, now: Date): Promise<typeof noTask> => {
  if (config.walDir === null) return noTask;
  const facts = await testRestoreFacts(config);
  const isRestoring = await isTestRestoring(config, facts).catch((error: unknown) => {
    log.error({ err: error }, 'what a killed test restore left behind could not be removed');
    return false;
  });
  const isCopying = await isWorkRunning(config.dataDir, 'base-copy');
  const isDue = await needsBaseCopy(config, now);
  return { isRestoring, isCopying, isDue, isUntested: await needsTestRestore(config, now) };
};

/**
 * Task, every five minutes: raises an alert while the WAL is not archived or its test restore
 * fails. Queues a job if the product's own archive needs a base copy, or else, at night, a test
 * restore.
 */
export const watchWal = async (app: App): Promise<void> => {
  const { db, clock, config } = app;
  const now = clock.now();
  const { isRestoring, isCopying, isDue, isUntested } = await workOn(app, now);
  const facts = config.walDir === null ? null : await testRestoreFacts(config);
  await db.tx(scope, async (work) => {
    const state = await walState(work, config, now);
    if (state?.stopped === 1) {
      const since = Date.parse(state.archived_at ?? state.since_at);
      const minutes = Math.floor((now.getTime() - since) / 60_000);
      await raiseAlert(work, { code: 'wal_stopped', params: { minutes }, key: 'wal_stopped' });
    } else await closeAlertOf(work, 'wal_stopped', now);
    if (state?.own !== 1)
      for (const key of ['wal_unverified', 'wal_test_failed']) await closeAlertOf(work, key, now);
    else await watchAge(work, state.verified_at ?? state.began_at, now);
    if (facts !== null && !isRestoring) await watchProblem(work, facts, now);
    const due = isDue
      ? { task: baseCopyTask, isRunning: isCopying, key: 'wal_base_failed', ms: betweenMs }
      : isUntested && isNight(now)
        ? {
            task: testRestoreTask,
            isRunning: isRestoring,
            key: 'wal_test_failed',
            ms: testFailedMs,
          }
        : null;
    if (due === null || due.isRunning || (await isLocked(work, due.task))) return;
    if (!(await hasFailed(work, due.key, due.ms, now))) await addJob(work, due.task, {});
  });
};

/** Closes the alert and raises it again, so that its time is that of the last attempt. */
const recordAttempt = async (
  work: Work,
  key: string,
  reason: string | null,
  now: Date,
): Promise<void> => {
  await closeAlertOf(work, key, now);
  if (reason !== null) await raiseAlert(work, { code: key, params: { reason }, key });
};

/** Task: makes a base copy if one is still needed. */
export const makeDueBaseCopy =
  (command: typeof runBackup) =>
  async ({ db, clock, config }: App): Promise<void> => {
    if (config.walDir === null || !(await needsBaseCopy(config, clock.now()))) return;
    if (await isWorkRunning(config.dataDir, 'base-copy')) return;
    const reason = await command(['--base']);
    await db.tx(scope, (work) => recordAttempt(work, 'wal_base_failed', reason, clock.now()));
  };

/** Task: runs a test restore of the newest archived moment if one is still due. */
export const makeDueTestRestore =
  (command: typeof runRestore) =>
  async ({ db, clock, config }: App): Promise<void> => {
    if (config.walDir === null || !(await needsTestRestore(config, clock.now()))) return;
    if (await isWorkRunning(config.dataDir, 'test-restore')) return;
    const reason = await command(['--rehearse']);
    await db.tx(scope, (work) => recordAttempt(work, 'wal_test_failed', reason, clock.now()));
  };

export const walTasks = [
  task('watch_wal', noPayload, { attempts: 3, every: '*/5 * * * *' }).runs(watchWal),
  baseCopyTask.runs(makeDueBaseCopy(runBackup)),
  testRestoreTask.runs(makeDueTestRestore(runRestore)),
];
