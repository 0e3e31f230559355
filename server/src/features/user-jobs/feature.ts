import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls as exportCalls } from '@waystation/contract/shell/exports.schema.ts';
import { calls } from '@waystation/contract/shell/jobs.schema.ts';
import { feature } from '#feature.ts';
import type { AllLists } from '#feature.ts';
import { previewBulk, runUserJobTask, startBulk } from '#domain/user-jobs/user-jobs.ts';
import { route } from '#platform/http/route.ts';
import { makeCount, startCount } from './counts.ts';
import { makeExport, startExport } from './exports.ts';
import * as jobs from './jobs.ts';
import { failUserJob, runUserJob } from './run-jobs.ts';

/** The lists whose bulk actions are started here. Other lists have routes of their own. */
const begunHere = ({ bulk }: AllLists): AllLists['bulk'] =>
  Object.fromEntries(Object.entries(bulk).filter(([, { ownRoutes }]) => ownRoutes !== true));

export const userJobs = feature({
  routes: (all) => [
    route(exportCalls.requestExport, startExport(all.exports)),
    route(calls.listJobs, jobs.list),
    route(calls.countList, startCount(all.exports)),
    route(calls.getJob, jobs.get),
    route(calls.getJobFile, jobs.file),
    route(calls.retryJob, jobs.retry),
    route(bulkCalls.previewRows, previewBulk(begunHere(all))),
    ...Object.entries(begunHere(all)).map(([list, bulk]) =>
      route(bulk.endpoint, startBulk(list, bulk)),
    ),
  ],
  tasks: ({ bulk, exports, files }) => [
    runUserJobTask.runs(
      runUserJob(bulk, { export: makeExport(exports), count: makeCount(exports) }, files),
      { abandon: failUserJob },
    ),
  ],
});
