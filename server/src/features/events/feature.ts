import { calls } from '@waystation/contract/shell/events.schema.ts';
import { feature } from '#feature.ts';
import { pruneLiveEvents } from '#domain/live-events/live-events.ts';
import { route } from '#platform/http/route.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { events as openStream } from './events.ts';

export const events = feature({
  routes: [route(calls.liveEvents, openStream)],
  tasks: [
    task('prune_live_events', noPayload, { attempts: 3, every: '* * * * *' }).runs(pruneLiveEvents),
  ],
});
