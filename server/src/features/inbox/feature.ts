import { calls } from '@waystation/contract/shell/inbox.schema.ts';
import { feature } from '#feature.ts';
import { deliverInbox, noteLowBalances } from '#domain/inbox/inbox.ts';
import { route } from '#platform/http/route.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { mark, read } from './inbox.ts';

export const inbox = feature({
  routes: [route(calls.readInbox, read), route(calls.markInboxRead, mark)],
  tasks: [
    task('deliver_inbox', noPayload, { attempts: 3, every: '* * * * *' }).runs(deliverInbox),
    task('note_low_balances', noPayload, { attempts: 4, every: '22 * * * *' }).runs(
      noteLowBalances,
    ),
  ],
});
