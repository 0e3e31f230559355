import { calls } from '@waystation/contract/shell/health.schema.ts';
import { feature } from '#feature.ts';
import { route } from '#platform/http/route.ts';
import { abandon, retry } from './failed-jobs.ts';
import { read } from './health.ts';

export const health = feature({
  routes: [
    route(calls.health, read),
    route(calls.retryFailedJob, retry),
    route(calls.abandonFailedJob, abandon),
  ],
});
