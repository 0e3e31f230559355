import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type * as calls from '@waystation/contract/express-calls.ts';
import type { Express } from '@waystation/contract/express.ts';
import type { App } from '#app.ts';
import { decideWaybill, lockExpress } from '#domain/express/express.ts';
import { recordAudit } from '#platform/audit.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { asSystem } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { answerWith } from './answer.ts';

/** The office chooses between waybills the carrier named for one order. */
export const choose = async (
  app: App,
  actor: Actor,
  { id, version, delivery_id }: ParsedOf<typeof calls.chooseWaybill>,
  request: RequestContext,
): Promise<Express> => {
  const scope = scopeOf(actor);
  const conflict = await app.db.tx(scope, async (tx) => {
    const express = await lockExpress(tx, scope, id);
    if (express.version !== version) return true;
    await asSystem(tx, scope, () => decideWaybill(app, tx, express, { delivery_id, by: actor.account_id }));
    await recordAudit(tx, actor, request, {
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
