import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/shell/events.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { RequestContext } from '#platform/http/context.ts';
import type { StreamAnswer } from '#platform/http/event-stream.ts';

/** Returns an event stream to a caller that accepts one, else the events since `after`. */
export const events = async (
  app: App,
  actor: Actor,
  { after }: ParsedOf<typeof calls.liveEvents>,
  { stream }: RequestContext,
): Promise<OutputOf<typeof calls.liveEvents> | StreamAnswer> =>
  stream
    ? { stream: app.liveEvents.open(actor, stream.after ?? after ?? null) }
    : app.liveEvents.read(actor, after);
