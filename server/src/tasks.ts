import { closeAlertOf, raiseAlert } from '#domain/alerts/alerts.ts';
import type { App } from './app.ts';
import * as features from './features.ts';
import { lists } from './lists.ts';
import type { Work } from '#platform/db/db.ts';
import type { AbandonJob } from '#platform/jobs/attempts.ts';
import { shownError } from '#platform/jobs/error-text.ts';
import type { TaskHandler } from '#platform/jobs/task.ts';

/** Every background task. */
export const tasks: readonly TaskHandler<App>[] = Object.values(features).flatMap((one) =>
  one.tasks(lists),
);

/**
 * A job without attempts left raises an alert on the Workplace, one per task;
 * the page System health lists such jobs.
 */
export const alertAbandoned: AbandonJob = (work, { task, attempts, detail }) =>
  raiseAlert(work, {
    code: 'job_dead',
    params: { task, attempts, text: shownError(detail) },
    key: `job_dead:${task}`,
  });

/** Closes the alert of a scheduled task that has succeeded again. */
export const closeAbandoned = (work: Work, task: string): Promise<void> =>
  closeAlertOf(work, `job_dead:${task}`, new Date());
