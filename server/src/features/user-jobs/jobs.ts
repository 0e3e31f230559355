import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { personalData } from '@waystation/contract/people/personal-data.ts';
import type * as calls from '@waystation/contract/shell/jobs.ts';
import type { App } from '#app.ts';
import {
  addUndone,
  countUndone,
  fileOf,
  groupsOf,
  isPersonFileOver,
  itemsOf,
  jobAnswer,
  jobFor,
  jobsOf,
  queueJob,
} from '#domain/user-jobs/user-jobs.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { daysBefore } from '#platform/clock.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { FileAnswer, RequestContext } from '#platform/http/context.ts';

/** The user's jobs of the last week. */
export const list = (app: App, actor: Actor): Promise<OutputOf<typeof calls.listJobs>> =>
  app.db.tx(callerOf(actor), async (work) => ({
    items: (await jobsOf(work, daysBefore(app.clock.now(), 7))).map(jobAnswer),
  }));

export const get = (
  app: App,
  actor: Actor,
  { id, ...input }: ParsedOf<typeof calls.getJob>,
): Promise<OutputOf<typeof calls.getJob>> =>
  app.db.tx(callerOf(actor), async (work) => {
    const job = await jobFor(work, id);
    return {
      ...jobAnswer(job),
      groups: await groupsOf(work, id),
      results: await itemsOf(work, id, input),
      answer: job.answer,
    };
  });

/** True if all stations in the file are in the scope. */
const areWithin = (scope: Scope, stations: unknown): boolean => {
  if (scope.kind === 'all' || !Array.isArray(stations)) return true;
  const own = new Set<unknown>(scope.stations);
  return stations.every((station) => own.has(station));
};

export const file = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getJobFile>,
  request: RequestContext,
): Promise<FileAnswer> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const job = await jobFor(work, id);
    if (job.file_name === null) return fail('not_found');
    if (actor.may_export === 0) return fail('export_not_allowed');
    // The file was made for a role or station that the user no longer has.
    if (job.params['role'] !== actor.role || job.station_id !== actor.station_id)
      return fail('file_removed');
    if (job.file_bytes === null || !areWithin(scopeOf(actor), job.params['stations']))
      return fail('file_removed');
    if (isPersonFileOver(job, app.clock.now())) return fail('file_removed');
    if (job.list === personalData)
      await recordAudit(work, {
        action: 'download_file',
        subject: personalData,
        subject_id: null,
        changes: { job_id: [null, id] },
      });
    return {
      body: { bytes: job.file_bytes, pieces: fileOf(app.db, scopeOf(actor), job) },
      type: job.file_type!,
      name: job.file_name,
    };
  });

/**
 * Repeats the failed rows, and those that a stopped job never reached, in a new job. With a code,
 * it repeats only the rows that failed for this reason.
 */
export const retry = (
  app: App,
  actor: Actor,
  { id, code }: ParsedOf<typeof calls.retryJob>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.retryJob>> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const job = await jobFor(work, id);
    if (job.status !== 'done' && job.status !== 'failed') fail('job_not_finished');
    const total = await countUndone(work, id, code);
    if (total === 0) fail('nothing_to_retry');
    const job_id = await queueJob(work, {
      list: job.list,
      action: job.action,
      params: job.params,
      total,
    });
    await addUndone(work, job_id, id, code);
    await recordAudit(work, {
      action: `bulk_${job.action}`,
      subject: job.list,
      subject_id: null,
      station_id: actor.station_id,
      changes: { job_id: [id, job_id], rows: [null, total] },
      reason: String(job.params['reason'] ?? ''),
    });
    return { job_id, total };
  });
