import { isDeepStrictEqual } from 'node:util';
import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import { mostCounts } from '@waystation/contract/jobs.ts';
import type { countList } from '@waystation/contract/jobs.ts';
import type { App } from '#app.ts';
import { answerJob, openCounts, queueJob, refusalOf } from '#domain/user-jobs/user-jobs.ts';
import type { ExportLists, JobRow } from '#domain/user-jobs/user-jobs.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure, fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { assertFilters, countEverything, isCounted, ownFilters } from '#platform/http/list-walk.ts';
import type { ListSource } from '#platform/http/list-walk.ts';

/** Nobody waits for a count on a request, so that it may take longer than one that is answered. */
const timesLonger = 10;

/** What PostgreSQL says of a statement that took too long. */
const ended = '57014';

const sourceFor = (lists: ExportLists<App>, actor: Actor, list: string): ListSource<App> => {
  const source = Object.hasOwn(lists, list) ? lists[list]!.source : failFields({ list: { code: 'invalid' } });
  const { roles } = source.endpoint;
  if (roles !== 'public' && !roles.includes(actor.role)) fail('forbidden');
  return isCounted(source) ? source : failFields({ list: { code: 'invalid' } });
};

/** Begins a count of a list in the background, or answers the job of the same one. */
export const startCount =
  (lists: ExportLists<App>) =>
  (app: App, actor: Actor, { list, filters }: ParsedOf<typeof countList>, request: RequestContext): Promise<OutputOf<typeof countList>> => {
    const source = sourceFor(lists, actor, list);
    const params = ownFilters(source, filters);
    assertFilters(source, params);
    return app.db.tx(scopeOf(actor), async (tx) => {
      const open = await openCounts(tx, actor);
      const same = open.find((job) => job.list === list && isDeepStrictEqual(job.params, params));
      if (same) return { job_id: same.id };
      if (open.length >= mostCounts) fail('too_many_counts', { limit: mostCounts });
      return { job_id: await queueJob(tx, actor, request, { list, action: 'count', params, total: 0 }) };
    });
  };

/** Counts for a job; a reason where it could not. */
export const makeCount =
  (lists: ExportLists<App>) =>
  async (app: App, job: JobRow): Promise<Reason | null> => {
    const bounds = { statementTimeout: app.config.exactTimeoutMs * timesLonger };
    const db: Db = { ...app.db, tx: (scope, work) => app.db.tx(scope, work, bounds) };
    try {
      const actor = (await actorOfAccount(app.db, job.account_id)) ?? fail('account_disabled');
      const answer = await countEverything({ ...app, db }, actor, sourceFor(lists, actor, job.list), job.params);
      await app.db.tx(systemScope('count of a person'), (tx) => answerJob(tx, job.id, { ...answer }, answer.total));
      return null;
    } catch (error) {
      if ((error as { code?: string }).code === ended) return { code: 'search_too_slow' };
      if (!(error instanceof Failure)) throw error;
      return refusalOf(error);
    }
  };
