import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/label-scan.ts';
import type { App } from '#app.ts';
import { scanForLabel, unverifiedLabels, verifyLabel } from '#domain/label-scans/label-scans.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { RequestContext } from '#platform/http/context.ts';

export const scan = (
  app: App,
  actor: Actor,
  { number }: ParsedOf<typeof calls.scanForLabel>,
): Promise<OutputOf<typeof calls.scanForLabel>> =>
  app.db.tx(callerOf(actor), (work) => scanForLabel(work, { number, at: app.clock.now() }));

export const unverified = (
  app: App,
  actor: Actor,
): Promise<OutputOf<typeof calls.unverifiedLabels>> =>
  app.db.tx(callerOf(actor), async (work) => ({
    items: await unverifiedLabels(work, app.clock.now()),
  }));

export const verify = (
  app: App,
  actor: Actor,
  { id, number }: ParsedOf<typeof calls.verifyLabel>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.verifyLabel>> =>
  app.db.tx(callerOf(actor, request), (work) =>
    verifyLabel(work, { id, number, at: app.clock.now() }),
  );
