import type { OutputOf, ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/inbox.ts';
import type { App } from '#app.ts';
import { entriesOf, markRead } from '#domain/inbox/inbox.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { fail } from '#platform/fail.ts';

export const read = (app: App, actor: Actor): Promise<OutputOf<typeof calls.readInbox>> =>
  app.db.tx(scopeOf(actor), (tx) => entriesOf(tx, actor, app.clock.now()));

/** Neither ids nor a moment is no mistake to guess about. */
export const mark = (app: App, actor: Actor, { ids, until }: ParsedOf<typeof calls.markInboxRead>): Promise<OutputOf<typeof calls.markInboxRead>> => {
  const which = ids !== undefined ? { ids } : until !== undefined ? { until } : fail('invalid_input', { count: 1 }, { fields: { ids: { code: 'required' } } });
  return app.db.tx(scopeOf(actor), async (tx) => ({ unread: await markRead(tx, actor, which, app.clock.now()) }));
};
