import type { Reason } from '@waystation/contract/envelope.ts';
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
import type { BulkAction, BulkList, BulkValues, ItemOutcome, JobRow } from '#domain/user-jobs/user-jobs.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { asSystem, isUnavailable } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure } from '#platform/fail.ts';

const all = systemScope('job of a person');
/** Rows of one slice: between slices others get their turn, and a worker that stops does not wait long. */
const slice = 50;

/** The person whose job it is, while they may still do this. */
const authorizedActor = async (app: App, job: JobRow, roles: BulkList<App>['endpoint']['roles']): Promise<Actor | Reason> => {
  const actor = await actorOfAccount(app.db, job.account_id);
  if (!actor) return { code: 'account_disabled' };
  return roles === 'public' || roles.includes(actor.role) ? actor : { code: 'forbidden' };
};

/** One row: its effect and its result commit together. A refusal is the row's result; a database that is away ends the slice, to be taken up again. */
const runItem = async (app: App, actor: Actor, job: JobRow, action: BulkAction<App>, item: { id: number; subject_id: number }): Promise<void> => {
  const scope = scopeOf(actor);
  try {
    await app.db.tx(scope, async (tx) => {
      if (!(await asSystem(tx, scope, () => takeItem(tx, item.id)))) return;
      await action.run(
        app,
        tx,
        actor,
        item.subject_id,
        { reason: String(job.params['reason'] ?? ''), values: (job.params['values'] ?? {}) as BulkValues },
        job,
      );
      await asSystem(tx, scope, () => (action.outcomes ? handItem(tx, item.id, app.clock.now()) : itemResult(tx, item.id, 'ok', null)));
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (!(error instanceof Failure)) app.log.error({ err: error, job: job.id, item: item.id }, 'a row of a job failed');
    const reason = error instanceof Failure ? refusalOf(error) : { code: 'internal' };
    await app.db.tx(all, (tx) => itemResult(tx, item.id, action.skips?.includes(reason.code) ? 'skip' : 'fail', reason));
  }
};

/** Milliseconds between two looks at rows that wait for their carrier, and how long after the last of them was handed over they are waited for. */
const lookEvery = 1_000;
const waitAtMost = 120_000;

/** Writes the results of rows whose carrier has answered. Returns whether others still wait. */
const settleHanded = (app: App, job: JobRow, action: BulkAction<App>): Promise<boolean> =>
  app.db.tx(all, async (tx) => {
    if (!action.outcomes) return false;
    const handed = await handedItems(tx, job.id);
    if (handed.length === 0) return false;
    const late = app.clock.now().getTime() - handed.at(-1)!.handed_at.getTime() > waitAtMost;
    const outcomes = await action.outcomes(tx, handed, late);
    const results = handed.flatMap(({ id, subject_id }): ItemOutcome[] => {
      const outcome = outcomes.get(subject_id) ?? (late ? ({ result: 'ok', reason: { code: 'carrier_pending' } } as const) : null);
      return outcome ? [{ id, ...outcome }] : [];
    });
    await itemResults(tx, job.id, results);
    return results.length < handed.length;
  });

const stop = (app: App, job: JobRow, reason: Reason | null): Promise<void> => app.db.tx(all, (tx) => finishJob(tx, job.id, app.clock.now(), reason));

/** A slice of a bulk job, then the next one or the end. */
const runSlice = async (app: App, job: JobRow, list: BulkList<App>, after: number): Promise<void> => {
  const action = list.actions[job.action]!;
  const items = await app.db.tx(all, (tx) => nextItems(tx, job.id, after, slice));
  for (const item of items) {
    const actor = await authorizedActor(app, job, list.endpoint.roles);
    if ('code' in actor) return stop(app, job, actor);
    await runItem(app, actor, job, action, item);
  }
  const waits = await settleHanded(app, job, action);
  await app.db.tx(all, async (tx) => {
    const last = items.at(-1)?.id ?? after;
    if ((await nextItems(tx, job.id, last, 1)).length > 0) await queueSlice(tx, job, last);
    else if (waits) await queueSlice(tx, job, last, new Date(app.clock.now().getTime() + lookEvery));
    else await finishJob(tx, job.id, app.clock.now());
  });
};

/** A job that is one piece of work: a reason where it could not be done. */
type Whole = (app: App, job: JobRow) => Promise<Reason | null>;

/** Task: works on a person's job. `wholes`: actions that have no rows, by name. */
export const runUserJob =
  (lists: Readonly<Record<string, BulkList<App>>>, wholes: Readonly<Record<'export' | 'count', Whole>>) =>
  async (app: App, { job_id, after_item = 0 }: { job_id: number; after_item?: number }): Promise<void> => {
    const job = await app.db.tx(all, (tx) => startJob(tx, job_id));
    if (!job) return;
    if (job.action === 'export' || job.action === 'count') return stop(app, job, await wholes[job.action](app, job));
    const list = lists[job.list];
    if (!list) return stop(app, job, { code: 'internal' });
    await runSlice(app, job, list, after_item);
  };

/** A person's job that was given up stops with what it has done so far. */
export const failUserJob = (tx: Tx, { job_id }: { job_id: number }): Promise<void> => finishJob(tx, job_id, new Date(), { code: 'internal' });
