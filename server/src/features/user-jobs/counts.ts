import { isDeepStrictEqual } from 'node:util';
import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { mostCounts } from '@waystation/contract/shell/jobs.ts';
import type { countList } from '@waystation/contract/shell/jobs.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { App } from '#app.ts';
import { answerJob, openJobs, queueJob, refusalOf } from '#domain/user-jobs/user-jobs.ts';
import type { ExportLists, JobRow } from '#domain/user-jobs/user-jobs.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure, fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { assertFilters, countEverything, isCounted, ownFilters } from '#platform/http/list-walk.ts';
import type { ListSource } from '#platform/http/list-walk.ts';

/** The factor by which a background count may take longer, because no request waits for it. */
const timesLonger = 10;

/** The code of PostgreSQL for a statement that took too long. */
const ended = '57014';

const sourceFor = (lists: ExportLists<App>, actor: Actor, list: string): ListSource<App> => {
  const source = Object.hasOwn(lists, list)
    ? present(lists[list]).source
    : failFields({ list: { code: 'invalid' } });
  const { roles } = source.endpoint;
  if (roles !== 'public' && !roles.includes(actor.role)) fail('forbidden');
  return isCounted(source) ? source : failFields({ list: { code: 'invalid' } });
};

/**
 * Starts a count of a list in the background. Returns the running job if the same count already
 * runs.
 */
export const startCount =
  (lists: ExportLists<App>) =>
  (
    app: App,
    actor: Actor,
    { list, filters }: ParsedOf<typeof countList>,
    request: RequestContext,
  ): Promise<OutputOf<typeof countList>> => {
    const source = sourceFor(lists, actor, list);
    const params = ownFilters(source, filters);
    assertFilters(source, params);
    return app.db.tx(callerOf(actor, request), async (work) => {
      const open = await openJobs(work, 'count');
      const same = open.find((job) => job.list === list && isDeepStrictEqual(job.params, params));
      if (same) return { job_id: same.id };
      if (open.length >= mostCounts) fail('too_many_counts', { limit: mostCounts });
      return {
        job_id: await queueJob(work, { list, action: 'count', params, total: 0, queue: 'counts' }),
      };
    });
  };

/** Counts a list for a background job; returns the reason if that is not possible. */
export const makeCount =
  (lists: ExportLists<App>) =>
  async (app: App, job: JobRow): Promise<Reason | null> => {
    const bounds = { statementTimeout: app.config.exactTimeoutMs * timesLonger };
    const db: Db = { ...app.db, tx: (scope, run) => app.db.tx(scope, run, bounds) };
    try {
      const actor = (await actorOfAccount(app.db, job.account_id)) ?? fail('account_disabled');
      const answer = await countEverything(
        { ...app, db },
        actor,
        sourceFor(lists, actor, job.list),
        job.params,
      );
      await app.db.tx(systemScope('count of a person'), (work) =>
        answerJob(work, job.id, { ...answer }, answer.total),
      );
      return null;
    } catch (error) {
      if ((error as { code?: string }).code === ended) return { code: 'search_too_slow' };
      if (!(error instanceof Failure)) throw error;
      return refusalOf(error);
    }
  };
