import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/shell/inbox.ts';
import type { App } from '#app.ts';
import { entriesOf, markRead } from '#domain/inbox/inbox.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

export const read = (app: App, actor: Actor): Promise<OutputOf<typeof calls.readInbox>> =>
  app.db.tx(callerOf(actor), (work) => entriesOf(work, app.clock.now()));

/**
 * Marks inbox entries as read. An input with neither ids nor a time is an error, because its
 * meaning is unclear.
 */
export const mark = (
  app: App,
  actor: Actor,
  { ids, until }: ParsedOf<typeof calls.markInboxRead>,
): Promise<OutputOf<typeof calls.markInboxRead>> => {
  const which =
    ids !== undefined
      ? { ids }
      : until !== undefined
        ? { until }
        : fail('invalid_input', { count: 1 }, { fields: { ids: { code: 'required' } } });
  return app.db.tx(callerOf(actor), async (work) => ({
    unread: await markRead(work, which, app.clock.now()),
  }));
};
