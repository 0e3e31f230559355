import { raiseAlert } from '#domain/alerts/alerts.ts';
import type { App } from './app.ts';
import * as features from './features.ts';
import { lists } from './lists.ts';
import type { AbandonJob } from '#platform/jobs/attempts.ts';
import type { TaskHandler } from '#platform/jobs/task.ts';

/** Every background task. */
export const tasks: readonly TaskHandler<App>[] = Object.values(features).flatMap((one) =>
  one.tasks(lists),
);

/**
 * A job without attempts left raises an alert on the Workplace, one per task;
 * docs/operating.md describes how to restart it.
 */
export const alertAbandoned: AbandonJob = (work, { task, attempts, detail }) =>
  raiseAlert(work, {
    code: 'job_dead',
    params: { task, attempts, text: detail.slice(0, 300) },
    key: `job_dead:${task}`,
  });
