import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { App } from '#app.ts';
import {
  decideCharge,
  heldChargeOf,
  isChargeStorable,
  lockExpress,
} from '#domain/express/express.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { answerWith } from './answer.ts';

/** Returns the carrier's charge beyond the limits that waits for review (requirements §10.14.8). */
export const read = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.readCharge>,
): Promise<OutputOf<typeof calls.readCharge>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    const express = await expressIn(work, id);
    const held = await heldChargeOf(work, express);
    if (held === null || express.held_no === null || express.held_status === null)
      return { charge: null };
    const { facts, unreadable, doubts, at } = held;
    return {
      charge: {
        no: express.held_no,
        status: express.held_status,
        at: at.toISOString(),
        doubts: [...doubts],
        jd_weight: facts.jd_weight ?? null,
        jd_volume: facts.jd_volume ?? null,
        jd_cal_weight: facts.jd_cal_weight ?? null,
        jd_amount: facts.jd_amount ?? null,
        surcharges: Object.entries(facts.surcharges ?? {}).map(([code, { name, amount }]) => ({
          code,
          name,
          amount,
        })),
        acceptable: unreadable.length === 0 && isChargeStorable(facts) ? 1 : 0,
      },
    };
  });
};

/**
 * Accepts or disputes a carrier charge for review, or requests it again from the carrier. Only
 * administrators may do this.
 */
export const decide = async (
  app: App,
  actor: Actor,
  { id, no, decision, reason }: ParsedOf<typeof calls.decideCharge>,
  request: RequestContext,
): Promise<Express> => {
  const caller = callerOf(actor, request);
  await app.db.tx(caller, async (work) => {
    const express = await lockExpress(work, id);
    const choice = { no, decision, reason, by: actor.account_id, at: app.clock.now() };
    const decided = await work.asSystem('decision on a charge', (system) =>
      decideCharge(system, express, choice),
    );
    await recordAudit(work, {
      action: `${decision}_charge`,
      subject: 'expresses',
      subject_id: id,
      station_id: express.station_id,
      changes:
        decision === 'accept'
          ? {
              jd_weight: [express.jd_weight, decided.jd_weight],
              jd_amount: [express.jd_amount, decided.jd_amount],
              post_amount: [express.post_amount, decided.post_amount],
            }
          : {},
      reason,
    });
  });
  return answerWith(app, actor, id);
};
