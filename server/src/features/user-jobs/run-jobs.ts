import type { Reason } from '@waystation/contract/base/envelope.ts';
import { lastOf, present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import {
  finishJob,
  handItem,
  handedItems,
  itemResult,
  itemResults,
  nextItems,
  queueSlice,
  startJob,
  takeItem,
  refusalOf,
} from '#domain/user-jobs/user-jobs.ts';
import type {
  BulkAction,
  BulkList,
  BulkValues,
  ItemOutcome,
  JobRow,
  WholeJob,
} from '#domain/user-jobs/user-jobs.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, isUnavailable } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure } from '#platform/fail.ts';

const all = systemScope('job of a person');
/**
 * The number of rows in one slice. It is small, so that other jobs run between slices and a
 * stopping worker does not wait long.
 */
const slice = 50;

/** Returns the user of the job; a reason if that user no longer has the right to the action. */
const authorizedActor = async (
  app: App,
  job: JobRow,
  roles: BulkList<App>['endpoint']['roles'],
): Promise<Actor | Reason> => {
  const actor = await actorOfAccount(app.db, job.account_id);
  if (!actor) return { code: 'account_disabled' };
  return roles === 'public' || roles.includes(actor.role) ? actor : { code: 'forbidden' };
};

/**
 * Runs one row, whose effect and result are committed together. A refusal is the result of the row.
 * If the database cannot be reached, the slice ends and is repeated later.
 */
const runItem = async (
  app: App,
  actor: Actor,
  {
    job,
    action,
    item,
  }: { job: JobRow; action: BulkAction<App>; item: { id: number; subject_id: number } },
): Promise<void> => {
  const caller = callerOf(actor, job);
  try {
    await app.db.tx(caller, async (work) => {
      if (!(await work.asSystem('item of a user job', (system) => takeItem(system, item.id))))
        return;
      await action.run(app, work, item.subject_id, {
        reason: String(job.params['reason'] ?? ''),
        values: (job.params['values'] ?? {}) as BulkValues,
      });
      await work.asSystem('item of a user job', (system) =>
        action.outcomes
          ? handItem(system, item.id, app.clock.now())
          : itemResult(system, item.id, 'ok', null),
      );
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (!(error instanceof Failure))
      app.log.error({ err: error, job: job.id, item: item.id }, 'a row of a job failed');
    const reason = error instanceof Failure ? refusalOf(error) : { code: 'internal' };
    await app.db.tx(all, (work) =>
      itemResult(work, item.id, action.skips?.includes(reason.code) ? 'skip' : 'fail', reason),
    );
  }
};

/**
 * The number of milliseconds between two checks of rows that wait for their carrier. The second
 * number is the limit of this wait, from when the last row was sent.
 */
const lookEvery = 1_000;
const waitAtMost = 120_000;

/** Writes the results of rows whose carrier has answered. Returns true if other rows still wait. */
const settleHanded = (app: App, job: JobRow, action: BulkAction<App>): Promise<boolean> =>
  app.db.tx(all, async (work) => {
    if (!action.outcomes) return false;
    const handed = await handedItems(work, job.id);
    if (handed.length === 0) return false;
    const late = app.clock.now().getTime() - lastOf(handed).handed_at.getTime() > waitAtMost;
    const outcomes = await action.outcomes(work, handed, late);
    const results = handed.flatMap(({ id, subject_id }): ItemOutcome[] => {
      const outcome =
        outcomes.get(subject_id) ??
        (late ? ({ result: 'ok', reason: { code: 'carrier_pending' } } as const) : null);
      return outcome ? [{ id, ...outcome }] : [];
    });
    await itemResults(work, job.id, results);
    return results.length < handed.length;
  });

const stop = (app: App, job: JobRow, reason: Reason | null): Promise<void> =>
  app.db.tx(all, (work) => finishJob(work, job.id, app.clock.now(), reason));

/** Runs a slice of a bulk job, and then queues the next slice or ends the job. */
const runSlice = async (
  app: App,
  job: JobRow,
  list: BulkList<App>,
  after: number,
): Promise<void> => {
  const action = present(list.actions[job.action]);
  const items = await app.db.tx(all, (work) => nextItems(work, job.id, after, slice));
  for (const item of items) {
    const actor = await authorizedActor(app, job, list.endpoint.roles);
    if ('code' in actor) return stop(app, job, actor);
    await runItem(app, actor, { job, action, item });
  }
  const waits = await settleHanded(app, job, action);
  await app.db.tx(all, async (work) => {
    const last = items.at(-1)?.id ?? after;
    if ((await nextItems(work, job.id, last, 1)).length > 0) await queueSlice(work, job, last);
    else if (waits)
      await queueSlice(work, job, last, new Date(app.clock.now().getTime() + lookEvery));
    else await finishJob(work, job.id, app.clock.now());
  });
};

/**
 * Task: processes a user's job. `wholes` are the actions without rows, by name. `files` are the
 * exports without a list, by name.
 */
export const runUserJob =
  (
    lists: Readonly<Record<string, BulkList<App>>>,
    wholes: Readonly<Record<'export' | 'count', WholeJob<App>>>,
    files: Readonly<Record<string, WholeJob<App>>>,
  ) =>
  async (
    app: App,
    { job_id, after_item = 0 }: { job_id: number; after_item?: number },
  ): Promise<void> => {
    const job = await app.db.tx(all, (work) => startJob(work, job_id));
    if (!job) return;
    if (job.action === 'export' || job.action === 'count') {
      const file = job.action === 'export' ? files[job.list] : undefined;
      return stop(app, job, await (file ?? wholes[job.action])(app, job));
    }
    const list = lists[job.list];
    if (!list) return stop(app, job, { code: 'internal' });
    await runSlice(app, job, list, after_item);
  };

/** Stops a user's job that was abandoned, and keeps the results it has so far. */
export const failUserJob = (work: Work, { job_id }: { job_id: number }): Promise<void> =>
  finishJob(work, job_id, new Date(), { code: 'internal' });
