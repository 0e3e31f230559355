import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { App } from '#app.ts';
import { decideWaybill, lockExpress } from '#domain/express/express.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { answerWith } from './answer.ts';

/**
 * Chooses one of the waybills that the carrier named for one order. Only administrators may choose.
 */
export const choose = async (
  app: App,
  actor: Actor,
  { id, version, delivery_id }: ParsedOf<typeof calls.chooseWaybill>,
  request: RequestContext,
): Promise<Express> => {
  const caller = callerOf(actor, request);
  const conflict = await app.db.tx(caller, async (work) => {
    const express = await lockExpress(work, id);
    if (express.version !== version) return true;
    await work.asSystem('choice of a waybill', (system) =>
      decideWaybill(app, system, express, { delivery_id, by: actor.account_id }),
    );
    await recordAudit(work, {
      action: 'choose_waybill',
      subject: 'expresses',
      subject_id: id,
      station_id: express.station_id,
      changes: { delivery_id: [express.delivery_id, delivery_id] },
    });
    return false;
  });
  const current = await answerWith(app, actor, id);
  return conflict ? fail('version_conflict', {}, { current }) : current;
};
