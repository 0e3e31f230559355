import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import type { App } from '#app.ts';
import { businessDay, businessTime } from '#platform/clock.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { readSetting } from '#platform/settings.ts';
import { removeOldBackups } from './old-backups.ts';
import { runBackup } from './run-backup.ts';

const scope = systemScope('backups');
const hour = 3_600_000;

/** The ages from which an alert is raised, and from which a scheduled backup is verified. */
const oldMs = 36 * hour;
const verifyAfterMs = 7 * 24 * hour;
const unverifiedMs = 15 * 24 * hour;

/** Task: makes and records the backup of a day, by the command in a separate process. */
export const backupTask = task('make_backup', noPayload, { attempts: 2, keyBy: [] });

interface Ages {
  /**
   * When this installation began to record backups; if it has no backup, the age counts from this
   * time.
   */
  since: Date;
  /** The time when the last complete backup in a folder began. */
  made_at: Date | null;
  finished_at: Date | null;
  verified_at: Date | null;
}

const agesOf = (work: Work): Promise<Ages> =>
  oneRow(
    work,
    sql<Ages>`select coalesce((select min(at) from number_generations), now()) as since,
      (select max(begun_at) from backups where finished_at is not null and problem is null
        and stored_as <> '-') as made_at,
      (select max(finished_at) from backups where problem is null) as finished_at,
      (select max(verified_at) from backups) as verified_at`,
  );

/**
 * The limit of attempts in one day, the time between two attempts, and the time after which an
 * attempt counts as killed.
 */
const attemptsPerDay = 3;
const betweenMs = hour;
const killedMs = 7 * hour;

/** The number of failed backups since a time; null if a backup may be running or has just ended. */
const failuresSince = async (work: Work, since: Date, now: Date): Promise<number | null> => {
  const { failed, recent } = await oneRow(
    work,
    sql<{ failed: number; recent: boolean }>`select count(*)::int as failed,
      coalesce(bool_or(begun_at > ${new Date(now.getTime() - betweenMs)} or problem is null
        and begun_at > ${new Date(now.getTime() - killedMs)}), false) as recent
      from backups where begun_at >= ${since} and stored_as <> '-'`,
  );
  return recent ? null : failed;
};

/**
 * Task, every minute: queues the backup once a business day, within an hour of its time, and queues
 * a failed backup again later that day.
 */
export const queueDueBackup = async ({ db, clock, config }: App): Promise<void> => {
  if (config.backupDir === null) return;
  const now = clock.now();
  await db.tx(scope, async (work) => {
    await sql`insert into backup_schedule (id, seen_at) values (1, clock_timestamp())
      on conflict (id) do update set seen_at = excluded.seen_at`.execute(work.tx);
    const [hours, minutes] = (await readSetting(work, 'backup_time')).split(':').map(Number);
    const time = businessTime(now).slice(-5);
    const late = Number(time.slice(0, 2)) * 60 + Number(time.slice(3)) - hours! * 60 - minutes!;
    const { made_at } = await agesOf(work);
    if (late < 0 || (made_at !== null && businessDay(made_at) === businessDay(now))) return;
    const failed = await failuresSince(work, new Date(now.getTime() - late * 60_000), now);
    if (failed === 0 ? late < 60 : failed !== null && failed < attemptsPerDay)
      await addJob(work, backupTask, {});
  });
};

/**
 * Task: makes the backup of the day. Once a week it also restores the backup elsewhere and checks
 * it.
 */
export const makeDueBackup =
  (command: typeof runBackup) =>
  async ({ db, clock, config, log }: App): Promise<void> => {
    if (config.backupDir === null) return;
    const { verified_at } = await db.tx(scope, agesOf);
    const isDue =
      verified_at === null || clock.now().getTime() - verified_at.getTime() > verifyAfterMs;
    const reason = await command([config.backupDir, ...(isDue ? ['--verify'] : [])]);
    await removeOldBackups({ db, config, log });
    await db.tx(scope, (work) =>
      reason === null
        ? closeAlertOf(work, 'backup_failed', clock.now())
        : raiseAlert(work, { code: 'backup_failed', params: { reason }, key: 'backup_failed' }),
    );
  };

/** Task, every hour: raises an alert if the last backup, or the last verified backup, is old. */
export const watchBackups = async ({ db, clock, config }: App): Promise<void> => {
  if (config.backupDir === null) return;
  const now = clock.now();
  await db.tx(scope, async (work) => {
    const { since, finished_at, verified_at } = await agesOf(work);
    const ages: [code: string, at: Date | null, mostMs: number][] = [
      ['backup_old', finished_at, oldMs],
      ['backup_unverified', verified_at, unverifiedMs],
    ];
    for (const [code, at, mostMs] of ages) {
      const age = now.getTime() - (at ?? since).getTime();
      if (age <= mostMs) await closeAlertOf(work, code, now);
      else
        await raiseAlert(work, { code, params: { days: Math.floor(age / 24 / hour) }, key: code });
    }
  });
};

export const backupTasks = [
  task('queue_due_backup', noPayload, { attempts: 3, every: '* * * * *' }).runs(queueDueBackup),
  task('watch_backups', noPayload, { attempts: 3, every: '23 * * * *' }).runs(watchBackups),
  backupTask.runs(makeDueBackup(runBackup)),
];
