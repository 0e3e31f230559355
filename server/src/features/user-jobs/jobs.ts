import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/jobs.ts';
import type { App } from '#app.ts';
import { addUndone, countUndone, fileOf, groupsOf, itemsOf, jobAnswer, jobFor, jobsOf, queueJob } from '#domain/user-jobs/user-jobs.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { daysBefore } from '#platform/clock.ts';
import { fail } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';

/** The user's jobs of the last week. */
export const list = (app: App, actor: Actor): Promise<OutputOf<typeof calls.listJobs>> =>
  app.db.tx(scopeOf(actor), async (tx) => ({ items: (await jobsOf(tx, actor, daysBefore(app.clock.now(), 7))).map(jobAnswer) }));

export const get = (app: App, actor: Actor, { id, ...input }: ParsedOf<typeof calls.getJob>): Promise<OutputOf<typeof calls.getJob>> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const job = await jobFor(tx, actor, id);
    return { ...jobAnswer(job), groups: await groupsOf(tx, id), results: await itemsOf(tx, id, input), answer: job.answer };
  });

export const file = (app: App, actor: Actor, { id }: ParsedOf<typeof calls.getJobFile>): Promise<FileAnswer> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const job = await jobFor(tx, actor, id);
    if (job.file_name === null) return fail('not_found');
    if (actor.may_export === 0) return fail('export_not_allowed');
    // Made for another role or station than the person now has.
    if (job.params['role'] !== actor.role || job.station_id !== actor.station_id) return fail('file_removed');
    if (job.file_bytes === null) return fail('file_removed');
    return { body: { bytes: job.file_bytes, pieces: fileOf(app.db, scopeOf(actor), job) }, type: job.file_type!, name: job.file_name };
  });

/** The rows that failed, and those that a stopped job never reached, as a new job; with a code, those that failed for this reason. */
export const retry = (
  app: App,
  actor: Actor,
  { id, code }: ParsedOf<typeof calls.retryJob>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.retryJob>> =>
  app.db.tx(scopeOf(actor), async (tx) => {
    const job = await jobFor(tx, actor, id);
    if (job.status !== 'done' && job.status !== 'failed') fail('job_not_finished');
    const total = await countUndone(tx, id, code);
    if (total === 0) fail('nothing_to_retry');
    const job_id = await queueJob(tx, actor, request, { list: job.list, action: job.action, params: job.params, total });
    await addUndone(tx, job_id, id, code);
    await recordAudit(tx, actor, request, {
      action: `bulk_${job.action}`,
      subject: job.list,
      subject_id: null,
      station_id: actor.station_id,
      changes: { job_id: [id, job_id], rows: [null, total] },
      reason: String(job.params['reason'] ?? ''),
    });
    return { job_id, total };
  });
